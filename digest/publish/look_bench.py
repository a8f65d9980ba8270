"""Where a look is tried out: all that goes wrong is noted, and the trial goes on.

After an error the shipped file takes the place of the one that had it, for as long as that
specimen is made: so one run tells of the faults of all files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape, unescape
from typing import Final, TypeVar

from jinja2 import TemplateSyntaxError, meta

from digest.checks.support import read_accepted
from digest.errors import Problem, TemplateError
from digest.files.shipped import SUPPORT
from digest.model import Edition, IssueKey, Published
from digest.publish.editions import render
from digest.publish.notice import Stripped, Way
from digest.publish.specimen import Specimen
from digest.render import TemplateSet
from digest.render.addresses import page_url
from digest.render.templates import environment, render_template
from digest.site import build_site

__all__ = ["MAIL", "TEXT", "Bench", "read_by"]

MAIL: Final = "letter.mjml.j2"
TEXT: Final = "letter.txt.j2"
_SUFFIX: Final = ".j2"
_LEAVE: Final = "leave_url"
_EXAMPLE: Final = re.compile(r"'.*'|\".*\"|\S+://\S+")
_TAG: Final = re.compile(r"<[^>]*>")
_LINE: Final = re.compile(r"(?::[0-9]+)+\Z")
_CURE: Final = "correct it, or delete it to get the program's own template back"
_STRIP: Final = Stripped(
    title="A notice that goes to nobody",
    lines=("It goes out on Monday.", "It is built once more at that time."),
    findings=("warning D112: a link text of one word (issue.html)",),
    ways=(Way(label="Look at it", command="digest preview"),),
)

T = TypeVar("T")


def read_by(templates: TemplateSet, names: Iterable[str]) -> frozenset[str]:
    """Name the templates that some include, and those that these include; all where none can say.

    A template that has an error in it includes nothing.
    """
    engine = environment(templates)
    found: set[str] = set()
    left = [*names]
    while left:
        name = left.pop()
        if not name.endswith(_SUFFIX) or name not in templates.texts:
            continue
        try:
            named = set(meta.find_referenced_templates(engine.parse(templates.texts[name])))
        except TemplateSyntaxError:
            continue
        if None in named:  # the name is made up when it is rendered
            return frozenset(templates.texts)
        new = {other for other in named if other is not None} - found
        found |= new
        left += new
    return frozenset(found)


@dataclass(slots=True, kw_only=True)
class Bench:
    """A look on trial: its templates, the shipped ones by name, and the problems so far."""

    templates: TemplateSet
    shipped: Mapping[str, str]
    _problems: dict[tuple[str, str], Problem] = field(default_factory=dict)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Give all problems, by file, line and what they say."""
        return tuple(sorted(self._problems.values(), key=_order))

    def note(self, problem: Problem) -> None:
        """Note a problem; of those that have no line, one of a kind will do for a file."""
        kind = problem.what if _LINE.search(problem.where) else _EXAMPLE.sub("", problem.what)
        self._problems.setdefault((problem.where, kind), problem)

    def baseline(self) -> frozenset[str]:
        """Give what the look accepts to use although mail programs lack it."""
        text = self.templates.texts.get(SUPPORT)
        try:
            return read_accepted(text, place=self.templates.place(SUPPORT)) if text else frozenset()
        except TemplateError as error:
            for problem in error.problems:
                self.note(problem)
            return frozenset()

    def parse(self) -> None:
        """Read each template alone: an error may stand in one that nothing includes."""
        engine = environment(self.templates)
        for name, text in self.templates.texts.items():
            try:
                if name.endswith(_SUFFIX):
                    engine.parse(text)
            except TemplateSyntaxError as error:
                where = f"{self.templates.place(name)}:{error.lineno}"
                self.note(Problem(what=str(error.message), where=where, fix=_CURE))

    def edition(self, specimen: Specimen) -> Edition | None:
        """Make the edition of a specimen, and note what it lacks; None where it cannot be made."""
        edition = self._attempt(lambda look: render(specimen.material(look)))
        for problem in _lacks(specimen, edition, self.templates) if edition else ():
            self.note(problem)
        return edition

    def pages(self, specimen: Specimen, edition: Edition) -> None:
        """Make what is no part of an issue: home page, 404 page, a withdrawn page, the strip."""
        at = edition.slot
        gone = replace(edition, key=IssueKey("2026-w48"))
        issues = (
            Published(edition=edition, at=at, updated=at),
            Published(edition=gone, at=at, updated=at, withdrawn=at),
        )
        for published in (issues, ()):
            self._attempt(partial(_site, specimen, published))
        for name in ("strip.html.j2", "strip.txt.j2"):
            self._attempt(partial(_strip, name))

    def _attempt(self, make: Callable[[TemplateSet], T]) -> T | None:
        """Make something, with shipped files in place of wrong ones as far as need be."""
        look = self.templates
        while True:
            try:
                return make(look)
            except TemplateError as error:
                for problem in error.problems:
                    self.note(problem)
                texts = self._mended(look, error.problems)
                if texts is None:
                    return None
                look = replace(look, texts=texts)

    def _mended(self, look: TemplateSet, problems: tuple[Problem, ...]) -> Mapping[str, str] | None:
        """Put shipped files in place of those named, else of what they include, else of all.

        None where no file but shipped ones is left.
        """
        other = {name: text for name, text in self.shipped.items() if look.texts.get(name) != text}
        wrong = {_LINE.sub("", problem.where) for problem in problems}
        named = {name for name in look.texts if look.place(name) in wrong}
        for names in (named, read_by(look, named), other.keys()):
            texts = {name: text for name, text in other.items() if name in names}
            if texts:
                return {**look.texts, **texts}
        return None


