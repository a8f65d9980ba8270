"""Under which theme a summary falls, and by which rule."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from digest.errors import UsageError
from digest.model import OTHER, Summary, Theme, ThemeId, theme_label

__all__ = ["Assignment", "Rule", "assign", "assign_by", "fold", "read_rules", "themes_in_order"]

_Evidence = Callable[[Summary], "frozenset[str] | str"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """The theme of a summary; `rule` is what decided, `tag:graphs`, empty where nothing did."""

    theme: ThemeId
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One `match` rule made ready: `needle` is folded, `word` finds it as whole words.

    `first` is the first of its words.
    """

    theme: ThemeId
    text: str
    needle: str
    first: str
    word: re.Pattern[str]


def fold(text: str) -> str:
    """Make texts comparable whatever their letter case and Unicode form (UAX #15, NFC)."""
    if text.isascii():
        return text.lower()  # the same, several times faster
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _tags(summary: Summary) -> frozenset[str]:
    return frozenset(fold(tag) for tag in summary.tags)


def _folders(summary: Summary) -> frozenset[str]:
    parts = fold(summary.path).split("/")[:-1]
    return frozenset("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))


def _source(summary: Summary) -> frozenset[str]:
    return frozenset({fold(summary.source)})


def _words(summary: Summary) -> str:
    return fold(f"{summary.title}\n{summary.summary}\n{summary.body}")


# Strongest kind first: what the author chose on purpose beats what a text happens to mention.
_EVIDENCE: Final[Mapping[str, _Evidence]] = {
    "tag": _tags,
    "folder": _folders,
    "source": _source,
    "word": _words,
}


def _ready(theme: ThemeId, text: str, needle: str) -> Rule:
    words = needle.split()
    # Words may stand on two lines of the text; anything but a letter or digit ends one.
    spaced = r"\s+".join(re.escape(word) for word in words)
    return Rule(
        theme=theme,
        text=text,
        needle=needle,
        first=words[0],
        word=re.compile(rf"(?<!\w){spaced}(?!\w)"),
    )


def read_rules(themes: Iterable[Theme]) -> dict[str, tuple[Rule, ...]]:
    """Make the `match` rules of themes ready, by kind, in the order of the themes.

    Raise UsageError for a rule whose kind is unknown or whose text is empty.
    """
    rules: dict[str, list[Rule]] = {kind: [] for kind in _EVIDENCE}
    for theme in themes:
        for text in theme.match:
            kind, _, rest = text.partition(":")
            needle = fold(rest).strip().strip("/")
            if kind not in rules or not needle:
                raise UsageError(
                    f"theme {theme.id}: {text!r} is no match rule",
                    fix=f"write {', '.join(f'{known}:…' for known in rules)}",
                )
            rules[kind].append(_ready(theme.id, text, needle))
    return {kind: tuple(found) for kind, found in rules.items()}


def _holds(rule: Rule, evidence: frozenset[str] | str) -> bool:
    if isinstance(evidence, frozenset):
        return rule.needle in evidence
    # A plain search is many times faster than the pattern and settles nearly all texts.
    return rule.first in evidence and rule.word.search(evidence) is not None


def assign_by(rules: Mapping[str, tuple[Rule, ...]], summary: Summary) -> Assignment:
    """Find the theme of a summary by rules made ready; see `assign`."""
    if summary.themes:
        named = ThemeId(summary.themes[0])
        return Assignment(theme=named, rule=f"theme:{named}")
    for kind, of_kind in rules.items():
        if not of_kind:
            continue
        evidence = _EVIDENCE[kind](summary)
        for rule in of_kind:
            if _holds(rule, evidence):
                return Assignment(theme=rule.theme, rule=rule.text)
    return Assignment(theme=OTHER.id, rule="")


def assign(summary: Summary, themes: tuple[Theme, ...]) -> Assignment:
    """Find the theme of a summary, and the rule that decided.

    The first theme that the file names wins; then a matching `tag:`, `folder:` (the folder or
    one below it), `source:` (the whole name) or `word:` (whole words of title, summary and body)
    in this order of kinds, and within a kind in the order of the themes. What matches nothing
    belongs to `other`. Letter case and Unicode form do not count. Raise UsageError for a rule
    that cannot be read.
    """
    return assign_by(read_rules(themes), summary)


def themes_in_order(themes: tuple[Theme, ...], summaries: Iterable[Summary]) -> tuple[Theme, ...]:
    """Give the declared themes, then those that only files name, then `other`.

    A theme that nobody declared is labelled after its id, `long-context` as `Long context`, and
    stands in the order of ids. A declared `other` keeps its label and colour. Giving the answer
    back in changes nothing.
    """
    declared = {theme.id: theme for theme in themes}
    last = declared.pop(OTHER.id, OTHER)
    named = {ThemeId(name) for summary in summaries for name in summary.themes}
    undeclared = sorted(named - declared.keys() - {OTHER.id})
    made = (Theme(id=name, label=theme_label(name)) for name in undeclared)
    return (*declared.values(), *made, last)
