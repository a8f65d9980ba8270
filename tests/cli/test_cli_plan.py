"""`digest plan`, and that no command which only looks leaves a trace."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import tree

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2026-11-30T10:00:00+01:00")
_BEFORE = ("--now", "2026-11-24T10:00:00+01:00")
_SETTINGS = """
[selection]
min_items = 2
max_items = 2

[[theme]]
id = "locks"

[[theme]]
id = "tides"
"""


def _item(theme: str, number: int) -> str:
    # Texts differ from each other, or they would be held back as alike.
    words = (sha256(f"{theme} {number} {place}".encode()).hexdigest()[:6] for place in range(30))
    return (
        f"---\ntitle: {theme.title()} {number}\ndate: 2026-11-{number:02d}\ntheme: {theme}\n"
        f"url: https://a.example/{theme}/{number}\n---\n\n{' '.join(words)}\n"
    )


def _git(root: Path, *words: str) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": "nowhere", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(  # noqa: S603 - words of these tests
        ["git", "-c", "user.name=Ana", "-c", "user.email=ana@sea.example", *words],  # noqa: S607 - the git of whoever runs the tests
        cwd=root,
        env=environ,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def letter(digest: Digest, newsletter: Make) -> Path:
    """Give a newsletter with a reader, one issue out and one drafted, committed to git."""
    files = {
        f"content/{theme}-{number}.md": _item(theme, number)
        for theme in ("locks", "tides")
        for number in range(1, 5)
    }
    root = newsletter(files, settings=_SETTINGS)
    for words in (
        ("build", *_BEFORE),
        ("publish", *_BEFORE),
        ("readers", "add", "ann@reader.example", "--consent", "asked", *_NOW),
        ("build", *_NOW),
    ):
        code, _, err = digest("-C", root, *words)
        assert code == 0, err
    (root / "content/issues/2026-w50.md").write_text("---\ntheme: tides\n---\n\nHello.\n", "utf-8")
    _git(root, "init", "-q", "-b", "main")
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "All")
    return root


_LOOKS = (
    "plan",
    "plan --weeks 12 -v",
    "plan --json",
    "plan --html",
    "plan --against HEAD",
    "plan --against HEAD --json",
    "why locks-1",
    "why locks-3 --issue 2026-w50 --json",
    "why tides",
    "themes",
    "themes locks --json",
    "backtest",
    "backtest --json",
    "status",
    "status --json",
    "build --dry-run",
    "build 2026-w50 --dry-run --json",
    "build 2026-w51 --theme locks --dry-run",
    "build --refill --dry-run",
    "drop tides-1 --dry-run",
    "skip --dry-run",
    "skip 2026-w51 --dry-run --json",
    "withdraw 2026-w48 --dry-run",
    "publish --dry-run",
    "publish 2026-w48 --dry-run",
    "send --dry-run",
    "tick --dry-run",
)


def test_who_only_looks_leaves_no_trace(digest: Digest, letter: Path) -> None:
    """Files, what git keeps and the database are byte for byte as they were, after each of them."""
    shown = letter / "content/tides-4.md"
    shown.write_text(shown.read_text("utf-8").replace("Tides 4", "Tides four"), "utf-8")
    folders = sorted(path for path in letter.rglob("*") if path.is_dir())
    before = tree(letter)
    assert {"private/digest.db", ".git/HEAD", "outbox/site/index.html"} <= set(before)

    for words in _LOOKS:
        code, out, err = digest("-C", letter, *words.split(), *_NOW)

        assert (code, err) == (0, ""), words
        assert out, words
        assert tree(letter) == before, words
        assert sorted(path for path in letter.rglob("*") if path.is_dir()) == folders, words


def _plan(digest: Digest, letter: Path, *words: str) -> dict[str, Any]:
    code, out, err = digest("-C", letter, "plan", "--json", *words, *_NOW)
    assert code == 0, err
    told: dict[str, Any] = json.loads(out)
    return told


def test_plan_tells_what_is_picked_what_is_begun_and_what_comes(
    digest: Digest, letter: Path
) -> None:
    """The draft as its file has it, the begun one with its theme, and those after it by rule."""
    told = _plan(digest, letter)["issues"]

    assert [(one["issue"], one["state"], one["theme"]) for one in told] == [
        ("2026-w49", "picked", "tides"),
        ("2026-w50", "planned", "tides"),
        ("2026-w51", "planned", "locks"),
        ("2026-w52", "planned", ""),
    ]
    assert [sorted(item["id"] for item in one["items"]) for one in told] == [
        ["tides-1", "tides-2"],
        ["tides-3", "tides-4"],
        ["locks-3", "locks-4"],
        [],
    ]
    assert told[1]["items"][0]["path"] == "tides-4.md"
    assert told[1]["slot"].startswith("2026-12-07T")
    assert "nothing to send" in told[3]["skipped"]


def test_skipped_week_is_told_in_words(digest: Digest, letter: Path) -> None:
    """The reason stands where the items would, and its items move on."""
    assert digest("-C", letter, "skip", "--reason", "a feast", *_NOW)[0] == 0
    out = digest("-C", letter, "plan", "--weeks", "2", *_NOW)[1]
    first, second = _plan(digest, letter, "--weeks", "2")["issues"]

    assert "no issue: skipped by hand: a feast" in out
    assert (first["state"], first["skipped"]) == ("skipped", "skipped by hand: a feast")
    assert [item["id"] for item in second["items"]] == ["tides-2", "tides-1"]


def test_health_is_told(digest: Digest, letter: Path) -> None:
    """In words what waits and what runs short, as JSON all of it."""
    out = digest("-C", letter, "plan", *_NOW)[1]
    health = _plan(digest, letter)["health"]

    assert "queue: 4 items wait, the oldest for " in out
    assert health["waiting"] == 4
    assert {one["theme"] for one in health["themes"]} >= {"locks", "tides"}
    for shortage in health["shortages"]:
        assert f"  {shortage}\n" in out


def test_nothing_is_told_of_a_queue_that_files_decide(digest: Digest, letter: Path) -> None:
    """Where the only week asked about is picked, no rule was asked."""
    out = digest("-C", letter, "plan", "--weeks", "1", *_NOW)[1]

    assert "queue:" not in out
    assert _plan(digest, letter, "--weeks", "1")["health"]["themes"] == []


def test_page_holds_the_plan_and_nothing_from_elsewhere(digest: Digest, letter: Path) -> None:
    """One document with the calendar, the items and the queue."""
    code, out, err = digest("-C", letter, "plan", "--html", *_NOW)

    assert (code, err) == (0, "")
    assert out.lower().startswith("<!doctype html>")
    assert "<svg" in out
    assert "Tides 3" in out
    assert "<script" not in out


@pytest.mark.parametrize("words", [("--json",), ("--against", "HEAD")])
def test_page_goes_with_no_other_form(digest: Digest, letter: Path, words: tuple[str, ...]) -> None:
    """Two forms at once are a wrong use."""
    code, _, err = digest("-C", letter, "plan", "--html", *words, *_NOW)

    assert code == 2
    assert "--html goes with neither --against nor --json" in err


def test_change_since_a_revision_is_told(digest: Digest, letter: Path) -> None:
    """What came and what went since the commit, as text and as JSON."""
    file = letter / "content/tides-4.md"
    file.write_text(file.read_text("utf-8").replace("---\n", "---\ndraft: yes\n", 1), "utf-8")

    out = digest("-C", letter, "plan", "--against", "HEAD", *_NOW)[1]
    told = json.loads(digest("-C", letter, "plan", "--against", "HEAD", "--json", *_NOW)[1])

    assert "- Tides 4  (" in out
    assert told["against"] == "HEAD"
    assert told["issues"][0]["issue"] == "2026-w50"
    assert [item["id"] for item in told["issues"][0]["out"]] == ["tides-4"]


def test_file_that_cannot_be_read_is_told_beside_the_plan(digest: Digest, letter: Path) -> None:
    """The others are planned all the same; exit 1, in each form."""
    (letter / "content/broken.md").write_text("---\ntitle: [\n---\n", "utf-8")

    for words in ((), ("--html",), ("--json",)):
        code, out, err = digest("-C", letter, "plan", *words, *_NOW)
        assert code == 1
        assert "Tides 3" in out
        assert "content/broken.md" in err
    assert "content/broken.md" in json.loads(out)["problems"][0]["where"]
