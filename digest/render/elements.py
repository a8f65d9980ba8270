"""The elements of HTML by what they are (HTML Living Standard §4, §13), and those let through."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ALLOWED",
    "BLOCKS",
    "CELLS",
    "DROPPED",
    "GROUPS",
    "IN_TABLE",
    "KNOWN",
    "LISTS",
    "PAGE",
    "RAW",
    "RENAMED",
    "VOID",
]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID: Final = _names(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr"
)
# The parser takes what is inside for text, up to the end tag of the same name.
RAW: Final = _names("iframe noembed noframes script style textarea title xmp")
CELLS: Final = _names("td th caption")
GROUPS: Final = _names("thead tbody tfoot")
IN_TABLE: Final = CELLS | GROUPS | _names("tr col colgroup")
LISTS: Final = _names("ul ol menu dir")
BLOCKS: Final = _names(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary"
    " table ul li dt dd"
)
# They are the page itself; an item is only a piece of one.
PAGE: Final = _names("html head body frameset plaintext")

# Elements that become another one: mail programs know few, and the page has one `main` already.
RENAMED: Final = dict.fromkeys(
    _names("address article aside center details footer header hgroup main nav section summary"),
    "div",
) | {"strike": "s", "tt": "code", "menu": "ul", "dir": "ul"}
# What mail and feed readers show: no style, script or form, and only img loads anything by itself.
ALLOWED: Final = _names(
    "p br hr h1 h2 h3 h4 h5 h6 strong em b i u s sub sup code pre blockquote ul ol li dl dt dd"
    " table caption thead tbody tfoot tr th td a img figure figcaption del ins abbr q cite small"
    " kbd samp var span bdi bdo dfn mark time wbr div ruby rp rt"
) | frozenset(RENAMED)
# These go with all that is in them: it is code, a fallback, or a choice nobody can make here.
DROPPED: Final = RAW | _names(
    "applet audio canvas datalist math noscript object select svg template video"
)
KNOWN: Final = (
    VOID
    | RAW
    | IN_TABLE
    | LISTS
    | BLOCKS
    | PAGE
    | ALLOWED
    | DROPPED
    | _names(
        "acronym big blink button data font g path circle desc foreignobject image isindex keygen"
        " label legend map marquee meter mi mn mo ms mtext nobr optgroup option output picture"
        " portal progress rb rtc selectedcontent slot"
    )
)
