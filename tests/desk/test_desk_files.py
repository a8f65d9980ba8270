"""The very bytes of the edition, and nothing else of the folder."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from desk.visiting import Visitor, visiting

_PAGE = "/issues/2027-w03"
_NOW = ("--now", "2027-01-18T10:00:00+01:00")
# One pixel.
_WHEEL = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4IdADAAMIAWU0IObMAAAAAElFTkSuQmCC"
)
_TYPES = {
    "issue.html": "text/html; charset=utf-8",
    "issue.txt": "text/plain; charset=utf-8",
    "issue.eml": "message/rfc822",
    "page.html": "text/html; charset=utf-8",
    "entry.html": "text/html; charset=utf-8",
}


@pytest.mark.parametrize("name", _TYPES)
def test_files_are_those_of_the_edition(drafted: Path, name: str) -> None:
    """Each file comes byte for byte as it lies in the outbox, with its media type."""
    with visiting(drafted) as visitor:
        answer = visitor.get(f"{_PAGE}/{name}")

    assert answer.body == (drafted / "outbox/2027-w03" / name).read_bytes()
    assert answer.headers["content-type"] == _TYPES[name]


def test_each_look_is_a_new_one(drafted: Path) -> None:
    """A build while the desk is open shows at the next request."""
    from digest.cli.main import run  # noqa: PLC0415 - only this test runs a command

    summary = drafted / "content/west.md"
    with visiting(drafted) as visitor:
        before = visitor.get(f"{_PAGE}/issue.txt").text
        summary.write_text(summary.read_text("utf-8").replace("valley", "harbour"), "utf-8")
        now = ("--now", "2027-01-18T10:00:00+01:00")
        assert run(["-C", str(drafted), "build", "2027-w03", "-q", *now]) == 0
        after = visitor.get(f"{_PAGE}/issue.txt").text

    assert "harbour brings" not in before
    assert "harbour brings" in after


@pytest.mark.parametrize("images", ["link", "cid", "none"])
def test_frames_hold_the_pictures_themselves(drafted: Path, images: str) -> None:
    """Where a form shows a picture of the issue, its copy has the octets; the file stays as it is.

    Nothing of it counts as a picture of others.
    """
    from digest.cli.main import run  # noqa: PLC0415 - only few tests run a command

    settings = drafted / "digest.toml"
    told = settings.read_text("utf-8").replace("[mail]\n", f'[mail]\nimages = "{images}"\n')
    settings.write_text(told, "utf-8")
    (drafted / "content/wheel.png").write_bytes(_WHEEL)
    with (drafted / "content/west.md").open("a", encoding="utf-8") as summary:
        summary.write("\n![A wheel](wheel.png)\n")
    assert run(["-C", str(drafted), "build", "2027-w03", "-q", *_NOW]) == 0
    with visiting(drafted) as visitor:
        mail, page, entry = (
            visitor.get(f"{_PAGE}/frame/{name}").text
            for name in ("issue.html", "page.html", "entry.html")
        )
        shown = visitor.get(f"{_PAGE}?view=feed").text
        raw = visitor.get(f"{_PAGE}/page.html").text

    data = f'src="data:image/png;base64,{b64encode(_WHEEL).decode()}"'
    assert (data in mail) == (images != "none")
    assert data in page
    assert data in entry
    assert "remote picture" not in shown
    assert "base64" not in raw


@pytest.mark.parametrize(
    "path",
    [
        f"{_PAGE}/edition.json",
        f"{_PAGE}/inputs/issue.md",
        f"{_PAGE}/inputs%2Fissue.md",
        f"{_PAGE}/..%2f..%2fdigest.toml",
        f"{_PAGE}/../../../../etc/passwd",
        f"{_PAGE}/frame/issue.txt",
        f"{_PAGE}/frame/issue.eml",
        f"{_PAGE}/frame/..%2fissue.html",
        f"{_PAGE}/",
        "/issues/",
        "/issues/..%2f..%2fprivate",
        "/issues/2027-w99/issue.html",
        "/issues/2027-w04/issue.html",
        "/issues/2027-w04/frame/issue.html",
        "/private/key",
        "/pages/base.html.j2",
        "/favicon.ico",
        "/DESK.CSS",
    ],
)
def test_nothing_else_is_served(visitor: Visitor, path: str) -> None:
    """Inputs, the manifest, other folders, other names and other issues are not found."""
    assert visitor.get(path).status == 404


def test_a_changed_edition_is_not_shown(drafted: Path) -> None:
    """A file that is not what its manifest says is told, in words, and not given out."""
    file = drafted / "outbox/2027-w03/issue.html"
    file.write_bytes(file.read_bytes().replace(b"tide", b"tidy"))
    with visiting(drafted) as visitor:
        answers = [visitor.get(f"{_PAGE}{end}") for end in ("", "/issue.html", "/frame/issue.html")]

    for answer in answers:
        assert answer.status == 500
        assert "outbox/2027-w03" in answer.text
        assert "does not hold what its manifest says: issue.html" in answer.text
        assert "tidy" not in answer.text
        assert str(drafted) not in answer.text


def test_style_and_icon_come_with_the_program(visitor: Visitor) -> None:
    """The desk's own style sheet and icon are served with their types."""
    assert visitor.get("/desk.css").headers["content-type"] == "text/css; charset=utf-8"
    assert visitor.get("/icon.svg").headers["content-type"] == "image/svg+xml"
