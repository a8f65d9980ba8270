"""The sending engine: messages handed over many at a time, never lost and never doubled."""

from digest.delivery.backoff import GIVE_UP
from digest.delivery.engine import LIMITED, Halted, deliver
from digest.delivery.keeping import DOUBTED
from digest.delivery.making import Ahead, AtOnce, Draft, Making, Signatures
from digest.delivery.offering import connect, offer
from digest.delivery.terms import PATIENCE, Terms
from digest.delivery.watch import Watch

__all__ = [
    "DOUBTED",
    "GIVE_UP",
    "LIMITED",
    "PATIENCE",
    "Ahead",
    "AtOnce",
    "Draft",
    "Halted",
    "Making",
    "Signatures",
    "Terms",
    "Watch",
    "connect",
    "deliver",
    "offer",
]
