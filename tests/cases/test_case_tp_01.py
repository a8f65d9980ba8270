"""TP-01: what is filled in for each reader comes whole through the inliner."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from cases.forms import tree_of
from cases.inputs import both, original
from cases.letters import read_mail, read_part
from cases.sending import by_relay, with_people
from relay.server import Relay

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_FRAGMENT = (
    '<p><a href="{{ unsubscribe_url }}">Away with me</a>, or '
    '<a href="{{archive_url}}#top">the page of this week</a></p>\n'
)
_PEOPLE = (
    "email,name,status\nada@reader.example,Ada Weir,active\n"
    'cy+quay@reader.example,"Quay, Cy & Sons",active\n'
)
_ITEM = "---\ntitle: Tide mills\nurl: https://mills.example/\n---\n\nThey ground corn.\n"
_SHIPPED = Path(__file__).resolve().parents[2] / "templates" / "letter.mjml.j2"
# What the placeholders of other tools are called here.
_SAID_HERE = {"{{ unsubscribe_url }}": "[[leave_url]]", "{{archive_url}}": "{{ letter.page_url }}"}
_BRACES = re.compile(r"\{\{|\}\}|%7B|%7D|\*\||\[\[", re.IGNORECASE)


def _template(fragment: str) -> str:
    """Put a fragment and a greeting into the shipped letter, above its foot."""
    parts = _SHIPPED.read_text("utf-8").rpartition('<p class="foot">')
    return f"{parts[0]}{fragment}<p>For [[name|you]]</p>{parts[1]}{parts[2]}"


@pytest.fixture
def sent(digest: Digest, newsletter: Make, files: dict[str, bytes]) -> dict[str, bytes]:
    """Send an issue of a letter with the fragment in it; give the mails by recipient."""
    fragment = files["fragment.html"].decode()
    for theirs, ours in _SAID_HERE.items():
        assert theirs in fragment
        fragment = fragment.replace(theirs, ours)
    root = with_people(
        newsletter,
        digest,
        files["people.csv"],
        now=_NOW,
        files={
            "content/mills.md": _ITEM,
            "templates/letter.mjml.j2": _template(fragment),
        },
    )
    with Relay() as relay:
        done = digest("-C", root, "send", "2027-w03", "--yes", *by_relay(relay), *_NOW)
    assert done[0] == 0, done
    return {kept.recipients[0]: kept.data for kept in relay.kept}


_both = both("TP-01", {"fragment.html": _FRAGMENT, "people.csv": _PEOPLE}, "*.*")


@_both
def test_tp_01_leave_link_is_that_of_the_header(sent: dict[str, bytes]) -> None:
    """The link in the HTML, decoded, is the address in List-Unsubscribe; the other keeps `#top`."""
    assert len(sent) == 2
    for data in sent.values():
        header = re.findall(r"<([^>]*)>", read_mail(data)["List-Unsubscribe"])
        html = read_part(data, "html")
        links = [str(a.get("href")) for a in tree_of(html).iter("a")]

        # There are no public pages yet, so both lead to leaving by mail.
        assert header[0].startswith("mailto:")
        assert links.count(unescape(header[0])) == 2  # the foot's and the fragment's
        assert [link for link in links if link.endswith("2027-w03.html#top")] != []


@_both
def test_tp_01_no_placeholder_is_left(sent: dict[str, bytes]) -> None:
    """Neither a header nor a part shows a placeholder, plain or encoded."""
    for data in sent.values():
        mail = read_mail(data)
        texts = [f"{name}: {value}" for name, value in mail.items()]
        texts += [read_part(data, "plain"), read_part(data, "html")]
        assert [found[0] for text in texts for found in _BRACES.finditer(text)] == []


@_both
def test_tp_01_name_is_escaped_once(sent: dict[str, bytes], files: dict[str, bytes]) -> None:
    """A name with an ampersand is escaped once in HTML, and plain in To."""
    [line] = [line for line in files["people.csv"].decode().splitlines() if "&" in line]
    name = line.split('"')[1]
    [data] = [data for to, data in sent.items() if to in line]

    assert f"For {name.replace('&', '&amp;')}</p>" in read_part(data, "html")
    assert read_mail(data)["To"].addresses[0].display_name == name


@pytest.mark.parametrize(
    "fragment",
    [
        pytest.param(_FRAGMENT, id="ours"),
        pytest.param(
            original("TP-01", "fragment.html").get("fragment.html", b"").decode(),
            id="original",
            marks=pytest.mark.skipif(
                not original("TP-01", "fragment.html"),
                reason="the original input files do not lie beside the repository",
            ),
        ),
    ],
)
def test_tp_01_unknown_placeholder_stops_the_build(
    digest: Digest, newsletter: Make, fragment: str
) -> None:
    """A placeholder that this program does not know stops the build and is named with its line."""
    root = newsletter({"content/mills.md": _ITEM, "templates/letter.mjml.j2": _template(fragment)})

    code, _, told = digest("-C", root, "build", *_NOW)

    assert code == 2
    assert "'unsubscribe_url' is undefined" in told
    assert re.search(r"templates/letter\.mjml\.j2:\d+", told)
    assert not (root / "outbox" / "2027-w03").exists()
