"""What is known of issues that are out: from the database, and in a clone from the editions."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from publish.tick.ticking import Letter, moment

from digest.model import IssueKey, PastItem, sketch
from digest.publish.build import build_issue
from digest.publish.plan import why
from digest.publish.remembered import past_items, remembered
from digest.publish.state import status

Make = Callable[..., Path]

_W49, _W50 = IssueKey("2026-w49"), IssueKey("2026-w50")
_NOW = "2026-12-01T10:00:00+01:00"
_LATER = "2026-12-08T10:00:00+01:00"
_SETTINGS = "\n[selection]\nmin_items = 1\nmax_items = 2\n"
_MILL = (
    "The old mill by the weir grinds rye again: two new stones from the quarry up the valley were "
    "set in spring, a wheel of larch turns since June, and each Friday the bakers of both villages "
    "fetch their flour there.\n"
)
_FERRY = (
    "A cable ferry without any engine crosses where the river is widest; the current alone pushes "
    "it, the ferryman only turns the rudder, and on Sundays schoolchildren ride for nothing.\n"
)


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter whose first issue, of two summaries, is out."""
    files = {
        "content/mill.md": f"---\ntitle: Mill\n---\n\n{_MILL}",
        "content/ferry.md": f"---\ntitle: Ferry\nurl: http://www.ferry.example/a/\n---\n\n{_FERRY}",
    }
    made = Letter(root=newsletter(files, settings=_SETTINGS))
    made.publish_built(_W49, _NOW)
    return made


def _remembered(letter: Letter) -> tuple[PastItem, ...]:
    newsletter = letter.project.settings.newsletter
    return remembered(
        letter.root / "outbox/2026-w49", site_url=newsletter.site_url, zone=newsletter.zone
    )


def _rename(letter: Letter) -> None:
    """Give the mill, which has no address, another name and other last words."""
    (letter.root / "content/mill.md").unlink()
    text = f"---\ntitle: Mill\n---\n\n{_MILL.replace('fetch their flour there', 'come for it')}"
    (letter.root / "content/wheel.md").write_text(text, "utf-8")


def test_edition_tells_the_same_as_the_content(letter: Letter) -> None:
    """Ids, canonical addresses, titles and sketches are those of the summaries that went out."""
    library, issue = letter.project.library(), letter.project.issue(_W49)
    assert issue is not None
    by_id = {summary.id: summary for summary in library.summaries}

    found = _remembered(letter)

    assert found == past_items(issue, by_id) == letter.project.stored()[0].items
    assert {item.id: (item.url, item.title, item.sketch) for item in found} == {
        "mill": ("", "Mill", sketch(by_id["mill"])),
        "ferry": ("https://ferry.example/a", "Ferry", sketch(by_id["ferry"])),
    }


def test_summary_that_is_gone_keeps_its_id(letter: Letter) -> None:
    """An issue file may name what the content has not got any more."""
    issue = letter.project.issue(_W49)
    assert issue is not None

    assert set(past_items(issue, {})) == {
        PastItem(id="mill", url=""),
        PastItem(id="ferry", url=""),
    }


@pytest.mark.parametrize("clone", [False, True])
def test_renamed_text_is_held_back_as_alike(letter: Letter, *, clone: bool) -> None:
    """Also in a clone, which has no database: the kept inputs tell what was sent."""
    if clone:
        shutil.rmtree(letter.root / "private")
    _rename(letter)

    built = build_issue(letter.project, _W50, now=moment(_LATER))

    assert built.issue is None
    assert "1 alike" in built.passed_over
    explained = why(letter.project, "wheel", key=_W50, now=moment(_LATER))
    assert any("mill" in step and "2026-w49" in step for step in explained.explanation.steps)
    queue = status(letter.project, now=moment(_LATER)).queue
    assert {name: count for name, count in queue.items() if count} == {"sent": 1, "duplicate": 1}


def test_content_of_later_changes_nothing_of_it(letter: Letter) -> None:
    """What was sent is what the edition holds, whatever the files say by now."""
    before = _remembered(letter)
    (letter.root / "content/mill.md").write_text("---\ntitle: New\n---\n\nOther words.\n", "utf-8")
    shutil.rmtree(letter.root / "private")

    [past] = letter.project.history(letter.project.library())
    assert past.items == before


@pytest.mark.parametrize("clone", [False, True])
def test_new_text_is_not_held_back(letter: Letter, *, clone: bool) -> None:
    """A summary of its own goes out."""
    if clone:
        shutil.rmtree(letter.root / "private")
    (letter.root / "content/lock.md").write_text(
        "---\ntitle: Lock\n---\n\nBoth gates of the upper lock were hung anew, in oak.\n", "utf-8"
    )
    built = build_issue(letter.project, _W50, now=moment(_LATER))

    assert built.issue is not None
    assert [item.id for item in built.issue.items] == ["lock"]


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"issue": 1, "items": 2}',
        b'{"issue": "x", "items": [1]}',
    ],
)
def test_edition_that_cannot_be_read_tells_nothing(letter: Letter, manifest: bytes) -> None:
    """Then the content of today is all there is."""
    (letter.root / "outbox/2026-w49/edition.json").write_bytes(manifest)

    assert _remembered(letter) == ()


def test_without_an_edition_nothing_is_told(letter: Letter) -> None:
    """A clone may leave the outbox out."""
    shutil.rmtree(letter.root / "outbox")

    assert _remembered(letter) == ()


@pytest.mark.parametrize("context", [None, b"{", b"[]", b"{}", b'{"aliases": {}, "summaries": 1}'])
def test_inputs_that_cannot_be_read_leave_the_addresses(
    letter: Letter, context: bytes | None
) -> None:
    """Ids, addresses and titles stand in the manifest; only what the texts were is unknown."""
    file = letter.root / "outbox/2026-w49/inputs/context.json"
    if context is None:
        file.unlink()
    else:
        file.write_bytes(context)

    assert {(item.id, item.url, item.sketch) for item in _remembered(letter)} == {
        ("mill", "", b""),
        ("ferry", "https://ferry.example/a", b""),
    }


@pytest.mark.parametrize("damage", [None, b"---\ntitle: [\n---\n", b"\xff\xfe\x00"])
def test_one_text_that_cannot_be_read_hides_no_other(letter: Letter, damage: bytes | None) -> None:
    """The others are known all the same."""
    inputs = letter.root / "outbox/2026-w49/inputs"
    names = json.loads((inputs / "context.json").read_bytes())["summaries"]
    file = inputs / next(name for name, path in names.items() if path == "mill.md")
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage)

    known = {item.id: bool(item.sketch) for item in _remembered(letter)}
    assert known == {"mill": False, "ferry": True}
