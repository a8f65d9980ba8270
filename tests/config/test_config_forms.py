"""Values with a form of their own: what is taken, and in which form it is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import Settings
from digest.config.addresses import address, default_list_id, list_id, mailbox, web_address
from digest.config.formats import folder, slug, tag, weekly_time, zone
from digest.config.values import Wrong, line, shown, shown_key, text_or_false
from digest.model import COLOURS, Mailbox, WeeklyTime, slugify


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("post@tide.example", "", "post@tide.example"),
        ("<post@tide.example>", "", "post@tide.example"),
        ("Tide Table <post@tide.example>", "Tide Table", "post@tide.example"),
        ("Tide Table<post@tide.example>", "Tide Table", "post@tide.example"),
        ('"Table, Tide" <post@tide.example>', "Table, Tide", "post@tide.example"),
        (r'"A \"B\" C" <post@tide.example>', 'A "B" C', "post@tide.example"),
        ('" <post@tide.example>', '"', "post@tide.example"),
        ("Strandläufer <post@bücher.example>", "Strandläufer", "post@xn--bcher-kva.example"),
        ("post@straße.example", "", "post@xn--strae-oqa.example"),
        ("A <o'b+x=1@Tide.Example>", "A", "o'b+x=1@tide.example"),
        ("  A   B   <a@localhost> ", "A B", "a@localhost"),
    ],
)
def test_a_mailbox_is_a_name_and_an_address(text: str, name: str, found: str) -> None:
    """Names lose their quotes, domains become A-labels in lower case, local parts stay."""
    assert mailbox(text) == Mailbox(name=name, address=found)


@settings(deadline=None, max_examples=100)
@given(
    st.text(max_size=40) | st.from_regex(r"[^@]{0,5} ?<?[^@]{1,5}@[^@]{1,9}\.a>?", fullmatch=True)
)
def test_a_mailbox_that_is_taken_is_safe_in_a_header(text: str) -> None:
    """Whatever passes has no control character, no encoded word, and an address in ASCII."""
    try:
        found = mailbox(text)
    except Wrong:
        return
    assert not {category(sign) for sign in found.name} & {"Cc", "Cs", "Zl", "Zp"}
    assert found.address.isprintable()
    assert "=?" not in found.name + found.address.rpartition("@")[0]
    assert found.address.isascii()
    assert address(found.address) == found.address


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://tide.example", "https://tide.example/"),
        ("HTTPS://Tide.example/", "https://tide.example/"),
        ("http://127.0.0.1:8000/a/b", "http://127.0.0.1:8000/a/b/"),
        ("https://localhost:0", "https://localhost:0/"),
        (
            "https://bücher.example/Büro und mehr",
            "https://xn--bcher-kva.example/B%C3%BCro%20und%20mehr/",
        ),
        ("https://tide.example/a%20b//", "https://tide.example/a%20b/"),
        ("https://tide.example/~me/@home", "https://tide.example/~me/@home/"),
    ],
)
def test_a_web_address_ends_with_one_slash(text: str, found: str) -> None:
    """Addresses are kept absolute, in ASCII, with a slash at the end; twice is the same."""
    assert web_address(text) == found
    assert web_address(found) == found


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=30), st.sampled_from(["https://", "http://tide.example/", ""]))
def test_a_web_address_that_is_taken_is_plain(text: str, start: str) -> None:
    """Whatever passes is printable ASCII without spaces or quotes, and passes again unchanged."""
    try:
        found = web_address(start + text)
    except Wrong:
        return
    assert found.isascii()
    assert found.isprintable()
    assert not set(found) & set(' "<>\\{}|^`')
    assert web_address(found) == found


def test_a_list_is_named_below_the_sender() -> None:
    """The default List-Id is the slug below the domain, and never too long to be one."""
    assert default_list_id("tide", Mailbox(address="a@tide.example")) == "tide.tide.example"
    long = ".".join(["a" * 60] * 4) + ".example"
    assert default_list_id("t" * 60, Mailbox(address=f"a@{long}")) == long
    assert list_id(long) == long


@pytest.mark.parametrize(
    "text",
    ["tide.example,2026", "tide.example,2026-11", "Tide-1.example,2024-02-29", "me.x_y@a.b,1999"],
)
def test_a_feed_tag_is_taken_as_it_is(text: str) -> None:
    """RFC 4151 allows a year, a month or a day, and a domain or an address."""
    assert tag(text) == text


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=80))
def test_every_slug_of_ours_is_one(text: str) -> None:
    """What slugify makes passes the check of slugs, so that the default never fails."""
    assert slug(slugify(text)) == slugify(text)


@pytest.mark.parametrize(
    ("text", "found"), [("sea", "sea"), ("./sea/./birds//", "sea/birds"), (".sea", ".sea")]
)
def test_a_folder_is_kept_in_one_form(text: str, found: str) -> None:
    """Dots and doubled slashes fall away."""
    assert folder(text) == found


@pytest.mark.parametrize(
    ("text", "day", "hour", "minute"),
    [("mon 09:00", 0, 9, 0), ("SUNDAY  0:05", 6, 0, 5), ("Wed 23:59", 2, 23, 59)],
)
def test_a_time_of_the_week(text: str, *, day: int, hour: int, minute: int) -> None:
    """Days are taken long or short in any letter case, hours with or without a nought."""
    assert weekly_time(text) == WeeklyTime(weekday=day, hour=hour, minute=minute)


def test_a_zone_is_found_by_its_name() -> None:
    """A zone that exists is taken, whatever the zone of the host."""
    assert zone("Australia/Lord_Howe").key == "Australia/Lord_Howe"


def test_texts_are_cleaned() -> None:
    """Runs of spaces become one, letters and accents join (NFC), lines of an address stay."""
    assert line("  Cafe\u0301   notes ") == "Café notes"
    assert text_or_false("1 Quay\r\nHaven\n") == "1 Quay\nHaven"


@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_of_the_look_can_be_chosen(
    load: Callable[..., Settings], least: str, colour: str
) -> None:
    """A theme may have any of the colours there are."""
    assert load(f'{least}[[theme]]\nid = "a"\ncolour = "{colour}"\n').themes[0].colour == colour


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "false"),
        (True, "true"),
        (3, "3"),
        (1.5, "1.5"),
        ('a\n"ä"', '"a\\n\\"ä\\""'),
        ("\udcff\x9b\u2028\U000e0001", '"\\udcff\\u009b\\u2028\\U000e0001"'),
        (("a", 1), '["a", 1]'),
        ({}, "{}"),
        ({"a": 1, "b c": ["d"]}, '{ a = 1, "b c" = ["d"] }'),
        (-(2**70), "a number too large to show"),
    ],
)
def test_values_are_shown_as_toml(value: object, text: str) -> None:
    """Values are written on one line, the way TOML writes them."""
    assert shown(value) == text


@pytest.mark.parametrize(
    ("path", "text"), [("theme[2].label", "theme[2].label"), ("a b", '"a b"'), ("ä", '"ä"')]
)
def test_keys_are_shown_bare_where_toml_allows(path: str, text: str) -> None:
    """A key with other signs than TOML's bare keys have stands in quotes."""
    assert shown_key(path) == text


@settings(deadline=None, max_examples=60)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
        lambda below: (
            st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_any_value_is_shown_on_one_line(value: Any) -> None:  # noqa: ANN401 - any is the point
    """No value can break a line or be refused by an output in UTF-8."""
    text = shown(value)
    assert text.isprintable()
    assert text.encode()
