"""A transport that hands over one by one, as a carrier."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from digest.errors import TransportBusyError, TransportError
from digest.model import Message, Outcome
from digest.transport import Answered, Carrier, Event, Failed, OneByOne, Ready, Returned

Write = Callable[..., Message]
Carry = Callable[..., list[Event]]

_TAKEN = Outcome(state="accepted", text="taken")


class _Script:
    """A transport that raises what it is told, else takes the message."""

    name = "script"

    def __init__(self, *errors: Exception | None) -> None:
        self.errors = list(errors)
        self.taken: list[str] = []
        self.opened = self.closed = 0

    def open(self) -> None:
        self.opened += 1

    def hand_over(self, message: Message) -> Outcome:
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        self.taken.append(message.recipient)
        return _TAKEN

    def close(self) -> None:
        self.closed += 1


def test_next_is_ready_when_the_one_before_is_answered(message: Write) -> None:
    """So one commit can settle the one and mark the other."""
    script = _Script()
    carrier: Carrier = OneByOne(script)
    assert (carrier.name, carrier.is_open, carrier.free()) == ("script", False, 0)
    carrier.open()
    assert (carrier.is_open, carrier.free()) == (True, 1)
    carrier.offer(1, message())
    carrier.widen()
    assert carrier.free() == 0
    assert carrier.wait(0) == [Ready(position=1)]
    carrier.pour(1)
    assert script.taken == []
    carrier.offer(2, message("bo@reader.example"))
    assert carrier.wait(0) == [Answered(position=1, outcome=_TAKEN), Ready(position=2)]
    carrier.pour(2)
    assert carrier.wait(0) == [Answered(position=2, outcome=_TAKEN)]
    assert script.taken == ["ann@reader.example", "bo@reader.example"]
    carrier.close()
    assert (carrier.is_open, script.opened, script.closed) == (False, 1, 1)


def test_messages_are_carried_in_order(message: Write, carry: Carry) -> None:
    """All of them, one after the other."""
    carrier = OneByOne(_Script())
    carrier.open()
    told = carry(carrier, [message()] * 3)
    answered = [each.position for each in told if isinstance(each, Answered)]
    assert answered == [1, 2, 3]


def test_time_passes_where_nothing_is_in_hand() -> None:
    """It is not a loop that burns."""
    slept: list[float] = []
    carrier = OneByOne(_Script(), sleep=slept.append)
    carrier.open()
    assert carrier.wait(3.0) == []
    assert slept == [3.0]


def test_busy_transport_gives_back_what_was_in_hand(message: Write) -> None:
    """It is closed, and has to be opened anew."""
    busy = TransportBusyError("hung up", where="relay")
    script = _Script(busy)
    carrier = OneByOne(script)
    carrier.open()
    carrier.offer(1, message())
    carrier.wait(0)
    carrier.pour(1)
    carrier.offer(2, message())
    assert carrier.wait(0) == [
        Returned(position=1, error=busy),
        Returned(position=2, error=busy),
    ]
    assert (carrier.is_open, script.closed, carrier.free()) == (False, 1, 0)
    with pytest.raises(ValueError, match="no more may be offered"):
        carrier.offer(3, message())


def test_transport_that_fails_ends_the_run(message: Write) -> None:
    """What was in hand is given back first, with the same words."""
    error = TransportError("no room", where="1.eml", fix="make room")
    carrier = OneByOne(_Script(error))
    carrier.open()
    carrier.offer(1, message())
    carrier.wait(0)
    carrier.pour(1)
    returned, failed = carrier.wait(0)
    assert isinstance(returned, Returned)
    assert type(returned.error) is TransportBusyError
    assert str(returned.error) == str(error)
    assert failed == Failed(error=error)


def test_dropped_message_is_not_handed_over(message: Write) -> None:
    """Another may be offered in its place; what is not in hand is passed over."""
    script = _Script()
    carrier = OneByOne(script)
    carrier.open()
    carrier.offer(1, message())
    carrier.wait(0)
    carrier.drop(7)
    carrier.drop(1)
    with pytest.raises(ValueError, match="message 1 is not ready"):
        carrier.pour(1)
    carrier.offer(2, message("bo@reader.example"))
    assert carrier.wait(0) == [Ready(position=2)]
    carrier.pour(2)
    with pytest.raises(ValueError, match="message 2 is not ready"):
        carrier.pour(2)
    carrier.wait(0)
    assert script.taken == ["bo@reader.example"]
