"""Merge fields: live only where a template wrote them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import TemplateError
from digest.render import TemplateSet
from digest.render.fields import FIELDS, fill, hide_fields


def _look(**texts: str) -> TemplateSet:
    named = {f"{name}.html.j2": text for name, text in texts.items()}
    return TemplateSet(texts=named, places={name: f"templates/{name}" for name in named})


def test_a_field_becomes_letters_and_digits_only() -> None:
    """No engine on the way can change what stands in for a field."""
    hidden, fields = hide_fields(_look(letter='<a href="[[leave_url]]">'), content="")
    token = re.fullmatch(r'<a href="([a-z][a-z0-9]+)">', hidden.texts["letter.html.j2"])
    assert token is not None
    assert fields.names == {token[1]: "leave_url"}


def test_text_without_fields_stays_as_it_is() -> None:
    """Brackets of scripts, style sheets and Jinja lists are no fields."""
    text = "if [[ -n $x ]]; [data-ogsc] {% for row in [[1, 2], [3]] %} [[]] [[a b]]"
    hidden, fields = hide_fields(_look(letter=text), content="")
    assert hidden.texts["letter.html.j2"] == text
    assert not fields.names


def test_a_stand_in_never_occurs_in_content() -> None:
    """A text that holds the usual stand-in gets another one beside it."""
    look = _look(letter="[[leave_url]]")
    usual = hide_fields(look, content="")[0].texts["letter.html.j2"]
    other = hide_fields(look, content=f"said {usual} aloud")[0].texts["letter.html.j2"]
    assert usual != other


def test_unknown_fields_are_all_named_with_their_lines() -> None:
    """Every mistake of all templates is told at once, with the fields there are."""
    look = _look(a="\n[[name]]", b="[[leave_url]]\n\n[[ Nick ]] [[leave_url]]")
    with pytest.raises(TemplateError) as caught:
        hide_fields(look, content="")
    assert [problem.where for problem in caught.value.problems] == [
        "templates/a.html.j2:2",
        "templates/b.html.j2:3",
    ]
    assert "[[name]]" in caught.value.problems[0].what
    assert all(f"[[{field}]]" in caught.value.problems[0].fix for field in FIELDS)


def test_values_are_escaped_in_html_only() -> None:
    """In HTML a value is escaped once; in text it is raw, on one line."""
    hidden, fields = hide_fields(_look(letter="to [[leave_url]]."), content="")
    values = {"leave_url": 'https://a.example/?x=1&y="\n2'}
    text = hidden.texts["letter.html.j2"]
    assert fill(text, fields, values, as_html=True) == ("to https://a.example/?x=1&amp;y=&quot; 2.")
    assert fill(text, fields, values, as_html=False) == 'to https://a.example/?x=1&y=" 2.'


def test_an_empty_value_gives_the_default() -> None:
    """What a template wrote after the bar stands where a value is empty."""
    hidden, fields = hide_fields(_look(letter="[[leave_url|ask & go]]!"), content="")
    text = hidden.texts["letter.html.j2"]
    assert fill(text, fields, {"leave_url": ""}, as_html=True) == "ask &amp; go!"
    assert fill(text, fields, {"leave_url": "x"}, as_html=True) == "x!"


def test_one_field_may_have_two_defaults() -> None:
    """Each place keeps its own default."""
    hidden, fields = hide_fields(_look(letter="[[leave_url|a]] [[leave_url|b]]"), content="")
    filled = fill(hidden.texts["letter.html.j2"], fields, {"leave_url": ""}, as_html=True)
    assert filled == "a b"


def test_a_field_without_a_value_is_named() -> None:
    """Nothing is sent with a place left unfilled."""
    hidden, fields = hide_fields(_look(letter="[[leave_url]]"), content="")
    with pytest.raises(TemplateError, match=r"\[\[leave_url\]\]"):
        fill(hidden.texts["letter.html.j2"], fields, {}, as_html=True)


@settings(deadline=None, max_examples=60)
@given(st.text())
def test_a_value_is_never_filled_twice(value: str) -> None:
    """A value that looks like a field or a stand-in stays what it is."""
    hidden, fields = hide_fields(_look(letter="<[[leave_url]]>"), content=value)
    text = hidden.texts["letter.html.j2"]
    filled = fill(text, fields, {"leave_url": f"[[leave_url]]{value}"}, as_html=False)
    assert filled.startswith("<[[leave_url]]")
    assert text not in filled
