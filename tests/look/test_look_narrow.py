"""The looks where something is missing: room, pictures, style sheets."""

import re
from functools import partial
from pathlib import Path

import pytest
from browser.chrome import measure, screenshot, serving
from look.rendered import LOOKS, specimen_edition
from PIL import Image

pytestmark = pytest.mark.real

_STYLE = re.compile(r"<style\b.*?</style>", re.DOTALL)
_NAMES = ("one-theme", "mixed", "long-words", "right-to-left", "cut-off")


@pytest.mark.parametrize("name", _NAMES)
@pytest.mark.parametrize("look", LOOKS)
def test_mail_never_scrolls_sideways(chromium: str, tmp_path: Path, look: str, name: str) -> None:
    """On the smallest phone, with pictures off, and words and cells that do not end."""
    page = tmp_path / "mail.html"
    page.write_bytes(specimen_edition(name, look).files["issue.html"])

    told = measure(chromium, page, width=320)

    assert told["text"] > 40
    assert told["reach"] <= 320, told["wide"]


@pytest.mark.parametrize("name", ["one-theme", "long-words", "right-to-left"])
@pytest.mark.parametrize("look", LOOKS)
def test_mail_without_style_sheets_fits_a_phone(
    chromium: str, tmp_path: Path, look: str, name: str
) -> None:
    """All that widths hang on stands in the elements."""
    page = tmp_path / "mail.html"
    html = specimen_edition(name, look).files["issue.html"].decode()
    page.write_text(_STYLE.sub("", html), "utf-8")

    told = measure(chromium, page, width=320)

    assert told["reach"] <= 320, told["wide"]


@pytest.mark.parametrize("width", [320, 600])
def test_page_never_scrolls_sideways(chromium: str, tmp_path: Path, width: int) -> None:
    """Formulas, tables, code and pictures stay within the page."""
    page = tmp_path / "page.html"
    page.write_bytes(specimen_edition("one-theme", "default").files["page.html"])

    assert measure(chromium, page, width=width)["reach"] <= width


def test_page_shows_its_own_pictures_served_or_opened_as_a_file(
    chromium: str, tmp_path: Path
) -> None:
    """Its policy lets it load them, and nothing of another place."""
    files = specimen_edition("one-theme", "default").files
    for name, data in files.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    names = [name for name in files if name.startswith("pictures/")]
    take = partial(screenshot, chromium, width=700, height=3600)
    with serving(tmp_path) as (address, asked):
        take(f"{address}/page.html", to=tmp_path / "served.png")
    take((tmp_path / "page.html").as_uri(), to=tmp_path / "opened.png")

    assert names
    assert {f"/{name}" for name in names} <= set(asked)
    assert {line for line in asked if "favicon" not in line} == {
        "/page.html",
        *(f"/{name}" for name in names),
    }
    served, opened = (Image.open(tmp_path / name) for name in ("served.png", "opened.png"))
    assert served.tobytes() == opened.tobytes()
