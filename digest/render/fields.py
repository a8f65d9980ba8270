"""Merge fields: places in a template that are filled in last, once for each reader.

A template writes `[[leave_url]]` or `[[name|what stands there if it is empty]]`. Before any
engine runs, each is replaced by a token of letters and digits that all engines leave alone; what
content says between such brackets was never a field and stays as it is. After the last engine
the general values take the places of the tokens, and it is noted where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from typing import Final

from digest.errors import Problem, TemplateError
from digest.model import FieldPlace, clean_line
from digest.render.template_set import TemplateSet

__all__ = ["FIELDS", "Fields", "fill", "fits", "hide_fields", "refill"]

# Every field there is, and what it stands for.
FIELDS: Final = {
    "leave_url": "the address at which a reader leaves the list",
    "name": "the reader's name",
    "address": "the reader's address",
}
# What the general copy never has, and a reader may not have.
_LACKED: Final = frozenset({"name", "address"})

_FIELD = re.compile(r"\[\[ *([A-Za-z_][A-Za-z0-9_]*) *(?:\|([^\[\]\n]*))?\]\]")
# What is left of a field that no pattern fits: every reader would see its brackets.
_BEGUN = re.compile(rf"\[\[ *({'|'.join(FIELDS)})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The live fields of a set of templates: token to name, and to what stands for an empty one."""

    names: Mapping[str, str]
    defaults: Mapping[str, str]


def hide_fields(templates: TemplateSet, *, content: str) -> tuple[TemplateSet, Fields]:
    """Replace the fields of all templates by tokens that do not occur in `content`.

    Raise TemplateError naming, with its file and line, each field that is unknown, and each that
    a reader may lack and that says nothing for those.
    """
    problems: list[Problem] = []
    names: dict[str, str] = {}
    defaults: dict[str, str] = {}
    texts: dict[str, str] = {}
    for file, text in sorted(templates.texts.items()):
        hidden: list[str] = []
        end = 0
        for match in _FIELD.finditer(text):
            name, default = match[1], match[2]
            if name not in FIELDS or (name in _LACKED and default is None):
                line = text.count("\n", 0, match.start()) + 1
                problems.append(_refused(name, f"{templates.place(file)}:{line}"))
            default = clean_line(default or "")
            token = _token(f"{name}|{default}", content)
            names[token], defaults[token] = name, default
            hidden += [text[end : match.start()], token]
            end = match.end()
        texts[file] = "".join(hidden) + text[end:]
        for match in _BEGUN.finditer(texts[file]):
            line = texts[file].count("\n", 0, match.start()) + 1
            problems.append(_torn(match[1], f"{templates.place(file)}:{line}"))
    if problems:
        raise TemplateError.of(tuple(problems))
    return replace(templates, texts=texts), Fields(names=names, defaults=defaults)


def fill(
    text: str, fields: Fields, values: Mapping[str, str], *, as_html: bool
) -> tuple[bytes, tuple[FieldPlace, ...]]:
    """Put the values in: HTML-escaped, or as one raw line in a plain text. Tell where they stand.

    Raise TemplateError naming each field that has no value.
    """
    missing = sorted({name for token, name in fields.names.items() if token in text} - set(values))
    if missing:
        raise TemplateError.of(
            tuple(Problem(what=f"nothing was given for the field [[{name}]]") for name in missing)
        )
    places: list[FieldPlace] = []
    filled = b""
    end = 0
    for match in _tokens(fields).finditer(text):
        name, default = fields.names[match[0]], fields.defaults[match[0]]
        filled += text[end : match.start()].encode()
        start = len(filled)
        filled += _shown(values[name], default, as_html=as_html)
        places.append(FieldPlace(name=name, default=default, start=start, end=len(filled)))
        end = match.end()
    return filled + text[end:].encode(), tuple(places)


def refill(
    data: bytes, places: Sequence[FieldPlace], values: Mapping[str, str], *, as_html: bool
) -> bytes:
    """Put other values into the places of a filled text; a field without a value has its default.

    All octets outside the places stay as they are. The places must fit: see `fits`.
    """
    pieces: list[bytes] = []
    end = 0
    for place in places:
        pieces.append(data[end : place.start])
        pieces.append(_shown(values.get(place.name, ""), place.default, as_html=as_html))
        end = place.end
    return b"".join([*pieces, data[end:]])


def fits(data: bytes, places: Sequence[FieldPlace]) -> bool:
    """Tell whether places are of known fields, in order, apart from each other, and inside."""
    end = 0
    for place in places:
        if place.name not in FIELDS or not end <= place.start <= place.end:
            return False
        end = place.end
    return end <= len(data)


def _shown(value: str, default: str, *, as_html: bool) -> bytes:
    line = clean_line(value) or default
    return (escape(line) if as_html else line).encode()


def _tokens(fields: Fields) -> re.Pattern[str]:
    # Without a field the pattern is one that no text matches.
    return re.compile("|".join(fields.names) or r"(?!)")


def _token(field: str, content: str) -> str:
    salt = 0
    while True:
        token = "mf" + sha256(f"{salt}{field}".encode()).hexdigest()[:24]
        if token not in content:
            return token
        salt += 1


def _torn(name: str, where: str) -> Problem:
    return Problem(
        what=f"the field [[{name}]] is not closed, or has a bracket in its default",
        where=where,
        fix=f"write it on one line as [[{name}|what stands there without one]]",
    )


def _refused(name: str, where: str) -> Problem:
    if name in FIELDS:
        return Problem(
            what=f"the field [[{name}]] does not say what stands there for who has none",
            where=where,
            fix=f"write [[{name}|reader]], or [[{name}|]] for nothing",
        )
    known = ", ".join(f"[[{field}]]" for field in FIELDS)
    return Problem(
        what=f"there is no field [[{name}]]", where=where, fix=f"the fields are: {known}"
    )
