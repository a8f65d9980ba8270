"""Merge fields: live only where a template wrote them, and known by their places."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import TemplateError
from digest.model import Edition, FieldPlace, Newsletter, clean_line
from digest.render import TemplateSet
from digest.render.addresses import leave_url
from digest.render.fields import FIELDS, fill, fits, hide_fields, refill

Build = Callable[..., Edition]


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


def test_fields_that_cannot_be_filled_are_all_named_with_their_lines() -> None:
    """Every mistake of all templates is told at once, with what may stand there instead."""
    look = _look(
        a="\n[[name]]", b="[[leave_url]]\n\n[[ Nick ]] [[leave_url]] [[address]] [[name|]]"
    )
    with pytest.raises(TemplateError) as caught:
        hide_fields(look, content="")
    bare, unknown, other = caught.value.problems
    assert [problem.where for problem in caught.value.problems] == [
        "templates/a.html.j2:2",
        "templates/b.html.j2:3",
        "templates/b.html.j2:3",
    ]
    assert "[[Nick]]" in unknown.what
    assert all(f"[[{field}]]" in unknown.fix for field in FIELDS)
    assert "[[name|reader]]" in bare.fix
    assert "[[address|]]" in other.fix


def _filled(text: str, values: dict[str, str], *, as_html: bool = True) -> bytes:
    hidden, fields = hide_fields(_look(letter=text), content="")
    return fill(hidden.texts["letter.html.j2"], fields, values, as_html=as_html)[0]


def test_values_are_escaped_in_html_only() -> None:
    """In HTML a value is escaped once; in text it is raw, on one line."""
    values = {"leave_url": 'https://a.example/?x=1&y="\n2'}
    text = "to [[leave_url]]."
    assert _filled(text, values) == b"to https://a.example/?x=1&amp;y=&quot; 2."
    assert _filled(text, values, as_html=False) == b'to https://a.example/?x=1&y=" 2.'


def test_an_empty_value_gives_the_default() -> None:
    """What a template wrote after the bar stands where a value is empty."""
    assert _filled("[[leave_url|ask & go]]!", {"leave_url": ""}) == b"ask &amp; go!"
    assert _filled("[[leave_url|ask & go]]!", {"leave_url": "x"}) == b"x!"
    assert _filled("a[[name|]]b", {"name": " \n"}) == b"ab"


def test_one_field_may_have_two_defaults() -> None:
    """Each place keeps its own default."""
    assert _filled("[[leave_url|a]] [[leave_url|b]]", {"leave_url": ""}) == b"a b"


def test_a_field_without_a_value_is_named() -> None:
    """Nothing is sent with a place left unfilled."""
    with pytest.raises(TemplateError, match=r"\[\[leave_url\]\]"):
        _filled("[[leave_url]]", {})


def test_text_without_fields_has_no_places() -> None:
    """Where no template wrote a field there is nothing to fill."""
    hidden, fields = hide_fields(_look(letter="plain"), content="")
    assert fill(hidden.texts["letter.html.j2"], fields, {}, as_html=True) == (b"plain", ())


@settings(deadline=None, max_examples=60)
@given(st.text())
def test_a_value_is_never_filled_twice(value: str) -> None:
    """A value that looks like a field or a stand-in stays what it is."""
    hidden, fields = hide_fields(_look(letter="<[[leave_url]]>[[name|x]]"), content=value)
    text = hidden.texts["letter.html.j2"]
    given_value = f"[[leave_url]]{' '.join(fields.names)}{value}"
    values = {"leave_url": given_value, "name": ""}
    filled, _ = fill(text, fields, values, as_html=False)
    assert filled.decode() == f"<{clean_line(given_value)}>x"


@pytest.mark.parametrize(
    ("starts", "fitting"),
    [
        ([("name", 0, 2), ("leave_url", 2, 2), ("address", 2, 9)], True),
        ([], True),
        ([("name", 0, 10)], False),
        ([("name", 3, 2)], False),
        ([("name", -1, 2)], False),
        ([("name", 4, 6), ("name", 0, 2)], False),
        ([("name", 0, 4), ("name", 3, 6)], False),
        ([("nick", 0, 2)], False),
    ],
)
def test_places_fit_only_in_order_and_inside(
    starts: list[tuple[str, int, int]], *, fitting: bool
) -> None:
    """Places that overlap, stand outside or are of no field are told from those that fit."""
    places = [FieldPlace(name=n, default="", start=start, end=end) for n, start, end in starts]
    assert fits(b"123456789", places) is fitting


def _greeting(look: TemplateSet) -> TemplateSet:
    """Give the shipped look with a greeting in both parts, and in an attribute."""
    texts = dict(look.texts)
    texts["letter.mjml.j2"] = texts["letter.mjml.j2"].replace(
        "<h1>", '<p title="[[name|é & “you”]]">[[name|é & “you”]] [[address|]]</p><h1>', 1
    )
    texts["letter.txt.j2"] += "\n{{ 'Dear [[name|é & you]], you are' | wrap }} [[address|]]\n"
    return replace(look, texts=texts)


@pytest.fixture(scope="module")
def greeting(build: Build, shipped_look: TemplateSet) -> Edition:
    """Give an edition whose mail says name and address."""
    return build(look=_greeting(shipped_look))


def test_places_of_an_edition_hold_the_general_values(greeting: Edition, paper: Newsletter) -> None:
    """Each place, in octets, is what stands there for everybody; only the mail's parts have any."""
    leave = leave_url(paper)
    shown = {
        name: [greeting.files[name][place.start : place.end].decode() for place in places]
        for name, places in greeting.fields.items()
    }
    default = "é &amp; “you”"
    assert shown == {
        "issue.html": [default, default, "", escape(leave)],
        "issue.txt": [leave, "é & you", ""],
    }
    names = [place.name for place in greeting.fields["issue.html"]]
    assert names == ["name", "name", "address", "leave_url"]
    assert greeting.fields["issue.html"][0].default == "é & “you”"


def test_files_end_with_one_line_feed_after_the_last_place(greeting: Edition) -> None:
    """White space round a part is gone before the places are taken."""
    for name, places in greeting.fields.items():
        assert fits(greeting.files[name], places)
        assert greeting.files[name].endswith(b"\n")
        assert not greeting.files[name].startswith((b"\n", b" "))


def test_general_values_give_the_file_itself(greeting: Edition, paper: Newsletter) -> None:
    """A file whose places are filled with the general values again is the same file."""
    for name, places in greeting.fields.items():
        again = refill(
            greeting.files[name],
            places,
            {"leave_url": leave_url(paper)},
            as_html=name.endswith(".html"),
        )
        assert again == greeting.files[name]


@settings(deadline=None, max_examples=100)
@given(name=st.text(), address=st.text(), leave=st.text())
def test_only_the_places_differ_from_reader_to_reader(
    greeting: Edition, name: str, address: str, leave: str
) -> None:
    """Whatever a reader's values are, all octets outside the places are those of the file."""
    values = {"name": name, "address": address, "leave_url": leave}
    for file, places in greeting.fields.items():
        data = greeting.files[file]
        own = refill(data, places, values, as_html=file.endswith(".html"))
        at = end = 0
        for place in places:
            line = clean_line(values[place.name]) or place.default
            shown = (escape(line) if file.endswith(".html") else line).encode()
            constant = data[end : place.start]
            assert own[at : at + len(constant) + len(shown)] == constant + shown
            at, end = at + len(constant) + len(shown), place.end
        assert own[at:] == data[end:]
