"""A header between `+++` lines (TOML 1.0), as some site generators write it."""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime

from digest.content.nodes import DEPTH, Listing, Node, Scalar, Table
from digest.errors import ContentError

__all__ = ["read_toml"]

_LINE = re.compile(r"\(at line (\d+), column \d+\)")


def read_toml(text: str, *, first: int, where: str) -> Table:
    """Read a header of TOML into the values that YAML gives; `first` numbers its first line.

    Numbers and moments become text again. Raises ContentError for text that is not TOML.
    """
    try:
        values = tomllib.loads(text, parse_float=str)
        lines = {key: first + _line(text, key) for key in values}
        nodes = {key: _node(value, lines[key], 1) for key, value in values.items()}
    except (ValueError, RecursionError) as error:
        # A number beyond what Python prints is a ValueError too (4,300 digits).
        place = _LINE.search(str(error))
        line = first + int(place[1]) - 1 if place else first
        said = _LINE.sub("", str(error)).strip()
        raise ContentError(
            f"this is not TOML: {said}",
            where=f"{where}:{min(line, first + text.count(chr(10)))}",
            fix="put texts in double quotes",
        ) from None
    return Table(values=nodes, lines=lines, line=first)


def _line(text: str, key: str) -> int:
    """Find the line, from 0, that a key of the first level stands on; 0 where it is hidden."""
    pattern = rf"^[ \t]*(?:\[[ \t]*)?[\"']?{re.escape(key)}[\"']?[ \t]*[=.\]]"
    match = re.search(pattern, text, re.MULTILINE)
    return text.count("\n", 0, match.start()) if match else 0


def _node(value: object, line: int, depth: int) -> Node:
    """Turn one value into a node."""
    if depth > DEPTH:
        raise ValueError(f"more than {DEPTH} levels inside each other")
    if isinstance(value, dict):
        nodes = {key: _node(inner, line, depth + 1) for key, inner in value.items()}
        return Table(values=nodes, lines=dict.fromkeys(nodes, line), line=line)
    if isinstance(value, list):
        return Listing(values=tuple(_node(one, line, depth + 1) for one in value), line=line)
    if isinstance(value, bool):
        return Scalar(text="true" if value else "false", line=line)
    if isinstance(value, datetime):
        return Scalar(text=value.isoformat(timespec="seconds"), line=line)
    return Scalar(text=value.isoformat() if isinstance(value, date) else str(value), line=line)
