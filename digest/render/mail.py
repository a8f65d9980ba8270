"""The HTML part of the mail: template, lint, MJML, inlined styles, fewer bytes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Final

from digest.errors import Problem, TemplateError
from digest.render.adapter import unwrap, wrap
from digest.render.inline import inline_styles
from digest.render.lint import Fault, find_faults, loosen
from digest.render.squeeze import squeeze
from digest.render.template_set import TemplateSet
from digest.render.templates import MARK, environment, render_template

__all__ = ["MAIL", "compile_mjml", "render_mail"]

MAIL: Final = "letter.mjml.j2"
_STYLE: Final = "letter.css.j2"
_MARKS = re.compile(f"{MARK[0]}([^{MARK[1]}]*){MARK[1]}")


def render_mail(templates: TemplateSet, values: Mapping[str, object], *, title: str) -> str:
    """Render the letter's HTML; `title` is the plain text of its `mj-title`.

    Raise TemplateError with the file and line of each thing wrong.
    """
    source = loosen(render_template(environment(templates), MAIL, values))
    faults = find_faults(source)
    if faults:
        marked = render_template(environment(templates, marked=True), MAIL, values)
        where = _places(loosen(marked), templates.place(MAIL))
        raise TemplateError.of(
            tuple(
                Problem(what=fault.what, where=where(source, fault), fix=fault.fix)
                for fault in faults
            )
        )
    stand_in = "mftitle"
    while stand_in in source:
        stand_in += "x"
    html = compile_mjml(wrap(source, title=stand_in), place=templates.place(MAIL))
    return squeeze(_inlined(unwrap(html, stand_in=stand_in, title=title), templates))


def _inlined(html: str, templates: TemplateSet) -> str:
    """Inline the style, and name the template that a rule which cannot be is written in."""
    try:
        return inline_styles(html)
    except TemplateError as error:
        where = templates.place(_STYLE if _STYLE in templates.texts else MAIL)
        problems = (replace(problem, where=where) for problem in error.problems)
        raise TemplateError.of(tuple(problems)) from error


def compile_mjml(source: str, *, place: str) -> str:
    """Compile MJML to HTML with the engine of the PyPI package `mjml`.

    Raise TemplateError if the engine is not there, or fails.
    """
    try:
        engine = import_module("mjml").mjml_to_html
    except (ImportError, AttributeError) as error:
        raise TemplateError(
            "the MJML engine cannot be loaded",
            fix="install the package mjml, and uninstall mjml-python: both put their files in "
            "one folder and overwrite each other",
        ) from error
    try:
        html: str = engine(source).html
    except Exception as error:
        raise TemplateError(
            f"the MJML engine gave up: {type(error).__name__}: {error}",
            where=place,
            fix="undo the last change to the template",
        ) from error
    return html


def _places(marked: str, default: str) -> Callable[[str, Fault], str]:
    """Give what leads from a fault back to a template's line, read from the marks."""
    starts, places, length, end = [0], [default], 0, 0
    for mark in _MARKS.finditer(marked):
        length += mark.start() - end
        end = mark.end()
        starts.append(length)
        places.append(mark[1])

    def place(source: str, fault: Fault) -> str:
        lines = source.split("\n")
        offset = sum(len(line) + 1 for line in lines[: fault.line - 1]) + fault.column
        return places[bisect_right(starts, offset) - 1]

    return place
