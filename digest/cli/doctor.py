"""The command that looks at the set-up: doctor."""

from __future__ import annotations

import os
from dataclasses import asdict

import click

from digest.cli.call import Call, Command
from digest.errors import Problem
from digest.publish.doctor import examine

__all__ = ["doctor_command"]


@click.command("doctor", cls=Command, short_help="Look whether the set-up is sound.")
@click.option("--offline", is_flag=True, help="Leave the relay out.")
@click.pass_obj
def doctor_command(call: Call, *, offline: bool) -> int:
    """Look whether the set-up is sound: settings, folders, database, readers, relay.

    Nothing is changed and no mail is sent; a relay is reached and logged in to.
    """
    project = call.project()
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
