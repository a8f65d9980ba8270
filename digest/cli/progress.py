"""Show how far long work is: a bar on a terminal, a plain line now and then in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from digest.model import Tally

if TYPE_CHECKING:
    from digest.cli.call import Call

__all__ = ["counting", "progress"]

_PLAIN_EVERY = 10.0  # seconds between two plain lines


@contextmanager
def progress(call: Call) -> Iterator[Callable[[Tally], None]]:
    """Give what is told the tally of a send while it runs; it writes to stderr."""
    with _shown(call, "sending", rate=True) as tell:
        yield lambda tally: tell(tally.audience - tally.pending, tally.audience)


@contextmanager
def counting(call: Call, word: str) -> Iterator[Callable[[int, int], None]]:
    """Give what is told how many of how many are done; it writes to stderr, after `word`."""
    with _shown(call, word, rate=False) as tell:
        yield tell


@contextmanager
def _shown(call: Call, word: str, *, rate: bool) -> Iterator[Callable[[int, int], None]]:
    if call.quiet:
        yield lambda _done, _total: None
    elif sys.stderr is not None and sys.stderr.isatty():
        with _bar(word, rate=rate) as tell:
            yield tell
    else:
        yield _plain(call)


@contextmanager
def _bar(word: str, *, rate: bool) -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console  # noqa: PLC0415 - 60 ms that only a terminal pays
    from rich.progress import (  # noqa: PLC0415 - as above
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(word),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(word, total=None, rate="")

        def tell(done: int, total: int) -> None:
            speed = bar.tasks[0].speed if rate else None
            bar.update(task, total=total, completed=done, rate=f"{speed:.0f}/s" if speed else "")

        yield tell


def _plain(call: Call) -> Callable[[int, int], None]:
    last = [time.monotonic()]

    def tell(done: int, total: int) -> None:
        if time.monotonic() - last[0] >= _PLAIN_EVERY:
            last[0] = time.monotonic()
            call.mention(f"{done} of {total} done")

    return tell
