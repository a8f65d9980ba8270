"""YAML text into values that know their lines; every scalar stays the text that was typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from digest.content.complaints import explain
from digest.errors import ContentError, DigestError, Problem
from digest.model import clean_line

__all__ = ["ALIASES", "DEPTH", "NODES", "Listing", "Node", "Scalar", "Table", "read_yaml"]

DEPTH: Final = 16
ALIASES: Final = 100
NODES: Final = 10_000

_LONG = 256  # characters of a text that count as one node more, or aliases could make it huge

# The parser in C is some forty times faster; a PyYAML that was built without it has only the other.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """One text and its line; `bare` tells that it stood without quotes."""

    text: str
    line: int
    bare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list and the line it begins on."""

    values: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A mapping, the line it begins on, and the line of each of its keys."""

    values: Mapping[str, Node]
    lines: Mapping[str, int]
    line: int


Node = Scalar | Listing | Table


def read_yaml(
    text: str, *, first: int, where: str, limit: int = NODES
) -> tuple[Table, tuple[Problem, ...]]:
    """Read the one mapping that a text holds; `first` is the number of its first line.

    Only structure is read: no type is guessed, no tag obeyed. Keys that stand twice come back as
    problems, the first value is kept. Raises ContentError for text that is not YAML, and beyond
    16 levels, 100 aliases, or the limit of nodes with each alias counted as what it stands for.
    """
    builder = _Builder(first=first, where=where, limit=limit)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        problem = explain(error, text, first=first, where=where)
        raise ContentError.of((*builder.problems, problem)) from None
    root = builder.root
    if isinstance(root, Scalar | Listing):
        raise builder.refusal(root.line, "the header is not made of lines `key: value`")
    return root or Table(values={}, lines={}, line=first), tuple(builder.problems)


@dataclass(slots=True, kw_only=True)
class _Open:
    """A list or mapping that is being read."""

    line: int
    mapping: bool
    anchor: str | None
    count: int
    values: list[Node] = field(default_factory=list)
    table: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    key: Scalar | None = None

    def closed(self) -> Listing | Table:
        """Give what was read."""
        if self.mapping:
            return Table(values=self.table, lines=self.lines, line=self.line)
        return Listing(values=tuple(self.values), line=self.line)


class _Builder:
    """Puts the events of the parser together, with a stack of its own instead of recursion."""

    def __init__(self, *, first: int, where: str, limit: int) -> None:
        self.root: Node | None = None
        self.problems: list[Problem] = []
        self._first = self._line = first
        self._where = where
        self._limit = limit
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._aliases = 0
        self._count = 0
        self._documents = 0

    def take(self, event: Any) -> None:  # noqa: ANN401 - PyYAML's events have no common type
        """Take one event."""
        act = _ACTS.get(type(event))
        if act is not None:
            self._line = self._first + event.start_mark.line
            act(self, event, self._line)

    def refusal(self, line: int, what: str, fix: str = "") -> DigestError:
        """Make the error that ends the reading, after the problems found so far."""
        problem = Problem(what=what, where=f"{self._where}:{line}", fix=fix)
        return ContentError.of((*self.problems, problem))

    def document(self, _event: object, line: int) -> None:
        """Refuse a second document."""
        self._documents += 1
        if self._documents > 1:
            raise self.refusal(line, "a second YAML document begins here", "take the line out")

    def scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        """Take a text."""
        # Both parsers give "" or None as the style of a text without quotes.
        node = Scalar(text=event.value, line=line, bare=not event.style)
        self._put(node, event.anchor, count=1 + len(event.value) // _LONG)

    def alias(self, event: yaml.AliasEvent, line: int) -> None:
        """Take what an alias stands for: shared in memory, counted in full."""
        self._aliases += 1
        if self._aliases > ALIASES:
            raise self.refusal(line, f"more than {ALIASES} aliases", "write the values out")
        if event.anchor not in self._anchors:
            raise self.refusal(
                line, f"`*{event.anchor}` means nothing here", "put the text in quotes"
            )
        node, count = self._anchors[event.anchor]
        self._put(node, None, count=count)

    def opened(self, event: yaml.CollectionStartEvent, line: int) -> None:
        """Begin a list or a mapping."""
        if len(self._stack) == DEPTH:
            raise self.refusal(line, f"more than {DEPTH} levels inside each other")
        mapping = type(event) is yaml.MappingStartEvent
        self._stack.append(
            _Open(line=line, mapping=mapping, anchor=event.anchor, count=self._count)
        )

    def closed(self, _event: object, _line: int) -> None:
        """End a list or a mapping."""
        done = self._stack.pop()
        inside = self._count - done.count
        self._put(done.closed(), done.anchor, count=1, inside=inside)

    def _put(self, node: Node, anchor: str | None, *, count: int, inside: int = 0) -> None:
        """Put a value where it belongs; `count` nodes are new, `inside` are counted already."""
        self._count += count
        if self._count > self._limit:
            raise self.refusal(
                self._line,
                f"more than {self._limit} values, with aliases written out",
                "make it smaller",
            )
        if anchor is not None:
            self._anchors[anchor] = (node, count + inside)
        if not self._stack:
            self.root = node
        elif self._stack[-1].mapping:
            self._put_in_table(self._stack[-1], node)
        else:
            self._stack[-1].values.append(node)

    def _put_in_table(self, table: _Open, node: Node) -> None:
        """Take a key, or the value of the key before."""
        if table.key is None:
            if not isinstance(node, Scalar):
                raise self.refusal(node.line, "a list or mapping as a key", "put it in quotes")
            table.key = node
            return
        key, table.key = table.key, None
        if key.text in table.table:
            self.problems.append(
                Problem(
                    what=f"`{clean_line(key.text)}` stands twice, on the lines"
                    f" {table.lines[key.text]} and {key.line}",
                    where=f"{self._where}:{key.line}",
                    fix="take one of them out",
                )
            )
            return
        table.table[key.text] = node
        table.lines[key.text] = key.line


_ACTS: Final[Mapping[type, Callable[[_Builder, Any, int], None]]] = {
    yaml.DocumentStartEvent: _Builder.document,
    yaml.ScalarEvent: _Builder.scalar,
    yaml.AliasEvent: _Builder.alias,
    yaml.MappingStartEvent: _Builder.opened,
    yaml.SequenceStartEvent: _Builder.opened,
    yaml.MappingEndEvent: _Builder.closed,
    yaml.SequenceEndEvent: _Builder.closed,
}
