r"""Markdown as safe HTML, and as one plain line.

CommonMark 0.31.2 with tables and strikethrough (GFM 0.29 §4.10, §6.5), footnotes, definition
lists, LaTeX formulas in `\(…\)` and `\[…\]`, in dollars where asked for, and raw HTML, sanitised.
Content is data: no template engine sees it. Formulas alone have elements and attributes that no
author can write: they are set aside and put in after the sanitiser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import escape, unescape
from types import MappingProxyType
from typing import Final, Literal

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, table
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from digest.model import clean_line, clean_text
from digest.render.aside import Aside
from digest.render.braces import BRACES, braces_plugin
from digest.render.formulas import BLOCK, INLINE, formulas_plugin
from digest.render.lines import cut
from digest.render.maths import formula_html, formula_mathml, formula_text
from digest.render.sanitise import safe_html
from digest.render.typography import typography_plugin

__all__ = ["Form", "Maths", "first_words", "fragment", "markdown_html"]

# "html" is for mail and feed, "mathml" for the page; "text" has formulas and notes as plain text
# writes them; "words" leaves notes and pictures out.
Form = Literal["html", "mathml", "text", "words"]
Maths = Literal["plain", "mathml"]
_HTML: Final = frozenset({"html", "mathml"})

_DEEPEST: Final = 40
_WIDEST_TABLE: Final = 40  # columns; each short row is filled up to them
_LEVELS_AT_ONCE: Final = 3  # a list opens a list and an item, a definition three
_TAG: Final = re.compile("<[^>]*>")
_NO_PROSE: Final = re.compile(r"<(pre|table)\b.*?</\1>", re.DOTALL)
# In one line, the words on both sides of these stand apart.
_PARTING: Final = re.compile(
    r"</?(?:br|hr|p|h[1-6]|[uod]l|li|d[td]|table|caption|t[dhr]|pre|div|blockquote|figure)\b[^>]*>"
)


def markdown_html(  # noqa: PLR0913 - how a piece is set, all by name
    text: str,
    *,
    base: str,
    language: str = "en",
    heading_level: int = 4,
    prefix: str = "",
    dollars: bool = False,
    maths: Maths = "plain",
) -> str:
    """Make safe HTML of Markdown: an allow-list of elements, well-formed also as XML.

    Relative addresses become absolute against `base`. The highest heading becomes
    `h<heading_level>`, none is below h6. Quotes become typographic for English (`language` is a tag
    of RFC 5646). Footnotes are linked by ids that begin with `prefix`; without one they are plain
    numbers, which is right where the piece's place on a page is not known, as in a feed. With
    `dollars` also `$…$` and `$$…$$` hold formulas. `maths` says how formulas are set: in plain
    elements with a label to be read out, which every mail program shows, or in MathML.
    """
    return fragment(
        text,
        form="html" if maths == "plain" else "mathml",
        base=base,
        language=language,
        heading_level=heading_level,
        prefix=prefix,
        dollars=dollars,
    )


def first_words(text: str, *, limit: int, language: str = "en", dollars: bool = False) -> str:
    """Give the words of Markdown as one plain line of at most `limit` characters.

    It is cut at a word, with an ellipsis; footnotes and pictures are left out, and so are tables
    and blocks of code where there are other words.
    """
    html = fragment(text, form="words", base="", language=language, dollars=dollars)
    return cut(_line(_NO_PROSE.sub(" ", html)) or _line(html), limit)


def _line(html: str) -> str:
    return clean_line(unescape(_TAG.sub("", _PARTING.sub(" ", html))))


def fragment(  # noqa: PLR0913 - as above
    text: str,
    *,
    form: Form,
    base: str,
    language: str = "en",
    heading_level: int = 1,
    prefix: str = "",
    dollars: bool = False,
) -> str:
    """Make safe HTML of Markdown in one of the forms; see `markdown_html`."""
    parser = _parser(quotes=language.lower().partition("-")[0] == "en", dollars=dollars)
    aside = Aside.beside(text)
    env: dict[str, object] = {"form": form, "prefix": escape(prefix), "aside": aside}
    html = parser.render(clean_text(text), env)
    safe = safe_html(html, base=base, heading_level=heading_level, prefix=prefix, aside=aside)
    return safe.strip("\n ")


@cache
def _parser(*, quotes: bool, dollars: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _DEEPEST})
    parser.enable(["table", "strikethrough"])
    parser.use(footnote_plugin).use(deflist_plugin)
    parser.use(formulas_plugin, dollars=dollars)
    parser.use(braces_plugin)
    parser.use(typography_plugin, quotes=quotes)
    parser.block.ruler.before("table", "too_deep", _too_deep)
    parser.block.ruler.at("table", _narrow_table, {"alt": ["paragraph", "reference"]})
    # The sanitiser decides on addresses: it keeps the words of a link that it refuses.
    parser.validateLink = _any_address  # type: ignore[method-assign]  # as its documents advise
    parser.add_render_rule("image", _image)
    parser.add_render_rule("th_open", _cell)
    parser.add_render_rule("td_open", _cell)
    for name, made in _MADE.items():
        parser.add_render_rule(name, _rule(made))
    return parser


def _any_address(url: str) -> bool:
    del url
    return True


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001, PLR0917 - the parser's signature
    """Take what is nested too deep for a paragraph; the parser would drop it."""
    if silent or state.level < _DEEPEST - _LEVELS_AT_ONCE:
        return False
    last = start + 1
    while last < end and not state.isEmpty(last) and state.sCount[last] >= state.blkIndent:
        last += 1
    state.push("paragraph_open", "p", 1)
    inline = state.push("inline", "", 0)
    inline.content = state.getLines(start, last, state.blkIndent, False).strip()  # noqa: FBT003 - its signature
    inline.children = []
    state.push("paragraph_close", "p", -1)
    state.line = last
    return True


def _narrow_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001, PLR0917 - as above
    """Read a table, unless it has so many columns that a few empty rows would make a big one."""
    below = start + 1
    if (
        below < end
        and state.src.count("|", state.bMarks[below], state.eMarks[below]) > _WIDEST_TABLE
    ):
        return False
    return table(state, start, end, silent)


# ---- what the renderer writes for a token --------------------------------------------------------

_Made = Callable[[Token, EnvType], str]


def _rule(made: _Made) -> Callable[..., str]:
    """Give a rule the signature of the renderer's own."""

    def rule(_renderer: RendererHTML, tokens: Sequence[Token], idx: int, *rest: EnvType) -> str:
        return made(tokens[idx], rest[-1])

    return rule


