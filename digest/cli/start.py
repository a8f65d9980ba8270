"""Commands that start things: init, new, import."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from digest.cli.call import Call, Command
from digest.cli.options import DRY_RUN
from digest.errors import Problem, UsageError
from digest.imports import ImportReport
from digest.publish.gather import gather_listing
from digest.publish.start import Wishes, new_summary, start_newsletter

__all__ = ["import_command", "init_command", "new_command"]


@click.command("init", cls=Command, short_help="Make a newsletter folder that builds at once.")
@click.argument("folder", default="", required=False)
@click.option("--name", default="", help="The newsletter's name.")
@click.option("--timezone", default="", help="Its time zone, such as Europe/Berlin.")
@click.option("--site", default="", help="The address of its site, https://letters.example.org/.")
@DRY_RUN
@click.pass_obj
def init_command(
    call: Call, *, folder: str, name: str, timezone: str, site: str, dry_run: bool
) -> int:
    """Make a newsletter folder that builds at once; nothing is ever overwritten."""
    place = Path(call.directory) / folder
    wishes = Wishes(name=name, timezone=timezone, site=site)
    started = start_newsletter(place, now=call.now(), wishes=wishes, dry_run=dry_run)
    summaries = sum(path.startswith("content/") for path in started.made)
    call.say(f"made {len(started.made)} files, {summaries} of them sample summaries")
    for path in started.kept:
        call.say(f"  kept as it is: {path}")
    go = f"cd {folder} && " if folder else ""
    call.say("next: put your name, addresses, site and feed tag into digest.toml, then")
    call.say(f"  {go}digest build && digest preview")
    call.answer({"made": list(started.made), "kept": list(started.kept)})
    return 0


@click.command("new", cls=Command, short_help="Start a summary file.")
@click.argument("title")
@click.option("--theme", default="", help="The theme it belongs to.")
@DRY_RUN
@click.pass_obj
def new_command(call: Call, *, title: str, theme: str, dry_run: bool) -> int:
    """Start a summary file with its header."""
    project = call.project()
    path = new_summary(
        project,
        title,
        now=call.now(project.settings.newsletter.zone),
        theme=theme,
        dry_run=dry_run,
    )
    call.say(path)
    call.answer({"path": path})
    return 0


@click.command("import", cls=Command, short_help="Import summaries from elsewhere.")
@click.argument("kind", type=click.Choice(["listing"]))
@click.argument("source", type=click.Path())
@click.option("--date", "day", metavar="DAY", help="The day the summaries get; else today.")
@DRY_RUN
@click.pass_obj
def import_command(call: Call, *, kind: str, source: str, day: str | None, dry_run: bool) -> int:
    """Import summaries: `listing` reads a heading line and paragraphs, one summary each.

    A second run imports nothing twice. Exit 1 where a paragraph could not be read.
    """
    del kind  # there is one so far
    project = call.project()
    zone = project.settings.newsletter.zone
    today = call.now(zone).astimezone(zone).date()
    report, library = gather_listing(project, Path(source), day=_day(day, today), dry_run=dry_run)
    for item in report.imported:
        mark = "  (title derived)" if item.title_derived else ""
        call.say(f"  {item.path}  {item.title}{mark}")
    for skipped in report.skipped:
        if call.verbose:
            call.say(f"  skipped {skipped.place}: {skipped.reason}")
    for notice in report.notices:
        call.mention(f"note: {notice.place}: {notice.text}")
    call.say(
        f"{len(report.imported)} imported, {len(report.skipped)} already there, "
        f"{len(report.failed)} failed"
    )
    call.answer(_answer(report))
    failed = [Problem(what=f.reason, where=f.place) for f in report.failed]
    return call.complain([*failed, *library.problems])


def _answer(report: ImportReport) -> dict[str, object]:
    imported = [
        {
            "id": item.id,
            "title": item.title,
            "title_derived": item.title_derived,
            "path": item.path,
        }
        for item in report.imported
    ]
    return {
        "imported": imported,
        "skipped": [{"place": one.place, "reason": one.reason} for one in report.skipped],
        "failed": [{"place": one.place, "reason": one.reason} for one in report.failed],
    }


def _day(text: str | None, today: date) -> date:
    if text is None:
        return today
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"{text!r} is no day", where="--date", fix="write it as 2026-11-30"
        ) from None
