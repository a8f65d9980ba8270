"""Hand one message over, to an outbox folder or to a relay, and say what became of it.

Importing this package is cheap; smtplib and TLS come with the first connection.
"""

from digest.transport.account import Security, SmtpAccount
from digest.transport.outbox import Outbox
from digest.transport.protocol import Transport
from digest.transport.smtp import Smtp

__all__ = ["Outbox", "Security", "Smtp", "SmtpAccount", "Transport"]
