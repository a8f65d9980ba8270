"""`digest status`: every life of a summary and every state of an issue."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_WEEK = {
    week: ("--now", f"{day}T10:00:00+01:00")
    for week, day in {"w47": "2026-11-17", "w48": "2026-11-24", "w49": "2026-12-01"}.items()
}
_NOW = _WEEK["w49"]
_SETTINGS = "\n[selection]\nmin_items = 1\nmax_items = 1\nmax_age = 10\n"


def _item(name: str, more: str = "", *, words_of: str = "", end: str = "") -> str:
    # Texts differ from each other, or they would be held back as alike.
    seed = words_of or name
    words = (sha256(f"{seed} {place}".encode()).hexdigest()[:6] for place in range(30))
    return f"---\ntitle: {seed.title()}\n{more}---\n\n{' '.join(words)}{end}\n"


@pytest.fixture
def letter(digest: Digest, newsletter: Make) -> Path:
    """Give a newsletter with one issue out, one taken back, one drafted, and more to come."""
    root = newsletter(
        {
            "content/a-sent.md": _item("sent", "pin: yes\n"),
            "content/b-freed.md": _item("freed", "weight: 9\n"),
            "content/c-drafted.md": _item("drafted", "weight: 8\n"),
            "content/d-waits.md": _item("waits"),
            "content/draft.md": _item("draft", "draft: yes\n"),
            "content/early.md": _item("early", "not_before: 2027-01-01\n"),
            "content/dated.md": _item("dated", "date: 2027-01-01\n"),
            "content/lapsed.md": _item("lapsed", "not_after: 2026-11-01\n"),
            "content/old.md": _item("old", "date: 2026-01-01\n"),
            "content/withdrawn.md": _item("withdrawn", "withdrawn: yes\n"),
            "content/superseded.md": _item("superseded"),
            "content/heir.md": _item("heir", "supersedes: superseded\n"),
            "content/twin.md": _item("twin", words_of="sent", end=" again"),
        },
        settings=_SETTINGS,
    )
    for words in (
        ("build", *_WEEK["w47"]),
        ("publish", *_WEEK["w47"]),
        ("build", *_WEEK["w48"]),
        ("publish", *_WEEK["w48"]),
        ("withdraw", "2026-w48", *_WEEK["w48"]),
        ("build", *_NOW),
        ("skip", "2026-w50", "--reason", "a feast", *_NOW),
    ):
        code, _, err = digest("-C", root, *words)
        assert code == 0, err
    issues = root / "content/issues"
    (issues / "2026-w51.md").write_text("---\nsubject: Ice\n---\n", "utf-8")
    (issues / "2026-w52.md").write_text("---\nitems: [heir]\nhold: wait\n---\n", "utf-8")
    (issues / "2026-w53.md").write_text("---\nitems: [c-drafted]\nskip: yes\n---\n", "utf-8")
    return root


def _status(digest: Digest, letter: Path) -> dict[str, Any]:
    code, out, err = digest("-C", letter, "status", "--json", *_NOW)
    assert (code, err) == (0, "")
    told: dict[str, Any] = json.loads(out)
    return told


def test_each_summary_is_counted_in_one_life(digest: Digest, letter: Path) -> None:
    """All eight are told, the numbers add up to the files, and nothing is counted twice."""
    queue = _status(digest, letter)["queue"]

    assert queue == {
        "waiting": 2,  # what waits, and what was taken back without a mail
        "reserved": 2,
        "sent": 1,
        "embargoed": 2,
        "expired": 2,
        "draft": 1,
        "withdrawn": 2,
        "duplicate": 1,
    }
    assert sum(queue.values()) == len(list((letter / "content").glob("*.md")))


def test_each_issue_is_listed(digest: Digest, letter: Path) -> None:
    """Those out, taken back, drafted, skipped, not picked yet and held, in the order of time."""
    told = _status(digest, letter)["issues"]

    assert [(one["issue"], one["number"], one["state"], one["next"]) for one in told] == [
        ("2026-w47", 1, "published", ""),
        ("2026-w48", 2, "withdrawn", ""),
        ("2026-w49", None, "draft", "digest publish 2026-w49"),
        ("2026-w50", None, "skipped", ""),
        ("2026-w51", None, "planned", "digest build 2026-w51"),
        ("2026-w52", None, "held", "digest hold 2026-w52 --release"),
        ("2026-w53", None, "skipped", ""),
    ]


def test_words_say_the_same(digest: Digest, letter: Path) -> None:
    """A line for each issue, and one for the summaries that leaves out what none is in."""
    (letter / "content/draft.md").unlink()
    code, out, err = digest("-C", letter, "status", *_NOW)

    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[1] == "2026-w48  withdrawn  number 2"
    assert lines[3] == "2026-w50  skipped"
    assert lines[4].split() == ["2026-w51", "planned", "next:", "digest", "build", "2026-w51"]
    assert lines[-1] == (
        "summaries: 2 waiting, 2 reserved, 1 sent, 2 embargoed, 2 expired, 2 withdrawn, 1 duplicate"
    )


def test_life_of_what_is_taken_out_of_a_draft(digest: Digest, letter: Path) -> None:
    """It waits again, and what took its place is reserved."""
    assert digest("-C", letter, "drop", "b-freed", *_NOW)[0] == 0
    queue = _status(digest, letter)["queue"]

    assert (queue["waiting"], queue["reserved"]) == (2, 2)
