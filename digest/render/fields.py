"""Merge fields: places in a template that are filled in last, once for each reader.

A template writes `[[leave_url]]` or `[[leave_url|what stands there if it is empty]]`. Before any
engine runs, each is replaced by a token of letters and digits that all engines leave alone; what
content says between such brackets was never a field and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from typing import Final

from digest.errors import Problem, TemplateError
from digest.model import clean_line
from digest.render.template_set import TemplateSet

__all__ = ["FIELDS", "Fields", "fill", "hide_fields"]

# Every field there is, and what it stands for.
FIELDS: Final = {"leave_url": "the address at which a reader leaves the list"}

_FIELD = re.compile(r"\[\[ *([A-Za-z_][A-Za-z0-9_]*) *(?:\|([^\[\]\n]*))?\]\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The live fields of a set of templates: token to name, and to what stands for an empty one."""

    names: Mapping[str, str]
    defaults: Mapping[str, str]


def hide_fields(templates: TemplateSet, *, content: str) -> tuple[TemplateSet, Fields]:
    """Replace the fields of all templates by tokens that do not occur in `content`.

    Raise TemplateError naming each unknown field with its file and line.
    """
    problems: list[Problem] = []
    names: dict[str, str] = {}
    defaults: dict[str, str] = {}
    texts: dict[str, str] = {}
    for file, text in sorted(templates.texts.items()):
        hidden: list[str] = []
        end = 0
        for match in _FIELD.finditer(text):
            name, default = match[1], (match[2] or "").strip()
            if name not in FIELDS:
                line = text.count("\n", 0, match.start()) + 1
                problems.append(_unknown(name, f"{templates.place(file)}:{line}"))
            token = _token(f"{name}|{default}", content)
            names[token], defaults[token] = name, default
            hidden += [text[end : match.start()], token]
            end = match.end()
        texts[file] = "".join(hidden) + text[end:]
    if problems:
        raise TemplateError.of(tuple(problems))
    return replace(templates, texts=texts), Fields(names=names, defaults=defaults)


def fill(text: str, fields: Fields, values: Mapping[str, str], *, as_html: bool) -> str:
    """Put the values in: HTML-escaped, or as one raw line in a plain text.

    Raise TemplateError naming each field that has no value.
    """
    missing = sorted({name for token, name in fields.names.items() if token in text} - set(values))
    if missing:
        raise TemplateError.of(
            tuple(Problem(what=f"nothing was given for the field [[{name}]]") for name in missing)
        )
    for token, name in fields.names.items():
        value = clean_line(values.get(name, "")) or fields.defaults[token]
        text = text.replace(token, escape(value) if as_html else value)
    return text


def _token(field: str, content: str) -> str:
    salt = 0
    while True:
        token = "mf" + sha256(f"{salt}{field}".encode()).hexdigest()[:24]
        if token not in content:
            return token
        salt += 1


def _unknown(name: str, where: str) -> Problem:
    known = ", ".join(f"[[{field}]]" for field in FIELDS)
    return Problem(
        what=f"there is no field [[{name}]]", where=where, fix=f"the fields are: {known}"
    )
