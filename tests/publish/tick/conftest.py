"""Newsletters under the schedule, at the beginning and in the middle of their life."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from publish.tick.ticking import ITEMS, SETTINGS, Letter

Make = Callable[..., Path]


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter without readers, whose first tick was on a Thursday."""
    made = Letter(root=newsletter(ITEMS, settings=SETTINGS))
    assert made.tick("2026-11-26T12:00:00+01:00").events == ()
    return made


@pytest.fixture
def running(letter: Letter) -> Letter:
    """Give a newsletter with ten readers that has sent an issue by hand."""
    letter.add_readers(10)
    letter.send_by_hand("2026-w48", "2026-11-26T13:00:00+01:00")
    letter.mail.taken.clear()
    return letter
