"""Keys that sign: which are taken, and what is said of the others."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_public_key,
)

from digest.errors import ConfigError
from digest.mime.dkim import Signer
from digest.mime.dkim_key import dns_record, key_name, read_signer

_FILE = "private/dkim.pem"


def _read(pem: bytes, *, domain: str = "harbour.example", selector: str = "s1") -> Signer:
    return read_signer(pem, domain=domain, selector=selector, where=_FILE)


def test_rsa_key_signs_for_its_record(rsa_pem: bytes) -> None:
    """What it signs is verified by the key that its record publishes."""
    signer = _read(rsa_pem)
    digest = sha256(b"tide").digest()
    version, kind, published = dns_record(rsa_pem).split("; ")
    public = load_der_public_key(b64decode(published.removeprefix("p=")))

    assert (signer.domain, signer.selector) == ("harbour.example", "s1")
    assert (signer.algorithm, version, kind) == ("rsa-sha256", "v=DKIM1", "k=rsa")
    assert isinstance(public, rsa.RSAPublicKey)
    public.verify(signer.sign(digest), digest, PKCS1v15(), Prehashed(SHA256()))
    assert signer.sign(digest) == signer.sign(digest)


def test_key_of_another_form_is_the_same_key(rsa_key: rsa.RSAPrivateKey, rsa_pem: bytes) -> None:
    """What `openssl genrsa` wrote in its former form is read too, and has the same name."""
    former = rsa_key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())

    assert b"BEGIN RSA PRIVATE KEY" in former
    assert key_name(former) == key_name(rsa_pem)
    assert dns_record(former) == dns_record(rsa_pem)


def test_ed25519_key_has_the_record_of_its_standard(ed_pem: bytes) -> None:
    """The key of RFC 8463, Appendix A.2, has the record given there, and signs."""
    record = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
    signer = _read(ed_pem)

    assert dns_record(ed_pem) == record
    assert signer.algorithm == "ed25519-sha256"
    assert len(signer.sign(sha256(b"tide").digest())) == 64


def test_key_is_named_by_its_public_half(rsa_pem: bytes, ed_pem: bytes) -> None:
    """A name is 16 hexadecimal digits, another for another key, and the same each time."""
    assert (
        key_name(ed_pem)
        == sha256(b64decode("11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")).hexdigest()[:16]
    )
    assert key_name(rsa_pem) == key_name(rsa_pem) != key_name(ed_pem)


def test_names_are_written_small(rsa_pem: bytes) -> None:
    """Letter case says nothing in the DNS, and a signature names them in one way."""
    signer = _read(rsa_pem, domain="Harbour.Example", selector="Winter-2026")

    assert (signer.domain, signer.selector) == ("harbour.example", "winter-2026")


def _refusal(pem: bytes, **names: str) -> str:
    with pytest.raises(ConfigError) as caught:
        _read(pem, **names)
    [problem] = caught.value.problems
    assert problem.where == _FILE
    assert problem.fix
    assert pem.decode("latin-1") not in str(caught.value) or not pem
    return problem.what


@pytest.mark.parametrize(
    "pem",
    [b"", b"tide", b"\xff", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
)
def test_what_is_no_key_is_refused(pem: bytes) -> None:
    """The message says what should be there, where, and how to make it."""
    assert _refusal(pem) == "there is no private key in PEM in it"


def test_public_half_is_refused(public_pem: bytes) -> None:
    """Only the private half signs."""
    assert _refusal(public_pem) == "there is no private key in PEM in it"


def test_short_key_is_refused(as_pem: Callable[..., bytes]) -> None:
    """Receivers take no RSA key of 1024 bits any more (RFC 8301)."""
    # A test of a weak key needs one.
    short = rsa.generate_private_key(65537, 1024)  # noqa: S505 - it is refused

    assert _refusal(as_pem(short)) == "the key has 1024 bits, fewer than 2048"


def test_key_of_another_kind_is_refused(as_pem: Callable[..., bytes]) -> None:
    """A key for TLS is none for mail."""
    key = ec.generate_private_key(ec.SECP256R1())

    assert _refusal(as_pem(key)) == "the key is neither RSA nor Ed25519"


def test_locked_key_is_refused(as_pem: Callable[..., bytes], rsa_key: rsa.RSAPrivateKey) -> None:
    """Nobody is there to type a passphrase; the message says how to take it off."""
    assert _refusal(as_pem(rsa_key, passphrase=b"tide")) == "the key is locked by a passphrase"


@pytest.mark.parametrize(
    ("domain", "selector"),
    [
        ("", "s"),
        ("harbour.example", ""),
        ("harbour..example", "s"),
        ("harbour.example.", "s"),
        ("-harbour.example", "s"),
        ("häfen.example", "s"),
        ("harbour.example; l=0", "s"),
        ("harbour.example", "s\r\nBcc: a"),
        ("harbour.example\n", "s"),
        ("harbour.example", "s t"),
        (f"{'a' * 64}.example", "s"),
        ("harbour.example", ".".join(["a" * 60] * 5)),
    ],
)
def test_name_that_is_none_in_the_dns_is_refused(ed_pem: bytes, domain: str, selector: str) -> None:
    """Nothing that could end a tag, or a field, gets into a signature."""
    assert "is no name in the DNS" in _refusal(ed_pem, domain=domain, selector=selector)


@pytest.mark.parametrize("selector", ["s1", "2026._mail", "a-b.c_d", "x" * 63])
def test_usual_selectors_are_taken(ed_pem: bytes, selector: str) -> None:
    """Digits, hyphens, underscores and several labels are in use."""
    assert _read(ed_pem, selector=selector).selector == selector


def test_library_of_keys_is_loaded_by_use_alone() -> None:
    """Whoever signs nothing does not pay for it."""
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, digest.mime, digest.mime.dkim_key; print('cryptography' in sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    )

    assert told.stdout == "False\n"
