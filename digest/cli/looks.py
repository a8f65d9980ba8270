"""Commands about the design of the mail: look list, export, check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from digest.cli.call import Call, Command, Group
from digest.cli.options import DRY_RUN, DRY_TOLD
from digest.cli.remarks import finding_line
from digest.publish.looks import Look, export_look, looks

if TYPE_CHECKING:
    from digest.errors import Problem
    from digest.publish.look_trial import Checked, Flaw, Tried

__all__ = ["check_command", "export_command", "list_command", "look_command"]

_COMMANDS: Final = dict.fromkeys(("list", "export", "check"), "digest.cli.looks")
_FLAWS_SHOWN: Final = 5  # of one rule
_MAIL: Final = "issue.html"


@click.group(
    "look",
    cls=Group,
    commands_of=_COMMANDS,
    no_args_is_help=True,
    short_help="See, copy and try the design of the mail.",
)
def look_command() -> None:
    """See, copy and try the design of mail, pages and feeds: a set of templates."""


@click.command("list", cls=Command, short_help="List the looks there are.")
@click.pass_obj
def list_command(call: Call) -> int:
    """List the looks there are, the one in use, and which files of them are your own."""
    found = looks(call.project())
    width = max(len(look.name) for look in found)
    for look in found:
        origin = "shipped" if look.shipped else "your own"
        call.say(f"{look.name:<{width}}  {origin}{', in use' if look.used else ''}")
        for file in look.own:
            instead = f"instead of the shipped {file.replaces}" if file.replaces else "new"
            call.say(f"  {file.place}  {instead}")
    call.answer({"looks": [_look_told(look) for look in found]})
    return 0


def _look_told(look: Look) -> dict[str, object]:
    return {
        "name": look.name,
        "origin": "shipped" if look.shipped else "own",
        "used": look.used,
        "own": [{"file": file.place, "replaces": file.replaces} for file in look.own],
    }


@click.command("export", cls=Command, short_help="Copy shipped templates to change them.")
@click.argument("words", nargs=-1, metavar="[LOOK] [FILE]...")
@DRY_RUN
@click.pass_obj
def export_command(call: Call, *, words: tuple[str, ...], dry_run: bool) -> int:
    """Copy shipped templates into the newsletter's folder, to be changed there.

    Without FILE all that LOOK brings; without LOOK those of the one in use. A file that is there
    already stays as it is.
    """
    done = export_look(call.project(), words, dry_run=dry_run)
    for place in done.written:
        call.say(f"{place}  {'to be written' if dry_run else 'written'}")
    for place in done.there:
        call.say(f"{place}  there already; left as it is")
    if done.written and not dry_run:
        call.say(
            f"change them, then run `digest look check {done.look}`; delete a file to have the"
            " shipped one again"
        )
    elif dry_run:
        call.say(DRY_TOLD.strip())
    call.answer({"look": done.look, "written": list(done.written), "there": list(done.there)})
    return 0


@click.command("check", cls=Command, short_help="Try a look on issues that have everything.")
@click.argument("look", default="")
@click.option("--accept", is_flag=True, help="Take what it uses and some mail programs lack.")
@click.pass_obj
def check_command(call: Call, *, look: str, accept: bool) -> int:
    """Try LOOK, or the one in use, on specimen issues, and tell all that is wrong with it.

    They go to nobody: a mixed issue, one from right to left, one in Chinese, one that is too long,
    and so on. --accept writes into `support.json` what the look uses although some mail programs
    lack it; then only what is new is told. Exit 1 where there are errors.
    """
    from digest.publish.look_trial import check_look  # noqa: PLC0415 - loads engines and checks

    checked = check_look(call.project(), look, accept=accept)
    width = max(len(tried.name) for tried in checked.tried)
    call.say(f"look {checked.look}")
    for tried in checked.tried:
        call.say(f"  {tried.name:<{width}}  {_size(tried)}  {tried.shows}")
    for line in _flaw_lines(checked.flaws, all_of_them=call.verbose):
        call.say(line)
    for problem in checked.notes:
        call.mention(f"note: {problem}")
    if checked.accepted is not None:
        state = "written" if checked.written else "as it was"
        call.say(f"{checked.place}  {state}, {len(checked.accepted)} accepted")
    call.answer(_checked_told(checked), problems=checked.problems)
    call.complain(checked.problems)
    if accept and checked.accepted is None:
        call.mention(f"nothing is accepted before that is mended; {checked.place} is as it was")
    if not checked.stops and not checked.flaws:
        call.say("nothing is wrong with it")
    return 1 if checked.stops else 0


def _size(tried: Tried) -> str:
    octets = tried.sizes.get(_MAIL)
    return f"{octets:>7,} octets" if octets is not None else "cannot be made"


def _flaw_lines(flaws: Sequence[Flaw], *, all_of_them: bool) -> list[str]:
    """Write findings with the specimens that have them: a few of each rule, or all."""
    lines: list[str] = []
    counts: Counter[str] = Counter()
    for flaw in flaws:
        rule = flaw.finding.rule
        counts[rule] += 1
        if all_of_them or counts[rule] <= _FLAWS_SHOWN:
            lines.append(f"{finding_line(flaw.finding)} ({', '.join(flaw.specimens)})")
    for rule, count in counts.items():
        if not all_of_them and count > _FLAWS_SHOWN:
            lines.append(f"and {count - _FLAWS_SHOWN} more of {rule}; -v shows them all")
    return lines


def _checked_told(checked: Checked) -> dict[str, object]:
    return {
        "look": checked.look,
        "specimens": [
            {"name": tried.name, "shows": tried.shows, "sizes": dict(tried.sizes)}
            for tried in checked.tried
        ],
        "findings": [
            {
                "rule": flaw.finding.rule,
                "level": flaw.finding.level,
                "path": flaw.finding.path,
                "message": flaw.finding.message,
                "specimens": list(flaw.specimens),
            }
            for flaw in checked.flaws
        ],
        "notes": [_problem_told(problem) for problem in checked.notes],
        "accepted": list(checked.accepted or ()),
        "written": checked.written,
    }


def _problem_told(problem: Problem) -> dict[str, str]:
    return {"what": problem.what, "where": problem.where, "fix": problem.fix}
