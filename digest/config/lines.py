"""On which line of a TOML text each key stands."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

__all__ = ["KeyLines"]

_PART: Final = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_PATH: Final = rf"({_PART}(?:\s*\.\s*{_PART})*)"
_HEADER: Final = re.compile(rf"\s*(\[\[?)\s*{_PATH}\s*\]")
_KEY: Final = re.compile(rf"\s*{_PATH}\s*=")


class KeyLines:
    """The lines of the keys of a text that is valid TOML.

    Paths are dotted; the tables of an array count from 1, `theme[2].label`. A look through the
    text and no parse: tomllib keeps no places.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        counts: Counter[str] = Counter()
        table = quote = ""
        for number, line in enumerate(text.split("\n"), start=1):
            if not quote:
                if header := _HEADER.match(line):
                    table = _plain(header[2])
                    if header[1] == "[[":
                        self._note(table, number)
                        counts[table] += 1
                        table = f"{table}[{counts[table]}]"
                    self._note(table, number)
                elif key := _KEY.match(line):
                    path = _plain(key[1])
                    self._note(f"{table}.{path}" if table else path, number)
            quote = _open_quote(line, quote)

    def _note(self, path: str, number: int) -> None:
        while path and path not in self._lines:
            self._lines[path] = number
            path = path.rpartition(".")[0]

    def __getitem__(self, path: str) -> int:
        """Give the line of a key, or of the nearest table round it; 0 where none is found."""
        while path and path not in self._lines:
            path = path.rpartition(".")[0]
        return self._lines.get(path, 0)


def _plain(path: str) -> str:
    return ".".join(part.strip("\"' ") for part in path.split("."))


def _open_quote(line: str, quote: str) -> str:
    """Give the kind of multi-line text that is open after a line, if any."""
    for mark in ('"""', "'''"):
        if quote in {"", mark} and line.count(mark) % 2:
            return "" if quote else mark
    return quote
