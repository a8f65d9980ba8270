"""Pictures in a real browser: an issue's own show in every form, and nobody else is asked."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from browser.chrome import screenshot as take
from browser.chrome import serving
from desk.visiting import TOKEN, visiting
from PIL import Image

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

pytestmark = pytest.mark.real

_KEY: Final = "2027-w03"
_NOW: Final = ("--now", "2027-01-18T10:00:00+01:00")
_PINK: Final = (200, 16, 140)
_SIZE: Final = (120, 80)
_ITEM: Final = """\
---
title: The wheel
url: https://wheel.example/
image: {{url: wheel.png, alt: The wheel}}
---

The wheel turns by the tide. ![A cog](wheel.png) ![Elsewhere]({there}/else.png) ![Gone](gone.png)
"""


def _drawn() -> bytes:
    out = BytesIO()
    Image.new("RGB", _SIZE, _PINK).save(out, "PNG")
    return out.getvalue()


def _pink(shot: Path) -> int:
    """Count the pixels of a screenshot that have the picture's colour."""
    with Image.open(shot) as image:
        raw = image.convert("RGB").tobytes()
    return sum(raw[place : place + 3] == bytes(_PINK) for place in range(0, len(raw), 3))


@pytest.fixture
def letter(newsletter: Make, digest: Digest) -> Callable[..., Path]:
    """Give what builds an issue with pictures; what is not its own would be at `there`."""

    def make(there: str, *, site: str, images: str) -> Path:
        files = {"content/wheel.md": _ITEM.format(there=there), "content/wheel.png": _drawn()}
        root = newsletter(files, settings=f'images = "{images}"\n')
        settings = root / "digest.toml"
        settings.write_text(
            settings.read_text("utf-8").replace("https://harbour.example/", f"{site}/"), "utf-8"
        )
        code, _, err = digest("-C", root, "build", _KEY, *_NOW)
        assert code == 0, err
        return root

    return make


@pytest.mark.parametrize("images", ["link", "cid", "none"])
def test_the_mail_asks_for_no_more_than_it_is_told_to(
    chromium: str, letter: Callable[..., Path], tmp_path: Path, images: str
) -> None:
    """With links it loads its own pictures from the site, once; else it asks nobody at all."""
    for name in ("site", "mail"):
        (tmp_path / name).mkdir()
    with (
        serving(tmp_path / "site") as (site, asked),
        serving(tmp_path / "mail") as (mail, _),
    ):
        root = letter(site.replace("127.0.0.1", "localhost"), site=site, images=images)
        edition = root / "outbox" / _KEY
        shutil.copytree(edition / "pictures", tmp_path / "site/pictures")
        shutil.copy(edition / "issue.html", tmp_path / "mail/issue.html")
        shot = tmp_path / "mail.png"
        take(chromium, f"{mail}/issue.html", to=shot, width=700, height=1200)

    names = [f"/pictures/{file.name}" for file in (edition / "pictures").iterdir()]
    assert len(names) == 1
    assert asked == (names if images == "link" else [])
    shown = 2 * _SIZE[0] * _SIZE[1]  # in the text, and as the item's own
    assert _pink(shot) == (shown if images == "link" else 0)


def test_the_page_shows_its_own_pictures_alone(
    chromium: str, letter: Callable[..., Path], tmp_path: Path
) -> None:
    """It loads the files beside it, served or opened from disk, also where the mail shows none."""
    (tmp_path / "trap").mkdir()
    with serving(tmp_path / "trap") as (there, trapped):
        root = letter(there, site=there, images="none")
        edition = root / "outbox" / _KEY
        with serving(edition) as (address, asked):
            take(chromium, f"{address}/page.html", to=tmp_path / "a.png", width=800, height=1200)
        page = (edition / "page.html").as_uri()
        take(chromium, page, to=tmp_path / "b.png", width=800, height=1200)

    assert trapped == []
    wanted = {f"/pictures/{file.name}" for file in (edition / "pictures").iterdir()}
    assert set(asked) - {"/favicon.ico"} == {"/page.html"} | wanted
    for name in ("a.png", "b.png"):
        assert _pink(tmp_path / name) == 2 * _SIZE[0] * _SIZE[1]


@pytest.mark.parametrize(
    ("images", "names"),
    [("link", ["issue.html"]), ("cid", ["issue.html", "page.html", "entry.html"])],
)
def test_the_preview_shows_pictures_and_asks_nobody(
    chromium: str, letter: Callable[..., Path], tmp_path: Path, images: str, names: list[str]
) -> None:
    """They come out of the edition, in each form that can show them."""
    (tmp_path / "trap").mkdir()
    with serving(tmp_path / "trap") as (there, trapped):
        root = letter(there, site=there, images=images)
        with visiting(root) as visitor:
            for name in names:
                path = f"issues/{_KEY}/frame/{name}?token={TOKEN}"
                shot = tmp_path / f"{name}.png"
                take(chromium, f"{visitor.address}{path}", to=shot, width=800, height=1200)

                assert _pink(shot) == 2 * _SIZE[0] * _SIZE[1], name
            whole = f"{visitor.address}issues/{_KEY}?token={TOKEN}"
            take(chromium, whole, to=tmp_path / "desk.png", width=1280, height=2400)
            feed = visitor.get(f"/issues/{_KEY}?view=feed").text
            mail = visitor.get(f"/issues/{_KEY}").text

    assert _pink(tmp_path / "desk.png") > 0
    assert trapped == []
    # What is the issue's own is not counted among the pictures of others.
    assert "Not loaded: 2 remote pictures." in feed
    assert "remote picture" not in mail
