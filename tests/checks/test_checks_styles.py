"""Style sheets: what is read of them, and for which media it holds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.checks.styles import (
    Declaration,
    Medium,
    StyleRule,
    applies,
    read_declarations,
    read_rules,
)

_PHONE = Medium(scheme="light", width=375)
_DESK = Medium(scheme="dark", width=600)


def _told(css: str) -> list[tuple[str, tuple[str, ...], str]]:
    return [
        (
            rule.selectors,
            rule.media,
            ";".join(f"{one.name}:{one.value}" for one in rule.declarations),
        )
        for rule in read_rules(css)
    ]


def test_rules_in_their_order() -> None:
    """Selectors and declarations come as written, with the queries around them."""
    css = "a,b > c{x:1;y:2}@media screen{d{z:3}@media (max-width:9px){e{}}}f{w:4}"

    assert _told(css) == [
        ("a,b > c", (), "x:1;y:2"),
        ("d", ("screen",), "z:3"),
        ("e", ("screen", "(max-width:9px)"), ""),
        ("f", (), "w:4"),
    ]


def test_queries_around_a_sheet() -> None:
    """They stand before those in the sheet."""
    (rule,) = read_rules("@media print{a{x:1}}", media=("screen",))

    assert rule.media == ("screen", "print")


@pytest.mark.parametrize(
    ("css", "told"),
    [
        ("/* a{x:1} */b{y:2}", [("b", (), "y:2")]),
        ("<!-- a{x:1} -->", [("a", (), "x:1")]),
        ("/* open a{x:1}", []),
        ('a[title="}"]{x:";y:2";z:3}', [('a[title="}"]', (), 'x:";y:2";z:3')]),
        ("a[title='\\'}']{x:1}", [("a[title='\\'}']", (), "x:1")]),
        ("a{x:url(data:image/gif;base64,A)}", [("a", (), "x:url(data:image/gif;base64,A)")]),
        ("@import 'x.css';a{x:1}", [("a", (), "x:1")]),
        ("@charset 'utf-8';@font-face{x:1}a{x:1}", [("a", (), "x:1")]),
        ("@supports (x:1){a{x:1}}b{y:2}", [("b", (), "y:2")]),
        ("@keyframes k{from{x:1}to{x:2}}b{y:2}", [("b", (), "y:2")]),
        ("@MEDIA print{a{x:1}}", [("a", ("print",), "x:1")]),
        ("a{x:1;b{y:2}}c{z:3}", [("a", (), "x:1"), ("c", (), "z:3")]),
        ("@supports (x:1){@media screen{a{x:1}}}b{y:2}", [("b", (), "y:2")]),
        ("@media x{" * 33 + "a{x:1}" + "}" * 33 + "b{y:2}", [("b", (), "y:2")]),
        ("}a{x:1}", [("a", (), "x:1")]),
        ("a{x:1", [("a", (), "x:1")]),
        ("@media print{a{x:1", [("a", ("print",), "x:1")]),
    ],
)
def test_marks_that_mean_something_else(
    css: str, told: list[tuple[str, tuple[str, ...], str]]
) -> None:
    """Comments, strings, addresses and at-rules are not taken for rules."""
    assert _told(css) == told


def test_declarations() -> None:
    """Names in lower case, values on one line; what is none is left out."""
    found = read_declarations("COLOR : Red ! IMPORTANT;;font:\n1px  A;nothing;:x;y:;b:a!x;/*c*/z:1")

    assert list(found) == [
        Declaration(name="color", value="Red", important=True),
        Declaration(name="font", value="1px A"),
        Declaration(name="b", value="a!x"),
        Declaration(name="z", value="1"),
    ]


@pytest.mark.parametrize(
    ("query", "phone", "desk"),
    [
        ("", True, True),
        ("all", True, True),
        ("only screen", True, True),
        ("print", False, False),
        ("not print", True, True),
        ("print, screen", True, True),
        ("screen and (max-width:480px)", True, False),
        ("(MIN-WIDTH: 30em)", False, True),
        ("(min-width:20rem) and (max-width:24rem)", True, False),
        ("(max-width : 375px )", True, False),
        ("(prefers-color-scheme:dark)", False, True),
        ("not (prefers-color-scheme: dark)", True, False),
        ("(prefers-color-scheme:light) and (min-width:1px)", True, False),
        ("(min-width:1cm)", False, False),
        ("(min-height:1px)", False, False),
        ("(width >= 300px)", False, False),
        ("(hover)", False, False),
        ("(-webkit-min-device-pixel-ratio:0)", False, False),
    ],
)
def test_media(query: str, *, phone: bool, desk: bool) -> None:
    """Type, width and scheme are known; whatever else a query asks does not fit."""
    assert applies((query,), _PHONE) == phone
    assert applies((query,), _DESK) == desk


def test_all_queries_must_fit() -> None:
    """Of nested queries each one counts; none at all fits anything."""
    assert applies((), _PHONE)
    assert applies(("screen", "(max-width:400px)"), _PHONE)
    assert not applies(("screen", "(max-width:300px)"), _PHONE)


_SNIPPETS = st.sampled_from(
    [
        "{",
        "}",
        ";",
        ":",
        "a",
        "@media x",
        "/*",
        "*/",
        '"',
        "'",
        "\\",
        "url(",
        ")",
        "!important",
        " ",
    ]
)


@given(st.lists(_SNIPPETS, max_size=30).map("".join))
@settings(deadline=None, max_examples=100)
def test_any_text_is_read(css: str) -> None:
    """Nothing stops the reader, and a sound rule before it is found."""
    first, *others = read_rules("x{y:z}" + css)

    assert first == StyleRule(
        selectors="x", media=(), declarations=(Declaration(name="y", value="z"),)
    )
    assert all(applies(rule.media, _DESK) in {True, False} for rule in others)
