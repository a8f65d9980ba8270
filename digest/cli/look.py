"""Commands that only look: plan, why, status, config."""

from __future__ import annotations

import click

from digest.cli.call import Call, Command
from digest.publish.plan import Planned, plan_issues, why
from digest.publish.state import status

__all__ = ["config_command", "plan_command", "status_command", "why_command"]


@click.command("plan", cls=Command, short_help="Tell which issues are coming.")
@click.option("--weeks", type=click.IntRange(1, 520), default=4, show_default=True)
@click.pass_obj
def plan_command(call: Call, *, weeks: int) -> int:
    """Tell which issues are coming, with their themes, summaries and shortages."""
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    planned, library = plan_issues(project, now=now, weeks=weeks)
    by_id = {summary.id: summary for summary in library.summaries}
    call.notes(library.notes)
    told = []
    for entry in planned:
        items = entry.issue.items if entry.issue else ()
        found = [(pick, by_id.get(pick.id)) for pick in items]
        theme = entry.issue.theme if entry.issue else ""
        told.append(
            {
                "issue": entry.slot.issue,
                "slot": entry.slot.at.isoformat(),
                "state": entry.state,
                "theme": theme,
                "items": [
                    {
                        "id": pick.id,
                        "title": summary.title if summary else pick.id,
                        "url": summary.url if summary else "",
                        "path": summary.path if summary else "",
                        "reason": pick.reason,
                    }
                    for pick, summary in found
                ],
                "shortages": list(entry.shortages),
                "skipped": entry.skipped,
            }
        )
        _tell_planned(call, entry)
        for pick, summary in found:
            call.say(f"  - {summary.title if summary else pick.id}")
            if call.verbose:
                call.say(f"    why: {pick.reason}")
    call.answer({"issues": told}, problems=library.problems)
    return call.complain(library.problems)


def _tell_planned(call: Call, entry: Planned) -> None:
    at = f"{entry.slot.at:%a %d %b %Y %H:%M %Z}"
    if entry.issue is None:
        call.say(f"{entry.slot.issue}  {at}  skipped: {entry.skipped}")
        return
    call.say(f"{entry.slot.issue}  {at}  {entry.issue.theme or 'mixed'}  ({entry.state})")
    if call.verbose and entry.issue.theme_reason:
        call.say(f"  why this theme: {entry.issue.theme_reason}")
    for shortage in entry.shortages:
        call.say(f"  short: {shortage}")


@click.command("why", cls=Command, short_help="Explain why a summary is in or out.")
@click.argument("summary")
@click.option("--issue", metavar="ISSUE", help="Ask about this issue, not this week's.")
@click.pass_obj
def why_command(call: Call, *, summary: str, issue: str | None) -> int:
    """Explain, rule by rule, why SUMMARY is in an issue or is not."""
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    key = project.key(issue, now=now)
    found, explanation = why(project, summary, key=key, now=now)
    call.say(f"{found.title}  ({found.path})")
    call.say(f"{'in' if explanation.included else 'not in'} {key}")
    for step in explanation.steps:
        call.say(f"  - {step}")
    call.answer(
        {
            "id": explanation.id,
            "issue": key,
            "in": explanation.included,
            "steps": list(explanation.steps),
        }
    )
    return 0


@click.command("status", cls=Command, short_help="Tell where issues and summaries stand.")
@click.pass_obj
def status_command(call: Call) -> int:
    """Tell where every issue and the queue of summaries stand."""
    project = call.project()
    state = status(project, now=call.now(project.settings.newsletter.zone))
    for issue in state.issues:
        number = f"number {issue.number}" if issue.number is not None else ""
        then = f"next: {issue.next}" if issue.next else ""
        call.say(f"{issue.key}  {issue.state:<10} {number:<11} {then}".rstrip())
    if not state.issues:
        call.say("no issue yet; `digest build` makes this week's")
    counts = ", ".join(f"{count} {name}" for name, count in state.queue.items() if count)
    call.say(f"summaries: {counts or 'none; `digest new TITLE` starts one'}")
    call.answer(
        {
            "issues": [
                {
                    "issue": issue.key,
                    "number": issue.number,
                    "state": issue.state,
                    "since": issue.since.isoformat(),
                    "next": issue.next,
                }
                for issue in state.issues
            ],
            "queue": state.queue,
        },
        problems=state.known.library.problems,
    )
    return call.complain(state.known.library.problems)


@click.command("config", cls=Command, short_help="Show every setting and its origin.")
@click.pass_obj
def config_command(call: Call) -> int:
    """Show every setting in force, and where its value came from."""
    from digest.config import effective  # noqa: PLC0415 - used by this command alone

    values = effective(call.load())
    width = max(len(value.key) for value in values)
    for value in values:
        call.say(f"{value.key:<{width}}  {value.value}  ({value.origin})")
    call.answer(
        {
            "settings": [
                {"key": value.key, "value": value.value, "origin": value.origin} for value in values
            ]
        }
    )
    return 0
