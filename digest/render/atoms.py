"""A row of atoms, the parts of a formula, joined in one line of HTML and one of text.

An atom is what TeX calls so (The TeXbook, chapters 17 and 18): it has a kind, and the kinds of two
neighbours say whether a space stands between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import dropwhile
from typing import Final

__all__ = ["BREAK", "SPACE", "Atom", "bracketed", "enclosed", "join", "paired"]

_THOUSAND: Final = re.compile(r"\d{3}(\.|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """One part of a formula in both forms.

    `kind` is one of ord, word, big, bin, rel, open, close, punct, text, frac, space, break; and
    sign for what would be bin between two operands.
    """

    kind: str
    html: str
    text: str
    scripted: bool = False


BREAK: Final = Atom(kind="break", html="<br />", text="\n")
SPACE: Final = Atom(kind="space", html=" ", text=" ")


def join(atoms: Iterable[Atom], *, tight: bool = False) -> Atom:
    """Join atoms with the spaces between them; `tight` leaves those round operators out."""
    settled = _settled(_trimmed(list(atoms)))
    row = [
        bracketed(atom) if atom.kind == "frac" and _is_crowded(settled, place) else atom
        for place, atom in enumerate(settled)
    ]
    html, text = "", ""
    for place, atom in enumerate(row):
        gap = " " if place and _gap(row[place - 1], atom, tight=tight) else ""
        html += gap + atom.html
        text += gap + atom.text
    return Atom(
        kind=row[0].kind if len(row) == 1 else "ord",
        html=_squeezed(html),
        text=_squeezed(text),
        scripted=len(row) == 1 and row[0].scripted,
    )


def _trimmed(row: list[Atom]) -> list[Atom]:
    while row and row[-1].kind in {"space", "break"}:
        row.pop()
    return list(dropwhile(lambda atom: atom.kind in {"space", "break"}, row))


def _squeezed(line: str) -> str:
    return re.sub(" *\n *", "\n", re.sub(" +", " ", line))


def _settled(row: list[Atom]) -> list[Atom]:
    """Decide what only the neighbours tell: a minus of sign or of difference, a colon, a comma."""
    settled: list[Atom] = []
    for place, atom in enumerate(row):
        before = settled[-1] if settled else None
        after = row[place + 1] if place + 1 < len(row) else None
        settled.append(replace(atom, kind=_settled_kind(atom, before, after)))
    return settled


def _settled_kind(atom: Atom, before: Atom | None, after: Atom | None) -> str:
    if atom.kind == "bin" and not (_ends_operand(before) and _starts_operand(after)):
        return "sign"
    if atom.text == ":":
        return "rel" if after and after.text.startswith("=") else "punct"
    if atom.text == "," and after and _THOUSAND.match(after.text):
        return "ord" if before and re.fullmatch(r"\d{1,3}", before.text) else "punct"
    return atom.kind


def _ends_operand(atom: Atom | None) -> bool:
    return atom is not None and atom.kind in {"ord", "close", "text", "frac", "word", "space"}


def _starts_operand(atom: Atom | None) -> bool:
    return atom is not None and atom.kind not in {"rel", "close", "punct", "break"}


def _gap(before: Atom, atom: Atom, *, tight: bool) -> bool:
    pair = before.kind, atom.kind
    if "break" in pair or before.kind in {"open", "sign"} or atom.kind in {"close", "punct"}:
        return False
    if before.text == ":" and before.kind == "rel":
        return False
    if "rel" in pair or "bin" in pair or before.kind == "punct":
        return not tight
    if before.kind == "word":
        return atom.kind != "open"
    return before.kind == "big" or (
        atom.kind in {"word", "big", "frac"} and before.kind in {"ord", "close", "frac"}
    )


def _is_crowded(row: list[Atom], place: int) -> bool:
    """Tell whether a fraction would be misread beside its neighbours: 1/2 m, a/b/c."""
    slashed = any(row[at].text == "/" for at in (place - 1, place + 1) if 0 <= at < len(row))
    after = row[place + 1].kind if place + 1 < len(row) else ""
    return slashed or after in {"ord", "open", "frac", "word", "big"}


def bracketed(atom: Atom) -> Atom:
    """Put an atom in round brackets."""
    return replace(atom, kind="ord", html=f"({atom.html})", text=f"({atom.text})", scripted=False)


def enclosed(row: list[Atom]) -> bool:
    """Tell whether the first bracket of a row is closed by its last one."""
    level = 0
    for place, atom in enumerate(row):
        level += (atom.kind == "open") - (atom.kind == "close" and atom.text != "!")
        if level <= 0:
            return bool(row) and place == len(row) - 1 and row[0].kind == "open"
    return False


def paired(left: Atom, sign: str, right: Atom, *, kind: str = "ord") -> Atom:
    """Make one atom of two with a sign between them."""
    return Atom(kind=kind, html=left.html + sign + right.html, text=left.text + sign + right.text)
