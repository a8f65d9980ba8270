"""The adapter between our MJML and the engine, and the lint before it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.render.adapter import unwrap, wrap
from digest.render.lint import find_faults, loosen
from digest.render.mail import compile_mjml

_HOSTILE = '" onx="1"><xss>'


def _letter(body: str, head: str = "") -> str:
    return f"<mjml><mj-head>{head}</mj-head><mj-body>{body}</mj-body></mjml>"


def _column(body: str) -> str:
    return f"<mj-section><mj-column>{body}</mj-column></mj-section>"


def _compiled(source: str, title: str = "") -> str:
    html = compile_mjml(wrap(source, title="mftitle"), place="letter.mjml.j2")
    return unwrap(html, stand_in="mftitle", title=title)


@pytest.mark.parametrize(
    "tag",
    [
        '<mj-image src="https://a.example/x.png" alt="{}" />',
        '<mj-image src="{}" />',
        '<mj-image src="x.png" href="{}" />',
        '<mj-image src="x.png" title="{}" />',
        '<mj-button href="{}">go</mj-button>',
        '<mj-button href="x" css-class="{}">go</mj-button>',
        '<mj-button href="x" background-color="{}">go</mj-button>',
        '<mj-text css-class="{}">x</mj-text>',
        '<mj-text color="{}">x</mj-text>',
        '<mj-text font-family="{}">x</mj-text>',
        '<mj-divider border-color="{}" />',
        '<mj-table css-class="{}"><tr><td>x</td></tr></mj-table>',
    ],
)
def test_no_attribute_of_a_component_lets_a_quote_out(
    tag: str, read_html: Callable[..., Any]
) -> None:
    """What stands in an attribute of an `mj-` tag stays in it."""
    html = read_html(_compiled(_letter(_column(tag.format(escape(_HOSTILE))))))
    assert "xss" not in {name for name, _ in html.tags}
    assert not html.values("onx")


def test_single_quotes_and_ampersands_keep_their_value(read_html: Callable[..., Any]) -> None:
    """An attribute is the same after the engine as before it, whatever its quotes were."""
    source = _letter(_column("<mj-image src='x.png?a=1&amp;b=2' alt='say \"hi\" &amp;amp; go' />"))
    image = read_html(_compiled(source)).all("img")[0]
    assert image["src"] == "x.png?a=1&b=2"
    assert image["alt"] == 'say "hi" &amp; go'


def test_language_and_title_are_escaped_too(read_html: Callable[..., Any]) -> None:
    """The title goes into an attribute of the wrapper, and does not leave it."""
    source = _letter(_column("<mj-text>x</mj-text>"), "<mj-title>any &amp; all</mj-title>")
    source = source.replace("<mjml>", f'<mjml lang="{escape(_HOSTILE)}" dir="ltr">')
    html = read_html(_compiled(source, title=f"R&D {_HOSTILE}"))
    assert not html.values("onx")
    assert html.values("aria-label") == [f"R&D {_HOSTILE}"]
    assert html.all("html")[0]["lang"] == _HOSTILE


def test_inner_html_and_comments_are_left_to_the_engine() -> None:
    """Only `mj-` tags are escaped once more."""
    source = (
        '<mj-text css-class="a"><a href="?a=1&amp;b=2">x</a><!-- <mj-text a="&amp;"> --></mj-text>'
    )
    assert wrap(source, title="t") == source


def test_remote_fonts_of_the_engine_are_taken_out() -> None:
    """A system font stack that names Roboto loads nothing from anywhere."""
    html = _compiled(_letter(_column('<mj-text font-family="Arial,Roboto">x</mj-text>')))
    assert "googleapis" not in html
    assert "@import" not in html


def test_a_font_that_a_template_declares_stays() -> None:
    """`mj-font` is its author's choice; only what the engine added goes."""
    own = '<mj-font name="Sail" href="https://fonts.example/sail.css" />'
    html = _compiled(_letter(_column('<mj-text font-family="Sail,Roboto">x</mj-text>'), own))
    assert "googleapis" not in html
    assert html.count("https://fonts.example/sail.css") == 2


