"""Private keys in PEM, by the library that does their arithmetic: imported by use alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from digest.errors import ConfigError
from digest.mime.dkim import Algorithm

__all__ = ["PrivateKey", "read_private_key"]

_BITS: Final = 2048  # RFC 8301 §3.2
_MAKE: Final = "make one with `openssl genrsa -out FILE 2048`; `digest doctor` shows its record"
_UNLOCK: Final = "write it without one: `openssl pkey -in FILE -out NEW`, then `chmod 600 NEW`"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateKey:
    """A key that signs digests of SHA-256; `kind` and `public` are as its record has them."""

    algorithm: Algorithm
    sign: Callable[[bytes], bytes]
    kind: str
    public: bytes


def read_private_key(pem: bytes, *, where: str) -> PrivateKey:
    """Read a key: RSA of 2048 bits or more, or Ed25519.

    Raise ConfigError at `where` for any other, and for one with a passphrase.
    """
    try:
        key = load_pem_private_key(pem, password=None)
    except TypeError:
        message = "the key is locked by a passphrase"
        raise ConfigError(message, where=where, fix=_UNLOCK) from None
    except (ValueError, UnsupportedAlgorithm):
        message = "there is no private key in PEM in it"
        raise ConfigError(message, where=where, fix=_MAKE) from None
    if isinstance(key, Ed25519PrivateKey):
        return _ed25519(key)
    if not isinstance(key, RSAPrivateKey):
        raise ConfigError("the key is neither RSA nor Ed25519", where=where, fix=_MAKE)
    if key.key_size < _BITS:
        few = f"the key has {key.key_size} bits, fewer than {_BITS}"
        raise ConfigError(few, where=where, fix=_MAKE)
    return _rsa(key)


def _ed25519(key: Ed25519PrivateKey) -> PrivateKey:
    return PrivateKey(
        algorithm="ed25519-sha256",
        sign=key.sign,  # RFC 8463 §3: the digest is what is signed, as a message
        kind="ed25519",
        public=key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw),
    )


def _rsa(key: RSAPrivateKey) -> PrivateKey:
    padding, hashed = PKCS1v15(), Prehashed(SHA256())
    public = key.public_key()
    return PrivateKey(
        algorithm="rsa-sha256",
        sign=lambda digest: key.sign(digest, padding, hashed),
        kind="rsa",
        public=public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
    )
