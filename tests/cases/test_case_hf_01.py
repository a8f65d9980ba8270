"""HF-01: a long address to leave by stands whole in List-Unsubscribe (the message)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from cases.forms import Issue
from cases.inputs import both
from cases.letters import mail_to, read_mail, read_part

from digest.model import Mailbox

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_OURS = {
    "settings.txt": "base: https://letters.example/list/leave-at-once?of=harbour-notes\n"
    f"token: at least 64 characters, e.g. {'5d0c9b' * 22}\n"
    "by mail: mailto:leave@letters.example?subject=out%20of%20it\n"
}


def _addresses(data: bytes) -> tuple[str, str]:
    """Give the address for one click, with its token, and the one for a mail."""
    text = data.decode()
    base = re.search(r"https://\S+", text)
    token = re.search(r"\b[0-9a-f]{64,}\b", text)
    mail = re.search(r"mailto:\S+", text)
    assert base
    assert token
    assert mail
    return f"{base[0]}&token={token[0]}", mail[0]


@both("HF-01", _OURS, "*.txt")
def test_hf_01_address_is_whole_in_the_raw_bytes(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """The field holds both addresses in order, folded only between them and never encoded."""
    issue = publish(newsletter({"content/a.md": "# Mills\n\nThey grind.\n"}))
    [data] = files.values()
    https, mailto = _addresses(data)
    mail = mail_to(
        issue, Mailbox(name="Ada", address="ada@reader.example"), unsubscribe=(https, mailto)
    ).data
    head = mail.partition(b"\r\n\r\n")[0] + b"\r\n"

    assert head.count(f"\r\nList-Unsubscribe: <{https}>,\r\n <{mailto}>\r\n".encode()) == 1
    assert head.count(b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n") == 1
    assert b"=?" not in head
    assert max(len(line) for line in mail.split(b"\r\n")) <= 998
    assert re.findall("<([^>]+)>", read_mail(mail)["List-Unsubscribe"]) == [https, mailto]


@both("HF-01", _OURS, "*.txt")
def test_hf_01_address_is_whole_in_both_parts(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """The link in the mail leads to the same address."""
    issue = publish(newsletter({"content/a.md": "# Mills\n\nThey grind.\n"}))
    [data] = files.values()
    https, mailto = _addresses(data)
    mail = mail_to(issue, Mailbox(address="ada@reader.example"), unsubscribe=(https, mailto)).data

    assert https in read_part(mail, "plain").splitlines()
    assert f'href="{https.replace("&", "&amp;")}"' in read_part(mail, "html")
