"""A newsletter whose issue files tests begin, change and thin out as people do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from publish.tick.ticking import Letter, moment

from digest.model import Issue, IssueKey
from digest.publish.build import Built, build_issue

__all__ = [
    "GONE",
    "LATER",
    "NOW",
    "OWN",
    "W49",
    "W50",
    "build",
    "ids",
    "issue_of",
    "make_letter",
    "refill",
    "spoil",
    "write",
]

W49, W50 = IssueKey("2026-w49"), IssueKey("2026-w50")
NOW = "2026-12-01T10:00:00+01:00"
LATER = "2026-12-08T10:00:00+01:00"
_SETTINGS = """
[selection]
min_items = 2
max_items = 3

[[theme]]
id = "locks"

[[theme]]
id = "tides"
"""


GONE = {
    "gone": None,
    "draft": "draft: yes\n",
    "withdrawn": "withdrawn: yes\n",
    "expired": "not_after: 2026-11-20\n",
    "embargoed": "not_before: 2027-01-01\n",
}
OWN = """\
---
# Chosen by hand.
subject: Ice
items:
  - locks3 # the best one
  # then
  - id: locks1
    reason: "it is short"
  - locks2
theme: locks
---

Hello.
"""


def _note(theme: str, number: int, more: str = "") -> str:
    return (
        f"---\ntitle: {theme} {number}\ntheme: {theme}\n{more}---\n\nWords of {theme} {number}.\n"
    )


def make_letter(newsletter: Callable[..., Path]) -> Letter:
    """Make a newsletter of five notes on locks, which lead, and four on tides."""
    notes = {
        f"content/{theme}{number}.md": _note(theme, number)
        for theme, count in (("locks", 5), ("tides", 4))
        for number in range(1, count + 1)
    }
    return Letter(root=newsletter(notes, settings=_SETTINGS))


def write(letter: Letter, text: str, key: IssueKey = W49) -> Path:
    """Write an issue file and give its place."""
    file = letter.root / f"content/issues/{key}.md"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode())
    return file


def build(letter: Letter, key: IssueKey = W49, at: str = NOW, *, dry_run: bool = False) -> Built:
    """Build an issue."""
    return build_issue(letter.project, key, now=moment(at), dry_run=dry_run)


def refill(letter: Letter, *, dry_run: bool = False) -> Built:
    """Build the first week's issue, its free places filled."""
    return build_issue(letter.project, W49, now=moment(NOW), refill=True, dry_run=dry_run)


def ids(built: Built) -> list[str]:
    """Give the ids of what is in an issue that was built."""
    return [item.id for item in built.issue.items] if built.issue else []


def issue_of(letter: Letter) -> Issue:
    """Read the first week's issue file."""
    issue = letter.project.issue(W49)
    assert issue is not None
    return issue


def spoil(letter: Letter, name: str, how: str) -> None:
    """Make a note one that may not go out; `how` is a key of GONE."""
    file, more = letter.root / f"content/{name}.md", GONE[how]
    if more is None:
        file.unlink()
    else:
        file.write_text(_note(name[:-1], int(name[-1]), more), "utf-8")
