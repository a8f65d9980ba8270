"""Each way in which a relay fails, from the first word to the ledger: right state, right retry."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest
from delivery.doubles import KEY, NOW, World
from delivery.runs import begin, run_once
from relay.server import OFFERS, Relay, free_port

from digest.delivery import Halted, connect
from digest.errors import TransportError
from digest.model import Delivery, Message, Outcome, Send, Tally
from digest.store.ledger import Store
from digest.transport import Pool, SmtpAccount

_SHORT = 0.4  # seconds, for what must time out
_LOGIN = (*OFFERS, "AUTH PLAIN LOGIN")
_WORD = "hush-hush-word"
_SECOND = "r002@reader.example"
_WAITED = 75.0  # seconds in all, for a relay that says that it is busy


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """How a relay fails, and what is to come of it for four readers.

    `second` is what becomes of the second reader in the first run, the others being accepted;
    `others` of those. `due` is in minutes, from `later` seconds after the start. `halted` is a
    part of the reason why the run ended, `waited` how many seconds were waited in all. `again` is
    the tally once the relay is well and another run was made after `due`.
    """

    relay: dict[str, object] = field(default_factory=dict)
    on: tuple[dict[str, object], ...] = ()
    account: dict[str, object] = field(default_factory=dict)
    body: bytes = b"x\r\n"
    wide: bool = False
    second: Literal["accepted", "pending", "refused", "unknown", "unsupported"] = "accepted"
    others: Literal["accepted", "pending"] = "accepted"
    due: int = 0
    later: float = 0.0
    halted: str = ""
    waited: float = 0.0
    suppressed: bool = False
    kept: int = 4
    again: int = 4
    logs_in: bool = False


def _at(event: str, answer: str | None = None, **more: object) -> dict[str, object]:
    return {"event": event, "answer": answer, **more}


def _never(halted: str, *, waited: float = 0.0, **more: object) -> Case:
    """Nobody is mailed, and nothing is known against anybody."""
    return Case(second="pending", others="pending", halted=halted, waited=waited, kept=0, **more)  # type: ignore[arg-type]


_USER: dict[str, object] = {"username": "ann", "password": lambda: _WORD}
_TLS: dict[str, object] = {"tls": "starttls", "offers": _LOGIN}
_BO = {"to": _SECOND}
# Where connections are lost at an envelope again and again, its reader waits: no other is held up.
_SHY: dict[str, object] = {"due": 5, "later": 30.0}
CASES = {
    "no greeting": _never("no greeting", on=(_at("CONNECT", ""),), account={"timeout": _SHORT}),
    "greeting 421": _never(
        "421 4.3.2 later", waited=_WAITED, on=(_at("CONNECT", "421 4.3.2 later", close=True),)
    ),
    "greeting 554": _never("554 5.7.1 never", on=(_at("CONNECT", "554 5.7.1 never"),)),
    "EHLO 5xx then HELO": Case(on=(_at("EHLO", "502 5.5.1 what"),)),
    "drop after EHLO": _never("127.0.0.1", waited=_WAITED, on=(_at("EHLO", close=True),), **_SHY),
    "STARTTLS absent": _never(
        "encryption was not offered",
        relay={"offers": _LOGIN},
        account={"security": "starttls", **_USER},
    ),
    "STARTTLS 454": _never(
        "454 4.7.0 later",
        waited=_WAITED,
        relay=_TLS,
        on=(_at("STARTTLS", "454 4.7.0 later"),),
        account=_USER,
    ),
    "STARTTLS then garbage": _never(
        "encryption failed",
        relay=_TLS,
        on=(_at("STARTTLS", instead=b"\x00garbage\r\n"),),
        account=_USER,
    ),
    "self-signed": _never(
        "is self-signed", relay={**_TLS, "certificate": "self-signed"}, account=_USER
    ),
    "wrong name": _never(
        "is for another name", relay={**_TLS, "certificate": "wrong-name"}, account=_USER
    ),
    "expired": _never("has expired", relay={**_TLS, "certificate": "expired"}, account=_USER),
    "AUTH 535": _never(
        "refused the login",
        relay=_TLS,
        on=(_at("AUTH", "535 5.7.8 wrong"),),
        account=_USER,
        logs_in=True,
    ),
    "AUTH 454": _never(
        "refused the login",
        waited=_WAITED,
        relay=_TLS,
        on=(_at("AUTH", "454 4.7.0 later"),),
        account=_USER,
        logs_in=True,
    ),
    "MAIL 4xx": _never("452 4.3.1 full", waited=_WAITED, on=(_at("MAIL", "452 4.3.1 full"),)),
    "MAIL 5xx": _never("553 5.7.1 not yours", on=(_at("MAIL", "553 5.7.1 not yours"),)),
    "RCPT 450 greylist": Case(
        on=(_at("RCPT", "450 4.2.0 greylisted", **_BO),), second="pending", due=5, kept=3
    ),
    "RCPT 550 5.1.1": Case(
        on=(_at("RCPT", "550 5.1.1 nobody", **_BO),),
        second="refused",
        suppressed=True,
        kept=3,
        again=3,
    ),
    "RCPT 552 5.2.2": Case(
        on=(_at("RCPT", "552 5.2.2 full", **_BO),), second="refused", kept=3, again=3
    ),
    "RCPT 452": Case(
        on=(_at("RCPT", "452 4.5.3 too many", **_BO),), second="pending", due=5, kept=3
    ),
    "DATA 421": Case(on=(_at("DATA", "421 4.3.2 later", close=True, times=1, **_BO),), waited=1.0),
    "drop in DATA": Case(
        on=(_at("DATA", cut=1, times=1, **_BO),), body=b"x\r\n" * 3_000_000, waited=1.0
    ),
    "dot 451": Case(on=(_at("END", "451 4.3.0 later", **_BO),), second="pending", due=5, kept=3),
    "dot 554 5.7.1": Case(
        on=(_at("END", "554 5.7.1 spam", **_BO),), second="refused", kept=3, again=3
    ),
    "dot 550 5.7.515 for all": _never(
        "the relay refused all of the first 3", on=(_at("END", "550 5.7.515 who are you"),)
    ),
    "drop after dot": Case(
        on=(_at("END", "", close=True, keep=True, times=1, **_BO),), second="unknown", waited=1.0
    ),
    "answer after our timeout": Case(
        on=(_at("END", pace=0.3, times=1, **_BO),),
        account={"patience": _SHORT},
        second="unknown",
        waited=1.0,
    ),
    "250 then drop": Case(on=(_at("END", close=True, times=1, **_BO),), waited=1.0),
    "421 after some messages": Case(
        on=(_at("MAIL", "421 4.7.0 enough", message=2, close=True, times=1),), waited=1.0
    ),
    "one byte a second": Case(
        on=(_at("MAIL", pace=0.3, times=1),), account={"timeout": _SHORT}, waited=1.0
    ),
    "64 KB reply": Case(on=(_at("END", "250 2.0.0 " + "z" * 65_536),)),
    "non-ASCII reply": Case(on=(_at("END", "250 2.0.0 \udcff\udcfe"),)),
    "SIZE too small": Case(
        relay={"offers": ("PIPELINING", "SIZE 1000")},
        body=b"y" * 70 + b"\r\n",
        on=(),
        kept=4,
    ),
    "no 8BITMIME": Case(relay={"offers": ("PIPELINING",)}),
    "no SMTPUTF8": Case(
        relay={"offers": ("PIPELINING", "8BITMIME")},
        wide=True,
        second="unsupported",
        kept=3,
        again=3,
    ),
}


@contextmanager
def _relay(case: Case, tmp_path: Path) -> Iterator[tuple[Relay, Pool]]:
    with Relay(**case.relay) as relay:  # type: ignore[arg-type]
        for turn in case.on:
            relay.on(**turn)  # type: ignore[arg-type]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SSL_CERT_FILE", relay.trust(tmp_path))
            yield relay, _pool(relay.port, case, security=relay.tls or "none")


def _pool(port: int, case: Case, *, security: str = "none") -> Pool:
    how = {"security": security, "timeout": 10.0, **case.account}
    patience = float(str(how.pop("patience", 10.0)))
    account = SmtpAccount(host="127.0.0.1", port=port, **how)  # type: ignore[arg-type]
    return Pool(account, patience=patience)


def _maker(case: Case) -> Callable[[Delivery], Message]:
    def make(row: Delivery) -> Message:
        to = "r\u00f6002@reader.example" if case.wide and row.position == 2 else row.address
        return Message(
            id=f"<{row.position}@letter.example>",
            sender="letter@letter.example",
            recipient=to,
            data=b"Subject: x\r\n\r\n" + case.body,
        )

    return make


def _go(store: Store, send: Send, *, pool: Pool, world: World, case: Case) -> Halted | None:
    """Open the pool and hand over, as a send does."""
    try:
        connect(pool, world.watch())
    except TransportError as error:
        return Halted(reason=error.brief, error=error)
    try:
        return run_once(store, send, world=world, carrier=pool, make=_maker(case))
    finally:
        pool.close()


@pytest.mark.parametrize("name", CASES)
def test_relay_fails(store: Store, tmp_path: Path, name: str) -> None:
    """Its readers have the right state and retry, and once it is well all is made good."""
    case, world = CASES[name], World()
    send = begin(store, 4)
    with _relay(case, tmp_path) as (relay, pool):
        halted = _go(store, send, pool=pool, world=world, case=case)
        rows = store.deliveries.listed(KEY)
        assert [row.state for row in rows] == [
            case.others,
            case.second,
            case.others,
            case.others,
        ]
        assert (case.halted in halted.reason) if halted else not case.halted
        assert sum(world.waits) == case.waited
        assert len(relay.kept) == case.kept
        # What was put off waits five minutes; what was given back may go at once.
        later = timedelta(minutes=case.due, seconds=case.later)
        due = NOW + later if case.due else None
        assert rows[1].due == due
        assert bool(relay.credentials) == case.logs_in
        if case.logs_in or case.kept == 0:
            assert _WORD.encode() not in b"".join(map(bytes, relay.wire))
        assert store.readers.count("suppressed") == case.suppressed

        relay.heal()
        world.now += timedelta(minutes=case.due)
        if case.account.get("security") != "starttls" or relay.tls:
            relay.certificate = "good"
            again = _pool(relay.port, Case(), security=relay.tls or "none")
            _go(store, send, pool=again, world=world, case=case)
            assert store.deliveries.tally(KEY).accepted == case.again
            assert len({kept.recipients for kept in relay.kept}) == case.again


def test_relay_that_is_not_there(store: Store) -> None:
    """Nobody listens: one try, and no row is touched."""
    send, world = begin(store, 4), World()
    halted = _go(store, send, pool=_pool(free_port(), Case()), world=world, case=Case())
    assert halted is not None
    assert "nobody answers there" in halted.reason
    assert (world.waits, store.deliveries.tally(KEY)) == ([], Tally(audience=4, pending=4))


def test_black_hole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing answers: it ends with the time limit, and no row is touched."""

    def swallow(_place: object, _limit: float) -> socket.socket:
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket, "create_connection", swallow)
    send, world = begin(store, 4), World()
    halted = _go(store, send, pool=_pool(25, Case()), world=world, case=Case())
    assert halted is not None
    assert "no answer within" in halted.reason
    assert store.deliveries.tally(KEY) == Tally(audience=4, pending=4)


