"""What the YAML parser complains of, in words that say what to do."""

from __future__ import annotations

import re
from typing import Final

import yaml

from digest.errors import Problem

__all__ = ["explain"]

_QUOTES = "put the whole value in quotes"
# What the parser says (its problem and its context), what that means, and the cure.
_MEANINGS: Final = (
    (
        "mapping values are not allowed",
        "a colon and a space inside a bare text, or under a line that is not `key: value`",
        _QUOTES,
    ),
    ("escape", "a backslash in double quotes that means nothing", "double the backslash"),
    ("quoted scalar", "a quote begins here and does not end rightly", "close the quote"),
    ("expected ':'", "this line is not `key: value`", "put a colon and a space after the key"),
    ("block scalar", "a bare text may not begin with `>` or `|`", _QUOTES),
    ("node content", "a bare text may not begin like this", _QUOTES),
    ("flow", "a bracket is not closed rightly", "close the bracket, or put the value in quotes"),
    ("start any token", "a bare text may not begin like this", _QUOTES),
    ("alias", "a bare text may not begin with `*`", _QUOTES),
    ("anchor", "a bare text may not begin with `&`", _QUOTES),
    ("tag", "a bare text may not begin with `!`", _QUOTES),
    ("expected key", "this line does not fit the lines before", "align it with the other keys"),
    ("behind the end", "a text stands behind the end of a value", _QUOTES),
    (
        "sequence entries",
        "a list may not begin on the line of its key",
        "begin it on the next line",
    ),
    ("'-' indicator", "this line does not fit the list before", "align it with the other dashes"),
    ("block sequence", "a list may not begin on the line of its key", "begin it on the next line"),
)
_TAB = re.compile(r" *\t")


def explain(error: yaml.YAMLError, text: str, *, first: int, where: str) -> Problem:
    """Turn a complaint of PyYAML about a text into a problem; `first` numbers its first line."""
    mark = getattr(error, "problem_mark", None)
    context_mark = getattr(error, "context_mark", None)
    said = f"{getattr(error, 'problem', None) or error} {getattr(error, 'context', None) or ''}"
    if mark is None:
        return Problem(what=f"this is not YAML: {said.strip()}", where=f"{where}:{first}")
    lines = text.split("\n")
    line = min(mark.line, len(lines) - 1)
    tab = next((n for n in (line, line - 1) if n >= 0 and _TAB.match(lines[n])), None)
    if tab is None and lines[line][mark.column : mark.column + 1] == "\t":
        tab = line
    if tab is not None:
        return Problem(
            what="a tab where YAML wants spaces",
            where=f"{where}:{first + tab}",
            fix="put spaces in its place",
        )
    if "<block end>" in said:  # the parser in Python says less than the one in C
        said = "'-' indicator" if "collection" in said else "expected key"
    if "expected key" in said and lines[line][: mark.column].strip(" -"):
        said = "behind the end"
    what, fix = _meaning(said)
    if context_mark is not None and ("quote" in what or "bracket" in what or "not `key" in what):
        line = context_mark.line
    return Problem(what=what, where=f"{where}:{first + line}", fix=fix)


def _meaning(said: str) -> tuple[str, str]:
    """Give the words and the cure for what the parser said."""
    for sign, what, fix in _MEANINGS:
        if sign in said:
            return what, fix
    return f"this is not YAML: {said.strip()}", _QUOTES
