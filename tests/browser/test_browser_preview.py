"""The editor's desk in a real browser: it fits, and what it shows reaches nobody."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser.chrome import measure, serving
from browser.chrome import screenshot as take
from desk.visiting import TOKEN, Visitor, visiting

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

pytestmark = pytest.mark.real

_KEY = "2027-w03"
_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_SHIPPED = Path(__file__).resolve().parents[2] / "templates"
# All that a page can ask for or run by itself, as somebody may have put it into their own look.
_HOSTILE = """
<script>fetch("{there}/script"); new Image().src = "{there}/made"</script>
<img src="{there}/picture.png" alt="" onerror="fetch('{there}/onerror')">
<img src="/desk.css" alt=""><img srcset="{there}/set.png 1x" alt="">
<style>@import url("{there}/import.css"); p {{ background: url("{there}/ground.png") }}
@font-face {{ font-family: x; src: url("{there}/font.woff") }} h3 {{ font-family: x }}</style>
<link rel="stylesheet" href="{there}/link.css"><link rel="prefetch" href="{there}/prefetch">
<iframe src="{there}/frame"></iframe><object data="{there}/object"></object>
<embed src="{there}/embed"><video src="{there}/video" poster="{there}/poster" autoplay></video>
<form action="{there}/form"><input autofocus onfocus="form.submit()"></form>
<meta http-equiv="refresh" content="0; url={there}/refresh">
<svg onload="fetch('{there}/svg')"><image href="{there}/drawing.png"></image></svg>
"""
_LOADING = """
<img src="{there}/picture.png" alt=""><img srcset="{there}/set.png 1x" alt="">
<style>@import url("{there}/import.css"); p {{ background: url("{there}/ground.png") }}</style>
<link rel="stylesheet" href="{there}/link.css"><link rel="prefetch" href="{there}/prefetch">
<video src="{there}/video" poster="{there}/poster" autoplay></video>
<meta http-equiv="refresh" content="0; url={there}/refresh">
"""
# Where pictures may come from elsewhere browsers let `prefetch` go there too.
_PICTURES = {"/picture.png", "/set.png", "/ground.png", "/poster", "/drawing.png", "/prefetch"}


@pytest.fixture
def letter(newsletter: Make, digest: Digest) -> Path:
    """Give a newsletter with a draft: long words, long titles, a finding."""
    item = (
        "---\ntitle: {0} {1}\nurl: https://{0}.example/{1}\ntags: [{0}]\n---\n\n"
        "The {0} mill turns by the tide. {1}\n"
    )
    words = ("a" * 70, "a long way round the harbour " * 4, "short")
    files: dict[str, str | bytes] = {
        f"content/{name}.md": item.format(name, word.strip())
        for name, word in zip(("east", "south", "west"), words, strict=True)
    }
    root = newsletter(files)
    assert digest("-C", root, "build", _KEY, *_NOW)[0] == 0
    return root


def _snapshot(visitor: Visitor, path: str, *, to: Path) -> Path:
    """Keep a page with its style as files, so that it can be measured."""
    to.mkdir(exist_ok=True)
    (to / "desk.css").write_bytes(visitor.get("/desk.css").body)
    page = to / f"{re.sub('[^a-z0-9]+', '-', path)}.html"
    page.write_text(visitor.get(path).text.replace('"/desk.css"', '"desk.css"'), "utf-8")
    return page


def test_pages_never_scroll_sideways(chromium: str, letter: Path, tmp_path: Path) -> None:
    """From a wide window to 320 pixels, what is too wide scrolls inside its own frame."""
    issue = f"/issues/{_KEY}"
    looks = [(issue, width) for width in (1280, 960, 320)]
    looks += [(path, 320) for path in ("/", f"{issue}?view=text", f"{issue}?view=headers")]
    with visiting(letter) as visitor:
        kept = [(_snapshot(visitor, path, to=tmp_path / "kept"), width) for path, width in looks]
    for page, width in kept:
        told = measure(chromium, page, width=width)

        assert told["text"] > 40
        assert told["reach"] <= width, (page.name, width, told["wide"])


@pytest.mark.parametrize("name", ["entry.html", "page.html"])
def test_nothing_of_an_issue_runs_or_asks(
    chromium: str, letter: Path, digest: Digest, tmp_path: Path, name: str
) -> None:
    """Scripts and remote pictures make no request: in the frame, opened alone, or as a file.

    Once pictures are asked for, they are fetched and nothing else is; so the trap works.
    """
    (tmp_path / "trap").mkdir()
    view = {"entry.html": "feed", "page.html": "page"}[name]
    with serving(tmp_path / "trap") as (there, trapped), visiting(letter) as visitor:
        own = (_SHIPPED / f"{name}.j2").read_text("utf-8")
        own = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", own)
        # No entry is built that would run anything; what it loads is left to the page's policy.
        hostile = (_HOSTILE if name == "page.html" else _LOADING).format(there=there)
        own = own.replace("</main>", f"</main>{hostile}") if "</main>" in own else own + hostile
        (letter / "templates").mkdir()
        (letter / "templates" / f"{name}.j2").write_text(own, "utf-8")
        assert digest("-C", letter, "build", _KEY, *_NOW)[0] == 0
        for path in (
            f"issues/{_KEY}?view={view}&",
            f"issues/{_KEY}/frame/{name}?",
            f"issues/{_KEY}/frame/{name}?colour=dark&",
            f"issues/{_KEY}/{name}?",
        ):
            address = f"{visitor.address}{path}token={TOKEN}"
            take(chromium, address, to=tmp_path / "x.png", width=1280, height=900)
        quiet = list(trapped)
        asked = list(visitor.asked)
        address = f"{visitor.address}issues/{_KEY}/frame/{name}?pictures=on&token={TOKEN}"
        take(chromium, address, to=tmp_path / "x.png", width=1280, height=900)

    assert quiet == []
    assert asked.count(f"/issues/{_KEY}/frame/{name}") >= 2
    assert f"/issues/{_KEY}/{name}" in asked
    # The style sheet is the page's own: the picture of that name was not asked for.
    assert asked.count("/desk.css") <= 1
    assert "/picture.png" in trapped
    assert set(trapped) <= _PICTURES


def test_a_picture_of_the_content_makes_no_request(
    chromium: str, letter: Path, digest: Digest, tmp_path: Path
) -> None:
    """What a summary says in Markdown and HTML asks for nothing in any form of the issue."""
    (tmp_path / "trap").mkdir()
    with serving(tmp_path / "trap") as (there, trapped), visiting(letter) as visitor:
        with (letter / "content/west.md").open("a", encoding="utf-8") as summary:
            summary.write(f"\n![Wheel]({there}/wheel.png)\n{_HOSTILE.format(there=there)}\n")
        assert digest("-C", letter, "build", _KEY, *_NOW)[0] == 0
        for name in ("issue.html", "entry.html", "page.html"):
            address = f"{visitor.address}issues/{_KEY}/frame/{name}?token={TOKEN}"
            take(chromium, address, to=tmp_path / "x.png", width=1280, height=900)
        address = f"{visitor.address}issues/{_KEY}?view=source&token={TOKEN}"
        take(chromium, address, to=tmp_path / "x.png", width=1280, height=900)
        entry = visitor.get(f"/issues/{_KEY}/entry.html").text

    assert f"{there}/wheel.png" in entry
    assert trapped == []


def test_a_browser_gets_in_by_the_printed_address_alone(
    chromium: str, letter: Path, tmp_path: Path
) -> None:
    """With the token the page comes with its style and its frame; without it, nothing more."""
    with visiting(letter) as visitor:
        page = f"{visitor.address}issues/{_KEY}"
        take(chromium, page, to=tmp_path / "shut.png", width=1280, height=900)
        shut = set(visitor.asked)
        take(chromium, f"{page}?token={TOKEN}", to=tmp_path / "open.png", width=1280, height=900)

    assert shut <= {f"/issues/{_KEY}", "/favicon.ico"}
    assert {"/desk.css", f"/issues/{_KEY}/frame/issue.html"} <= set(visitor.asked)
    assert (tmp_path / "open.png").read_bytes() != (tmp_path / "shut.png").read_bytes()