def test_login_in_clear(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A login that is offered without TLS is not tried with another machine."""
    with Relay(offers=_LOGIN) as relay:
        monkeypatch.setattr(socket.socket, "getpeername", lambda _: ("192.0.2.25", 25))
        send, world = begin(store, 4), World()
        pool = _pool(relay.port, Case(account=_USER))
        halted = _go(store, send, pool=pool, world=world, case=Case())
    assert halted is not None
    assert "a login would go in clear" in halted.reason
    assert not relay.commands("AUTH")
    assert store.deliveries.tally(KEY) == Tally(audience=4, pending=4)


def test_message_larger_than_the_relay_takes(store: Store) -> None:
    """It is refused without a word to the relay, and taken back: nobody could have had it."""
    case = Case(body=b"y" * 70 + b"\r\n")
    with Relay(offers=("PIPELINING", "SIZE 50")) as relay:
        send, world = begin(store, 4), World()
        halted = _go(store, send, pool=_pool(relay.port, case), world=world, case=case)
    assert halted is not None
    assert "are more than the 50 that the relay takes" in halted.reason
    assert not relay.commands("MAIL")
    assert store.deliveries.tally(KEY) == Tally(audience=4, pending=4)
    found = store.deliveries.listed(KEY)[0].outcome
    assert isinstance(found, Outcome)
