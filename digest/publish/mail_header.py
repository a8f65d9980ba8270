"""Compare the header of a received mail with that of the general copy of its edition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from digest.mime import mailbox_text
from digest.mime.header import is_trace, shown
from digest.mime.received import Received

__all__ = ["header_differences"]

# What differs from one reader's mail to the next, and what is compared elsewhere.
_OWN: Final = frozenset({"to", "date", "message-id"})
_APART: Final = frozenset({"subject", "x-digest-edition", "x-digest-test", "mime-version"})
_NAMED: Final = 5  # fields more that are named


def header_differences(mail: Received, copy: Received, *, leave: tuple[str, ...]) -> Iterator[str]:
    """Name each field in which a mail is not the general copy, but those of one reader alone.

    From is compared as a mailbox and List-Unsubscribe with `leave`, the others as they stand.
    Fields that servers on the way put in do not count.
    """
    unsubscribe = ", ".join(f"<{address}>" for address in leave)
    wanted = {
        name: unsubscribe if name == "list-unsubscribe" else copy.first(name)
        for name in copy.fields
        if _counts(name)
    }
    lacking = [name for name in (*wanted, "to") if name not in mail.fields]
    if lacking:
        yield f"it lacks {', '.join(map(shown, lacking))}"
    for name, value in wanted.items():
        if name == "from" and name in mail.fields:
            if copy.sender is not None and mail.sender != copy.sender:
                yield f"From should be {' '.join(mailbox_text(copy.sender).split())}"
        elif name in mail.fields and mail.first(name) != value:
            yield f"{shown(name)} should be {value!r}"
    more = [shown(name) for name in mail.fields if _counts(name) and name not in wanted]
    if more:
        rest = f" and {len(more) - _NAMED} others" if len(more) > _NAMED else ""
        yield f"there is more, {', '.join(more[:_NAMED])}{rest}"


def _counts(name: str) -> bool:
    # Fields of MIME are looked at where the parts are read.
    return not (name in _OWN | _APART or name.startswith("content-") or is_trace(name))
