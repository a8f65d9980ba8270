"""Tags, text and HTML where MJML loses them without a word: each is named with its line."""

from __future__ import annotations

import pytest

from digest.errors import TemplateError
from digest.render.adapter import wrap
from digest.render.lint import Fault, find_faults
from digest.render.mail import compile_mjml

# Where each tag may stand (the MJML reference, "Components"), written down anew.
_IN_COLUMN = ("mj-text", "mj-button", "mj-image", "mj-divider", "mj-spacer", "mj-table")
_IN_HEAD = ("mj-title", "mj-preview", "mj-attributes", "mj-style", "mj-breakpoint", "mj-font")
_AROUND_RAW = ("mj-head", "mj-body", "mj-wrapper", "mj-section", "mj-group", "mj-column")
PLACES = {
    "mj-head": {"mjml"},
    "mj-body": {"mjml"},
    **{tag: {"mj-head"} for tag in _IN_HEAD},
    "mj-wrapper": {"mj-body"},
    "mj-section": {"mj-body", "mj-wrapper"},
    "mj-group": {"mj-section"},
    "mj-column": {"mj-section", "mj-group"},
    **{tag: {"mj-column"} for tag in _IN_COLUMN},
    "mj-raw": set(_AROUND_RAW),
}
# What holds tags of MJML alone.
FRAMES = ("mjml", *_AROUND_RAW)
# The tags around each, from the outermost.
_PATHS = {
    "mjml": ("mjml",),
    "mj-head": ("mjml", "mj-head"),
    **{tag: ("mjml", "mj-head", tag) for tag in _IN_HEAD},
    "mj-body": ("mjml", "mj-body"),
    "mj-wrapper": ("mjml", "mj-body", "mj-wrapper"),
    "mj-section": ("mjml", "mj-body", "mj-section"),
    "mj-group": ("mjml", "mj-body", "mj-section", "mj-group"),
    "mj-column": ("mjml", "mj-body", "mj-section", "mj-column"),
    **{tag: ("mjml", "mj-body", "mj-section", "mj-column", tag) for tag in _IN_COLUMN},
    "mj-raw": ("mjml", "mj-body", "mj-raw"),
}
_DEFAULTABLE = ("mj-body", "mj-wrapper", "mj-section", "mj-group", "mj-column", *_IN_COLUMN)
_WRONG = [
    (tag, parent)
    for tag, parents in PLACES.items()
    for parent in _PATHS
    if parent not in parents and parent != "mj-attributes"
]
_RIGHT = [(tag, parent) for tag, parents in PLACES.items() for parent in sorted(parents)]


def _inside(parent: str, inner: str) -> str:
    """Write something on a line of its own within a tag that stands where it may."""
    path = _PATHS[parent]
    start = "".join(f"<{tag}>" for tag in path)
    return f"{start}\n{inner}\n{''.join(f'</{tag}>' for tag in reversed(path))}"


def _only(source: str) -> Fault:
    [fault] = find_faults(source)
    return fault


@pytest.mark.parametrize(("tag", "parent"), _WRONG)
def test_a_tag_in_a_wrong_place_is_named(tag: str, parent: str) -> None:
    """With its line, what would lose it, and where it may stand."""
    fault = _only(_inside(parent, f"  <{tag}></{tag}>"))

    assert (fault.line, fault.column) == (2, 2)
    assert fault.what == f"<{tag}> would be lost in <{parent}>"
    named = {name.strip("<>") for name in fault.fix.removeprefix("put it into ").split(" or ")}
    assert named == PLACES[tag]


@pytest.mark.parametrize(("tag", "parent"), _RIGHT)
def test_a_tag_in_its_place_is_no_fault(tag: str, parent: str) -> None:
    """Each may stand in each of its places."""
    assert find_faults(_inside(parent, f"<{tag}></{tag}>")) == ()


@pytest.mark.parametrize("parent", [*_PATHS, "p"])
def test_a_second_root_is_named(parent: str) -> None:
    """`mjml` is the whole of the source, and stands in nothing."""
    if parent == "p":
        source = "<p>\n<mjml></mjml></p>"
        fault = find_faults(source)[-1]
    else:
        fault = find_faults(_inside(parent, "<mjml></mjml>"))[0]
    assert fault.line == 2
    assert fault.what.startswith("<mjml> ")
    assert "<>" not in fault.fix


@pytest.mark.parametrize("tag", [*PLACES, "p", "mj-hero"])
def test_a_source_begins_with_its_root(tag: str) -> None:
    """Whatever else it begins with is named, a tag of MJML as well as one of HTML."""
    fault = find_faults(f"<!-- a comment -->\n<{tag}></{tag}>")[0]

    assert fault.line == 2
    assert fault.what == f"the source begins with <{tag}>"
    assert fault.fix == "begin it with <mjml>"


