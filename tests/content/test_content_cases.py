"""The cases of public bug reports that concern the reading of files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.content import ContentOptions, load_library, parse_summary

CASES = Path(__file__).parents[3] / "shared" / "cases"
FILES = sorted(CASES.rglob("*.md")) if CASES.is_dir() else []


def test_mark_and_line_ends_hide_no_header(tmp_path: Path) -> None:
    """FM-01: a file saved on Windows has its title, theme, address and date, as its neighbour."""
    text = (
        "---\ntitle: {0}\ntheme: marsh\nurl: https://a.example/{0}\ndate: 2027-03-0{1}\n---\n\nB.\n"
    )
    windows = b"\xef\xbb\xbf" + text.format("rails", 1).replace("\n", "\r\n").encode()
    (tmp_path / "rails.md").write_bytes(windows)
    (tmp_path / "coots.md").write_text(text.format("coots", 2))
    library = load_library(
        tmp_path, root=tmp_path, zone=ZoneInfo("Europe/Paris"), options=ContentOptions()
    )
    assert (library.notes, library.problems) == ((), ())
    assert [
        (one.title, one.themes, one.url, str(one.date)[:10], one.body) for one in library.summaries
    ] == [
        (name, ("marsh",), f"https://a.example/{name}", f"2027-03-0{day}", "B.\n")
        for name, day in [("coots", 2), ("rails", 1)]
    ]


def test_colon_and_hash_in_bare_titles(parse: Callable[..., Any]) -> None:
    """FM-02: neither stops the run nor cuts a title."""
    assert parse("---\ntitle: Day 4: the flood\n---\n")[0].title == "Day 4: the flood"
    summary, notes = parse("---\ntitle: Bulletin #9 today\n---\n")
    assert (summary.title, len(notes)) == ("Bulletin #9 today", 1)
    assert parse('---\ntitle: "Fine: as #1"\n---\n')[0].title == "Fine: as #1"


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
def test_tags_and_dates_keep_their_kind(zone: str) -> None:
    """FM-03: tags stay as typed, days stay days, and all dates compare."""
    texts = {
        "a.md": "---\ntags: [off, Yes, 1999, 3.0]\ndate: 2027-05-04\n---\n",
        "b.md": "---\ntags:\n  - y\n  - no\ndate: 2027-05-04 22:10:00 -0700\n---\n",
        "c.md": "---\ndate: 2027-05-05T06:50:00+02:00\n---\n",
    }
    found = [
        parse_summary(
            text.encode(), path=name, where=name, zone=ZoneInfo(zone), options=ContentOptions()
        )[0]
        for name, text in texts.items()
    ]
    assert [one.tags for one in found] == [("off", "Yes", "1999", "3.0"), ("y", "no"), ()]
    assert str(found[0].date)[:10] == "2027-05-04"
    dates = [one.date.astimezone(UTC) for one in found if one.date]
    assert [f"{one:%d %H:%M}" for one in dates[1:]] == ["05 05:10", "05 04:50"]
    assert len(sorted(dates)) == 3


@pytest.mark.skipif(not FILES, reason="the shared cases do not stand beside this repository")
@pytest.mark.parametrize("file", FILES or [Path("none")], ids=lambda x: "/".join(x.parts[-2:]))
def test_files_of_the_shared_cases_are_read(file: Path) -> None:
    """Each file of the cases is a summary with a title on one clean line."""
    summary, notes = parse_summary(
        file.read_bytes(),
        path=file.name,
        where=file.name,
        zone=ZoneInfo("Europe/Berlin"),
        options=ContentOptions(),
    )
    assert summary.title.isprintable()
    assert summary.title_derived is (file.name == "README.md" and not summary.title)
    assert "\x0b" not in summary.body
    assert all(note.place.startswith(f"{file.name}:") for note in notes)
