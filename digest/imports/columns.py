"""The columns of a list of readers: which holds what, and which may say who must not get mail."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from digest.model import ReaderState, clean_line

__all__ = ["STATUS_WORDS", "Header", "Record", "UnreadableError", "read_header_row"]

STATUS_WORDS: Final[Mapping[ReaderState, tuple[str, ...]]] = {
    "active": ("active", "subscribed", "confirmed", "enabled"),
    "pending": ("pending", "unconfirmed", "not confirmed", "unactivated"),
    "left": ("left", "unsubscribed", "opted out", "removed", "inactive", "disabled"),
    "suppressed": (
        *("suppressed", "bounced", "cleaned", "complained", "spam", "invalid"),
        *("undeliverable", "unreachable", "blocked", "blocklisted", "blacklisted"),
    ),
}
# Columns by their names in letters and digits alone; where there are several for an address or a
# name, the first one named here is taken.
_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "email": ("email", "emailaddress", "mail", "mailaddress", "address"),
    "name": ("name",),
    "status": ("status", "state", "subscriptionstatus", "subscriberstatus", "emailstatus"),
}
# By such columns other services tell who left. Without a status they must not be passed over.
_TELLING: Final = re.compile(
    r"unsub|optout|optedout|clean(ed|time)|bounc|delet|suppress|block(ed|list)|reason"
    r"|subscribedto|subscri(ber|ption)type|receiving|stat(e|u)|complain|donot|remov"
)
# Columns of yes and no: whoever has a no there must not become active.
_YES_NO: Final = re.compile(
    r"(is|has|accepts?)?(subscribed|active|inactive|optin|optedin|consent|consented|confirmed"
    r"|enabled|disabled|verified|valid|allowed|permission|permitted|mailable|marketing|newsletter|agreed|accepted)"
)
_FLAGS: Final = frozenset(
    word
    for words in (
        *STATUS_WORDS.values(),
        ("yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "on", "off", "x"),
        ("ja", "nein", "j", "oui", "non", "o", "si", "sí", "sim", "não", "nej", "nee", "tak"),
    )
    for word in words
)


class UnreadableError(Exception):
    """Nothing can be taken from the file."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One row of fields: the line it begins on, and its number, header and empty ones included."""

    line: int
    number: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the first row says: how rows are cut, and in which field each thing stands.

    `records` is how many rows it takes up: none, or one.
    """

    delimiter: str = ","
    columns: tuple[str, ...] = ()
    places: Mapping[str, int] = field(default_factory=lambda: {"email": 0})
    line: int = 1
    records: int = 0

    @property
    def others(self) -> tuple[str, ...]:
        """Name the columns that nothing is read from."""
        taken = set(self.places.values())
        return tuple(one for place, one in enumerate(self.columns) if place not in taken and one)

    def refuse(self) -> None:
        """Raise UnreadableError where it is not clear who is to get mail."""
        if "email" not in self.places:
            raise UnreadableError(self.line, "no column is called `email`")
        states = [one for one in self.columns if _bare(one) in _COLUMNS["status"]]
        if len(states) > 1:
            raise UnreadableError(
                self.line,
                f"several columns may hold the status: {', '.join(states)}; rename all but one",
            )
        self._refuse_telling([one for one in self.others if _tells(_bare(one))])

    def refuse_flags(self, records: Sequence[Record]) -> None:
        """Raise UnreadableError for a column whose values say yes, no, or a status.

        Whatever it is called, and in whichever language, a no there may be against mailing.
        """
        taken = set(self.places.values())
        telling = [
            name
            for place, name in enumerate(self.columns)
            if place not in taken and _are_flags(_values(records, place))
        ]
        self._refuse_telling(telling)

    def _refuse_telling(self, telling: Sequence[str]) -> None:
        if telling and "status" not in self.places:
            raise UnreadableError(
                self.line,
                f"who left or never agreed may be told in {', '.join(telling)}, and there is no "
                "column `status`; add one, or take those columns out",
            )


def read_header_row(record: Record, delimiter: str) -> Header:
    """Find which column holds what; where several could, the name that stands first above wins."""
    columns = tuple(clean_line(one) for one in record.fields)
    bare = [_bare(one) for one in columns]
    places = {
        role: bare.index(found[0])
        for role, names in _COLUMNS.items()
        if (found := [name for name in names if name in bare])
    }
    return Header(delimiter=delimiter, columns=columns, places=places, line=record.line, records=1)


def _tells(column: str) -> bool:
    """Tell whether a column may say who must not get mail."""
    return bool(_TELLING.search(column) or _YES_NO.fullmatch(column))


def _values(records: Sequence[Record], place: int) -> set[str]:
    found = {one.fields[place].strip().casefold() for one in records if place < len(one.fields)}
    return found - {""}


def _are_flags(values: set[str]) -> bool:
    return bool(values) and values <= _FLAGS


def _bare(column: str) -> str:
    return re.sub(r"[\W_]+", "", column).casefold()
