"""Sizes, and the bounds of a mail."""

from __future__ import annotations

import pytest

from digest.model import Newsletter, kilobytes
from digest.model.limits import BUDGET, FILLED, FIRST_SHOWN, GMAIL, HTML_MOST


@pytest.mark.parametrize(
    ("octets", "told"),
    [
        *[(0, "0 kB"), (1, "1 kB"), (1_000, "1 kB"), (1_001, "2 kB"), (1_024, "2 kB")],
        *[(102_000, "102 kB"), (1_000_000, "1,000 kB"), (4_999_001, "5,000 kB")],
    ],
)
def test_kilobytes_are_of_a_thousand_and_rounded_up(octets: int, told: str) -> None:
    """What is over a limit by one octet is told as more than the limit."""
    assert kilobytes(octets) == told


def test_each_bound_leaves_room_below_the_next() -> None:
    """What a mail has, what warns, what is shown for sure, what stops, where Gmail cuts."""
    assert 0 < FILLED < BUDGET < FIRST_SHOWN < HTML_MOST < GMAIL
    assert Newsletter.__dataclass_fields__["budget"].default == BUDGET
