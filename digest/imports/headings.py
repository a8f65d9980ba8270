"""Headings that run into the text: where they end, found by rule.

A heading is told from the sentence after it by a section's name (`Introduction`), by a mark
(`#`, `**`), by a line of its own, or by its capitals: a run of words written as in a title, then
a word that begins a sentence and goes on in small letters. What the run lacks in signs of a heading
(`strength`) the sentence must bring (`restart`, `subject`). Where that is in doubt the text stays
whole: a long title is better than a name torn in two. A heading that says nothing of its text, as
`The Problem`, is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from digest.imports.paragraphs import count_words, has_end
from digest.imports.restart import begins_sentence, find_restart, is_opener
from digest.imports.strength import is_stock
from digest.imports.subject import opens_with_modifier
from digest.imports.words import UNFINISHED, read_words

__all__ = ["HEADING_LENGTH", "Split", "heading_of", "is_title", "split_heading"]

HEADING_LENGTH = 120
_SHORTEST_TEXT = 5  # words; with fewer left, the rest was no text of its own
_MOST_HEADINGS = 3  # one below the other, before the text
_MOST_NAMES = 20  # of sections, one after the other
_STRONG = (
    r"introduction|preface|prologue|foreword|preamble|overview|motivation|executive summary"
    r"|conclusions?|epilogue|tl;dr"
)
# These also begin names: abstract algebra, background radiation, summary judgment.
_WEAK = r"abstract|background|summary"
_NAME = rf"(?:{_STRONG}|{_WEAK})"
_SECTION = re.compile(
    r"(?:(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4})[.)]?[ ])?"
    rf"(?P<name>{_NAME}(?:[ ](?:and|&)[ ]{_NAME})?)"
    r"(?P<mark>[ ]?[:.|\u2013\u2014]|[ ]-(?=[ ]))?(?:[ ]|(?<=[\u2013\u2014])|\Z)",
    re.IGNORECASE,
)
# Of these only the bare name is dropped, before a sentence that begins for certain.
_WEAKEST = re.compile(
    r"(?:discussion|experiments|findings|highlights|methods|problem|results|takeaways) ",
    re.IGNORECASE,
)
_IS_WEAK = re.compile(_WEAK, re.IGNORECASE)
_MARKED = re.compile(r"#{1,6}[ ]+(?P<text>.+?)(?:[ ]+#+)?\Z")
_BOLD = re.compile(r"(?P<sign>\*\*|__)(?P<text>(?!\s)[^*_]{1,120}?)(?P=sign)[ ]*(?P<rest>.*)\Z")
_SIGNS_AT_END = re.compile(r"(?:[ ](?:(?![^\W_])\S)+)+\Z")
_SHORT_NAME = re.compile(r"\((?P<letters>[A-Z][A-Za-z]*?)s?\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A heading, empty where there is none worth keeping, and the text that follows it."""

    title: str
    text: str


def split_heading(lines: Sequence[str]) -> Split:
    """Part a paragraph from the heading it begins with; a section's bare name is dropped."""
    titles: list[str] = []
    while len(titles) < _MOST_HEADINGS and len(lines) > 1 and _is_heading_line(lines):
        titles.append(heading_of(lines[0]))
        lines = lines[1:]
    title, text = ("", " ".join(lines)) if titles else _marked_heading(" ".join(lines))
    text = _without_section(text)
    if not title and not any(titles):
        title, text = _glued_heading(text)
    return Split(title=": ".join(filter(None, [*titles, title])), text=text)


def heading_of(line: str) -> str:
    """Give the words of a heading line: no mark, no section's name, no colon at the end."""
    marked = _MARKED.match(line)
    line = marked["text"] if marked else line
    bold = _BOLD.match(line)
    line = bold["text"] if bold and not bold["rest"].strip(":. ") else line
    section = _SECTION.match(line)
    if section and (section["mark"] or section.end() == len(line)):
        line = line[section.end() :]
    return line.strip().rstrip(":").rstrip()


def is_title(line: str) -> bool:
    """Tell whether a line is written as a title: short, marked or in capitals, without an end."""
    if len(line) > HEADING_LENGTH:
        return False
    if _is_marked(line) or _is_section(line):
        return True
    words = read_words(line, HEADING_LENGTH)
    return (
        not has_end(line)
        and words[0].kind in {"title", "number"}
        and any(word.kind == "title" for word in words)
        and all(word.kind != "lower" for word in words)
    )


