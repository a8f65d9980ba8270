"""The white-space squeeze: fewer bytes, the same picture."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.render.squeeze import squeeze


def test_runs_of_white_space_become_one_character() -> None:
    """A run with a line feed becomes a line feed, another a space."""
    assert squeeze("<p>a  b\n   c\t\td</p>\n\n   <p>e</p>") == "<p>a b\nc d</p>\n<p>e</p>"


@pytest.mark.parametrize(
    "kept",
    [
        '<p title="a  b\n  c">x</p>',
        "<p title='a  >  b'>x</p>",
        "<pre>a\n\n   b</pre>",
        "<PRE class='x'>a   b</PRE>",
        "<textarea>  a  </textarea>",
        "<!--[if mso | IE]>\n   <table  role='x'>\n\n<![endif]-->",
        "<!--[if !mso]><!--><p>x</p><!--<![endif]-->",
        '<style>a::before{content:"x  y"}</style>',
        "<p>a\u00a0\u00a0b</p>",
        "3 < 5 and 7 > 2",
    ],
)
def test_what_shows_stays_byte_for_byte(kept: str) -> None:
    """Attribute values, `pre`, comments, strings and no-break spaces are left alone."""
    assert squeeze(kept) == kept


def test_style_sheets_are_squeezed_outside_strings() -> None:
    """Indentation of a style sheet goes."""
    assert squeeze("<style>\n   a  { color:red; }\n\n  b{}\n</style>") == (
        "<style>\na { color:red; }\nb{}\n</style>"
    )


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet="ab <>\n\t\"'=/!-p"))
def test_squeezing_twice_is_squeezing_once(text: str) -> None:
    """The second pass finds nothing to do, and no pass changes anything but white space."""
    once = squeeze(text)
    assert squeeze(once) == once
    assert once.split() == text.split()
