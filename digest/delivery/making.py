"""Messages made when they are needed, or drafted ahead of it where signing takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from digest.model import Delivery, Message

__all__ = ["Ahead", "AtOnce", "Draft", "Making", "Signatures"]

_AHEAD: Final = 150  # messages that are being signed before their turn
_FIRST: Final = 32  # of these so many are drafted when rows come, and then
_MORE: Final = 3  # so many with each message that is taken


class Making(Protocol):
    """Makes the messages of rows; `lead` is how many it would have before their turn."""

    lead: int

    def begin(self, rows: Iterable[Delivery]) -> None:
        """Take note of rows whose messages are needed soon."""

    def message(self, row: Delivery) -> Message:
        """Give a row's message; raise what making it raised."""

    def forget(self, row: Delivery) -> None:
        """Drop what was made for a row that needs none any more."""

    def forget_all(self) -> None:
        """Drop all that was made ahead."""


class AtOnce:
    """Makes each message when its turn comes."""

    lead = 0

    def __init__(self, make: Callable[[Delivery], Message]) -> None:
        self._make = make

    def begin(self, rows: Iterable[Delivery]) -> None:
        """Do nothing yet."""

    def message(self, row: Delivery) -> Message:
        """Make a row's message; raise what that raises."""
        return self._make(row)

    def forget(self, row: Delivery) -> None:
        """Do nothing: nothing was made."""

    def forget_all(self) -> None:
        """Do nothing, as above."""


class Draft(Protocol):
    """A message that lacks its signature alone: that of `digest`."""

    @property
    def digest(self) -> bytes:
        """Give what is to be signed."""

    def signed(self, signature: bytes) -> Message:
        """Make the message."""


class Signatures(Protocol):
    """Signs digests beside the loop of the sender."""

    def begin(self, place: int, digest: bytes) -> None:
        """Have a digest signed, and known by its place."""

    def take(self, place: int) -> bytes:
        """Give a signature that was begun, waiting for it where it is not made yet."""

    def forget(self, place: int) -> None:
        """Drop a signature that was begun."""


class Ahead:
    """Drafts messages ahead and has them signed meanwhile.

    What is made ahead is bounded, however long the list.
    """

    lead = 100

    def __init__(self, draft: Callable[[Delivery], Draft], signatures: Signatures) -> None:
        self._draft, self._signatures = draft, signatures
        self._coming: dict[int, Delivery] = {}
        self._drafts: dict[int, Draft | Exception] = {}

    def begin(self, rows: Iterable[Delivery]) -> None:
        """Take note of rows whose messages are needed soon."""
        self._coming.update((row.position, row) for row in rows)
        self._top_up(_FIRST)

    def message(self, row: Delivery) -> Message:
        """Give a row's message; raise what drafting it raised."""
        self._coming.pop(row.position, None)
        if row.position not in self._drafts:
            self._begin(row)
        draft = self._drafts.pop(row.position)
        self._top_up(_MORE)
        if isinstance(draft, Exception):
            raise draft
        return draft.signed(self._signatures.take(row.position))

    def forget(self, row: Delivery) -> None:
        """Drop what was made for a row that needs none any more."""
        self._coming.pop(row.position, None)
        self._drop(row.position)

    def forget_all(self) -> None:
        """Drop all that was made ahead."""
        self._coming.clear()
        for position in list(self._drafts):
            self._drop(position)

    def _top_up(self, most: int) -> None:
        """Draft some more, and not so many at once that the connections would wait."""
        for _ in range(min(most, _AHEAD - len(self._drafts), len(self._coming))):
            position = next(iter(self._coming))
            self._begin(self._coming.pop(position))

    def _begin(self, row: Delivery) -> None:
        try:
            draft = self._draft(row)
        except Exception as error:  # noqa: BLE001 - raised when its turn comes
            self._drafts[row.position] = error
            return
        self._drafts[row.position] = draft
        self._signatures.begin(row.position, draft.digest)

    def _drop(self, position: int) -> None:
        draft = self._drafts.pop(position, None)
        if draft is not None and not isinstance(draft, Exception):
            self._signatures.forget(position)
