"""A mail tells nobody who reads it, and runs nothing, whatever a template of one's own says."""

from __future__ import annotations

import pytest

from digest.errors import TemplateError
from digest.render import TemplateSet
from digest.render.fields import Fields, hide_fields
from digest.render.untracked import prove_untracked

_PLACE = "templates/letter.mjml.j2"


def _hidden(html: str) -> tuple[str, Fields]:
    templates, fields = hide_fields(TemplateSet(texts={"letter.mjml.j2": html}), content="")
    return templates.texts["letter.mjml.j2"], fields


def _told(html: str) -> list[str]:
    hidden, fields = _hidden(html)
    try:
        prove_untracked(hidden, fields, place=_PLACE)
    except TemplateError as error:
        return [problem.what for problem in error.problems if problem.where == _PLACE]
    return []


@pytest.mark.parametrize(
    "html",
    [
        '<a href="[[leave_url]]">Leave</a>',
        "<p>Dear [[name|reader]], this goes to [[address|you]].</p>",
        '<img src="https://harbour.example/a.png" alt="For [[name|you]]" title="[[address|]]">',
        '<p aria-label="[[name|]]">x</p><style>p{color:red}</style><!-- <script> -->',
        "<p>&lt;script&gt; onclick=</p>",
    ],
)
def test_fields_in_words_are_the_readers_own(html: str) -> None:
    """What is read or heard stays with the reader, and the way to leave is a link."""
    assert _told(html) == []


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ('<img src="https://x.example/[[address|]]">', "[[address]] in <img src>"),
        ('<img src="https://x.example/?[[leave_url]]">', "[[leave_url]] in <img src>"),
        ('<a href="https://x.example/?who=[[name|]]">x</a>', "[[name]] in <a href>"),
        ('<p style="background:url(https://x.example/[[address|]])">', "[[address]] in <p style>"),
        ("<style>p{background:url(//x.example/[[name|]])}</style>", "[[name]] in <style>"),
        ('<td background="[[leave_url]]">', "[[leave_url]] in <td background>"),
        ('<link href="[[leave_url]]">', "[[leave_url]] in <link href>"),
    ],
)
def test_a_field_that_would_be_sent_somewhere_is_refused(html: str, told: str) -> None:
    """In an address or a style it would tell whoever is asked; element and field are named."""
    assert _told(html) == [f"{told} would tell others who reads"]


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ("<script>x</script>", "<script> has no place in a mail"),
        ("<iframe src=x></iframe>", "<iframe> has no place in a mail"),
        ("<FORM></FORM>", "<form> has no place in a mail"),
        ('<base href="https://x.example/">', "<base> has no place in a mail"),
        ('<p ONCLICK="x">', "<p onclick> would run a script"),
    ],
)
def test_what_would_act_is_refused(html: str, told: str) -> None:
    """Scripts, frames and forms are what filters take for an attack."""
    assert _told(html) == [told]
