"""Check an issue: what an editor must know before it goes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from types import MappingProxyType

from digest.checks import RULES, Finding, Material, check_issue
from digest.checks.support import read_accepted
from digest.content import Library
from digest.errors import ConfigError
from digest.files.shipped import SUPPORT
from digest.model import History, Issue, IssueKey, LinkState, Send, Slot
from digest.picking import already_out
from digest.publish.editions import Kept, material_from, read_kept
from digest.publish.ingredients import pictures_of
from digest.publish.project import Known, Project, missing, past_of

__all__ = ["Checked", "check", "findings_at", "findings_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The findings of an edition, errors first, and what was read for them."""

    kept: Kept
    library: Library
    findings: tuple[Finding, ...]
    links: Mapping[str, LinkState]


def check(
    project: Project,
    key: IssueKey,
    *,
    now: datetime,
    ask: Callable[[Kept], Mapping[str, LinkState]] | None = None,
) -> Checked:
    """Check the edition in the outbox of one issue; `ask` tells how the targets of links answer."""
    issue = project.issue(key)
    if issue is None or not project.folder(key).is_dir():
        raise missing("edition", key, f"run `digest build {key}` first")
    kept = read_kept(project.folder(key), root=project.root)
    known = project.known()
    links = ask(kept) if ask else {}
    found = findings_at(project, issue, kept, known=known, now=now, links=links)
    return Checked(kept=kept, library=known.library, findings=found, links=links)


def findings_at(
    project: Project,
    issue: Issue,
    kept: Kept,
    *,
    known: Known,
    now: datetime,
    links: Mapping[str, LinkState] = MappingProxyType({}),
) -> tuple[Finding, ...]:
    """Give the findings of an issue, errors first, as of the moment it goes or went out.

    `links` says how the targets of its links answered.
    """
    out = past_of(known.history, issue.key)
    material = _material(
        project,
        issue,
        kept,
        library=known.library,
        history=known.history,
        at=out.at if out else project.due(issue.key, now).at,
    )
    before = _audience(known.sends, issue.key)
    return _findings(
        project, replace(material, readers=known.readers, audience=before, links=links)
    )


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
    with project.ledger() as store:
        sends = store.deliveries.sends() if store else ()
    before = _audience(sends, issue.key)
    return _findings(project, replace(material, readers=project.readers(), audience=before))


def _audience(sends: tuple[Send, ...], key: IssueKey) -> int | None:
    """Count to how many the last other issue was sent; None where none was."""
    others = [send for send in sends if send.issue != key and send.finished is not None]
    return max(others, key=lambda send: send.began).audience if others else None


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
    made = material_from(kept)
    # An edition of before looks said what they accept is judged by the look of today.
    templates = made.templates if SUPPORT in made.templates.texts else project.templates()
    _, broken = pictures_of(project, issue, summaries.values())
    return Material(
        issue=issue,
        edition=kept.edition,
        summaries=summaries,
        newsletter=project.settings.newsletter,
        history=tuple(past for past in history if past.key != issue.key),
        already=_already(project, issue, library=library, history=history, at=at),
        at=at,
        content_folder=project.settings.content.folder,
        issues_folder=project.settings.content.issues,
        settings_file=project.settings.file_name,
        pictures=made.pictures,
        broken=broken,
        support=read_accepted(templates.texts[SUPPORT], place=templates.place(SUPPORT)),
    )


def _already(
    project: Project, issue: Issue, *, library: Library, history: History, at: datetime
) -> dict[str, str]:
    """Say of items that another issue has, and that may not come again, which one that is."""
    ask = partial(
        already_out,
        library.summaries,
        slot=Slot(issue=issue.key, at=at),
        themes=project.settings.themes,
        policy=project.settings.policy,
    )
    before = _before(history, issue.key)
    told = ask(history=before, reserved=True)
    if not any(item.id in told for item in issue.items):
        return {}
    # What an earlier file reserves may come again by a cooldown, as it may once that is out.
    out = ask(history=tuple(replace(past, published=True) for past in before))
    return {item.id: told[item.id] for item in issue.items if item.id in told and item.id in out}


def _before(history: History, key: IssueKey) -> History:
    """Give the issues that go before one, whose items are theirs.

    Of two that are not out the earlier week has what both name; once one is out, all that is out
    before does.
    """
    out = past_of(history, key)
    if out is not None:
        return tuple(past for past in history if past.published and past.at < out.at)
    return tuple(past for past in history if past.published or past.key < key)
