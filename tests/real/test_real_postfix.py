"""A real Postfix takes an issue over TLS and delivers it; what arrives is what was approved."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path

import pytest

pytestmark = pytest.mark.real

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_ROOT = Path(__file__).resolve().parents[2]
_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_SETTINGS = """
[transport]
kind = "smtp"

[transport.smtp]
host = "localhost"
security = "starttls"
"""
# Dots at line starts, a line of more than 998 octets, signs beyond ASCII: what a relay may break.
_ITEM = (
    "---\ntitle: “Tide” mills und ihre Größe\nurl: https://mills.example/\n---\n\n"
    "```\n.hidden\n..\n.\n```\n\n" + "corn" * 400 + "\n\n.and a dot.\n"
)


@pytest.fixture
def postfix() -> Path:
    """Give the folder of the Postfix that `.ci/run` has started, or skip."""
    folder = os.environ.get("DIGEST_POSTFIX", "")
    if not folder:
        pytest.skip("no Postfix is running: `.ci/postfix start FOLDER PYTHON`")
    for box in (Path(folder) / "mail").iterdir():
        shutil.rmtree(box)  # what an earlier run left
    return Path(folder)


def _digest(postfix: Path, root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command line inside the namespace of the relay, trusting its authority."""
    space = f"digest-{postfix.name}"
    return subprocess.run(  # noqa: S603 - our own program
        ["ip", "netns", "exec", space, sys.executable, "-m", "digest", "-C", str(root), *words],  # noqa: S607 - whichever there is
        env={
            **os.environ,
            "PYTHONPATH": str(_ROOT),
            "SSL_CERT_FILE": str(postfix / "tls/client.pem"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def _arrived(postfix: Path, name: str) -> list[bytes]:
    """Wait until a mailbox has mail, which Postfix delivers after it has said yes."""
    box = postfix / "mail" / name / "new"
    until = time.monotonic() + 60
    while not (box.is_dir() and any(box.iterdir())):
        assert time.monotonic() < until, (postfix / "log").read_text("utf-8")
        time.sleep(0.05)
    return [file.read_bytes() for file in box.iterdir()]


def test_postfix_delivers_what_was_approved(
    postfix: Path, newsletter: Make, digest: Digest
) -> None:
    """Two readers get the message of the edition, octet for octet; a dead one is suppressed."""
    root = newsletter({"content/mills.md": _ITEM}, settings=_SETTINGS)
    for name in ("ann", "bo", "gone"):
        words = ("readers", "add", f"{name}@reader.example", "--consent", "asked", *_NOW)
        assert digest("-C", root, *words)[0] == 0
    assert digest("-C", root, "build", *_NOW)[0] == 0
    approved = (root / "outbox/2026-w49/issue.eml").read_bytes()

    doctor = _digest(postfix, root, "doctor", "--json", *_NOW)
    checks = {check["name"]: check for check in json.loads(doctor.stdout)["checks"]}
    assert checks["transport"]["state"] == "ok", checks["transport"]
    sent = _digest(postfix, root, "send", "--yes", "--json", *_NOW)
    assert sent.returncode == 0, sent.stderr
    told = json.loads(sent.stdout)
    assert (told["accepted"], told["refused"]) == (2, 1)
    assert told["failed"][0]["reply"].startswith("550 5.1.1")

    for name in ("ann", "bo"):
        [data] = _arrived(postfix, name)
        _compare(data, approved, to=f"{name}@reader.example")
    listed = json.loads(digest("-C", root, "readers", "list", "--json", *_NOW)[1])["readers"]
    assert [one["email"] for one in listed if one["state"] == "suppressed"] == [
        "gone@reader.example"
    ]


def _compare(data: bytes, approved: bytes, *, to: str) -> None:
    """Hold what arrived against the general copy: parts and fields, but for those of a reader."""
    message = message_from_bytes(data, policy=policy.SMTP)
    copy = message_from_bytes(approved, policy=policy.SMTP)
    assert message["Delivered-To"] == to
    assert message["To"] == to
    assert [part.defects for part in message.walk()] == [[]] * 3
    for name in ("From", "Subject", "List-Id", "List-Unsubscribe", "Content-Type", "MIME-Version"):
        assert message.get_all(name) == copy.get_all(name), name
    # A Maildir keeps bare line feeds; the body is the same in each octet else.
    assert data.partition(b"\n\n")[2] == approved.replace(b"\r\n", b"\n").partition(b"\n\n")[2]
