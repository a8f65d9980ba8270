"""Publish an issue: freeze its edition, put it on the site and into the feeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from digest.checks import Finding
from digest.content import Library
from digest.errors import GuardError, Problem
from digest.feeds import build_feeds
from digest.files import tree_changes, write_file
from digest.model import History, Issue, IssueKey, PastIssue, Published, Seal
from digest.publish.build import draft, seal_issue, settle, whole_seconds
from digest.publish.editions import Kept, keep, material_from, read_kept
from digest.publish.inspect import findings_of
from digest.publish.project import Project, missing, past_items
from digest.site import build_site
from digest.store import open_store

__all__ = ["Released", "publish_issue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """What came of publishing: `state` is `published`, or `unchanged` where it already was."""

    key: IssueKey
    state: str
    issue: Issue
    kept: Kept
    at: datetime
    changed: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def publish_issue(
    project: Project, key: IssueKey, *, now: datetime, dry_run: bool = False
) -> Released:
    """Publish one issue, once.

    The edition that goes out is the one in the outbox; only its number is set anew where another
    issue came first. The commit to the database decides; what comes after it is repeated by the
    next call after a crash. Raise GuardError where the issue is held or a check has an error.
    """
    with project.writing(dry_run=dry_run):
        library = project.library()
        history = project.history(library)
        issue = project.issue(key)
        if issue is None:
            raise missing("issue file", key, f"run `digest build {key}` first")
        past = next((past for past in history if past.key == key and past.published), None)
        if past is None:
            kept, findings = _ready(project, issue, library, history=history, dry_run=dry_run)
            past = _past(project, issue, kept, library=library, history=history, now=now)
            state = "published"
        else:
            kept, findings, state = _frozen(project, past), (), "unchanged"
        published = _published(project, history, past=past, kept=kept)
        files = _public(project, published, library)
        # The database gives the moment in UTC; in the file it stands in the newsletter's zone.
        at = past.at.astimezone(project.settings.newsletter.zone)
        sealed = replace(issue, seal=Seal(at=at, number=past.number, edition=past.edition))
        changed = _commit(project, history, past=past, issue=sealed, files=files, dry_run=dry_run)
        return Released(
            key=key,
            state=state,
            issue=sealed,
            kept=kept,
            at=past.at,
            changed=changed,
            findings=findings,
        )


def _ready(
    project: Project, issue: Issue, library: Library, *, history: History, dry_run: bool
) -> tuple[Kept, tuple[Finding, ...]]:
    """Give the edition that is about to go out, or say why it must not."""
    if issue.hold:
        raise GuardError(
            f"is held: {issue.hold}",
            where=project.shown(project.issue_file(issue.key)),
            fix="take the line `hold` out of the file to release it",
        )
    if project.folder(issue.key).is_dir():
        kept = read_kept(project.folder(issue.key), root=project.root)
        number = project.number(history)
        if kept.edition.number != number:
            kept = keep(replace(material_from(kept), number=number))
            settle(project, issue, kept, dry_run=dry_run)
    else:
        kept, _ = draft(project, issue, library, history=history, dry_run=dry_run)
    findings = findings_of(project, issue, kept, library=library, history=history)
    errors = [finding for finding in findings if finding.level == "error"]
    if errors:
        raise GuardError.of(
            tuple(
                Problem(
                    what=f"{finding.rule}: {finding.message}",
                    where=f"{finding.path}:{finding.line}" if finding.line else finding.path,
                    fix=f"mend it and build again; `digest check --explain {finding.rule}`",
                )
                for finding in errors
            )
        )
    return kept, findings


def _past(
    project: Project,
    issue: Issue,
    kept: Kept,
    *,
    library: Library,
    history: History,
    now: datetime,
) -> PastIssue:
    by_id = {summary.id: summary for summary in library.summaries}
    return PastIssue(
        key=issue.key,
        at=whole_seconds(now),
        theme=issue.theme,
        items=past_items(issue, by_id),
        published=True,
        number=project.number(history),
        edition=kept.fingerprint,
    )


def _frozen(project: Project, past: PastIssue) -> Kept:
    kept = read_kept(project.folder(past.key), root=project.root)
    if kept.fingerprint != past.edition:
        raise GuardError(
            "is not the edition that was published; a published issue never changes",
            where=project.shown(project.folder(past.key)),
            fix="put the folder back from a backup or from git",
        )
    return kept


def _published(
    project: Project, history: History, *, past: PastIssue, kept: Kept
) -> tuple[Published, ...]:
    earlier = [other for other in history if other.published and other.key != past.key]
    pairs = [(other, _frozen(project, other)) for other in earlier]
    return tuple(
        Published(edition=edition.edition, at=issue.at, updated=issue.at)
        for issue, edition in (*pairs, (past, kept))
    )


def _public(
    project: Project, published: tuple[Published, ...], library: Library
) -> dict[str, bytes]:
    newsletter = project.settings.newsletter
    themes = project.themes(library.summaries)
    pages = build_site(newsletter, published, project.templates(), themes=themes)
    return {**pages, **build_feeds(newsletter, published)}


def _commit(
    project: Project,
    history: History,
    *,
    past: PastIssue,
    issue: Issue,
    files: Mapping[str, bytes],
    dry_run: bool,
) -> tuple[str, ...]:
    site = project.outbox / "site"
    if dry_run:
        changed = tree_changes(site, files, root=project.root)
        return tuple(f"outbox/site/{name}" for name in changed)
    settings = project.settings
    with open_store(settings.store_url, create=True, shown=settings.store_name) as store:
        known = {stored.key for stored in store.history()}
        for other in history:
            if other.published and other.key not in known:
                # The database lost it, or is new: it is taken back from its issue file's seal.
                store.record(other, slot=project.slot(other.key).at)
        store.record(past, slot=issue.slot.at)
    seal_issue(project, issue)
    # Files that are not ours stay: people put a CNAME or a picture beside the pages.
    changed = tuple(
        name for name, data in files.items() if write_file(site / name, data, root=project.root)
    )
    return tuple(f"outbox/site/{name}" for name in changed)
