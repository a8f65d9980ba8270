"""WS-01, the mail of a reader: braces in a name, a title and a text are shown as typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from cases.inputs import both, typed
from cases.sending import by_relay, with_people
from relay.server import Relay

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_GREETING = "<mj-text><p>Dear [[name|reader]]</p></mj-text>\n{% if letter.introduction.html %}"
_OURS = {
    "braces.md": '---\ntitle: "Sum {{ 6*7 }} and {% raw %}"\nurl: https://sums.example/\n---\n\n'
    "{% for x in range(9) %}b{% endfor %} ${6*7} #{6*7} <%= 6*7 %>\n",
    "people.csv": "email,name,status\nann@reader.example,{{ settings }} {{ 6*7 }},active\n",
}


@both("WS-01", _OURS, "*.*")
def test_ws_01_name_stands_in_to_and_text_as_typed(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Nothing is computed for a reader, in header or body, and no setting shows."""
    shipped = (Path(__file__).resolve().parents[2] / "templates/letter.mjml.j2").read_text("utf-8")
    look = shipped.replace("{% if letter.introduction.html %}", _GREETING, 1)
    root = with_people(
        newsletter,
        digest,
        files["people.csv"],
        now=_NOW,
        files={"content/braces.md": files["braces.md"], "templates/letter.mjml.j2": look},
    )
    with Relay() as relay:
        code, _, err = digest("-C", root, "send", "--yes", *by_relay(relay), *_NOW)
        assert code == 0, err
    name = files["people.csv"].decode().splitlines()[1].split(",")[1]
    [kept] = relay.kept
    message = message_from_bytes(kept.data, policy=policy.SMTP)
    assert isinstance(message, EmailMessage)

    assert message["To"].addresses[0].display_name == name
    assert message["Subject"] == typed(files["braces.md"], "title")
    plain, rich = (part.get_content() for part in message.iter_parts())
    assert f"Dear {name}" in rich
    for text in (str(message["To"]), str(message["Subject"]), plain, rich):
        assert not re.search(r"(?<![\d.#-])(?:49|42)(?![\d.%px])", text)
        assert "<class" not in text
        assert "harbour.example,2026" not in text
