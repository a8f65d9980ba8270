"""MathML elements, as latex2mathml makes them, set as the atoms of a formula.

The elements are those of MathML 3, chapter 3. Their text holds characters by number, `&#x0002B;`,
as the library leaves them.
"""

# ruff: noqa: RUF001 - the signs of mathematics are meant

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import Element

from digest.render.alphabets import set_letter
from digest.render.atoms import BREAK, SPACE, Atom, bracketed, enclosed, join, paired
from digest.render.scripts import lowered, raised

__all__ = ["ACCENTS", "OPEN", "Unreadable", "read", "signs_of", "words_of"]

_BIG: Final = frozenset("∑∏∐∫∬∭∮∯∰⋃⋂⋁⋀⨀⨁⨂⨃⨄⨅⨆")
_BINARY: Final = frozenset("+-−±∓×÷·⋅∗*∘•⊕⊖⊗⊘⊙∧∨∩∪∖⧵⋆⊎⊔⊓†‡⋊⋉")
_ORDINARY: Final = frozenset("∀∁∂∃∄∅∆∇∎∞√∛∜∟∠∡∢∫⊤⊥⋮⋯⋰⋱")
OPEN: Final = frozenset("([{⟨⌊⌈⟦")
_CLOSE: Final = frozenset(")]}⟩⌋⌉⟧!")
_FENCES: Final = OPEN | frozenset("|‖")
_RELATION: Final = re.compile("[=<>~:∣←-⇿∀-⋿⟂⟰-⟿⤀-⥿⪀-⫿]+")
ACCENTS: Final[Mapping[str, str]] = MappingProxyType(
    dict(
        zip(
            "^~¯―→←↔˙¨´`˘ˇ˚⃛⃜",
            "\u0302\u0303\u0304\u0305\u20d7\u20d6\u20e1\u0307\u0308\u0301\u0300\u0306\u030c\u030a"
            "\u20db\u20dc",
            strict=True,
        )
    )
)
_COMMAND: Final = re.compile(r"\\[A-Za-z]")
_STRUCK: Final = "⧸"  # the library's sign for `\\not`, beside what it strikes
_UNDERLINE: Final = "\u0332"
_BRACES: Final = frozenset("⏞⏟⎴⎵⏜⏝")
_PRIMES: Final = "′″‴⁗"
_WRITTEN_NUMBER: Final = re.compile("&#x([0-9A-Fa-f]{2,6});")


class Unreadable(ValueError):  # noqa: N818 - a way out of the walk; it never leaves this room
    """Something without a plain form of the same meaning: the formula is shown as typed."""


def read(element: Element) -> list[Atom]:
    """Set one element as atoms; raises ValueError where the formula has no plain form."""
    return _READERS.get(element.tag, _row)(element)


def _row(element: Element) -> list[Atom]:
    row: list[Atom] = []
    for child in element:
        row.extend(_table(child, row) if child.tag == "mtable" else read(child))
    return row


def signs_of(element: Element) -> str:
    """Give the sign, number or name that an element holds; empty for a mark that is not shown.

    Raise ValueError for a command that the library does not know.
    """
    raw = element.text or ""
    if raw == "&":  # where lines are aligned
        return ""
    if _COMMAND.match(raw):
        raise Unreadable(raw)
    return re.sub(r"[\u2006\u2009\u00a0]", " ", _numbers_read(raw)).removeprefix("\\")


def words_of(element: Element) -> str:
    """Give the words that an element holds; raise ValueError where a command is among them."""
    words = _numbers_read(element.text or "").replace("\u00a0", " ")
    words = re.sub(r"\\([%&$#_{}])", r"\1", words)
    if _COMMAND.search(words) or words == _STRUCK:
        raise Unreadable(words)
    return words


def _numbers_read(raw: str) -> str:
    return _WRITTEN_NUMBER.sub(lambda found: chr(int(found[1], 16)), raw)


