"""HI-01: a line break in a title or a name makes no header, and reaches nobody else."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path

from cases.inputs import both
from cases.sending import by_relay, with_people
from relay.server import Relay

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_OURS = {
    "people.csv": b'email,name,status\r\nanna@example.com,"Ann\r\nBcc: spy@spy.example",active\r\n'
    b'"bo@example.org\r\nspy@spy.example",Bo,active\r\ncleo@example.com,Cleo,active\r\n',
    "title.md": '---\ntitle: "Tides\\r\\nBcc: spy@spy.example\\r\\n\\r\\nanother body"\n'
    "theme: inject\nurl: https://tides.example/\ndate: 2027-01-10\n---\n\nWords.\n",
}


@both("HI-01", _OURS, "*.*")
def test_hi_01_relay_sees_nobody_but_the_readers(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """RCPT for anna and cleo alone; Subject and names are one line; the body is the one meant."""
    root = with_people(
        newsletter,
        digest,
        files["people.csv"],
        now=_NOW,
        files={"content/title.md": files["title.md"]},
        code=1,
    )
    with Relay() as relay:
        code, _, err = digest("-C", root, "send", "--yes", *by_relay(relay), *_NOW)

    assert code == 0, err
    assert [kept.recipients for kept in relay.kept] == [
        ("anna@example.com",),
        ("cleo@example.com",),
    ]
    assert sorted(relay.commands("RCPT")) == [
        "RCPT TO:<anna@example.com>",
        "RCPT TO:<cleo@example.com>",
    ]
    general = message_from_bytes(
        (root / "outbox/2027-w03/issue.eml").read_bytes(), policy=policy.SMTP
    )
    for kept in relay.kept:
        message = message_from_bytes(kept.data, policy=policy.SMTP)
        assert message.keys() == general.keys()
        assert "Bcc" not in message
        assert len(str(message["Subject"]).splitlines()) == 1
        assert str(message["Subject"]).startswith(("Tides Bcc:", "Weekly Bcc:"))
        assert [part.get_content_type() for part in message.walk()] == [
            "multipart/alternative",
            "text/plain",
            "text/html",
        ]
        assert [part.defects for part in message.walk()] == [[], [], []]
