"""The outbox takes every message, and keeps its bytes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from digest.errors import FilesError, TransportError
from digest.model import Message, Outcome
from digest.transport import Outbox, Transport


def test_message_becomes_a_file_named_after_its_id(message: Callable[..., Message]) -> None:
    """The bytes are the message's own, dots and line ends with them; a retry overwrites."""
    files: dict[str, bytes] = {}
    outbox: Transport = Outbox(files.__setitem__)
    letter = message(body=b"\r\n.dot\r\n..\r\n")
    outbox.open()
    outcomes = [outbox.hand_over(letter), outbox.hand_over(letter)]
    outbox.close()

    assert outbox.name == "outbox"
    assert files == {"2027-w03.abc.eml": letter.data}
    assert outcomes == [Outcome(state="accepted", text="2027-w03.abc.eml")] * 2


def test_file_that_cannot_be_written_stops(message: Callable[..., Message]) -> None:
    """The complaint about the file is told as one of the transport, with all it says."""

    def refuse(name: str, data: bytes) -> None:
        raise FilesError(f"no room for {len(data)}", where=name, fix="make room")

    letter = message()
    with pytest.raises(TransportError) as caught:
        Outbox(refuse, name="notices").hand_over(letter)

    assert str(caught.value) == (f"2027-w03.abc.eml: no room for {len(letter.data)}\n  make room")


@pytest.mark.parametrize("left", ["../up", "", ".hidden", "a/b", "nul", "x" * 120])
def test_id_that_names_no_file_is_refused(left: str) -> None:
    """A Message-ID never leads out of the folder."""
    letter = Message(id=f"<{left}@harbour.example>", sender="", recipient="", data=b"")
    files: dict[str, bytes] = {}
    with pytest.raises(ValueError, match="names no file"):
        Outbox(files.__setitem__).hand_over(letter)
    assert files == {}
