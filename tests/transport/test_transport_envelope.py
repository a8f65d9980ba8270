"""What a relay cannot take, by size or by address, is not even begun."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from relay.server import Relay

from digest.model import Message, Outcome
from digest.transport import Smtp

Make = Callable[..., Smtp]
Write = Callable[..., Message]


def _verbs(relay: Relay) -> list[str]:
    return [line.split()[0].upper() for line in relay.lines]


@pytest.mark.parametrize("offer", ["SIZE {size}", "SIZE 0", "SIZE", "SIZE many", "8BITMIME"])
def test_message_that_the_relay_takes(smtp: Make, message: Write, offer: str) -> None:
    """One as large as the limit may go, and so may any where no limit was named."""
    letter = message()
    with Relay(offers=(offer.format(size=len(letter.data)),)) as relay:
        transport = smtp(relay)
        transport.open()
        assert transport.hand_over(letter).state == "accepted"
        transport.close()


def test_message_larger_than_the_relay_takes(smtp: Make, message: Write) -> None:
    """It is refused by ourselves, the relay hears nothing of it, and no reader is to blame."""
    letter = message()
    size = len(letter.data)
    with Relay(offers=(f"SIZE {size - 1}",)) as relay:
        transport = smtp(relay)
        transport.open()
        outcome = transport.hand_over(letter)
        transport.close()
    assert outcome.state == "refused"
    assert outcome.reply == (
        f"552 5.3.4 {size} octets are more than the {size - 1} that the relay takes"
    )
    assert not outcome.dead
    assert not relay.commands("MAIL")


def test_address_beyond_ascii_where_it_is_offered(smtp: Make, message: Write) -> None:
    """SMTPUTF8 goes with that message alone; 8BITMIME where its octets need it."""
    wide = message("j\u00f6rg@reader.example")
    raw = Message(
        id=wide.id,
        sender=wide.sender,
        recipient=wide.recipient,
        data="To: j\u00f6rg@reader.example\r\n\r\nHello.\r\n".encode(),
    )
    with Relay() as relay:
        transport = smtp(relay)
        transport.open()
        for letter in (wide, raw, message()):
            assert transport.hand_over(letter).state == "accepted"
        transport.close()
    assert [kept.options for kept in relay.kept] == ["SMTPUTF8", "SMTPUTF8 BODY=8BITMIME", ""]
    assert relay.kept[0].recipients == ("j\u00f6rg@reader.example",)
    assert relay.kept[1].data == raw.data


@pytest.mark.parametrize("offers", [("8BITMIME",), ()])
def test_address_beyond_ascii_where_it_is_not_offered(
    smtp: Make, message: Write, offers: tuple[str, ...]
) -> None:
    """That reader gets nothing, the relay hears nothing, and the next one is served."""
    with Relay(offers=offers) as relay:
        transport = smtp(relay)
        transport.open()
        outcome = transport.hand_over(message("j\u00f6rg@reader.example"))
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    assert outcome.state == "unsupported"
    assert "SMTPUTF8 was not offered" in outcome.text
    assert _verbs(relay) == ["EHLO", "MAIL", "RCPT", "DATA", "QUIT"]


def test_address_beyond_ascii_refused_with_its_sender(smtp: Make, message: Write) -> None:
    """A relay that offers SMTPUTF8 and refuses MAIL with it stops that reader alone."""
    with Relay() as relay:
        relay.on("MAIL", "553 5.6.7 not for us", times=1)
        transport = smtp(relay)
        transport.open()
        outcome = transport.hand_over(message("j\u00f6rg@reader.example"))
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    assert outcome == Outcome(state="unsupported", code=553, enhanced="5.6.7", text="not for us")


@pytest.mark.parametrize(
    "address",
    ["a b@reader.example", "a@b.example>\r\nDATA", "<a@b.example>", "a@b.example\n", "none", ""],
)
def test_address_that_no_command_can_hold(smtp: Make, message: Write, address: str) -> None:
    """Nothing of it reaches the wire."""
    with Relay() as relay:
        transport = smtp(relay)
        transport.open()
        outcome = transport.hand_over(message(address))
        transport.close()
    assert outcome == Outcome(state="unsupported", text="no command can hold this address")
    assert _verbs(relay) == ["EHLO", "QUIT"]
