"""Commands that bring an issue to its readers: send, hold."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
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
from digest.publish.carriers import Via, messages_folder, notices_folder, transport_for
from digest.publish.hold import hold_issue
from digest.publish.project import Project
from digest.publish.replay import rehearse_replay, replay_outbox
from digest.publish.send import Rehearsed, Sent, pause_send, rehearse_send, send_issue
from digest.publish.send_guards import outbox_key
from digest.publish.trial import Trial, send_test, testers
from digest.publish.wording import count_text, moment_text
from digest.transport import Transport

__all__ = ["hold_command", "send_command"]

_EDITORS = "editors"
_SHOWN = 20
_IN_PART = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """What a command line asks for."""

    key: IssueKey
    via: Via
    from_outbox: bool
    retry: bool
    yes: bool
    audience: int | None
    dry_run: bool

    @property
    def again(self) -> str:
        """Write the command that goes on."""
        return f"digest send {self.key}" + (" --from-outbox" if self.from_outbox else "")


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
@click.option("--from-outbox", is_flag=True, help="Hand the files in the outbox to the relay.")
@click.option("--retry-failed", "retry", is_flag=True, help="Try those again at whom it failed.")
@click.option("--yes", is_flag=True, help="Do not ask for the number of readers.")
@click.option(
    "--audience",
    type=click.IntRange(min=0),
    metavar="N",
    help="Name the number beforehand; with any other nobody is mailed.",
)
@DRY_RUN
@click.pass_obj
def send_command(  # noqa: PLR0913 - one argument for each option
    call: Call,
    *,
    issue: str | None,
    test: str | None,
    via: Via | None,
    from_outbox: bool,
    retry: bool,
    yes: bool,
    audience: int | None,
    dry_run: bool,
) -> int:
    """Publish an issue if it is not out yet, then mail it to every active reader, once.

    Without ISSUE it is this week's. A send that was interrupted goes on where it was. Exit 5
    where readers are still to be tried again.
    """
    project = call.project()
    if test is not None and issue is None and is_issue_key(test.lower()):
        test, issue = _EDITORS, test  # `--test 2026-w49` means the issue, to the editors
    key = project.key(issue, now=call.now(project.settings.newsletter.zone))
    _refuse_mixed(test, via, from_outbox=from_outbox, retry=retry)
    way: Via = "smtp" if from_outbox else via or project.settings.transport.kind
    if test is not None:
        return _test(call, project, key, to="" if test == _EDITORS else test, via=way, dry=dry_run)
    wish = _Wish(
        key=key,
        via=way,
        from_outbox=from_outbox,
        retry=retry,
        yes=yes,
        audience=audience,
        dry_run=dry_run,
    )
    return _send(call, project, wish)


def _refuse_mixed(test: str | None, via: Via | None, *, from_outbox: bool, retry: bool) -> None:
    """Refuse options that say different things. Raise UsageError."""
    if from_outbox and via == "outbox":
        raise UsageError(
            "the outbox cannot be handed to itself", where="--from-outbox", fix="leave --via out"
        )
    if test is not None and (from_outbox or retry):
        raise UsageError(
            "a test goes to no reader", where="--test", fix="leave the other option out"
        )


def _send(call: Call, project: Project, wish: _Wish) -> int:
    key, zone = wish.key, project.settings.newsletter.zone
    # Made before the guards are asked: where no relay is set, a dry run says so too.
    transport = transport_for(
        project, via=wish.via, folder=messages_folder(project, key), environ=os.environ
    )
    if wish.from_outbox:
        rehearsed = rehearse_replay(project, key, now=call.now(zone), retry=wish.retry)
    else:
        rehearsed = rehearse_send(project, key, via=wish.via, now=call.now(zone), retry=wish.retry)
    if wish.audience not in {None, rehearsed.audience}:
        raise _miscounted(rehearsed, f"--audience names {wish.audience}")
    if wish.dry_run:
        return _rehearsed(call, rehearsed, wish)
    _confirm(call, rehearsed, wish)
    for line in _left_out(rehearsed):
        call.mention(line)
    stop = Stop()
    with stop.listening(), progress(call) as tell:
        watch = Watch(
            clock=call.clock(zone),
            pause=stop.pause,
            progress=tell,
            stopped=stop,
            patient=time.sleep,
        )
        sent = _sent(project, wish, transport=transport, watch=watch)
    if stop.by == signal.SIGINT:
        # The schedule does not undo what a person has stopped.
        sending = outbox_key(key) if wish.from_outbox else key
        pause_send(project, sending, reason="stopped by Ctrl-C")
    code = _tell_sent(call, project, sent, again=wish.again)
    return STOPPED if stop.by == signal.SIGINT else code


def _sent(project: Project, wish: _Wish, *, transport: Transport, watch: Watch) -> Sent:
    if wish.from_outbox:
        return replay_outbox(project, wish.key, transport=transport, watch=watch, retry=wish.retry)
    return send_issue(
        project,
        wish.key,
        transport=transport,
        via=wish.via,
        by="hand",
        watch=watch,
        retry=wish.retry,
    )


def _confirm(call: Call, rehearsed: Rehearsed, wish: _Wish) -> None:
    """Ask for the number of readers before mail leaves this machine. Raise GuardError."""
    if wish.audience is not None or wish.via == "outbox":
        return
    count = rehearsed.audience
    if wish.yes:
        if rehearsed.change:
            raise GuardError(
                rehearsed.change,
                where=rehearsed.key,
                fix="look at `digest readers list`; where it is right, name the number: "
                f"--audience {count}",
            )
        return
    if sys.stdin is None or not sys.stdin.isatty() or call.as_json:
        raise GuardError(
            f"nobody said yes to mailing {count_text(count, 'reader')}",
            where=rehearsed.key,
            fix="add --yes where no person is there to be asked",
        )
    subject = rehearsed.released.kept.edition.subject
    click.echo(f"{rehearsed.key}: {subject}", err=True)
    if rehearsed.change:
        call.mention(f"note: {rehearsed.change}")
    typed = click.prompt("Type the number of readers to send it to", err=True, default="")
    if typed.strip() != str(count):
        raise _miscounted(rehearsed, f"{typed.strip() or 'nothing'} was typed")


def _miscounted(rehearsed: Rehearsed, told: str) -> GuardError:
    return GuardError(
        f"{told}, and there are {rehearsed.audience}",
        where=rehearsed.key,
        fix="look at `digest readers list`, then send again",
    )


def _left_out(rehearsed: Rehearsed) -> Iterator[str]:
    """Say to whom an outbox that is handed on does not go."""
    if rehearsed.absent:
        yield f"  left out, as they get no mail any more: {rehearsed.absent}"
    if rehearsed.without:
        yield f"  without a message in the outbox: {rehearsed.without}"


def _rehearsed(call: Call, rehearsed: Rehearsed, wish: _Wish) -> int:
    edition = rehearsed.released.kept.edition
    call.say(f"{rehearsed.key}  number {edition.number}: {edition.subject}")
    verb = "would go on to" if rehearsed.began else "would go to"
    count = rehearsed.audience
    call.say(f"  {verb} {count_text(count, 'reader')} by {wish.via}  (dry run: nothing was sent)")
    if rehearsed.change:
        call.say(f"  {rehearsed.change}")
    for line in _left_out(rehearsed):
        call.say(line)
    call.answer(
        {
            "issue": rehearsed.key,
            "dry_run": True,
            "via": wish.via,
            "audience": count,
            "pending": count,
        }
    )
    return 0


def _tell_sent(call: Call, project: Project, sent: Sent, *, again: str) -> int:
    """Print what came of a send, and give the exit code: 5 where somebody is still to get it."""
    tally = asdict(sent.tally)
    edition = sent.released.kept.edition
    tell_remarks(call, sent.released)
    call.say(f"{sent.key}  number {edition.number}, {sent.state}: {edition.subject}")
    counts = [f"{count} {name}" for name, count in tally.items() if count and name != "audience"]
    call.say(f"  {count_text(sent.tally.audience, 'reader')}: {', '.join(counts)}")
    for row in sent.failed[:_SHOWN]:
        call.mention(f"  {_row(project, row)}")
    if sent.failures > _SHOWN:
        call.mention(f"  and {sent.failures - _SHOWN} more")
    _tell_end(call, project, sent, again=again)
    call.answer(_answer(sent, tally))
    if sent.halted and sent.halted.error and not sent.tally.accepted:
        return sent.halted.error.exit_code
    nobody = (sent.tally.refused or sent.tally.unsupported) and not sent.tally.accepted
    return _IN_PART if sent.state == "sending" or nobody else 0


def _tell_end(call: Call, project: Project, sent: Sent, *, again: str) -> None:
    """Say why a run ended before its time, and what goes on with it."""
    halted = sent.halted
    if halted and halted.until:
        call.say(f"  {halted.reason}; next from {_moment(project, halted.until)}: {again}")
        return
    if halted:
        call.complain(halted.error.problems if halted.error else ())
        call.mention(f"  ended early: {halted.reason}")
    if sent.next_try:
        call.say(f"  next try from {_moment(project, sent.next_try)}: {again}")
    elif sent.state == "sending":
        call.say(f"  go on with: {again}")


def _answer(sent: Sent, tally: dict[str, int]) -> dict[str, object]:
    return {
        "issue": sent.key,
        "state": sent.state,
        **tally,
        "next_try": sent.next_try.isoformat() if sent.next_try else None,
        "halted": sent.halted.reason if sent.halted else "",
        "failures": sent.failures,
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
        transport = transport_for(project, via=via, folder=folder, environ=os.environ)
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
