"""What sending was measured to be, held against its goals, and told."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = [
    "AUDIENCES",
    "CONNECTIONS",
    "DELAY",
    "FAR_OURS",
    "FAR_SOURCE",
    "MANY",
    "POSTFIX_OURS",
    "POSTFIX_SOURCE",
    "SESSIONS",
    "SIZES",
    "Sending",
    "ours_name",
    "pooled_name",
    "source_name",
]

SIZES: Final = (40_000, 80_000)
SESSIONS: Final = (1, 5, 10, 20)
CONNECTIONS: Final = 10
MANY: Final = 20  # connections to a relay that is far away
DELAY: Final = 50  # milliseconds before it answers
AUDIENCES: Final = (10_000, 100_000)
_SMALL: Final = SIZES[0]
_MEMORY: Final = (10, 150)  # MB: between the audiences, and in all
_BESIDE_RSA: Final = 200  # µs of a signed message that are not its signature
_MB: Final = 2**20

# Contenders, by name.
FAR_SOURCE: Final = f"smtp-source -s {MANY}, {DELAY} ms an answer"
FAR_OURS: Final = f"digest, {MANY} connections, {DELAY} ms an answer"
POSTFIX_SOURCE: Final = f"smtp-source -s {CONNECTIONS} into Postfix"
POSTFIX_OURS: Final = "digest into Postfix"


def source_name(size: int, sessions: int) -> str:
    """Name smtp-source with so many sessions."""
    return f"smtp-source -s {sessions}, {size // 1000} KB"


def ours_name(size: int, *, signed: bool) -> str:
    """Name ourselves."""
    return f"digest{' with RSA' if signed else ''}, {size // 1000} KB"


def pooled_name(*, signed: bool) -> str:
    """Name nodemailer."""
    return f"nodemailer{' with RSA' if signed else ''}, {_SMALL // 1000} KB"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Goal:
    """One goal: what was reached, in words, and whether that is enough."""

    name: str
    told: str
    is_met: bool


@dataclass(slots=True)
class Sending:
    """What was measured: seconds a message by contender and round, and what else a turn told.

    `cpu` is the processor's time a message and `operation` that of one RSA signature, in seconds;
    `peaks` are octets by audience. `left_out` says what could not be measured, and why.
    """

    taken: dict[str, list[float]] = field(default_factory=dict)
    cpu: dict[str, list[float]] = field(default_factory=dict)
    operation: list[float] = field(default_factory=list)
    peaks: dict[int, list[int]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def best_source(self, size: int) -> str:
        """Name the number of sessions with which smtp-source is fastest."""
        names = [source_name(size, sessions) for sessions in SESSIONS]
        return min(names, key=lambda name: statistics.median(self.taken[name]))

    def ratio(self, ours: str, peer: str) -> float:
        """Tell how many messages we send while the peer sends one: the median of all rounds."""
        pairs = zip(self.taken[peer], self.taken[ours], strict=True)
        return statistics.median(theirs / own for theirs, own in pairs)

    def goals(self) -> list[_Goal]:
        """Hold what was measured against the goals; what was left out has none."""
        return [goal for found in (_to_sink, _elsewhere, _of_memory) for goal in found(self)]

    def missed(self) -> list[str]:
        """Name the goals that are missed."""
        return [f"{goal.name}: {goal.told}" for goal in self.goals() if not goal.is_met]

    def report(self) -> None:
        """Print rates, ratios, and which goals are met."""
        heads = "msg/s", "(lowest to highest)", "CPU, µs each"
        print(f"{'sending':<42} {heads[0]:>9}   {heads[1]:<22} {heads[2]:>17}")
        for name, seconds in self.taken.items():
            rates = sorted(1 / each for each in seconds)
            spread = f"({rates[0]:,.0f} to {rates[-1]:,.0f})"
            cpu = f"{statistics.median(self.cpu[name]) * 1e6:17.0f}" if name in self.cpu else ""
            print(f"{name:<42} {statistics.median(rates):9,.0f}   {spread:<22} {cpu}".rstrip())
        print(f"{'one RSA-2048 signature':<42} {statistics.median(self.operation) * 1e6:52.0f}")
        for audience, peaks in self.peaks.items():
            told = f"digest send to {audience:,}"
            print(f"{told:<42} {max(peaks) / _MB:9.0f} MB at its peak")
        for line in self.left_out:
            print(f"left out: {line}")
        for goal in self.goals():
            print(f"{goal.name:<58} {goal.told:>22}   {'met' if goal.is_met else 'MISSED'}")

    def told(self) -> dict[str, Any]:
        """Give all of it for JSON."""
        return {
            "seconds_a_message": self.taken,
            "cpu_s_a_message": self.cpu,
            "rsa_s": self.operation,
            "peak_octets": {f"{audience}": peaks for audience, peaks in self.peaks.items()},
            "left_out": self.left_out,
            "goals": [
                {"name": goal.name, "told": goal.told, "met": goal.is_met} for goal in self.goals()
            ],
        }


def _to_sink(sending: Sending) -> list[_Goal]:
    """Hold the turns into the sink against their goals."""
    signed = ours_name(_SMALL, signed=True)
    goals = [_at_least(sending, ours_name(_SMALL, signed=False), sending.best_source(_SMALL), 0.9)]
    for size, least in zip(SIZES, (0.45, 0.65), strict=True):
        goal = _at_least(sending, ours_name(size, signed=True), sending.best_source(size), least)
        goals.append(goal if goal.is_met else _by_effort(sending, size, goal))
    if (pooled := pooled_name(signed=True)) in sending.taken:
        goals.append(_at_least(sending, signed, pooled, 5))
    return goals


def _by_effort(sending: Sending, size: int, missed: _Goal) -> _Goal:
    """Ask, where a busy machine left us few turns, how much of the processor was used instead."""
    used = statistics.median(sending.cpu[ours_name(size, signed=True)]) * 1e6
    most = statistics.median(sending.operation) * 1e6 + _BESIDE_RSA
    told = f"{missed.told}; {used:.0f} of {most:.0f} µs"
    return _Goal(name=missed.name, told=told, is_met=used <= most)


def _elsewhere(sending: Sending) -> list[_Goal]:
    """Hold the turns to relays that are slow against their goals."""
    return [
        _at_least(sending, ours, peer, least)
        for ours, peer, least in (
            (FAR_OURS, FAR_SOURCE, 3.5),
            (POSTFIX_OURS, POSTFIX_SOURCE, 0.5),
        )
        if ours in sending.taken
    ]


def _at_least(sending: Sending, ours: str, peer: str, least: float) -> _Goal:
    ratio = sending.ratio(ours, peer)
    told = f"{ratio:.2f} of {least:.2f}"
    return _Goal(name=f"{ours} / {peer}", told=told, is_met=ratio >= least)


def _of_memory(sending: Sending) -> list[_Goal]:
    """Hold the peaks of memory against their goals."""
    few, many = (max(sending.peaks[audience]) / _MB for audience in AUDIENCES)
    more, most = _MEMORY
    return [
        _Goal(
            name=f"more memory at {AUDIENCES[1]:,} than at {AUDIENCES[0]:,} readers",
            told=f"{many - few:.1f} of {more} MB",
            is_met=many - few <= more,
        ),
        _Goal(
            name=f"memory at {AUDIENCES[1]:,} readers",
            told=f"{many:.0f} of {most} MB",
            is_met=many < most,
        ),
    ]
