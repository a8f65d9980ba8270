"""Commands of the schedule: tick, run."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from functools import partial
from pathlib import Path

import click

from digest.cli.call import Call, Command
from digest.cli.options import DRY_RUN, DRY_TOLD
from digest.cli.stop import STOPPED, Stop
from digest.delivery import Watch
from digest.errors import DigestError, FilesError
from digest.model import Slot, next_slot
from digest.publish.carriers import Via, transport_for
from digest.publish.project import Project
from digest.publish.tick import Ticked, tick
from digest.publish.wording import moment_text
from digest.schedule import run_every_minute
from digest.transport import Transport

__all__ = ["run_command", "tick_command"]


@click.command("tick", cls=Command, short_help="Do what the schedule asks for now.")
@DRY_RUN
@click.pass_obj
def tick_command(call: Call, *, dry_run: bool) -> int:
    """Do what the schedule asks for at this moment: for cron, systemd or a CI job.

    A send that is open goes on, the issue that is due goes out, the one that is coming is drafted
    and its editors are told. Twice in a minute does nothing twice.
    """
    return _once(call, dry_run=dry_run)


def _once(call: Call, *, dry_run: bool) -> int:
    project, stop = call.project(), Stop()
    with stop.listening():
        ticked = _step(
            project, stop=stop, clock=call.clock(project.settings.newsletter.zone), dry_run=dry_run
        )
    _tell(call, project, ticked, dry_run=dry_run)
    return STOPPED if stop.by == signal.SIGINT else ticked.code


@click.command("run", cls=Command, short_help="Keep the schedule, minute by minute.")
@DRY_RUN
@click.pass_obj
def run_command(call: Call, *, dry_run: bool) -> int:
    """Do a `tick` every minute until Ctrl-C or SIGTERM, which end it between two messages.

    The settings are read anew each time. A dry run tells what the first step would do, and ends.
    """
    if dry_run:
        return _once(call, dry_run=True)
    project, stop = call.project(), Stop()
    clock, news = call.clock(project.settings.newsletter.zone), _News(call)
    call.say(f"{_coming(project, _next(project, clock()))}; Ctrl-C ends this")
    with stop.listening():
        run_every_minute(
            partial(_minute, call, news, stop=stop, clock=clock),
            tell=news.failed,
            pause=stop.pause,
            stopped=stop,
        )
    call.mention("stopped")
    return STOPPED if stop.by == signal.SIGINT else 0


class _News:
    """Prints what came of a step where it is other than what came of the one before."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._last: object = ()

    def done(self, project: Project, ticked: Ticked) -> None:
        """Tell of a step."""
        news = (ticked.events, ticked.problems, str(ticked.failure or ""))
        if news != self._last and any(news):
            _tell(self._call, project, ticked)
        self._last = news

    def failed(self, error: DigestError) -> None:
        """Tell why a step did nothing."""
        if str(error) != self._last:
            self._call.fail(error)
        self._last = str(error)


def _minute(call: Call, news: _News, *, stop: Stop, clock: Callable[[], datetime]) -> None:
    project = call.project()
    try:
        ticked = _step(project, stop=stop, clock=clock, dry_run=False)
    except OSError as error:
        fix = "mend that; the next step tries again"
        raise FilesError(f"the system said no: {error.strerror or error}", fix=fix) from error
    news.done(project, ticked)


def _step(project: Project, *, stop: Stop, clock: Callable[[], datetime], dry_run: bool) -> Ticked:
    def by(folder: Path, via: Via) -> Transport:
        return transport_for(project, folder=folder, environ=os.environ, via=via)

    watch = Watch(clock=clock, pause=stop.pause, stopped=stop, patient=time.sleep)
    return tick(project, transport_for=by, watch=watch, dry_run=dry_run)


def _next(project: Project, now: datetime) -> Slot:
    settings = project.settings
    return next_slot(settings.schedule.send, settings.newsletter.zone, now)


def _coming(project: Project, slot: Slot) -> str:
    return f"next: {slot.issue}, {moment_text(slot.at, project.settings.newsletter.zone)}"


def _tell(call: Call, project: Project, ticked: Ticked, *, dry_run: bool = False) -> None:
    """Print what came of a step."""
    for event in ticked.events:
        call.say(f"{event.key}  {event.what}: {event.told}" + (DRY_TOLD if dry_run else ""))
    call.say(_coming(project, ticked.next))
    call.complain(ticked.problems)
    answer: dict[str, object] = {
        "events": [
            {"issue": event.key, "what": event.what, "told": event.told} for event in ticked.events
        ],
        "next": {"issue": ticked.next.issue, "slot": ticked.next.at.isoformat()},
    }
    if ticked.failure is not None:
        call.complain(ticked.failure.problems)
        told = [asdict(problem) for problem in ticked.failure.problems]
        answer["error"] = {"exit": ticked.failure.exit_code, "problems": told}
    call.answer(answer, problems=ticked.problems)
