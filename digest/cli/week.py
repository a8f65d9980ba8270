"""Commands that change what a week's issue is: drop, skip, withdraw."""

from __future__ import annotations

import click

from digest.cli.call import Call, Command
from digest.cli.issue import tell_built
from digest.cli.options import DRY_RUN, DRY_TOLD, ISSUE
from digest.errors import UsageError
from digest.model import IssueKey, LeftOut, clean_line
from digest.publish.build import drop_item
from digest.publish.plan import find_summary
from digest.publish.project import Project
from digest.publish.release import withdraw_issue
from digest.publish.skip import skip_issue

__all__ = ["drop_command", "skip_command", "withdraw_command"]


def _key(call: Call, project: Project, issue: str | None) -> IssueKey:
    return project.key(issue, now=call.now(project.settings.newsletter.zone))


@click.command("drop", cls=Command, short_help="Take a summary out of an issue.")
@click.argument("summary")
@click.option("--issue", metavar="ISSUE", help="Take it out of this issue, not this week's.")
@click.option("--reason", default="", help="Why; it is written into the issue file.")
@DRY_RUN
@click.pass_obj
def drop_command(call: Call, *, summary: str, issue: str | None, reason: str, dry_run: bool) -> int:
    """Take SUMMARY out of an issue that is not out yet; its place is filled by the rules.

    The summary is free for other issues. As with `build --refill`, others in the issue that may not
    go out any more are taken out, too, and named.
    """
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    key = _key(call, project, issue)
    dropped = LeftOut(id=find_summary(project, summary), reason=clean_line(reason))
    built = drop_item(project, key, dropped, now=now, dry_run=dry_run)
    call.notes(built.library.notes)
    tell_built(call, project, built, dry_run=dry_run)
    return call.complain(built.library.problems)


@click.command("skip", cls=Command, short_help="Leave out the issue of a week.")
@ISSUE
@click.option("--reason", default="", help="Why; it is written into the issue file.")
@click.option("--release", is_flag=True, help="Let there be an issue after all.")
@DRY_RUN
@click.pass_obj
def skip_command(
    call: Call, *, issue: str | None, reason: str, release: bool, dry_run: bool
) -> int:
    """Leave out the issue of a week, by a line in its issue file, or take that line out again.

    Nothing is built, published or sent, no number is used, and its summaries are free. With
    --release those that another issue holds by now are taken out of it.
    """
    if release and reason:
        raise UsageError("--release takes no reason", fix="leave one of the two out")
    project = call.project()
    key = _key(call, project, issue)
    changed, gone = skip_issue(project, key, reason=reason, release=release, dry_run=dry_run)
    state = "released" if release else "skipped"
    before = "" if changed else "; it was before"
    call.say(f"{key}  {state}{before}" + (DRY_TOLD if dry_run else ""))
    for one in gone:
        call.say(f"  {one.id}: {one.reason}")
    if changed and release and not dry_run:
        call.say(f"next: digest build {key}" + (" --refill" if gone else ""))
    taken_out = [{"id": one.id, "reason": one.reason} for one in gone]
    call.answer({"issue": key, "state": state, "changed": changed, "taken_out": taken_out})
    return 0


@click.command("withdraw", cls=Command, short_help="Take an issue back from site and feeds.")
@click.argument("issue")
@DRY_RUN
@click.pass_obj
def withdraw_command(call: Call, *, issue: str, dry_run: bool) -> int:
    """Take a published ISSUE back from site and feeds, for good; its page says so.

    Its number stays used. Where no mail of it went out, its summaries are free for other issues.
    """
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    key = _key(call, project, issue)
    fresh, changed = withdraw_issue(project, key, now=now, dry_run=dry_run)
    before = "" if fresh else "; it was before"
    call.say(f"{key}  withdrawn{before}" + (DRY_TOLD if dry_run else ""))
    for name in changed:
        call.say(f"  {name}")
    call.answer({"issue": key, "state": "withdrawn", "changed": list(changed)})
    return 0
