"""What is said and heard on a connection, without one: in turn, too early, too much."""

from __future__ import annotations

import pytest
from relay.talk import (
    GO,
    NOBODY,
    TAKEN,
    bring_to_ready,
    make_dialogue,
    make_letter,
    returned,
    say,
)

from digest.errors import TransportBusyError
from digest.model import Outcome
from digest.transport import Answered, Failed, Ready, Returned
from digest.transport.dialogue import Dialogue


def _on_the_wire(*, next_too: bool = False) -> Dialogue:
    """Have a message poured and all sent, with the envelope of the next where asked for."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    dialogue.pour(1)
    if next_too:
        dialogue.offer(make_letter(2))
    say(dialogue)
    return dialogue


def test_content_and_the_next_envelope_leave_together() -> None:
    """One write has the content, its dot and the next commands; one read has all the replies."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    assert not dialogue.is_free
    dialogue.pour(1)
    assert dialogue.is_free
    dialogue.offer(make_letter(2, "bo@reader.example"))
    assert say(dialogue) == (
        b"Hi.\r\n.\r\nMAIL FROM:<letter@b.example>\r\nRCPT TO:<bo@reader.example>\r\nDATA\r\n"
    )
    taken = Outcome(state="accepted", code=250, enhanced="2.0.0", text="taken")
    assert dialogue.take(TAKEN + GO, 0.0) == [
        Answered(position=1, outcome=taken),
        Ready(position=2),
    ]


def test_without_pipelining_each_command_waits() -> None:
    """The next is said when the one before was answered well, and no two messages are in hand."""
    dialogue = make_dialogue(pipelining=False)
    dialogue.offer(make_letter(1))
    said = [say(dialogue)]
    for reply in (b"250 a\r\n", b"250 b\r\n"):
        assert dialogue.take(reply, 0.0) == []
        said.append(say(dialogue))
    assert said == [
        b"MAIL FROM:<letter@b.example>\r\n",
        b"RCPT TO:<ann@reader.example>\r\n",
        b"DATA\r\n",
    ]
    assert dialogue.take(b"354 c\r\n", 0.0) == [Ready(position=1)]
    dialogue.pour(1)
    assert not dialogue.is_free
    say(dialogue)
    assert isinstance(dialogue.take(TAKEN, 0.0)[0], Answered)
    assert dialogue.is_free


@pytest.mark.parametrize("pipelining", [True, False])
def test_refused_recipient_is_forgotten_before_the_next(*, pipelining: bool) -> None:
    """RSET goes before the next MAIL, and no content of the refused one."""
    dialogue = make_dialogue(pipelining=pipelining)
    dialogue.offer(make_letter(1))
    say(dialogue)
    events = dialogue.take(b"250 a\r\n", 0.0)
    say(dialogue)
    events += dialogue.take(b"550 5.1.1 who\r\n" + NOBODY * pipelining, 0.0)
    assert [type(event) for event in events] == [Answered]
    assert dialogue.is_idle
    dialogue.offer(make_letter(2))
    said = say(dialogue)
    if not pipelining:
        assert said == b"RSET\r\n"
        assert dialogue.take(b"250 ok\r\n", 0.0) == []
        said += say(dialogue)
    assert said.startswith(b"RSET\r\nMAIL FROM:")


def test_content_that_is_waited_for_though_nobody_gets_it() -> None:
    """A dot alone ends it (RFC 2920 section 3.1), and its reply is no message's."""
    dialogue = make_dialogue()
    dialogue.offer(make_letter(1))
    say(dialogue)
    events = dialogue.take(b"250 a\r\n550 5.1.1 who\r\n354 go on\r\n", 0.0)
    assert [type(event) for event in events] == [Answered]
    dialogue.offer(make_letter(2))
    assert say(dialogue).startswith(b".\r\nRSET\r\nMAIL FROM:")
    assert dialogue.take(b"554 5.5.1 nobody\r\n250 forgotten\r\n" + GO, 0.0) == [Ready(position=2)]


