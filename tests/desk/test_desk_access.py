"""Pages for everybody: structure that can be heard, and nothing that changes by looking."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import html5lib
import pytest
from cases.forms import tree as hashes
from desk.visiting import Visitor, visiting

_PATHS = (
    "/",
    "/issues/2027-w03",
    "/issues/2027-w03?view=phone&colour=dark",
    "/issues/2027-w03?view=text",
    "/issues/2027-w03?view=source",
    "/issues/2027-w03?view=headers",
    "/issues/2027-w03?view=page",
    "/issues/2027-w03?view=feed&pictures=on",
    "/issues/2027-w04",
    "/issues/none",
)
_FILES = ("issue.html", "issue.txt", "issue.eml", "page.html", "entry.html")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def _page(visitor: Visitor, path: str) -> ET.Element:
    tree = html5lib.parse(visitor.get(path).text, namespaceHTMLElements=False)
    assert isinstance(tree, ET.Element)
    return tree


@pytest.mark.parametrize("path", _PATHS)
def test_structure(visitor: Visitor, path: str) -> None:
    """One main part, one first heading, no level left out, a way past the head, a language."""
    tree = _page(visitor, path)
    levels = [_HEADINGS[one.tag] for one in tree.iter() if one.tag in _HEADINGS]
    ids = [one.get("id") for one in tree.iter() if one.get("id")]

    assert tree.get("lang") == "en"
    assert len(tree.findall(".//main")) == 1
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(ids) == len(set(ids))
    skip = tree.find(".//body/a")
    assert skip is not None
    assert skip.get("href") == "#main"
    assert "main" in ids
    title = tree.findtext("head/title") or ""
    assert title.endswith("Harbour <Notes> · Editor's desk")


@pytest.mark.parametrize("path", _PATHS)
def test_everything_has_a_name(visitor: Visitor, path: str) -> None:
    """Parts that are named by another point at one that is there; links say something."""
    tree = _page(visitor, path)
    ids = {one.get("id") for one in tree.iter()}

    for one in tree.iter():
        if "aria-labelledby" in one.attrib:
            assert one.get("aria-labelledby") in ids
        if one.tag in {"nav", "iframe"} or one.get("role") == "group":
            assert one.get("aria-label") or one.get("title")
        if one.tag in {"a", "summary", "dt", "h1", "h2", "h3"}:
            assert "".join(one.itertext()).strip()
        if one.get("tabindex") == "0":
            assert one.tag in {"div", "pre"}


@pytest.mark.parametrize("path", _PATHS)
def test_what_people_wrote_finds_its_own_direction(visitor: Visitor, path: str) -> None:
    """Words of theirs stand in an element with a direction of its own, not in that of the page."""
    body = _page(visitor, path).find("body")
    assert body is not None
    above = {child: parent for parent in body.iter() for child in parent}
    for one in body.iter():
        if "mill" in (one.text or "") or "Harbour" in (one.text or ""):
            here: ET.Element | None = one
            while here is not None and not here.get("dir"):
                here = above.get(here)
            assert here is not None, one.text


def test_nothing_changes_by_looking(drafted: Path) -> None:
    """All pages, files and refusals looked at: no file of the folder was made or changed."""
    from digest.cli.main import run  # noqa: PLC0415 - to have a database too

    consent = ("--consent", "asked at the fair")
    assert run(["-C", str(drafted), "readers", "add", "ann@x.example", "-q", *consent]) == 0
    before = hashes(drafted)
    folders = {path for path in drafted.rglob("*") if path.is_dir()}
    with visiting(drafted) as visitor:
        for path in _PATHS:
            visitor.get(path)
        for name in _FILES:
            visitor.get(f"/issues/2027-w03/{name}")
            visitor.get(f"/issues/2027-w03/frame/{name}?colour=dark")
        visitor.ask("/", method="POST")

    assert hashes(drafted) == before
    assert {path for path in drafted.rglob("*") if path.is_dir()} == folders


def test_no_reader_is_named(drafted: Path) -> None:
    """Addresses and names of readers are on no page and in no file of the desk."""
    from digest.cli.main import run  # noqa: PLC0415 - the list is filled by command

    words = ("readers", "add", "ann@x.example", "--name", "Ann Ode", "--consent", "by mail")
    assert run(["-C", str(drafted), *words, "-q"]) == 0
    files = [f"/issues/2027-w03/{name}" for name in _FILES]
    with visiting(drafted) as visitor:
        bodies = [visitor.get(path).body for path in (*_PATHS, *files)]

    for body in bodies:
        assert b"ann@" not in body
        assert b"Ann Ode" not in body
