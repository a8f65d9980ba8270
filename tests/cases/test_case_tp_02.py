"""TP-02: Outlook's comments, and rules for dark and narrow screens, come through the inliner."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cases.forms import Issue, tree_of
from cases.inputs import both
from cases.letters import general_mail, read_part

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_FRAGMENT = """\
<!-- head part of the template -->
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>
  .crate { background-color: #fafafa; color: #202020; }
  @media (prefers-color-scheme: dark) { .crate, .crate > p { background-color: #101010 !important; color: #f0f0f0 !important; } }
  @media (max-width: 480px) { .crate { width: 100% !important; } }
</style>
<!--[if mso]><style>td { mso-line-height-rule: exactly; }</style><![endif]-->
<!-- body part -->
<!--[if mso | IE]><table role="presentation" width="600"><tr><td><![endif]-->
<div class="crate" width="600"><p>What is in the crate</p></div>
<!--[if mso | IE]></td></tr></table><![endif]-->
<!--[if !mso]><!--><p class="crate">Not for one client</p><!--<![endif]-->
"""  # noqa: E501 - one rule a line, as such fragments are written
_ITEM = "---\ntitle: Tide mills\nurl: https://mills.example/\n---\n\nThey ground corn.\n"
_SHIPPED = Path(__file__).resolve().parents[2] / "templates" / "letter.mjml.j2"
_COMMENT = re.compile(r"<!--\[if[^\]]*\]>(?:<!-->)?|(?:<!--)?<!\[endif\]-->")


def _parts(fragment: str) -> tuple[str, str]:
    head, _, body = fragment.partition("<!-- body part -->")
    return head.partition("-->\n")[2].strip(), body.strip()


@pytest.fixture
def html(publish: Publish, newsletter: Make, files: dict[str, bytes]) -> str:
    """Give the HTML part of a mail whose template holds the fragment."""
    head, body = _parts(files["fragment.html"].decode())
    style = re.search(r"<style>.*?</style>\n?", head, re.DOTALL)
    assert style is not None
    rules = style[0].removeprefix("<style>").partition("</style>")[0]
    head = head.replace(style[0], "")
    # Its own metas stand where the shipped ones did.
    template = re.sub(
        r'<meta name="[a-z-]*color-schemes?"[^>]*>\n', "", _SHIPPED.read_text("utf-8")
    )
    template = template.replace("<mj-raw>\n", f"<mj-raw>\n{head}\n", 1)
    template = template.replace("</mj-style>", f"</mj-style>\n<mj-style>{rules}</mj-style>", 1)
    first = template.index("<mj-section", template.index("<mj-body"))
    template = f"{template[:first]}<mj-raw>{body}</mj-raw>\n{template[first:]}"
    root = newsletter({"content/mills.md": _ITEM, "templates/letter.mjml.j2": template})
    return read_part(general_mail(publish(root)), "html")


_both = both("TP-02", {"fragment.html": _FRAGMENT}, "*.html")


@_both
def test_tp_02_comments_keep_their_form(html: str, files: dict[str, bytes]) -> None:
    """As many conditional comments begin as end, and those of the fragment stand unchanged."""
    found = _COMMENT.findall(html)
    begun = [one for one in found if "[if" in one]

    assert len(begun) == len(found) - len(begun) > 0
    for one in _COMMENT.findall(files["fragment.html"].decode()):
        assert one in found
    for comment in re.findall(r"<!--\[if mso[^!]*?<!\[endif\]-->", files["fragment.html"].decode()):
        assert comment in html


@_both
def test_tp_02_rules_of_media_queries_win(html: str, files: dict[str, bytes]) -> None:
    """Rules in both media queries keep their weight, so that they beat what is inlined."""
    fragment = files["fragment.html"].decode()
    sheets = "\n".join(re.findall(r"<style[^>]*>(.*?)</style>", html, re.DOTALL))
    bare = re.sub(r"\s+", "", sheets)

    for query in re.findall(r"@media [^{]*\{ [^}]*\}[^}]*\}", fragment):
        assert re.sub(r"\s+", "", query) in bare
    assert "&gt;" not in sheets
    name = "crate" if "crate" in fragment else "card"
    found = [div for div in tree_of(html).iter("div") if div.get("class") == name]
    [element] = [div for div in found if div.get("width") == "600"]
    assert "background-color" in str(element.get("style"))  # the light colours are inlined


@_both
def test_tp_02_head_has_both_metas(html: str, files: dict[str, bytes]) -> None:
    """Both metas for colour schemes stand in the head of what is sent."""
    metas = re.findall(r"<meta ([^>]*)>", html.partition("</head>")[0])

    for name in ("color-scheme", "supported-color-schemes"):
        assert f'name="{name}"' in files["fragment.html"].decode()
        wanted = {f'name="{name}"', 'content="light dark"'}
        assert [set(re.findall(r'[a-z]+="[^"]*"', meta)) for meta in metas].count(wanted) == 1
