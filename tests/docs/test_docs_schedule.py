"""The page of the schedule: its tables name what a step says, exits with, holds and shows."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import get_args

from docs.pages import page, sections

from digest.publish.notice import Stripped, Way
from digest.publish.tick import What

_SECTIONS = sections(page("schedule.md"))


def test_every_word_of_a_step_is_listed() -> None:
    """The table of events holds those there are, and no other."""
    listed = re.findall(r"^\| `(\w+)` \|", _SECTIONS["What a step does"], re.MULTILINE)

    assert sorted(listed) == sorted(get_args(What))


def test_every_name_of_the_strip_is_listed() -> None:
    """The table of the strip holds what its templates see."""
    text = _SECTIONS["Notices"]

    assert re.findall(r"^\| `strip\.(\w+)` \|", text, re.MULTILINE) == [
        field.name for field in fields(Stripped)
    ]
    assert all(f"`{field.name}`" in text for field in fields(Way))
