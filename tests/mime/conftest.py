"""Keys that sign, made once for all tests of the room."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

Key = rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey


def _pem(key: Key, *, passphrase: bytes = b"") -> bytes:
    locked = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked)


@pytest.fixture(scope="session")
def as_pem() -> Callable[..., bytes]:
    """Give what writes a private key as PEM, with a passphrase if one is given."""
    return _pem


@pytest.fixture(scope="session")
def rsa_key() -> rsa.RSAPrivateKey:
    """Give an RSA key of 2048 bits."""
    return rsa.generate_private_key(65537, 2048)


@pytest.fixture(scope="session")
def rsa_pem(rsa_key: rsa.RSAPrivateKey) -> bytes:
    """Give the RSA key in PEM."""
    return _pem(rsa_key)


@pytest.fixture(scope="session")
def public_pem(rsa_key: rsa.RSAPrivateKey) -> bytes:
    """Give the public half of the RSA key in PEM."""
    return rsa_key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@pytest.fixture(scope="session")
def ed_pem() -> bytes:
    """Give the Ed25519 key of RFC 8463, Appendix A, in PEM."""
    octets = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    return _pem(ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(octets)))
