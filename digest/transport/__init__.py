"""Hand messages over, to an outbox folder or to a relay, and say what became of each.

Importing this package is cheap; smtplib and TLS come with the first connection.
"""

from digest.transport.account import Security, SmtpAccount
from digest.transport.events import Answered, Event, Failed, Ready, Returned
from digest.transport.one_by_one import OneByOne
from digest.transport.outbox import Outbox
from digest.transport.pool import Pool
from digest.transport.protocol import Carrier, Transport
from digest.transport.smtp import Smtp

__all__ = [
    "Answered",
    "Carrier",
    "Event",
    "Failed",
    "OneByOne",
    "Outbox",
    "Pool",
    "Ready",
    "Returned",
    "Security",
    "Smtp",
    "SmtpAccount",
    "Transport",
]
