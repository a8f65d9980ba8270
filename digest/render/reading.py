"""How long an issue takes to read: what its letter counts, told without making the letter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from digest.model import Issue, Newsletter, Summary
from digest.render.lines import reading_minutes, reading_words
from digest.render.pictures import Pictures
from digest.render.prose import introduction_prose, item_prose
from digest.render.sections import TEXT_INDENT

__all__ = ["Reading", "count_reading"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How many words an issue has, and how many minutes a reader needs for them."""

    words: int
    minutes: int


def count_reading(
    issue: Issue, *, summaries: Mapping[str, Summary], newsletter: Newsletter
) -> Reading:
    """Count words and minutes of introduction and items, from the same texts as the letter."""
    placing = Pictures(newsletter=newsletter, files={}, word="")
    picked = (summaries[pick.id] for pick in issue.items)
    texts = [
        introduction_prose(issue, placing=placing).plain(),
        *(item_prose(summary, placing=placing).plain(indent=TEXT_INDENT) for summary in picked),
    ]
    return Reading(words=reading_words(texts), minutes=reading_minutes(texts))
