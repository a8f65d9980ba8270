"""The words that the look itself says, all in one template, so that it can speak any language."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date
from typing import Final

from jinja2 import Environment

from digest.errors import Problem, TemplateError
from digest.model import clean_line
from digest.render.templates import render_template

__all__ = ["SELDOM", "WORDS", "Words", "read_words"]

WORDS: Final = "words.txt.j2"
# A look may do without these until an issue needs them.
SELDOM: Final = frozenset({"repeat", "rest", "source"})
_MONTHS: Final = 12
_TO: Final = "\N{EN DASH}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What `words.txt.j2` sets, one name a field, with places such as `{n}` in them.

    `repeat`, `rest` and `source` are empty in a look that has no word for them.
    """

    months: tuple[str, ...]
    issue: str
    one_summary: str
    summaries: str
    minutes: str
    and_others: str
    items: str
    picture: str
    links: str
    view: str
    all_issues: str
    follow: str
    skip: str
    why: str
    leave: str
    feed: str
    sender: str
    repeat: str = ""
    rest: str = ""
    source: str = ""

    def day(self, day: date) -> str:
        """Write a day: `3 Dec 2026`."""
        return f"{day.day} {self.months[day.month - 1]} {day.year}"

    def days(self, first: date, last: date) -> str:
        """Write a span of days with an en dash, naming month and year once where they are one."""
        if first.year != last.year:
            return f"{self.day(first)} {_TO} {self.day(last)}"
        if first.month != last.month:
            return f"{first.day} {self.months[first.month - 1]} {_TO} {self.day(last)}"
        return f"{first.day}{_TO}{self.day(last)}"

    def count(self, number: int) -> str:
        """Say how many summaries there are."""
        return self.one_summary if number == 1 else self.summaries.replace("{n}", str(number))

    def sent_before(self, key: str) -> str:
        """Say that an item was sent before, by the week of the issue with that key."""
        week = str(int(key[6:8]))
        return self.repeat.replace("{week}", week).replace("{year}", key[:4])


def read_words(engine: Environment, *, place: str, needed: frozenset[str] = SELDOM) -> Words:
    """Read the words of a look; raise TemplateError naming each one that is missing.

    Of the words that an issue seldom needs, those `needed` must be there.
    """
    render_template(engine, WORDS, {})  # for its errors, which name file and line
    module = engine.get_template(WORDS).module
    found = {field.name: getattr(module, field.name, None) for field in fields(Words)}
    for name in SELDOM - needed:
        if found[name] is None:
            del found[name]
    months = found.pop("months")
    wrong = [name for name, word in found.items() if not isinstance(word, str) or not word.strip()]
    if isinstance(months, list) and len(months) == _MONTHS and not wrong:
        said = {name: clean_line(str(word)) for name, word in found.items()}
        return Words(months=tuple(clean_line(str(month)) for month in months), **said)
    raise TemplateError.of(
        tuple(
            Problem(what=f"sets no {name}", where=place, fix="set it as the shipped file does")
            for name in wrong or ["months"]
        )
    )