def _order(problem: Problem) -> tuple[str, list[int], str]:
    line = _LINE.search(problem.where)
    numbers = [int(part) for part in line[0].split(":")[1:]] if line else []
    return _LINE.sub("", problem.where), numbers, problem.what


def _site(
    specimen: Specimen, published: tuple[Published, ...], look: TemplateSet
) -> Mapping[str, bytes]:
    return build_site(specimen.newsletter, published, look, themes=specimen.themes)


def _strip(name: str, look: TemplateSet) -> str:
    return render_template(environment(look), name, {"strip": _STRIP})


def _lacks(specimen: Specimen, edition: Edition, look: TemplateSet) -> Iterator[Problem]:
    """Tell what every mail must have, by law and by the rules of mailbox providers."""
    lines = specimen.newsletter.postal_address.split("\n")
    for part, name in (("issue.html", MAIL), ("issue.txt", TEXT)):
        if all(place.name != _LEAVE for place in edition.fields[part]):
            yield Problem(
                what="has no [[leave_url]], so nobody can leave",
                where=look.place(name),
                fix="make it the target of a link at the foot",
            )
        shown = _bare(_TAG.sub("", edition.files[part].decode()))
        if any(_bare(line) not in shown for line in lines):
            yield Problem(
                what="does not show the postal address",
                where=look.place(name),
                fix="show letter.postal_address at the foot",
            )
    if specimen.long:
        yield from _late(specimen, edition, place=look.place(MAIL))


def _bare(text: str) -> str:
    return "".join(unescape(text).split()).rstrip(",")


def _late(specimen: Specimen, edition: Edition, *, place: str) -> Iterator[Problem]:
    """Tell which ways out of a mail stand behind its items alone, where it may be cut off."""
    html = edition.files["issue.html"]
    items = html.find(escape(edition.items[0].url).encode())
    view = html.find(escape(page_url(specimen.newsletter, edition.key)).encode())
    starts = [one.start for one in edition.fields["issue.html"] if one.name == _LEAVE]
    for start, field_ in ((min(starts, default=-1), "[[leave_url]]"), (view, "letter.page_url")):
        if not 0 <= start < items:
            yield Problem(
                what=f"has no link to {field_} before the items, where letter.long asks for it",
                where=place,
                fix=f"link to {field_} at the head as well, at least {{% if letter.long %}}",
            )
