"""`digest backtest`: what it prints, and that nothing is written."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import tree

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_SETTINGS = """\
[selection]
min_items = 2
max_items = 2

[[theme]]
id = "locks"

[[theme]]
id = "tides"
"""
_WEEKS = ("2026-11-30", "2026-12-07", "2026-12-14")
_LATER = ("--now", "2026-12-16T10:00:00+01:00")


def _item(theme: str, number: int) -> str:
    # Texts differ from each other, or they would be held back as alike.
    words = (sha256(f"{theme} {number} {place}".encode()).hexdigest()[:6] for place in range(30))
    return (
        f"---\ntitle: {theme.title()} {number}\ndate: 2026-11-{number:02d}\ntheme: {theme}\n---\n\n"
        f"{' '.join(words)}\n"
    )


@pytest.fixture
def letter(digest: Digest, newsletter: Make) -> Path:
    """Give a newsletter with three issues out: four of eight summaries on locks, two on tides."""
    files = {
        f"content/{theme}-{number}.md": _item(theme, number)
        for theme in ("locks", "tides")
        for number in range(1, 5)
    }
    root = newsletter(files, settings=_SETTINGS)
    for day in _WEEKS:
        now = ("--now", f"{day}T08:00:00+01:00")
        for command in ("build", "publish"):
            code, _, err = digest("-C", root, command, *now)
            assert code == 0, err
    return root


def _policy(letter: Path, text: str) -> Path:
    file = letter.parent / "other.toml"
    file.write_text(text, "utf-8")
    return file


def _answer(result: tuple[int, str, str]) -> dict[str, Any]:
    code, out, err = result
    assert (code, err) == (0, "")
    value: dict[str, Any] = json.loads(out)
    return value


def test_the_present_policy_changes_nothing(digest: Digest, letter: Path) -> None:
    """Without --policy the issues are as they were sent, and both sides have one balance."""
    before = tree(letter)

    code, out, err = digest("-C", letter, "backtest", *_LATER)

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "0 of 3 issues differ",
        "                         sent  picked",
        "issues                      3       3",
        "repeats                     0       0",
        "led by locks                2       2",
        "  longest wait, weeks       2       2",
        "led by tides                1       1",
    ]
    assert tree(letter) == before


def test_another_policy_is_told_issue_by_issue(digest: Digest, letter: Path) -> None:
    """Each issue that differs is told with what came and went, and -v says why it came."""
    file = _policy(letter, "[selection]\nmin_items = 3\nmax_items = 3\n")
    before = tree(letter)

    code, out, err = digest("-C", letter, "backtest", "--policy", file, *_LATER)

    assert (code, err) == (0, "")
    assert out.splitlines()[:3] == ["2026-w49  locks", "  + Locks 3", "2026-w50  tides"]
    assert "3 of 3 issues differ" in out
    assert "why:" not in out
    verbose = digest("-C", letter, "backtest", "-v", "--policy", file, *_LATER)[1]
    assert "  + Locks 3\n    why: locks by theme:locks; " in verbose
    assert tree(letter) == before


def test_json_holds_changes_and_balances(digest: Digest, letter: Path) -> None:
    """The answer names what came with its reason, what went, and the numbers of both sides."""
    file = _policy(letter, '[[theme]]\nid = "tides"\n\n[[theme]]\nid = "locks"\n')

    told = _answer(digest("-C", letter, "backtest", "--json", "--policy", file, *_LATER))

    first = told["issues"][0]
    assert (first["issue"], first["theme"], first["was"]) == ("2026-w49", "tides", "locks")
    assert [item["title"] for item in first["went"]] == ["Locks 2", "Locks 1"]
    assert [item["id"] for item in first["came"]] == ["tides-2", "tides-1"]
    assert all(item["reason"] for item in first["came"])
    assert (first["moved"], first["skipped"]) == (False, "")
    assert (told["changed"], told["compared"], told["gone"]) == (3, 3, [])
    assert told["balance"] == {
        "sent": {
            "issues": 3,
            "led": {"locks": 2, "tides": 1},
            "longest_wait": {"locks": 2},
            "repeats": 0,
            "nearest_repeat": None,
        },
        "picked": {
            "issues": 3,
            "led": {"tides": 2, "locks": 1},
            "longest_wait": {"tides": 2},
            "repeats": 0,
            "nearest_repeat": None,
        },
    }


def test_a_range_of_issues(digest: Digest, letter: Path) -> None:
    """Only the issues of the weeks asked for are compared; a wrong range is refused."""
    options = ("--from", "2026-w50", "--to", "2026-W50", *_LATER)

    told = _answer(digest("-C", letter, "backtest", "--json", *options))
    assert (told["compared"], told["changed"]) == (1, 0)

    code, out, err = digest("-C", letter, "backtest", "--from", "2027-w01", *_LATER)
    assert (code, out, err) == (0, "no issue of these weeks was sent\n", "")
    turned = digest("-C", letter, "backtest", "--from", "2026-w51", "--to", "2026-w50", *_LATER)
    assert turned[0] == 2
    assert "2026-w51 is after 2026-w50" in turned[2]
    for name in ("last", ""):
        wrong = digest("-C", letter, "backtest", "--to", name, *_LATER)
        assert wrong[0] == 2
        assert f"{name!r} names no issue" in wrong[2]


def test_skipped_and_gone_are_told(digest: Digest, letter: Path) -> None:
    """A policy that skips says why, and a summary without a file is marked."""
    (letter / "content" / "locks-1.md").unlink()
    file = _policy(letter, '[selection]\nmin_items = 4\nmax_items = 4\nwhen_thin = "skip"\n')

    code, out, err = digest("-C", letter, "backtest", "--policy", file, *_LATER)

    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("2026-w49  locks -> ")
    assert "  - Locks 1  (no file of it can be read)" in lines
    assert any(line.endswith(" -> no issue") for line in lines)
    assert any("thin issues are skipped" in line for line in lines)
    assert lines[-1] == "1 item sent has no file that can be read, and cannot be picked"
    told = _answer(digest("-C", letter, "backtest", "--json", "--policy", file, *_LATER))
    assert told["gone"] == [{"issue": "2026-w49", "id": "locks-1", "title": "Locks 1"}]
    assert any(issue["skipped"] for issue in told["issues"])


def test_another_order_and_mixed_issues_are_told(digest: Digest, letter: Path) -> None:
    """An issue of the same items in another order is said to be just that."""
    first = letter / "content" / "locks-1.md"
    first.write_text(first.read_text("utf-8").replace("theme:", "pin: true\ntheme:"), "utf-8")

    out = digest("-C", letter, "backtest", *_LATER)[1]
    assert out.startswith("2026-w49  locks\n  the same items in another order\n")
    assert "1 of 3 issues differs\n" in out
    file = _policy(letter, '[selection]\nmode = "mixed"\n')
    mixed = digest("-C", letter, "backtest", "--policy", file, *_LATER)[1]
    assert mixed.startswith("2026-w49  locks -> mixed\n")


def test_repeats_are_told_with_their_distance(digest: Digest, letter: Path) -> None:
    """Where a side repeats an item, the fewest weeks between are told for both."""
    file = letter / "content" / "issues" / "2026-w52.md"
    file.write_text("---\ntheme: locks\nitems:\n  - locks-1\n  - locks-2\n---\n", "utf-8")
    now = ("--now", "2026-12-21T08:00:00+01:00")
    for command in ("build", "publish"):
        words = (command, "--set", 'checks.ignore=["D123"]')
        assert digest("-C", letter, *words, *now)[0] == 0

    lines = digest("-C", letter, "backtest", *now)[1].splitlines()

    assert "repeats                     2       0" in lines
    assert "nearest repeat, weeks       3       -" in lines


def test_a_wrong_policy_and_unreadable_files_are_told(digest: Digest, letter: Path) -> None:
    """A policy file with a fault ends with exit 2; a summary that cannot be read with exit 1."""
    file = _policy(letter, "[selection]\nmin_items = 0\n")
    code, out, err = digest("-C", letter, "backtest", "--policy", file, *_LATER)
    assert (code, out) == (2, "")
    assert "min_items" in err
    assert digest("-C", letter, "backtest", "--policy", letter / "no.toml", *_LATER)[0] == 2

    (letter / "content" / "bad.md").write_text("---\ntitle: [\n---\n", "utf-8")
    code, out, err = digest("-C", letter, "backtest", *_LATER)
    assert code == 1
    assert "content/bad.md" in err
    assert "0 of 3 issues differ" in out


def test_a_terminal_shows_how_far_it_is(
    digest: Digest, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal a bar counts the issues on stderr; with -q, and in a pipe, there is none."""

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")

    assert digest("-C", letter, "backtest", "-q", *_LATER)[:2] == (0, "")
    assert terminal.getvalue() == ""
    assert digest("-C", letter, "backtest", *_LATER)[0] == 0
    assert "3/3" in terminal.getvalue()
