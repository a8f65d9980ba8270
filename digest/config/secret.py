"""Secrets: a value that prints as `***`, and the names that a secret in plain text goes by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["Secret", "plain_secrets"]

_PLAIN: Final = re.compile(r"(.*[_-])?(password|secret|token)", re.IGNORECASE)


class Secret:
    """A text that shows itself nowhere: only `reveal` gives it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Give the text, for the one place that needs it."""
        return self._text

    def __repr__(self) -> str:
        return "***"


def plain_secrets(path: str, value: object) -> Iterator[str]:
    """Find the keys, at a path and below it, whose name says that their value is a secret."""
    name = path.rpartition(".")[2]
    if isinstance(value, dict):
        for key, below in value.items():
            yield from plain_secrets(f"{path}.{key}", below)
    elif isinstance(value, list):
        for place, below in enumerate(value, start=1):
            yield from plain_secrets(f"{path}[{place}]", below)
    if not isinstance(value, dict) and _PLAIN.fullmatch(name):
        yield path
