"""Where the relay is, and how to be let in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from digest.model import host_and_port

__all__ = ["FAREWELL", "Security", "SmtpAccount"]

Security = Literal["tls", "starttls", "none"]
FAREWELL: Final = 5.0  # seconds for the answer to QUIT
_REACH: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpAccount:
    """A relay.

    `security`: `tls` from the first octet (RFC 8314 §3.3), `starttls` (RFC 3207), or `none`, which
    is in clear. With a `username` a login is required; `password` is called once a connection.
    `timeout` is seconds: for each reply as a whole, and for each block of content; connecting and
    the beginning of TLS have at most a minute of it. `ehlo_name` is what we call ourselves, a
    domain in ASCII or an address literal. `connections` may be open at once, and each is left
    after `per_connection` messages, where that is not 0.
    """

    host: str
    port: int
    security: Security = "starttls"
    username: str = ""
    password: Callable[[], str] | None = field(default=None, repr=False)
    timeout: float = 60.0
    ehlo_name: str = "localhost"
    connections: int = 1
    per_connection: int = 0

    @property
    def name(self) -> str:
        """Write host and port as people do."""
        return host_and_port(self.host, self.port)

    @property
    def reach(self) -> float:
        """Give how many seconds connecting may take, and the beginning of TLS."""
        return min(self.timeout, _REACH)
