"""What a policy refuses."""

import pytest

from digest.picking import Policy


def test_default_policy_holds() -> None:
    """The defaults are three to six items, a year without repeats, and borrowing."""
    policy = Policy()

    assert (policy.mode, policy.min_items, policy.max_items) == ("theme", 3, 6)
    assert (policy.repeat_window, policy.when_thin) == (52, "borrow")


def test_numbers_that_no_issue_could_meet_are_refused() -> None:
    """Each wrong number is named with its value."""
    with pytest.raises(ValueError, match="min_items 0"):
        Policy(min_items=0)
    with pytest.raises(ValueError, match="min_items 4 must be from 1 to max_items 3"):
        Policy(min_items=4, max_items=3)
    with pytest.raises(ValueError, match="repeat_window -1"):
        Policy(repeat_window=-1)
    with pytest.raises(ValueError, match="max_per_source 0"):
        Policy(max_per_source=0)
    with pytest.raises(ValueError, match="max_per_author 0"):
        Policy(max_per_author=0)
