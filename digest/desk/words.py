"""Every word that the desk says, and how it writes spans and long lines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Final

from digest.publish.wording import count_text

__all__ = ["WORDS", "say", "shortened", "state_word", "wait"]

# What stands in braces is filled in; names of things are for `count_text`.
WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "all_issues": "All issues",
        "as_of": "As of {at}. Reload to look again.",
        "as_of_plan": "As of {at}.",
        "asks_token": (
            "403: this page needs its token.\n\n"
            "Open the address that `digest preview` printed when it started. It holds the token,\n"
            "which your browser then keeps until it is closed.\n"
        ),
        "by": "Sent by",
        "by_hand": "No issue, skipped by hand: {reason}",
        "by_outbox": "the outbox, as files",
        "calendar": "Calendar of the coming issues; it scrolls sideways",
        "calendar_note": "Filled: the theme that leads, with its number of items. Light: items of "
        "other themes. Hatched: too few items, or no issue at all.",
        "checks": "Checks",
        "checks_clean": "nothing found",
        "checks_failed": "not made",
        "colour": "Colours",
        "colour_dark": "Dark",
        "colour_forced": "Dark, forced",
        "colour_light": "Light",
        "coming": "The next {weeks}",
        "content_problems": "Left aside: {files}",
        "copy_note": "Shown as a copy: colours set, links open in a new tab. Otherwise every byte "
        "is that of",
        "desk": "Editor's desk",
        "dry": "Runs dry",
        "edition": "Edition",
        "edition_moved": "What was saved since is not in this edition: {names}.",
        "empty_home": "No issue yet.",
        "error": "error",
        "file": "file",
        "files": "Files",
        "forced_note": "An estimate of what some mail programs do to light colours at night; each "
        "does it in its own way.",
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
        "gmail_cut": "Gmail cuts this mail after {shown}: its last {over}, with the way to "
        "leave, are hidden.",
        "headers_note": "The general copy. Each reader's own has another To, Date and Message-ID.",
        "headers_raw": "As they stand",
        "held": "Held: {reason}",
        "how_to": "What to do",
        "inbox": "In the inbox",
        "inbox_dark": "Dark inbox",
        "inbox_light": "Light inbox",
        "issue": "Issue",
        "issues": "Coming issues",
        "item": "item",
        "items": "Items",
        "left_out": "Left out ({n} nearest)",
        "length": "{n} of {most}",
        "link": "link",
        "minutes": "{n} min to read",
        "mixed": "Mixed",
        "next": "Next",
        "next_issue": "Next issue",
        "no_issue": "No issue, {reason}",
        "no_edition": "This issue has no edition yet, so there is nothing to look at.",
        "no_page": "There is no such page.",
        "no_readers": "no readers yet",
        "none": "none",
        "not_built": "To make it, run",
        "not_checked": "Not checked",
        "not_checked_why": "left out by `ignore` under [checks] in {file}",
        "note": "note",
        "number": "Issue {n}",
        "oldest": "Oldest",
        "passed": "{n} passed",
        "picture": "remote picture",
        "pictures_hide": "Hide them again",
        "pictures_load": "Load remote pictures",
        "pictures_loaded": "Remote pictures are loaded: their servers see this visit.",
        "pictures_not": "Not loaded: {pictures}.",
        "preheader": "Preheader",
        "preview": "Preview",
        "problem": "This cannot be shown",
        "queue": "Queue",
        "reader": "reader",
        "readers": "To",
        "shortages": "What runs short",
        "silence": "To leave this rule out",
        "skip": "Skip to the content",
        "starving": "starves",
        "state_approved": "Approved",
        "state_draft": "Draft",
        "state_held": "Held",
        "state_planned": "Planned",
        "state_picked": "Picked",
        "state_published": "Published",
        "state_paused": "Paused",
        "state_sending": "Sending",
        "state_sent": "Sent",
        "state_skipped": "Skipped",
        "state_withdrawn": "Withdrawn",
        "stock": "Stock, in issues",
        "subject": "Subject",
        "theme": "Theme",
        "to_preview": "Go to the preview",
        "to_home": "Back to all issues",
        "wait_ago": "{span} ago",
        "wait_in": "in {span}",
        "wait_now": "now",
        "waiting": "Waiting",
        "warning": "warning",
        "when_done": "Since",
        "when_due": "Due",
        "why_picked": "Why it is in",
        "week": "week",
        "word": "word",
        "wrong_host": (
            "400: this desk answers only under its own address.\n\n"
            "Open the address that `digest preview` printed when it started.\n"
        ),
        "wrong_method": "405: this desk only shows; it answers GET and HEAD.\n",
    }
)


def say(name: str, **values: object) -> str:
    """Give a sentence of the catalogue with its places filled in."""
    return WORDS[name].format(**values)


def state_word(state: str) -> str:
    """Give the word that people read for a state of an issue."""
    return WORDS.get(f"state_{state}", state.capitalize())


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
        return count_text(days, "day") + (f" {hours} h" if hours else "")
    told = ((hours, f"{hours} h"), (minutes, f"{minutes} min"))
    return " ".join(text for count, text in told if count)
