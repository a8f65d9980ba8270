"""The transport that the settings name, ready to be opened."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from digest.config import SmtpSettings, read_password
from digest.errors import ConfigError
from digest.files import write_file
from digest.publish.project import Project
from digest.transport import Carrier, OneByOne, Outbox, Smtp, SmtpAccount, Transport

__all__ = ["Via", "as_carrier", "messages_folder", "notices_folder", "transport_for"]

Via = Literal["outbox", "smtp"]


def messages_folder(project: Project, key: str) -> Path:
    """Give where the messages of an issue lie under the outbox transport."""
    return project.outbox / key / "messages"


def notices_folder(project: Project) -> Path:
    """Give where mails to editors and tests lie under the outbox transport."""
    return project.outbox / "notices"


def as_carrier(transport: Transport) -> Carrier:
    """Give what hands many messages over: a relay's connections, or one that takes one by one."""
    return transport.pool() if isinstance(transport, Smtp) else OneByOne(transport)


def transport_for(
    project: Project, *, folder: Path, environ: Mapping[str, str], via: Via | None = None
) -> Transport:
    """Give the transport of the settings, or the one asked for; nothing is opened yet.

    `folder` is where the outbox writes its messages. Raise ConfigError where SMTP is asked for
    and no relay is set.
    """
    settings = project.settings.transport
    if (via or settings.kind) == "outbox":
        return Outbox(
            lambda name, data: write_file(folder / name, data, root=project.root, mode=0o600)
        )
    if settings.smtp is None:
        raise ConfigError(
            "names no relay to send by",
            where=f"{project.settings.file_name}, [transport.smtp]",
            fix='set `host`, and `kind = "smtp"` below [transport]',
        )
    account = _account(project, settings.smtp, environ)
    return Smtp(account, patience=settings.smtp.patience)


def _account(project: Project, smtp: SmtpSettings, environ: Mapping[str, str]) -> SmtpAccount:
    source = smtp.password
    return SmtpAccount(
        host=smtp.host,
        port=smtp.port,
        security=smtp.security,
        username=smtp.username,
        password=(
            (lambda: read_password(source, root=project.root, environ=environ).reveal())
            if source
            else None
        ),
        timeout=smtp.timeout,
        connections=smtp.connections,
        per_connection=smtp.per_connection,
        ehlo_name=project.settings.newsletter.sender.domain,
    )
