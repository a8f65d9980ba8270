"""Documents to try the pipeline out with: Markdown, HTML and titles as nobody should write them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from digest.model import Image, Link, Summary

__all__ = ["Author"]


def _parts(text: str) -> list[str]:
    return text.split(" ")


_WORDS = _parts(
    "tide mill lock barge the of wheel 42 3.5 naïve Ångström 潮汐 水車 مدّ البحر приливы 🌊"
    " 👩\u200d🔧 é x_1"
    " foo_bar_baz *star* `code` \"so\" 'it's' -- ... https://a.example/b?c=d&e me@a.example R&D"
    " Vec<T> a<b [[page]] {{name}} {%if%} ${HOME} $5 $10 C:\\path \\( \\) \\[ \\] $$ | # > - + 1."
)
_MARKDOWN = (
    "# {0}\n\n{1}",
    "{0}\n===\n\n{1}",
    "- {0}\n- {1}\n  - {0}",
    "1. {0}\n\n   {1}\n2. {1}",
    "> {0}\n>\n> > {1}",
    "| {0} | {1} |\n|---|:-:|\n| {1} | `{0}` |",
    "```sh\n{0} {1}\n```",
    "    {0}\n    {1}",
    "{0}[^n] {1}\n\n[^n]: {0}",
    "{0}\n: {1}\n: {0}",
    "[{0}](https://a.example/{1})",
    "[{0}](javascript:{1} '{1}')",
    "![{0}](pic.png '{1}')",
    "![{0}](https://pixel.example/{1}.gif)",
    "[{0}]: data:text/html,{1}\n\n[{0}]",
    "<javascript:{0}> <https://a.example/{1}>",
    "**{0} *{1}** {0}*",
    "~~{0}~~ {1}  \n{0}\\\n{1}",
    "\\({0}^2 \\frac{{{1}}}{{2}}\\)",
    "\\[\n\\sum_{{i}} {0} \\\\ {1}\n\\]",
    "$x_{{{0}}}$ and $$ {1} $$",
    "***\n\n{0}\n\n---",
)
_HTML = (
    "<b>{0}<i>{1}</b></i>",
    "<script>{0}</script>{1}",
    "<SCRIPT SRC=//evil.example/x.js>{0}",
    "<img src=x onerror={0}>{1}",
    "<img src='https://pixel.example/p.gif' alt=\"{0}",
    "<svg/onload={0}><style>{1}</style></svg>",
    "<math><mi xlink:href='javascript:{0}'>{1}</math>",
    "<iframe src='https://evil.example/'>{0}</iframe>{1}",
    "<form action=/x><input name=a value='{0}'><button>{1}</form>",
    "<meta http-equiv=refresh content='0;url=//evil.example/'>{0}",
    "<link rel=stylesheet href=//evil.example/a.css><base href=//evil.example/>{0}",
    "<style>@import 'https://evil.example/';body{{background:url(//evil.example/)}}</style>{0}",
    "<p style='background:url(https://evil.example/)' class={0}>{1}",
    "<a href=' java&#10;script:x' onclick=y target=_blank>{0}</a>",
    "<table background=//evil.example/><tr><td>{0}<table><tr><b>{1}</table>",
    "<div><p>{0}</div></p></div></td></table>{1}",
    "<details open ontoggle=x><summary>{0}</summary>{1}</details>",
    "<!-- {0} --><![CDATA[ {1} ]]><!doctype html><? {0} ?>",
    "<!--[if mso]><script>x</script><![endif]-->{0}",
    "</div></body></html><plaintext>{0}",
    "<textarea>{0}<title>{1}",
    "<span role=button aria-label='Pay {0}' aria-hidden=true>{1}</span>",
    "<a id='{0}' name=x>{1}</a><p lang='\"><x' dir=up>{0}",
    '<noscript><p title="</noscript><img src=x onerror={0}>">{1}',
    "<video src=//evil.example/ poster=//evil.example/><source srcset=//evil.example/>{0}</video>",
    "<template><b>{0}</template><object data=//evil.example/>{1}</object>",
    "&lt;script&gt;{0}&lt;/script&gt; &#x3c;b&#62; &amp;lt; &nbsp; &#0; &unknown;",
    "<b {0}='{1}' <i>{1}</i \n>",
)
_SIGNS = (
    *("\x00", "\x0b", "\x1b[31m", "\u202e", "\u2028", "\ufeff", "\ufffe", "\ud800", "\u0338"),
    *("\u200d", "\u200f", "a\u0301\u0302", "[[leave_url]]", "[[name]]", "\x02", "\x03", "mftitle"),
    *("]]>", "-->", "<!--", "\r\n", "\t", "&", "<", ">", '"', "'"),
)


class Author:
    """Writes documents; equal seeds write equal ones."""

    def __init__(self, seed: str) -> None:
        self.dice = Random(seed)  # noqa: S311 - documents to try out, no secrets

    def one(self, choices: tuple[str, ...] | list[str]) -> str:
        """Choose one of several."""
        return self.dice.choice(choices)

    def chance(self, share: float) -> bool:
        """Tell whether a thing is to be done that is done so often."""
        return self.dice.random() < share

    def words(self, most: int = 8) -> str:
        """Write some words, now and then with a sign among them that is not to be seen."""
        count = self.dice.randint(1, most)
        chosen = [self.one(_WORDS) for _ in range(count)]
        if self.chance(0.2):
            chosen.insert(self.dice.randrange(len(chosen) + 1), self.one(_SIGNS))
        return " ".join(chosen)

    def piece(self) -> str:
        """Write a piece of Markdown or HTML."""
        source = self.one(_MARKDOWN if self.chance(0.6) else _HTML)
        return source.format(self.words(), self.words())

    def body(self) -> str:
        """Write the body of a document."""
        pieces = [self.piece() for _ in range(self.dice.randint(1, 5))]
        text = self.one(["\n\n", "\n", " ", ""]).join(pieces)
        if self.chance(0.2):  # a piece torn off, as editors leave them
            text = text[self.dice.randrange(len(text)) :]
        return text

    def title(self) -> str:
        """Write a title."""
        if self.chance(0.3):
            return self.one(_HTML).format(self.words(3), self.words(3))
        return self.words(12)

    def address(self) -> str:
        """Write an address, or what somebody took for one."""
        return self.one(
            [
                "",
                f"https://a.example/{self.words(3)}",
                "javascript:x",
                'https://a.example/"onx=1 <x>',
                "../up.html",
                "//b.example",
                "http://[",
            ]
        )

    def summary(self, standard: Summary) -> Summary:
        """Write a document over a standard one, with all that a header can say."""
        return replace(
            standard,
            title=self.title(),
            body=self.body(),
            summary=self.piece() if self.chance(0.2) else "",
            url=self.address(),
            source=self.words(2),
            authors=tuple(self.words(2) for _ in range(self.dice.randrange(6))),
            links=tuple(
                Link(label=self.words(2), url=self.address()) for _ in range(self.dice.randrange(3))
            ),
            image=Image(url=self.address(), alt=self.words(3)) if self.chance(0.3) else None,
            lang=self.one(["", "en", "ar", "zh-Hans", 'x" onx="1']),
        )
