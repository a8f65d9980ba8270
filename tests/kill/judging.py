"""What became of a send, by the book of the witness and by what lies in the ledger."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from kill.letter import Ended
from kill.watching import Mail

__all__ = ["Verdict", "is_clear", "states"]

_CLEAR = re.compile(r"^error: .+\n  \S.+", re.MULTILINE)  # what is wrong, and what to do

_ASKED = "SELECT address, state FROM deliveries"


def states(database: Path) -> dict[str, str]:
    """Read each reader's state off a copy of a SQLite database: nothing of it is touched."""
    with TemporaryDirectory() as folder:
        for suffix in ("", "-wal", "-journal"):
            file = database.with_name(database.name + suffix)
            if file.exists():
                shutil.copy(file, folder)
        copy = Path(folder) / database.name
        if not copy.exists():
            return {}
        with closing(sqlite3.connect(copy)) as connection:
            tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'deliveries'")
            return dict(connection.execute(_ASKED)) if tables.fetchone() else {}


def is_clear(ended: Ended) -> bool:
    """Tell whether a command said what is wrong and what to do, and showed nothing of Python."""
    said = ended.said
    return bool(_CLEAR.search(said)) and "Traceback" not in said and "a bug in" not in said


@dataclass(slots=True, kw_only=True)
class Verdict:
    """Counts over many runs; each of `faults` is one sentence that must not be true.

    A run is kills, and then the same commands again until the issue is sent. `doubled` are mails
    that a reader got beyond the first, `in_doubt` the rows that lay on the wire when it was killed.
    """

    runs: int = 0
    kills: int = 0
    lost: int = 0
    doubled: int = 0
    in_doubt: int = 0
    faults: list[str] = field(default_factory=list)
    _doubts: Counter[str] = field(default_factory=Counter)

    def killed(self, told: dict[str, str], *, connections: int, at: str, cut: bool = False) -> None:
        """Take down what the ledger says right after a kill; after a power cut claims count too."""
        self.kills += 1
        doubtful = {"wire", "claimed"} if cut else {"wire"}
        wire = [address for address, state in told.items() if state in doubtful]
        self.in_doubt += len(wire)
        self._doubts.update(wire)
        if len(wire) > connections:
            self.faults.append(f"{at}: {len(wire)} in doubt with {connections} connections")

    def missed(self, ended: Ended, *, at: str) -> None:
        """Take down that a command ended before it could be killed."""
        if ended.code != 0:
            self.faults.append(f"{at}: {ended}")

    def judge(
        self, kept: list[Mail], told: dict[str, str], *, readers: Iterable[str], at: str
    ) -> None:
        """Compare a run's book with what the ledger says at its end."""
        self.runs += 1
        got = Counter(mail.to for mail in kept)
        for address in readers:
            copies, state = got.pop(address, 0), told.get(address)
            if not copies:
                self.lost += 1
                self.faults.append(f"{at}: {address} is {state}, and got nothing")
            elif state != "accepted":
                self.faults.append(f"{at}: {address} is {state}, and got {copies}")
            self.doubled += max(0, copies - 1)
            if copies > 1 + self._doubts[address]:
                self.faults.append(
                    f"{at}: {address} got {copies}, in doubt {self._doubts[address]} times"
                )
        self.faults += [f"{at}: {address} is no reader" for address in got]
        self._same(kept, at)
        self._doubts.clear()

    def _same(self, kept: list[Mail], at: str) -> None:
        """Each reader's mails are one mail: the same bytes and the same Message-ID."""
        mails = {(mail.to, mail.id, mail.sha256) for mail in kept}
        if not len(mails) == len({to for to, _, _ in mails}) == len({i for _, i, _ in mails}):
            self.faults.append(f"{at}: a reader's mails differ, or two share a Message-ID")

    def told(self) -> str:
        """Give the figures on one line."""
        return (
            f"{self.runs} runs, {self.kills} kills, lost {self.lost},"
            f" doubled {self.doubled}, in doubt {self.in_doubt}"
        )
