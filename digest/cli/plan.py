"""The command that tells what is coming: plan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from zoneinfo import ZoneInfo

import click

from digest.cli.call import Call, Command
from digest.content import Library
from digest.errors import UsageError
from digest.model import Pick, Summary
from digest.picking.health import Health
from digest.publish.plan import Planned, health_of, late_issues, plan_issues
from digest.publish.project import Project
from digest.publish.wording import moment_text, queue_text, theme_text

__all__ = ["plan_command"]


@click.command("plan", cls=Command, short_help="Tell which issues are coming.")
@click.option("--weeks", type=click.IntRange(1, 520), default=4, show_default=True)
@click.option("--html", "as_page", is_flag=True, help="Print a page with a calendar instead.")
@click.option("--against", metavar="REV", help="Tell what changed since a git revision.")
@click.pass_obj
def plan_command(call: Call, *, weeks: int, as_page: bool, against: str | None) -> int:
    """Tell which issues are coming, with their themes and summaries, and what runs short."""
    if as_page and (against is not None or call.as_json):
        raise UsageError("--html goes with neither --against nor --json", fix="leave one out")
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    if against is not None:
        return _against(call, project, against, now=now, weeks=weeks)
    known = project.known()
    planned, library = plan_issues(project, now=now, weeks=weeks, known=known)
    health = health_of(project, planned, late=late_issues(project, known, now=now))
    call.notes(library.notes)
    if as_page:
        click.echo(_page(project, planned, library, health=health, now=now), nl=False)
        return call.complain(library.problems)
    by_id = {summary.id: summary for summary in library.summaries}
    for entry in planned:
        _tell_planned(call, entry, by_id, zone=project.settings.newsletter.zone)
    _tell_health(call, health)
    call.answer(
        {
            "issues": [_told(entry, by_id) for entry in planned],
            "health": asdict(health),
        },
        problems=library.problems,
    )
    return call.complain(library.problems)


def _against(call: Call, project: Project, revision: str, *, now: datetime, weeks: int) -> int:
    # Loaded only for this: most plans ask nothing of git.
    from digest.cli.against import tell_against  # noqa: PLC0415 - see above
    from digest.publish.against import plan_against  # noqa: PLC0415 - see above

    found = plan_against(
        project, revision, now=now, weeks=weeks, environ=os.environ, overrides=call.settings
    )
    return tell_against(call, found)


def _page(
    project: Project,
    planned: tuple[Planned, ...],
    library: Library,
    *,
    health: Health,
    now: datetime,
) -> str:
    from digest.desk import plan_page  # noqa: PLC0415 - the page's parts load only for it
    from digest.publish.plan_shown import show_plan  # noqa: PLC0415 - as above

    newsletter = project.settings.newsletter
    shown = show_plan(project, planned, library, health=health)
    as_of = moment_text(now, newsletter.zone)
    return plan_page(shown, newsletter=newsletter.name, as_of=as_of).decode()


def _told(entry: Planned, by_id: Mapping[str, Summary]) -> dict[str, object]:
    items = entry.issue.items if entry.issue else ()
    return {
        "issue": entry.slot.issue,
        "slot": entry.slot.at.isoformat(),
        "state": entry.state,
        "theme": entry.issue.theme if entry.issue else "",
        "items": [_item(pick, by_id.get(pick.id)) for pick in items],
        "shortages": list(entry.shortages),
        "skipped": entry.skipped,
    }


def _item(pick: Pick, summary: Summary | None) -> dict[str, str]:
    return {
        "id": pick.id,
        "title": summary.title if summary else pick.id,
        "url": summary.url if summary else "",
        "path": summary.path if summary else "",
        "reason": pick.reason,
    }


def _tell_planned(
    call: Call, entry: Planned, by_id: Mapping[str, Summary], *, zone: ZoneInfo
) -> None:
    at = moment_text(entry.slot.at, zone)
    if entry.issue is None:
        call.say(f"{entry.slot.issue}  {at}  no issue: {entry.skipped}")
        return
    call.say(f"{entry.slot.issue}  {at}  {theme_text(entry.issue.theme)}  ({entry.state})")
    if call.verbose and entry.issue.theme_reason:
        call.say(f"  why this theme: {entry.issue.theme_reason}")
    for shortage in entry.shortages:
        call.say(f"  short: {shortage}")
    for pick in entry.issue.items:
        summary = by_id.get(pick.id)
        nobody = f"{pick.id}  (no summary has this id)"
        call.say(f"  - {summary.title if summary else nobody}")
        if call.verbose:
            call.say(f"    why: {pick.reason}")


def _tell_health(call: Call, health: Health) -> None:
    """Tell in a few lines how the queue stands."""
    if health.themes:
        call.say(f"queue: {queue_text(health)}")
    for shortage in health.shortages:
        call.say(f"  {shortage}")
