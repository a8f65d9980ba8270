"""Which features of HTML and CSS a mail uses, and which of them mail programs lack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.checks.finding import Hit, Material, Seen
from digest.checks.page import Page
from digest.checks.support import (
    accepted_text,
    features,
    lacked,
    read_accepted,
    unsupported,
)
from digest.checks.support_css import css_features
from digest.checks.support_table import GAPS
from digest.errors import TemplateError
from digest.files import read_templates
from digest.publish.editions import render
from digest.publish.specimen import specimens

# Of these an edition never tells by its HTML whether it uses them.
_NOT_SEEN = {"amp", "bimi", "image-apng", "image-hdr"}
# Declarations that use a feature, where it is not named after the property itself.
_DECLARED = {
    "css-block-inline-size": "block-size:9px",
    "css-border-image": "border-image-source:none",
    "css-border-inline-block": "border-inline:1px solid",
    "css-border-inline-block-individual": "border-block-start:1px solid",
    "css-border-inline-block-longhand": "border-inline-end-width:1px",
    "css-border-radius": "border-top-left-radius:1px",
    "css-border-radius-logical": "border-start-end-radius:1px",
    "css-column-layout-properties": "column-rule-color:red",
    "css-conic-gradient": "background-image:conic-gradient(red,blue)",
    "css-display-flex": "display:inline-flex",
    "css-display-grid": "display:grid !important",
    "css-display-none": "DISPLAY:None",
    "css-function-clamp": "width:clamp(1px,2px,3px)",
    "css-function-light-dark": "color:light-dark(red,blue)",
    "css-function-max": "width:max(1px,2px)",
    "css-function-min": "width:min(1px,2px)",
    "css-gap": "column-gap:1px",
    "css-grid-template": "grid-template-columns:1fr",
    "css-important": "color:red! important",
    "css-intrinsic-size": "width:fit-content",
    "css-left-right-top-bottom": "top:0",
    "css-linear-gradient": "background-image:repeating-linear-gradient(red,blue)",
    "css-margin": "margin-left:0",
    "css-margin-block-start-end": "margin-block-start:0",
    "css-margin-inline-block": "margin-inline:0",
    "css-margin-inline-start-end": "margin-inline-end:0",
    "css-modern-color": "color:oklch(40% 0.1 90)",
    "css-padding": "padding-top:0",
    "css-padding-block-start-end": "padding-block-end:0",
    "css-padding-inline-block": "padding-block:0",
    "css-padding-inline-start-end": "padding-inline-start:0",
    "css-radial-gradient": "background:radial-gradient(red,blue)",
    "css-rgb": "color:rgb(1,2,3)",
    "css-rgba": "color:rgba(1,2,3,0.5)",
    "css-scroll-snap": "scroll-snap-type:x",
    "css-sytem-ui": "font-family:system-ui,Arial",
    "css-unit-calc": "width:calc(1px + 2px)",
    "css-unit-initial": "color:initial",
    "css-unit-percent": "width:1%",
    "css-user-select": "-webkit-user-select:none",
    "css-variables": "color:var(--ink)",
}
_SHEETS = {
    "css-at-font-face": "@font-face{font-family:X}",
    "css-at-import": "@import 'more.css';",
    "css-at-keyframes": "@-webkit-keyframes x{from{color:red}}",
    "css-at-media": "@media{p{color:red}}",
    "css-at-media-device-pixel-ratio": "@media (-webkit-min-device-pixel-ratio:2){}",
    "css-at-media-hover": "@media (any-hover:hover){}",
    "css-at-media-orientation": "@media screen and (orientation:portrait){}",
    "css-at-supports": "@supports(display:grid){}",
    "css-comments": "/* why */",
    "css-nesting": "p{color:red;a{color:blue}}",
    "css-pseudo-class-lang": "p:lang(en){}",
    "css-pseudo-class-nth-child": "p:nth-child(2n + 1){}",
    "css-selector-adjacent-sibling": "h1 + p{}",
    "css-selector-attribute": "[data-ogsc='a']{}",
    "css-selector-chaining": ".a.b{}",
    "css-selector-child": "h1>p{}",
    "css-selector-class": ".a{}",
    "css-selector-descendant": "h1 p{}",
    "css-selector-general-sibling": "h1~p{}",
    "css-selector-grouping": "h1,p{}",
    "css-selector-id": "#a{}",
    "css-selector-type": "p{}",
    "css-selector-universal": "*{}",
}
_WRITTEN = {
    "css-inert-attribute": "<p inert>x</p>",
    "html-anchor-links": '<a href="#top">x</a>',
    "html-body": "<body>x</body>",
    "html-button-reset": '<button type="reset">x</button>',
    "html-button-submit": "<button>x</button>",
    "html-doctype": "<!DOCTYPE html><p>x</p>",
    "html-image-maps": '<img src="a.png" usemap="#m">',
    **{
        f"html-input-{kind}": f'<input type="{kind}">'
        for kind in ("checkbox", "hidden", "radio", "reset", "submit")
    },
    "html-input-text": "<input>",
    "html-lists": "<dl><dt>x</dt></dl>",
    "html-loading-attribute": '<img src="a.png" loading="lazy">',
    "html-mailto-links": '<a href="MAILTO:a@river.example">x</a>',
    "html-meta-color-scheme": '<meta name="color-scheme" content="dark">',
    "html-semantics": "<figure>x</figure>",
    "html-srcset": '<img src="a.png" srcset="b.png 2x">',
    "html-style": "<style></style>",
    "image-base64": '<img src="data:image/png;base64,AAAA">',
    "image-heif": '<img src="https://river.example/a.HEIC?x=1">',
    "image-svg": "<p style=\"background-image:url('data:image/svg+xml,x')\">x</p>",
    "image-tiff": '<p style="list-style-image:url(a.tif)">x</p>',
    "image-webp": '<table background="a.webp"></table>',
}
_AS_ATTRIBUTE = frozenset(
    (
        *("align", "aria-describedby", "aria-hidden", "aria-label", "aria-labelledby"),
        *("aria-live", "background", "dir", "height", "hidden", "lang", "popover", "required"),
        *("role", "target", "width"),
    )
)


def _example(feature: str) -> str:
    """Write HTML that uses a feature."""
    kind, _, name = feature.partition("-")
    if feature in _WRITTEN:
        return _WRITTEN[feature]
    if kind == "image":
        return f'<img src="pictures/a.{name}">'
    if kind == "html":
        return f'<p {name}="x">x</p>' if name in _AS_ATTRIBUTE else f"<{name}>x</{name}>"
    return f"<style>{_css_example(name)}</style>"


def _css_example(name: str) -> str:
    """Write CSS that uses a feature: a rule for a pseudo-class, a medium, a unit, a property."""
    feature = f"css-{name}"
    part, _, end = name.partition("-")
    if feature in _SHEETS:
        return _SHEETS[feature]
    if part == "pseudo":
        return f"p:{end.partition('-')[2]}{{color:red}}"
    if part == "at":
        return f"@media ({end.removeprefix('media-')}:x){{}}"
    unit = f"width:1.5{end}" if part == "unit" else f"{name}:x"
    return f"p{{{_DECLARED.get(feature, unit)}}}"


@pytest.mark.parametrize("feature", sorted(GAPS.keys() - _NOT_SEEN))
def test_each_feature_of_the_table_is_found(feature: str) -> None:
    """HTML or CSS that uses a feature is found to use it; a few cannot be seen in HTML."""
    assert feature in features(_example(feature))


def test_a_plain_text_uses_nothing() -> None:
    """Words without marks, and nothing at all, use no feature."""
    assert features("") == features("<!-- x -->") == features("rows of oars") == frozenset()


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("color:#0B57B7;margin:0", "css-margin"),
        ("font-family:'system-ui','initial',Arial", ""),
        ("mso-line-height-rule:exactly;-webkit-text-size-adjust:100%", ""),
        ("background:url(data:image/png;base64,AA==) ; z-index:2", "css-background css-z-index"),
        ("background:url(/max(1rem).png)", "css-background"),
        ("color:red;;;:;display:;cursor", "css-cursor css-display"),
        ("outline-color:red;outline-offset:1px", "css-outline css-outline-offset"),
        ("border-spacing:1px;border-collapse:collapse", "css-border-spacing"),
        ("animation-name:initials;transition-delay:2remote", "css-animation css-transition"),
        ("color:red;/* margin:0; */opacity:1", "css-comments css-opacity"),
    ],
)
def test_declarations_are_read_as_css_is(css: str, expected: str) -> None:
    """Strings, addresses, colours and names that only look like a feature are none."""
    assert features(f'<p style="{css}">x</p>') - {"image-base64"} == set(expected.split())


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("p::before{}", "css-pseudo-element-before css-selector-type"),
        ("p:before{}", "css-pseudo-element-before css-selector-type"),
        (".a:not(:hover > p){}", "css-pseudo-class-not css-selector-class"),
        ("p:nth-child(2n + 1){}", "css-pseudo-class-nth-child css-selector-type"),
        ("[title='a.b > c, d']{}", "css-selector-attribute"),
        ("@keyframes x{from{opacity:0}50%{opacity:1}}", "css-at-keyframes css-opacity"),
        (
            "@media (min-width:9px) and (orientation:portrait){p{}}",
            "css-at-media css-at-media-orientation css-selector-type",
        ),
        ("@import url('a;b{}.css') screen;", "css-at-import"),
        (
            "@supports (gap:1px){@media print{#a{gap:0}}}",
            "css-at-media css-at-supports css-gap css-selector-id",
        ),
        ("}}p{opacity:1", "css-opacity css-selector-type"),
        ("p{color:'}opacity:1'}/* never ends", "css-comments css-selector-type"),
        (".a{@media print{opacity:1}}", "css-at-media css-nesting css-opacity css-selector-class"),
    ],
)
def test_style_sheets_are_read_as_css_is(css: str, expected: str) -> None:
    """At-rules, selectors and blocks are told apart, also where something is missing."""
    assert features(f"<style>{css}</style>") - {"html-style"} == set(expected.split())


@pytest.mark.parametrize("src", ["cid:a1.webp@river.example", "HTTPS://x.example/A.WebP?v=2#a@b"])
def test_the_format_of_a_picture_is_told_by_its_name(src: str) -> None:
    """The ending of a file's name counts, whatever stands behind it in the address."""
    assert features(f'<img src="{src}">') == {"image-webp"}


