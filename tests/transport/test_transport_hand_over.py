"""What becomes of one message: taken, refused, later, unknown, or not the message's fault."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from threading import Event

import pytest
from relay.server import Kept, Relay

from digest.errors import TransportBusyError, TransportError
from digest.model import Message, Outcome
from digest.transport import Smtp

Make = Callable[..., Smtp]
Write = Callable[..., Message]

pytestmark = pytest.mark.usefixtures("pipelining")

_SHORT = 0.3  # seconds, for what must time out


def _verbs(relay: Relay) -> list[str]:
    return [line.split()[0].upper() for line in relay.lines]


def test_message_is_taken_with_one_recipient(smtp: Make, message: Write) -> None:
    """The relay gets the stored address and the message's own bytes; so do more on one link."""
    with Relay() as relay:
        transport = smtp(relay)
        transport.open()
        first = transport.hand_over(message())
        second = transport.hand_over(message("o'brien+notes=?utf-8?q?=40?=@reader.example"))
        transport.close()

    assert first == Outcome(state="accepted", code=250, enhanced="2.0.0", text="taken")
    assert second.state == "accepted"
    assert relay.sessions == 1
    assert relay.kept[0] == Kept(
        sender="letter@harbour.example",
        recipients=("ann@reader.example",),
        data=message().data,
        session=1,
    )
    assert relay.kept[1].recipients == ("o'brien+notes=?utf-8?q?=40?=@reader.example",)


def test_transport_that_is_not_open_takes_nothing(smtp: Make, message: Write) -> None:
    """Before it was opened, and after it was closed."""
    with Relay() as relay:
        transport = smtp(relay)
        with pytest.raises(TransportBusyError, match="not open"):
            transport.hand_over(message())
        transport.open()
        transport.close()
        with pytest.raises(TransportBusyError, match="not open"):
            transport.hand_over(message())


@pytest.mark.parametrize("event", ["RCPT", "DATA", "END"])
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (
            "550 5.1.1 nobody here",
            Outcome(state="refused", code=550, enhanced="5.1.1", text="nobody here"),
        ),
        (
            "451-4.7.1 in\n451 4.7.1 a while",
            Outcome(state="pending", code=451, enhanced="4.7.1", text="in a while"),
        ),
        ("552 \u00fcberf\u00fcllt", Outcome(state="refused", code=552, text="\u00fcberf\u00fcllt")),
    ],
)
def test_refusal_of_one_leaves_the_others_alone(
    smtp: Make, message: Write, event: str, answer: str, outcome: Outcome
) -> None:
    """4xx is for later and 5xx for good; the next message goes over the same connection."""
    with Relay() as relay:
        relay.on(event, answer, to="bo@reader.example", times=1)  # type: ignore[arg-type]
        transport = smtp(relay)
        transport.open()
        told = [transport.hand_over(message(f"{who}@reader.example")) for who in ("bo", "cy")]
        transport.close()

    assert told[0] == outcome
    assert told[1].state == "accepted"
    assert [kept.recipients for kept in relay.kept] == [("cy@reader.example",)]
    assert relay.sessions == 1
    assert _verbs(relay).count("RSET") == (event != "END")


