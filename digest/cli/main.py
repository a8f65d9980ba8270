"""The entry point: the commands by name, and what the shell sees of an error."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from io import TextIOWrapper

import click

from digest import __version__
from digest.cli.call import Call, Group
from digest.cli.stop import STOPPED
from digest.errors import DigestError, FilesError, UsageError

__all__ = ["main", "program", "run"]

_UNREAD = 128 + 13  # what a shell says of a program whose reader went away

# Each command's module is imported only when that command runs: start-up is felt by people.
_COMMANDS = {
    "init": "digest.cli.start",
    "new": "digest.cli.start",
    "import": "digest.cli.start",
    "plan": "digest.cli.plan",
    "why": "digest.cli.state",
    "themes": "digest.cli.themes",
    "backtest": "digest.cli.backtest",
    "build": "digest.cli.issue",
    "check": "digest.cli.check",
    "verify": "digest.cli.issue",
    "publish": "digest.cli.issue",
    "look": "digest.cli.looks",
    "verify-mail": "digest.cli.verify_mail",
    "preview": "digest.cli.preview",
    "readers": "digest.cli.readers",
    "send": "digest.cli.send",
    "hold": "digest.cli.send",
    "drop": "digest.cli.week",
    "skip": "digest.cli.week",
    "withdraw": "digest.cli.week",
    "tick": "digest.cli.run",
    "run": "digest.cli.run",
    "status": "digest.cli.state",
    "config": "digest.cli.state",
    "doctor": "digest.cli.doctor",
}


@click.group(cls=Group, commands_of=_COMMANDS, no_args_is_help=True)
@click.version_option(__version__, prog_name="digest", message="%(prog)s %(version)s")
def program() -> None:
    """Make a weekly themed newsletter, its feeds and its pages from a folder of Markdown.

    \b
    Exit codes:
      0 done, or nothing to do            4 a guard said no, nothing was changed
      1 findings, or a file left out      6 not done, safe to repeat
      2 wrong use or settings             7 another digest holds the lock
      3 nothing to send (--fail-if-empty) 70 a bug
      5 sent in part: a repeat goes on
    """  # noqa: D301 - click wants the sign itself, not its name


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give the exit code."""
    Call().remember()
    try:
        code = program.main(args=list(arguments), prog_name="digest", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return _tell(_misused(error), arguments)
    except click.Abort:
        click.echo("stopped", err=True)
        return STOPPED
    except DigestError as error:
        return _tell(error, arguments)
    except Exception as error:  # noqa: BLE001 - whatever it is, the user gets a sentence, not a trace
        return _tell(_unforeseen(error), arguments)
    return code if isinstance(code, int) else 0


def _misused(error: click.ClickException) -> DigestError:
    """Say what is wrong with the words of the call, as with anything else that is wrong."""
    context = getattr(error, "ctx", None)
    name = context.command_path if context else "digest"
    return UsageError(error.format_message(), fix=f"`{name} --help` tells what it takes")


def _unforeseen(error: Exception) -> DigestError:
    if isinstance(error, OSError):
        found: DigestError = FilesError(
            f"the system said no: {error.strerror or error}",
            fix="mend that, then repeat the command",
        )
    else:
        found = DigestError(
            f"this is a bug in digest {__version__}: {error.__class__.__name__}: {error}",
            fix="run the command again with -v and report what it prints",
        )
    found.__cause__ = error
    return found


def _tell(error: DigestError, arguments: Sequence[str]) -> int:
    call = Call.last()
    if call.verbose:
        click.echo("".join(traceback.format_exception(error)), err=True)
    # A call that could not be read still says whether it wanted JSON.
    replace(call, as_json=call.as_json or "--json" in arguments).fail(error)
    return error.exit_code


def main() -> None:
    """Run the command line of this process and exit."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Where the terminal's encoding lacks a letter of a title, its number is shown instead.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = _UNREAD
    try:
        code = run(sys.argv[1:])
        if sys.stdout is not None:  # a caller may have closed it
            sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # The reader (`| head`) went away, which click turns into SystemExit: say nothing, also
        # not while Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        code = STOPPED
    except OSError as error:
        click.echo(f"error: what was done cannot be printed: {error.strerror}", err=True)
        code = FilesError.exit_code
    sys.exit(code)
