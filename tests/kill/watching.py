"""The witness as a test sees it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Mail", "Witness"]

_PROGRAM = Path(__file__).with_name("witness.py")
_PATIENCE = 120.0  # seconds, for a machine that does much else


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """One mail that the witness took."""

    to: str
    id: str
    sha256: str
    size: int
    session: int


class Witness:
    """A relay in another process for as long as the `with` block lasts; its book is `book`."""

    def __init__(self, book: Path) -> None:
        self.book = book
        self.port = 0

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-S", str(_PROGRAM), str(self.book)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.port = int(self._heard("ready"))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def hold(self, event: str, number: int, *, cut: bool = False) -> None:
        """Let it stop at the n-th event of a kind; then it may hang up in the midst of content."""
        self._order(f"hold {event} {number}{' cut' * cut}")
        self._heard("armed")

    def reached(self, sender: subprocess.Popen[str]) -> bool:
        """Wait until it is held; give False where the sender ended before."""
        assert self._process.stdout is not None
        ending = os.pidfd_open(sender.pid)
        try:
            told = self._process.stdout.fileno()
            ready, _, _ = select.select([told, ending], [], [], _PATIENCE)
        finally:
            os.close(ending)
        if not ready:
            sender.kill()
            raise AssertionError("neither the relay nor the sender moves")
        if told not in ready:
            return False
        self._heard("held")
        return True

    def go(self) -> None:
        """Let it go on."""
        self._order("go")

    def kept(self) -> list[Mail]:
        """Give what it took, in that order."""
        lines = self.book.read_text().splitlines() if self.book.exists() else []
        return [Mail(**json.loads(line)) for line in lines]

    def _order(self, words: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{words}\n")

    def _heard(self, word: str) -> str:
        assert self._process.stdout is not None
        found, _, rest = self._process.stdout.readline().strip().partition(" ")
        assert found == word
        return rest
