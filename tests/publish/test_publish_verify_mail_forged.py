"""Forged mails: each shows something that was not published, and none of them is proved."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli.pictured import drawn
from publish.forging import FORGED, Forge, above, as_base64, part

from digest.cli.main import run
from digest.config import load_settings
from digest.mime import reader_message
from digest.model import IssueKey, Mailbox
from digest.publish.editions import material_from, read_kept
from digest.publish.project import Project
from digest.publish.verify_mail import verify_mail

NOW = ("--now", "2026-12-01T10:00:00+01:00")
KEY = IssueKey("2026-w49")
_TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
_GREETING = "Dear [[name|reader]], this goes to [[address|nobody]]."
_SETTINGS = """\
[newsletter]
name = "Harbour Notes"
slug = "harbour-notes"
timezone = "Europe/Berlin"
tag = "harbour.example,2026-01-01"
postal_address = "Harbour Notes, 1 Quay, 00000 Haven"

[site]
url = "https://harbour.example/"

[mail]
from = "Harbour Notes <letter@harbour.example>"
images = "cid"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Give a newsletter whose issue with a picture is published, and greets its readers."""
    root = tmp_path_factory.mktemp("letter")
    mail = (_TEMPLATES / "letter.mjml.j2").read_text("utf-8")
    text = (_TEMPLATES / "letter.txt.j2").read_text("utf-8")
    files = {
        "digest.toml": _SETTINGS,
        "content/a.md": "---\ntitle: Mills\nimage: a.png\nimage_alt: A mill\n---\n\nGrind.\n",
        "templates/letter.txt.j2": f"{_GREETING}\n{text}",
        "templates/letter.mjml.j2": mail.replace("</h1>", f"</h1>\n<p>{_GREETING}</p>", 1),
    }
    for path, words in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(words, "utf-8")
    (root / "content/a.png").write_bytes(drawn("PNG"))
    for command in ("build", "publish"):
        assert run(["-C", str(root), command, "-q", *NOW]) == 0
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


def mail_to(project: Project, *, name: str = "Ann", address: str = "ann@reader.example") -> bytes:
    """Make the mail that a reader gets."""
    kept = read_kept(project.folder(KEY), root=project.root)
    return reader_message(
        kept.edition,
        newsletter=material_from(kept).newsletter,
        to=Mailbox(address=address, name=name),
        message_id=f"<{KEY}.abcdefghij@harbour.example>",
        date=datetime(2026, 12, 1, tzinfo=UTC),
    ).data


@pytest.fixture(scope="module")
def honest(project: Project) -> bytes:
    """Give the mail of one reader."""
    return mail_to(project)


def differences(project: Project, data: bytes) -> tuple[str, ...]:
    """Verify a mail of the published edition."""
    verified = verify_mail(project, data, name="mail.eml")
    assert (verified.key, verified.state) == (KEY, "published")
    assert verified.identical is not bool(verified.differences)
    return verified.differences


def test_an_honest_mail_is_proved(project: Project, honest: bytes) -> None:
    """The edition as filled in for a reader, and the general copy, have no differences."""
    assert differences(project, honest) == ()
    assert differences(project, (project.folder(KEY) / "issue.eml").read_bytes()) == ()
    verified = verify_mail(project, honest, name="mail.eml")
    assert verified.fields == ("address", "name")


@pytest.mark.parametrize("name", ["", "J. Smith", "Zoë & <b>Co</b>", "ann@reader.example", "港"])
def test_names_as_people_have_them_are_proved(project: Project, name: str) -> None:
    """Short ones, none, with signs of HTML in them, and the address as a name."""
    assert differences(project, mail_to(project, name=name)) == ()
    assert differences(project, mail_to(project, name="x" * 320)) == ()


@pytest.mark.parametrize(
    "change",
    [
        above(b"Received: by a.example", b"Received: by b.example", b"X-Spam: 1", b"X-Spam: 2"),
        above(b"Thread-Topic: x", b"Thread-Index: AQ==", b"Content-Language: en-US"),
        above(b"DKIM-Signature: v=1", b"DKIM-Signature: v=1", b"Return-Path: <x@a.example>"),
        above(b"ARC-Seal: i=1", b"ARC-Message-Signature: i=1", b"ARC-Authentication-Results: i=1"),
        above(b"Authentication-Results: a.example; dkim=pass", b"Delivered-To: ann@reader.example"),
        above(b"From letter@harbour.example Mon Nov 30 10:00:00 2026"),
        lambda mail: mail.replace(b"\r\n", b"\n"),
        lambda mail: mail + b"\r\n\r\n",
        part(b"text/html", as_base64()),
        part(b"text/plain", as_base64()),
    ],
)
def test_what_relays_do_is_no_difference(project: Project, honest: bytes, change: Forge) -> None:
    """Fields in front, other line ends, an own encoding: all the same mail."""
    assert differences(project, change(honest)) == ()


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_mail_is_not_proved(project: Project, honest: bytes, what: str) -> None:
    """Whatever some program may show of it that was not published is told."""
    forge, told = FORGED[what]
    forged = forge(honest)
    assert forged != honest
    found = differences(project, forged)
    assert any(told in difference for difference in found), found
    assert not any("evil" in difference or "won" in difference for difference in found)


@pytest.mark.parametrize(
    "name",
    [
        "you won: https://evil.example/",
        "look at www.evil.example",
        "log in at evil.example",
        "or at x.yz/evil",
        "bank@evil.example",
        "mailto:bank",
        "\u202egnp.",
        "x" * 321,
    ],
)
def test_a_name_that_is_a_letter_is_told(project: Project, name: str) -> None:
    """To agrees with the greeting, yet nobody is called so."""
    assert differences(project, mail_to(project, name=name)) == (
        "header: the name in To is longer than any, or has what may be shown as a link",
    )


@pytest.mark.parametrize("address", ["ann@reader", "ann@READER.example", f"{'a' * 65}@a.example"])
def test_an_address_that_is_none_is_told(project: Project, address: str) -> None:
    """In the place of the address nothing but one may stand."""
    assert differences(project, mail_to(project, address=address)) == (
        "header: the address in To is none",
    )


def test_many_doubts_are_counted(project: Project, honest: bytes) -> None:
    """Twenty are told, so that nobody scrolls for the others."""
    more = b"".join(b"A%d: x\r\nA%d: y\r\n" % (number, number) for number in range(25))
    found = differences(project, more + honest)
    assert sum(" stands twice" in difference for difference in found) == 20
    assert "mail: there are 5 doubts more" in found


def test_an_issue_of_the_same_words_is_another_issue(project: Project, honest: bytes) -> None:
    """X-Digest-Edition decides what a mail is compared with; its imprint must be that of it."""
    forged = honest.replace(b"X-Digest-Edition: 2026-w49", b"X-Digest-Edition: 2026-w48")
    other = project.folder(IssueKey("2026-w48"))
    shutil.copytree(project.folder(KEY), other)
    try:
        found = verify_mail(project, forged, name="mail.eml")
    finally:
        shutil.rmtree(other)
    assert "header: X-Digest-Edition names no edition of this issue" in found.differences
