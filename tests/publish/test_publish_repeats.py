"""What goes out again is marked with the issue that held it, whoever put it in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_W49 = ("--now", "2026-11-30T12:00:00+01:00")
_W50 = ("--now", "2026-12-07T12:00:00+01:00")
_MARK = "Sent before, in the issue of week 49 of 2026"
_FILE = "content/issues/2026-w50.md"


def _item(name: str, more: str = "") -> str:
    words = " ".join(f"{name}{n}" for n in range(26))
    return f"---\ntitle: {name}\n{more}---\n\n{words}\n"


def _letter(newsletter: Make) -> Path:
    return newsletter(
        {"content/a.md": _item("a", "cooldown: 1\n"), "content/b.md": _item("b")},
        settings="[selection]\nmin_items = 1\n",
    )


def _done(digest: Digest, root: Path, *commands: str, now: tuple[str, str]) -> None:
    for command in commands:
        code, _, err = digest("-C", root, *command.split(), *now)
        assert code == 0, err


def test_one_put_in_by_hand_is_marked(digest: Digest, newsletter: Make) -> None:
    """Mail, text and page say so, and the issue file has it from then on."""
    root = _letter(newsletter)
    _done(digest, root, "build", "publish", now=_W49)
    (root / _FILE).write_text("---\nitems: [a]\n---\n", "utf-8")

    _done(digest, root, "build", "publish", now=_W50)

    for name in ("issue.html", "issue.txt", "page.html", "entry.html"):
        assert _MARK in (root / "outbox/2026-w50" / name).read_text("utf-8"), name
    assert "repeat: " in (root / _FILE).read_text("utf-8")


def test_a_mark_goes_with_the_issue_that_it_names(digest: Digest, newsletter: Make) -> None:
    """That was taken back before any mail: nobody has read it there."""
    root = _letter(newsletter)
    _done(digest, root, "build", "publish", now=_W49)
    _done(digest, root, "build", now=_W50)
    assert _MARK in (root / "outbox/2026-w50/issue.txt").read_text("utf-8")

    _done(digest, root, "withdraw 2026-w49", "build", "publish", now=_W50)

    assert "Sent before" not in (root / "outbox/site/2026-w50.html").read_text("utf-8")
    assert "repeat: " not in (root / _FILE).read_text("utf-8")


def test_an_extra_issue_is_planned_like_any_other(digest: Digest, newsletter: Make) -> None:
    """It stands between the weeks, with what its file holds."""
    root = _letter(newsletter)
    _done(digest, root, "build --extra more", now=_W49)

    out = digest("-C", root, "plan", "--weeks", "2", *_W49)[1]

    assert [line.split()[0] for line in out.splitlines() if line.startswith("2026-")] == [
        "2026-w49",
        "2026-w49-more",
        "2026-w50",
    ]
