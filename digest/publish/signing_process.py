"""A program of its own that signs what it is handed: the key first, then digests in batches.

Whole numbers are octets, the highest first. It reads the key's length (four) and its PEM; then of
each batch the number of its digests (one) and these, 32 octets each. It writes each digest again,
with its signature behind it. It ends where its input does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

__all__ = ["serve"]

_DIGEST: Final = 32


def serve(into: BinaryIO, out: BinaryIO) -> None:
    """Sign what comes, until it ends; the key is one that was read before.

    Raise TypeError for one of another kind.
    """
    sign = _signer(into.read(int.from_bytes(into.read(4), "big")))
    while head := into.read(1):
        digests = into.read(head[0] * _DIGEST)
        asked = [digests[at : at + _DIGEST] for at in range(0, len(digests), _DIGEST)]
        out.write(b"".join(digest + sign(digest) for digest in asked))
        out.flush()


def _signer(pem: bytes) -> Callable[[bytes], bytes]:
    # As `mime.private_key` does, whose neighbours take three times as long to import.
    key = load_pem_private_key(pem, password=None, unsafe_skip_rsa_key_validation=True)
    if isinstance(key, Ed25519PrivateKey):
        return key.sign
    if not isinstance(key, RSAPrivateKey):
        raise TypeError("the key is neither RSA nor Ed25519")
    padding, hashed = PKCS1v15(), Prehashed(SHA256())
    return lambda digest: key.sign(digest, padding, hashed)
