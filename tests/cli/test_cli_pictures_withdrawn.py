"""Pictures of an issue that is taken back leave the site, save those that another issue shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import tree
from cli.pictured import drawn, name_of, public

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Run = Callable[..., dict[str, Any]]

ROPE, SAIL, KNOT = (drawn("PNG", 5, 4, colour) for colour in (1, 2, 3))
_NAMES = {name_of(f"{name}.png", data): data for name, data in (("r", ROPE), ("s", SAIL))}
ROPE_NAME, SAIL_NAME = _NAMES
KNOT_NAME = name_of("k.png", KNOT)
_WEEKS = (("2026-w49", "2026-12-01"), ("2026-w50", "2026-12-08"))
_LATER = ("--now", "2026-12-09")


def _item(title: str, *pictures: str) -> str:
    shown = " ".join(f"![A {name}]({name}.png)" for name in pictures)
    return f"---\ntitle: {title}\n---\n\nWords about {title.lower()}: {shown}\n"


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter of two issues: one shows rope and sail, the other sail and knot."""
    return newsletter(
        {
            "content/one.md": _item("One", "rope", "sail"),
            "content/two.md": _item("Two", "sail", "knot"),
            "content/rope.png": ROPE,
            "content/sail.png": SAIL,
            "content/knot.png": KNOT,
            "content/issues/2026-w49.md": "---\nitems: [one]\n---\n",
            "content/issues/2026-w50.md": "---\nitems: [two]\n---\n",
        }
    )


@pytest.fixture
def run(digest: Digest, letter: Path) -> Run:
    """Publish both issues, and give what runs a command that must go well: its JSON."""

    def call(*words: str) -> dict[str, Any]:
        code, out, err = digest("-C", letter, *words, "--json")
        assert code == 0, err
        return dict(json.loads(out))

    for key, day in _WEEKS:
        call("build", key, "--now", day)
        call("publish", key, "--now", day)
    return call


def test_pictures_of_both_issues_are_public(letter: Path, run: Run) -> None:
    """One that both show is there once."""
    assert run("verify", "--all", *_LATER)["editions"][1]["identical"] is True
    assert public(letter) == {**_NAMES, KNOT_NAME: KNOT}


def test_pictures_leave_with_their_issue(letter: Path, run: Run) -> None:
    """What another issue shows stays, and so does what somebody else put beside it."""
    own = letter / "outbox/site/pictures/logo.png"
    own.write_bytes(b"mine")
    told = run("withdraw", "2026-w49", *_LATER)

    assert f"outbox/site/pictures/{ROPE_NAME}" in told["changed"]
    assert f"outbox/site/pictures/{SAIL_NAME}" not in told["changed"]
    assert public(letter) == {SAIL_NAME: SAIL, KNOT_NAME: KNOT, "logo.png": b"mine"}


def test_the_last_issue_takes_all_its_pictures_along(letter: Path, run: Run) -> None:
    """Whoever is withdrawn last leaves none; the editions keep theirs, and are proved by them."""
    run("withdraw", "2026-w50", *_LATER)
    assert public(letter) == _NAMES
    run("withdraw", "2026-w49", *_LATER)

    assert public(letter) == {}
    assert (letter / "outbox/2026-w49/pictures" / ROPE_NAME).read_bytes() == ROPE
    found = run("verify", "--all", *_LATER)["editions"]
    assert [one["identical"] for one in found] == [True, True]


def test_a_dry_run_tells_and_changes_nothing(letter: Path, run: Run) -> None:
    """It names the files that would change, the picture among them, and leaves every byte."""
    before = tree(letter)
    dry = run("withdraw", "2026-w49", "--dry-run", *_LATER)
    assert tree(letter) == before
    real = run("withdraw", "2026-w49", *_LATER)

    assert sorted(dry["changed"]) == sorted(real["changed"])
    assert f"outbox/site/pictures/{ROPE_NAME}" in dry["changed"]


def test_pictures_that_were_left_are_cleared_by_the_next_call(letter: Path, run: Run) -> None:
    """After a crash between the record and the files the next command takes them down."""
    run("withdraw", "2026-w49", *_LATER)
    file = letter / "outbox/site/pictures" / ROPE_NAME
    file.write_bytes(ROPE)
    told = run("publish", "2026-w50", *_LATER)

    assert told["changed"] == [f"outbox/site/pictures/{ROPE_NAME}"]
    assert not file.exists()
    assert run("publish", "2026-w50", *_LATER)["changed"] == []


def test_a_picture_that_was_lost_comes_back(letter: Path, run: Run) -> None:
    """The edition has it, so the next publishing puts it on the site again."""
    (letter / "content/knot.png").unlink()
    (letter / "outbox/site/pictures" / KNOT_NAME).unlink()
    told = run("publish", "2026-w49", *_LATER)

    assert told["changed"] == [f"outbox/site/pictures/{KNOT_NAME}"]
    assert public(letter)[KNOT_NAME] == KNOT