def test_what_only_outlook_reads_is_set_aside() -> None:
    """Conditional comments are for Outlook; what stands between two of them is for all others."""
    html = (
        "<!--[if mso]><style>p{opacity:1}</style><div role='main'>x</div><![endif]-->"
        "<!--[if !mso]><!--><bdi>x</bdi><!--<![endif]-->"
    )
    assert features(html) == {"html-bdi"}


def test_a_body_that_a_parser_adds_is_not_used() -> None:
    """Elements count where they are written, not where HTML implies them."""
    assert "html-body" not in features("<p>x</p>")
    assert "html-body" in features("<html><BODY class=a><p>x</p></html>")


@given(st.lists(st.sampled_from("{};:/*'\"\\@()[].#>+~, \nurlamediacheckfrom12%-!"), max_size=60))
@settings(deadline=None, max_examples=100)
def test_any_text_can_be_read_as_css(marks: list[str]) -> None:
    """CSS of any form is read to its end, and each place lies within its lines."""
    css = "".join(marks)
    assert all(0 <= line <= css.count("\n") for _, line in css_features(css))


@given(st.lists(st.sampled_from(sorted(GAPS.keys() - _NOT_SEEN)), max_size=6))
@settings(deadline=None, max_examples=50)
def test_a_mail_uses_what_its_parts_use(used: list[str]) -> None:
    """Whatever stands beside it, a feature is found; one that is nowhere used is not."""
    alone = {feature for one in used for feature in features(_example(one))}
    whole = "<!doctype html><body>" + "".join(_example(one) for one in used)
    assert features(whole) - {"html-doctype", "html-body"} == alone - {"html-doctype", "html-body"}


