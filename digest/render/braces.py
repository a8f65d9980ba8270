"""Marks of template languages in Markdown, shown as typed: `{{ 6*7 }}` has no emphasis in it."""

from __future__ import annotations

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

__all__ = ["BRACES", "braces_plugin"]

BRACES: Final = "braces"
# Jinja, Liquid, Mustache, Ruby, shell and ERB; bounded, since an unclosed one is searched in vain.
_MARK: Final = re.compile(
    r"\{\{[^\n]{0,400}?\}\}|\{%[^\n]{0,400}?%\}|\{#[^\n]{0,400}?#\}"
    r"|[$#]\{[^{}\n]{0,400}\}|<%[^\n]{0,400}?%>"
)


def braces_plugin(md: MarkdownIt) -> None:
    """Read a template mark of one line as a token `braces` that holds it whole."""
    md.inline.ruler.before("escape", BRACES, _braces)


def _braces(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    mark = _MARK.match(state.src, state.pos, state.posMax)
    if mark is None:
        return False
    if not silent:
        state.push(BRACES, "", 0).content = mark[0]
    state.pos = mark.end()
    return True
