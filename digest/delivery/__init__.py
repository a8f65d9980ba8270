"""The sending engine: messages handed over one by one, never lost and never doubled."""

from digest.delivery.backoff import GIVE_UP
from digest.delivery.engine import Halted, connect, deliver, offer
from digest.delivery.watch import Watch

__all__ = ["GIVE_UP", "Halted", "Watch", "connect", "deliver", "offer"]
