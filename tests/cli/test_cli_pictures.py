"""Own pictures through the commands: built, checked, published and verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.pictured import (
    KEY,
    LETTER,
    NOW,
    PICTURES,
    SITE,
    drawn,
    edition,
    html_of,
    mail_of,
    name_of,
    public,
    sources,
)

from digest.files import write_file

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

WHEEL = name_of("mills/wheel.png")
PAIR = name_of("mills/pair of stones.jpg")
MOON = name_of("mills/moon.webp")
QUAY = name_of("quay.png")
ALL = {name_of(path): data for path, data in PICTURES.items()}
# In the mail WebP is a link. The introduction comes first, an item's own picture last.
_IN_MAIL = (QUAY, PAIR, WHEEL)
_SHOWN = {
    "link": [f"{SITE}pictures/{name}" for name in _IN_MAIL],
    "cid": [f"cid:{name}@harbour.example" for name in _IN_MAIL],
    "none": [],
}
WAYS = pytest.mark.parametrize("way", _SHOWN)


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter whose issue shows a PNG, a JPEG, a WebP and one in its introduction."""
    return newsletter(LETTER)


@pytest.fixture
def run(digest: Digest, letter: Path) -> Callable[..., dict[str, Any]]:
    """Give what runs a command that must go well on it, and gives its JSON."""

    def call(*words: str, at: tuple[str, ...] = NOW) -> dict[str, Any]:
        code, out, err = digest("-C", letter, *words, "--json", *at)
        assert code == 0, err
        return dict(json.loads(out))

    return call


Run = Callable[..., dict[str, Any]]


@WAYS
def test_each_form_shows_the_pictures_in_its_own_way(letter: Path, run: Run, way: str) -> None:
    """The mail as the setting says, the page from beside itself, the entry by whole addresses."""
    run("build", f"--set=mail.images={way}")

    assert sources(html_of(letter, "issue.html")) == _SHOWN[way]
    assert sorted(sources(html_of(letter, "page.html"))) == sorted(f"pictures/{one}" for one in ALL)
    entry = sources(html_of(letter, "entry.html"))
    assert sorted(entry) == sorted(f"{SITE}pictures/{one}" for one in ALL)
    led_to = set(ALL) - set(_IN_MAIL) if way != "none" else set(ALL)
    mail = html_of(letter, "issue.html")
    assert all(f'href="{SITE}pictures/{name}"' in mail for name in led_to)
    wheel = [f'width="{width}" height="{height}"' for width, height in ((536, 402), (40, 30))]
    assert all(size in html_of(letter, "page.html") for size in wheel)
    assert ('width="536"' in mail and 'height="402"' in mail) == (way != "none")


@WAYS
def test_the_edition_keeps_the_files_it_shows(letter: Path, run: Run, way: str) -> None:
    """Under the names that the forms use; its manifest has their hashes, its inputs their sizes."""
    run("build", f"--set=mail.images={way}")
    folder = edition(letter)
    kept = {file.name: file.read_bytes() for file in (folder / "pictures").iterdir()}
    manifest = json.loads((folder / "edition.json").read_text("utf-8"))
    told = json.loads((folder / "inputs/context.json").read_text("utf-8"))["pictures"]

    assert kept == ALL
    assert {f"pictures/{name}" for name in ALL} <= set(manifest["files"])
    assert {path: one["name"] for path, one in told.items()} == {
        path: name_of(path) for path in PICTURES
    }
    assert told["mills/wheel.png"] == {
        "name": WHEEL,
        "media_type": "image/png",
        "width": 640,
        "height": 480,
    }


@WAYS
def test_only_cid_sends_the_files_along(letter: Path, run: Run, way: str) -> None:
    """Inline, by their ids, and the very octets; else the message has text and HTML alone."""
    run("build", f"--set=mail.images={way}")
    parts = [part for part in mail_of(letter).walk() if part.get_content_maintype() == "image"]

    enclosed = {part.get_filename(): part.get_content() for part in parts}
    assert enclosed == ({name: ALL[name] for name in _IN_MAIL} if way == "cid" else {})
    assert [part["Content-ID"] for part in parts] == [
        f"<{part.get_filename()}@harbour.example>" for part in parts
    ]
    assert {part.get_content_disposition() for part in parts} <= {"inline"}


