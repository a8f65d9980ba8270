"""BD-01: no line of a mail is too long, whatever content holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from cases.forms import Issue, tree_of
from cases.inputs import both, in_content
from cases.letters import general_mail, mail_to, read_part, wire_lines

from digest.model import Mailbox

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_QUERY = "&".join(f"part{number}=value-of-{number}" for number in range(120))
_OURS = {
    "long.md": "---\ntitle: Long ropes\ntheme: ropes\nurl: https://ropes.example/\n"
    f"date: 2027-01-12\n---\n\n{'ropeafterrope' * 700}\n\n"
    f"See [the whole list](https://ropes.example/list?{_QUERY}).\n"
}


def _longest_link(data: bytes) -> str:
    return max(re.findall(r"https?://[^\s)>\"]+", data.decode()), key=len)


@both("BD-01", _OURS)
def test_bd_01_lines_stay_within_limits(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """No line has more than 998 octets, and none of an encoded body more than 76."""
    issue = publish(newsletter(in_content(files)))
    mail = mail_to(issue, Mailbox(name="A" * 3000, address="ada@reader.example")).data

    for data in (general_mail(issue), mail):
        assert max(len(line) for line in wire_lines(data)) <= 998
        body = data.partition(b"\r\n\r\n")[2]
        assert max(len(line) for line in wire_lines(body)) <= 76


@both("BD-01", _OURS)
def test_bd_01_longest_link_is_whole(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Decoded, the link with its many parameters stands whole in HTML and text."""
    issue = publish(newsletter(in_content(files)))
    [data] = files.values()
    link = _longest_link(data)
    mail = mail_to(issue, Mailbox(address="ada@reader.example")).data

    assert link.count("=") >= 110
    for message in (general_mail(issue), mail):
        links = [a.attrib.get("href") for a in tree_of(read_part(message, "html")).iter("a")]
        assert link in links
        assert link in read_part(message, "plain")
