"""The use cases, in the order in which they happen: start, gather, plan, build, check, publish.

`start` makes a newsletter, `gather` brings summaries in, `plan` tells what is coming and why,
`build` picks and renders, `inspect` finds what is wrong, `verify` builds again, `release` makes an
issue public, `state` tells where all stand. They share `project`, the things of one newsletter on
disk, `editions`, an issue rendered and kept, and `drafts`, the two together.
"""

__all__: list[str] = []
