"""Show how far a send is: a bar on a terminal, a plain line now and then in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from digest.model import Tally

if TYPE_CHECKING:
    from digest.cli.call import Call

__all__ = ["progress"]

_PLAIN_EVERY = 10.0  # seconds between two plain lines


@contextmanager
def progress(call: Call) -> Iterator[Callable[[Tally], None]]:
    """Give what is told the tally of a send while it runs; it writes to stderr."""
    if call.quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bar() as tell:
            yield tell
    else:
        yield _plain(call)


def _done(tally: Tally) -> int:
    return tally.audience - tally.pending


@contextmanager
def _bar() -> Iterator[Callable[[Tally], None]]:
    from rich.console import Console  # noqa: PLC0415 - 60 ms that only a send on a terminal pays
    from rich.progress import (  # noqa: PLC0415 - as above
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("sending"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("sending", total=None, rate="")

        def tell(tally: Tally) -> None:
            speed = bar.tasks[0].speed
            bar.update(
                task,
                total=tally.audience,
                completed=_done(tally),
                rate=f"{speed:.0f}/s" if speed else "",
            )

        yield tell


def _plain(call: Call) -> Callable[[Tally], None]:
    last = [time.monotonic()]

    def tell(tally: Tally) -> None:
        if time.monotonic() - last[0] >= _PLAIN_EVERY:
            last[0] = time.monotonic()
            call.mention(f"{_done(tally)} of {tally.audience} done")

    return tell
