"""BD-02, the wire: dots at the start of lines arrive as they were typed."""

from __future__ import annotations

import re

from cases.inputs import both
from relay.server import Relay

from digest.model import Message
from digest.transport import Outbox, Smtp, SmtpAccount

_OURS = {
    "hidden.md": "---\ntitle: Hidden files\n---\n\nKeep these:\n\n```\n.profile\n..\n.\n.\nRSET\n"
    ".\n```\n\n...\n\n.. and one line more, without an end",
}


@both("BD-02", _OURS)
def test_bd_02_dots_are_doubled_on_the_wire_and_only_there(files: dict[str, bytes]) -> None:
    """What the relay keeps equals the outbox file, and no line end is half."""
    for number, data in enumerate(files.values()):
        body = b"\r\n".join(data.splitlines()) + b"\r\n"
        letter = Message(
            id=f"<dots{number}@harbour.example>",
            sender="letter@harbour.example",
            recipient="ann@reader.example",
            data=b"Subject: Dots\r\n\r\n" + body,
        )
        outbox: dict[str, bytes] = {}
        Outbox(outbox.__setitem__).hand_over(letter)
        with Relay() as relay:
            smtp = Smtp(SmtpAccount(host="127.0.0.1", port=relay.port, security="none"))
            smtp.open()
            assert smtp.hand_over(letter).state == "accepted"
            smtp.close()

        [kept] = relay.kept
        assert kept.data == outbox[f"dots{number}.eml"] == letter.data
        wire = bytes(relay.wire[0])
        assert not re.search(rb"\r(?!\n)|(?<!\r)\n", wire)
        sent = wire[wire.index(b"DATA\r\n") + 6 : wire.index(b"\r\n.\r\nQUIT\r\n") + 2]
        pairs = zip(sent.split(b"\r\n"), letter.data.split(b"\r\n"), strict=True)
        for line, typed in pairs:
            assert line == (b"." + typed if typed.startswith(b".") else typed)
