"""Under which theme a summary falls, and by which rule."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from digest.errors import UsageError
from digest.model import OTHER, Summary, Theme, ThemeId, theme_label

__all__ = [
    "Assignment",
    "Rule",
    "assign",
    "assign_by",
    "fitting",
    "fold",
    "read_rules",
    "themes_in_order",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """A folded text, and the first letters of its words, with which a rule is told at once."""

    text: str
    heads: frozenset[str]


_Evidence = Callable[[Summary], "frozenset[str] | _Text"]

_HEAD: Final = 4  # letters
_HEADS: Final = re.compile(rf"(?<!\w)\w{{{_HEAD}}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """The theme of a summary; `rule` is what decided, `tag:graphs`, empty where nothing did."""

    theme: ThemeId
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One `match` rule made ready: `needle` is folded, `word` finds it as whole words.

    `first` is the first of its words, `head` how that begins, empty where it begins too short to
    tell words apart.
    """

    theme: ThemeId
    text: str
    needle: str
    first: str
    head: str
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


def _words(summary: Summary) -> _Text:
    text = fold(f"{summary.title}\n{summary.summary}\n{summary.body}")
    return _Text(text=text, heads=frozenset(("", *_HEADS.findall(text))))


# Strongest kind first: what the author chose on purpose beats what a text happens to mention.
_EVIDENCE: Final[Mapping[str, _Evidence]] = {
    "tag": _tags,
    "folder": _folders,
    "source": _source,
    "word": _words,
}


def _read(theme: ThemeId, text: str) -> tuple[str, Rule]:
    """Make one rule ready, and tell its kind."""
    kind, _, rest = text.partition(":")
    needle = fold(rest).strip().strip("/")
    # A word rule that ends in this sign means all words that begin so.
    whole = kind != "word" or not needle.endswith("*")
    words = (needle if whole else needle[:-1]).split()
    if kind not in _EVIDENCE or not words:
        raise UsageError(
            f"theme {theme}: {text!r} is no match rule",
            fix=f"write {', '.join(f'{known}:…' for known in _EVIDENCE)}",
        )
    # Words may stand on two lines of the text; anything but a letter or digit ends one.
    spaced = r"\s+".join(re.escape(word) for word in words)
    end = r"(?!\w)" if whole else ""
    return kind, Rule(
        theme=theme,
        text=text,
        needle=needle,
        first=words[0],
        head=head[0] if (head := _HEADS.match(words[0])) else "",
        word=re.compile(rf"(?<!\w){spaced}{end}"),
    )


def read_rules(themes: Iterable[Theme]) -> dict[str, tuple[Rule, ...]]:
    """Make the `match` rules of themes ready, by kind, in the order of the themes.

    Raise UsageError for a rule whose kind is unknown or whose text is empty.
    """
    rules: dict[str, list[Rule]] = {kind: [] for kind in _EVIDENCE}
    for theme in themes:
        for text in theme.match:
            kind, rule = _read(theme.id, text)
            rules[kind].append(rule)
    return {kind: tuple(found) for kind, found in rules.items()}


def _holding(rules: Iterable[Rule], evidence: frozenset[str] | _Text) -> Iterator[Rule]:
    """Give the rules of one kind that hold, from what that kind looks at."""
    if isinstance(evidence, frozenset):
        return (rule for rule in rules if rule.needle in evidence)
    text, heads = evidence.text, evidence.heads
    # Nearly all rules are settled by their head, most others by a plain search.
    near = [rule for rule in rules if rule.head in heads]
    return (rule for rule in near if rule.first in text and rule.word.search(text) is not None)


def fitting(rules: Mapping[str, tuple[Rule, ...]], summary: Summary) -> Iterator[Rule]:
    """Give all rules that fit a summary, in the order in which they decide."""
    for kind, of_kind in rules.items():
        if of_kind:
            yield from _holding(of_kind, _EVIDENCE[kind](summary))


def assign_by(rules: Mapping[str, tuple[Rule, ...]], summary: Summary) -> Assignment:
    """Find the theme of a summary by rules made ready; see `assign`."""
    if summary.themes:
        named = ThemeId(summary.themes[0])
        return Assignment(theme=named, rule=f"theme:{named}")
    rule = next(fitting(rules, summary), None)
    if rule is None:
        return Assignment(theme=OTHER.id, rule="")
    return Assignment(theme=rule.theme, rule=rule.text)


def assign(summary: Summary, themes: tuple[Theme, ...]) -> Assignment:
    """Find the theme of a summary, and the rule that decided.

    The first theme that the file names wins; then a matching `tag:`, `folder:` (the folder or
    one below it), `source:` (the whole name) or `word:` (whole words of title, summary and body;
    `word:grow*` all that begin so) in this order of kinds, and within a kind in the order of the
    themes. What matches nothing belongs to `other`. Letter case and Unicode form do not count.
    Raise UsageError for a rule that cannot be read.
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
