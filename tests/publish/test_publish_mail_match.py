"""A part of a mail beside that of its edition: only what is filled in for its reader differs."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.mime.received import read_mail
from digest.model import FieldPlace
from digest.publish.mail_match import first_difference, leave_addresses
from digest.render.fields import refill

LEAVE = "mailto:letter@sea.example?subject=unsubscribe%20sea"
TEXT = "Dear reader,\nmills grind. \nLeave:\nLEAVE\n  bye  reader!\n"
HTML = '<p>Dear reader,</p>\n<a href="LEAVE">leave</a>\n<p>bye reader</p>\n'
MISFIT = "holds something else in the place of"
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


def differs(found: str, form: str = TEXT, *, name: str = "Ann", as_html: bool = False) -> str:
    """Compare a part with its edition, as filled in for a reader."""
    general, places = edition(form)
    values = {"name": name, "leave_url": LEAVE}
    return first_difference(found.encode(), general, places, values=values, as_html=as_html)


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=60), st.booleans())
def test_what_a_reader_gets_is_the_edition(name: str, as_html: bool) -> None:  # noqa: FBT001 - a drawn value
    """Whatever name is filled in, nothing differs, in text and HTML."""
    general, places = edition(HTML if as_html else TEXT)
    values = {"name": name, "leave_url": LEAVE}
    filled = refill(general, places, values, as_html=as_html)
    assert first_difference(filled, general, places, values=values, as_html=as_html) == ""


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_any_other_change_is_seen(data: st.DataObject) -> None:
    """A letter put in, taken out or changed makes a difference, inside the places, too."""
    general, places = edition(TEXT)
    values = {"name": "Ann", "leave_url": LEAVE}
    sent = refill(general, places, values, as_html=False)
    at = data.draw(st.integers(min_value=0, max_value=len(sent.rstrip()) - 1))
    cut = data.draw(st.integers(min_value=0, max_value=1))
    new = data.draw(st.sampled_from(["", "\0", "¶", "\n\n"] if cut else ["\0", "¶", "\n\n"]))
    changed = sent[:at] + new.encode() + sent[at + cut :]
    assert first_difference(changed, general, places, values=values, as_html=False)


@pytest.mark.parametrize(
    ("form", "found", "told"),
    [
        ("one\ntwo three\n", "one\ntwo there\n", "line 2 should go on with 'ree'"),
        ("one\n\ntwo\n", "one\ntwo\n", "line 2 should end there"),
        ("one\ntwo\n", "one\n", "line 1 should end there"),
        ("one\n", "one\nmore\n", "more stands after its end"),
        ("one reader", "one Ann\nmore", "more stands after its end"),
        ("", "more", "more stands after its end"),
        ("to reader of\nmills", "to Ann of\nmalls", "line 2 should go on with 'ills'"),
        ("to reader of\nmills", "to Anna of\nmills", "line 1 should go on with 'of'"),
        ("to reader, and reader", "to Ann, and An", f"line 1 {MISFIT} [[name]] than what To has"),
        ("\nto reader of mills", "\nto <b>", f"line 2 {MISFIT} [[name]] than what To has"),
        ("at\nLEAVE", "at\nmailto:x", f"line 2 {MISFIT} [[leave_url]] than the way to leave"),
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
    "name", ["<b>", "a<img src=x>", 'x" onclick="x', "'", "&", "&lt", "&nbsp;"]
)
def test_a_name_stands_escaped_in_html(name: str) -> None:
    """The same name unescaped would be mark-up."""
    form = "<p>reader</p>\n<p>end</p>"
    assert differs(f"<p>{name}</p>\n<p>end</p>", form, name=name, as_html=True)
    assert differs(f"<p>{escape(name)}</p>\n<p>end</p>", form, name=name, as_html=True) == ""


def test_who_has_no_name_gets_what_stands_for_it() -> None:
    """An empty value is the default of its place, and nothing else."""
    assert differs("to reader!", "to reader!", name="") == ""
    assert differs("to !", "to reader!", name="")
    assert differs("to reader!", "to reader!")


@pytest.mark.parametrize(
    "address",
    [LEAVE.upper(), f"{LEAVE}x", f"{LEAVE}&cc=x@evil.example", "https://sea.example/", "", "leave"],
)
def test_no_other_address_stands_in_the_place_of_the_leave_link(address: str) -> None:
    """It is the same for all, to the letter."""
    assert differs(f'<a href="{address}">x</a>', '<a href="LEAVE">x</a>', as_html=True)
    assert differs(f"go {address} now", "go LEAVE now")


def test_hostile_texts_differ() -> None:
    """Many places beside a long line of what could be their values: nothing is searched for."""
    form = " ".join(["reader"] * 40) + "!"
    assert differs(" " * 200_000, form)
    assert differs(("Ann " * 2000 + "\n") * 50, form) == "line 1 should go on with '!'"
    assert differs(" ".join(["Ann"] * 40) + "!", form) == ""


def test_the_addresses_to_leave_are_those_of_the_general_copy() -> None:
    """All of its List-Unsubscribe in their order; without that field there is none."""
    head = b"From: a@sea.example\n"
    one, two = "mailto:a@sea.example?subject=x", "https://sea.example/leave"
    told = head + f"List-Unsubscribe: <{one}>,\n <{two}>\n\n".encode()
    assert leave_addresses(read_mail(told)) == (one, two)
    assert leave_addresses(read_mail(head + b"\n")) == ()