def _is_marked(line: str) -> bool:
    bold = _BOLD.match(line)
    if bold and not bold["rest"].strip(":. "):
        return True
    return _MARKED.match(line) is not None and not line.endswith((".", "!", ",", ";", "\u2026"))


def _is_section(line: str) -> bool:
    section = _SECTION.match(line)
    return bool(section and section.end() == len(line))


def _is_heading_line(lines: Sequence[str]) -> bool:
    """Tell whether the first of several lines is a heading of the others."""
    first, second = lines[0], lines[1]
    if len(first) > HEADING_LENGTH:
        return False
    if _is_marked(first) or _is_section(first):
        return True
    if has_end(first) or first.endswith((",", ";", "-", "\u2013", "\u2014")):
        return False
    if not _starts_sentence(second):
        return False
    # The next line's first word would have fitted: the break was made on purpose.
    width = max(len(line) for line in lines[1:])
    fits = len(first) + 1 + len(second.split(" ", 1)[0]) <= width
    last = read_words(first.rpartition(" ")[2], 1)[0]
    return is_title(first) or (fits and last.key not in UNFINISHED)


def _starts_sentence(text: str) -> bool:
    words = read_words(text, 1)
    return bool(words and words[0].bare) and (
        words[0].kind == "title" or not words[0].bare[0].islower()
    )


def _marked_heading(text: str) -> tuple[str, str]:
    """Part a heading in bold, or with `#` before it, from the text on the same line."""
    bold = _BOLD.match(text)
    if bold and not bold["text"].endswith((",", ";")) and _starts_sentence(bold["rest"]):
        return heading_of(bold["text"].rstrip(".")), bold["rest"]
    marked = _MARKED.match(text)
    if marked:
        inner = _without_section(marked["text"])
        title, rest = _glued_heading(inner)
        if title or inner != marked["text"]:
            return title, rest
    return "", text


def _without_section(text: str) -> str:
    """Drop the names of sections that a text begins with."""
    for _ in range(_MOST_NAMES):
        section = _glued_section(text) or _weakest_section(text)
        text = text[section.end() :] if section else text
    return text


def _glued_section(text: str) -> re.Match[str] | None:
    """Match a section's name that is no part of the sentence after it."""
    section = _SECTION.match(text)
    rest = text[section.end() :] if section else ""
    if section is None or not rest:
        return None
    mark = (section["mark"] or "").strip()
    if mark == ":":
        return section
    if section["name"][0].islower() or not _starts_sentence(rest):
        return None
    if mark or not _IS_WEAK.fullmatch(section["name"]):
        return section
    return section if _stands_apart(section["name"], rest) else None


def _weakest_section(text: str) -> re.Match[str] | None:
    """Match a name that may also begin a sentence: `Results The oven bakes`."""
    name, words = _WEAKEST.match(text), read_words(text, 12)
    if name is None or text[0].islower() or len(words) <= _SHORTEST_TEXT:
        return None
    return name if begins_sentence(words, 1) else None


def _stands_apart(name: str, rest: str) -> bool:
    """Tell whether a sentence begins after a section's name that may also begin a name."""
    words = read_words(rest, 12)
    if (
        _SECTION.match(rest)
        or (words[0].key != "data" and opens_with_modifier(words, 0))  # `Abstract Data types`
        or is_opener(words[0])
        or (name.isupper() and not words[0].bare.isupper())
    ):
        return True
    for place, word in enumerate(words):
        short = _SHORT_NAME.match(word.text)
        if short:
            # `Abstract Syntax Trees (ASTs)` keeps its first word, `Abstract Markov Chains (MCs)`
            # does not: the letters begin after it.
            initials = "".join(one.bare[0] for one in words[:place] if one.kind == "title")
            return initials.upper() == short["letters"].upper()
    return False


def _glued_heading(text: str) -> tuple[str, str]:
    """Part a heading written in capitals from the sentence after it."""
    words = read_words(text, 40)
    place = find_restart(words)
    heading = " ".join(word.text for word in words[:place])
    rest = text[len(heading) :].lstrip()
    if not place or len(heading) > HEADING_LENGTH or count_words(rest) < _SHORTEST_TEXT:
        return "", text
    title = "" if is_stock(words[:place]) else _SIGNS_AT_END.sub("", heading)
    return title.rstrip(":").rstrip(), rest
