"""The colours in which text comes to the eye, and which of them are too alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.checks.colours import Colour
from digest.checks.contrast import faint_texts, seen_texts

_WHITE = "#FFFFFF"


def _seen(html: str, *, scheme: str = "light") -> dict[str, tuple[str, str]]:
    """Give colour and ground of each text."""
    return {
        one.text: (str(one.colour), str(one.ground)) for one in seen_texts(html, schemes=[scheme])
    }


def _page(css: str, body: str) -> str:
    return f"<!doctype html><html><head><style>{css}</style></head><body>{body}</body></html>"


def test_text_without_colours_is_black_on_white() -> None:
    """So a program shows what a mail says nothing of; links are blue."""
    html = '<p>word <a href="https://a.example/">link</a> <a name="x">place</a></p>'

    assert _seen(html) == {"word": ("#000000", _WHITE), "link": ("#0000EE", _WHITE)}
    assert _seen(html, scheme="dark") == _seen(html)


def test_canvas_in_the_dark() -> None:
    """A mail that says it can be dark stands on a dark canvas there."""
    html = '<meta name="Color-Scheme" content="light dark"><p>word <a href="https://a.example/">x'

    assert _seen(html, scheme="dark") == {
        "word": ("#FFFFFF", "#121212"),
        "x": ("#9E9EFF", "#121212"),
    }
    assert _seen(html)["word"] == ("#000000", _WHITE)
    only_light = html.replace("light dark", "light")
    assert _seen(only_light, scheme="dark")["word"] == ("#000000", _WHITE)


@pytest.mark.parametrize(
    ("css", "tag"),
    [
        ("p{color:#123456}", "<p>"),
        ("p{color:red}p{color:#123456}", "<p>"),
        ("#i{color:#123456}.k{color:red}p{color:blue}", '<p id="i" class="k">'),
        ("p{color:red !important}", '<p style="color:#123456 !important">'),
        ("p{color:#123456 !important}", '<p style="color:red">'),
        ("p{color:#123456!important}.k{color:red}", '<p class="k">'),
        ("p{color:#123456;color:oops}", "<p>"),
        ("body{color:#123456}p{color:inherit}", "<p>"),
        ("body{color:#123456}p{color:currentcolor}", "<p>"),
        ("body{color:#123456}p{color:unset}", "<p>"),
        ("p:hover{color:red}p::first-line{color:red}p{color:#123456}", "<p>"),
        ("p:is(,{color:red}p[{color:red}p{color:#123456}", "<p>"),
        ("q,p{color:#123456}", "<p>"),
        ("@media (max-width:20px){p{color:red}}p{color:#123456}", "<p>"),
        ("", '<p style="color:#123456;">'),
        ("", '<p><font color="123456">'),
        ("p{color:red}", '<p><font color="#123456">'),
        ("font{color:#123456}", '<p><font color="red">'),
    ],
)
def test_which_declaration_wins(css: str, tag: str) -> None:
    """Importance, place, specificity and order decide; what cannot be read is left out."""
    assert _seen(_page(css, f"{tag}word")) == {"word": ("#123456", _WHITE)}


def test_initial_colour() -> None:
    """`initial` is the colour of the canvas."""
    assert _seen(_page("body{color:red}p{color:initial}", "<p>word")) == {
        "word": ("#000000", _WHITE)
    }


@pytest.mark.parametrize(
    ("tags", "ground"),
    [
        ('<div style="background:#eee">', "#EEEEEE"),
        ('<div style="background:url(x.png) #eee no-repeat">', "#EEEEEE"),
        ('<div style="background:linear-gradient(red,blue)">', _WHITE),
        ('<div style="background-color:#eee;background:none">', _WHITE),
        ('<div style="background-color:#eee"><p style="background-color:inherit">', "#EEEEEE"),
        ('<div style="background-color:#eee"><p style="background-color:transparent">', "#EEEEEE"),
        ('<div style="background-color:#eee"><p style="background-color:initial">', "#EEEEEE"),
        ('<p style="color:#00f;background-color:currentcolor">', "#0000FF"),
        ('<div style="background-color:rgba(0,0,0,.2)">', "#CCCCCC"),
        ('<div style="background:#000"><p style="background:rgb(255 255 255 / 40%)">', "#666666"),
        ('<table bgcolor="#EEE"><tr><td>', "#EEEEEE"),
        ('<table bgcolor="oops"><tr><td>', _WHITE),
        ("<mark>", "#FFFF00"),
    ],
)
def test_ground(tags: str, ground: str) -> None:
    """Grounds lie over each other; pictures and gradients do not count."""
    ((_, found),) = _seen(f"<!doctype html>{tags}word").values()

    assert found == ground


@pytest.mark.parametrize(
    "tags",
    [
        '<p style="display:none">',
        '<p style="display:none"><b style="display:block">',
        '<p style="visibility:hidden">',
        '<p style="visibility:hidden"><b>',
        '<p style="opacity:0">',
        '<p style="opacity:.05"><b style="opacity:.05">',
        '<p style="opacity:0%"><b style="opacity:1">',
        '<p style="font-size:0">',
        '<p style="font-size:1px">',
        '<p style="overflow:hidden;max-height:0">',
        '<p style="overflow:clip;height:1px;width:1px"><b>',
        "<p hidden>",
        "<noscript>",
        "<template>",
    ],
)
def test_text_that_nobody_sees(tags: str) -> None:
    """Hidden text, such as the line beside the subject, has no contrast."""
    assert _seen(f"{tags}word") == {}


@pytest.mark.parametrize(
    "tags",
    [
        '<p style="visibility:hidden"><b style="visibility:visible">',
        '<p style="font-size:0"><b style="font-size:16px">',
        '<p style="max-height:0">',
        '<p style="overflow:hidden;height:1em">',
        '<p style="overflow:hidden;width:100%">',
        '<p style="opacity:1.5">',
        '<p style="opacity:1px">',
    ],
)
def test_text_that_is_seen_after_all(tags: str) -> None:
    """What shows itself again, or is not hidden by what it says, is looked at."""
    assert list(_seen(f"{tags}word")) == ["word"]


@pytest.mark.parametrize("filler", ["&nbsp;", "&#847;&zwnj;&nbsp;", "&shy;", "&#8288;"])
def test_signs_without_a_shape(filler: str) -> None:
    """Blanks and joiners are no text."""
    assert _seen(f"<p>{filler}</p>") == {}


def test_opacity_mixes_text_and_ground() -> None:
    """An element with an opacity is mixed with what is behind it, one around another."""
    inner = '<b style="opacity:50%;background:#000;color:#fff">word</b>'

    assert _seen(f'<p style="opacity:.4;background:#fff;color:#000">{inner}</p>') == {
        "word": ("#FFFFFF", "#CCCCCC")
    }


def test_words_of_a_picture() -> None:
    """They stand where the picture does not; a picture has no other text."""
    html = '<a href="https://a.example/" style="color:#00a"><img alt="A  weir" src="x.png"></a>'

    assert _seen(html) == {"A weir": ("#0000AA", _WHITE)}


def test_comments_are_no_text() -> None:
    """What only Outlook reads is not looked at; what stands behind it is."""
    assert list(_seen("<p><!--[if mso]><b>no</b><![endif]-->word<!-- x --> more</p>")) == [
        "word more"
    ]


def test_what_stands_behind_an_element_is_of_the_one_around() -> None:
    """The text behind an element has not its colours."""
    html = '<p style="color:#111">one<b style="color:#222">two</b>three</p>'

    assert _seen(html) == {"one": ("#111111", _WHITE), "two": ("#222222", _WHITE)}


def test_media_of_a_whole_sheet() -> None:
    """`<style media>` holds where its query fits."""
    html = "<style media='(prefers-color-scheme:dark)'>p{color:#123456}</style><p>word"

    assert _seen(html) == {"word": ("#000000", _WHITE)}
    assert _seen(html, scheme="dark") == {"word": ("#123456", _WHITE)}


def test_narrow_windows_are_looked_at_too() -> None:
    """What a telephone gets to see counts as what a desktop does."""
    html = _page("@media (max-width:480px){p{color:#999}}", "<p>word")

    assert [one.scheme for one in faint_texts(html)] == ["light", "dark"]


@pytest.mark.parametrize(
    ("style", "faint"),
    [
        ("color:#777", True),
        ("color:#767676", False),
        ("color:#777;font-size:23.9px", True),
        ("color:#777;font-size:24px", False),
        ("color:#777;font-size:18pt", False),
        ("color:#777;font-size:1.5em", False),
        ("color:#777;font-size:1.5rem", False),
        ("color:#777;font-size:150%", False),
        ("color:#777;font-size:x-large", False),
        ("color:#777;font-size:larger", True),
        ("color:#777;font-size:18.66px", True),
        ("color:#777;font-size:18.66px;font-weight:bold", False),
        ("color:#777;font-size:18.66px;font-weight:700", False),
        ("color:#777;font-size:18.66px;font-weight:600", True),
        ("color:#777;font-size:18.5px;font-weight:bold", True),
        ("color:#777;font:bold 20px/24px serif", False),
        ("color:#777;font:20px serif", True),
        ("color:#777;font:caption", True),
        ("color:#777;font-size:9cm", True),
        ("color:#777;font-size:99", True),
        ("color:#949494;font-size:24px", False),
        ("color:#959595;font-size:24px", True),
    ],
)
def test_large_text_may_be_fainter(style: str, *, faint: bool) -> None:
    """From 24 px, or 18.66 px in bold, a contrast of 3 is enough."""
    assert bool(faint_texts(f'<p style="{style}">word', schemes=["light"])) == faint


@pytest.mark.parametrize(
    ("tags", "faint"),
    [
        ("<h1>", False),
        ("<h2>", False),
        ("<h3>", False),
        ("<h4>", True),
        ("<h1><small><small>", False),
        ("<h2><sup>", False),
        ("<h2><sup><sub>", True),
        ("<p style='font-size:20px'><strong>", False),
        ("<p style='font-size:20px'><em>", True),
        ("<p style='font-size:20px;font-weight:bold'><em style='font-weight:normal'>", True),
    ],
)
def test_sizes_of_their_own_accord(tags: str, *, faint: bool) -> None:
    """Headings are large and bold, small print is smaller, and all of it is inherited."""
    html = f"<div style='color:#777'>{tags}word"

    assert bool(faint_texts(html, schemes=["light"])) == faint


def test_what_is_told_of_a_faint_text() -> None:
    """Its words, cut where they are long, its colours, its contrast rounded down, and its line."""
    (one,) = faint_texts(f'<p>x</p>\n<p style="color:#777">{"word " * 20}</p>', schemes=["light"])

    assert (one.line, one.least, one.scheme) == (2, 4.5, "light")
    assert one.colour == Colour(119 / 255, 119 / 255, 119 / 255)
    assert len(one.text) == 60
    assert str(one) == (
        f"the text '{('word ' * 20)[:59]}…' has a contrast of 4.47 in light colours "
        "(#777777 on #FFFFFF), less than 4.5"
    )


def test_nothing_to_look_at() -> None:
    """HTML without an element has no text."""
    assert faint_texts("") == ()
    assert faint_texts("<!-- -->") == ()


_SNIPPETS = st.sampled_from(
    [
        *("<p>", "</p>", "<b style='color:", "red", "#12", ";font-size:", "9px", "'>", "word", ">"),
        *("<style>", "</style>", "p{color:", "}", "@media x{", "opacity:.5;", "<td bgcolor=", "&"),
        "\x00",
    ]
)


@given(st.lists(_SNIPPETS, max_size=30).map("".join))
@settings(deadline=None, max_examples=100)
def test_any_page_can_be_looked_at(html: str) -> None:
    """Nothing stops the look; each contrast is one, and twice gives the same."""
    found = faint_texts(html)

    assert all(1 <= one.ratio < one.least for one in found)
    assert faint_texts(html) == found
