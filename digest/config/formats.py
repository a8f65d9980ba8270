"""The values that have a form of their own: slugs, zones, feed tags, folders and the like."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from digest.config.addresses import address, relay_host, web_address
from digest.config.values import Wrong, decimal, line, nearest, number, optional_line
from digest.model import COLOURS, OTHER, ThemeId, WeeklyTime, safe_name
from digest.picking.policy import LEAST_ALIKE

__all__ = [
    "cap",
    "colour",
    "content_folder",
    "duration",
    "folder",
    "language",
    "match_rule",
    "optional_address",
    "optional_host",
    "plain_name",
    "rule_id",
    "similarity",
    "slug",
    "source_address",
    "tag",
    "theme_id",
    "weekly_time",
    "weeks",
    "zone",
]

_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SLUG_LENGTH: Final = 60
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
# These hang on the host, or count leap seconds, or are no zone at all.
_NO_ZONE: Final = re.compile(r"localtime|posixrules|Factory|(?:posix|right)/.*")
_COMPONENT: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_AUTHORITY: Final = rf"(?:[A-Za-z0-9._-]+@)?{_COMPONENT}(?:\.{_COMPONENT})*"
_TAG: Final = re.compile(rf"{_AUTHORITY},(\d{{4}})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
_RULE: Final = re.compile(r"(tag|word|folder|source):\s*(\S.*)")
_TIME: Final = re.compile(r"([a-z]+)\s+([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_DURATION: Final = re.compile(r"(\d{1,6})([smhd])", re.ASCII)
_UNITS: Final = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_OWN_FOLDERS: Final = ("outbox", "private", "templates")


def source_address(value: object) -> str:
    """Check the address of source files, `{path}` and perhaps `{commit}` in it; or nothing."""
    text = optional_line(value)
    if not text:
        return ""
    fix = "such as https://git.example/letter/blob/{commit}/content/{path}"
    bare = text.replace("{path}", "").replace("{commit}", "")
    if "{path}" not in text or "{" in bare or "}" in bare:
        raise Wrong("must hold {path}, and no other braces but {commit}", value=text, fix=fix)
    web_address(bare.partition("?")[0].partition("#")[0])
    return text


def slug(value: object) -> str:
    """Check a slug: lower-case letters, digits and single hyphens between them."""
    text = line(value)
    if len(text) > _SLUG_LENGTH or not _SLUG.fullmatch(text):
        raise Wrong("must be of a-z, 0-9 and hyphens, such as my-letter", value=text)
    return text


def theme_id(value: object) -> ThemeId:
    """Check the id of a theme: a slug; `other` is built in."""
    text = slug(value)
    if text == OTHER.id:
        raise Wrong(f"must not be {text}, which is built in as the last theme")
    return ThemeId(text)


def language(value: object) -> str:
    """Check the form of a language tag (RFC 5646 §2.1)."""
    text = line(value)
    if not _LANGUAGE.fullmatch(text):
        raise Wrong("must be a language tag, such as en or pt-BR", value=text)
    return text


def zone(value: object) -> ZoneInfo:
    """Check the name of a time zone (IANA)."""
    text = line(value)
    try:
        if not _NO_ZONE.fullmatch(text):
            return ZoneInfo(text)
    except (OSError, ValueError, KeyError):
        pass
    raise Wrong("must be the name of a time zone", value=text, fix=_nearest_zone(text))


def _nearest_zone(text: str) -> str:
    wanted = text.lower().replace(" ", "_")
    names = {name.lower(): name for name in sorted(available_timezones())}
    cities = {name.rpartition("/")[2]: name for name in names}
    near = nearest(wanted, names)
    if near != wanted:
        near = cities.get(nearest(wanted, cities), near)
    return f"did you mean {names[near]}?" if near else "write it as Europe/Berlin, or UTC"


def tag(value: object) -> str:
    """Check the authority and date of a tag URI (RFC 4151 §2.1), `letter.example,2026-01-31`."""
    text = line(value)
    found = _TAG.fullmatch(text)
    try:
        if found:
            date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
            return text
    except ValueError:
        pass
    raise Wrong(
        "must be a domain or address of yours, a comma, and a day on which it was yours, "
        "such as letter.example,2026-01-31",
        value=text,
    )


def colour(value: object) -> str:
    """Check the name of a badge colour."""
    text = line(value)
    if text not in COLOURS:
        near = nearest(text.lower(), COLOURS)
        raise Wrong(
            f"must be one of {', '.join(COLOURS)}",
            value=text,
            fix=f"did you mean {near}?" if near else "",
        )
    return text


def match_rule(value: object) -> str:
    """Check a rule of a theme: its kind, a colon, and what to look for."""
    text = line(value)
    found = _RULE.fullmatch(text)
    if not found or not any(map(str.isalnum, found[2])):
        raise Wrong(
            "must be a rule such as tag:tides, word:low water, folder:sea or source:sea.example",
            value=text,
        )
    if found[1] == "folder":
        return f"folder:{folder(found[2])}"
    return f"{found[1]}:{found[2]}"


def weekly_time(value: object) -> WeeklyTime:
    """Check a day and a time of the week, `mon 09:00`."""
    text = line(value)
    found = _TIME.fullmatch(text.lower())
    days = [place for place, day in enumerate(_DAYS) if found and found[1] in {day, day[:3]}]
    if not found or not days:
        raise Wrong("must be a day and a time, such as mon 09:00", value=text)
    return WeeklyTime(weekday=days[0], hour=int(found[2]), minute=int(found[3]))


def duration(low: timedelta, high: timedelta) -> Callable[[object], timedelta]:
    """Make a check for a length of time from `low` to `high`: `60s`, `30m`, `24h`, `3d`."""

    def check(value: object) -> timedelta:
        found = _DURATION.fullmatch(value) if isinstance(value, str) else None
        if not found:
            raise Wrong("must be a length of time, such as 60s, 30m, 24h or 3d", value=value)
        length = int(found[1]) * _UNITS[found[2]]
        if not low <= length <= high:
            raise Wrong(f"must be from {_length(low)} to {_length(high)}", value=value)
        return length

    return check


def _length(length: timedelta) -> str:
    unit = next(unit for unit in "dhms" if not length % _UNITS[unit])
    return f"{length // _UNITS[unit]}{unit}"


def folder(value: object) -> str:
    """Check a folder inside another one; give it with single slashes and none at the end."""
    text = line(value)
    parts = [part for part in text.split("/") if part not in {"", "."}]
    if not parts or ".." in parts or re.search(r"^/|[\\:]", text):
        raise Wrong("must be a path inside the newsletter's folder", value=text)
    return "/".join(parts)


def content_folder(value: object) -> str:
    """Check the folder of the summaries: not one that Digest writes to or takes its look from."""
    text = folder(value)
    if text.partition("/")[0] in _OWN_FOLDERS:
        raise Wrong(f"must not be one of {', '.join(_OWN_FOLDERS)}", value=text)
    return text


def plain_name(value: object) -> str:
    """Check a name of a file or folder that any system takes."""
    text = line(value)
    if not safe_name(text):
        raise Wrong("must be a plain name without a slash", value=text)
    return text


def rule_id(value: object) -> str:
    """Check the form of a check's id, `D102`."""
    text = line(value)
    if not re.fullmatch(r"D\d{3}", text, re.ASCII):
        raise Wrong("must be the id of a check, such as D102", value=text)
    return text


def cap(value: object) -> int | None:
    """Check how many at most, from 1 to 100; `false` gives None, no limit."""
    return None if value is False else number(1, 100)(value)


def weeks(value: object) -> int | None:
    """Check after how many weeks, from 1 to 10,000; `false` gives None, never."""
    return None if value is False else number(1, 10_000)(value)


def similarity(value: object) -> float:
    """Check how alike two texts may be: 0, for any, or a share from the least that is found."""
    found = decimal(0, 1)(value)
    if 0 < found < LEAST_ALIKE:
        raise Wrong(f"must be 0, or a number from {LEAST_ALIKE} to 1", value=found)
    return found


def optional_address(value: object) -> str:
    """Check a bare mail address, or nothing."""
    return "" if value == "" else address(value)


def optional_host(value: object) -> str:
    """Check the host of a relay, or nothing."""
    return "" if value == "" else relay_host(value)
