"""A look tried out on all specimen issues: everything that is wrong with it, at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from digest.checks import RULES, Finding, Material, check_issue, stopping
from digest.checks.support import accepted_text, features, lacked
from digest.errors import Problem
from digest.files import write_file
from digest.files.shipped import (
    SUPPORT,
    own_files,
    own_place,
    read_templates,
    require_look,
    shipped_templates,
)
from digest.model import Edition
from digest.publish.look_bench import MAIL, TEXT, Bench, read_by
from digest.publish.project import Project
from digest.publish.specimen import Specimen, specimens
from digest.render import TemplateSet

__all__ = ["Checked", "Flaw", "Tried", "check_look"]

_NEAR: Final = 0.7  # how like a known name one must be to be taken for it, misspelt
_READ: Final = "what is read are the shipped names, and files in .j2 that one of them includes"
_PARTS: Final = {"issue.html": MAIL, "issue.txt": TEXT}
_LEVELS: Final = ("error", "warning", "note")
_SIZED: Final = ("issue.html", "issue.txt", "page.html", "entry.html")

_Made = Mapping[str, tuple[Specimen, Edition]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A specimen as a look made it: `sizes` are the octets of its parts, none if it could not."""

    name: str
    shows: str
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A finding of a check, its path that of the template, and the specimens that have it."""

    finding: Finding
    specimens: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What came of trying a look.

    `problems` must be mended, `notes` need not be. `stops` tells whether the command fails.
    `accepted` is the new baseline in the file `place`; None where nobody asked for one, or where
    problems stand before it. `written` tells whether that file changed.
    """

    look: str
    tried: tuple[Tried, ...]
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...]
    flaws: tuple[Flaw, ...]
    stops: bool
    place: str
    accepted: tuple[str, ...] | None = None
    written: bool = False


def check_look(project: Project, look: str = "", *, accept: bool = False) -> Checked:
    """Try a look, the one in use where none is named, on all specimens.

    With `accept` all that it uses and a mail program lacks becomes its baseline. Raise ConfigError
    for a look that is not there or a subject template that fails, TemplateError for files that are
    no UTF-8, FilesError where the baseline cannot be written.
    """
    used = project.settings.look
    require_look(project.root, look or used, where="" if look else "mail.look")
    look = look or used
    templates, trial = read_templates(project.root, look), specimens(project.settings.newsletter)
    shipped = {name: data.decode() for name, data in shipped_templates(look).items()}
    bench = Bench(templates=templates, shipped=shipped)
    made = _made(bench, trial)
    baseline = frozenset[str]() if accept else bench.baseline()
    strays, notes = _strays(project, look, templates)
    problems = (*bench.problems, *strays)
    place = f"{own_place(look)}/{SUPPORT}"
    accepted = _used(made) if accept and not problems else None
    flaws = _flaws(project, templates, made, support=frozenset(accepted or baseline))
    strict = project.settings.checks.strict
    return Checked(
        look=look,
        tried=tuple(_tried(specimen, made.get(specimen.name)) for specimen in trial),
        problems=problems,
        notes=notes,
        flaws=flaws,
        stops=bool(problems or stopping((flaw.finding for flaw in flaws), strict=strict)),
        place=place,
        accepted=accepted,
        written=accepted is not None and _write(project, place, accepted),
    )


def _made(bench: Bench, trial: tuple[Specimen, ...]) -> _Made:
    """Make all that a look makes; give the editions that could be, by the specimen's name."""
    bench.parse()
    made: dict[str, tuple[Specimen, Edition]] = {}
    for specimen in trial:
        edition = bench.edition(specimen)
        if edition is not None:
            made[specimen.name] = specimen, edition
    for specimen, edition in list(made.values())[:1]:
        bench.pages(specimen, edition)
    return made


def _tried(specimen: Specimen, made: tuple[Specimen, Edition] | None) -> Tried:
    sizes = {name: len(made[1].files[name]) for name in _SIZED} if made else {}
    return Tried(name=specimen.name, shows=specimen.shows, sizes=sizes)


def _used(made: _Made) -> tuple[str, ...]:
    """Name all that the mails use and a mail program lacks."""
    mails = (edition.files["issue.html"].decode() for _, edition in made.values())
    return tuple(sorted({slug for html in mails for slug in lacked(features(html))}))


def _write(project: Project, place: str, accepted: tuple[str, ...]) -> bool:
    with project.writing():
        data = accepted_text(accepted).encode()
        return write_file(project.root / place, data, root=project.root)


def _flaws(
    project: Project, templates: TemplateSet, made: _Made, *, support: frozenset[str]
) -> tuple[Flaw, ...]:
    """Ask the rules on looks about each edition; what several have is told once."""
    others = {rule.id for rule in RULES.values() if rule.about != "look"}
    ignore = frozenset({*others, *project.settings.checks.ignore})
    found: dict[Finding, list[str]] = {}
    for specimen, edition in made.values():
        material = Material(
            issue=specimen.issue,
            edition=edition,
            summaries=specimen.summaries,
            # Some are made not to fit: that is no fault of the look.
            newsletter=replace(specimen.newsletter, budget=0),
            pictures=specimen.pictures,
            support=support,
        )
        for finding in check_issue(material, ignore=ignore):
            # All that is asked is about the mail, wherever a rule tells it of.
            path = templates.place(_PARTS.get(finding.path.rpartition("/")[2], MAIL))
            names = found.setdefault(replace(finding, path=path, line=0), [])
            names.append(specimen.name)
    flaws = [
        Flaw(finding=finding, specimens=tuple(dict.fromkeys(names)))
        for finding, names in found.items()
    ]
    return tuple(sorted(flaws, key=_order))


def _order(flaw: Flaw) -> tuple[int, str]:
    return _LEVELS.index(flaw.finding.level), flaw.finding.rule


def _strays(
    project: Project, look: str, templates: TemplateSet
) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Find files that nothing reads: those that are most likely misspelt, then the others."""
    known = tuple(shipped_templates(look))
    read = {*known, SUPPORT, *read_by(templates, known)}
    misspelt: list[Problem] = []
    others: list[Problem] = []
    for place in own_files(project.root, look):
        name = place.rpartition("/")[2]
        if name in read:
            continue
        meant = _meant(name, known)
        fix = f"did you mean {meant}?" if meant else _READ
        problem = Problem(what="is read by nothing", where=place, fix=fix)
        (misspelt if meant else others).append(problem)
    return tuple(misspelt), tuple(others)


def _meant(name: str, known: tuple[str, ...]) -> str:
    """Give the known name that another one most likely is, misspelt; empty for none."""
    if name.startswith(known):
        return ""  # a copy put aside, such as `letter.mjml.j2.bak`
    # All end alike, so what comes before the first dot must be alike by itself.
    stems = {one.partition(".")[0] for one in known}
    near = get_close_matches(name.partition(".")[0], stems, cutoff=_NEAR)
    found = [one for one in known if one.partition(".")[0] in near]
    return next(iter(get_close_matches(name, found, n=1, cutoff=_NEAR)), "")
