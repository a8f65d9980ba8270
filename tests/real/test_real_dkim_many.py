"""Each message of a whole run is sound on the wire, and two verifiers not of ours take it.

`DIGEST_READERS` says how many there are; `make torture` has 10,000.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from real.opendkim import Opendkim

from digest.mime import wire_faults
from digest.mime.dkim_key import dns_record

pytestmark = pytest.mark.real

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_READERS: Final = int(os.environ.get("DIGEST_READERS", "700"))  # processes help from 500 on
_AT_ONCE: Final = 500
# A judge takes no signature of the future, so this is of the past on each machine.
_NOW: Final = ("--now", "2024-01-08T10:00:00+01:00")
_KEY: Final = "2024-w02"
_SETTINGS: Final = '[dkim]\nselector = "s1"\nkey_file = "private/dkim.pem"\n'
_NAMES: Final = (
    "",
    "Ann Harbour",
    "Jürgen Süß",
    "潮位站",
    '"Bo", at the quay',
    "x" * 90,
    "=?q?= .",
)


@pytest.fixture(scope="module")
def pem() -> bytes:
    """Give an RSA key in PEM."""
    key = rsa.generate_private_key(65537, 2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.fixture
def sent(newsletter: Make, digest: Digest, pem: bytes, tmp_path: Path) -> list[Path]:
    """Send an issue to all readers into the outbox, signed; give the files of the messages."""
    mills = {
        f"content/mill-{number}.md": f"---\ntitle: Tide mill {number}\ndate: 2024-01-0{number}\n"
        f"url: https://mills.example/{number}\n---\n\nMill {number} ground corn. Tröge, 潮水.\n"
        for number in range(1, 7)
    }
    root = newsletter({**mills, "private/dkim.pem": pem}, settings=_SETTINGS)
    (root / "private/dkim.pem").chmod(0o600)
    people = tmp_path / "people.csv"
    rows = (f'r{at:05}@reader{at % 9}.example,"{_name(at)}"' for at in range(_READERS))
    people.write_text("\n".join(["address,name", *rows, ""]), "utf-8")
    for words in (
        ("readers", "import", people, "--consent", "asked at the quay"),
        ("build", *_NOW),
        ("send", _KEY, "--yes", "--via", "outbox", *_NOW),
    ):
        code, out, err = digest("-C", root, *words)
        assert code == 0, out + err
    folder = root / "outbox" / _KEY / "messages"
    told = json.loads((folder / "manifest.json").read_bytes())
    files = [folder / one["file"] for one in told["messages"]]
    assert len({one["message_id"] for one in told["messages"]}) == len(files) == _READERS
    return files


def _name(at: int) -> str:
    return _NAMES[at % len(_NAMES)].replace('"', '""')


def test_each_message_is_sound_and_signed(sent: list[Path], pem: bytes, tmp_path: Path) -> None:
    """No rule of the wire is broken, no signature is limited, and both judges take every one."""
    record = dns_record(pem)
    for file in sent:
        data = file.read_bytes()
        assert not wire_faults(data), file
        assert b"; l=" not in data
        assert dkim.verify(data, dnsfunc=lambda *_, **__: record.encode()), file
    judge, taken = Opendkim(tmp_path, record), dict[str, bool]()
    for start in range(0, len(sent), _AT_ONCE):
        taken |= judge.verified(sent[start : start + _AT_ONCE])
    assert taken == {str(file): True for file in sent}