def _leaf(element: Element) -> list[Atom]:
    if len(element):  # a group that is spaced as an operator
        return _row(element)
    name = signs_of(element)
    if not name:
        return []
    # The library writes an upright letter, `\mathrm{d}`, by its number, and an italic one as is.
    upright = name.isascii() and name.isalpha() and element.text != name
    variant = "normal" if upright else element.get("mathvariant", "")
    html, text = set_letter(name, variant=variant, italic=element.tag == "mi")
    if name == "∣":  # the bar of "given that", for which fewer fonts have a sign
        return [Atom(kind="rel", html="|", text="|")]
    return [Atom(kind=_kind(text, element.tag), html=html, text=text)]


def _kind(text: str, tag: str) -> str:
    if len(text) > 1 and tag != "mn" and text[0].isalpha():
        return "word"
    for kind, signs in (
        ("big", _BIG),
        ("bin", _BINARY),
        ("ord", _ORDINARY),
        ("open", OPEN),
        ("close", _CLOSE),
        ("punct", ",;"),
    ):
        if text in signs:
            return kind
    return "rel" if _RELATION.fullmatch(text) else "ord"


def _words(element: Element) -> list[Atom]:
    words = words_of(element)
    html = escape(words, quote=False)
    if element.get("mathvariant") in {"bold", "italic"}:
        tag = "b" if element.get("mathvariant") == "bold" else "i"
        html = f"<{tag}>{html}</{tag}>"
    return [Atom(kind="text", html=html, text=words)] if words else []


def _space(element: Element) -> list[Atom]:
    if element.get("linebreak") == "newline":
        return [BREAK]
    return [] if element.get("width", "").startswith(("negative", "-")) else [SPACE]


def _fraction(element: Element) -> list[Atom]:
    above, below = (read(child) for child in element)
    if element.get("linethickness") == "0":
        top, bottom = join(above), join(below)
        return [paired(top, " choose ", bottom)]
    weak = {"bin", "rel", "space", "big", "word", "frac", "text"}
    top, bottom = join(above), join(below)
    if any(atom.kind in weak for atom in above) and not enclosed(above):
        top = bracketed(top)
    derivative = len(below) == 2 and below[0].text in {"∂", "d"}  # noqa: PLR2004 - as in ∂f/∂x
    if (len(below) != 1 or below[0].kind in weak) and not enclosed(below) and not derivative:
        bottom = bracketed(bottom)
    return [paired(top, "/", bottom, kind="frac")]


def _root(element: Element) -> list[Atom]:
    sign = Atom(kind="ord", html="√", text="√")
    inside = _row(element)
    if element.tag == "mroot":
        inside, degree = (read(child) for child in element)
        sign = _root_sign(join(degree, tight=True))
    body = join(inside)
    plain = len(inside) == 1 and inside[0].kind == "ord" and not inside[0].scripted
    body = body if plain or enclosed(inside) else bracketed(body)
    return [paired(sign, "", body)]


def _root_sign(degree: Atom) -> Atom:
    single = {"3": "∛", "4": "∜"}.get(degree.text)
    return Atom(
        kind="ord",
        html=single or f"<sup>{degree.html}</sup>√",
        text=single or f"{raised(degree.text)}√",
    )


def _scripts(element: Element) -> list[Atom]:
    parts = list(element)
    has_low = element.tag in {"msub", "msubsup", "munder", "munderover"}
    has_high = element.tag in {"msup", "msubsup", "mover", "munderover"}
    if len(parts) != 1 + has_low + has_high:
        raise Unreadable(element.tag)
    low, high = parts[1] if has_low else None, parts[-1] if has_high else None
    return [_scripted(_base(read(parts[0])), low=low, high=high)]


def _base(row: list[Atom]) -> Atom:
    joined = join(row)
    loose = len(row) > 1 and any(atom.kind in {"bin", "rel", "space"} for atom in row)
    risky = loose or any(atom.scripted or atom.kind == "frac" for atom in row)
    return bracketed(joined) if risky and not enclosed(row) else joined


