"""Safe HTML out of any: an allow-list, absolute addresses, and a form that XML parsers read too.

nh3 (ammonia) is the judge of what is safe. Before it, `nesting` bounds the work; after it, one pass
over its output, which has a single regular form, writes what mail, pages and feeds need.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from types import MappingProxyType
from typing import Final

import nh3

from digest.model import clean_line, clean_text
from digest.render.addresses import web_url
from digest.render.aside import Aside
from digest.render.elements import ALLOWED, DROPPED, RENAMED, VOID
from digest.render.nesting import put_in_order

__all__ = ["safe_html"]

_SCHEMES: Final = frozenset({"http", "https", "mailto"})
_ATTRIBUTES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "*": frozenset({"lang", "dir", "id"}),
        "a": frozenset({"href", "title"}),
        "abbr": frozenset({"title"}),
        "dfn": frozenset({"title"}),
        "img": frozenset({"src", "alt", "title", "width", "height"}),
        "ol": frozenset({"start"}),
        "td": frozenset({"align", "colspan", "rowspan"}),
        "th": frozenset({"align", "colspan", "rowspan", "scope"}),
        "time": frozenset({"datetime"}),
    }
)
_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_FORMS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "lang": re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*"),  # RFC 5646 §2.1, roughly
        "dir": re.compile("ltr|rtl|auto"),
        "start": re.compile(r"-?[0-9]{1,9}"),
        "width": _NUMBER,
        "height": _NUMBER,
        "colspan": _NUMBER,
        "rowspan": _NUMBER,
        "scope": re.compile("(row|col)(group)?"),
        "align": re.compile("left|center|right"),
    }
)
# A host that can be one (RFC 3986 §3.2.2 without the signs that no name has), or a mailbox.
_ADDRESS: Final = re.compile(
    r"https?://([^/?#@]*@)?([A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?([/?#]|\Z)|mailto:[^?]"
)
_BARE_PERCENT: Final = re.compile("%(?![0-9A-Fa-f]{2})")
# How ammonia writes: every attribute in double quotes, `<` only where a tag begins.
_PART: Final = re.compile(r'<(/?)([a-z0-9]+)((?:\s[^\s=>]+="[^"]*")*)\s*>|[^<]+|<')
_ATTRIBUTE: Final = re.compile(r'\s([^\s=>]+)="([^"]*)"')
_HEADING: Final = re.compile("h[1-6]")
_DEEPEST_HEADING: Final = 6
_STRIKE: Final = "\u0338"  # after a ">" it would make "≯" of it where text is normalised


def safe_html(
    html: str, *, base: str, heading_level: int = 1, prefix: str = "", aside: Aside | None = None
) -> str:
    """Make a piece of HTML safe for mail, page and feed.

    Only elements and attributes of the allow-list stay; addresses become absolute against `base`,
    ASCII, and http, https or mailto, else the link gives way to its words and the picture to its
    `alt`. The highest heading becomes `h<heading_level>`. `id` and `#` links stay where they begin
    with a `prefix` that is not empty. Elements nest less than 100 deep. A mark of `aside` gives way
    to its piece, as it is. What comes back is also well-formed XML once it stands in an element.
    """
    clean = nh3.clean(
        put_in_order(clean_text(html)),
        tags=set(ALLOWED),
        clean_content_tags=set(DROPPED),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        url_schemes=set(_SCHEMES),
        link_rel=None,
    )
    levels = [int(level) for level in re.findall(r"<h([1-6])[\s>]", clean)]
    down = max(heading_level, 1) - min(levels, default=1)
    writer = _Writer(base=base, down=down, prefix=prefix, aside=aside or Aside.beside(html))
    for part in _PART.finditer(clean):
        writer.write(part)
    return "".join(writer.out)


@dataclass(slots=True, kw_only=True)
class _Writer:
    """Writes the parts of clean HTML; `ends` are the end tags of what is open."""

    base: str
    down: int
    prefix: str
    aside: Aside
    out: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def write(self, part: re.Match[str]) -> None:
        name = part[2]
        if name is None:
            self.out.append(self._words(unescape(part[0])))
        elif part[1]:
            self.out.append(self.ends.pop())
        elif name in VOID:
            self.out.append(self._void(name, self._attributes(part[3])))
        else:
            start, end = self._element(name, self._attributes(part[3]))
            self.out.append(start)
            self.ends.append(end)

    def _words(self, text: str) -> str:
        parts = self.aside.parts(text)
        return "".join(
            part.replace(f">{_STRIKE}", f">&#{ord(_STRIKE)};") if whole else _text(part)
            for part, whole in parts
        )

    def _void(self, name: str, attributes: dict[str, str]) -> str:
        if name != "img":
            return _tag(name, attributes, close=" /")
        words = clean_line(attributes.get("alt", ""))
        source = attributes.pop("src", "")
        if source.startswith("mailto:") or not source:
            return _text(words)
        return _tag("img", {"src": source, "alt": words} | attributes, close=" /")

    def _element(self, name: str, attributes: dict[str, str]) -> tuple[str, str]:
        if name == "a" and "href" not in attributes and "id" not in attributes:
            return "", ""
        if _HEADING.fullmatch(name):
            name = f"h{min(int(name[1]) + self.down, _DEEPEST_HEADING)}"
        name = RENAMED.get(name, name)
        if side := attributes.pop("align", ""):
            attributes["style"] = f"text-align:{side}"  # the attribute itself is of the past
        return _tag(name, attributes), f"</{name}>"

    def _attributes(self, written: str) -> dict[str, str]:
        """Read the attributes and keep those whose value has the form that it should have."""
        attributes: dict[str, str] = {}
        for found in _ATTRIBUTE.finditer(written):
            attribute, value = found[1], self.aside.without(clean_line(unescape(found[2])))
            if attribute in {"href", "src"}:
                value = self._address(value)
            elif attribute == "id":
                value = self._id(value)
            if (value or attribute == "alt") and _fits(attribute, value):
                attributes[attribute] = value
        return attributes

    def _address(self, value: str) -> str:
        if self.prefix and value.startswith(f"#{self.prefix}") and _is_token(value):
            return value
        if value.startswith("//"):
            value = f"https:{value}"
        found = web_url(_BARE_PERCENT.sub("%25", value), base=self.base, schemes=_SCHEMES)
        return found if _ADDRESS.match(found) else ""

    def _id(self, value: str) -> str:
        wanted = bool(self.prefix) and value.startswith(self.prefix) and _is_token(value)
        if not wanted or value in self.ids:
            return ""
        self.ids.add(value)
        return value


def _is_token(value: str) -> bool:
    return value.isascii() and " " not in value


def _fits(attribute: str, value: str) -> bool:
    form = _FORMS.get(attribute)
    return form is None or bool(form.fullmatch(value))


def _text(text: str) -> str:
    text = escape(clean_text(text), quote=False)
    return f"&#{ord(_STRIKE)};{text[1:]}" if text.startswith(_STRIKE) else text


def _tag(name: str, attributes: Mapping[str, str], *, close: str = "") -> str:
    pairs = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{pairs}{close}>"
