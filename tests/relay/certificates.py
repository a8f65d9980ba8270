"""Certificates for the relay of the tests: good ones, and those that a client must refuse."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Literal

import trustme

__all__ = ["Certificate", "authority_pem", "server_context"]

Certificate = Literal["good", "self-signed", "stranger", "wrong-name", "expired"]

_NAMES = ("localhost", "127.0.0.1", "::1")


@cache
def _authority(name: str) -> trustme.CA:
    return trustme.CA(organization_name=name)


def authority_pem() -> bytes:
    """Give the certificate of the authority that a client has to trust, as PEM."""
    pem: bytes = _authority("Harbour tests").cert_pem.bytes()
    return pem


@cache
def server_context(kind: Certificate) -> ssl.SSLContext:
    """Give a server's TLS with a certificate for localhost and 127.0.0.1, or a faulty one."""
    ours = _authority("Harbour tests")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if kind == "self-signed":
        lone = trustme.CA(organization_name="Nobody")
        both = trustme.Blob(lone.private_key_pem.bytes() + lone.cert_pem.bytes())
        with both.tempfile() as path:
            context.load_cert_chain(path)
        return context
    if kind == "wrong-name":
        leaf = ours.issue_cert("elsewhere.example")
    elif kind == "expired":
        long_ago = datetime(2020, 1, 1, tzinfo=UTC)
        leaf = ours.issue_cert(
            *_NAMES, not_before=long_ago, not_after=long_ago + timedelta(days=90)
        )
    elif kind == "stranger":
        leaf = _authority("Strangers").issue_cert(*_NAMES)
    else:
        leaf = ours.issue_cert(*_NAMES)
    leaf.configure_cert(context)
    return context