def test_content_that_is_waited_for_though_the_sender_was_refused() -> None:
    """Where the recipient was taken all the same, a dot would deliver an empty mail."""
    dialogue = make_dialogue()
    dialogue.offer(make_letter(1, "j\u00f6@reader.example"))
    say(dialogue)
    events = dialogue.take(b"553 5.6.7 no\r\n250 b\r\n354 go on\r\n", 0.0)
    assert [type(event) for event in events] == [Answered]
    assert dialogue.is_over
    assert not dialogue.outgoing


@pytest.mark.parametrize("reply", [b"250 more\r\n", b"what?\r\n", b"354 go\r\n"])
def test_more_replies_than_were_asked_for(reply: bytes) -> None:
    """The message that is ready is given back without a Ready: its turn is in doubt, not it."""
    dialogue = make_dialogue()
    dialogue.offer(make_letter(1))
    say(dialogue)
    events = dialogue.take(GO + reply, 0.0)
    assert returned(events) == [(1, "answered what was not yet asked")]
    assert len(events) == 1
    assert dialogue.is_over
    assert not dialogue.is_free


def test_reply_that_has_begun_before_its_content_left() -> None:
    """It can be no answer to that content."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    assert dialogue.take(b"250 2.0.0 ta", 0.0) == []
    dialogue.pour(1)
    assert returned(dialogue.tell()) == [(1, "answered what was not yet asked")]
    assert not dialogue.outgoing


@pytest.mark.parametrize("events", ["idle", "ready"])
def test_relay_ends_the_session_on_its_own(events: str) -> None:
    """421 may come at any moment (RFC 5321 section 3.8)."""
    dialogue = make_dialogue()
    if events == "ready":
        bring_to_ready(dialogue)
    told = dialogue.take(b"421 4.4.2 you are slow\r\n", 0.0)
    words = "ended the session: 421 4.4.2 you are slow"
    assert returned(told) == [(1, words)] * (events == "ready")
    assert dialogue.is_over


@pytest.mark.parametrize(
    ("reply", "outcome", "words"),
    [
        (b"552 5.3.4 big\r\n", "refused", "did not hear the message out: 552 5.3.4 big"),
        (b"451 4.3.0 no\r\n", "", "did not hear the message out: 451 4.3.0 no"),
        (b"421 4.3.0 no\r\n", "", "did not hear the message out: 421 4.3.0 no"),
        (b"250 2.0.0 ok\r\n", "", "answered what was not yet asked"),
    ],
)
def test_answer_before_the_last_octet_left(reply: bytes, outcome: str, words: str) -> None:
    """It can refuse a message and cannot take one; the connection is of no use any more."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    dialogue.pour(1)
    dialogue.offer(make_letter(2))
    say(dialogue, most=len(b"Hi.\r\n.\r"))
    told = dialogue.take(reply, 0.0)
    answered = [each.outcome.state for each in told if isinstance(each, Answered)]
    assert answered == [outcome] * bool(outcome)
    lost = [2] if outcome else [1, 2]
    assert returned(told) == [(each, words) for each in lost]
    assert dialogue.is_over


@pytest.mark.parametrize(("short", "state"), [(0, "unknown"), (1, ""), (5, "")])
def test_connection_lost_in_the_content(short: int, state: str) -> None:
    """The last octet of the dot decides whether it may have been taken."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    dialogue.pour(1)
    size = len(b"Hi.\r\n.\r\n")
    dialogue.offer(make_letter(2))
    say(dialogue, most=size - short)
    told = dialogue.lost("hung up")
    if state:
        text = "after the final dot the relay hung up"
        assert told[0] == Answered(position=1, outcome=Outcome(state="unknown", text=text))
        assert [position for position, _ in returned(told)] == [2]
    else:
        assert [position for position, _ in returned(told)] == [1, 2]
    assert dialogue.lost("hung up") == []


def test_answer_of_a_relay_that_takes_nothing_more() -> None:
    """Where the dot left, what was said before the break still counts."""
    dialogue = _on_the_wire()
    dialogue.offer(make_letter(2))
    dialogue.broken(10.0)
    assert dialogue.deadline == 11.0
    dialogue.broken(10.5)
    assert dialogue.deadline == 11.0
    assert not dialogue.is_free
    told = dialogue.take(TAKEN, 10.6)
    assert [type(event) for event in told] == [Answered]
    assert dialogue.deadline == 11.0
    told = dialogue.expire()
    assert returned(told) == [(2, "broke the connection")]


def test_ready_message_is_not_poured_where_nothing_can_be_sent() -> None:
    """It is given back when the end is heard."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    dialogue.broken(0.0)
    dialogue.pour(1)
    assert not dialogue.outgoing
    assert returned(dialogue.lost("hung up")) == [(1, "broke the connection")]


