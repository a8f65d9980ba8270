"""Elements and lines of a drawing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import clean_line
from digest.site.svg import draw, text_width, wrapped


def test_an_element_is_written_with_what_it_holds() -> None:
    """Numbers are short, names of attributes as XML has them, and texts are escaped."""
    drawn = draw("text", "a &amp; b", class_="x", aria_label='"1" < 2', x=2.50, y=3.0)

    assert drawn == (
        '<text class="x" aria-label="&quot;1&quot; &lt; 2" x="2.5" y="3">a &amp; b</text>'
    )


def test_an_empty_element_is_closed() -> None:
    """What holds nothing is one tag."""
    assert draw("rect", width=8) == '<rect width="8"/>'


def test_signs_take_the_room_they_need() -> None:
    """Narrow letters take less than others, capitals more, and Chinese signs a whole square."""
    widths = [text_width(sign, size=10) for sign in "ia" + "AM" + "\N{CJK UNIFIED IDEOGRAPH-6C34}"]

    assert widths == sorted(widths)
    assert widths[-1] == 10


def test_lines_break_between_words() -> None:
    """A word stays whole while it fits."""
    assert wrapped("Graphs and networks of all kinds", size=13, room=120) == (
        "Graphs and",
        "networks of all",
        "kinds",
    )


def test_a_mark_stays_with_its_letter() -> None:
    """A long word breaks before a letter, never before what stands on one."""
    word = "x\N{COMBINING DOT BELOW}" * 20
    lines = wrapped(word, size=13, room=60)

    assert len(lines) > 1
    assert all(line.startswith("x") for line in lines)


@settings(deadline=None, max_examples=100)
@given(text=st.text(max_size=80), room=st.floats(20, 200))
def test_lines_fit_and_hold_all_of_the_text(text: str, room: float) -> None:
    """No line is wider than the room and nothing is lost but white space."""
    lines = wrapped(text, size=13, room=room)

    assert "".join(lines).replace(" ", "") == clean_line(text).replace(" ", "")
    assert all(
        text_width(line, size=13) <= room or sum(map(str.isalnum, line)) <= 1 for line in lines
    )
