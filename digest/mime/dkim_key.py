"""Keys that sign messages: read from PEM, named, and shown as the record to publish.

Importing this is cheap; the library of the keys is loaded by the first one that is read.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from digest.errors import ConfigError
from digest.mime.dkim import Signer

if TYPE_CHECKING:
    from digest.mime.private_key import PrivateKey

__all__ = ["dns_record", "key_name", "read_signer"]

_NAME_LENGTH: Final = 16  # hexadecimal digits


def read_signer(pem: bytes, *, domain: str, selector: str, where: str) -> Signer:
    """Make a signer of a private key in PEM: RSA of 2048 bits or more, or Ed25519 (RFC 8463).

    `where` names its file in errors; letter case of the names does not count. Raise ConfigError
    that says what is wrong with the key, which is not shown, or which of the names cannot stand in
    the DNS.
    """
    key = _read(pem, where)
    try:
        return Signer(
            domain=domain.lower(),
            selector=selector.lower(),
            algorithm=key.algorithm,
            sign=key.sign,
        )
    except ValueError as error:
        raise ConfigError(
            str(error),
            where=where,
            fix="it is labels of letters a to z, digits, hyphens and underscores, dots between",
        ) from None


def dns_record(pem: bytes, *, where: str = "") -> str:
    """Give the TXT record that publishes a key at `SELECTOR._domainkey.DOMAIN` (RFC 6376 §3.6.1).

    It is one text; zone files cut those over 255 octets. Raise ConfigError as `read_signer` does.
    """
    key = _read(pem, where)
    return f"v=DKIM1; k={key.kind}; p={b64encode(key.public).decode()}"


def key_name(pem: bytes, *, where: str = "") -> str:
    """Name a key by 16 hexadecimal digits of its public half's hash.

    Raise ConfigError as `read_signer` does.
    """
    return sha256(_read(pem, where).public).hexdigest()[:_NAME_LENGTH]


def _read(pem: bytes, where: str) -> PrivateKey:
    from digest.mime.private_key import read_private_key  # noqa: PLC0415 - 40 ms, for keys alone

    return read_private_key(pem, where=where)
