"""The keys that sign mail (DKIM), and which of them a send goes out with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from digest.config import DkimKey, read_dkim_key
from digest.errors import GuardError
from digest.model import Send
from digest.publish.project import Project

if TYPE_CHECKING:
    from digest.mime import Signer

__all__ = ["Signing", "present_signer", "signature_name", "signing_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signing:
    """What signs the messages of a send, and the key it was read from, in PEM."""

    signer: Signer
    pem: bytes = field(repr=False)


def present_signer(project: Project) -> Signer | None:
    """Give what signs mail that goes out now; None where nothing is to be signed.

    Raise ConfigError for a key that cannot be used, or that others on this machine may read.
    """
    settings = project.settings.dkim
    return None if settings is None else _read(project, settings.domain, settings.keys[0]).signer


def signature_name(project: Project) -> str:
    """Name for the ledger what signs mail that begins to go out now; empty where nothing does.

    It is selector, domain and a short hash of the public key. Raise ConfigError as
    `present_signer` does.
    """
    settings = project.settings.dkim
    return "" if settings is None else _name(project, settings.domain, settings.keys[0])


def signing_of(project: Project, send: Send) -> Signing | None:
    """Give what signs a send: the key that it began with, so that a retry has the same bytes.

    Raise GuardError where the settings do not name it any more, ConfigError as `present_signer`.
    """
    if not send.dkim:
        return None
    settings = project.settings.dkim
    for key in settings.keys if settings is not None else ():
        if settings is not None and _name(project, settings.domain, key) == send.dkim:
            return _read(project, settings.domain, key)
    name = send.dkim.partition(" ")[0]
    domain = name.partition("@")[2]
    fix = "name it under [dkim], as previous_selector and previous_key_file, until the send ends"
    if settings is not None and settings.domain != domain:
        fix = f'put back `domain = "{domain}"` under [dkim] until the send ends'
    raise GuardError(
        f"began to go out signed by {name}, and that key is not set", where=send.issue, fix=fix
    )


def _read(project: Project, domain: str, key: DkimKey) -> Signing:
    from digest.mime.dkim_key import read_signer  # noqa: PLC0415 - cryptography, for who signs

    pem = read_dkim_key(key, root=project.root)
    signer = read_signer(pem, domain=domain, selector=key.selector, where=key.key_file)
    return Signing(signer=signer, pem=pem)


def _name(project: Project, domain: str, key: DkimKey) -> str:
    from digest.mime.dkim_key import key_name  # noqa: PLC0415 - cryptography, for who signs

    pem = read_dkim_key(key, root=project.root)
    return f"{key.selector}@{domain} {key_name(pem, where=key.key_file)}"
