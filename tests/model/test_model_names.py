"""Names made from other things."""

from datetime import UTC, date, datetime, timedelta
from unicodedata import category
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import (
    IssueKey,
    canonical_url,
    clean_line,
    clean_text,
    host_and_port,
    is_issue_key,
    issue_key,
    safe_name,
    slugify,
    week_days,
)

_BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("day", "key"),
    [
        ("2026-12-27", "2026-w52"),
        ("2026-12-28", "2026-w53"),
        ("2027-01-03", "2026-w53"),
        ("2027-01-04", "2027-w01"),
        ("2027-12-31", "2027-w52"),
        ("2029-12-31", "2030-w01"),
        ("2032-12-31", "2032-w53"),
    ],
)
def test_key_is_the_iso_week(day: str, key: str) -> None:
    """Days about New Year belong to the week of ISO 8601, a week 53 included."""
    assert issue_key(datetime.fromisoformat(f"{day}T12:00:00+01:00"), _BERLIN) == key


def test_key_depends_on_the_newsletters_zone() -> None:
    """The last hour of Sunday in London is Monday in Berlin."""
    moment = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)

    assert issue_key(moment, ZoneInfo("Europe/London")) == "2026-w48"
    assert issue_key(moment, _BERLIN) == "2026-w49"


def test_second_issue_of_a_week_has_its_name() -> None:
    """An extra issue is named after its week and its name."""
    assert issue_key(datetime(2026, 12, 1, tzinfo=UTC), _BERLIN, "Année!") == "2026-w49-annee"


@given(st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1)))  # noqa: DTZ001 - made aware below
@settings(deadline=None)
def test_key_names_the_week_that_holds_the_day(naive: datetime) -> None:
    """Every moment lies in the week that its key names, and the key is well-formed."""
    moment = naive.replace(tzinfo=UTC)
    key = issue_key(moment, ZoneInfo("UTC"))
    monday, sunday = week_days(key)

    assert is_issue_key(key)
    assert monday <= moment.date() <= sunday
    assert sunday - monday == timedelta(days=6)


@pytest.mark.parametrize(
    "text", ["2026-w54", "2027-w53", "2026-w00", "2026-49", "0000-w01", "2026-w49-", "x", "../x"]
)
def test_texts_that_name_no_week_are_refused(text: str) -> None:
    """A week that does not exist is no key."""
    assert not is_issue_key(text)


def test_days_of_a_week() -> None:
    """A week runs from Monday to Sunday, an extra issue's too."""
    assert week_days(IssueKey("2026-w53-extra")) == (date(2026, 12, 28), date(2027, 1, 3))


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Café notes", "cafe-notes"),
        ("  What's new, in 2026? ", "whats-new-in-2026"),
        ("Иван", "ivan"),
        ("CON", "con-0"),
        ("../../escape", "escape"),
    ],
)
def test_slug(text: str, slug: str) -> None:
    """Slugs are plain ASCII words joined by hyphens."""
    assert slugify(text) == slug


@given(st.text(max_size=200))
@settings(deadline=None)
def test_slug_is_never_empty_and_always_a_safe_name(text: str) -> None:
    """Any text gives a slug that may name a file on any system, and the same one again."""
    slug = slugify(text)

    assert safe_name(slug)
    assert slug == slugify(text)
    assert len(slug) <= 62


def test_slug_may_fall_back() -> None:
    """A text without letters takes the fallback."""
    assert slugify("***", fallback="item") == "item"
    assert slugify("***").startswith("s-")
    assert slugify("***") != slugify("!!!")


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "con", "NUL.md", "a.", "é", "x" * 101])
def test_unsafe_names(name: str) -> None:
    """Separators, leading dots, devices and over-long names are unsafe."""
    assert not safe_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://Example.com/a/", "https://www.example.com/a"),
        ("https://example.com/a?utm_source=x&b=1", "https://example.com/a?b=1#part"),
        ("https://example.com:443/a", "https://example.com/a"),
    ],
)
def test_addresses_of_one_page_are_equal(one: str, other: str) -> None:
    """Scheme, host case, tracking, a trailing slash and the fragment are set aside."""
    assert canonical_url(one) == canonical_url(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a?b=1", "https://example.com/a?b=2"),
        ("https://example.com:8443/a", "https://example.com/a"),
        ("https://example.com/A", "https://example.com/a"),
    ],
)
def test_addresses_of_two_pages_differ(one: str, other: str) -> None:
    """Query, port and the case of the path tell pages apart."""
    assert canonical_url(one) != canonical_url(other)


@pytest.mark.parametrize("url", ["mailto:a@b.example", "http://[bad", "http://a:port/", "x"])
def test_other_addresses_come_back(url: str) -> None:
    """What cannot be reduced stays as it is."""
    assert canonical_url(f" {url} ") == url


@given(st.text())
@settings(deadline=None)
def test_clean_line_is_one_line(text: str) -> None:
    """No control character and no line break of any kind is left, and cleaning twice is once."""
    line = clean_line(text)

    assert line.splitlines() in ([], [line])
    assert not any(category(character) == "Cc" for character in line)
    assert clean_line(line) == line


@given(st.text())
@settings(deadline=None)
def test_short_way_of_cleaning_is_the_long_one(text: str) -> None:
    """A text comes out as it does with a NUL behind it, which takes the long way."""
    assert clean_text(text) == clean_text(text + "\0")
    assert clean_line(text) == clean_line(text + "\0")


def test_clean_text_keeps_tabs_and_lines() -> None:
    """Tab and line feed stay; other line ends become LF; marks and controls go."""
    assert clean_text("\ufeffa\tb\r\nc\rd\x85e\u2028f\x00\x1b\ud800g") == "a\tb\nc\nd\ne\nfg"


@pytest.mark.parametrize(
    ("host", "told"),
    [("mx.example", "mx.example:25"), ("127.0.0.1", "127.0.0.1:25"), ("::1", "[::1]:25")],
)
def test_port_stands_behind_its_host(host: str, told: str) -> None:
    """The colons of an address of version 6 stand in brackets."""
    assert host_and_port(host, 25) == told
