"""The process that runs for weeks: a step every minute."""

from digest.schedule.loop import run_every_minute

__all__ = ["run_every_minute"]
