"""On which line a key stands, and what no text can do to the reader."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import Secret, load_settings
from digest.config.lines import KeyLines
from digest.errors import ConfigError

TEXT = '''\
top = 1
# [comment]
[newsletter] # the letter
  "name" = "x"
description = """
slug = "not this one"
[site]
"""
slug = "x"
'quoted' . inner = 1
site.url = 3
[ content . aliases ]
link = "url"
[[theme]]
id = "a"
[[theme]]
id = "b"
match = [
  "tag:id = 3",
]
label = \'\'\'one line\'\'\'
colour = "teal"
note = \'\'\'
colour = """
\'\'\'
last = 1
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("top", 1),
        ("newsletter", 3),
        ("newsletter.name", 4),
        ("newsletter.description", 5),
        ("newsletter.slug", 9),
        ("newsletter.quoted.inner", 10),
        ("newsletter.quoted", 10),
        ("newsletter.site.url", 11),
        ("newsletter.tag", 3),
        ("site", 0),
        ("content", 12),
        ("content.aliases.link", 13),
        ("theme", 14),
        ("theme[1].id", 15),
        ("theme[2]", 16),
        ("theme[2].id", 17),
        ("theme[2].label", 21),
        ("theme[2].colour", 22),
        ("theme[2].last", 26),
        ("theme[3].id", 0),
        ("elsewhere.at.all", 0),
    ],
)
def test_keys_are_found_on_their_lines(path: str, line: int) -> None:
    """Keys are found in tables, in arrays and after long texts; else their table is given."""
    assert KeyLines(TEXT)[path] == line


def load(
    data: bytes, overrides: tuple[str, ...] = (), environ: Mapping[str, str] | None = None
) -> None:
    """Load a settings file; only a ConfigError may come of it, and its text must be harmless."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "digest.toml").write_bytes(data)
        try:
            load_settings(Path(folder), file=None, environ=environ or {}, overrides=overrides)
            told = ""
        except ConfigError as error:
            told = str(error)
    assert told.replace("\n", "").isprintable()
    assert folder not in told


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode(errors="ignore")))
def test_no_bytes_make_anything_but_a_complaint(data: bytes) -> None:
    """Whatever stands in the file, the outcome is settings or a ConfigError."""
    load(data)


KEYS = st.sampled_from(
    [
        "newsletter",
        "name",
        "slug",
        "timezone",
        "tag",
        "theme",
        "id",
        "match",
        "mail",
        "from",
        "site",
        "url",
        "store",
        "content",
        "aliases",
        "include",
        "selection",
        "max_items",
        "checks",
        "ignore",
        "password",
        "token",
        "schedule",
        "send",
        "transport",
        "smtp",
        "host",
        "public",
        "editors",
        "a.b",
        "x y",
        "ä",
    ]
)
SCALARS = st.one_of(
    st.booleans().map(lambda value: str(value).lower()),
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda value: f"{value:f}"),
    st.sampled_from(["2026-11-30", "09:00:00", "2026-11-30T09:00:00Z", "'a'", '"\\u0000"', "inf"]),
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Make a valid TOML document of our own key names in wrong places with wrong values."""
    text = ""
    for section in draw(st.lists(KEYS, unique=True, max_size=5)):
        double = draw(st.booleans())
        text += f'[["{section}"]]\n' if double else f'["{section}"]\n'
        for key in draw(st.lists(KEYS, unique=True, max_size=4)):
            value = draw(SCALARS)
            shape = draw(
                st.sampled_from(["{}", "[{}]", "[[{}]]", "{{ a = {} }}", "[{{ id = {} }}]"])
            )
            text += f'"{key}" = {shape.format(value)}\n'
    return text


@settings(deadline=None, max_examples=100)
@given(documents())
def test_no_document_makes_anything_but_a_complaint(text: str) -> None:
    """Known names in any shape and place give a ConfigError that can be printed."""
    load(text.encode())


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.text(max_size=20) | st.builds("{}.{}={}".format, KEYS, KEYS, st.text(max_size=9)),
        max_size=3,
    ).map(tuple),
    st.dictionaries(
        st.builds("DIGEST_{}__{}".format, KEYS, KEYS | st.text(max_size=5)),
        st.text(max_size=9),
        max_size=3,
    ),
)
def test_no_flag_or_variable_makes_anything_but_a_complaint(
    overrides: tuple[str, ...], environ: dict[str, str]
) -> None:
    """Whatever is passed beside the file, the outcome is settings or a ConfigError."""
    load(b"", overrides, environ)


def test_a_secret_shows_itself_nowhere() -> None:
    """A secret prints as stars in every way of printing; only asking for it gives it."""
    secret = Secret("hunter2")
    assert [str(secret), repr(secret), f"{secret}", f"{secret!r:>5}", "%s" % secret] == [  # noqa: UP031 - one of the ways
        "***",
        "***",
        "***",
        "  ***",
        "***",
    ]
    assert "hunter2" not in repr({"password": [secret]})
    assert secret.reveal() == "hunter2"