@pytest.mark.parametrize("parent", FRAMES)
def test_text_in_a_frame_is_named(parent: str) -> None:
    """The words are shown, the first forty signs of them; blanks and comments are no text."""
    fault = _only(_inside(parent, "Half a sentence, and so much more that it is cut"))
    assert fault.line == 2
    assert fault.what == (
        f"the text 'Half a sentence, and so much more that i' would be lost in <{parent}>"
    )
    assert fault.fix == "put it into <mj-text> or <mj-raw>"
    assert find_faults(_inside(parent, " \t\n <!-- words --> \n")) == ()


@pytest.mark.parametrize("parent", FRAMES)
@pytest.mark.parametrize("html", ["<p>a</p>", "<br/>", "<table><tr><td>a</td></tr></table>"])
def test_html_in_a_frame_is_named(parent: str, html: str) -> None:
    """Its outermost tag is, and what is in it is lost with it: one fault."""
    fault = _only(_inside(parent, html))
    tag = html[1:].partition(">")[0].rstrip("/")
    assert (fault.line, fault.what) == (2, f"<{tag}> would be lost in <{parent}>")
    assert fault.fix == "put it into <mj-text> or <mj-raw>"


@pytest.mark.parametrize("parent", ["mj-text", "mj-raw", "mj-table", "mj-button"])
def test_text_and_html_in_what_shows_them_are_no_fault(parent: str) -> None:
    """Also what looks like a place of MJML's, many levels down."""
    assert find_faults(_inside(parent, "words <p>a <b>bold</b> one</p> &amp; more")) == ()


@pytest.mark.parametrize("tag", _DEFAULTABLE)
def test_what_is_shown_may_have_defaults(tag: str) -> None:
    """In `mj-attributes` the tags stand for all of their kind."""
    name = "background-color" if tag not in {"mj-image", "mj-divider", "mj-spacer"} else "padding"
    name = "container-background-color" if tag == "mj-table" else name
    name = "direction" if tag == "mj-group" else name
    assert find_faults(_inside("mj-attributes", f'<{tag} {name}="0px" />')) == ()


@pytest.mark.parametrize("tag", ["mjml", "mj-head", "mj-raw", *_IN_HEAD])
def test_what_is_shown_nowhere_has_no_defaults(tag: str) -> None:
    """`mj-raw` among them: what somebody puts there would be lost."""
    fault = _only(_inside("mj-attributes", f"<{tag}></{tag}>"))
    assert fault.line == 2
    assert fault.what == f"<{tag}> has no defaults, and would be lost in <mj-attributes>"
    assert fault.fix == "put it before or after mj-attributes"


def test_raw_html_in_the_defaults_is_named_once_for_each_tag() -> None:
    """A style sheet that was put among the defaults tells where it belongs."""
    fault = _only(_inside("mj-attributes", "<mj-raw><style>p{color:red}</style></mj-raw>"))
    assert "<mj-raw>" in fault.what


@pytest.mark.parametrize("tag", ["p", "mj-hero", "mj-include"])
def test_unknown_tags_in_the_defaults_are_named(tag: str) -> None:
    """As they are elsewhere."""
    fault = _only(_inside("mj-attributes", f"<{tag}></{tag}>"))
    assert fault.line == 2
    assert tag in fault.what


def test_all_that_is_misplaced_is_told_in_one_run() -> None:
    """Line by line, in the order of the source."""
    source = (
        "<mjml>\n<mj-text>a</mj-text>\n<mj-head>\nwords</mj-head>\n"
        "<mj-body>\n<p>b</p>\n<mj-column></mj-column>\n</mj-body>\n</mjml>"
    )
    assert [(fault.line, fault.what) for fault in find_faults(source)] == [
        (2, "<mj-text> would be lost in <mjml>"),
        (4, "the text 'words' would be lost in <mj-head>"),
        (6, "<p> would be lost in <mj-body>"),
        (7, "<mj-column> would be lost in <mj-body>"),
    ]


@pytest.mark.parametrize("parent", ["mj-body", "mj-section", "mj-column", "mj-wrapper"])
@pytest.mark.parametrize("inner", ["SEEN", "<p>SEEN</p>", "<mj-head>SEEN</mj-head>"])
def test_the_engine_shows_nothing_of_what_is_named(parent: str, inner: str) -> None:
    """It drops it without a word, or gives up without naming it: the table speaks of what is so."""
    source = _inside(parent, inner)
    assert find_faults(source)
    try:
        html = compile_mjml(wrap(source, title="t"), place="letter.mjml.j2")
    except TemplateError:
        return
    assert "SEEN" not in html


def test_the_engine_takes_the_defaults_of_the_body() -> None:
    """`mj-body` is no fault among the defaults, since it works there."""
    head = '<mj-head><mj-attributes><mj-body background-color="#123456"/></mj-attributes></mj-head>'
    source = f"<mjml>{head}<mj-body><mj-section></mj-section></mj-body></mjml>"
    assert find_faults(source) == ()
    assert "#123456" in compile_mjml(wrap(source, title="t"), place="letter.mjml.j2")