def _hits(material: Callable[..., Material], html: str, *, accepted: str = "") -> list[Hit]:
    made = replace(material(), support=frozenset(accepted.split()))
    seen = Seen(material=made, html=html, text="", mail=Page(), page=Page(), entry=Page())
    return list(unsupported(seen))


def test_d118_names_the_feature_and_who_lacks_it(material: Callable[..., Material]) -> None:
    """One finding a feature, at its first line, naming mail programs and where these run."""
    html = '<p>x</p>\n<p style="position:absolute">x</p>\n<bdi>x</bdi>\n<bdi>y</bdi>'
    first, second = _hits(material, html)
    assert (first.path, first.line) == ("outbox/2026-w49/issue.html", 2)
    assert first.message == (
        "uses css-position, which is lacked by Gmail, Outlook (classic Windows, iOS)"
    )
    assert second.line == 3
    assert second.message.startswith("uses html-bdi, which is lacked by Gmail, Outlook, ")


def test_d118_gives_the_line_within_a_style_sheet(material: Callable[..., Material]) -> None:
    """Lines are counted through style sheets, comments and blocks."""
    html = "<p>x</p>\n<style>\n/* a\n b */ td {\n color:red;\n\n  z-index:1\n}</style>"
    told = {hit.message.split(",")[0]: hit.line for hit in _hits(material, html)}
    assert told == {"uses css-selector-type": 4, "uses css-z-index": 7}


