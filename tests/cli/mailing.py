"""What the tests of sending share: a week, three people, and how messages are read."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path

from relay.server import Relay

__all__ = ["ITEM", "KEY", "NOW", "PEOPLE", "messages", "read", "relay_settings", "tree"]

NOW = ("--now", "2026-12-01T10:00:00+01:00")
KEY = "2026-w49"
PEOPLE = ("ann@reader.example", "bo@reader.example", "cleo@reader.example")
ITEM = "---\ntitle: Tide mills {0}\nurl: https://mills.example/{0}\n---\n\nMill {0} ground corn.\n"


def relay_settings(relay: Relay) -> tuple[str, ...]:
    """Give the options that send by a relay in clear on loopback."""
    return (
        "--set=transport.kind=smtp",
        "--set=transport.smtp.host=127.0.0.1",
        f"--set=transport.smtp.port={relay.port}",
        "--set=transport.smtp.security=none",
    )


def tree(root: Path) -> dict[str, str]:
    """Give the hash of each file below a folder."""
    return {
        path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def read(data: bytes) -> EmailMessage:
    """Parse a message."""
    return message_from_bytes(data, policy=policy.SMTP)  # type: ignore[return-value]


def messages(letter: Path) -> list[bytes]:
    """Give the message files of the week's issue."""
    folder = letter / f"outbox/{KEY}/messages"
    return [file.read_bytes() for file in sorted(folder.glob("*.eml"))]
