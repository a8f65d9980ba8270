"""BD-02: dots at the start of lines stay single in the mail file, and no line end stands alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cases.forms import Issue
from cases.inputs import both, in_content
from cases.letters import general_mail, mail_to, read_part, wire_lines

from digest.model import Mailbox

_ROOT = Path(__file__).resolve().parents[2]
Publish = Callable[..., Issue]
Make = Callable[..., Path]

_OURS = {
    "dots.md": b"---\ntitle: Points\ntheme: points\nurl: https://points.example/\n"
    b"date: 2027-01-12\n---\n\nWrite this:\n\n```\n.hidden\n..\n.\n.\nQUIT\n.first of all\n```\n\n"
    b"...and there it ends, without a line end"
}


def _code(data: bytes) -> list[str]:
    return data.decode().split("```")[1].strip("\n").split("\n")


@both("BD-02", _OURS)
def test_bd_02_text_that_arrives_is_the_one_in_the_outbox(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Both parts, decoded, are the files of the edition, every dot in its place."""
    issue = publish(newsletter(in_content(files)))
    [data] = files.values()
    edition = issue.root / "outbox" / issue.key
    mail = mail_to(issue, Mailbox(address="ada@reader.example")).data

    for message in (general_mail(issue), mail):
        text = read_part(message, "plain")
        assert text == (edition / "issue.txt").read_text("utf-8")
        assert read_part(message, "html") == (edition / "issue.html").read_text("utf-8")
        lines = [line.strip() for line in text.splitlines()]
        start = lines.index(_code(data)[0])
        assert lines[start : start + len(_code(data))] == _code(data)


@both("BD-02", _OURS)
def test_bd_02_dots_that_begin_a_line_stay_single(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """With a look that sets code flush left, each dot is there once, and none is alone."""
    look = (_ROOT / "templates/items.txt.j2").read_text("utf-8")
    assert look.count("{{ item.text }}") == 1
    flush = look.replace("{{ item.text }}", '{{ item.text.replace("       ", "") }}')
    issue = publish(newsletter({**in_content(files), "templates/items.txt.j2": flush}))
    [data] = files.values()
    mail = mail_to(issue, Mailbox(address="ada@reader.example")).data

    for message in (general_mail(issue), mail):
        assert b"." not in wire_lines(message)
        assert "\n".join(_code(data)) in read_part(message, "plain")