@pytest.mark.parametrize("position", [1, 2, 7])
def test_only_what_is_ready_is_poured(position: int) -> None:
    """Content out of turn would be taken for commands."""
    dialogue = _on_the_wire(next_too=True)
    with pytest.raises(ValueError, match=f"message {position} is not ready"):
        dialogue.pour(position)


def test_dropped_message_that_is_ready_ends_the_connection() -> None:
    """Without content and without a dot, which would deliver an empty mail."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    assert dialogue.drop(1)
    assert dialogue.is_over
    assert not dialogue.outgoing
    assert dialogue.lost("hung up") == []


def test_dropped_envelope_waits_for_the_answer_before_it() -> None:
    """The one on its way is answered, then the connection ends; nothing is told of the other."""
    dialogue = _on_the_wire(next_too=True)
    assert dialogue.drop(2)
    assert not dialogue.is_over
    told = dialogue.take(TAKEN + GO, 0.0)
    assert [type(event) for event in told] == [Answered]
    assert dialogue.is_over


def test_dropped_envelope_that_is_refused_keeps_the_connection() -> None:
    """Nobody is waiting for content."""
    dialogue = make_dialogue()
    dialogue.offer(make_letter(1))
    dialogue.drop(1)
    say(dialogue)
    assert dialogue.take(b"250 a\r\n550 5.1.1 who\r\n" + NOBODY, 0.0) == []
    assert dialogue.is_free


@pytest.mark.parametrize("is_dropped", [True, False])
def test_nothing_is_told_of_an_envelope_that_was_done_with(*, is_dropped: bool) -> None:
    """Where the connection is lost, neither a dropped nor a refused message comes back."""
    dialogue = make_dialogue()
    dialogue.offer(make_letter(1))
    say(dialogue)
    if is_dropped:
        dialogue.drop(1)
    else:
        dialogue.take(b"250 a\r\n550 5.1.1 who\r\n", 0.0)
    assert dialogue.lost("hung up") == []


@pytest.mark.parametrize("position", [1, 3])
def test_message_on_its_way_cannot_be_dropped(position: int) -> None:
    """It is answered like any other."""
    dialogue = _on_the_wire()
    assert not dialogue.drop(position)
    assert isinstance(dialogue.take(TAKEN, 0.0)[0], Answered)


def test_refused_sender_stops_and_says_farewell() -> None:
    """What was asked besides is heard and dropped; QUIT ends it."""
    dialogue = make_dialogue()
    dialogue.offer(make_letter(1))
    say(dialogue)
    told = dialogue.take(b"550 5.7.1 not you\r\n" + NOBODY, 5.0)
    assert [type(event) for event in told] == [Returned, Failed]
    assert dialogue.is_leaving
    assert dialogue.deadline == 10.0
    assert say(dialogue) == b"QUIT\r\n"
    assert dialogue.take(NOBODY, 6.0) == []
    assert not dialogue.is_over
    assert dialogue.deadline == 10.0
    assert dialogue.take(b"221 bye\r\n", 6.0) == []
    assert dialogue.is_over


def test_farewell_that_is_not_answered_ends() -> None:
    """Nobody waits longer than five seconds for politeness."""
    dialogue = make_dialogue()
    dialogue.quit(1.0)
    assert not dialogue.is_free
    assert say(dialogue, 1.0) == b"QUIT\r\n"
    assert dialogue.deadline == 6.0
    assert dialogue.expire() == []
    assert dialogue.is_over


def test_busy_errors_say_what_to_do() -> None:
    """Where it was, what happened, and that another try may go better."""
    dialogue = make_dialogue()
    bring_to_ready(dialogue)
    (event,) = dialogue.lost("hung up")
    assert isinstance(event, Returned)
    assert type(event.error) is TransportBusyError
    assert str(event.error) == (
        "relay.example:25: hung up\n  nothing of this message was taken; try again in a while"
    )
