"""What each test that kills is given."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kill.judging import Verdict, states
from kill.letter import Letter, Point, addresses, copied
from kill.watching import Witness

__all__ = ["Trial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The points of the reference run, a folder to work in, and the counts of the test."""

    points: dict[str, Point]
    folder: Path
    verdict: Verdict

    def pick(self, most: int, some: int) -> range:
        """Pick so many numbers from 1 to `most` as `some` says, evenly.

        All of them with DIGEST_KILLS=all; a number as DIGEST_KILLS stands for that many times more.
        """
        share = os.environ.get("DIGEST_KILLS", "1")
        wanted = most if share == "all" else min(most, some * int(share))
        if not wanted:
            return range(0)
        step = most // wanted
        return range((step + 1) // 2, most + 1, step)[:wanted]

    @contextmanager
    def run(self, step: str, *, folder: Path | None = None) -> Iterator[tuple[Letter, Witness]]:
        """Give a newsletter as a command of the reference run finds it, and a relay to send to."""
        place = folder or self.folder
        letter = copied(self.points[step], place)
        with Witness(self.folder / "book") as witness:
            letter.by_relay(witness.port)
            yield letter, witness
        letter.remove()
        witness.book.unlink(missing_ok=True)

    def finish(self, letter: Letter, witness: Witness, *, step: str, at: str) -> None:
        """Give the same commands again until the issue is sent, and judge what came of it."""
        letter.finish(step)
        told = states(letter.database)
        self.verdict.judge(witness.kept(), told, readers=addresses(), at=at)
