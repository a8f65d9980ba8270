"""The reference run: a newsletter from nothing to fifty readers, one command after the other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kill.stracing import SYNCS, WRITES, around, calls
from kill.watching import Witness

__all__ = [
    "READERS",
    "STEPS",
    "Ended",
    "Letter",
    "Point",
    "addresses",
    "copied",
    "ended",
    "script",
    "starting_points",
    "write_list",
]

READERS: Final = 50
STEPS: Final = ("init", "readers", "build", "publish", "send")

_ROOT: Final = Path(__file__).resolve().parents[2]
_NOW: Final = "2026-12-01T10:00:00+01:00"
_WORDS: Final = {
    "init": ("init", "--name", "Harbour", "--site", "https://harbour.example/"),
    "readers": ("readers", "import", "LIST", "--consent", "asked at the quay"),
    "build": ("build",),
    "publish": ("publish",),
    "send": ("send", "--yes"),
}
_PATIENCE: Final = 300.0  # seconds, on a machine that does much else
_SENT_ALREADY: Final = "was sent already"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended: its code, below 0 where a signal ended it, and all that it said."""

    code: int
    said: str

    @property
    def is_killed(self) -> bool:
        """Tell whether it was killed, or the strace around it was in its stead."""
        return self.code == -9


class Letter:
    """A newsletter's folder and the commands that are given in it, each in its own process.

    `settings` are laid over those of its file. `runner` takes the place of `-m digest`.
    """

    def __init__(
        self, root: Path, *, settings: Sequence[str] = (), runner: Sequence[str] = ("-m", "digest")
    ) -> None:
        self.root = root
        self.settings = tuple(settings)
        self.runner = tuple(runner)

    @property
    def database(self) -> Path:
        """Give the place of its SQLite database."""
        return self.root / "private" / "digest.db"

    def remove(self) -> None:
        """Remove it with its folder."""
        shutil.rmtree(self.root)

    def by_relay(self, port: int, *, connections: int = 4, each: int = 0) -> None:
        """Send to a relay from now on; `each` is the number of messages a connection, 0 for all."""
        relay = (
            "transport.kind=smtp",
            "transport.smtp.host=127.0.0.1",
            f"transport.smtp.port={port}",
            "transport.smtp.security=none",
            f"transport.smtp.connections={connections}",
            f"transport.smtp.messages_per_connection={each}",
        )
        kept = [one for one in self.settings if not one.startswith("transport.")]
        self.settings = (*kept, *relay)

    def words(self, step: str) -> list[str]:
        """Give the command line of a command of the reference run."""
        words = [str(self.root.parent / "list.csv") if w == "LIST" else w for w in _WORDS[step]]
        options = [f"--set={one}" for one in self.settings]
        return [sys.executable, *self.runner, "-C", str(self.root), *words, "--now", _NOW, *options]

    def start(
        self, step: str, *, around: Sequence[str] = (), before: Callable[[], None] | None = None
    ) -> subprocess.Popen[str]:
        """Start a command; `around` is a program that runs it.

        `before` is called in its process first.
        """
        return subprocess.Popen(  # noqa: S603 - our own program
            [*around, *self.words(step)],
            env={**os.environ, "PYTHONPATH": f"{_ROOT}:{_ROOT}/tests", "PYTHONHASHSEED": "0"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=before,  # noqa: PLW1509 - sets a limit, where this process has no thread
        )

    def run(
        self,
        step: str,
        *,
        around: Sequence[str] = (),
        before: Callable[[], None] | None = None,
    ) -> Ended:
        """Run a command to its end."""
        return ended(self.start(step, around=around, before=before))

    def finish(self, first: str) -> Ended:
        """Give the same commands again, from one on, until the issue is sent; give the last end."""
        last = Ended(code=0, said="")
        for step in STEPS[STEPS.index(first) :]:
            last = self.run(step)
            if last.code == 4 and _SENT_ALREADY in last.said:
                return Ended(code=0, said=last.said)
            assert last.code == 0, (step, last)
        return last


def script(name: str) -> tuple[str, ...]:
    """Give the words that run a program of this folder in place of `-m digest`."""
    return ("-P", str(Path(__file__).with_name(f"{name}.py")))


def ended(process: subprocess.Popen[str]) -> Ended:
    """Wait for a process to end; one that hangs is killed, and fails the test."""
    try:
        said, _ = process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Ended(code=process.returncode, said=said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A newsletter's folder as a command found it, and how many calls of each kind that made."""

    folder: Path
    counts: Counter[str]


def starting_points(folder: Path) -> dict[str, Point]:
    """Run all commands once; give the point at which each began."""
    write_list(folder, READERS)
    letter, points, trace = Letter(folder / "letter"), {}, folder / "trace"
    letter.root.mkdir()
    with Witness(folder / "book") as witness:
        letter.by_relay(witness.port)
        for step in STEPS:
            before = folder / f"before-{step}"
            shutil.copytree(letter.root, before)
            done = letter.run(step, around=around(trace, (*SYNCS, *WRITES)))
            assert done.code == 0, (step, done)
            points[step] = Point(folder=before, counts=calls(trace))
    return points


def write_list(folder: Path, readers: int) -> None:
    """Write the list that the reader's import reads."""
    rows = (f"{address},R {n}\n" for n, address in enumerate(addresses(readers), 1))
    (folder / "list.csv").write_text("email,name\n" + "".join(rows))


def addresses(readers: int = READERS) -> Iterable[str]:
    """Give the readers' addresses in the order of the list."""
    return (f"r{n:03}@reader.example" for n in range(1, readers + 1))


def copied(point: Point, folder: Path) -> Letter:
    """Give a newsletter as it was before a command, in a folder of its own."""
    folder.mkdir(exist_ok=True)
    shutil.copy(point.folder.parent / "list.csv", folder)
    root = folder / "letter"
    shutil.copytree(point.folder, root)
    return Letter(root)
