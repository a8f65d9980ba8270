"""The settings of sending: who edits, when it is drafted and sent, and by which way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from digest.config import formats
from digest.config.addresses import is_loopback, mailboxes, relay_host
from digest.config.password import PasswordSource, password_source
from digest.config.rates import limits
from digest.config.reading import Reading
from digest.config.values import Wrong, choice, flag, number, optional_line
from digest.model import Limits, Mailbox, WeeklyTime

__all__ = [
    "Missed",
    "OnUnknown",
    "ScheduleSettings",
    "Security",
    "SmtpSettings",
    "TransportKind",
    "TransportSettings",
    "editors",
    "schedule",
    "transport",
]

Missed = Literal["late", "skip"]
OnUnknown = Literal["retry", "hold"]
Security = Literal["tls", "starttls", "none"]
TransportKind = Literal["outbox", "smtp"]
_MISSED: Final[tuple[Missed, ...]] = ("late", "skip")
_ON_UNKNOWN: Final[tuple[OnUnknown, ...]] = ("retry", "hold")
_SECURITY: Final[tuple[Security, ...]] = ("tls", "starttls", "none")
_KINDS: Final[tuple[TransportKind, ...]] = ("outbox", "smtp")
# Submission over TLS (RFC 8314 §3.3), submission (RFC 6409 §3.1), plain SMTP.
_PORTS: Final[dict[Security, int]] = {"tls": 465, "starttls": 587, "none": 25}
_SMTP: Final = "transport.smtp"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleSettings:
    """When an issue is drafted and sent.

    Of the slots that were missed the newest is served up to `catch_up` after it, where `missed`
    is `late`. An audience that changed by more than `max_change` percent holds an issue.
    """

    draft: WeeklyTime
    send: WeeklyTime
    catch_up: timedelta
    missed: Missed
    max_change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpSettings:
    """The relay that takes the mail; an empty `username` means no login.

    `security`: `tls` from the first octet, `starttls` after a first word in clear, `none`.
    `timeout` is how many seconds to wait for a reply (RFC 5321 §4.5.3.2), `patience` how many for
    that to a whole message. Up to `connections` are open at a time, and each is closed after
    `per_connection` messages; 0 is no limit.
    """

    host: str
    port: int
    security: Security
    username: str
    password: PasswordSource | None
    timeout: float
    patience: float
    connections: int
    per_connection: int
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class TransportSettings:
    """By which way mail goes out.

    `on_unknown` says whether a message without an answer is sent once more. `smtp` is None where
    no host is set.
    """

    kind: TransportKind
    on_unknown: OnUnknown
    smtp: SmtpSettings | None


def editors(reading: Reading) -> tuple[Mailbox, ...]:
    """Read who gets the notices."""
    return reading.take("desk.editors", mailboxes, [])


def schedule(reading: Reading, send: WeeklyTime) -> ScheduleSettings:
    """Read the schedule; its time of sending was read with the newsletter."""
    catch_up = formats.duration(timedelta(minutes=1), timedelta(days=7))
    settings = ScheduleSettings(
        draft=reading.take("schedule.draft", formats.weekly_time, "fri 15:00"),
        send=send,
        catch_up=reading.take("schedule.catch_up", catch_up, "24h"),
        missed=reading.take("schedule.missed", choice(_MISSED), "late"),
        max_change=reading.take("schedule.max_change", number(0, 1000), 20),
    )
    reading.take("schedule.approvals", _no_approvals, 0)
    return settings


def transport(reading: Reading) -> TransportSettings:
    """Read the way out, and complain of one that cannot work or is not safe."""
    reading.refuse(
        "public",
        "is not known yet: one click to leave needs the public pages, which come with a later "
        "version",
        fix="leave it out; until then each mail offers leaving by mail, to mail.leave",
    )
    reading.table(_SMTP)
    kind = reading.take("transport.kind", choice(_KINDS), "outbox")
    on_unknown = reading.take("transport.on_unknown", choice(_ON_UNKNOWN), "retry")
    smtp = _smtp(reading, needed=kind == "smtp")
    return TransportSettings(kind=kind, on_unknown=on_unknown, smtp=smtp if smtp.host else None)


def _smtp(reading: Reading, *, needed: bool) -> SmtpSettings:
    key = f"{_SMTP}.host"
    host = (
        reading.need(key, relay_host, "smtp.example.org")
        if needed
        else reading.take(key, formats.optional_host, "")
    )
    wait = formats.duration(timedelta(seconds=1), timedelta(hours=1))
    security = reading.take(f"{_SMTP}.security", choice(_SECURITY), "starttls")
    settings = SmtpSettings(
        host=host,
        port=reading.take(f"{_SMTP}.port", number(1, 65_535), _PORTS[security]),
        security=security,
        username=reading.take(f"{_SMTP}.username", optional_line, ""),
        password=password_source(reading, _SMTP),
        timeout=reading.take(f"{_SMTP}.timeout", wait, "5m").total_seconds(),
        patience=reading.take(f"{_SMTP}.patience", wait, "10m").total_seconds(),
        connections=reading.take(f"{_SMTP}.connections", number(1, 50), 4),
        per_connection=reading.take(f"{_SMTP}.messages_per_connection", number(0, 1_000_000), 0),
        limits=limits(reading, _SMTP),
    )
    allow_clear = reading.take(f"{_SMTP}.allow_clear", flag, default=False)
    _complain_of_login(reading, settings)
    elsewhere = bool(host) and not reading.faulty(key) and not is_loopback(host)
    if security == "none" and elsewhere:
        _complain_of_clear(reading, settings, allowed=allow_clear)
    return settings


def _complain_of_login(reading: Reading, settings: SmtpSettings) -> None:
    """Complain of a password without a name, and of a name without a password."""
    if settings.password and not settings.username:
        reading.complain(settings.password.key, "needs a username", fix=f"set {_SMTP}.username too")
    keys = [f"{_SMTP}.password_{kind}" for kind in ("env", "file", "command")]
    told = reading.faulty(*keys) or reading.given(f"{_SMTP}.password")
    if settings.username and not settings.password and not told:
        fix = "add password_env, password_file or password_command"
        reading.complain(f"{_SMTP}.username", "needs a password", fix=fix)


def _complain_of_clear(reading: Reading, settings: SmtpSettings, *, allowed: bool) -> None:
    """Complain of what would cross a network for all to read."""
    if settings.username:
        reading.complain(
            f"{_SMTP}.security",
            'must not be "none" where a password is sent to another machine',
            fix='use "starttls" or "tls"',
        )
    elif not allowed:
        reading.complain(
            f"{_SMTP}.security",
            'must not be "none" for another machine: anybody on the way could read the mail',
            fix=f'use "starttls" or "tls", or set {_SMTP}.allow_clear = true',
        )


def _no_approvals(value: object) -> int:
    """Check that no approval is asked for: nothing could give one yet."""
    if number(0, 100)(value):
        raise Wrong(
            "must be 0: approvals come with the editor's desk of a later version",
            fix="leave it out",
        )
    return 0
