"""One call of the program: the options that every command takes, and how it speaks."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from digest.errors import DigestError, Problem, UsageError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from digest.config import Settings
    from digest.model import Note
    from digest.publish.project import Project

__all__ = ["Call", "Command", "Group"]

_NOTES_SHOWN = 3
# What mail and feeds can date (RFC 5322 §3.3), with room for a long plan before the year 9999.
_YEARS = range(1900, 9980)
# Controls but line feeds, and escapes that are more than a colour of our own: names of files may
# hold them, and a terminal would obey.
_CONTROL = re.compile(r"\x1b(?!\[[0-9;]*m)|[\x00-\x09\x0b-\x1a\x1c-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What the global options say. Results go to stdout; all else goes to stderr."""

    directory: str = "."
    config: str | None = None
    settings: tuple[str, ...] = ()
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    moment: str | None = None

    _last: ClassVar[list[Call]] = []

    @classmethod
    def last(cls) -> Call:
        """Give the call that is under way, or a plain one before the options were read."""
        return cls._last[-1] if cls._last else cls()

    def remember(self) -> Call:
        """Note this call as the one under way."""
        self._last[:] = [self]
        return self

    def load(self) -> Settings:
        """Read the settings of the newsletter that this call is about."""
        from digest.config import load_settings  # noqa: PLC0415 - `--version` must not pay for it

        return load_settings(
            Path(self.directory),
            file=Path(self.config) if self.config else None,
            environ=os.environ,
            overrides=self.settings,
        )

    def project(self) -> Project:
        """Open the newsletter that this call is about."""
        from digest.publish.project import Project  # noqa: PLC0415 - nor for this

        return Project(settings=self.load(), environ=os.environ)

    def now(self, zone: ZoneInfo | None = None) -> datetime:
        """Give the moment of `--now`, read in the zone where it names none, else the clock's."""
        if self.moment is None:
            return datetime.now(UTC)
        try:
            moment: datetime | None = datetime.fromisoformat(self.moment)
        except ValueError:
            moment = None
        if moment is None or moment.year not in _YEARS:
            raise UsageError(
                f"{self.moment!r} is no moment",
                where="--now",
                fix=f"write it as 2026-11-30 or 2026-11-30T09:00:00+01:00, {_YEARS[0]} to "
                f"{_YEARS[-1]}",
            )
        return moment if moment.tzinfo else moment.replace(tzinfo=zone or UTC)

    def clock(self, zone: ZoneInfo) -> Callable[[], datetime]:
        """Give the clock; that of `--now` starts there and goes on."""
        if self.moment is None:
            return self.now
        # In UTC: a local time that is added to does not see that the clocks change.
        start, began = self.now(zone).astimezone(UTC), time.monotonic()
        return lambda: start + timedelta(seconds=time.monotonic() - began)

    def say(self, text: str = "") -> None:
        """Print one line of the result for people; nothing where JSON was asked for."""
        if not self.as_json and not self.quiet:
            click.echo(_CONTROL.sub("?", text))

    def answer(
        self, value: Mapping[str, object], *, problems: Sequence[Problem] | None = None
    ) -> None:
        """Print the result as JSON, where that was asked for; `problems` are files left out."""
        if problems is not None:
            value = {**value, "problems": [_told(problem) for problem in problems]}
        if self.as_json:
            click.echo(json.dumps({"schema": 1, **value}, ensure_ascii=False, indent=2))

    def mention(self, text: str) -> None:
        """Print a remark that is no result."""
        if not self.quiet:
            click.echo(_CONTROL.sub("?", text), err=True)

    def complain(self, problems: Sequence[Problem]) -> int:
        """Print problems; give the exit code: 1 where there are any, else 0."""
        for problem in problems:
            told = f"{click.style('error', fg='red', bold=True)}: {problem}"
            click.echo(_CONTROL.sub("?", told), err=True)
        return 1 if problems else 0

    def notes(self, notes: Sequence[Note]) -> None:
        """Print what was noticed in the content: a few lines, or all of them with `-v`."""
        shown = notes if self.verbose else notes[:_NOTES_SHOWN]
        for note in shown:
            self.mention(f"note: {note.place}: {note.text}")
        if len(notes) > len(shown):
            self.mention(f"note: and {len(notes) - len(shown)} more; -v shows them all")

    def fail(self, error: DigestError) -> None:
        """Print why the command stopped, for people and, where asked for, as JSON."""
        self.complain(error.problems)
        told = [_told(problem) for problem in error.problems]
        self.answer({"error": {"exit": error.exit_code, "problems": told}})


def _told(problem: Problem) -> dict[str, str]:
    return {"what": problem.what, "where": problem.where, "fix": problem.fix}


def _shared() -> list[click.Parameter]:
    return [
        click.Option(["-C", "directory"], metavar="DIR", help="Work on the newsletter in DIR."),
        click.Option(["--config", "config"], metavar="FILE", help="Use this settings file."),
        click.Option(
            ["--set", "settings"], metavar="KEY=VALUE", multiple=True, help="Change a setting."
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON."),
        click.Option(["-q", "--quiet", "quiet"], is_flag=True, help="Print only errors."),
        click.Option(["-v", "--verbose", "verbose"], is_flag=True, help="Print more."),
        click.Option(["--now", "moment"], metavar="ISO", help="Take this moment for now."),
    ]


def _take(context: click.Context) -> None:
    """Lay the options given here over those given before the command."""
    before = context.obj if isinstance(context.obj, Call) else Call()
    given: dict[str, Any] = {}
    for option in _shared():
        name = str(option.name)
        value = context.params.pop(name)
        if name == "settings":
            value = (*before.settings, *value)
        if value is not None and value is not False and value != ():
            given[name] = value
    context.obj = replace(before, **given).remember()


class Command(click.Command):
    """A command that takes the global options too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - click's own arguments
        super().__init__(*args, **kwargs)
        self.params += _shared()

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - what the command returns
        """Take the global options, then run."""
        _take(ctx)
        return super().invoke(ctx)


class Group(click.Group):
    """The program, or a command that has commands of its own, each imported when asked for.

    The global options stand before and after the name at each level.
    """

    def __init__(self, *args: Any, commands_of: Mapping[str, str], **kwargs: Any) -> None:  # noqa: ANN401 - click's own arguments
        super().__init__(*args, **kwargs)
        self.params += _shared()
        self._modules = commands_of

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order in which they are used."""
        del ctx
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None where there is no such name."""
        del ctx
        if cmd_name not in self._modules:
            return None
        command = vars(import_module(self._modules[cmd_name]))[
            f"{cmd_name.replace('-', '_')}_command"
        ]
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name the nearest one."""
        from difflib import get_close_matches  # noqa: PLC0415 - only a wrong name pays for it

        name = args[0] if args else ""
        if name not in self._modules and not name.startswith("-"):
            near = get_close_matches(name, self._modules, n=1)
            path = ctx.command_path
            raise UsageError(
                f"there is no command {name!r}",
                fix=f"did you mean `{path} {near[0]}`?" if near else f"`{path} --help` lists them",
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - what the command returns
        """Take the global options, then run the command."""
        _take(ctx)
        return super().invoke(ctx)
