"""What must be right in MJML before it is compiled: no MJML engine says what is wrong with it.

An unclosed `mj-text` loses its text without a word, an unknown attribute does nothing, an unknown
tag ends in a KeyError. So the source is read as XML, and its tags and attributes are compared
with a table of the subset that all engines draw alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.entities import html5
from typing import Final
from xml.parsers import expat

__all__ = ["Fault", "find_faults", "loosen"]

_PADDING: Final = "padding padding-top padding-right padding-bottom padding-left "
_BORDER: Final = "border border-top border-right border-bottom border-left border-radius "
_FONT: Final = "color font-family font-size font-style font-weight letter-spacing line-height "
_BOX: Final = "container-background-color align css-class " + _PADDING
_BACKGROUND: Final = (
    "background-color background-url background-repeat background-size background-position "
    "background-position-x background-position-y full-width direction text-align css-class "
)
_ATTRIBUTES: Final = {
    tag: frozenset(names.split())
    for tag, names in {
        "mjml": "lang dir owa xmlns",
        "mj-head": "",
        "mj-title": "",
        "mj-preview": "",
        "mj-attributes": "",
        "mj-breakpoint": "width",
        "mj-font": "name href",
        "mj-style": "inline",
        "mj-raw": "position",
        "mj-body": "background-color width css-class",
        "mj-wrapper": _BACKGROUND + _PADDING + _BORDER,
        "mj-section": _BACKGROUND + _PADDING + _BORDER,
        "mj-group": "width direction vertical-align background-color css-class",
        "mj-column": "width direction vertical-align background-color inner-background-color "
        "inner-border inner-border-radius css-class " + _PADDING + _BORDER,
        "mj-text": "height background-color text-decoration text-transform vertical-align "
        + _BOX
        + _FONT,
        "mj-button": "href rel target title name background-color inner-padding height width "
        "text-align text-decoration text-transform vertical-align " + _BOX + _FONT + _BORDER,
        "mj-image": "src alt href rel target title name width height fluid-on-mobile srcset "
        "sizes usemap " + _BOX + _BORDER,
        "mj-divider": "border-color border-style border-width width " + _BOX,
        "mj-spacer": "height " + _BOX + _BORDER,
        "mj-table": "cellpadding cellspacing width table-layout role border " + _BOX + _FONT,
    }.items()
}
_HEAD: Final = ("mj-head",)
_CONTENT: Final = ("mj-column",)
# Where a tag may stand (the MJML reference, "Components"): elsewhere it is lost without a word.
_PARENTS: Final[dict[str, tuple[str, ...]]] = {
    "mjml": ("",),
    "mj-head": ("mjml",),
    "mj-body": ("mjml",),
    **dict.fromkeys(("mj-title", "mj-preview", "mj-attributes", "mj-style"), _HEAD),
    **dict.fromkeys(("mj-breakpoint", "mj-font"), _HEAD),
    "mj-raw": ("mj-head", "mj-body", "mj-wrapper", "mj-section", "mj-group", "mj-column"),
    "mj-wrapper": ("mj-body",),
    "mj-section": ("mj-body", "mj-wrapper"),
    "mj-group": ("mj-section",),
    "mj-column": ("mj-section", "mj-group"),
    **dict.fromkeys(("mj-text", "mj-button", "mj-image"), _CONTENT),
    **dict.fromkeys(("mj-divider", "mj-spacer", "mj-table"), _CONTENT),
}
# These hold tags of MJML only: text and HTML in them are lost.
_FRAMES: Final = frozenset(
    [
        "mjml",
        "mj-head",
        "mj-attributes",
        "mj-body",
        "mj-wrapper",
        "mj-section",
        "mj-group",
        "mj-column",
    ]
)
# Allowed in `mj-attributes` only, where they take whatever the tags they stand for take.
_DEFAULTS: Final = frozenset({"mj-all", "mj-class"})
_EVERY: Final = frozenset().union(*_ATTRIBUTES.values()) | {"name"}
_KNOWN_FONTS: Final = frozenset({"Ubuntu", "Open Sans", "Roboto", "Lato", "Droid Sans"})
_VOID: Final = "area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr"

_INTO: Final = "put it into <mj-text> or <mj-raw>"
_OUT: Final = "put it before or after mj-attributes"

_COMMENT = re.compile(r"(<!--.*?-->)", re.DOTALL)
_VOID_TAG = re.compile(rf"<({_VOID})\b((?:[^\"'<>]|\"[^\"]*\"|'[^']*')*?)\s*/?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]*;)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong in a source: its line (from 1) and column (from 0), and what to do."""

    line: int
    column: int
    what: str
    fix: str


