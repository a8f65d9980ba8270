"""Between our MJML and the engine: what it would let through wrongly is wrapped, then unwrapped.

The engine un-escapes the attributes of `mj-*` tags and never escapes them again, so that a quote
in a title becomes an attribute of its own. And it puts the title into an attribute without
escaping it, so a token stands for it while the engine runs.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Final

__all__ = ["unwrap", "wrap"]

# The mark by which premailer knows a style sheet that it must leave alone; it takes it off.
_IGNORED: Final = ' data-premailer="ignore"'
# A style sheet of the look's own, as opposed to those that the engine writes.
_OWN: Final = "/*own*/"

_PIECES = re.compile(
    r"(?P<comment><!--.*?-->)"
    r"|(?P<title><mj-title\b[^>]*>)[^<]*(?=</mj-title)"
    r"|(?P<style><(?:mj-)?style\b(?:[^\"'<>]|\"[^\"]*\"|'[^']*')*>)"
    r"|<(?P<name>mj-[a-z-]+|mjml)(?P<attributes>(?:[^\"'<>]|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([^\s=/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
# Whatever font stack names one of these, the engine adds a link to a remote style sheet for it.
_REMOTE_FONT: Final = (
    r"https://fonts\.googleapis\.com/css\?family="
    r"(?:Open\+Sans|Droid\+Sans|Lato|Roboto|Ubuntu):300,400,500,700"
)
_FONT_LINES = re.compile(
    rf"\s*(?:<link href=\"{_REMOTE_FONT}\"[^>]*>|@import url\({_REMOTE_FONT}\);)"
)
_FONTS = re.compile(
    r"<!--\[if !mso\]><!-->\s*(?:<link href=[^>]*>\s*)+"
    r"<style type=\"text/css\">(?:\s*@import url\([^)]*\);)+\s*</style>\s*<!--<!\[endif\]-->"
)
_HTML_STYLE = re.compile(r"(<!--.*?-->)|<style\b([^>]*)>(.*?)</style>", re.DOTALL)


def wrap(mjml: str, *, title: str) -> str:
    """Prepare well-formed MJML for the engine; the word `title` takes the place of the title."""

    def wrapped(match: re.Match[str]) -> str:
        if match["title"]:
            return match["title"] + title
        if match["style"]:
            return match["style"] + _OWN
        if match["name"]:
            return f"<{match['name']}{_ATTRIBUTE.sub(_escaped_twice, match['attributes'])}>"
        return match[0]

    return _PIECES.sub(wrapped, mjml)


def _escaped_twice(match: re.Match[str]) -> str:
    value = unescape(match[2] if match[2] is not None else match[3])
    return f'{match[1]}="{escape(escape(value))}"'


def unwrap(html: str, *, stand_in: str, title: str) -> str:
    """Undo in the compiled HTML what was wrapped, and mark the engine's own style sheets."""
    # The engine leaves out a bracket of this comment round some of its parts.
    html = html.replace("<!--[if !mso><!-->", "<!--[if !mso]><!-->")
    html = _FONTS.sub(_without_known_fonts, html, count=1)
    return _HTML_STYLE.sub(_marked, html).replace(stand_in, escape(title))


def _marked(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    if _OWN in match[3]:
        return f"<style{match[2]}>{match[3].replace(_OWN, '')}</style>"
    # Of one for certain media premailer keeps its hands, and would keep the mark.
    mark = "" if "media=" in match[2] else _IGNORED
    return f"<style{match[2]}{mark}>{match[3]}</style>"


def _without_known_fonts(match: re.Match[str]) -> str:
    """Keep of the engine's fonts those that a template declared itself with `mj-font`."""
    kept = _FONT_LINES.sub("", match[0])
    return kept if "@import" in kept else ""
