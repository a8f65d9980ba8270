"""One Markdown file in, one summary out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Final
from zoneinfo import ZoneInfo

from digest.content.fields import Fields, node_text, read_fields, theme_id
from digest.content.header import split_file
from digest.content.headings import take_heading, title_from_path
from digest.content.links import read_image, read_link, read_links
from digest.content.moments import day_in_path, read_moment
from digest.content.options import SUMMARY_KEYS, ContentOptions, key_name, nearest
from digest.model import Note, Summary, clean_line, clean_text, slugify
from digest.model.summary import Direction

__all__ = ["parse_summary"]

_TEXTS: Final = frozenset({"title", "summary", "source", "image_alt"})
# What other tools call a text that is not to be seen yet.
_UNSEEN: Final = frozenset({"draft", "hidden", "pending", "private", "trash"})
_WITHDRAWN: Final = frozenset({"retracted", "withdrawn"})
_DIRECTIONS: Final[Mapping[str, Direction]] = {"ltr": "ltr", "rtl": "rtl"}
_NEVER = "9999"  # the year that other tools write for "no end"
# RFC 5646 §2.1, without the tags that stand there for history.
_LANGUAGE = re.compile(
    r"(?:x(?:-[a-z0-9]{1,8})+|(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?)\Z",
    re.IGNORECASE | re.ASCII,
)


def parse_summary(
    data: bytes, *, path: str, where: str, zone: ZoneInfo, options: ContentOptions
) -> tuple[Summary, tuple[Note, ...]]:
    """Read a summary from the bytes of its file, and what is worth a note.

    `path` is POSIX, relative to the content folder; `where` is the path that complaints show.
    Moments are read in the zone and stand in it. Raises ContentError with all problems of the
    header.
    """
    parts = split_file(data, where=where)
    aliases, texts = _names(tuple(sorted(options.aliases.items())))
    fields = read_fields(parts, where=where, aliases=aliases, texts=texts)
    name = unicodedata.normalize("NFC", path)
    summary = _summary(fields, parts.body, name, zone=zone, fingerprint=sha256(data).hexdigest())
    fields.refuse()
    return summary, tuple(fields.notes)


def _summary(fields: Fields, body: str, path: str, *, zone: ZoneInfo, fingerprint: str) -> Summary:
    """Build the summary; problems gather in the fields."""
    title, body, derived = _title(fields, body, path)
    date, day_only = _date(fields, path, zone)
    slug = fields.line_text("slug")
    own_id = fields.line_text("id") or clean_line(path.rpartition(".")[0]) or clean_line(path)
    return Summary(
        id=own_id,
        path=path,
        title=title,
        title_derived=derived,
        body=f"{body}\n" if (body := body.strip("\n")) else "",
        fingerprint=fingerprint,
        summary=clean_text(fields.text("summary")).strip(),
        date=date,
        day_only=day_only,
        updated=fields.moment("updated", zone)[0],
        url=read_link(fields, "url"),
        themes=_unique(*map(theme_id, fields.texts("theme") + fields.texts("themes"))),
        tags=_unique(*fields.texts("tags"), *fields.texts("categories")),
        authors=_unique(*fields.texts("authors"), *fields.texts("author")),
        source=fields.line_text("source"),
        links=read_links(fields),
        image=read_image(fields),
        lang=_language(fields),
        dir=_direction(fields),
        weight=fields.number("weight"),
        pin=fields.boolean("pin"),
        draft=_draft(fields),
        not_before=fields.moment("not_before", zone)[0],
        not_after=_not_after(fields, zone),
        withdrawn=fields.boolean("withdrawn") or _status(fields) in _WITHDRAWN,
        cooldown=fields.weeks("cooldown"),
        supersedes=_supersedes(fields, own_id),
        slug=slugify(slug) if slug else "",
        extra=_extra(fields),
    )


@lru_cache(maxsize=16)
def _names(aliases: tuple[tuple[str, str], ...]) -> tuple[Mapping[str, str], frozenset[str]]:
    """Give the other tools' keys, and all keys whose values are free texts."""
    known = {key_name(alias): target for alias, target in aliases}
    return known, _TEXTS | {alias for alias, target in known.items() if target in _TEXTS}