def loosen(source: str) -> str:
    """Turn two habits of HTML into XML: `<br>` is closed, and `&nbsp;` written as a number."""
    pieces = _COMMENT.split(source)
    for place in range(0, len(pieces), 2):
        closed = _VOID_TAG.sub(r"<\1\2/>", pieces[place])
        pieces[place] = _ENTITY.sub(_number, closed)
    return "".join(pieces)


def _number(match: re.Match[str]) -> str:
    return "".join(f"&#{ord(sign)};" for sign in html5.get(match[1], "")) or match[0]


def find_faults(source: str) -> tuple[Fault, ...]:
    """Read MJML as XML and compare it with the table; empty where all is well."""
    reader = _Reader()
    try:
        reader.parser.Parse(source, True)  # noqa: FBT003 - pyexpat takes no keyword
    except expat.ExpatError as error:
        reader.faults.append(
            Fault(
                line=error.lineno,
                column=error.offset,
                what=f"the MJML is not well-formed: {expat.ErrorString(error.code)}",
                fix="close every tag in the order they were opened, and write & as &amp;",
            )
        )
    return tuple(reader.faults)


class _Reader:
    """Walk through the elements of a source and note what is wrong."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self._open: list[str] = []
        self._defaults: set[str] = set()
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartCdataSectionHandler = self._cdata

    def _note(self, what: str, fix: str) -> None:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber
        self.faults.append(Fault(line=line, column=column, what=what, fix=fix))

    def _doctype(self, *_: object) -> None:
        self._note("a DOCTYPE has no place in MJML", "leave it out: it is written when compiled")

    def _cdata(self) -> None:
        self._note("a CDATA section would be lost", "escape the text, or let {{ }} do it")

    def _text(self, text: str) -> None:
        parent = self._open[-1] if self._open else ""
        if parent in _FRAMES and text.strip():
            self._note(f"the text {text.strip()[:40]!r} would be lost in <{parent}>", _INTO)

    def _end(self, tag: str) -> None:
        self._open.pop()
        del tag

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self._open[-1] if self._open else ""
        self._open.append(tag)
        if parent == "mj-attributes":
            self._default(tag, attributes)
        elif not parent and tag != "mjml":
            self._note(f"the source begins with <{tag}>", "begin it with <mjml>")
        elif tag == "mjml" or tag.startswith("mj-"):
            self._component(tag, attributes)
            self._place(tag, parent)
        elif parent in _FRAMES:
            self._note(f"<{tag}> would be lost in <{parent}>", _INTO)

    def _place(self, tag: str, parent: str) -> None:
        parents = _PARENTS.get(tag, (parent,))
        if parent not in parents:
            where = " or ".join(f"<{name}>" for name in parents if name)
            fix = f"put it into {where}" if where else "begin the source with it"
            self._note(f"<{tag}> would be lost in <{parent}>", fix)

    def _component(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "mj-include":
            self._note("mj-include would open files", 'write {% include "name.mjml.j2" %}')
        elif tag not in _ATTRIBUTES:
            self._note(f"<{tag}> is not supported", f"use {', '.join(_ATTRIBUTES)}")
        else:
            self._names(tag, attributes, _ATTRIBUTES[tag] | {"mj-class"})
        if tag == "mj-font" and attributes.get("name") in _KNOWN_FONTS:
            self._note(f"the font {attributes['name']} is declared already", "leave mj-font out")

    def _default(self, tag: str, attributes: dict[str, str]) -> None:
        key = f"{tag} {attributes.get('name')}" if tag == "mj-class" else tag
        if key in self._defaults:
            self._note(f"<{key}> stands twice in mj-attributes", "put the two together")
        self._defaults.add(key)
        if tag in _DEFAULTS:
            self._names(tag, attributes, _EVERY)
        elif tag != "mj-body" and _PARENTS.get(tag, _CONTENT)[0] in {"", "mjml", "mj-head"}:
            self._note(f"<{tag}> has no defaults, and would be lost in <mj-attributes>", _OUT)
        else:
            self._component(tag, attributes)

    def _names(self, tag: str, attributes: dict[str, str], allowed: frozenset[str]) -> None:
        for name in attributes:
            if name not in allowed:
                listed = ", ".join(sorted(allowed)) or "none"
                self._note(f"<{tag}> has no attribute {name}", f"its attributes are: {listed}")
