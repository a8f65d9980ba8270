"""What the looks look like, beside the pictures that a person looked at."""

import re
from collections.abc import Callable, Iterator

import pytest
from look.pictures import GOLDEN, SHOTS, Shot, Studio, difference, small, studio
from look.rendered import specimen_edition
from PIL import Image

pytestmark = pytest.mark.real

# The same browser gives the same picture, and the palette of a kept one differs by up to 4.6 from
# it. The least fault below, small print in the colour of text, differs by 12.
_TOLERANCE = 6
_SHOWN = SHOTS[0]


@pytest.fixture(scope="module")
def opened(chromium: str) -> Iterator[Studio]:
    """Give a studio."""
    with studio(chromium) as found:
        yield found


def _golden(shot: Shot) -> Image.Image:
    with Image.open(GOLDEN / shot.name) as picture:
        return picture.convert("RGB")


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_look_is_as_it_was_looked_at(opened: Studio, shot: Shot) -> None:
    """A look that changed is looked at again: `tests/look/pictures.py --write`."""
    assert difference(_golden(shot), small(opened.shot(shot))) < _TOLERANCE


_FAULTS: dict[str, Callable[[str], str]] = {
    "a badge is lost": lambda html: re.sub(r'<p class="kicker".*?</p>', "", html, count=1),
    "a badge has another colour": lambda html: html.replace(
        "color:#0B4A9E; background-color:#E3EEFC", "color:#0A5A55; background-color:#DDF3F0", 1
    ),
    "links have the colour of text": lambda html: html.replace("color:#0B57B7", "color:#1F2328"),
    "small print has the colour of text": lambda html: html.replace(
        "color:#565E68", "color:#1F2328"
    ),
    "titles are thin": lambda html: html.replace(
        "line-height:25px; font-weight:600", "line-height:25px; font-weight:400"
    ),
    "the edge is 28 pixels wide": lambda html: html.replace("0px 32px", "0px 28px"),
    "a word is lost": lambda html: html.replace("patience", "", 1),
    "the way to leave is lost": lambda html: html.replace("Unsubscribe", "", 1),
    "the page is white": lambda html: html.replace("#F5F4F1", "#FFFFFF"),
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_fault_is_seen(opened: Studio, fault: str) -> None:
    """The tolerance is below what any of these faults changes."""
    html = specimen_edition(_SHOWN.specimen, _SHOWN.look).files["issue.html"].decode()
    faulty = _FAULTS[fault](html)
    assert faulty != html

    taken = opened.picture(opened.local(faulty), width=_SHOWN.width, scheme=_SHOWN.scheme)

    assert difference(_golden(_SHOWN), small(taken)) > 1.5 * _TOLERANCE
