"""Formulas as presentation MathML for a web page: only what MathML Core has and browsers show.

Every element is made anew from what latex2mathml read, with a name and attributes of the tables
below, so that nothing else can come through. Spaces that the library leaves to the reader's eye,
and limits that go below their sign in a formula of its own, are set as TeX sets them.
"""

# ruff: noqa: RUF001 - the signs of mathematics are meant

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import Element, tostring

from digest.render.alphabets import letter_of
from digest.render.mathml import ACCENTS, OPEN, Unreadable, signs_of, words_of

__all__ = ["presentation"]

# MathML Core §3: how many children an element has; the others are rows of any length.
_PARTS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "mfrac": 2,
        "mroot": 2,
        "msub": 2,
        "msup": 2,
        "munder": 2,
        "mover": 2,
        "msubsup": 3,
        "munderover": 3,
    }
)
_LENGTH: Final = re.compile(r"-?[0-9]{0,3}\.?[0-9]{1,4}em")
_TRUTH: Final = re.compile("true|false")
# The attributes that are kept, and the form of their values (MathML Core §2.1.3, §3.2.4).
_KEPT: Final[Mapping[str, Mapping[str, re.Pattern[str]]]] = MappingProxyType(
    {
        "mo": {
            "form": re.compile("prefix|infix|postfix"),
            **dict.fromkeys(("stretchy", "fence", "largeop", "movablelimits"), _TRUTH),
            **dict.fromkeys(("minsize", "maxsize", "lspace", "rspace"), _LENGTH),
        },
        "mspace": {"width": _LENGTH},
        "mfrac": {"linethickness": re.compile("0")},
        "mstyle": {"displaystyle": _TRUTH, "scriptlevel": re.compile("[0-3]")},
        "mtable": {"displaystyle": re.compile("true")},
    }
)
_WITH_LIMITS: Final[Mapping[str, str]] = MappingProxyType(
    {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
)
# Below and above these stands in a formula of its own what is beside them in a line.
_LIMITS: Final = frozenset("∑∏∐⋃⋂⋁⋀⨀⨁⨂⨃⨄⨅⨆")
_NAMES_WITH_LIMITS: Final = frozenset(
    {"lim", "sup", "inf", "max", "min", "lim sup", "lim inf", "arg max", "arg min"}
)
# Spaces that MathML names or counts in eighteenths of an em, as TeX does.
_NEGATIVE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "negativethinmathspace": "-3mu",
        "negativemediummathspace": "-4mu",
        "negativethickmathspace": "-5mu",
    }
)
_MU: Final = re.compile(r"(-?[0-9]{1,3})mu")
_THIN: Final = "0.1667em"
_MODULO: Final = "mod"  # stands between two operands, as no other word does
_APPLIED: Final = "\u2061"  # the invisible sign between a function and what it is applied to
_STYLES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {"bold": {"style": "font-weight: bold"}, "italic": {"style": "font-style: italic"}}
)
_ENDS: Final = re.compile("^ +| +$")
_SIDES: Final = re.compile("left|right")
_STRETCHED: Final[Mapping[str, str]] = MappingProxyType({"mover": "\u00af", "munder": "_"})
_LINE: Final = "―"  # the library's sign for a line above or below


def presentation(root: Element, *, source: str, display: bool) -> str:
    """Write what latex2mathml made of a formula as a `math` element.

    `alttext` is the source. Raise ValueError for what MathML Core cannot say.
    """
    math = Element("math", {"alttext": source} | ({"display": "block"} if display else {}))
    [row] = root
    math.extend(_row(row))
    return tostring(math, encoding="unicode", short_empty_elements=False)


def _row(parts: Iterable[Element]) -> list[Element]:
    """Make the elements of a row; lines below each other become a table of lines."""
    lines: list[list[Element]] = [[]]
    for part in parts:
        if part.get("linebreak") == "newline":
            lines.append([])
        else:
            lines[-1].extend(_made(part))
    made = [_spaced(_joined(line)) for line in lines if line]
    return made[0] if len(made) == 1 else [_lines(made)] if made else []


