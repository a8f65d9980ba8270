"""A clock that stands still until somebody waits, also for the library `schedule`."""

from __future__ import annotations

import datetime as dt
from datetime import UTC, datetime, timedelta, tzinfo
from types import SimpleNamespace

import pytest
import schedule

__all__ = ["Clock"]

_OTHERS = {name: getattr(dt, name) for name in ("date", "time", "timedelta", "timezone")}


class Clock:
    """Goes on by what is waited for. `now` is in UTC; `asked` are the waits, in seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, now: str) -> None:
        self.now = datetime.fromisoformat(now).astimezone(UTC)
        self.asked: list[float] = []
        clock = self

        class Given(datetime):
            """The class whose `now` the library reads."""

            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override] # no subclass is asked for
                """Give the moment of the clock, without a zone in that of the process."""
                return (
                    clock.now.astimezone(tz) if tz else clock.now.astimezone().replace(tzinfo=None)
                )

        monkeypatch.setattr(schedule, "datetime", SimpleNamespace(datetime=Given, **_OTHERS))

    def pause(self, seconds: float) -> None:
        """Wait: the clock goes on."""
        self.asked.append(seconds)
        self.now += timedelta(seconds=seconds)
