"""Style rules written into the elements they meet, since several mail programs read no others.

The work is premailer's; this class closes what its switches leave open: style sheets are parsed
by a reader that fetches nothing, so that no `@import` opens a socket or a file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

import cssutils

from digest.errors import TemplateError

# premailer loads `requests` for pages that it might fetch. It fetches none here, and loading costs
# a tenth of a second and opens a socket; an empty module of that name will do.
_LOADED = "requests" in sys.modules
if not _LOADED:
    sys.modules["requests"] = ModuleType("requests")
from premailer import Premailer  # noqa: E402 - see above

if not _LOADED:
    del sys.modules["requests"]

__all__ = ["inline_styles"]

_CRITICAL: Final = 50  # the level's number; the logging module is none of this room's business
_DOCTYPE: Final = "<!doctype html>"
_BEGUN: Final = "&lt;!--"


def _fetch_nothing(url: str) -> tuple[str, bytes]:
    del url
    return "utf-8", b""


class _Offline(Premailer):  # type: ignore[misc]  # premailer publishes no types
    def _parse_css_string(self, css_body: str, validate: bool = True) -> Any:  # noqa: ANN401, FBT001, FBT002 - the signature is premailer's
        parser = cssutils.CSSParser(fetcher=_fetch_nothing, validate=validate)
        return parser.parseString(css_body, validate=validate)


@contextmanager
def _quiet() -> Iterator[None]:
    """Let cssutils say nothing while it reads style sheets; its log is its own."""
    level = cssutils.log.getEffectiveLevel()
    cssutils.log.setLevel(_CRITICAL)
    try:
        yield
    finally:
        cssutils.log.setLevel(level)


def inline_styles(html: str) -> str:
    """Inline the rules of all style sheets but those with `data-premailer="ignore"`.

    Style sheets stay in the head for their media queries. A lower-case doctype is put aside,
    since premailer drops it. Raise TemplateError for a selector that cannot be applied.
    """
    body = html.lstrip()
    has_doctype = body.lower().startswith(_DOCTYPE)
    if has_doctype:
        body = body[len(_DOCTYPE) :]
    # libxml2 takes it for a server's instruction where it stands in an attribute, and writes what
    # follows, up to the end of a comment, without escaping it.
    begun = "commentbegun"
    while begun in body:
        begun += "x"
    body = body.replace(_BEGUN, begun)
    inliner = _Offline(
        keep_style_tags=True,
        strip_important=False,
        disable_validation=True,
        disable_leftover_css=True,
        allow_network=False,
        allow_loading_external_files=False,
        disable_link_rewrites=True,
        align_floating_images=False,
        remove_unset_properties=False,
        disable_basic_attributes=["width", "height", "align", "valign", "bgcolor"],
        cache_css_parsing=False,
    )
    try:
        with _quiet():
            inlined: str = inliner.transform(body, pretty_print=False)
    except (SyntaxError, ValueError, AssertionError) as error:
        raise TemplateError(
            f"a style rule cannot be inlined: {error}",
            fix="write the selector without commas and colons inside brackets",
        ) from error
    # libxml2 does not know this element, which has no end tag (HTML Living Standard §4.5.28).
    inlined = inlined.replace("</wbr>", "").replace(begun, _BEGUN)
    return f"{_DOCTYPE}\n{inlined}" if has_doctype else inlined
