"""Where the relay is, and how to be let in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from digest.model import host_and_port

__all__ = ["Security", "SmtpAccount"]

Security = Literal["tls", "starttls", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpAccount:
    """A relay.

    `security`: `tls` from the first octet (RFC 8314 §3.3), `starttls` (RFC 3207), or `none`, which
    is in clear. With a `username` a login is required; `password` is called once a connection.
    `timeout` is seconds: for connecting, for each reply as a whole, and for each block of content.
    `ehlo_name` is what we call ourselves, a domain in ASCII or an address literal.
    """

    host: str
    port: int
    security: Security = "starttls"
    username: str = ""
    password: Callable[[], str] | None = field(default=None, repr=False)
    timeout: float = 60.0
    ehlo_name: str = "localhost"

    @property
    def name(self) -> str:
        """Write host and port as people do."""
        return host_and_port(self.host, self.port)
