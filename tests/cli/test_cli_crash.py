"""A process killed at any change of the disk: the same command brings it to the same end."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_STEPS = Path(__file__).with_name("crash_steps.py")


def _killed(root: Path, *command: str) -> dict[str, Any]:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, str(_STEPS), str(root), *command, *_NOW],
        env={**os.environ, "PYTHONPATH": str(_STEPS.parent.parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.fixture
def letter(digest: Digest, newsletter: Make) -> Path:
    """Give a newsletter with two drafts that were both built as number 1."""
    items = {
        f"content/i{n}.md": f"---\ntitle: Item {n}\ndate: 2026-11-20\n---\n\nSome words.\n"
        for n in range(4)
    }
    root = newsletter(items, settings="[selection]\nmax_items = 2\nmin_items = 1\n")
    for week in ("2026-w49", "2026-w50"):
        assert digest("-C", root, "build", week, *_NOW)[0] == 0
    return root


def test_killed_build(letter: Path) -> None:
    """A rebuild with another look leaves the old edition or the new one, and ends as the new."""
    (letter / "templates").mkdir()
    (letter / "templates/entry.html.j2").write_text(
        "{% for item in letter['items'] %}<h3><a href='{{ item.url }}'>{{ item.title }}</a></h3>"
        "{{ item.entry_html }}{% endfor %}\n"
    )
    told = _killed(letter, "build", "2026-w49")

    assert told["code"] == 0
    assert told["steps"] > 10
    assert told["wrong"] == []


def test_killed_publish_with_a_new_number(digest: Digest, letter: Path) -> None:
    """A draft that gets another number on the way out ends published, whenever it was killed."""
    digest("-C", letter, "publish", "2026-w49", *_NOW)
    told = _killed(letter, "publish", "2026-w50")

    assert told["code"] == 0
    assert told["steps"] > 20
    assert told["wrong"] == []


def test_killed_publish_that_makes_a_lost_edition_again(digest: Digest, letter: Path) -> None:
    """The edition of an issue that is out comes back, whenever its making was cut off."""
    digest("-C", letter, "publish", "2026-w49", *_NOW)
    shutil.rmtree(letter / "outbox/2026-w49")
    told = _killed(letter, "publish", "2026-w49")

    assert told["code"] == 0
    assert told["steps"] > 10
    assert told["wrong"] == []
