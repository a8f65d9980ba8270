"""Commands that bring an issue to its readers: send, hold."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import asdict
from datetime import datetime

import click

from digest.cli.call import Call, Command
from digest.cli.options import DRY_RUN, DRY_TOLD, ISSUE
from digest.cli.progress import progress
from digest.cli.remarks import tell_remarks
from digest.cli.stop import STOPPED, Stop
from digest.delivery import Watch
from digest.errors import GuardError, UsageError
from digest.model import Delivery, IssueKey, is_issue_key
from digest.publish.carriers import Via, carrier, messages_folder, notices_folder
from digest.publish.hold import hold_issue
from digest.publish.project import Project
from digest.publish.send import Rehearsed, Sent, pause_send, rehearse_send, send_issue
from digest.publish.trial import Trial, send_test, testers
from digest.publish.wording import count_text, moment_text

__all__ = ["hold_command", "send_command"]

_EDITORS = "editors"
_SHOWN = 20
_IN_PART = 5


@click.command("send", cls=Command, short_help="Mail an issue to its readers, once.")
@ISSUE
@click.option(
    "--test",
    "test",
    metavar="[ADDRESS]",
    is_flag=False,
    flag_value=_EDITORS,
    help="Send one copy to ADDRESS, or to the editors, and to no reader.",
)
@click.option("--via", type=click.Choice(["outbox", "smtp"]), help="Instead of transport.kind.")
@click.option("--yes", is_flag=True, help="Do not ask for the number of readers.")
@DRY_RUN
@click.pass_obj
def send_command(
    call: Call, *, issue: str | None, test: str | None, via: Via | None, yes: bool, dry_run: bool
) -> int:
    """Publish an issue if it is not out yet, then mail it to every active reader, once.

    Without ISSUE it is this week's. A send that was interrupted goes on where it was. Exit 5
    where readers are still to be tried again.
    """
    project = call.project()
    zone = project.settings.newsletter.zone
    if test is not None and issue is None and is_issue_key(test.lower()):
        test, issue = _EDITORS, test  # `--test 2026-w49` means the issue, to the editors
    key = project.key(issue, now=call.now(zone))
    way = via or project.settings.transport.kind
    if test is not None:
        return _test(call, project, key, to="" if test == _EDITORS else test, via=way, dry=dry_run)
    # Made before the guards are asked: where no relay is set, a dry run says so too.
    transport = carrier(project, via=way, folder=messages_folder(project, key), environ=os.environ)
    rehearsed = rehearse_send(project, key, via=way, now=call.now(zone))
    if dry_run:
        return _rehearsed(call, rehearsed, way)
    _confirm(call, rehearsed, way, yes=yes)
    stop = Stop()
    with stop.listening(), progress(call) as tell:
        watch = Watch(clock=call.clock(zone), pause=stop.pause, progress=tell, stopped=stop)
        sent = send_issue(project, key, transport=transport, via=way, by="hand", watch=watch)
    if stop.by == signal.SIGINT:
        # The schedule does not undo what a person has stopped.
        pause_send(project, key, reason="stopped by Ctrl-C")
    code = _tell_sent(call, project, sent)
    return STOPPED if stop.by == signal.SIGINT else code


def _confirm(call: Call, rehearsed: Rehearsed, via: Via, *, yes: bool) -> None:
    """Ask for the number of readers before mail leaves this machine. Raise GuardError."""
    if yes or via == "outbox":
        return
    count = rehearsed.audience
    if not sys.stdin.isatty() or call.as_json:
        raise GuardError(
            f"nobody said yes to mailing {count_text(count, 'reader')}",
            where=rehearsed.key,
            fix="add --yes where no person is there to be asked",
        )
    subject = rehearsed.released.kept.edition.subject
    click.echo(f"{rehearsed.key}: {subject}", err=True)
    typed = click.prompt("Type the number of readers to send it to", err=True, default="")
    if typed.strip() != str(count):
        raise GuardError(
            f"{typed.strip() or 'nothing'} was typed, and there are {count}",
            where=rehearsed.key,
            fix="look at `digest readers list`, then send again",
        )


def _rehearsed(call: Call, rehearsed: Rehearsed, via: Via) -> int:
    edition = rehearsed.released.kept.edition
    call.say(f"{rehearsed.key}  number {edition.number}: {edition.subject}")
    verb = "would go on to" if rehearsed.began else "would go to"
    count = rehearsed.audience
    call.say(f"  {verb} {count_text(count, 'reader')} by {via}  (dry run: nothing was sent)")
    call.answer(
        {"issue": rehearsed.key, "dry_run": True, "via": via, "audience": count, "pending": count}
    )
    return 0


def _tell_sent(call: Call, project: Project, sent: Sent) -> int:
    """Print what came of a send, and give the exit code: 5 where somebody is still to get it."""
    tally = asdict(sent.tally)
    edition = sent.released.kept.edition
    tell_remarks(call, sent.released)
    call.say(f"{sent.key}  number {edition.number}, {sent.state}: {edition.subject}")
    counts = [f"{count} {name}" for name, count in tally.items() if count and name != "audience"]
    call.say(f"  {count_text(sent.tally.audience, 'reader')}: {', '.join(counts)}")
    for row in sent.failed[:_SHOWN]:
        call.mention(f"  {_row(project, row)}")
    if len(sent.failed) > _SHOWN:
        call.mention(f"  and {len(sent.failed) - _SHOWN} more")
    if sent.halted:
        call.complain(sent.halted.error.problems if sent.halted.error else ())
        call.mention(f"  ended early: {sent.halted.reason}")
    if sent.next_try:
        call.say(f"  next try from {_moment(project, sent.next_try)}: digest send {sent.key}")
    elif sent.state == "sending":
        call.say(f"  go on with: digest send {sent.key}")
    call.answer(_answer(sent, tally))
    if sent.halted and sent.halted.error and not sent.tally.accepted:
        return sent.halted.error.exit_code
    nobody = (sent.tally.refused or sent.tally.unsupported) and not sent.tally.accepted
    return _IN_PART if sent.state == "sending" or nobody else 0


def _answer(sent: Sent, tally: dict[str, int]) -> dict[str, object]:
    return {
        "issue": sent.key,
        "state": sent.state,
        **tally,
        "next_try": sent.next_try.isoformat() if sent.next_try else None,
        "halted": sent.halted.reason if sent.halted else "",
        "failed": [
            {
                "email": row.address,
                "state": row.state,
                "reply": row.outcome.reply if row.outcome else "",
            }
            for row in sent.failed
        ],
    }


def _row(project: Project, row: Delivery) -> str:
    reply = f": {row.outcome.reply}" if row.outcome and row.outcome.reply else ""
    due = f", again from {_moment(project, row.due)}" if row.due else ""
    return f"{row.address}  {row.state}{due}{reply}"


def _moment(project: Project, moment: datetime) -> str:
    return moment_text(moment, project.settings.newsletter.zone)


def _test(call: Call, project: Project, key: IssueKey, *, to: str, via: Via, dry: bool) -> int:
    """Send a test, or tell to whom it would go."""
    now = call.now(project.settings.newsletter.zone)
    if dry:
        trial = Trial(key=key, to=testers(project, to), outcomes=())
    else:
        folder = notices_folder(project)
        transport = carrier(project, via=via, folder=folder, environ=os.environ)
        stop = Stop()
        with stop.listening():
            watch = Watch(clock=lambda: now, pause=stop.pause, stopped=stop)
            trial = send_test(project, key, to=to, transport=transport, watch=watch)
    took = [outcome.state == "accepted" for outcome in trial.outcomes]
    for place, mailbox in enumerate(trial.to):
        state = trial.outcomes[place] if trial.outcomes else None
        call.say(f"{key}  test to {mailbox.address}: {state.state if state else 'dry run'}")
        if state and state.state != "accepted":
            call.mention(f"  {state.reply}")
    call.say("  no reader was mailed, and nothing was marked as sent")
    call.answer(
        {
            "issue": key,
            "test": [mailbox.address for mailbox in trial.to],
            "accepted": sum(took),
            "outcomes": [{"state": one.state, "reply": one.reply} for one in trial.outcomes],
        }
    )
    return 0 if all(took) else _IN_PART if any(took) else 6


@click.command("hold", cls=Command, short_help="Stop an issue from going out by itself.")
@ISSUE
@click.option("--reason", default="", help="Why; it is written into the issue file.")
@click.option("--release", is_flag=True, help="Let it go again.")
@DRY_RUN
@click.pass_obj
def hold_command(
    call: Call, *, issue: str | None, reason: str, release: bool, dry_run: bool
) -> int:
    """Stop an issue from going out, by a line in its issue file, or take that line out again."""
    if release and reason:
        raise UsageError("--release takes no reason", fix="leave one of the two out")
    project = call.project()
    key = project.key(issue, now=call.now(project.settings.newsletter.zone))
    changed = hold_issue(project, key, reason=reason, release=release, dry_run=dry_run)
    state = "released" if release else "held"
    before = "" if changed else "; it was before"
    call.say(f"{key}  {state}{before}" + (DRY_TOLD if dry_run else ""))
    call.answer({"issue": key, "state": state, "changed": changed})
    return 0
