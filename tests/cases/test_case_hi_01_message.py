"""HI-01: a line break in a title or a name makes no field and no body (the messages)."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from cases.forms import Issue
from cases.inputs import both, in_content
from cases.letters import general_mail, mail_to, read_mail, read_part, wire_lines

from digest.mime import parse_address
from digest.model import Mailbox

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_OURS_TITLE = {
    "title.md": '---\ntitle: "Two mills\\r\\nBcc: thief@else.example\\r\\n\\r\\nfalse body"\n'
    "theme: breaks\nurl: https://mills.example/\ndate: 2027-01-12\n---\n\nThey grind.\n"
}
_OURS_PEOPLE = {
    "people.csv": b'email,name,status\r\nada@reader.example,"Ada\r\nBcc: thief@else.example",active'
    b'\r\n"bo@reader.example\r\nthief@else.example",Bo,active\r\n'
    b'eve@reader.example,"Eve\x0bX-A: 1\xc2\x85X-B: 2\xe2\x80\xa8X-C: 3",active\r\n'
    b"cy@reader.example,Cy,active\r\n"
}
_FIELDS = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "List-Id",
    "List-Unsubscribe",
    "List-Help",
    "List-Archive",
    "List-Post",
    "Auto-Submitted",
    "Precedence",
    "X-Digest-Edition",
    "MIME-Version",
    "Content-Type",
]


@both("HI-01", _OURS_TITLE)
def test_hi_01_title_with_a_break_is_one_line(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """The general copy and a reader's mail have the fields that are meant, and whole parts."""
    issue = publish(newsletter(in_content(files)))
    mail = mail_to(issue, Mailbox(name="Ada", address="ada@reader.example")).data

    for data in (general_mail(issue), mail):
        parsed = read_mail(data)
        assert parsed.keys() == _FIELDS
        assert "Bcc" not in parsed
        assert " Bcc: " in parsed["Subject"]
        assert "\n" not in parsed["Subject"]
        assert parsed["Subject"] == issue.titles[0]
        # The body begins with the first part, not with what the title says.
        assert data.partition(b"\r\n\r\n")[2].startswith(b"--digest=_")
        assert issue.titles[0] in " ".join(read_part(data, "plain").split())


def _people(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


@both("HI-01", _OURS_PEOPLE, "*.csv")
def test_hi_01_name_with_a_break_is_one_line(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Whoever has a sound address gets a mail with that one recipient and a name of one line."""
    issue = publish(newsletter({"content/a.md": "# Mills\n\nThey grind.\n"}))
    [data] = files.values()
    sound = [row for row in _people(data) if "\n" not in row["email"]]

    assert len(sound) >= 2
    for row in sound:
        mail = mail_to(issue, Mailbox(name=row["name"], address=parse_address(row["email"])))
        parsed = read_mail(mail.data)
        [whom] = parsed["To"].addresses
        assert parsed.keys() == _FIELDS
        assert (whom.addr_spec, mail.recipient) == (row["email"], row["email"])
        assert whom.display_name.split() == row["name"].split()
        assert wire_lines(mail.data)
    assert _people(data)[-1] in sound


@both("HI-01", _OURS_PEOPLE, "*.csv")
def test_hi_01_address_with_a_break_is_refused(files: dict[str, bytes]) -> None:
    """Nobody is mailed to at an address that holds a line break."""
    [data] = files.values()
    broken = [row["email"] for row in _people(data) if "\n" in row["email"]]

    assert broken
    for email in broken:
        with pytest.raises(ValueError, match=r"U\+000[AD]|invalid|unsafe"):
            parse_address(email)
