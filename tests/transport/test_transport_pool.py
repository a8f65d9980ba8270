"""Several connections at once: they share the messages, and each has its own trouble."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event as Flag
from types import SimpleNamespace

import pytest
from relay.server import OFFERS, Relay

from digest.errors import ConfigError, TransportBusyError, TransportError
from digest.model import Message
from digest.transport import Answered, Carrier, Event, Failed, Pool, Ready, Returned
from digest.transport.openings import Openings

Make = Callable[..., Pool]
Write = Callable[..., Message]
Carry = Callable[..., list[Event]]

_WAIT = 20.0  # seconds, for what comes much sooner
_LOGIN = (*OFFERS, "AUTH PLAIN")


def _answered(told: list[Event]) -> list[int]:
    return sorted(
        each.position
        for each in told
        if isinstance(each, Answered) and each.outcome.state == "accepted"
    )


def _until(carrier: Pool, count: int) -> None:
    """Have connections opened until so many messages may be offered."""
    while carrier.free() < count:
        carrier.widen()
        carrier.wait(_WAIT)


@pytest.mark.parametrize("tls", ["", "start", "starttls"])
def test_connections_share_the_messages(pool: Make, message: Write, carry: Carry, tls: str) -> None:
    """Each message goes once, and every connection has some; all are left politely."""
    letters = [message(f"r{number}@reader.example") for number in range(60)]
    with Relay(tls=tls) as relay:  # type: ignore[arg-type]
        carrier = pool(relay, connections=5)
        carrier.open()
        _until(carrier, 5)
        told = carry(carrier, letters)
        carrier.close()
    assert _answered(told) == list(range(1, 61))
    assert sorted(kept.recipients for kept in relay.kept) == sorted(
        (letter.recipient,) for letter in letters
    )
    assert {kept.session for kept in relay.kept} == {1, 2, 3, 4, 5}
    assert len(relay.commands("QUIT")) == 5


@pytest.mark.usefixtures("pipelining")
@pytest.mark.parametrize("tls", ["", "start"])
def test_content_larger_than_all_buffers_arrives_whole(
    monkeypatch: pytest.MonkeyPatch, pool: Make, message: Write, carry: Carry, tls: str
) -> None:
    """It leaves piece by piece, on several connections at once."""
    monkeypatch.setattr("digest.transport.opening._SEND_BUFFER", 1)
    bodies = [bytes([letter]) * 70 + b"\r\n.\r\n" for letter in b"abcdef"]
    letters = [message(body=body * 10_000) for body in bodies]
    with Relay(tls=tls, offers=("PIPELINING",)) as relay:  # type: ignore[arg-type]
        carrier = pool(relay, connections=3)
        carrier.open()
        _until(carrier, 3)
        told = carry(carrier, letters)
    assert _answered(told) == [1, 2, 3, 4, 5, 6]
    assert sorted(kept.data for kept in relay.kept) == sorted(letter.data for letter in letters)


def test_connection_that_stands_still_holds_no_other(
    pool: Make, message: Write, carry: Carry
) -> None:
    """While one relay process reads nothing, the others go on."""
    over = Flag()
    with Relay(offers=("PIPELINING",)) as relay:
        relay.on("DATA", to="slow@reader.example", halt=over.wait)
        carrier = pool(relay, connections=2)
        carrier.open()
        _until(carrier, 2)
        carrier.offer(99, message("slow@reader.example", body=b"much\r\n" * 1_000_000))
        assert carrier.wait(_WAIT) == [Ready(position=99)]
        carrier.pour(99)
        carrier.wait(0)
        told: list[Event] = []
        for position in range(1, 6):
            carrier.offer(position, message())
            while not (told and isinstance(told[-1], Answered) and told[-1].position == position):
                told += carrier.wait(_WAIT)
                if isinstance(told[-1], Ready):
                    carrier.pour(position)
        over.set()
        last = carry(carrier, []) or carrier.wait(_WAIT)
    assert _answered(told) == [1, 2, 3, 4, 5]
    assert _answered(last) == [99]


def test_loss_of_one_connection_is_its_own(pool: Make, message: Write) -> None:
    """Only its message comes back; the other is answered."""
    with Relay() as relay:
        relay.on("RCPT", to="bo@reader.example", answer="", close=True)
        carrier = pool(relay, connections=2)
        carrier.open()
        _until(carrier, 2)
        carrier.offer(1, message("bo@reader.example"))
        carrier.offer(2, message())
        told: list[Event] = []
        while len(told) < 3:
            told += (events := carrier.wait(_WAIT))
            for event in events:
                if isinstance(event, Ready):
                    carrier.pour(event.position)
        assert carrier.is_open
    assert [each.position for each in told if isinstance(each, Returned)] == [1]
    assert _answered(told) == [2]


def test_connection_ends_after_its_share(pool: Make, message: Write, carry: Carry) -> None:
    """It is left with QUIT, and a new one takes the next messages."""
    with Relay() as relay:
        carrier = pool(relay, connections=1, per_connection=2)
        carrier.open()
        told = carry(carrier, [message()] * 4)
        assert not carrier.is_open
        carrier.open()
        told += carry(carrier, [message()])
        carrier.close()
    assert _answered(told) == [1, 1, 2]
    assert [kept.session for kept in relay.kept] == [1, 1, 2]
    assert len(relay.commands("QUIT")) == 2


def test_connections_are_opened_anew_meanwhile(pool: Make, message: Write, carry: Carry) -> None:
    """Where each has a share, all messages go, over as many connections as that takes."""
    with Relay() as relay:
        carrier = pool(relay, connections=2, per_connection=3)
        carrier.open()
        _until(carrier, 2)
        told = carry(carrier, [message()] * 20, wide=True)
        while len(told) < 40:
            if not carrier.is_open:
                carrier.open()
            told += carry(carrier, [message()] * (20 - len(_answered(told))), wide=True)
    assert len(relay.kept) == 20
    assert relay.sessions >= 7


@pytest.mark.usefixtures("pipelining")
def test_dropped_message_gets_no_content(pool: Make, message: Write) -> None:
    """Its connection ends in the middle, and another takes what follows."""
    with Relay() as relay:
        carrier: Carrier = pool(relay)
        carrier.open()
        carrier.drop(5)
        carrier.offer(1, message("gone@reader.example"))
        assert carrier.wait(_WAIT) == [Ready(position=1)]
        carrier.drop(1)
        carrier.drop(1)
        assert not carrier.is_open
        with pytest.raises(ValueError, match="message 1 is not in hand"):
            carrier.pour(1)
        carrier.open()
        carrier.offer(2, message())
        assert carrier.wait(_WAIT) == [Ready(position=2)]
        carrier.pour(2)
        assert _answered(carrier.wait(_WAIT)) == [2]
    assert [kept.recipients for kept in relay.kept] == [("ann@reader.example",)]


def test_no_more_is_taken_than_is_free(pool: Make, message: Write) -> None:
    """Offering more is a mistake of ours, and so is content that breaks lines its own way."""
    with Relay() as relay:
        carrier = pool(relay)
        with pytest.raises(ValueError, match="no more may be offered"):
            carrier.offer(1, message())
        carrier.open()
        with pytest.raises(ValueError, match="stands alone"):
            carrier.offer(1, message(body=b"half\n"))
        carrier.offer(1, message())
        assert carrier.free() == 0
        with pytest.raises(ValueError, match="no more may be offered"):
            carrier.offer(2, message())


def test_wait_ends_when_more_may_be_offered(pool: Make, message: Write) -> None:
    """Though nothing is to be told: the rest of a refused envelope was heard."""
    with Relay() as relay:
        relay.on("RCPT", "550 5.1.1 no", to="bo@reader.example", before=lambda: None)
        carrier = pool(relay)
        carrier.open()
        carrier.offer(1, message("bo@reader.example"))
        told = carrier.wait(_WAIT)
        while not carrier.free():
            told += carrier.wait(_WAIT)
    assert [type(event) for event in told] == [Answered]


def test_reply_that_begins_before_its_content_gives_the_message_back(
    pool: Make, message: Write
) -> None:
    """What is half said when content may go cannot be its answer."""
    with Relay() as relay:
        relay.on("DATA", also=b"250 2.0.0 ta")
        carrier = pool(relay)
        carrier.open()
        carrier.offer(1, message())
        assert carrier.wait(_WAIT) == [Ready(position=1)]
        carrier.pour(1)
        assert not carrier.is_open
        (told,) = carrier.wait(_WAIT)
        assert isinstance(told, Returned)
    assert not relay.kept


def test_wait_ends_with_its_time(pool: Make) -> None:
    """Where nothing comes, nothing is told."""
    with Relay() as relay:
        carrier = pool(relay)
        assert carrier.wait(0.01) == []
        carrier.open()
        assert carrier.wait(0.01) == []
        assert carrier.wait(0.0) == []


def test_relay_that_leaves_an_idle_connection(pool: Make) -> None:
    """That is no news of any message; the connection is no more."""
    with Relay() as relay:
        relay.on("EHLO", close=True)
        carrier = pool(relay)
        carrier.open()
        assert carrier.wait(0.5) == []
        assert not carrier.is_open


def _clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let the pool's time be moved on by the test; give by how much it was."""
    moved = [0.0]
    told = SimpleNamespace(monotonic=lambda: time.monotonic() + moved[0])
    monkeypatch.setattr("digest.transport.pool.time", told)
    return moved


