"""The newsletter itself: its name, its address, its sender, and where its site stands."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from digest.model.issue import WeeklyTime
from digest.model.limits import BUDGET

__all__ = ["Mailbox", "Newsletter"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mailbox:
    """A display name and an address (RFC 5322 §3.4)."""

    address: str
    name: str = ""

    @property
    def domain(self) -> str:
        """Give the part right of the at sign."""
        return self.address.rpartition("@")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Newsletter:
    """What stays the same from issue to issue.

    `tag` is the authority and date of the `tag:` URIs (RFC 4151) of the feeds, `a.example,2026`.
    `site_url` ends with a slash. `subject` and `preheader` are one-line templates. An empty
    `postal_address` leaves it out. `images` says how the mail shows pictures: `link` (loaded from
    the site), `cid` (sent along) or `none` (words that lead to them). `budget` is how many octets
    the HTML of a mail may have before items are shortened; 0 for no bound. `dollar_maths` takes
    `$…$` for a formula. `source_url` is where a source file can be read, with `{commit}` and
    `{path}` in it; empty for nowhere.
    """

    name: str
    slug: str
    language: str
    zone: ZoneInfo
    tag: str
    site_url: str
    sender: Mailbox
    leave: str
    list_id: str
    send: WeeklyTime
    description: str = ""
    reply_to: str = ""
    postal_address: str = ""
    subject: str = "{{ lead }}"
    preheader: str = "{{ more }}"
    first_number: int = 1
    feed_entries: int = 30
    images: str = "link"
    budget: int = BUDGET
    dollar_maths: bool = False
    source_url: str = ""
