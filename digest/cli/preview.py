"""The command that opens the editor's desk: preview."""

from __future__ import annotations

import secrets
from dataclasses import replace

import click

from digest.cli.call import Call, Command
from digest.cli.options import ISSUE
from digest.config import is_loopback
from digest.desk import make_desk, serve
from digest.errors import UsageError

__all__ = ["preview_command"]

_TOKEN_BYTES = 32


@click.command("preview", cls=Command, short_help="Look at an issue in a browser.")
@ISSUE
@click.option("--host", default="127.0.0.1", show_default=True, help="Listen on this address.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8040,
    show_default=True,
    help="Listen on this port, or on the next free one; 0 is any.",
)
@click.option("--allow-remote", is_flag=True, help="Let other machines reach it, in clear.")
@click.pass_obj
def preview_command(
    call: Call, *, issue: str | None, host: str, port: int, allow_remote: bool
) -> int:
    """Show every form of an issue in a browser: mail, text, headers, page, feed, checks.

    It prints an address that holds a token, made anew each time; open that. Nothing changes by
    looking. Ctrl-C ends it.
    """
    if not is_loopback(host) and not allow_remote:
        raise UsageError(
            f"{host!r} can be reached from other machines",
            where="--host",
            fix="leave it out, or add --allow-remote: token and pages then travel in clear",
        )
    project = call.project()
    zone = project.settings.newsletter.zone
    place = f"issues/{project.key(issue, now=call.now(zone))}" if issue else ""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    desk = make_desk(project, token=token, now=lambda: call.now(zone), hosts=(host,))

    def ready(base: str) -> None:
        address = f"{base}{place}?token={token}"
        # Also with -q: without it there is nothing to open.
        replace(call, quiet=False).say(address)
        call.answer({"url": address})
        call.mention("open this address in a browser; Ctrl-C ends it")

    serve(desk, host=host, port=port, ready=ready)
    return 0
