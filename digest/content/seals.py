"""What the program writes into an issue file of people: seal, `hold`, `skip`, no other byte."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from zoneinfo import ZoneInfo

from digest.content.edits import IssueText
from digest.content.issues import SEAL_MOMENTS, read_reason, read_seal, seal_pairs
from digest.model import Seal, clean_line

__all__ = ["hold_text", "seal_text", "skip_text"]


def seal_text(text: str, seal: Seal) -> str:
    """Insert or replace the `published:` lines of an issue file; all else stays as it is.

    Line ends are those of the first line. Raises ContentError where the file has no header, or
    one in which the lines cannot stand.
    """
    cut = _to_the_second(seal)
    opened = IssueText(text)
    lines = opened.dumped(seal_pairs(seal))
    written = opened.put(
        "published", (lines,), says=lambda fields: read_seal(fields, ZoneInfo("UTC")) == cut
    )
    return written.text


def hold_text(text: str, reason: str) -> str:
    """Insert, replace or, without a reason, take out the `hold:` lines of an issue file.

    All else stays as it is. Raises ContentError as `seal_text` does.
    """
    return _with_reason(text, "hold", clean_line(reason))


def skip_text(text: str, reason: str) -> str:
    """Insert, replace or, without a reason, take out the `skip:` lines of an issue file.

    All else stays as it is. Raises ContentError as `seal_text` does.
    """
    return _with_reason(text, "skip", clean_line(reason))


def _with_reason(text: str, key: str, reason: str) -> str:
    opened = IssueText(text)
    lines = opened.dumped([(key, reason or None)])
    return opened.put(key, (lines,), says=lambda fields: read_reason(fields, key) == reason).text


def _to_the_second(seal: Seal) -> Seal:
    """Cut the moments as the file does."""
    # In UTC: in an hour that comes twice no local time equals one of another zone (PEP 495).
    moments = {name: getattr(seal, name) for name in SEAL_MOMENTS}
    return replace(
        seal,
        **{
            name: moment.astimezone(UTC).replace(microsecond=0)
            for name, moment in moments.items()
            if moment is not None
        },
    )
