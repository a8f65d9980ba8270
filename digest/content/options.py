"""How a content folder is read: which files, and which names other tools give the keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from digest.errors import ConfigError, Problem

__all__ = ["SUMMARY_KEYS", "ContentOptions", "key_name", "nearest"]

SUMMARY_KEYS: Final = frozenset(
    [
        "author",
        "authors",
        "categories",
        "cooldown",
        "date",
        "dir",
        "draft",
        "id",
        "image",
        "image_alt",
        "lang",
        "links",
        "not_after",
        "not_before",
        "pin",
        "published",
        "slug",
        "source",
        "status",
        "summary",
        "supersedes",
        "tags",
        "theme",
        "themes",
        "title",
        "title_derived",
        "updated",
        "url",
        "weight",
        "withdrawn",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentOptions:
    """Say what is read.

    `issues` is the sub-folder that is left out, relative to the content folder. `include` and
    `exclude` are patterns of paths relative to it: `*` and `?` stay within one name, `**/` stands
    for any folders or none. `aliases` gives other tools' keys and what they are here, `{"link":
    "url"}`; raises ConfigError for one that leads to no key.
    """

    issues: str = "issues"
    include: tuple[str, ...] = ("**/*.md",)
    exclude: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problems = tuple(
            Problem(
                what=f"`{alias}` stands for `{target}`, which is no key of a summary",
                where="content.aliases",
                fix=nearest(target, SUMMARY_KEYS),
            )
            for alias, target in sorted(self.aliases.items())
            if target not in SUMMARY_KEYS
        )
        if problems:
            raise ConfigError.of(problems)


def key_name(typed: str) -> str:
    """Reduce a key to the form that is looked up: `Not-Before` means `not_before`."""
    return typed.strip().lower().replace("-", "_")


@lru_cache(maxsize=256)
def nearest(word: str, known: frozenset[str]) -> str:
    """Ask whether the nearest known word was meant, or list all that are known."""
    close = get_close_matches(word, sorted(known), n=1)
    return f"did you mean `{close[0]}`?" if close else f"known are: {', '.join(sorted(known))}"
