"""Publish an issue: freeze its edition, put it on the site and into the feeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from digest.checks import Finding, stopping
from digest.content import Library
from digest.errors import GuardError, LockError, Problem
from digest.feeds import build_feeds
from digest.files import remove_file, sending_lock, tree_changes, write_file
from digest.model import History, Issue, IssueKey, PastIssue, Published, Seal, Send
from digest.publish.changes import edited_since, stale_sources
from digest.publish.drafts import frozen, seal_issue, settle
from digest.publish.editions import Kept, keep, material_from, read_kept
from digest.publish.inspect import findings_of
from digest.publish.project import Project, missing, past_of, taken_back
from digest.publish.remembered import past_items
from digest.site import build_site

__all__ = ["Released", "publish_issue", "refresh_site", "refuse_stopped", "withdraw_issue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """What came of publishing.

    `state` is `published`, `unchanged` where it already was, `withdrawn` where it was taken back.
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
    next call after a crash. Raise UsageError where there is no issue file or no edition, GuardError
    where the issue is held or empty, its file was edited after the build, or a check has an error.
    """
    with project.writing(dry_run=dry_run):
        library = project.library()
        history = project.history(library)
        scene = _Scene(project=project, library=library, history=history, now=now, dry_run=dry_run)
        issue = project.issue(key)
        past = past_of(history, key)
        if past is not None:
            kept = frozen(project, past, library, dry_run=dry_run)
            state = "withdrawn" if past.withdrawn else "unchanged"
            return Released(key=key, state=state, kept=kept, changed=_commit(scene))
        if issue is None or not (issue.picked or issue.skip):
            what = "issue file" if issue is None else "items"
            raise missing(what, key, f"run `digest build {key}` first")
        kept = _edition(scene, issue)
        findings = _checked(scene, issue, kept)
        settle(project, issue, kept, dry_run=dry_run)
        changed = _commit(scene, (_past(scene, kept), kept))
        return Released(
            key=key,
            state="published",
            kept=kept,
            changed=changed,
            findings=findings,
            stale=stale_sources(project, kept),
        )


def _edition(scene: _Scene, issue: Issue) -> Kept:
    """Give the edition that is about to go out, with its number; raise where it must not."""
    project, file = scene.project, scene.project.shown(scene.project.issue_file(issue.key))
    refuse_stopped(project, issue)
    if not project.folder(issue.key).is_dir():
        raise missing("edition", issue.key, f"run `digest build {issue.key}` first")
    kept = read_kept(project.folder(issue.key), root=project.root)
    material = material_from(kept)
    if not issue.items:
        raise GuardError(
            "has no items, and an empty issue goes to nobody",
            where=file,
            fix="name summaries in its `items`, or remove the file and build again",
        )
    if edited_since(issue, material.issue):
        raise GuardError(
            "was edited after the edition was built",
            where=file,
            fix=f"run `digest build {issue.key}` to take the edit in, look at it, publish again",
        )
    number = project.number(scene.history)
    if kept.edition.number != number:
        return keep(replace(material, number=number))
    return kept


def refuse_stopped(project: Project, issue: Issue) -> None:
    """Raise GuardError for an issue that its file holds back or skips, or that was taken back."""
    file = project.shown(project.issue_file(issue.key))
    if issue.hold:
        raise GuardError(
            f"is held: {issue.hold}",
            where=file,
            fix=f"run `digest hold {issue.key} --release`, or take the line `hold` out of the file",
        )
    if issue.skip:
        raise GuardError(
            f"is skipped: {issue.skip}",
            where=file,
            fix=f"run `digest skip {issue.key} --release`, then build it",
        )
    if issue.seal is not None and issue.seal.withdrawn is not None:
        raise taken_back(file)


def _checked(scene: _Scene, issue: Issue, kept: Kept) -> tuple[Finding, ...]:
    project = scene.project
    findings = findings_of(
        project, issue, kept, library=scene.library, history=scene.history, at=scene.now
    )
    problems = tuple(
        Problem(
            what=f"{finding.rule}: {finding.message}",
            where=finding.place,
            fix=f"mend it and build again; `digest check --explain {finding.rule}`",
        )
        for finding in stopping(findings, strict=project.settings.checks.strict)
    )
    if problems:
        raise GuardError.of(problems)
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


def refresh_site(project: Project, *, now: datetime, dry_run: bool = False) -> tuple[str, ...]:
    """Bring site and feeds up to date with what is published, be it nothing; give what changed.

    What database and seals have lost of it is put back. Raise as `publish_issue` does.
    """
    with project.writing(dry_run=dry_run):
        library = project.library()
        history = project.history(library)
        return _commit(
            _Scene(project=project, library=library, history=history, now=now, dry_run=dry_run)
        )


def withdraw_issue(
    project: Project, key: IssueKey, *, now: datetime, dry_run: bool = False
) -> tuple[bool, tuple[str, ...]]:
    """Take a published issue back from site and feeds, for good; give what changed there.

    The first part is False where it was taken back before. Its page says so. Where no mail of it
    went out, its items are free for other issues. Raise GuardError where it is not published, or
    its mails are going out, and LockError while any issue is being sent.
    """
    with _nothing_sent(project, key, dry_run=dry_run), project.writing(dry_run=dry_run):
        library = project.library()
        history = project.history(library)
        past = past_of(history, key)
        if past is None:
            raise GuardError(
                "is not published, so there is nothing to take back",
                where=key,
                fix=f"`digest skip {key}` leaves the week out",
            )
        fresh = past.withdrawn is None
        if fresh:
            taken = replace(past, withdrawn=now.replace(microsecond=0), freed=_unsent(project, key))
            history = tuple(taken if one is past else one for one in history)
        scene = _Scene(project=project, library=library, history=history, now=now, dry_run=dry_run)
        return fresh, _commit(scene)


@contextmanager
def _nothing_sent(project: Project, key: IssueKey, *, dry_run: bool) -> Iterator[None]:
    """Keep every send from beginning or going on; a dry run keeps nothing."""
    with ExitStack() as stack:
        try:
            stack.enter_context(nullcontext() if dry_run else sending_lock(project.private))
        except LockError as error:
            [problem] = error.problems
            fix = f"wait until it is done, or stop it with `digest hold {key}`; then withdraw it"
            raise LockError(problem.what, where=problem.where, fix=fix) from error
        yield


def _unsent(project: Project, key: IssueKey) -> bool:
    """Tell whether no mail of an issue went out; raise GuardError while some is still to go."""
    issue = project.issue(key)
    with project.ledger() as store:
        send = store.deliveries.send(key) if store else None
    if send is not None and send.finished is None and not (send.paused or (issue and issue.hold)):
        raise GuardError(
            "its mails are going out",
            where=key,
            fix=f"`digest hold {key}` stops them; then withdraw it",
        )
    return send is None and not (issue and issue.seal and issue.seal.sent)


def _public(
    project: Project, library: Library, published: tuple[tuple[PastIssue, Kept], ...]
) -> Mapping[str, bytes]:
    """Make the site and the feeds of all published issues, each from its frozen edition.

    Pictures come first and the home page last, so that what is shown or linked to is there before.
    """
    editions = tuple(
        Published(edition=kept.edition, at=past.at, updated=past.at, withdrawn=past.withdrawn)
        for past, kept in published
    )
    newsletter, themes = project.settings.newsletter, project.themes(library.summaries)
    pages = build_site(newsletter, editions, project.templates(), themes=themes)
    home = {"index.html": pages.pop("index.html")}
    pictures = {name: data for name, data in pages.items() if name.startswith(_PICTURES)}
    return {**pictures, **pages, **build_feeds(newsletter, editions), **home}


_PICTURES: Final = "pictures/"


def _taken_down(
    published: tuple[tuple[PastIssue, Kept], ...], files: Mapping[str, bytes]
) -> tuple[str, ...]:
    """Name the pictures of withdrawn issues that no other issue shows."""
    names = {
        name
        for past, kept in published
        if past.withdrawn
        for name in kept.edition.files
        if name.startswith(_PICTURES)
    }
    return tuple(sorted(names - set(files)))


def _write(
    project: Project, files: Mapping[str, bytes], *, gone: tuple[str, ...], dry_run: bool
) -> tuple[str, ...]:
    """Write the public files and remove those that are `gone`; tell which changed."""
    site = project.outbox / "site"
    if dry_run:
        changed = tree_changes(site, files, root=project.root)
        changed += tuple(name for name in gone if (site / name).is_file())
    else:
        # Files that are not ours stay: people put a CNAME or a picture beside the pages.
        changed = tuple(
            name for name, data in files.items() if write_file(site / name, data, root=project.root)
        )
        changed += tuple(name for name in gone if remove_file(site / name, root=project.root))
    return tuple(f"outbox/site/{name}" for name in changed)


def _commit(scene: _Scene, fresh: tuple[PastIssue, Kept] | None = None) -> tuple[str, ...]:
    """Commit, seal, write the site, in this order; give the public files that changed.

    `fresh` is what goes out now; all that was published before is looked at anew.
    """
    project, library = scene.project, scene.library
    earlier = [past for past in scene.history if past.published]
    # Made before the commit, so that nothing is decided while it cannot be shown.
    out = [(past, frozen(project, past, library, dry_run=scene.dry_run)) for past in earlier]
    out += [fresh] if fresh else []
    files = _public(project, library, tuple(out))
    if out and not scene.dry_run:
        sends = _record(project, earlier, fresh[0] if fresh else None)
        for past, kept in out:
            _seal(project, past, kept, send=sends.get(past.key))
    gone = _taken_down(tuple(out), files)
    return _write(project, files, gone=gone, dry_run=scene.dry_run)


def _record(
    project: Project, earlier: list[PastIssue], fresh: PastIssue | None
) -> dict[IssueKey, Send]:
    """Commit what is published to the database, first what it should have known already.

    Give the sends it knows of.
    """
    with project.opened() as store:
        known = {stored.key for stored in store.history()}
        for past in earlier:
            if past.key not in known:
                # The database lost it, or is new: it is taken back from its issue file's seal.
                store.record(past, slot=project.slot(past.key).at, restored=True)
            if past.withdrawn is not None:
                store.withdraw(past.key, at=past.withdrawn, freed=past.freed)
        if fresh is not None:
            store.record(fresh, slot=project.slot(fresh.key).at)
        return {send.issue: send for send in store.deliveries.sends()}


def _seal(project: Project, past: PastIssue, kept: Kept, *, send: Send | None) -> None:
    """Seal the file of an issue that is out, where a crash or a loss left it without."""
    issue = project.issue(past.key) or material_from(kept).issue
    old = issue.seal if issue.seal and issue.seal.edition == past.edition else None
    # The database gives moments in UTC; in the file they stand in the newsletter's zone.
    zone = project.settings.newsletter.zone
    began = send.began.astimezone(zone) if send else None
    ended = send.finished.astimezone(zone) if send and send.finished else None
    new = Seal(
        at=old.at if old else past.at.astimezone(zone),
        number=past.number,
        edition=past.edition,
        sent=(old.sent if old else None) or began,
        ended=(old.ended if old else None) or ended,
        withdrawn=past.withdrawn.astimezone(zone) if past.withdrawn else None,
    )
    if new != old:
        seal_issue(project, replace(issue, seal=new))
