"""Check an issue: what an editor must know before it goes out."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from digest.checks import RULES, Finding, Material, check_issue
from digest.content import Library
from digest.errors import ConfigError
from digest.files import on_disk
from digest.model import History, Issue, IssueKey, Summary
from digest.publish.editions import Kept, read_kept
from digest.publish.project import Known, Project, missing

__all__ = ["check", "findings_at", "findings_of"]

# What a Markdown or HTML picture names, to find its file; the renderer reads them properly.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_LONGEST = 1000  # no file system takes longer paths of one folder
_PICTURE = re.compile(r"!\[[^\]]*\]\(\s*<?([^\s)>]+)|<img[^>]*\ssrc=[\"']([^\"']+)", re.IGNORECASE)


def check(project: Project, key: IssueKey, *, now: datetime) -> tuple[tuple[Finding, ...], Library]:
    """Check the edition in the outbox of one issue; give the findings and the library."""
    issue = project.issue(key)
    if issue is None or not project.folder(key).is_dir():
        raise missing("edition", key, f"run `digest build {key}` first")
    kept = read_kept(project.folder(key), root=project.root)
    known = project.known()
    return findings_at(project, issue, kept, known=known, now=now), known.library


def findings_at(
    project: Project, issue: Issue, kept: Kept, *, known: Known, now: datetime
) -> tuple[Finding, ...]:
    """Give the findings of an issue, errors first, as of the moment it goes or went out."""
    out = [past.at for past in known.history if past.key == issue.key and past.published]
    material = _material(
        project,
        issue,
        kept,
        library=known.library,
        history=known.history,
        at=out[0] if out else project.due(issue.key, now).at,
    )
    return _findings(project, replace(material, readers=known.readers))


def findings_of(
    project: Project,
    issue: Issue,
    kept: Kept,
    *,
    library: Library,
    history: History,
    at: datetime,
) -> tuple[Finding, ...]:
    """Give the findings of an issue that goes out at a moment, errors first."""
    material = _material(project, issue, kept, library=library, history=history, at=at)
    return _findings(project, replace(material, readers=project.readers()))


def _findings(project: Project, material: Material) -> tuple[Finding, ...]:
    unknown = [rule for rule in project.settings.checks.ignore if rule not in RULES]
    if unknown:
        raise ConfigError(
            f"there is no check {', '.join(unknown)}",
            where=f"{project.settings.file_name}: checks.ignore",
            fix="`digest check --explain` names those there are",
        )
    return check_issue(material, ignore=frozenset(project.settings.checks.ignore))


def _material(
    project: Project,
    issue: Issue,
    kept: Kept,
    *,
    library: Library,
    history: History,
    at: datetime,
) -> Material:
    by_id = {summary.id: summary for summary in library.summaries}
    summaries = {pick.id: by_id[pick.id] for pick in issue.items if pick.id in by_id}
    return Material(
        issue=issue,
        edition=kept.edition,
        summaries=summaries,
        newsletter=project.settings.newsletter,
        history=tuple(past for past in history if past.key != issue.key),
        at=at,
        content_folder=project.settings.content.folder,
        issues_folder=project.settings.content.issues,
        settings_file=project.settings.file_name,
        pictures=_pictures(project.content, tuple(summaries.values())),
    )


def _pictures(content: Path, summaries: tuple[Summary, ...]) -> dict[str, tuple[int, int | None]]:
    """Measure the local pictures that summaries show: path in the content folder to bytes."""
    found: dict[str, tuple[int, int | None]] = {}
    for summary in summaries:
        names = [first or second for first, second in _PICTURE.findall(summary.body)]
        if summary.image:
            names.append(summary.image.url)
        for name in names:
            if _SCHEME.match(name) or len(name) > _LONGEST:
                continue
            path = normpath(join(dirname(summary.path), unquote(name)))
            file = on_disk(content, path)
            if not path.startswith("..") and file.is_file():
                found[path] = (file.stat().st_size, None)
    return found
