"""Look whether mail can leave: the relay, the keys that sign, and how long an issue takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from digest.config import DkimKey, read_dkim_key, read_password
from digest.errors import ConfigError, DigestError
from digest.model import Limits, Rate, Send
from digest.publish.carriers import notices_folder, transport_for
from digest.publish.checkup import Check
from digest.publish.project import Project
from digest.publish.signing import signing_of
from digest.publish.wording import count_text

__all__ = ["check_limits", "check_signing", "check_transport"]

_ENCRYPTED: Final = {"tls": " in TLS", "starttls": " in TLS", "none": " in clear"}
_UNITS: Final = {1: "second", 60: "minute", 3600: "hour", 86_400: "day"}
_DAY: Final = 86_400  # seconds
_WEEK: Final = 7 * _DAY


def check_transport(project: Project, environ: Mapping[str, str], *, offline: bool) -> Check:
    """Look whether the relay answers and lets us in; `offline` leaves it out."""
    settings = project.settings.transport
    smtp = settings.smtp
    way = transport_for(project, folder=notices_folder(project), environ=environ)
    if settings.kind == "outbox" or smtp is None:
        told = "mail is written into outbox/, and reaches nobody by itself"
    elif offline:
        if smtp.password:
            read_password(smtp.password, root=project.root, environ=environ)
        told = f"mail goes by {way.name}, which was not tried"
    else:
        way.open()
        way.close()
        login = f", and {smtp.username} was let in" if smtp.username else ""
        told = f"{way.name} answers{_ENCRYPTED[smtp.security]}{login}; no mail was sent"
    return Check(name="transport", state="ok", told=told)


def check_signing(project: Project, sends: tuple[Send, ...]) -> Check:
    """Look whether each key can be used, and tell the record that it needs in DNS.

    `sends` are those that are not finished: the key that one began with must still be set.
    """
    settings = project.settings.dkim
    signers = [(key, settings.domain) for key in settings.keys] if settings else []
    faults: list[DigestError] = []
    records: list[str] = []
    for key, domain in signers:
        try:
            records.append(_record(project, key, domain))
        except ConfigError as fault:
            faults.append(fault)
    # A key that cannot be read would be told of each send, too.
    for send in () if faults else sends:
        try:
            signing_of(project, send)
        except DigestError as fault:
            faults.append(fault)
    if faults:
        return Check(
            name="dkim",
            state="error",
            told="; ".join(fault.brief for fault in faults),
            fix="; ".join(dict.fromkeys(fault.problems[0].fix for fault in faults)),
        )
    told = f"the keys can be used, where these are in DNS: {' and '.join(records)}"
    return Check(name="dkim", state="ok", told=told)


def _record(project: Project, key: DkimKey, domain: str) -> str:
    """Write what DNS needs for a key, name and text; raise ConfigError where it is none."""
    from digest.mime.dkim_key import (  # noqa: PLC0415 - cryptography, where keys are set alone
        dns_record,
        read_signer,
    )

    pem = read_dkim_key(key, root=project.root)
    read_signer(pem, domain=domain, selector=key.selector, where=key.key_file)
    return f"{key.selector}._domainkey.{domain} TXT {dns_record(pem, where=key.key_file)}"


def check_limits(limits: Limits, receivers: Mapping[str, int] | None) -> Check:
    """Tell how long an issue takes by the limits of the relay.

    `receivers` counts the active readers by their domain in small letters; None where the database
    cannot be read.
    """
    if receivers is None:
        told = "how long an issue takes is not known while the database cannot be read"
        return Check(name="limits", state="warning", told=told)
    readers = sum(receivers.values())
    if not readers:
        told = "there are no readers whom the limits could hold up"
        return Check(name="limits", state="ok", told=told)
    seconds, key, by = max(_spans(limits, receivers), default=(0, "", ""))
    told = f"an issue to {count_text(readers, 'reader')} takes {_length(seconds)} {by}".rstrip()
    if seconds <= _WEEK:
        return Check(name="limits", state="ok", told=told)
    return Check(
        name="limits",
        state="warning",
        told=f"{told}, so that the next one is due before it is through",
        fix=f"raise {key}, as far as your provider allows it",
    )


def _spans(limits: Limits, receivers: Mapping[str, int]) -> Iterator[tuple[int, str, str]]:
    """Give for each limit how many seconds an issue takes by it, its key, and how it is called."""
    readers = sum(receivers.values())
    for rate in limits.total:
        yield _seconds(rate, readers), "transport.smtp.rate", f"at {_shown(rate)}"
    for domain, count in receivers.items():
        for rate in limits.domains.get(domain, limits.domains.get("*", ())):
            by = f"at {_shown(rate)} to {domain}"
            yield _seconds(rate, count), "transport.smtp.domain_rate", by
    if limits.warm_up:
        days, left = 0, readers
        while left > 0 and days < len(limits.warm_up):
            left -= limits.warm_up[days]
            days += 1
        # What is left after the last of them goes out on the day after it.
        span = (days + (left > 0)) * _DAY
        yield span, "transport.smtp.warm_up", "from the first day of the warm-up on"


def _seconds(rate: Rate, messages: int) -> int:
    """Give how many seconds pass until so many messages are out, each stretch counted whole."""
    return -(-messages // rate.count) * rate.seconds


def _shown(rate: Rate) -> str:
    return f"{rate.count}/{_UNITS[rate.seconds]}"


def _length(seconds: int) -> str:
    """Write a length of time in the largest unit of which it has one: `1.5 hours`."""
    for length, unit in sorted(_UNITS.items(), reverse=True):
        if seconds >= length > 1:
            return count_text(seconds / length, unit)
    return "less than a minute"
