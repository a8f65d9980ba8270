"""Style rules inlined: nothing fetched, nothing lost that mail programs need."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import cssutils
import pytest

from digest.errors import TemplateError
from digest.render.inline import inline_styles

_PAGE = "<!doctype html>\n<html><head>{}</head><body>{}</body></html>"


@pytest.fixture
def witness() -> Iterator[tuple[str, list[bytes]]]:
    """Give the address of a loopback server and what it was asked."""
    asked: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with closing(connection):
                    asked.append(connection.recv(1000))
                    connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/css\r\n\r\np{}")

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_rules_are_written_into_elements() -> None:
    """Classes and elements get their style; the style sheet stays for its media queries."""
    html = inline_styles(
        _PAGE.format(
            "<style>p{margin:0 0 12px}.a > b{color:#123456}</style>", "<p class=a><b>x</b></p>"
        )
    )
    assert '<p class="a" style="margin:0 0 12px">' in html
    assert '<b style="color:#123456">' in html
    assert ".a > b{color:#123456}" in html


def test_the_lower_case_doctype_comes_back() -> None:
    """What the MJML engine wrote first is first again, once; a fragment gets none."""
    assert inline_styles(_PAGE.format("", "x")).startswith("<!doctype html>\n<html>")
    assert inline_styles(_PAGE.format("", "x")).lower().count("<!doctype") == 1
    assert "doctype" not in inline_styles("<html><body>x</body></html>").lower()


def test_nothing_is_fetched(witness: tuple[str, list[bytes]]) -> None:
    """Neither an import nor a linked style sheet opens a socket."""
    address, asked = witness
    head = (
        f'<style>@import url({address}/a.css);@import "{address}/b.css" screen;p{{color:#102031}}'
        f'</style><link rel="stylesheet" href="{address}/c.css">'
    )
    html = inline_styles(_PAGE.format(head, "<p>x</p>"))
    assert '<p style="color:#102031">' in html
    assert asked == []


def test_the_witness_would_have_seen_a_request(witness: tuple[str, list[bytes]]) -> None:
    """The proof above is worth something: the library left to itself does fetch."""
    address, asked = witness
    cssutils.CSSParser(loglevel=50).parseString(f"@import url({address}/a.css);")
    assert any(request.startswith(b"GET /a.css") for request in asked)


def test_no_file_is_opened(tmp_path: Path) -> None:
    """An import of a file is not read into the mail."""
    secret = tmp_path / "secret.css"
    secret.write_text("p{color:#abcdef}", "utf-8")
    style = f"<style>@import url({secret.as_uri()});</style>"
    assert "#abcdef" not in inline_styles(_PAGE.format(style, "<p>x</p>"))


def test_comments_for_outlook_and_dark_rules_survive() -> None:
    """Conditional comments are byte-equal; media queries keep their weight and their signs."""
    comments = [
        "<!--[if mso]><style>td { mso-line-height-rule: exactly; }</style><![endif]-->",
        '<!--[if mso | IE]>\n  <table role="presentation" width="600"><tr><td><![endif]-->',
        "<!--[if mso | IE]></td></tr></table><![endif]-->",
        "<!--[if !mso]><!-->",
        "<!--<![endif]-->",
    ]
    style = (
        ".card{background-color:#fedcba}"
        "@media (prefers-color-scheme: dark){.card, .card > p{background-color:#102031 !important}}"
        "@media (max-width: 480px){.card{width:100% !important}}"
        "[data-ogsc] .card{color:#eeeeee !important}a:hover{color:#000001}"
    )
    body = (
        f'{comments[1]}<div class="card" width="600"><p>x</p></div>{comments[2]}'
        f'{comments[3]}<p class="card">y</p>{comments[4]}'
    )
    html = inline_styles(_PAGE.format(f"<style>{style}</style>{comments[0]}", body))
    assert re.findall(r"<!--.*?-->", html, re.DOTALL) == comments
    assert style in html
    assert html.count('style="background-color:#fedcba"') == 2
    assert 'width="600"' in html


def test_marked_style_sheets_are_left_alone() -> None:
    """A style sheet of the engine is not inlined, and its mark is gone afterwards."""
    html = inline_styles(
        _PAGE.format('<style data-premailer="ignore">p{color:red}</style>', "<p>x</p>")
    )
    assert "<p>x</p>" in html
    assert "data-premailer" not in html


def test_addresses_and_stand_ins_are_untouched() -> None:
    """Query strings keep their ampersands, and a field's stand-in its place."""
    html = inline_styles(
        _PAGE.format("", '<a href="https://a.example/?a=1&amp;b=2">x</a><a href="mf12ab">y</a>')
    )
    assert 'href="https://a.example/?a=1&amp;b=2"' in html
    assert 'href="mf12ab"' in html


def test_a_selector_that_cannot_be_applied_is_refused() -> None:
    """A comma inside brackets ends the run with words, not with a traceback."""
    with pytest.raises(TemplateError, match="cannot be inlined"):
        inline_styles(_PAGE.format('<style>[title="a,b"]{color:red}</style>', "<p>x</p>"))


def test_the_log_of_the_library_is_put_back(capfd: pytest.CaptureFixture[str]) -> None:
    """Bad style says nothing on the way, and the library's own level is what it was."""
    before = cssutils.log.getEffectiveLevel()
    inline_styles(_PAGE.format("<style>p{colour:;}}</style>", "<p>x</p>"))
    assert cssutils.log.getEffectiveLevel() == before
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "words", ["a &lt;!-- &amp;amp; &amp;e --&gt; b", "&lt;!--[if mso]&gt;x", "&lt;!--"]
)
def test_words_that_begin_a_comment_stay_escaped(words: str) -> None:
    """In an attribute and in text, what reads like a comment is text; the token for it is free."""
    html = f'<p title="{words}" class="commentbegun">commentbegunx {words}</p>'

    inlined = inline_styles(html)

    assert f'title="{words.replace("&gt;", ">")}"' in inlined.replace("&gt;", ">")
    assert inlined.replace("&gt;", ">").count(words.replace("&gt;", ">")) == 2
    assert inlined.count("commentbegun") == 2
