"""The process that runs for weeks: a step every minute, and an end that loses nothing."""

from digest.schedule.loop import run_every_minute
from digest.schedule.stop import Stop

__all__ = ["Stop", "run_every_minute"]
