"""WS-03: preview, test and archive hold nothing of a reader, and show what is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from cases.inputs import both
from cases.sending import with_people

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_KEY = "2027-w03"
# The look greets readers by name and address, so that each mail has personal parts.
_GREETING = '<mj-text><p class="hello">Dear [[name|reader]] ([[address|you]])</p></mj-text>'


@pytest.fixture
def look() -> str:
    """Give the shipped mail with a greeting."""
    shipped = (Path(__file__).resolve().parents[2] / "templates/letter.mjml.j2").read_text("utf-8")
    head, mark, rest = shipped.partition("{% if letter.introduction.html %}")
    assert mark
    return f"{head}{_GREETING}\n{mark}{rest}"


@both("WS-03", {"people.csv": "email,name,status\nanna@example.com,Anna Lund,active\n"}, "*.csv")
def test_ws_03_nothing_of_a_reader_is_shown(
    digest: Digest, newsletter: Make, look: str, files: dict[str, bytes]
) -> None:
    """Steps 1 to 3: no name, address or message of Anna in edition, archive and test; then sent."""
    root = with_people(
        newsletter,
        digest,
        files["people.csv"],
        now=_NOW,
        files={
            "content/mills.md": "---\ntitle: Tide mills\n---\n\nThey ground corn.\n",
            "templates/letter.mjml.j2": look,
        },
    )
    test = digest("-C", root, "send", "--test", "editor@example.com", "--json", *_NOW)
    assert test[0] == 0, test
    assert digest("-C", root, "publish", *_NOW)[0] == 0
    shown = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in (root / "outbox").rglob("*")
        if path.is_file()
    }
    assert any(name.startswith("outbox/notices/") for name in shown)
    for name, data in shown.items():
        for word in (b"Anna", b"Lund", b"anna@", b"anna=40"):
            assert word not in data, name
    # Test and preview have marked nothing as sent.
    status = json.loads(digest("-C", root, "status", "--json", *_NOW)[1])
    assert [issue["state"] for issue in status["issues"]] == ["published"]

    sent = digest("-C", root, "send", "--json", *_NOW)
    assert (sent[0], json.loads(sent[1])["accepted"]) == (0, 1)
    [file] = (root / f"outbox/{_KEY}/messages").glob("*.eml")
    html = _html(file.read_bytes())
    assert "Dear Anna Lund (anna@example.com)" in html
    # Once the personal parts are set aside, it is what was looked at.
    looked_at = (root / f"outbox/{_KEY}/issue.html").read_text("utf-8")
    assert "Dear reader (you)" in looked_at
    assert html.replace("Anna Lund", "reader").replace("anna@example.com", "you") == looked_at
    [notice] = (root / "outbox/notices").iterdir()
    strip = re.compile(r'<div lang="en".*?</div>\n', re.DOTALL)
    tested = strip.sub("", _html(notice.read_bytes()), count=1)
    assert tested.replace("editor@example.com", "you") == looked_at


def _html(data: bytes) -> str:
    message = message_from_bytes(data, policy=policy.SMTP)
    text: str = list(message.iter_parts())[-1].get_content()  # type: ignore[attr-defined]
    return text.replace("\r\n", "\n")
