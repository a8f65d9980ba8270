"""The use cases, in the order in which they happen: start, gather, plan, build, check, publish.

`start` makes a newsletter, `gather` brings summaries in, `plan` tells what is coming and why,
`build` picks and renders with `drafts`, `inspect` finds what is wrong, `verify` builds again, `release` makes
an issue public, `state` tells where all stand. They share `project`, the things of one newsletter
on disk, and `editions`, an issue rendered and kept.
"""

__all__: list[str] = []
