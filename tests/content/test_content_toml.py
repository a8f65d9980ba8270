"""Headers of TOML, as some site generators write them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

BERLIN = ZoneInfo("Europe/Berlin")


def test_toml_header_is_read(parse: Callable[..., Any]) -> None:
    """What stands between `+++` lines is TOML."""
    summary, notes = parse(
        '+++\ntitle = "Owls: part #2"\ndate = 2027-01-12T09:00:00+01:00\nday = 2027-01-01\n'
        'tags = ["a", "b"]\nweight = 1.10\ndraft = true\nnumber = 3\n[params]\ndeep = [[1]]\n'
        "+++\n\nText.\n"
    )
    assert summary.title == "Owls: part #2"
    assert summary.date == datetime(2027, 1, 12, 9, tzinfo=BERLIN)
    assert (summary.tags, summary.weight, summary.draft) == (("a", "b"), 1.1, True)
    assert summary.extra == (
        ("day", "2027-01-01"),
        ("number", "3"),
        ("params", '{"deep": [["1"]]}'),
    )
    assert summary.body == "Text.\n"
    assert [note.place for note in notes] == ["content/owls.md:4"]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ('title = "x"\nurl = bare\n', "content/owls.md:3: this is not TOML: Invalid value"),
        ("title = \n", "content/owls.md:2: this is not TOML: Invalid value"),
        ('a = "x\n', "content/owls.md:2: this is not TOML: "),
        ("a = " + "[" * 5000 + "]" * 5000 + "\n", "content/owls.md:2: this is not TOML: "),
        ("a = " + "[" * 17 + "]" * 17 + "\n", "content/owls.md:2: this is not TOML: more than 16"),
        (f"a = 0x{'f' * 5000}\n", "content/owls.md:2: this is not TOML: "),
        ("a = 1\na = 2\n", "content/owls.md:3: this is not TOML: Cannot overwrite"),
        ('"a\\u0062" = 1\ndate = "soon"\n', "content/owls.md:3: `date`"),
    ],
)
def test_broken_toml_is_a_complaint(complaints: Callable[..., Any], header: str, said: str) -> None:
    """Whatever is wrong with TOML names its line."""
    assert complaints(f"+++\n{header}+++\n")[0].startswith(said)


def test_toml_header_without_an_end_is_refused(complaints: Callable[..., Any]) -> None:
    """The mark that is missing is named."""
    [complaint] = complaints("+++\ntitle = 1\n")
    assert "no second line `+++`" in complaint
