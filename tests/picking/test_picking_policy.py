"""What a policy refuses."""

from math import nan

import pytest

from digest.picking import Policy


def test_default_policy_holds() -> None:
    """Three to six items, borrowing, each summary once, and a guest after half a year."""
    policy = Policy()

    assert (policy.mode, policy.min_items, policy.max_items) == ("theme", 3, 6)
    assert (policy.repeat_window, policy.when_thin, policy.repeats) == (52, "borrow", "never")
    assert (policy.similarity, policy.max_age, policy.max_wait) == (0.7, None, 26)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"min_items": 0}, "min_items 0"),
        ({"min_items": 4, "max_items": 3}, "min_items 4 must be from 1 to max_items 3"),
        ({"repeat_window": -1}, "repeat_window -1 must not be below 0"),
        ({"max_per_source": 0}, "max_per_source 0 must be at least 1"),
        ({"max_per_author": 0}, "max_per_author 0 must be at least 1"),
        ({"similarity": -0.1}, "similarity -0.1 must be 0, or from 0.5 to 1"),
        ({"similarity": 1.1}, "similarity 1.1 must be 0, or from 0.5 to 1"),
        ({"similarity": 0.49}, "similarity 0.49 must be 0, or from 0.5 to 1"),
        ({"similarity": nan}, "similarity nan must be 0, or from 0.5 to 1"),
        ({"max_age": 0}, "max_age 0 must be at least 1"),
        ({"max_wait": 0}, "max_wait 0 must be at least 1"),
    ],
)
def test_numbers_that_no_issue_could_meet_are_refused(wrong: dict[str, int], told: str) -> None:
    """Each wrong number is named with its value."""
    with pytest.raises(ValueError, match=told):
        Policy(**wrong)  # type: ignore[arg-type] # numbers only


def test_the_ends_of_each_range_are_allowed() -> None:
    """One item, no window, texts compared never or only when equal, one week."""
    Policy(min_items=1, max_items=1, repeat_window=0, similarity=0, max_age=1, max_wait=1)
    Policy(similarity=1, max_per_source=1, max_per_author=1)
