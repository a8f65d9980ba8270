"""When a message that was put off is tried again, and when it is given up."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from digest.model import Delivery, Outcome, Send, Settled

__all__ = ["GIVE_UP", "settled"]

# Greylisting lets a message in after some minutes; after that the trouble is a longer one.
_MINUTES: Final = (5, 15, 30, 60, 120, 240)
GIVE_UP: Final = timedelta(days=3)


def settled(row: Delivery, outcome: Outcome, *, send: Send, now: datetime) -> Settled:
    """Say what is to be written down of an answer: final, or due again in a while.

    A message that is still put off three days after the send began is given up as refused, if it
    was tried often enough by then.
    """
    if outcome.state != "pending":
        return Settled(position=row.position, outcome=outcome, at=now)
    if now - send.began >= GIVE_UP and row.attempts > len(_MINUTES):
        told = f"given up after {GIVE_UP.days} days: {outcome.text}"
        gone = replace(outcome, state="refused", text=told)
        return Settled(position=row.position, outcome=gone, at=now)
    wait = _MINUTES[min(row.attempts, len(_MINUTES)) - 1]
    due = now + timedelta(minutes=wait)
    return Settled(position=row.position, outcome=outcome, at=now, due=due)
