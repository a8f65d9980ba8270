"""Our MJML engine beside the official one: both looks, as web mail and Outlook see them."""

import pytest
from look.letter import letter_html
from look.rendered import LOOKS
from look.structure import GOLDEN, VIEWS, as_version_5, official, structure
from real.nodes import node_module


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("look", LOOKS)
def test_structure_is_that_of_the_official_engine(look: str, view: str) -> None:
    """Tag by tag and word by word, save for what version 5 writes otherwise."""
    ours = as_version_5(structure(letter_html(look), view))

    assert ours == (GOLDEN / f"{look}-{view}.txt").read_text("utf-8")


@pytest.mark.real
@pytest.mark.parametrize("look", LOOKS)
def test_kept_structure_is_what_the_official_engine_gives_now(look: str) -> None:
    """A template that changed needs its structures anew: `tests/look/structure.py --write`."""
    node_module("mjml")

    html = official(look)

    for view in VIEWS:
        assert structure(html, view) == (GOLDEN / f"{look}-{view}.txt").read_text("utf-8")


def test_structure_sets_aside_how_a_tag_is_written() -> None:
    """Order of attributes and declarations, white space and short colours make no difference."""
    one = '<td class="" style="color:#FFF; padding:0px 4px" align="left">a  b</td>'
    other = '<td\n  align="left" style="padding:0px 4px;color:#ffffff">\n a b </td>'

    assert structure(one, "web") == structure(other, "web")


@pytest.mark.parametrize(
    "other",
    ["<p>a</p>", "<p lang='en'>b</p>", "<div>b</div>", "<p>b<!--[if mso]>c<![endif]--></p>"],
)
def test_structure_keeps_words_tags_and_attributes(other: str) -> None:
    """What a reader would miss is told."""
    assert structure("<p>b</p>", "mso") != structure(other, "mso")


def test_views_differ_by_what_is_for_outlook() -> None:
    """Each sees its own part of the conditional comments."""
    html = "<!--[if mso | IE]><b>o</b><![endif]--><!--[if !mso]><!--><i>w</i><!--<![endif]-->"

    assert structure(html, "mso") == "<b\no\n</b\n"
    assert structure(html, "web") == "<i\nw\n</i\n"


def test_version_5_is_asked_for_where_it_differs() -> None:
    """A structure without the places in which the versions differ is refused."""
    with pytest.raises(ValueError, match="was found 0 times"):
        as_version_5("<p\n</p\n")
