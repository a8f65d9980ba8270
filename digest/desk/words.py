"""Every word that the desk says, and how it writes days, spans and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

__all__ = ["WORDS", "counted", "moment", "say", "shortened", "wait"]

# Names that end in `_one` and `_many` belong together; what stands in braces is filled in.
WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "all_issues": "All issues",
        "as_of": "As of {at}. Reload to look again.",
        "asks_token": (
            "403: this page needs its token.\n\n"
            "Open the address that `digest preview` printed when it started. It holds the token,\n"
            "which your browser then keeps until it is closed.\n"
        ),
        "by": "Sent by",
        "by_outbox": "the outbox, as files",
        "checks": "Checks",
        "checks_clean": "nothing found",
        "checks_failed": "not made",
        "colour": "Colours",
        "colour_dark": "Dark",
        "colour_light": "Light",
        "content_problems_many": "{n} files were left aside",
        "content_problems_one": "1 file was left aside",
        "copy_note": "Shown as a copy: colours set, links open in a new tab. Otherwise every byte "
        "is that of",
        "desk": "Editor's desk",
        "edition": "Edition",
        "edition_moved": "What was saved since is not in this edition: {names}.",
        "empty_home": "No issue yet.",
        "error_many": "{n} errors",
        "error_one": "1 error",
        "files": "Files",
        "form_desktop": "Desktop",
        "form_feed": "Feed entry",
        "form_headers": "Headers",
        "form_page": "Web page",
        "form_phone": "Phone",
        "form_source": "Source",
        "form_text": "Plain text",
        "forms": "Views",
        "frame_desktop": "The mail, on a desktop",
        "frame_feed": "The entry, in a feed reader",
        "frame_page": "The issue's web page",
        "frame_phone": "The mail, on a phone",
        "from": "From",
        "gmail": "{percent} % of what Gmail shows",
        "gmail_cut": "Gmail cuts this mail after 102 kB: its last {over} kB, with the way to "
        "leave, are hidden.",
        "headers_note": "The general copy. Each reader's own has another To, Date and Message-ID.",
        "headers_raw": "As they stand",
        "held": "Held: {reason}",
        "how_to": "What to do",
        "inbox": "In the inbox",
        "inbox_dark": "Dark inbox",
        "inbox_light": "Light inbox",
        "issue": "Issue",
        "item_many": "{n} items",
        "item_one": "1 item",
        "items": "Items",
        "left_out_many": "Left out ({n} nearest)",
        "left_out_one": "Left out (1 nearest)",
        "length": "{n} of {most}",
        "link_many": "{n} links",
        "link_one": "1 link",
        "minutes": "{n} min to read",
        "mixed": "Mixed",
        "next": "Next",
        "no_edition": "This issue has no edition yet, so there is nothing to look at.",
        "no_page": "There is no such page.",
        "no_readers": "no readers yet",
        "none": "none",
        "not_built": "To make it, run",
        "not_checked": "Not checked",
        "not_checked_why": "left out by `ignore` under [checks] in {file}",
        "note_many": "{n} notes",
        "note_one": "1 note",
        "number": "Issue {n}",
        "passed_many": "{n} passed",
        "passed_one": "1 passed",
        "pictures_many": "{n} remote pictures are not loaded.",
        "pictures_hide": "Hide them again",
        "pictures_load": "Load remote pictures",
        "pictures_loaded": "Remote pictures are loaded: their servers see this visit.",
        "pictures_one": "1 remote picture is not loaded.",
        "preheader": "Preheader",
        "preview": "Preview",
        "problem": "This cannot be shown",
        "reader_many": "{n} readers",
        "reader_one": "1 reader",
        "readers": "To",
        "silence": "To leave this rule out",
        "skip": "Skip to the content",
        "state_approved": "Approved",
        "state_draft": "Draft",
        "state_held": "Held",
        "state_planned": "Planned",
        "state_published": "Published",
        "state_sending": "Sending",
        "state_sent": "Sent",
        "state_skipped": "Skipped",
        "state_withdrawn": "Withdrawn",
        "subject": "Subject",
        "theme": "Theme",
        "to_preview": "Go to the preview",
        "to_home": "Back to all issues",
        "wait_ago": "{span} ago",
        "wait_in": "in {span}",
        "wait_now": "now",
        "warning_many": "{n} warnings",
        "warning_one": "1 warning",
        "when_done": "Since",
        "when_due": "Due",
        "why_picked": "Why it is in",
        "word_many": "{n} words",
        "word_one": "1 word",
        "wrong_host": (
            "400: this desk answers only under its own address.\n\n"
            "Open the address that `digest preview` printed when it started.\n"
        ),
        "wrong_method": "405: this desk only shows; it answers GET and HEAD.\n",
    }
)
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def say(name: str, **values: object) -> str:
    """Give a sentence of the catalogue with its places filled in."""
    return WORDS[name].format(**values)


def counted(name: str, count: int) -> str:
    """Say how many there are: `1 item`, `1,284 items`."""
    return say(f"{name}_{'one' if count == 1 else 'many'}", n=f"{count:,}")


def moment(at: datetime, zone: ZoneInfo) -> str:
    """Write a moment with the name of its zone: `Mon 30 Nov 2026, 09:00 Europe/Berlin`."""
    there = at.astimezone(zone)
    day = f"{_DAYS[there.weekday()]} {there.day} {_MONTHS[there.month - 1]} {there.year}"
    return f"{day}, {there:%H:%M} {zone.key}"


def wait(at: datetime, now: datetime) -> str:
    """Tell how far off a moment is, in hours that really pass: `in 2 days 4 h`, `5 min ago`."""
    # Over UTC: two moments of one zone are subtracted by the wall clock, wrong by an hour where
    # the clocks change between them.
    gap = at.astimezone(UTC) - now.astimezone(UTC)
    span = _span(abs(gap))
    if not span:
        return WORDS["wait_now"]
    return say("wait_in" if gap > timedelta() else "wait_ago", span=span)


def shortened(text: str, most: int) -> str:
    """Cut a line where an inbox does, be it inside a word; a short one stays whole."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"


def _span(gap: timedelta) -> str:
    minutes = gap // timedelta(minutes=1)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} day{'s' * (days != 1)}" + (f" {hours} h" if hours else "")
    told = ((hours, f"{hours} h"), (minutes, f"{minutes} min"))
    return " ".join(text for count, text in told if count)