def _title(fields: Fields, body: str, path: str) -> tuple[str, str, bool]:
    """Give the title, the body without a heading that became it, and whether it was derived."""
    title, marked = fields.line_text("title"), fields.boolean("title_derived")
    if title:
        return title, body, marked
    title, rest = take_heading(body)
    if title:
        return title, rest, False
    title = title_from_path(path)
    fields.note(f"no title and no heading: the file name gives the title '{title}'")
    return title, body, True


def _draft(fields: Fields) -> bool:
    """Tell whether the file is not to be seen yet: `draft`, `published: false`, or its status."""
    published = fields.text("published").strip()
    unseen = bool(published) and not published[0].isdigit() and not fields.boolean("published")
    return fields.boolean("draft") or unseen or _status(fields) in _UNSEEN


def _status(fields: Fields) -> str:
    """Read the word that other tools keep for the state of a text."""
    return fields.text("status").strip().lower()


def _supersedes(fields: Fields, own_id: str) -> tuple[str, ...]:
    """Read the ids of the summaries whose place this one takes; a path loses its `.md`."""
    ids = _unique(*(text.removesuffix(".md").rstrip() for text in fields.texts("supersedes")))
    if own_id in ids:
        fields.note(
            "`supersedes` names this summary itself; that is set aside",
            line=fields.line("supersedes"),
        )
    return tuple(one for one in ids if one != own_id)


# What another tool (Eleventy) takes for a date, which is no day of the text.
_NO_DAYS: Final = frozenset({"created", "last modified", "git created", "git last modified"})


def _date(fields: Fields, path: str, zone: ZoneInfo) -> tuple[datetime | None, bool]:
    """Read the date: from `date`, else a `published` that is a date, else from the path."""
    typed = fields.text("date").strip()
    if typed.lower() in _NO_DAYS:
        fields.note(
            f"`date`: {typed[:40]!r} names no day and is set aside", line=fields.line("date")
        )
    elif fields.node("date") is not None:
        return fields.moment("date", zone)
    if fields.text("published").strip()[:1].isdigit():
        return fields.moment("published", zone)
    day = day_in_path(path)
    if not day:
        return None, False
    try:
        return read_moment(day, zone)
    except ValueError as reason:
        fields.note(f"the day in the path, {day}, {reason}; the summary has no date")
        return None, False


def _not_after(fields: Fields, zone: ZoneInfo) -> datetime | None:
    """Read the last moment; a day means its end, and the year 9999 means that there is none."""
    if fields.text("not_after").strip().startswith(_NEVER):
        return None
    moment, day_only = fields.moment("not_after", zone)
    if moment is None or not day_only:
        return moment
    return datetime.combine(moment + timedelta(days=1), datetime.min.time(), zone) - timedelta(
        seconds=1
    )


def _language(fields: Fields) -> str:
    """Read `lang`, a language tag (BCP 47)."""
    tag = fields.line_text("lang").replace("_", "-")
    if tag and not _LANGUAGE.match(tag):
        fields.note(f"`lang`: '{tag[:80]}' is no language tag (BCP 47)", line=fields.line("lang"))
        return ""
    return tag


def _direction(fields: Fields) -> Direction:
    """Read `dir`, the direction of the text."""
    text = fields.line_text("dir").lower()
    if text in _DIRECTIONS:
        return _DIRECTIONS[text]
    if text and text != "auto":
        fields.note(f"`dir` is ltr or rtl, not '{text[:80]}'", line=fields.line("dir"))
    return ""


def _extra(fields: Fields) -> tuple[tuple[str, str], ...]:
    """Keep the keys that mean nothing here, with one note for all."""
    rest = fields.rest(SUMMARY_KEYS)
    if rest:
        names = ", ".join(f"`{key}`" for key, _, _ in rest[:10])
        hint = nearest(key_name(rest[0][0]), SUMMARY_KEYS) if len(rest) == 1 else ""
        fields.note(
            f"kept aside, as it means nothing here: {names}"
            + (f"; {hint}" if hint.startswith("did") else ""),
            line=rest[0][2],
        )
    return tuple((key, node_text(node)) for key, node, _ in rest)


def _unique(*texts: str) -> tuple[str, ...]:
    """Drop empty texts and doubles."""
    return tuple(dict.fromkeys(filter(None, texts)))