def _scripted(base: Atom, *, low: Element | None, high: Element | None) -> Atom:
    sub = join(read(low) if low is not None else (), tight=True)
    above = read(high) if high is not None else []
    primes = ""
    while above and above[0].text and above[0].text in _PRIMES:
        primes += above.pop(0).text
    sup = join(above, tight=True)
    return Atom(
        kind=base.kind,
        html=base.html
        + primes
        + (f"<sub>{sub.html}</sub>" if sub.html else "")
        + (f"<sup>{sup.html}</sup>" if sup.html else ""),
        text=base.text + primes + lowered(sub.text) + raised(sup.text),
        scripted=bool(primes or sub.text or sup.text),
    )


def _over(element: Element) -> list[Atom]:
    """Set a mark above or below: an accent on each letter, a brace left out, else a script."""
    parts = list(element)
    mark = "".join(parts[-1].itertext()) if len(parts) == 2 else ""  # noqa: PLR2004 - base, mark
    mark = _numbers_read(mark)
    if mark in _BRACES and mark:
        return read(parts[0])
    accent = ACCENTS.get(mark, "")
    if element.tag == "munder" and mark:
        accent = _UNDERLINE if mark == "―" else ""
    return [_accented(read(parts[0]), accent)] if accent else _scripts(element)


def _accented(row: list[Atom], accent: str) -> Atom:
    if not row or any(atom.kind != "ord" or atom.scripted for atom in row):
        raise Unreadable(accent)
    return Atom(
        kind="ord",
        html="".join(re.sub(r"([^<>])(?=<|\Z)", rf"\1{accent}", atom.html) for atom in row),
        text="".join(atom.text + accent for atom in row),
    )


def _table(table: Element, before: list[Atom], *, bare: bool = False) -> list[Atom]:
    """Set a matrix as `a, b; c, d` in the brackets it has, or else in square ones."""
    if table.get("displaystyle"):
        return _lines(table)
    rows = [_cells(row) for row in table]
    inside = Atom(
        kind="ord",
        html="; ".join(row.html for row in rows),
        text="; ".join(row.text for row in rows),
    )
    fence = before[-1].text if before else ""
    if fence == "{":  # cases, which nothing closes
        return [inside, Atom(kind="close", html="}", text="}")]
    if bare or (fence and fence in _FENCES):
        return [inside]
    return [replace(inside, html=f"[{inside.html}]", text=f"[{inside.text}]")]


def _cells(row: Element) -> Atom:
    html, text = "", ""
    for cell in row:
        part = join(read(cell))
        gap = "" if not text else " " if text.endswith(",") else ", "
        html += gap + part.html
        text += gap + part.text
    return Atom(kind="ord", html=html, text=text)


def _lines(table: Element) -> list[Atom]:
    """Set equations that stand below each other, each on its line."""
    lines: list[Atom] = []
    for row in table:
        lines.extend([BREAK] if lines else [])
        lines.extend(atom for cell in row for atom in read(cell))
    return lines


def _style(element: Element) -> list[Atom]:
    if element.get("scriptlevel") == "1" and [child.tag for child in element] == ["mtable"]:
        return _table(element[0], [], bare=True)
    return _row(element)


def _box(element: Element) -> list[Atom]:
    if element.get("notation") != "box":
        raise Unreadable(element.tag)
    return _row(element)


def _nothing(_element: Element) -> list[Atom]:
    return []


_READERS: Final[Mapping[str, Callable[[Element], list[Atom]]]] = MappingProxyType(
    {
        "mi": _leaf,
        "mn": _leaf,
        "mo": _leaf,
        "mtext": _words,
        "mspace": _space,
        "mphantom": _nothing,
        "mfrac": _fraction,
        "msqrt": _root,
        "mroot": _root,
        "msub": _scripts,
        "msup": _scripts,
        "msubsup": _scripts,
        "munderover": _scripts,
        "mover": _over,
        "munder": _over,
        "mstyle": _style,
        "menclose": _box,
    }
)
