"""The structure of a compiled mail, without what two right engines may write differently.

Run as a program with `--write`, it makes the kept structures anew: with the official MJML engine,
the package `mjml` of npm, in the folder that DIGEST_NODE_MODULES names. Our own engine must give
the same.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

_TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS), str(_TESTS.parent)]

from look.letter import letter_mjml  # noqa: E402 - found by the line above
from look.rendered import LOOKS  # noqa: E402 - found by the line above
from real.nodes import ask_node  # noqa: E402 - found by the line above

from digest.render.adapter import unwrap  # noqa: E402 - found by the line above

__all__ = ["GOLDEN", "VIEWS", "as_version_5", "official", "structure"]

GOLDEN: Final = Path(__file__).resolve().parent / "golden"
VIEWS: Final = ("web", "mso")

_CONDITIONAL: Final = re.compile(r"<!--\[if ([^\]]*)\]>(.*?)<!\[endif\]-->", re.DOTALL)
_REVEALED: Final = re.compile(r"<!--\[if !mso[^\]]*\]><!-->(.*?)<!--<!\[endif\]-->", re.DOTALL)
_SPACE: Final = re.compile(r"\s+")
_SHORT_COLOUR: Final = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])\b")
_STYLE_SIGNS: Final = re.compile(r"\s*([{}:;,>])\s*")
_RULE: Final = re.compile(r"[^{}]*\{[^{}]*\}|[^{}]+\{|\}")
_ASIDE: Final = frozenset({("class", ""), ("data-premailer", "ignore")})
_VOID: Final = frozenset({"br", "hr", "img", "link", "meta"})


def structure(html: str, view: str) -> str:
    """Write what a mail program sees, one tag or text a line: as `web` or as Outlook (`mso`) does.

    Attributes and declarations are sorted; white space, the notation of colours, comments, empty
    classes and the marks of our own adapter are set aside.
    """
    if view == "mso":
        html = _CONDITIONAL.sub(r"\2", _REVEALED.sub("", html))
    else:
        html = _CONDITIONAL.sub("", _REVEALED.sub(r"\1", html))
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "\n".join(reader.told()) + "\n"


class _Reader(HTMLParser):
    """Notes tags and texts, each as one line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[str] = []
        self._style = False

    def told(self) -> Iterator[str]:
        """Give the lines, those that hold nothing left out."""
        return filter(None, self._lines)

    def handle_decl(self, decl: str) -> None:
        self._lines.append(f"<!{decl.lower()}>")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._style = tag == "style"
        pairs = sorted((name, _value(name, value or "")) for name, value in attrs)
        shown = (f'{name}="{value}"' for name, value in pairs if (name, value) not in _ASIDE)
        self._lines.append("<" + " ".join([tag, *shown]))

    def handle_endtag(self, tag: str) -> None:
        self._style = False
        if tag not in _VOID:
            self._lines.append(f"</{tag}")

    def handle_data(self, data: str) -> None:
        if self._style:
            self._lines.extend(_rules(data))
        else:
            self._lines.append(_SPACE.sub(" ", data).strip(" \n"))


def _rules(style: str) -> Iterator[str]:
    """Give a style sheet rule by rule, the last semicolon of each left out."""
    for rule in _RULE.findall(style):
        yield _colours(_STYLE_SIGNS.sub(r"\1", rule.strip()).replace(";}", "}"))


def _value(name: str, value: str) -> str:
    value = _SPACE.sub(" ", value).strip()
    if name == "style":
        parts = (_SPACE.sub("", part) for part in value.split(";"))
        return _colours(";".join(sorted(filter(None, parts))))
    return _colours(value) if name == "bgcolor" else value


def _colours(value: str) -> str:
    return _SHORT_COLOUR.sub(r"#\1\1\2\2\3\3", value.lower())


# What version 5 of the official engine writes otherwise, as regular expressions for our lines: the
# class of the body stands on `body`, and corners are rounded at the innermost cell.
_SINCE_5: Final = (
    (r'<body (style="background-color:#f5f4f1)', r'<body class="page" \1'),
    (
        r'(aria-roledescription="email") class="page"( .*style="background-color:#f5f4f1)',
        r"\1\2;word-spacing:normal",
    ),
    (r"(border-radius:8px;margin:0pxauto;max-width:600px)", r"\1;overflow:hidden"),
    (
        r'(background:#ffffff);border-radius:8px(;width:100%"\n<tbody\n<tr\n<td style=")',
        r"\1;border-collapse:separate\2border-radius:8px;",
    ),
)


def as_version_5(structure: str) -> str:
    """Rewrite a structure of ours as version 5 would have it; raise ValueError for none to find."""
    for ours, theirs in _SINCE_5:
        structure, found = re.subn(ours, theirs, structure)
        if found != 1:
            raise ValueError(f"{ours} was found {found} times")
    return structure


def official(look: str) -> str:
    """Compile the letter of a look with the official engine."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "letter.mjml"
        source.write_text(letter_mjml(look), "utf-8")
        html = ask_node(Path(__file__).with_name("mjml.cjs"), str(source))
    assert isinstance(html, str)
    return unwrap(html, stand_in="\0", title="")  # it too links to the fonts of others


def main() -> None:
    """Make the kept structures anew."""
    if sys.argv[1:] != ["--write"]:
        sys.exit("say --write to make the structures anew")
    for look in LOOKS:
        html = official(look)
        for view in VIEWS:
            file = GOLDEN / f"{look}-{view}.txt"
            file.write_text(structure(html, view), "utf-8")


if __name__ == "__main__":
    main()
