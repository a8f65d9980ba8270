"""Tables in plain text: columns where they fit, else one line a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from digest.render.wrapping import cells, padded, wrap

__all__ = ["set_table"]

_GAP: Final = "  "


def set_table(rows: Sequence[Sequence[str]], *, headed: bool, width: int) -> list[str]:
    """Set rows of one-line cells as lines; `headed` says that the first row names the columns.

    Rows wider than `width` become `name: cell` lines, with a blank line between two rows.
    """
    columns = max(map(len, rows), default=0)
    filled = [[*row, *[""] * (columns - len(row))] for row in rows]
    widths = [max(cells(row[column]) for row in filled) for column in range(columns)]
    headed = headed and len(rows) > 1
    if sum(widths) + len(_GAP) * (columns - 1) > width:
        return _listed(filled, headed=headed, width=width)
    lines = [
        _GAP.join(padded(cell, room) for cell, room in zip(row, widths, strict=True)).rstrip()
        for row in filled
    ]
    if headed:
        lines.insert(1, _GAP.join("-" * room for room in widths))
    return lines


def _listed(rows: Sequence[Sequence[str]], *, headed: bool, width: int) -> list[str]:
    names = rows[0] if headed else [""] * len(rows[0])
    lines: list[str] = []
    for row in rows[1:] if headed else rows:
        lines.extend([""] if lines else [])
        for name, cell in zip(names, row, strict=True):
            text = f"{name}: {cell}" if name and cell else name or cell
            if text:
                first, *rest = wrap(text, width=width - len(_GAP)).split("\n")
                lines.extend([first, *(f"{_GAP}{line}" for line in rest)])
    return lines
