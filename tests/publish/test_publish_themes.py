"""Which summaries fall under which theme, by which rule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cases.forms import tree

from digest.config import load_settings
from digest.picking.hints import Hint
from digest.publish.project import Project
from digest.publish.themes import RuleUse, ThemesUsed, ThemeUse, themes_used

Make = Callable[..., Path]

_NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
_SETTINGS = """
[[theme]]
id = "tides"
match = ["tag:tides", "word:tid*", "word:ebb", "word:ebb"]

[[theme]]
id = "locks"
label = "Old locks"
match = ["folder:locks", "word:gate", "word:sluice"]
"""
_ISSUE = """\
---
issue: 2026-w50
theme: tides
items:
- {}
---
"""


def _item(header: str, text: str) -> str:
    return f"---\n{header}\n---\n\n{text}\n"


_FILES = {
    "content/b-tagged.md": _item("title: Spring\ntags: [tides]", "The ebb was late."),
    "content/a-worded.md": _item("title: Neap", "A tidal mill."),
    "content/locks/one.md": _item("title: One", "The tide stood at the gate."),
    "content/named.md": _item("title: Named\ntheme: locks", "Nothing of it."),
    "content/barge.md": _item("title: Barge\ntheme: barges", "Slow."),
    "content/draft.md": _item("title: Half\ntags: [tides]\ndraft: true", "Unready."),
    "content/x-odd.md": _item("title: Rope", "Hemp for the harbour."),
    "content/w-odd.md": _item("title: Sail", "Canvas and hemp."),
}


def _use(root: Path) -> ThemesUsed:
    project = Project(settings=load_settings(root, file=None, environ={}, overrides=()))
    return themes_used(project, now=_NOW)


def _titles(use: ThemeUse) -> list[str]:
    return [item.summary.title for item in use.items]


@pytest.fixture
def harbour(newsletter: Make) -> Path:
    """Give a newsletter of two declared themes, one that a file names, and two odd summaries."""
    return newsletter(dict(_FILES), settings=_SETTINGS)


def test_each_summary_is_under_one_theme_in_the_order_of_paths(harbour: Path) -> None:
    """Declared themes come first, then those that files name, then `other`."""
    tides, locks, barges, other = _use(harbour).themes

    assert _titles(tides) == ["Neap", "Spring", "Half"]
    assert _titles(locks) == ["One", "Named"]
    assert _titles(barges) == ["Barge"]
    assert _titles(other) == ["Sail", "Rope"]
    assert [use.theme.label for use in (tides, locks, barges, other)] == [
        "Tides",
        "Old locks",
        "Barges",
        "Other",
    ]
    assert [use.declared for use in (tides, locks, barges, other)] == [True, True, False, False]


def test_rules_are_counted_by_what_they_decide_and_what_they_fit(harbour: Path) -> None:
    """A rule written twice is one; what names a theme itself is told after the rules."""
    tides, locks, barges, other = _use(harbour).themes

    assert tides.rules == (
        RuleUse(rule="tag:tides", items=2, fits=2),
        RuleUse(rule="word:tid*", items=1, fits=2),
        RuleUse(rule="word:ebb", items=0, fits=1),
    )
    assert locks.rules == (
        RuleUse(rule="folder:locks", items=1, fits=1),
        RuleUse(rule="word:gate", items=0, fits=1),
        RuleUse(rule="word:sluice", items=0, fits=0),
        RuleUse(rule="theme:locks", items=1, fits=1),
    )
    assert barges.rules == (RuleUse(rule="theme:barges", items=1, fits=1),)
    assert other.rules == ()


def test_lives_are_counted(harbour: Path) -> None:
    """What an issue file holds is reserved; a draft neither waits nor was sent."""
    issues = harbour / "content" / "issues"
    issues.mkdir()
    (issues / "2026-w50.md").write_text(_ISSUE.format("a-worded"), "utf-8")
    tides = _use(harbour).themes[0]

    assert [item.life for item in tides.items] == ["reserved", "waiting", "draft"]
    assert (tides.count("waiting"), tides.count("sent")) == (1, 0)


def test_words_that_the_odd_ones_share_are_hints(harbour: Path) -> None:
    """Only summaries that no rule and no name put anywhere are asked."""
    assert _use(harbour).hints == (Hint(rule="word:hemp", items=2),)
    (harbour / "content" / "x-odd.md").write_text(
        _item("title: Rope\ntheme: other", "Hemp for the harbour."), "utf-8"
    )
    used = _use(harbour)

    assert used.hints == ()
    assert _titles(used.themes[-1]) == ["Sail", "Rope"]
    assert used.themes[-1].rules == (RuleUse(rule="theme:other", items=1, fits=1),)


def test_a_newsletter_without_themes_has_one(newsletter: Make) -> None:
    """All summaries are then in `other`, and what they share is told."""
    root = newsletter({path: _FILES[path] for path in ("content/x-odd.md", "content/w-odd.md")})
    used = _use(root)

    assert [(use.theme.id, len(use.items)) for use in used.themes] == [("other", 2)]
    assert used.hints == (Hint(rule="word:hemp", items=2),)


def test_looking_writes_nothing(harbour: Path) -> None:
    """Every file is afterwards as it was, and there is none more."""
    before = tree(harbour)
    _use(harbour)

    assert tree(harbour) == before