def _cell(  # noqa: PLR0917 - the renderer's signature
    renderer: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
) -> str:
    """Say of which cells a head tells, for those who hear the table (WCAG 2.2, technique H63)."""
    token = tokens[idx]
    if token.tag == "th":
        token.attrSet("scope", "col")
    side = str(token.attrs.pop("style", "")).removeprefix("text-align:")
    if side:
        token.attrSet("align", side)  # the sanitiser takes it from there
    return renderer.renderToken(tokens, idx, options, env)


def _image(  # noqa: PLR0917 - the renderer's signature
    renderer: RendererHTML, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
) -> str:
    if env["form"] == "words":
        return ""
    for token in tokens[idx].children or []:  # its words: the renderer knows only text in them
        if token.type == INLINE:
            token.content = formula_text(token.content, opener=token.markup)
        if token.type in {INLINE, BRACES}:
            token.type = "text"
    return renderer.image(tokens, idx, options, env)


def _formula(token: Token, env: EnvType) -> str:
    if env["form"] in _HTML:
        set_formula = formula_html if env["form"] == "html" else formula_mathml
        return str(env["aside"].put(set_formula(token.content, opener=token.markup)))
    text = formula_text(token.content, opener=token.markup)
    return escape(text, quote=False).replace("\n", "<br>")


def _formula_block(token: Token, env: EnvType) -> str:
    return f"<p>{_formula(token, env)}</p>\n"


def _note_mark(token: Token, env: EnvType) -> str:
    number, form = token.meta["id"] + 1, env["form"]
    if form not in _HTML:
        return f"[{number}]" if form == "text" else ""
    if not env["prefix"]:
        return f"<sup>[{number}]</sup>"
    note = f"{env['prefix']}fn{number}"
    return f'<sup><a href="#{note}" id="{_mark_id(token, env)}">[{number}]</a></sup>'


def _mark_id(token: Token, env: EnvType) -> str:
    again = token.meta.get("subId", 0)
    return f"{env['prefix']}fnref{token.meta['id'] + 1}" + (f"-{again + 1}" if again else "")


def _notes_open(_token: Token, env: EnvType) -> str:
    # Raw text, which the sanitiser drops with all that is in it.
    return "<noframes>" if env["form"] == "words" else "<ol>\n"


def _notes_close(_token: Token, env: EnvType) -> str:
    return "</noframes>" if env["form"] == "words" else "</ol>\n"


def _note_open(token: Token, env: EnvType) -> str:
    return f'<li id="{env["prefix"]}fn{token.meta["id"] + 1}">'


def _note_back(token: Token, env: EnvType) -> str:
    if env["form"] not in _HTML or not env["prefix"]:
        return ""
    return f' <a href="#{_mark_id(token, env)}">↩</a>'


_MADE: Final[Mapping[str, _Made]] = MappingProxyType(
    {
        INLINE: _formula,
        BLOCK: _formula_block,
        BRACES: lambda token, _env: escape(token.content, quote=False),
        "footnote_ref": _note_mark,
        "footnote_block_open": _notes_open,
        "footnote_block_close": _notes_close,
        "footnote_open": _note_open,
        "footnote_anchor": _note_back,
    }
)
