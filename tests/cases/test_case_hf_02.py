"""HF-02: long subjects with signs beyond ASCII come back exactly."""

from __future__ import annotations

import json
import re
from binascii import a2b_base64
from collections.abc import Callable
from email.header import decode_header, make_header
from pathlib import Path

from cases.forms import Issue
from cases.inputs import both
from cases.letters import general_mail, mail_to, read_mail

from digest.model import Mailbox

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_OURS = {
    "subjects.txt": "Letter 12: nine short notes on tides, three on mills, and a word on what "
    "“well built” means \N{EN DASH} seen from the quay\n"
    "Letter 7: two notes on sails and an evening by the sea in Malmö with old friends\n"
    "⛵ Letter 31: how nine boats and two mills were moved, and why the "
    "ferry\N{RIGHT SINGLE QUOTATION MARK}s bell rang at noon\n"
    "潮汐通信第十二号\N{FULLWIDTH COLON}"
    "港の風車と帆船についての九つの短い記事、そして岸から見た潮の満ち引きの記録\n"
    f"Whatisthis{'y' * 100} and no more\n"
}
_WORD = re.compile(r"=\?([^?]+)\?([bBqQ])\?([^?]*)\?=")


def _by_hand(value: str) -> str:
    """Decode a field after RFC 2047 §6.2, sharing no code with the library."""
    unfolded = value.replace("\r\n", "")
    joined = re.sub(r"\?=[ \t]+=\?", "?==?", unfolded)

    def word(match: re.Match[str]) -> str:
        assert match[2].lower() == "b"
        return a2b_base64(match[3]).decode(match[1], "strict")

    return _WORD.sub(word, joined)


def _raw_subject(data: bytes) -> str:
    """Give the field's value with its folds; none of its octets may be beyond ASCII."""
    found = re.search(rb"^Subject: (.*(?:\r\n[ \t].*)*)\r\n(?![ \t])", data, re.MULTILINE)
    assert found
    return found[1].rstrip(b"\r").decode("ascii")


def _judge(data: bytes, title: str) -> None:
    raw = _raw_subject(data)
    assert _by_hand(raw) == title
    assert str(make_header(decode_header(raw))) == title
    assert read_mail(data)["Subject"] == title
    for line in f"Subject: {raw}".split("\r\n"):
        for word in _WORD.finditer(line):
            assert len(word[0]) <= 75
            assert len(line) <= 76
            assert line[: word.start()][-1:] in {"", " "}
            assert line[word.end() :][:1] in {"", " "}


@both("HF-02", _OURS, "*.txt")
def test_hf_02_subjects_come_back_exactly(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Each title, as the title of an issue, is decoded to itself by decoders that share no code."""
    [data] = files.values()
    titles = data.decode().splitlines()

    assert len(titles) == 5
    for number, title in enumerate(titles):
        quoted = json.dumps(title, ensure_ascii=False)
        text = f"---\ntitle: {quoted}\n---\n\nText.\n"
        root = newsletter({"content/a.md": text}, name=f"letter{number}")
        issue = publish(root)
        _judge(general_mail(issue), title)
        _judge(mail_to(issue, Mailbox(address="ada@reader.example")).data, title)