@pytest.mark.parametrize("answer", ["251 will forward", "252 cannot tell"])
def test_any_good_answer_to_rcpt_will_do(smtp: Make, message: Write, answer: str) -> None:
    """251 and 252 are yes as well (RFC 5321 section 4.2.3)."""
    with Relay() as relay:
        relay.on("RCPT", answer)
        transport = smtp(relay)
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("421 4.3.2 going down", "ended the session: 421 4.3.2 going down"),
        ("500 5.5.1 what", "answered '500 5.5.1 what' to RSET"),
        ("", "hung up"),
    ],
)
def test_trouble_while_forgetting_changes_no_outcome(
    smtp: Make, message: Write, answer: str, words: str
) -> None:
    """The refusal stands; the connection is lost for the next message, and opened anew."""
    with Relay() as relay:
        relay.on("RCPT", "550 5.1.1 nobody here", to="bo@reader.example")
        relay.on("RSET", answer, times=1, close=True)
        transport = smtp(relay)
        transport.open()
        assert transport.hand_over(message("bo@reader.example")).state == "refused"
        with pytest.raises(TransportBusyError, match=words):
            transport.hand_over(message())
        with pytest.raises(TransportBusyError, match="not open"):
            transport.hand_over(message())
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ("553 5.7.1 not your address", TransportError, "553 5.7.1 not your address"),
        ("452 4.3.1 disk full", TransportBusyError, "452 4.3.1 disk full"),
    ],
)
def test_refused_sender_concerns_everybody(
    smtp: Make, message: Write, answer: str, kind: type[TransportError], words: str
) -> None:
    """No reader is asked about; the connection is left politely and can be opened anew."""
    with Relay() as relay:
        relay.on("MAIL", answer, times=1)
        transport = smtp(relay)
        transport.open()
        with pytest.raises(TransportError) as caught:
            transport.hand_over(message())
        assert [verb for verb in _verbs(relay) if verb not in {"RCPT", "DATA"}] == [
            "EHLO",
            "MAIL",
            "QUIT",
        ]
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    assert type(caught.value) is kind
    assert f"did not accept the sender <letter@harbour.example>: {words}" in str(caught.value)


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        *product(("MAIL", "RCPT", "DATA"), ("", "what?", "421 4.3.2 bye")),
        ("MAIL", "354 go on"),
        ("RCPT", "354 go on"),
        ("DATA", "250 taken"),
    ],
)
def test_session_ended_before_the_dot(smtp: Make, message: Write, event: str, answer: str) -> None:
    """421, the end, and nonsense: nothing was taken, and another try may go better."""
    with Relay() as relay:
        relay.on(event, answer, times=1, close=True)  # type: ignore[arg-type]
        transport = smtp(relay)
        transport.open()
        with pytest.raises(TransportBusyError, match=f"127.0.0.1:{relay.port}: "):
            transport.hand_over(message())
        with pytest.raises(TransportBusyError, match="not open"):
            transport.hand_over(message())
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    assert len(relay.kept) == 1


def test_silence_before_the_dot_ends(smtp: Make, message: Write) -> None:
    """A relay that says nothing to RCPT is given up after the time limit."""
    with Relay() as relay:
        relay.on("RCPT", "")
        transport = smtp(relay, timeout=_SHORT)
        transport.open()
        with pytest.raises(TransportBusyError, match=r"no whole reply within 0\.3 seconds"):
            transport.hand_over(message())
    assert not relay.kept


def test_connection_lost_in_the_content(smtp: Make, message: Write) -> None:
    """Where the dot did not go out, nothing was taken, and that is certain."""
    with Relay(offers=()) as relay:
        relay.on("DATA", cut=1000)
        transport = smtp(relay)
        transport.open()
        with pytest.raises(TransportBusyError):
            transport.hand_over(message(body=b"much\r\n" * 3_000_000))
    assert not relay.kept


def test_relay_that_takes_no_more_content_ends(smtp: Make, message: Write) -> None:
    """A relay that stops reading is given up after the time limit."""
    over = Event()
    with Relay(offers=()) as relay:
        relay.on("DATA", halt=over.wait)
        transport = smtp(relay, timeout=_SHORT)
        transport.open()
        with pytest.raises(TransportBusyError, match=r"took nothing more for 0\.3 seconds"):
            transport.hand_over(message(body=b"much\r\n" * 3_000_000))
        over.set()
    assert not relay.kept


@pytest.mark.parametrize(
    ("answer", "state"), [("552 5.3.4 too much", "refused"), ("451 4.3.0 not now", "")]
)
def test_last_words_of_a_relay_that_hangs_up_in_the_content_count(
    smtp: Make, message: Write, answer: str, state: str
) -> None:
    """5xx is for good, so that the message is not tried for ever."""
    with Relay(offers=()) as relay:
        relay.on("DATA", cut=1000, words=answer, times=1)
        transport = smtp(relay)
        transport.open()
        letter = message(body=b"much\r\n" * 3_000_000)
        if state:
            assert transport.hand_over(letter) == Outcome(
                state="refused", code=552, enhanced="5.3.4", text="too much"
            )
        with pytest.raises(TransportBusyError):
            transport.hand_over(letter)
    assert not relay.kept


