"""Compare a part of a received mail with that of its edition, merge fields set aside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from digest.model import FieldPlace

__all__ = ["first_difference"]

_LONGEST: Final = 2000  # octets of a reader's value
_SHOWN: Final = 60  # octets of what should stand there
_ENTITY: Final = rb"&(?:amp|lt|gt|quot|#x27);"
# One line: neither a control nor another separator of lines, in UTF-8.
_BREAK: Final = rb"(?!\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9])"
# The forms of a value, in HTML and in text; none is shorter than the first group.
_LINE: Final = {
    True: rb"()(?:%b[^\x00-\x1f\x7f<>\"'&]|%b){0,%d}+" % (_BREAK, _ENTITY, _LONGEST),
    False: rb"()(?:%b[^\x00-\x1f\x7f]){0,%d}+" % (_BREAK, _LONGEST),
}
_URL: Final = {
    True: rb"((?:https?|mailto):)(?:[!#-%%(-;=?-~]|%b){1,%d}+" % (_ENTITY, _LONGEST),
    False: rb"((?:https?|mailto):)[!-;=?-~]{1,%d}+" % _LONGEST,
}


def first_difference(
    found: bytes, general: bytes, places: Sequence[FieldPlace], *, as_html: bool
) -> str:
    """Say where a part first differs from that of the edition, empty where it does not.

    Both are UTF-8 with LF line ends; line ends at the very end do not count. In a place only what
    can be a value of its field is set aside: one line, without tags in HTML, an address for
    `leave_url`.
    """
    found, general = found.rstrip(b"\n"), general.rstrip(b"\n")
    starts = [0, *(place.end for place in places)]
    stops = [*(place.start for place in places), len(general)]
    pieces = [general[start:stop] for start, stop in zip(starts, stops, strict=True)]
    if not found.startswith(pieces[0]):
        return _told(general, _common(found, pieces[0]))
    ends = [len(pieces[0])]
    for place, start, piece in zip(places, starts[1:], pieces[1:], strict=True):
        runs = list(_runs(found, ends, place, as_html=as_html))
        after = sorted({end for run in runs for end in _hits(found, run, piece)})
        if not after:
            shared = max((_nearest(found, run, piece) for run in runs), default=0)
            return _told(general, start + shared) if shared else _misfit(general, place)
        ends = after
    return "" if ends[-1] == len(found) else "more stands after its end"


def _runs(
    found: bytes, ends: Sequence[int], place: FieldPlace, *, as_html: bool
) -> Iterator[tuple[int, int]]:
    """Give the stretches in which a value may end, from where the piece before ends.

    A value that begins inside a stretch ends inside it, as one does that begins with it: only the
    first is looked at, so that the work stays within bounds.
    """
    form = re.compile((_URL if place.name == "leave_url" else _LINE)[as_html])
    covered = -1
    for end in ends:
        if end > covered and (match := form.match(found, end)):
            covered = match.end()
            yield match.end(1), covered


def _hits(found: bytes, run: tuple[int, int], piece: bytes) -> Iterator[int]:
    """Give each end of a piece that follows a value in a stretch."""
    start, stop = run
    place = found.find(piece, start, stop + len(piece))
    while place >= 0:
        yield place + len(piece)
        place = found.find(piece, place + 1, stop + len(piece))


def _nearest(found: bytes, run: tuple[int, int], piece: bytes) -> int:
    """Give how many octets of a piece follow a value in a stretch, where not all of them do."""
    size = len(piece) // 2
    while size and (place := found.find(piece[:size], run[0], run[1] + size)) < 0:
        size //= 2
    return size and _common(found[place : place + len(piece)], piece)


def _common(one: bytes, other: bytes) -> int:
    """Give the length of the longest common beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _told(general: bytes, at: int) -> str:
    """Name the line of the edition, and what should stand there: nothing of the mail is shown."""
    line = general.count(b"\n", 0, at) + 1
    shown = general[at : at + _SHOWN].partition(b"\n")[0].decode("utf-8", "ignore").strip()
    return f"line {line} should go on with {shown!r}" if shown else f"line {line} should end there"


def _misfit(general: bytes, place: FieldPlace) -> str:
    line = general.count(b"\n", 0, place.start) + 1
    return f"line {line} holds something else in the place of [[{place.name}]] or after it"
