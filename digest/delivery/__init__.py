"""The sending engine: messages handed over one by one, never lost and never doubled."""

from digest.delivery.engine import Halted, connect, deliver
from digest.delivery.watch import Watch

__all__ = ["Halted", "Watch", "connect", "deliver"]