def test_only_style_sheets_of_the_engine_are_marked() -> None:
    """Ours are inlined; the engine's, and those in comments for Outlook, stay as they are."""
    head = (
        "<mj-style>.a > .b{color:red}</mj-style>"
        "<mj-raw><style>.c{color:blue}</style><!--[if mso]><style>d{}</style><![endif]--></mj-raw>"
    )
    html = _compiled(_letter(_column("<mj-text>x</mj-text>"), head))
    assert '<style type="text/css">.a > .b{color:red}</style>' in html
    assert "<style>.c{color:blue}</style>" in html
    assert "<!--[if mso]><style>d{}</style><![endif]-->" in html
    assert "own" not in html
    assert html.count(' data-premailer="ignore"') == 2


def test_the_missing_bracket_of_a_comment_is_put_back() -> None:
    """One engine comment for all but Outlook lacks its bracket."""
    assert unwrap("<!--[if !mso><!-->x", stand_in="t", title="") == "<!--[if !mso]><!-->x"


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_attribute_comes_through_the_engine_whole(text: str) -> None:
    """Wrapped, parsed and written by the engine, a value is what it was."""
    wrapped = wrap(f'<mj-text title="{escape(text)}"></mj-text>', title="t")
    inner = wrapped.removeprefix('<mj-text title="').removesuffix('"></mj-text>')
    assert inner == escape(escape(text))


def test_habits_of_html_become_xml() -> None:
    """Void elements are closed and names of characters become numbers; comments stay."""
    assert loosen('<br><img alt="a>b"> <hr/>&nbsp;&amp;&lt; <!--<br>&nbsp;-->') == (
        '<br/><img alt="a>b"/> <hr/>&#160;&amp;&lt; <!--<br>&nbsp;-->'
    )
    assert loosen("&nosuchname; &NotEqualTilde;") == "&nosuchname; &#8770;&#824;"


@pytest.mark.parametrize(
    ("source", "line", "says"),
    [
        (_letter(_column("\n<mj-text>a")), 2, "mismatched tag"),
        (_letter(_column("\n\n<mj-text>a & b</mj-text>")), 3, "not well-formed"),
        (_letter('<mj-include path="/etc/hosts" />'), 1, "mj-include"),
        (_letter("<mj-carousel></mj-carousel>"), 1, "<mj-carousel> is not supported"),
        (_letter(_column("\n<mj-text colour='red'>a</mj-text>")), 2, "no attribute colour"),
        (_letter("", "<mj-html-attributes></mj-html-attributes>"), 1, "mj-html-attributes"),
        (_letter("", '<mj-font name="Roboto" href="x" />'), 1, "Roboto is declared already"),
        (
            _letter(
                "", '<mj-attributes><mj-text color="a"/>\n<mj-text color="b"/></mj-attributes>'
            ),
            2,
            "stands twice",
        ),
        (
            _letter("", "<mj-attributes><mj-class name='a' colour='x'/></mj-attributes>"),
            1,
            "no attribute colour",
        ),
        ("<p>x</p>", 1, "begins with <p>"),
        ("<!DOCTYPE mjml><mjml></mjml>", 1, "DOCTYPE"),
        (_letter("<mj-raw><![CDATA[x]]></mj-raw>"), 1, "CDATA"),
    ],
)
def test_faults_are_found_with_their_line(source: str, line: int, says: str) -> None:
    """What engines pass over in silence is told before they run."""
    fault = find_faults(source)[0]
    assert fault.line == line
    assert says in fault.what
    assert fault.fix


def test_all_faults_are_told_at_once() -> None:
    """One run names every unknown tag and attribute."""
    faults = find_faults(_letter(_column('<mj-text a="1" b="2">x</mj-text><mj-hero />')))
    assert len(faults) == 3


def test_a_sound_letter_has_no_fault() -> None:
    """Defaults for all tags, for a class and for one tag may stand side by side."""
    head = (
        '<mj-attributes><mj-all font-family="Arial" /><mj-class name="a" color="red" />'
        '<mj-class name="b" color="blue" /><mj-text padding="0px" /></mj-attributes>'
    )
    assert find_faults(_letter(_column('<mj-text mj-class="a">x</mj-text>'), head)) == ()
