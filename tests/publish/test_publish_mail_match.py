"""A part of a mail beside that of its edition: only merge fields may differ, within bounds."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import FieldPlace, clean_line
from digest.publish.mail_match import first_difference
from digest.render.fields import refill

LEAVE = "mailto:letter@sea.example?subject=unsubscribe%20sea"
TEXT = "Dear reader,\nmills grind. \nLeave:\nLEAVE\n  bye  reader!\n"
HTML = '<p>Dear reader,</p>\n<a href="LEAVE">leave</a>\n<p>bye reader</p>\n'
FIELDS = {"reader": ("name", "reader"), "LEAVE": ("leave_url", "")}


def edition(form: str) -> tuple[bytes, tuple[FieldPlace, ...]]:
    """Give a part with its places: each `reader` and `LEAVE` of the form is one."""
    data, places, rest = "", [], form
    while found := sorted((rest.find(word), word) for word in FIELDS if word in rest):
        at, word = found[0]
        name, default = FIELDS[word]
        start = data + rest[:at]
        data = start + (LEAVE if word == "LEAVE" else word)
        place = FieldPlace(name=name, default=default, start=len(start), end=len(data))
        places.append(place)
        rest = rest[at + len(word) :]
    return (data + rest).encode(), tuple(places)


def differs(found: str, form: str = TEXT, *, as_html: bool = False) -> str:
    """Compare a part with its edition."""
    general, places = edition(form)
    return first_difference(found.encode(), general, places, as_html=as_html)


@settings(deadline=None, max_examples=100)
@given(
    st.text(max_size=60),
    st.from_regex(r"(https|mailto):[!-;=?-~]{1,40}", fullmatch=True),
    st.booleans(),
)
def test_what_a_reader_gets_is_the_edition(name: str, leave: str, as_html: bool) -> None:  # noqa: FBT001 - a drawn value
    """Whatever name and leave link are filled in, nothing differs, in text and HTML."""
    general, places = edition(HTML if as_html else TEXT)
    values = {"name": name, "leave_url": leave}
    filled = refill(general, places, values, as_html=as_html)
    assert first_difference(filled, general, places, as_html=as_html) == ""


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_any_other_change_is_seen(data: st.DataObject) -> None:
    """A letter put in, taken out or changed outside the places makes a difference."""
    general, places = edition(TEXT)
    free = [
        at
        for at in range(len(general.rstrip()))
        if not any(place.start - 1 <= at <= place.end for place in places)
    ]
    at = data.draw(st.sampled_from(free))
    cut = data.draw(st.integers(min_value=0, max_value=1))
    new = data.draw(st.sampled_from(["", "\0", "¶", "\n\n"] if cut else ["\0", "¶", "\n\n"]))
    changed = general[:at] + new.encode() + general[at + cut :]
    assert first_difference(changed, general, places, as_html=False)


@pytest.mark.parametrize(
    ("form", "found", "told"),
    [
        ("one\ntwo three\n", "one\ntwo there\n", "line 2 should go on with 'ree'"),
        ("one\n\ntwo\n", "one\ntwo\n", "line 2 should end there"),
        ("one\ntwo\n", "one\n", "line 1 should end there"),
        ("one\n", "one\nmore\n", "more stands after its end"),
        ("one reader", "one name\nmore", "more stands after its end"),
        ("", "more", "more stands after its end"),
        (
            "to reader of\nmills that grind",
            "to Ann of\nmills that grew",
            "line 2 should go on with 'ind'",
        ),
        (
            "to reader of mills",
            "to <b>",
            "line 1 holds something else in the place of [[name]] or after it",
        ),
        (
            "at\nLEAVE end",
            "at\nftp://sea.example/ end",
            "line 2 holds something else in the place of [[leave_url]] or after it",
        ),
    ],
)
def test_the_first_difference_is_told(form: str, found: str, told: str) -> None:
    """The line of the edition is named, with what should stand there: nothing of the mail."""
    assert differs(found, form) == told


def test_line_ends_at_the_very_end_do_not_count() -> None:
    """Relays add and take them; anything else there counts."""
    assert differs("one", "one\n") == differs("one\n\n\n", "one") == ""
    assert differs("one \n", "one\n") == "more stands after its end"


@pytest.mark.parametrize(
    "value",
    ["<b>", "a<img src=x>", 'x" onclick="x', "'", "&", "&lt", "&nbsp;", "a\nb", "\0", "a\u2028b"],
)
def test_no_markup_stands_in_a_place_of_html(value: str) -> None:
    """Of a name only escaped text on one line is set aside; the text part takes all but lines."""
    form = "<p>reader</p>\n<p>end</p>"
    assert differs(f"<p>{value}</p>\n<p>end</p>", form, as_html=True)
    assert differs(f"<p>{escape(clean_line(value))}</p>\n<p>end</p>", form, as_html=True) == ""


@pytest.mark.parametrize(
    "value",
    ["javascript:alert(1)", "", "leave", "https:", "https://a b", "data:x", "//sea.example"],
)
def test_only_an_address_stands_in_the_place_of_the_leave_link(value: str) -> None:
    """It is one of the web or of mail, without blanks."""
    assert differs(f'<a href="{value}">x</a>', '<a href="LEAVE">x</a>', as_html=True)
    assert differs(f"go {value} now", "go LEAVE now")


def test_places_that_touch_each_other_are_told_apart_or_not_at_all() -> None:
    """Where values leave open which is whose, each way counts, also with pieces that repeat."""
    form = "reader reader reader and readerreader."
    assert differs("a b c d and e f g.", form) == ""
    assert differs("   and .", form) == ""
    assert differs("a and .", form)


def test_hostile_texts_take_bounded_time() -> None:
    """Many places with a blank in between and a line of blanks: each octet is looked at seldom."""
    form = " ".join(["reader"] * 40) + "!"
    assert differs(" " * 200_000, form)
    assert differs(("a " * 2000 + "\n") * 50, form)


def test_a_value_of_unheard_length_is_no_value() -> None:
    """A place holds a name, not another letter."""
    assert differs("to " + "x" * 2000 + "!", "to reader!") == ""
    assert differs("to " + "x" * 2001 + "!", "to reader!")
