"""A plan of 52 weeks over a large library: ten themes, a tenth of the summaries sent before.

`plan_jobs` gives what `run.py` measures. As a program of its own, with a folder, it times the plan
alone; with a count behind it, it makes the newsletter instead, and with the word `footer` behind
that one whose texts all end in the same words.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from measuring import Measured, measured

from digest.config import load_settings
from digest.model import PastIssue, PastItem, canonical_url, sketch
from digest.picking import plan
from digest.publish.project import Project

__all__ = ["plan_jobs"]

_NOW: Final = "2026-12-01T12:00:00+01:00"
_WEEKS: Final = 52
_AN_ISSUE: Final = 6
_SETTINGS: Final = """\
[newsletter]
name = "Survey"
slug = "survey"
timezone = "Europe/Berlin"
tag = "survey.example,2010-01-01"
postal_address = false

[site]
url = "https://survey.example/"

[mail]
from = "Survey <letter@survey.example>"
"""
_SYLLABLES: Final = ("ka", "lo", "mi", "nu", "pe", "ra", "si", "to", "vu", "we", "xa", "yo", "zi")
_WORDS: Final = [a + b + c for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]
_THEMES: Final = _WORDS[:: len(_WORDS) // 10][:10]
_FOOTER: Final = " ".join(_WORDS[7::70][:30])


def plan_jobs(
    root: Path, count: int, peaks: dict[str, list[int]], *, footer: bool = False
) -> dict[str, Callable[[], float]]:
    """Make a newsletter of so many summaries and name the jobs that plan it.

    With `footer` their texts all end in the same 30 words. The whole command reads a library that
    was read before; what each process had of memory at its peak, in octets, comes into `peaks`.
    """
    own = [sys.executable, __file__, str(root)]
    measured([*own, str(count), *(["footer"] if footer else [])])
    what = f"{count} with a footer" if footer else f"{count}"
    whole, alone = f"digest plan {what}, {_WEEKS} weeks", f"plan alone {what}, {_WEEKS} weeks"
    words = ("-C", str(root), "plan", "--weeks", str(_WEEKS), "--now", _NOW)
    command = [sys.executable, "-m", "digest", *words]

    def noted(name: str, done: Measured) -> Measured:
        peaks.setdefault(name, []).append(done.peak)
        return done

    return {
        whole: lambda: noted(whole, measured(command)).seconds,
        alone: lambda: float(noted(alone, measured(own)).told),
    }


def _write_newsletter(root: Path, count: int, *, footer: bool) -> None:
    """Write summaries of about 60 words, dated over ten years, a tenth sent; the same each time."""
    end = f"\n\n{_FOOTER}.\n" if footer else "\n"
    dice = random.Random(count)  # noqa: S311 - sample text, always the same
    themes = "".join(
        f'\n[[theme]]\nid = "{word}"\nmatch = ["tag:{word}", "word:{word}"]\n' for word in _THEMES
    )
    (root / "content").mkdir(parents=True)
    (root / "digest.toml").write_text(_SETTINGS + themes, "utf-8")
    now = datetime.fromisoformat(_NOW)
    for number in range(count):
        day = now - timedelta(days=1 + dice.randrange(3650))
        tags = ", ".join(dice.sample(_WORDS[:200], 3))
        (root / f"content/item-{number:05d}.md").write_text(
            f"---\ntitle: {' '.join(dice.choices(_WORDS, k=6))}\ndate: {day:%Y-%m-%d}\n"
            f"url: https://a.example/{number}\nsource: {dice.choice(_WORDS[:40])}\ntags: {tags}\n"
            f"authors: {dice.choice(_WORDS)}\n---\n\n{' '.join(dice.choices(_WORDS, k=60))}.{end}",
            "utf-8",
        )
    _publish_some(_project(root), count // 10)


def _publish_some(project: Project, count: int) -> None:
    """Write a history of weekly issues up to the present week into the database, and the cache."""
    sent = project.library(write_cache=True).summaries[::10][:count]
    starts = range(0, len(sent), _AN_ISSUE)
    with project.opened() as store:
        for number, start in enumerate(starts, start=1):
            ago = timedelta(weeks=len(starts) - number + 1)
            slot = project.slot(project.key(None, now=datetime.fromisoformat(_NOW) - ago))
            items = tuple(
                PastItem(id=one.id, url=canonical_url(one.url), sketch=sketch(one))
                for one in sent[start : start + _AN_ISSUE]
            )
            store.record(
                PastIssue(
                    key=slot.issue,
                    at=slot.at,
                    theme=project.settings.themes[number % 10].id,
                    items=items,
                    published=True,
                    number=number,
                    edition=f"{number:064x}",
                ),
                slot=slot.at,
            )


def _project(root: Path) -> Project:
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


def _seconds(root: Path) -> float:
    """Give the processor's time for the plan alone: no reading of files, no printing."""
    project, now = _project(root), datetime.fromisoformat(_NOW)
    known = project.known()
    weeks = (now + timedelta(weeks=week) for week in range(_WEEKS))
    slots = [project.due(project.key(None, now=week), now) for week in weeks]
    start = time.process_time()
    found = plan(
        slots,
        known.library.summaries,
        themes=project.settings.themes,
        history=known.history,
        policy=project.settings.policy,
    )
    seconds = time.process_time() - start
    if not all(selection.issue for selection in found):
        sys.exit("a week has no issue")
    return seconds


if __name__ == "__main__":
    if len(sys.argv) > 2:
        _write_newsletter(Path(sys.argv[1]), int(sys.argv[2]), footer="footer" in sys.argv[3:])
    else:
        print(_seconds(Path(sys.argv[1])))