def _lines(lines: Sequence[Sequence[Element]]) -> Element:
    table = Element("mtable", {"displaystyle": "true"})
    for line in lines:
        cell = Element("mtd")
        cell.extend(line)
        row = Element("mtr")
        row.append(cell)
        table.append(row)
    return table


def _made(element: Element) -> list[Element]:
    """Make one element anew; some stand for nothing, a row of one part is that part."""
    if element.tag in _PARTS:
        return [_scripted(element)]
    if element.tag not in _MAKERS:
        raise Unreadable(element.tag)
    return _MAKERS[element.tag](element)


def _kept(element: Element, name: str = "") -> Element:
    """Begin an element of the same name with the attributes that may stay."""
    name = name or element.tag
    forms = _KEPT.get(name, {})
    values = {key: element.get(key, "") for key in forms}
    return Element(
        name, {key: value for key, value in values.items() if forms[key].fullmatch(value)}
    )


def _one(element: Element) -> Element:
    """Make the one element that a script or a part of a fraction has to be."""
    made = _made(element)
    if len(made) != 1:
        raise Unreadable(element.tag)
    return made[0]


# ---- signs, letters and words --------------------------------------------------------------------


def _sign(element: Element) -> list[Element]:
    name = signs_of(element)
    if len(element):  # a group that is spaced as an operator
        return _group(element)
    if not name:  # a bracket that is not shown
        return []
    if name == _MODULO:
        return [_leaf("mo", name, lspace="0.2222em", rspace="0.2222em")]
    if not _is_name(name):
        made = _kept(element)
        made.text = name
        return [made]
    made = _leaf("mo", name, lspace="0em", rspace="0em")
    if name in _NAMES_WITH_LIMITS or element.get("movablelimits"):
        made.set("movablelimits", "true")
    return [made]


def _letter(element: Element) -> list[Element]:
    name, variant = signs_of(element), element.get("mathvariant", "")
    # The library writes an upright letter, `\mathrm{d}`, by its number, and an italic one as is.
    single = len(name) == 1 and element.tag == "mi"
    by_number = name.isascii() and name.isalpha() and name != element.text
    if single and (variant == "normal" or (by_number and not variant)):
        return [_leaf("mi", name, mathvariant="normal")]
    return [_leaf(element.tag, "".join(letter_of(sign, variant) for sign in name))]


def _words(element: Element) -> list[Element]:
    style = _STYLES.get(element.get("mathvariant", ""), {})
    # White space at either end would be dropped.
    words = _ENDS.sub(lambda found: "\u00a0" * len(found[0]), words_of(element))
    return [_leaf("mtext", words, **style)]


def _leaf(name: str, text: str, **attributes: str) -> Element:
    made = Element(name, attributes)
    made.text = text
    return made


def _space(element: Element) -> list[Element]:
    width = element.get("width", "")
    mu = _MU.fullmatch(_NEGATIVE.get(width, width))
    made = _kept(Element("mspace", {"width": f"{int(mu[1]) / 18:.4f}em" if mu else width}))
    return [made] if made.attrib else []


# ---- groups --------------------------------------------------------------------------------------


def _group(element: Element) -> list[Element]:
    """Make a row of its own; round one part it is not needed, and a comma in it has no space."""
    made = _row(element)
    if len(made) == 1:
        if made[0].tag == "mo" and made[0].text in {",", "."}:
            return [_leaf("mo", made[0].text or "", lspace="0em", rspace="0em")]
        return made
    row = Element("mrow")
    row.extend(made)
    return [row]


def _holder(element: Element) -> list[Element]:
    """Make an element that holds one row: a root, a style, what only takes room."""
    made = _kept(element)
    made.extend(_row(element))
    return [made]


def _box(element: Element) -> list[Element]:
    if element.get("notation") != "box":
        raise Unreadable(element.tag)
    return _group(element)


