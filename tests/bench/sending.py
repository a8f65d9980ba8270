"""How fast an issue goes out, beside Postfix's generator of load and nodemailer, in one run.

All take turns, several times over. A rate depends on the machine, so the goals are ratios: in each
round ours is compared with the peer of that round, and the median of these is held against the
goal. As a program of its own it measures sending alone; exit 1 where a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from letter import ISSUE, NOW, Letters
from measuring import interleaved, measured
from peers import Nodemailer, generate
from receivers import Receiver, postfix, sink, slow_relay, why_no_postfix
from sending_goals import (
    AUDIENCES,
    CONNECTIONS,
    DELAY,
    FAR_OURS,
    FAR_SOURCE,
    MANY,
    POSTFIX_OURS,
    POSTFIX_SOURCE,
    SESSIONS,
    SIZES,
    Sending,
    ours_name,
    pooled_name,
    source_name,
)

__all__ = ["Sending", "measure_sending"]

_HERE: Final = Path(__file__).resolve().parent
_SMALL: Final = SIZES[0]
# Messages a turn, so that each takes a second or a few.
_COUNTS: Final = {
    "plain": 10_000,
    "signed": 5_000,
    "nodemailer": 600,
    "slow": 3_000,
    "slow source": 600,
    "postfix": 2_000,
}
_QUICK: Final = 20  # so many times fewer in a quick run


def measure_sending(folder: Path, *, runs: int, is_quick: bool = False) -> Sending | str:
    """Measure, below a folder that is made for it; say why where nothing can be measured."""
    if shutil.which("smtp-source") is None or shutil.which("smtp-sink") is None:
        return "smtp-source and smtp-sink are not installed: they come with Postfix"
    folder.mkdir()
    sending = Sending()
    with ExitStack() as stack:
        bench = _Bench(folder, sending, share=_QUICK if is_quick else 1)
        jobs = bench.to_sink(stack.enter_context(sink()))
        jobs |= bench.far_away(stack.enter_context(slow_relay(DELAY)))
        if why := why_no_postfix():
            sending.left_out.append(f"a real Postfix: {why}")
        else:
            jobs |= bench.to_postfix(stack.enter_context(postfix()))
        sending.taken = interleaved(jobs, runs)
        # What a process has at its peak hardly differs from one run to the next.
        interleaved(bench.memory(stack.enter_context(sink())), max(1, runs // 3))
    return sending


class _Bench:
    """The turns of all who send; each gives its seconds a message."""

    def __init__(self, folder: Path, sending: Sending, *, share: int) -> None:
        self._sending, self._share = sending, share
        self._letters = Letters(folder / "letters")
        self._nodemailer = Nodemailer(folder / "nodemailer", self._letters, size=_SMALL)

    def to_sink(self, to: Receiver) -> dict[str, Callable[[], float]]:
        """Name the turns into the sink."""
        jobs: dict[str, Callable[[], float]] = {}
        for size in SIZES:
            for sessions in SESSIONS:
                jobs[source_name(size, sessions)] = self._source(to, size=size, sessions=sessions)
            for signed in (False, True):
                kind = "signed" if signed else "plain"
                jobs[ours_name(size, signed=signed)] = self._ours(
                    ours_name(size, signed=signed), to, kind, size=size, signed=signed
                )
        if why := self._nodemailer.why_not():
            self._sending.left_out.append(f"nodemailer: {why}")
            return jobs
        for signed in (False, True):
            jobs[pooled_name(signed=signed)] = lambda signed=signed: self._nodemailer.send(  # type: ignore[misc] # bound now
                to, connections=CONNECTIONS, count=self._count("nodemailer"), signed=signed
            )
        return jobs

    def far_away(self, to: Receiver) -> dict[str, Callable[[], float]]:
        """Name the turns to a relay that answers late."""
        return {
            FAR_SOURCE: self._source(to, "slow source", sessions=MANY),
            FAR_OURS: self._ours(FAR_OURS, to, "slow", connections=MANY),
        }

    def to_postfix(self, to: Receiver) -> dict[str, Callable[[], float]]:
        """Name the turns into a real Postfix."""
        return {
            POSTFIX_SOURCE: self._source(to, "postfix"),
            POSTFIX_OURS: self._ours(POSTFIX_OURS, to, "postfix"),
        }

    def memory(self, to: Receiver) -> dict[str, Callable[[], float]]:
        """Name the sends, as a whole command, whose memory is looked at."""
        return {
            f"digest send to {audience}": lambda audience=audience: self._peak(to, audience)  # type: ignore[misc] # bound now
            for audience in AUDIENCES
        }

    def _count(self, kind: str) -> int:
        return _COUNTS[kind] // self._share

    def _source(
        self, to: Receiver, kind: str = "plain", *, size: int = _SMALL, sessions: int = CONNECTIONS
    ) -> Callable[[], float]:
        count, octets = self._count(kind), self._letters.octets(size)

        def turn() -> float:
            seconds = generate(to, sessions=sessions, count=count, octets=octets)
            to.settle()
            return seconds

        return turn

    def _ours(
        self,
        name: str,
        to: Receiver,
        kind: str,
        *,
        size: int = _SMALL,
        signed: bool = False,
        connections: int = CONNECTIONS,
    ) -> Callable[[], float]:
        def turn() -> float:
            root = self._letters.copy(
                size=size,
                readers=self._count(kind),
                port=to.port,
                connections=connections,
                signed=signed,
            )
            sender = [*to.inside, sys.executable, str(_HERE / "sender.py"), str(root)]
            told = json.loads(measured(sender).told)
            self._sending.cpu.setdefault(name, []).append(told["cpu"])
            if signed:
                self._sending.operation.append(told["operation"])
            to.settle()
            return float(told["seconds"])

        return turn

    def _peak(self, to: Receiver, audience: int) -> float:
        root = self._letters.copy(
            size=_SMALL,
            readers=audience // self._share,
            port=to.port,
            connections=CONNECTIONS,
            signed=False,
        )
        command = [sys.executable, "-m", "digest", "-C", str(root)]
        done = measured([*command, "send", ISSUE, "--yes", "--now", NOW.isoformat()])
        self._sending.peaks.setdefault(audience, []).append(done.peak)
        return done.seconds


def main() -> None:
    """Measure sending alone, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one small round, with no goals")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        runs = 1 if options.quick else options.runs
        sending = measure_sending(Path(folder) / "sending", runs=runs, is_quick=options.quick)
    if isinstance(sending, str):
        sys.exit(sending)
    if options.json:
        print(json.dumps({"schema": 1, "sending": sending.told()}, indent=2))
    else:
        sending.report()
    if not options.quick and (missed := sending.missed()):
        sys.exit("\n".join(missed))


if __name__ == "__main__":
    main()
