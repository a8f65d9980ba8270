"""The command that tries another policy on the past: backtest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click

from digest.cli.call import Call, Command
from digest.config import load_policy
from digest.picking.compare import Balance, Change
from digest.publish.backtest import Backtest, backtest
from digest.publish.wording import count_text, theme_text

__all__ = ["backtest_command"]


@click.command("backtest", cls=Command, short_help="Try another policy on past issues.")
@click.option("--from", "start", metavar="ISSUE", help="Begin with this issue.")
@click.option("--to", "end", metavar="ISSUE", help="End with this issue.")
@click.option(
    "--policy", "file", type=click.Path(), help="Take [selection] and [[theme]] from this file."
)
@click.pass_obj
def backtest_command(call: Call, *, start: str | None, end: str | None, file: str | None) -> int:
    """Tell what would have been picked for past issues by another policy.

    Without --policy it is the present one. Summaries are as they are now; nothing is written.
    """
    project = call.project()
    settings = project.settings
    now = call.now(settings.newsletter.zone)
    policy, themes = settings.policy, settings.themes
    if file is not None:
        policy, themes = load_policy(Path(file), root=project.root, base=settings)
    with _progress(call) as progress:
        found = backtest(
            project,
            start=None if start is None else project.key(start, now=now),
            end=None if end is None else project.key(end, now=now),
            policy=policy,
            themes=themes,
            progress=progress,
        )
    for change in found.changes:
        _tell_change(call, change, found)
    _tell_whole(call, found)
    call.answer(_answer(found), problems=found.library.problems)
    return call.complain(found.library.problems)


@contextmanager
def _progress(call: Call) -> Iterator[Callable[[int, int], None]]:
    """Give what shows on a terminal how many issues of how many are picked."""
    if call.quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _, __: None
        return
    from rich.console import Console  # noqa: PLC0415 - 60 ms that only a terminal pays
    from rich.progress import BarColumn, MofNCompleteColumn, Progress  # noqa: PLC0415 - as above

    console = Console(stderr=True)
    with Progress(
        "picking", BarColumn(), MofNCompleteColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("picking", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tell_change(call: Call, change: Change, found: Backtest) -> None:
    was = theme_text(change.theme_before, skipped=change.skipped_before)
    now = theme_text(change.theme_after, skipped=change.skipped_after)
    call.say(f"{change.key}  {was if was == now else f'{was} -> {now}'}")
    if change.key in found.skipped:
        call.say(f"  {found.skipped[change.key]}")
    if change.moved:
        call.say("  the same items in another order")
    gone = {(one.issue, one.id) for one in found.gone}
    for pick in change.went:
        lost = "  (no file of it can be read)" if (change.key, pick.id) in gone else ""
        call.say(f"  - {found.titles.get(pick.id, pick.id)}{lost}")
    for pick in change.came:
        call.say(f"  + {found.titles.get(pick.id, pick.id)}")
        if call.verbose:
            call.say(f"    why: {pick.reason}")


def _tell_whole(call: Call, found: Backtest) -> None:
    if not found.compared:
        call.say("no issue of these weeks was sent")
        return
    # `1 of 1 issue differs`, `1 of 3 issues differs`, `0 of 1 issue differs`.
    differ = "differs" if 1 in {len(found.changes), found.compared} else "differ"
    of = count_text(found.compared, "issue")
    call.say(f"{len(found.changes)} of {of} {differ}")
    rows = [("", "sent", "picked"), *_rows(found.sent, found.picked)]
    width = max(len(name) for name, _, _ in rows)
    for name, sent, picked in rows:
        call.say(f"{name:<{width}}{sent:>8}{picked:>8}")
    if found.gone:
        have = count_text(len(found.gone), "item sent has", "items sent have")
        call.say(f"{have} no file that can be read, and cannot be picked")


def _rows(sent: Balance, picked: Balance) -> Iterator[tuple[str, object, object]]:
    """Give the lines of both balances: what it is, and how much on each side."""
    yield "issues", sent.issues, picked.issues
    yield "repeats", sent.repeats, picked.repeats
    yield from _weeks("nearest repeat, weeks", sent.nearest_repeat, picked.nearest_repeat)
    led, led_now = dict(sent.led), dict(picked.led)
    waits, waits_now = dict(sent.longest_wait), dict(picked.longest_wait)
    for theme in sorted({*led, *led_now}):
        yield f"led by {theme}", led.get(theme, 0), led_now.get(theme, 0)
        yield from _weeks("  longest wait, weeks", waits.get(theme), waits_now.get(theme))


def _weeks(name: str, sent: int | None, picked: int | None) -> Iterator[tuple[str, object, object]]:
    """Give a line where either side has a number."""
    if (sent, picked) != (None, None):
        yield name, "-" if sent is None else sent, "-" if picked is None else picked


def _answer(found: Backtest) -> dict[str, object]:
    return {
        "issues": [_issue(change, found) for change in found.changes],
        "changed": len(found.changes),
        "compared": found.compared,
        "balance": {"sent": _balance(found.sent), "picked": _balance(found.picked)},
        "gone": [asdict(one) for one in found.gone],
    }


def _issue(change: Change, found: Backtest) -> dict[str, object]:
    titles = found.titles
    return {
        "issue": change.key,
        "theme": change.theme_after,
        "was": change.theme_before,
        "came": [
            {"id": pick.id, "title": titles.get(pick.id, pick.id), "reason": pick.reason}
            for pick in change.came
        ],
        "went": [{"id": pick.id, "title": titles.get(pick.id, pick.id)} for pick in change.went],
        "moved": change.moved,
        "skipped": found.skipped.get(change.key, ""),
    }


def _balance(balance: Balance) -> dict[str, object]:
    return {**asdict(balance), "led": dict(balance.led), "longest_wait": dict(balance.longest_wait)}