def _table(element: Element) -> list[Element]:
    table = _kept(element)
    for line in element:
        row = Element("mtr")
        for cell in line:
            made = _leaf("mtd", "")
            side = _SIDES.fullmatch(cell.get("columnalign", ""))
            if side:
                # Equations that are aligned touch at the sign; elsewhere columns keep their gap.
                tight = f"; padding-{side[0]}: 0" if table.get("displaystyle") else ""
                made.set("style", f"text-align: {side[0]}{tight}")
            made.extend(_row(cell))
            row.append(made)
        table.append(row)
    return [table]


_MAKERS: Final[Mapping[str, Callable[[Element], list[Element]]]] = MappingProxyType(
    {
        "mo": _sign,
        "mi": _letter,
        "mn": _letter,
        "mtext": _words,
        "mspace": _space,
        "mrow": _group,
        "mpadded": _group,
        "mstyle": _holder,
        "msqrt": _holder,
        "mphantom": _holder,
        "menclose": _box,
        "mtable": _table,
    }
)


# ---- scripts, limits and marks -------------------------------------------------------------------


def _scripted(element: Element) -> Element:
    parts = [_one(part) for part in element]
    if len(parts) != _PARTS[element.tag]:
        raise Unreadable(element.tag)
    name, base = element.tag, parts[0]
    if name in _WITH_LIMITS and base.tag == "mo" and _has_limits(base):
        name = _WITH_LIMITS[name]
    made = _kept(element, name)
    mark = parts[-1]
    if name in _STRETCHED and mark.tag == "mo" and mark.text in ACCENTS:
        made.set("accent" if name == "mover" else "accentunder", "true")
        parts[-1] = _mark(mark.text or "", name, single=base.tag == "mi")
    made.extend(parts)
    return made


def _has_limits(sign: Element) -> bool:
    return sign.text in _LIMITS or sign.get("movablelimits") == "true"


def _mark(sign: str, name: str, *, single: bool) -> Element:
    """Set a mark above or below; over one letter it keeps its size, a line never does."""
    if sign == _LINE:
        return _leaf("mo", _STRETCHED[name], stretchy="true")
    return _leaf("mo", sign, stretchy="false" if single else "true")


# ---- what the neighbours in a row decide ---------------------------------------------------------


def _joined(row: Sequence[Element]) -> list[Element]:
    r"""Make one word of upright letters that follow each other, as in `\mathrm{rank}`."""
    made: list[Element] = []
    for part in row:
        if made and _is_upright(made[-1]) and _is_upright(part):
            made[-1] = _leaf("mi", f"{made[-1].text}{part.text}", mathvariant="normal")
        else:
            made.append(part)
    return made


def _is_upright(part: Element) -> bool:
    return part.get("mathvariant") == "normal" and (part.text or "").isalpha()


def _spaced(row: Sequence[Element]) -> list[Element]:
    """Put the sign of application after the name of a function, and the thin spaces round both."""
    made: list[Element] = []
    for place, part in enumerate(row):
        after = row[place + 1] if place + 1 < len(row) else None
        if not _names_function(part):
            made.append(part)
            continue
        if made and made[-1].tag not in {"mo", "mspace"}:
            made.append(Element("mspace", {"width": _THIN}))
        made.append(part)
        if after is not None and after.tag == "mo" and after.text in OPEN:
            made.append(_leaf("mo", _APPLIED))
        elif after is not None and (after.tag not in {"mo", "mspace"} or _names_function(after)):
            made.append(_leaf("mo", _APPLIED, rspace=_THIN))
    return made


def _names_function(part: Element) -> bool:
    base = part
    while base.tag in _PARTS and base.tag not in {"mfrac", "mroot"}:
        base = base[0]
    return base.tag in {"mi", "mo"} and _is_name(base.text or "")


def _is_name(text: str) -> bool:
    """Tell whether a sign is the name of a function, `log`."""
    return len(text) > 1 and text[0].isalpha() and text != _MODULO