def test_answer_that_comes_before_it_was_asked_for_is_none(smtp: Make, message: Write) -> None:
    """No message is taken for accepted by an answer that was there before its dot."""
    with Relay() as relay:
        relay.on("DATA", also=b"250 2.0.0 taken\r\n")
        transport = smtp(relay)
        transport.open()
        with pytest.raises(TransportBusyError, match="what was not yet asked"):
            transport.hand_over(message())
    assert not relay.kept


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(
    ("answer", "close", "words"),
    [
        ("", True, "hung up"),
        ("", False, "gave no whole reply within 0.3 seconds"),
        ("250-2.0.0 half", False, "gave no whole reply within 0.3 seconds"),
    ],
)
def test_no_answer_to_the_dot_is_unknown(
    smtp: Make, message: Write, answer: str, words: str, *, close: bool, keep: bool
) -> None:
    """Whether the relay kept it cannot be told, and the connection is not used again."""
    with Relay() as relay:
        relay.on("END", answer, times=1, close=close, keep=keep)
        transport = smtp(relay, patience=_SHORT)
        transport.open()
        expected = Outcome(state="unknown", text=f"after the final dot the relay {words}")
        assert transport.hand_over(message()) == expected
        with pytest.raises(TransportBusyError, match="not open"):
            transport.hand_over(message())
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    assert len(relay.kept) == 1 + (keep or answer.startswith("2"))


@pytest.mark.parametrize("answer", ["what?", "354 go on"])
def test_nonsense_after_the_dot_is_unknown(smtp: Make, message: Write, answer: str) -> None:
    """It is no answer, and it is kept in words."""
    with Relay() as relay:
        relay.on("END", answer)
        transport = smtp(relay)
        transport.open()
        outcome = transport.hand_over(message())
        with pytest.raises(TransportBusyError, match="not open"):
            transport.hand_over(message())
    assert (outcome.state, outcome.reply) == ("unknown", answer)


def test_answer_to_the_dot_may_take_longer_than_others(smtp: Make, message: Write) -> None:
    """The patience after the dot is its own, ten minutes unless told otherwise."""
    with Relay() as relay:
        relay.on("END", pace=_SHORT / 10)
        transport = smtp(relay, timeout=_SHORT, patience=20)
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()


def test_session_ended_at_the_dot(smtp: Make, message: Write) -> None:
    """421 to the dot: this message later, and the next over a new connection."""
    with Relay() as relay:
        relay.on("END", "421 4.7.0 enough", times=1, close=True)
        transport = smtp(relay)
        transport.open()
        outcome = transport.hand_over(message())
        with pytest.raises(TransportBusyError, match="not open"):
            transport.hand_over(message())
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    assert outcome == Outcome(state="pending", code=421, enhanced="4.7.0", text="enough")


def test_connection_lost_after_a_good_answer(smtp: Make, message: Write) -> None:
    """What was taken stays taken; the next message finds the connection gone."""
    with Relay() as relay:
        relay.on("END", close=True, times=1)
        transport = smtp(relay)
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        with pytest.raises(TransportBusyError):
            transport.hand_over(message())
    assert len(relay.kept) == 1


def test_hand_over_that_is_broken_off_gives_the_connection_up(
    monkeypatch: pytest.MonkeyPatch, smtp: Make, message: Write
) -> None:
    """After Ctrl-C nobody knows where both sides are, so nothing more is said there."""
    with Relay() as relay:
        transport = smtp(relay)
        transport.open()
        with monkeypatch.context() as patch:

            def interrupt(*_: object) -> None:
                raise KeyboardInterrupt

            patch.setattr("digest.transport.dialogue.Dialogue.pour", interrupt)
            with pytest.raises(KeyboardInterrupt):
                transport.hand_over(message())
        transport.close()
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    assert relay.sessions == 2
    assert len(relay.kept) == 1


def test_relay_of_one_message_at_a_time_gives_a_pool_of_many(smtp: Make, message: Write) -> None:
    """It has the account's connections and its patience; the two share none."""
    with Relay() as relay:
        transport = smtp(relay, connections=2, per_connection=1)
        transport.open()
        carrier = transport.pool()
        assert not carrier.is_open
        carrier.open()
        while carrier.free() < 2:
            carrier.widen()
            carrier.wait(20)
        for _ in range(2):
            assert transport.hand_over(message()).state == "accepted"
        carrier.close()
        transport.close()
    assert relay.sessions == 3
    assert {kept.session for kept in relay.kept} == {1}
