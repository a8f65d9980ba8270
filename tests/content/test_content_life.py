"""The keys that say whether a summary may still go out, and whether it may come again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("header", "withdrawn"),
    [
        ("withdrawn: yes", True),
        ("withdrawn: no", False),
        ("withdrawn:", False),
        ("status: Withdrawn", True),
        ("status: retracted", True),
        ("status: published", False),
        ("withdrawn: no\nstatus: withdrawn", True),
    ],
)
def test_summary_is_withdrawn_by_key_or_status(
    parse: Callable[..., Any], *, header: str, withdrawn: bool
) -> None:
    """Its own key or the word of another tool takes a summary back; it is no draft for that."""
    summary, notes = parse(f"---\ntitle: x\n{header}\n---\n")
    assert (summary.withdrawn, summary.draft) == (withdrawn, False)
    assert notes == ()


@pytest.mark.parametrize(
    ("typed", "weeks"),
    [
        ("0", 0),
        ("4", 4),
        ("'4'", 4),
        ("4w", 4),
        ("1 week", 1),
        ("4 Weeks", 4),
        ("10000", 10_000),
        ("", None),
        ("~", None),
    ],
)
def test_cooldown_is_a_number_of_weeks(
    parse: Callable[..., Any], typed: str, weeks: int | None
) -> None:
    """With or without the word; none means that the summary goes out once."""
    assert parse(f"---\ntitle: x\ncooldown: {typed}\n---\n")[0].cooldown == weeks


@pytest.mark.parametrize(
    "typed", ["-1", "2.5", "four", "4 months", "10001", "9" * 30, "yes", "٤", "4 w w"]
)
def test_cooldown_that_is_no_number_of_weeks_is_refused(
    complaints: Callable[..., Any], typed: str
) -> None:
    """What cannot be counted in weeks is told with the forms that can."""
    [complaint] = complaints(f"---\ntitle: x\ncooldown: {typed}\n---\n")
    what = "`cooldown` must be a whole number of weeks from 0 to 10000, not "
    assert complaint.startswith(f"content/owls.md:3: {what}")
    assert complaint.endswith("write it as 4 or `4 weeks`")


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("owls-1", ("owls-1",)),
        ("notes/2026/owls.md", ("notes/2026/owls",)),
        ("[a.md, a, ' b  c ', '']", ("a", "b c")),
        ("\n  - cafe\u0301.md\n  - d.txt", ("caf\xe9", "d.txt")),
        ("", ()),
        ("[.md]", ()),
    ],
)
def test_supersedes_is_one_id_or_a_list(
    parse: Callable[..., Any], typed: str, ids: tuple[str, ...]
) -> None:
    """Ids are of one line and in NFC; a path of a file loses its ending, as it does as an id."""
    summary, notes = parse(f"---\ntitle: x\nsupersedes: {typed}\n---\n")
    assert summary.supersedes == ids
    assert notes == ()


def test_summary_does_not_supersede_itself(parse: Callable[..., Any]) -> None:
    """Its own id among those superseded is set aside with a note."""
    summary, notes = parse("---\ntitle: x\nsupersedes: [owls.md, mice]\n---\n")
    assert summary.supersedes == ("mice",)
    assert [(note.place, note.text) for note in notes] == [
        ("content/owls.md:3", "`supersedes` names this summary itself; that is set aside")
    ]


def test_keys_of_the_life_of_a_summary_may_have_other_names(parse: Callable[..., Any]) -> None:
    """Another tool's keys lead to them, and TOML gives them too."""
    text = "+++\ntitle = 'x'\nretired = true\nrest = 4\nreplaces = ['a']\n+++\n"
    names = {"retired": "withdrawn", "rest": "cooldown", "replaces": "supersedes"}
    summary, notes = parse(text, aliases=names)
    assert (summary.withdrawn, summary.cooldown, summary.supersedes) == (True, 4, ("a",))
    assert notes == ()
