"""Commands that only look: why, status, config."""

from __future__ import annotations

import click

from digest.cli.call import Call, Command
from digest.publish.plan import why
from digest.publish.state import status

__all__ = ["config_command", "status_command", "why_command"]


@click.command("why", cls=Command, short_help="Explain why a summary is in or out.")
@click.argument("name", metavar="SUMMARY")
@click.option("--issue", metavar="ISSUE", help="Ask about this issue, not this week's.")
@click.pass_obj
def why_command(call: Call, *, name: str, issue: str | None) -> int:
    """Explain, rule by rule, why SUMMARY is in an issue or is not.

    The name of a theme instead explains why it leads the issue or does not.
    """
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    key = project.key(issue, now=now)
    asked = why(project, name, key=key, now=now)
    explanation, summary = asked.explanation, asked.summary
    if summary is not None:
        call.say(f"{summary.title}  ({summary.path})")
        call.say(f"{'in' if explanation.included else 'not in'} {key}")
    else:
        call.say(f"theme {explanation.id}")
        call.say(f"{'leads' if explanation.included else 'does not lead'} {key}")
    for step in explanation.steps:
        call.say(f"  - {step}")
    call.answer(
        {
            "id" if summary is not None else "theme": explanation.id,
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