def test_d118_leaves_alone_what_the_look_accepts(material: Callable[..., Material]) -> None:
    """Features that the look uses anyhow are told no more; all others are."""
    html = '<p style="position:absolute;z-index:1">x</p>'
    told = [hit.message.split(",")[0] for hit in _hits(material, html, accepted="css-position")]
    assert told == ["uses css-z-index"]


def test_d118_leaves_alone_what_all_have_at_least_in_part(
    material: Callable[..., Material],
) -> None:
    """A feature that no named program lacks altogether is no finding."""
    html = '<p style="margin:0">x</p>'
    assert features(html) == {"css-margin"}
    assert lacked(features(html)) == frozenset()
    assert _hits(material, html) == []


def test_what_a_look_accepts_is_written_and_read_again() -> None:
    """The file of a look holds its features in order, whatever order they come in."""
    text = accepted_text({"html-bdi", "css-position"})
    assert text == '{\n  "accepted": [\n    "css-position",\n    "html-bdi"\n  ]\n}\n'
    assert read_accepted(text, place="templates/support.json") == {"css-position", "html-bdi"}
    assert read_accepted(accepted_text(()), place="support.json") == frozenset()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "has no list of names"),
        ("{}", "has no list of names"),
        ('{"accepted": "html-bdi"}', "has no list of names"),
        ('{"accepted": [1]}', "has no list of names"),
    ],
)
def test_a_file_that_accepts_nothing_readable_is_named(text: str, told: str) -> None:
    """A broken `support.json` stops with its place and what to write."""
    with pytest.raises(TemplateError, match=told) as caught:
        read_accepted(text, place="templates/support.json")
    assert caught.value.problems[0].where == "templates/support.json"
    assert "--accept" in caught.value.problems[0].fix


@pytest.mark.parametrize("look", ["default", "compact"])
def test_a_shipped_look_accepts_exactly_what_it_uses(
    look: str, material: Callable[..., Material], tmp_path: Path
) -> None:
    """The list of a shipped look is what its specimen issues use and mail programs lack."""
    templates = read_templates(tmp_path, look)
    used: set[str] = set()
    for specimen in specimens(material().newsletter):
        html = render(specimen.material(templates)).files["issue.html"].decode()
        used |= lacked(features(html))
    accepted = read_accepted(templates.texts["support.json"], place="support.json")
    assert sorted(accepted) == sorted(used), f"look at it, then: digest look check {look} --accept"
