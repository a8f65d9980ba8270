"""The plain-text part of the mail: its own template, lines of 72 columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from jinja2 import Environment

from digest.render.plain import wrap
from digest.render.templates import render_template

__all__ = ["TEXT", "render_text"]

TEXT: Final = "letter.txt.j2"
WIDTH: Final = 72
_BLANKS = re.compile(r"\n{3,}")


def render_text(engine: Environment, values: Mapping[str, object]) -> str:
    """Render the text part.

    The template has one filter more: `{{ text | wrap(indent="   ", first="1. ") }}` breaks a line
    at white space and never inside an address. Lines end without spaces, and no two blank ones
    follow each other.
    """
    engine.filters["wrap"] = partial(_wrapped)
    text = render_template(engine, TEXT, values)
    lines = (line.rstrip() for line in text.split("\n"))
    return _BLANKS.sub("\n\n", "\n".join(lines)).strip() + "\n"


def _wrapped(text: str, indent: str = "", first: str = "") -> str:
    return wrap(text, width=WIDTH, indent=indent, first=first)