def test_refused_connection_is_tried_again_later_and_later(
    monkeypatch: pytest.MonkeyPatch, pool: Make, message: Write, carry: Carry
) -> None:
    """While one is open its refusals are not told; each wait is twice as long, up to a minute."""
    moved = _clock(monkeypatch)
    with Relay() as relay:
        relay.on("CONNECT", "421 4.7.0 too many", skip=1)
        carrier = pool(relay, connections=2)
        carrier.open()
        for wait in (1, 2, 4, 8, 16, 32, 60, 60):
            tries = relay.sessions
            carrier.widen()
            assert carrier.wait(0.3) == []
            assert relay.sessions == tries + 1
            moved[0] += wait - 1
            carrier.widen()
            moved[0] += 1
        assert carrier.free() == 1
        assert _answered(carry(carrier, [message()])) == [1]
        relay.heal()
        moved[0] += 60
        _until(carrier, 2)
        carrier.close()


def test_connection_that_takes_nothing_slows_its_successors(
    monkeypatch: pytest.MonkeyPatch, pool: Make, message: Write, carry: Carry
) -> None:
    """A relay that opens and then is busy is not called again and again."""
    moved = _clock(monkeypatch)
    with Relay() as relay:
        relay.on("MAIL", "451 4.3.0 not now", times=2)
        carrier = pool(relay)
        for count, wait in ((1, 1.5), (2, 2.5)):
            if count == 1:
                carrier.open()
            else:
                _until(carrier, 1)
            assert isinstance(carry(carrier, [message()])[0], Returned)
            carrier.wait(0.2)
            carrier.widen()
            assert carrier.wait(0.1) == []
            assert relay.sessions == count
            moved[0] += wait
        _until(carrier, 1)
        assert _answered(carry(carrier, [message()])) == [1]
    assert relay.sessions == 3


