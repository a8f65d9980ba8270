"""The keys of one header, asked for by name; what is wrong with them is gathered."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from digest.content.header import Parts
from digest.content.moments import FORMS, read_moment
from digest.content.nodes import NODES, Listing, Node, Scalar, Table, read_yaml
from digest.content.options import key_name
from digest.content.typed import take_as_typed
from digest.errors import ContentError, Problem
from digest.model import Note, clean_line, clean_text, slugify

__all__ = ["FALSE", "TRUE", "Fields", "node_text", "read_fields", "theme_id"]

TRUE: Final = frozenset({"true", "yes", "on", "y"})
FALSE: Final = frozenset({"false", "no", "off", "n"})
_NUMBER = re.compile(
    r"[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?\Z", re.ASCII
)
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_WEEKS = re.compile(r"(\d{1,5})(?:[ \t]*(?:w|weeks?))?\Z", re.ASCII | re.IGNORECASE)
_MOST_WEEKS: Final = 10_000  # as in the settings
_NO_ALIASES: Final[Mapping[str, str]] = {}
_SHOWN = 60  # characters of a wrong value that a complaint shows


class Fields:
    """The keys of a header.

    A key that is asked for gives its value, or nothing and a problem where it has another shape;
    `rest` gives the keys that nobody asked for. `aliases` leads other names to ours.
    """

    def __init__(
        self, table: Table, *, where: str, aliases: Mapping[str, str] = _NO_ALIASES
    ) -> None:
        self.problems: list[Problem] = []
        self.notes: list[Note] = []
        self._where = where
        self._line = table.line
        self._found: dict[str, tuple[Node, int]] = {}
        self._typed: dict[str, str] = {}
        others = []
        for typed, node in table.values.items():
            name = key_name(typed)
            if name in aliases:
                others.append((aliases[name], typed, node))
            else:
                self._add(name, typed, (node, table.lines[typed]))
        for name, typed, node in others:
            # Where a file has both its own key and another tool's, its own counts.
            free = name not in self._found
            self._add(name if free else key_name(typed), typed, (node, table.lines[typed]))

    def refuse(self) -> None:
        """Raise ContentError if there is a problem: all of them, in the order of their lines."""
        if self.problems:
            ordered = sorted(self.problems, key=lambda one: int(one.where.rpartition(":")[2]))
            raise ContentError.of(tuple(ordered))

    def _add(self, name: str, typed: str, found: tuple[Node, int]) -> None:
        """Keep one key; `Title` beside `title` is one too many."""
        if name in self._found:
            lines = f"{self._found[name][1]} and {found[1]}"
            self.problem(
                f"`{clean_line(typed)}` is on the lines {lines}", line=found[1], fix="keep one"
            )
            return
        self._found[name] = found
        self._typed[name] = clean_line(typed)

    def inner(self, table: Table) -> Fields:
        """Give the keys of a mapping inside this header; they gather into the same problems."""
        inner = Fields(table, where=self._where)
        self.problems += inner.problems
        inner.problems, inner.notes = self.problems, self.notes
        return inner

    def problem(self, what: str, *, line: int = 0, fix: str = "") -> None:
        """Gather a problem; without a line it is one of the whole header."""
        where = f"{self._where}:{line or self._line}"
        problem = Problem(what=what, where=where, fix=fix)
        if problem not in self.problems:  # a key may be asked for twice
            self.problems.append(problem)

    def note(self, text: str, *, line: int = 0) -> None:
        """Gather a note."""
        self.notes.append(Note(place=f"{self._where}:{line or self._line}", text=text))

    def line(self, name: str) -> int:
        """Give the line of a key, 0 where it is missing."""
        return self._found[name][1] if name in self._found else 0

    def node(self, name: str) -> Node | None:
        """Give the value of a key as it is; None where it is missing, empty, `null` or `~`."""
        found = self._found.get(name)
        if found is None:
            return None
        node = found[0]
        if isinstance(node, Scalar) and node.bare and node.text in {"", "null", "~"}:
            return None
        return node

    def text(self, name: str) -> str:
        """Give a text as typed; empty where it is missing."""
        node = self.node(name)
        if node is None:
            return ""
        if isinstance(node, Scalar):
            return node.text
        self.problem(
            f"`{name}` must be one text, not {_kind(node)}",
            line=self.line(name),
            fix="put the value in quotes",
        )
        return ""

    def line_text(self, name: str) -> str:
        """Give a text made one line; a break in it is noted."""
        text = self.text(name).strip()
        if "\n" in text or "\r" in text:
            self.note(f"`{name}` held a line break; it became a space", line=self.line(name))
        return clean_line(text)

    def texts(self, name: str) -> tuple[str, ...]:
        """Give a text or a list of texts, each made one line, without empty ones and doubles."""
        node = self.node(name)
        if node is None:
            return ()
        values = node.values if isinstance(node, Listing) else (node,)
        texts: dict[str, None] = {}
        for value in values:
            named = value.values.get("name") if isinstance(value, Table) else value
            if isinstance(named, Scalar):
                texts[clean_line(named.text)] = None
            else:
                self.problem(
                    f"`{name}` must be a text or a list of texts, not {_kind(value)}",
                    line=value.line,
                    fix="write `- one`, `- two` under the key",
                )
        texts.pop("", None)
        return tuple(texts)

    def boolean(self, name: str) -> bool:
        """Give yes or no; no where it is missing."""
        text = self.text(name).strip().lower()
        if text and text not in TRUE | FALSE:
            self.problem(
                f"`{name}` must be true or false, not {_shown(text)}", line=self.line(name)
            )
        return text in TRUE

    def number(self, name: str) -> float:
        """Give a finite number; 0 where it is missing."""
        text = self.text(name).strip()
        number = float(text) if _NUMBER.match(text) else math.inf
        if text and not math.isfinite(number):
            self.problem(f"`{name}` must be a number, not {_shown(text)}", line=self.line(name))
        return number if math.isfinite(number) else 0.0

    def weeks(self, name: str) -> int | None:
        """Give a whole number of weeks, `4`, `4w` or `4 weeks`; None where it is missing."""
        text = self.text(name).strip()
        match = _WEEKS.match(text)
        weeks = int(match[1]) if match else _MOST_WEEKS + 1
        if text and weeks > _MOST_WEEKS:
            self.problem(
                f"`{name}` must be a whole number of weeks from 0 to {_MOST_WEEKS},"
                f" not {_shown(text)}",
                line=self.line(name),
                fix="write it as 4 or `4 weeks`",
            )
        return weeks if weeks <= _MOST_WEEKS else None

    def moment(self, name: str, zone: ZoneInfo) -> tuple[datetime | None, bool]:
        """Give a moment in the zone, and whether only a day was given."""
        text = self.text(name).strip()
        if not text:
            return None, False
        try:
            return read_moment(text, zone)
        except ValueError as reason:
            self.problem(f"`{name}`: {_shown(text)} {reason}", line=self.line(name), fix=FORMS)
            return None, False

    def rest(self, known: frozenset[str]) -> tuple[tuple[str, Node, int], ...]:
        """Give the keys that are not known: as typed, their values and lines."""
        return tuple(
            (self._typed[name], node, line)
            for name, (node, line) in self._found.items()
            if name not in known
        )


def read_fields(
    parts: Parts,
    *,
    where: str,
    texts: frozenset[str],
    aliases: Mapping[str, str] = _NO_ALIASES,
    limit: int = NODES,
) -> Fields:
    """Read the header of a file; the values of `texts` are free texts, taken as typed.

    Raises ContentError for a header that is not YAML, or TOML between `+++`.
    """
    if parts.header is None:
        return Fields(Table(values={}, lines={}, line=1), where=where, aliases=aliases)
    if parts.toml:
        # Few people write it: the parser is loaded only for them.
        from digest.content.toml import read_toml  # noqa: PLC0415 - see above

        table = read_toml(parts.header, first=parts.line, where=where)
        return Fields(table, where=where, aliases=aliases)
    header, marked = take_as_typed(parts.header, texts)
    table, problems = read_yaml(header, first=parts.line, where=where, limit=limit)
    fields = Fields(table, where=where, aliases=aliases)
    fields.problems += problems
    for number in marked:
        fields.note(
            "this text holds a `#`, for YAML the begin of a comment; it was taken whole:"
            " put it in quotes",
            line=parts.line + number,
        )
    return fields


def node_text(node: Node) -> str:
    """Write a value of any shape as a text: a scalar as typed, others as JSON."""
    if isinstance(node, Scalar):
        return clean_text(node.text)
    return clean_text(json.dumps(_plain(node), ensure_ascii=False))


def theme_id(text: str) -> str:
    """Give a theme's id: the text itself where it is one, else its slug."""
    line = clean_line(text)
    return line if _ID.match(line) else slugify(line)


def _plain(node: Node) -> object:
    """Turn a value into lists, dictionaries and texts; the reader bounds depth and size."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Listing):
        return [_plain(value) for value in node.values]
    return {key: _plain(value) for key, value in node.values.items()}


def _kind(node: Node) -> str:
    """Name the shape of a value."""
    return "a list" if isinstance(node, Listing) else "a mapping"


def _shown(text: str) -> str:
    """Show a wrong value in a complaint."""
    line = clean_line(text)
    return f"'{line[:_SHOWN]}{'…' if len(line) > _SHOWN else ''}'"
