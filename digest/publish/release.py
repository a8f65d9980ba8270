"""Publish an issue: freeze its edition, put it on the site and into the feeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from digest.checks import Finding
from digest.content import Library, dump_issue
from digest.errors import GuardError, Problem
from digest.feeds import build_feeds
from digest.files import tree_changes, write_file
from digest.model import History, Issue, IssueKey, PastIssue, Published, Seal
from digest.publish.drafts import draft, frozen, placed, seal_issue, settle
from digest.publish.editions import Kept, keep, material_from, read_kept
from digest.publish.inspect import findings_of
from digest.publish.project import Project, missing, past_items
from digest.site import build_site
from digest.store import open_store

__all__ = ["Released", "publish_issue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """What came of publishing: `state` is `published`, or `unchanged` where it already was.

    `changed` names the public files written, or, in a dry run, those that would be. `stale` names
    summaries saved after the edition was built: it does not have what is new in them.
    """

    key: IssueKey
    state: str
    kept: Kept
    changed: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What all steps of one publishing look at."""

    project: Project
    library: Library
    history: History
    now: datetime
    dry_run: bool


def publish_issue(
    project: Project, key: IssueKey, *, now: datetime, dry_run: bool = False
) -> Released:
    """Publish one issue, once.

    The edition that goes out is the one in the outbox; only its number is set anew where another
    issue came first. The commit to the database decides; what comes after it is repeated by the
    next call after a crash. Raise UsageError where there is no issue file, GuardError where the
    issue is held, its file was edited after the build, or a check has an error.
    """
    with project.writing(dry_run=dry_run):
        library = project.library()
        history = project.history(library)
        scene = _Scene(project=project, library=library, history=history, now=now, dry_run=dry_run)
        issue = project.issue(key)
        past = next((past for past in history if past.key == key and past.published), None)
        if past is not None:
            kept = frozen(project, past, library, dry_run=dry_run)
            issue = issue or material_from(kept).issue
            changed = _commit(scene, past=past, issue=issue, kept=kept)
            return Released(key=key, state="unchanged", kept=kept, changed=changed)
        if issue is None:
            raise missing("issue file", key, f"run `digest build {key}` first")
        kept = _edition(scene, issue)
        findings = _checked(scene, issue, kept)
        changed = _commit(scene, past=_past(scene, kept), issue=issue, kept=kept)
        return Released(
            key=key,
            state="published",
            kept=kept,
            changed=changed,
            findings=findings,
            stale=_stale(project, kept),
        )


def _edition(scene: _Scene, issue: Issue) -> Kept:
    """Give the edition that is about to go out, with its number; build it where there is none."""
    project, file = scene.project, scene.project.shown(scene.project.issue_file(issue.key))
    if issue.hold:
        raise GuardError(
            f"is held: {issue.hold}",
            where=file,
            fix="take the line `hold` out of the file to release it",
        )
    placed_issue = placed(project, issue, scene.library)
    if not project.folder(issue.key).is_dir():
        kept, _ = draft(
            project, placed_issue, scene.library, history=scene.history, dry_run=scene.dry_run
        )
        return kept
    kept = read_kept(project.folder(issue.key), root=project.root)
    material = material_from(kept)
    if _said(placed_issue) != _said(material.issue):
        raise GuardError(
            "was edited after the edition was built",
            where=file,
            fix=f"run `digest build {issue.key}` to take the edit in, look at it, publish again",
        )
    number = project.number(scene.history)
    if kept.edition.number != number:
        kept = keep(replace(material, number=number))
        settle(project, issue, kept, dry_run=scene.dry_run)
    return kept


def _said(issue: Issue) -> str:
    """Give what an issue file says, but for what is no part of the edition."""
    return dump_issue(replace(issue, seal=None, hold=""))


def _checked(scene: _Scene, issue: Issue, kept: Kept) -> tuple[Finding, ...]:
    project = scene.project
    findings = findings_of(project, issue, kept, library=scene.library, now=scene.now)
    stops = {"error", "warning"} if project.settings.checks.strict else {"error"}
    stopping = [finding for finding in findings if finding.level in stops]
    if stopping:
        raise GuardError.of(
            tuple(
                Problem(
                    what=f"{finding.rule}: {finding.message}",
                    where=f"{finding.path}:{finding.line}" if finding.line else finding.path,
                    fix=f"mend it and build again; `digest check --explain {finding.rule}`",
                )
                for finding in stopping
            )
        )
    return findings


def _past(scene: _Scene, kept: Kept) -> PastIssue:
    """Make the record of what goes out now: what the edition holds, not what was said since."""
    material = material_from(kept)
    return PastIssue(
        key=kept.edition.key,
        at=scene.now.replace(microsecond=0),  # feeds and seals keep whole seconds
        theme=material.issue.theme,
        items=past_items(material.issue, material.summaries()),
        published=True,
        number=kept.edition.number,
        edition=kept.fingerprint,
    )


def _stale(project: Project, kept: Kept) -> tuple[str, ...]:
    sources = material_from(kept).sources
    files = {path: project.content / path for path in sources}
    return tuple(
        project.shown(file)
        for path, file in files.items()
        if file.is_file() and file.read_bytes() != sources[path]
    )


def _public(scene: _Scene, *, past: PastIssue, kept: Kept) -> Mapping[str, bytes]:
    """Make the site and the feeds of all published issues, each from its frozen edition."""
    project, library = scene.project, scene.library
    earlier = [other for other in scene.history if other.published and other.key != past.key]
    pairs = [(other, frozen(project, other, library, dry_run=scene.dry_run)) for other in earlier]
    published = tuple(
        Published(edition=edition.edition, at=issue.at, updated=issue.at)
        for issue, edition in (*pairs, (past, kept))
    )
    newsletter, themes = project.settings.newsletter, project.themes(library.summaries)
    pages = build_site(newsletter, published, project.templates(), themes=themes)
    return {**pages, **build_feeds(newsletter, published)}


def _commit(scene: _Scene, *, past: PastIssue, issue: Issue, kept: Kept) -> tuple[str, ...]:
    """Commit, seal, write the site, in this order; give the public files that changed."""
    project, site = scene.project, scene.project.outbox / "site"
    # Made before the commit, so that nothing is decided while it cannot be shown.
    files = _public(scene, past=past, kept=kept)
    if scene.dry_run:
        changed = tree_changes(site, files, root=project.root)
        return tuple(f"outbox/site/{name}" for name in changed)
    settings = project.settings
    with open_store(settings.store_url, create=True, shown=settings.store_name) as store:
        known = {stored.key for stored in store.history()}
        for other in scene.history:
            if other.published and other.key not in known:
                # The database lost it, or is new: it is taken back from its issue file's seal.
                store.record(other, slot=project.slot(other.key).at)
        store.record(past, slot=project.slot(past.key).at)
    # The database gives the moment in UTC; in the file it stands in the newsletter's zone.
    at = past.at.astimezone(settings.newsletter.zone)
    seal_issue(project, replace(issue, seal=Seal(at=at, number=past.number, edition=past.edition)))
    # Files that are not ours stay: people put a CNAME or a picture beside the pages.
    changed = tuple(
        name for name, data in files.items() if write_file(site / name, data, root=project.root)
    )
    return tuple(f"outbox/site/{name}" for name in changed)