def test_login_refused_at_another_connection(pool: Make, message: Write, carry: Carry) -> None:
    """It is not told while one is open; where none is, the run has to stop."""
    with Relay(offers=_LOGIN) as relay:
        relay.on("AUTH", "535 5.7.8 wrong", skip=1)
        carrier = pool(relay, connections=2, username="ann", password=lambda: "hush")
        carrier.open()
        carrier.widen()
        assert carrier.wait(0.3) == []
        relay.on("END", close=True)
        assert _answered(carry(carrier, [message()])) == [1]
        carrier.wait(0.2)
        assert not carrier.is_open


def test_login_refused_at_another_connection_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, pool: Make, message: Write, carry: Carry
) -> None:
    """An account is not locked by us: however long it goes on, one refusal is enough."""
    now = [1000.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("digest.transport.pool.time", clock)
    with Relay(offers=_LOGIN) as relay:
        relay.on("AUTH", "535 5.7.8 wrong", skip=1)
        carrier = pool(relay, connections=2, username="ann", password=lambda: "hush")
        carrier.open()
        for _ in range(3):
            carrier.widen()
            # The bell rings once the opening has ended, whichever way.
            while carrier._openings is not None and carrier._openings.pending:  # noqa: SLF001 - no other sign
                carrier._selector.select(0.05)  # noqa: SLF001 - as above
                carrier._take_openings()  # noqa: SLF001 - as above
            now[0] += 3600
        assert len(relay.credentials) == 2
        assert _answered(carry(carrier, [message()])) == [1]


@pytest.mark.parametrize("error", [TransportError("refused"), ConfigError("no password")])
def test_trouble_of_opening_where_none_is_open(
    monkeypatch: pytest.MonkeyPatch, pool: Make, error: TransportError | ConfigError
) -> None:
    """What no other try mends ends the run, with its own words."""

    def fail(*_: object, **__: object) -> None:
        raise error

    carrier = pool(Relay(port=25), connections=2)
    monkeypatch.setattr("digest.transport.opening.open_link", fail)
    carrier.widen()
    told = [carrier.wait(_WAIT)[0], *carrier.wait(0.1)]
    assert all(isinstance(each, Failed) for each in told)
    assert isinstance(told[0], Failed)
    assert isinstance(told[0].error, TransportError)
    assert told[0].error.brief == error.brief


def test_passing_trouble_of_opening_is_left_to_open(
    monkeypatch: pytest.MonkeyPatch, pool: Make
) -> None:
    """It is not told; opening says it."""

    def fail(*_: object, **__: object) -> None:
        raise TransportBusyError("later")

    carrier = pool(Relay(port=25))
    monkeypatch.setattr("digest.transport.opening.open_link", fail)
    carrier.widen()
    assert carrier.wait(0.2) == []
    with pytest.raises(TransportBusyError, match="later"):
        carrier.open()


def test_mistake_of_ours_in_opening_is_raised(monkeypatch: pytest.MonkeyPatch, pool: Make) -> None:
    """No thread swallows it."""

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("ours")

    carrier = pool(Relay(port=25))
    monkeypatch.setattr("digest.transport.opening.open_link", fail)
    carrier.widen()
    with pytest.raises(ZeroDivisionError, match="ours"):
        carrier.wait(_WAIT)


def test_connection_too_many_is_left(pool: Make) -> None:
    """Where one was being opened and `open` was quicker, the later one says farewell."""
    go = Flag()
    with Relay() as relay:
        relay.on("EHLO", before=go.wait, times=1)
        carrier = pool(relay, connections=1)
        carrier.widen()
        carrier.widen()
        while not relay.commands("EHLO"):
            carrier.wait(0.01)
        carrier.open()
        go.set()
        while not relay.commands("QUIT"):
            carrier.wait(0.05)
        assert carrier.free() == 1
        assert carrier.is_open
    assert relay.sessions == 2


def test_closing_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, pool: Make, message: Write
) -> None:
    """Idle ones hear QUIT, and one that does not answer is left; what is in hand is not told."""
    monkeypatch.setattr("digest.transport.pool.FAREWELL", 0.3)
    over = Flag()
    with Relay() as relay:
        relay.on("QUIT", before=over.wait, times=1)
        carrier = pool(relay, connections=3)
        carrier.open()
        _until(carrier, 3)
        carrier.offer(1, message())
        assert carrier.wait(_WAIT) == [Ready(position=1)]
        begun = time.monotonic()
        carrier.close()
        assert time.monotonic() - begun < 5
        assert not carrier.is_open
        assert carrier.free() == 0
        assert carrier.wait(0.0) == []
        carrier.close()
        over.set()
    assert len(relay.commands("QUIT")) == 2
    assert not relay.kept


