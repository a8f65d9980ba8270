"""The command that looks at the set-up: doctor."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Final

import click

from digest.cli.call import Call, Command
from digest.cli.mail_file import read_mail_file
from digest.cli.stop import Stop
from digest.delivery import Watch
from digest.errors import Problem, UsageError
from digest.publish.arrival import Arrival, Field, compare_received
from digest.publish.carriers import notices_folder, transport_for
from digest.publish.doctor import examine
from digest.publish.probe import send_probe
from digest.publish.project import Project

__all__ = ["doctor_command"]

_EDITOR: Final = "editor"
_WIDTH: Final = 25  # of a header field's name
_SHOWN: Final = 60  # characters of a value
_COLOURS: Final = {"same": "green", "holds": "green", "added": "yellow", "encoded": "yellow"}


@click.command("doctor", cls=Command, short_help="Look whether the set-up is sound.")
@click.option("--offline", is_flag=True, help="Leave the relay out.")
@click.option(
    "--mail",
    metavar="[ADDRESS]",
    is_flag=False,
    flag_value=_EDITOR,
    help="Send one mail to ADDRESS, or to the first editor, to see how mail arrives.",
)
@click.option(
    "--received",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Compare such a mail, as it came in and was saved, with what left.",
)
@click.pass_obj
def doctor_command(call: Call, *, offline: bool, mail: str | None, received: str | None) -> int:
    """Look whether the set-up is sound: settings, folders, database, readers, relay.

    Nothing is changed and no mail is sent, but with --mail; a relay is reached and logged in to.
    Exit 1 where an error is found, or what came in is not what left.
    """
    if sum((offline, mail is not None, received is not None)) > 1:
        raise UsageError(
            "--offline, --mail and --received are three questions", fix="ask them one by one"
        )
    project = call.project()
    if mail is not None:
        return _send(call, project, "" if mail == _EDITOR else mail)
    if received is not None:
        return _compare(call, project, received)
    return _examine(call, project, offline=offline)


def _examine(call: Call, project: Project, *, offline: bool) -> int:
    now = call.now(project.settings.newsletter.zone)
    checks = examine(project, now=now, environ=os.environ, host_zone=None, offline=offline)
    for check in checks:
        if check.state == "error":
            continue
        colour = "yellow" if check.state == "warning" else "green"
        call.say(f"{click.style(f'{check.state:<7}', fg=colour)}  {check.name:<9}  {check.told}")
        if check.fix:
            call.say(f"{'':<7}  {'':<9}  {check.fix}")
    call.answer({"checks": [asdict(check) for check in checks]})
    return call.complain(
        [
            Problem(what=check.told, where=check.name, fix=check.fix)
            for check in checks
            if check.state == "error"
        ]
    )


def _send(call: Call, project: Project, to: str) -> int:
    """Send the mail that is to be compared later. Exit 6 where it was not taken."""
    transport = transport_for(project, folder=notices_folder(project), environ=os.environ)
    now, stop = call.now(project.settings.newsletter.zone), Stop()
    with stop.listening():
        watch = Watch(clock=lambda: now, pause=stop.pause, stopped=stop)
        probe = send_probe(project, to=to, transport=transport, watch=watch)
    state = probe.outcome.state
    signed = "signed" if probe.signed else "not signed"
    call.say(f"mail to {probe.to.address} by {transport.name}, {signed}: {state}")
    if state == "accepted":
        call.say(f"  its bytes are kept as {probe.file}")
        call.say("  once it is there, save it as a file: digest doctor --received FILE")
    else:
        call.mention(f"  {probe.outcome.reply}")
    call.answer(
        {
            "mail": probe.to.address,
            "file": probe.file,
            "signed": probe.signed,
            "outcome": {"state": state, "reply": probe.outcome.reply},
        }
    )
    return 0 if state == "accepted" else 6


def _compare(call: Call, project: Project, received: str) -> int:
    arrival = compare_received(project, read_mail_file(received), name=received)
    for field in arrival.fields:
        call.say(_row(field.name, field.state, _told(field)))
    call.say(_row("body", arrival.body, ""))
    if arrival.signature:
        call.say(_row("signature", arrival.signature, ", ".join(arrival.why)))
    call.say(_verdict(arrival))
    call.answer(
        {
            "file": arrival.file,
            "same": arrival.same,
            "fields": [asdict(field) for field in arrival.fields],
            "body": arrival.body,
            "signature": arrival.signature,
            "why": list(arrival.why),
        }
    )
    return 0 if arrival.same else 1


def _row(name: str, state: str, told: str) -> str:
    shown = click.style(f"{state:<9}" if told else state, fg=_COLOURS.get(state, "red"))
    return f"{name:<{_WIDTH}}  {shown}  {told}".rstrip(" ")


def _told(field: Field) -> str:
    """Show what a field was, and what became of it."""
    left, came = ("; ".join(values)[:_SHOWN] for values in (field.left, field.came))
    return {"rewritten": f"{left} -> {came}", "dropped": left, "added": came}.get(field.state, "")


def _verdict(arrival: Arrival) -> str:
    if arrival.same:
        return f"it came in as it left: {arrival.file}"
    return f"it did not come in as it left: {arrival.file}"
