"""How long a relay may take, with a clock that only the tests move."""

from __future__ import annotations

import math

import pytest
from relay.talk import (
    GO,
    TAKEN,
    bring_to_ready,
    make_dialogue,
    make_letter,
    returned,
    say,
)

from digest.model import Outcome
from digest.transport import Answered


def test_time_limits_of_an_envelope() -> None:
    """Each reply has the whole limit, from the one before it; between messages there is none."""
    dialogue = make_dialogue()
    assert dialogue.deadline == math.inf
    dialogue.offer(make_letter(1))
    say(dialogue, 100.0)
    assert dialogue.deadline == 130.0
    dialogue.take(b"250 half", 110.0)
    assert dialogue.deadline == 130.0
    dialogue.take(b"\r\n", 120.0)
    assert dialogue.deadline == 150.0
    dialogue.take(b"250 b\r\n354 c\r\n", 140.0)
    assert dialogue.deadline == math.inf


def test_time_limits_of_content() -> None:
    """Each block may take the limit; the answer has the patience from when the dot left."""
    dialogue = make_dialogue()
    dialogue.offer(make_letter(1, data=b"x" * 200_000))
    say(dialogue)
    dialogue.take(GO, 0.0)
    dialogue.pour(1)
    dialogue.sent(0, 1000.0)
    assert dialogue.deadline == 1030.0
    say(dialogue, 1010.0, most=65_535)
    assert dialogue.deadline == 1030.0
    say(dialogue, 1020.0, most=1)
    assert dialogue.deadline == 1050.0
    dialogue.offer(make_letter(2))
    say(dialogue, 1040.0, most=len(b"x" * 134_464 + b"\r\n.\r\n"))
    assert dialogue.deadline == 1640.0
    dialogue.sent(0, 1050.0)
    say(dialogue, 1060.0)
    assert dialogue.deadline == 1640.0
    dialogue.take(TAKEN, 1600.0)
    assert dialogue.deadline == 1630.0
    told = dialogue.expire()
    assert returned(told) == [(2, "gave no whole reply within 30 seconds")]


@pytest.mark.parametrize(("most", "words"), [(3, "took nothing more for 30 seconds"), (None, "")])
def test_time_is_over_in_the_content(most: int | None, words: str) -> None:
    """A relay that reads no more, and one that does not answer, are told apart."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    dialogue.pour(1)
    say(dialogue, most=most)
    told = dialogue.expire()
    if words:
        assert returned(told) == [(1, words)]
    else:
        text = "after the final dot the relay gave no whole reply within 600 seconds"
        assert told == [Answered(position=1, outcome=Outcome(state="unknown", text=text))]