@pytest.mark.parametrize("is_done", [True, False])
def test_closing_while_another_is_opened(pool: Make, *, is_done: bool) -> None:
    """What is opened and was not taken is left politely, now or when it is ready."""
    go = Flag()
    with Relay() as relay:
        relay.on("EHLO", before=go.wait, skip=1)
        carrier = pool(relay, connections=2)
        carrier.open()
        carrier.widen()
        while len(relay.commands("EHLO")) < 2:
            carrier.wait(0.01)
        if is_done:
            go.set()
            while carrier.free() < 2 and not _rings(carrier):
                pass
        carrier.close()
        go.set()
        while len(relay.commands("QUIT")) < 2:
            Flag().wait(0.01)
    assert relay.sessions == 2


def test_closing_while_an_opening_fails(pool: Make) -> None:
    """Its trouble is nobody's any more."""
    go = Flag()
    with Relay() as relay:
        relay.on("EHLO", "451 4.3.0 later", before=go.wait, skip=1)
        carrier = pool(relay, connections=2)
        carrier.open()
        carrier.widen()
        while len(relay.commands("EHLO")) < 2:
            carrier.wait(0.01)
        carrier.close()
        go.set()
        while len(relay.commands("QUIT")) < 2:
            Flag().wait(0.01)
        assert carrier.wait(0.0) == []


def _rings(carrier: Pool) -> bool:
    """Tell whether a connection was opened and not taken."""
    openings = vars(carrier)["_openings"]
    return bool(vars(openings)["_done"])


def test_want_of_threads_is_told_as_a_connection_that_was_not_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the system gives no more of them, the send goes on with the connections there are."""

    def refuse(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("digest.transport.openings.Thread.start", refuse)
    openings = Openings(lambda: pytest.fail("no thread, no connection"))
    openings.begin()
    [error] = openings.done()
    assert isinstance(error, TransportBusyError)
    assert "lower transport.smtp.connections" in error.problems[0].fix
    assert openings.pending == 0
    openings.abandon()