@WAYS
def test_published_pictures_lie_on_the_site(letter: Path, run: Run, way: str) -> None:
    """All four, by their names; check has nothing against them, and verify proves all of it."""
    setting = f"--set=mail.images={way}"
    run("build", setting)
    found = run("check", setting)["findings"]
    told = run("publish", setting)

    assert not {one["rule"] for one in found} & {"D109", "D110", "D124"}
    assert public(letter) == ALL
    assert {f"outbox/site/pictures/{name}" for name in ALL} <= set(told["changed"])
    page = (letter / f"outbox/site/{KEY}.html").read_text("utf-8")
    folder = letter / "outbox/site"
    assert all((folder / source).is_file() for source in sources(page))
    feed = (folder / "feed.json").read_text("utf-8")
    assert all(f"{SITE}pictures/{name}" in feed for name in ALL)
    assert run("verify")["identical"] is True
    assert run("publish", setting)["changed"] == []


def test_pictures_are_there_before_the_pages(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sees a page sees its pictures; the home page, which leads to all, is the last."""
    written: list[str] = []

    def noted(path: Path, data: bytes, *, root: Path) -> bool:
        written.append(path.relative_to(root / "outbox/site").as_posix())
        return write_file(path, data, root=root)

    run("build")
    monkeypatch.setattr("digest.publish.release.write_file", noted)
    run("publish")

    assert sorted(written[: len(ALL)]) == sorted(f"pictures/{name}" for name in ALL)
    assert f"{KEY}.html" in written[len(ALL) :]
    assert written[-1] == "index.html"


def _changed(letter: Path) -> None:
    for path in PICTURES:
        (letter / "content" / path).write_bytes(drawn("PNG", 3, 3))


def _gone(letter: Path) -> None:
    for path in PICTURES:
        (letter / "content" / path).unlink()


@WAYS
@pytest.mark.parametrize("spoil", [_changed, _gone])
def test_the_edition_has_pictures_of_its_own(
    letter: Path, run: Run, way: str, spoil: Callable[[Path], None]
) -> None:
    """What becomes of the files afterwards changes nothing of what is out."""
    setting = f"--set=mail.images={way}"
    run("build", setting)
    run("publish", setting)
    spoil(letter)

    assert run("verify") == {
        "schema": 1,
        "issue": KEY,
        "identical": True,
        "differences": [],
        "tools": [],
    }
    assert run("publish", setting)["changed"] == []
    assert public(letter) == ALL


def test_a_draft_takes_a_changed_picture_in_with_the_next_build(letter: Path, run: Run) -> None:
    """A picture is content: its new octets get a new name, and the old file is gone."""
    run("build")
    (letter / "content/quay.png").write_bytes(drawn("PNG", 9, 9, 77))
    assert run("verify")["identical"] is True
    run("build")

    kept = {file.name for file in (edition(letter) / "pictures").iterdir()}
    assert kept == set(ALL) - {QUAY} | {name_of("quay.png", drawn("PNG", 9, 9, 77))}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"x" * 300, "is no PNG, JPEG, GIF or WebP"),
        (drawn("PNG", 640, 480)[:-20], "is damaged"),
        (None, "there is no such file"),
    ],
)
def test_a_broken_picture_is_told_and_led_to(
    letter: Path, run: Run, data: bytes | None, why: str
) -> None:
    """D124 names the file that shows it; mail and page have a link, and nothing is published."""
    file = letter / "content/mills/wheel.png"
    file.unlink()
    if data is not None:
        file.write_bytes(data)
    run("build")
    found = [one for one in run("check")["findings"] if one["rule"] == "D124"]
    run("publish")

    assert [(one["path"], one["level"]) for one in found] == [("content/mills/tide.md", "warning")]
    assert found[0]["message"] == f"the picture mills/wheel.png cannot be shown: {why}"
    for name in ("issue.html", "page.html"):
        html = html_of(letter, name)
        assert f'href="{SITE}mills/wheel.png"' in html
        assert "A wheel" in html
        assert not [one for one in sources(html) if "wheel" in one or WHEEL in one]
    assert public(letter) == {name: data for name, data in ALL.items() if name != WHEEL}
    assert run("verify")["identical"] is True


def test_a_broken_picture_stops_a_strict_newsletter(digest: Digest, letter: Path, run: Run) -> None:
    """With `checks.strict` the warning keeps the issue from going out."""
    (letter / "content/quay.png").write_bytes(b"no picture")
    strict = ("--set=checks.strict=true", "--set=checks.ignore=['D114','D119']", *NOW)
    run("build")

    assert digest("-C", letter, "check", *strict)[0] == 1
    code, _, err = digest("-C", letter, "publish", *strict)
    assert code == 4
    assert f"content/issues/{KEY}.md" in err
    assert "D124: the picture quay.png cannot be shown" in err
    assert public(letter) == {}
