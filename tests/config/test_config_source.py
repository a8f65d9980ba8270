"""Where source files can be read: an address with a path in it, and perhaps a commit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import Settings
from digest.config.formats import source_address
from digest.config.values import Wrong

Load = Callable[..., Settings]
Faults = Callable[..., list[str]]

_FIX = "such as https://git.example/letter/blob/{commit}/content/{path}"
_BRACES = "must hold {path}, and no other braces but {commit}"


@pytest.mark.parametrize(
    "text",
    [
        "https://git.example/{path}",
        "https://git.example/letter/blob/{commit}/content/{path}",
        "https://git.example/letter/content/{path}?at={commit}&raw=1",
        "https://git.example/view?file=content/{path}",
        "https://git.example/view#{commit}:{path}",
        "http://127.0.0.1:3000/{path}/{path}",
        "https://bücher.example/Büro/{path}",
    ],
)
def test_an_address_with_a_path_in_it_is_taken_as_it_is(text: str) -> None:
    """Both braces may stand anywhere behind the host, be it in a query."""
    assert source_address(text) == text


@pytest.mark.parametrize("text", ["", "   "])
def test_nothing_leaves_the_link_out(text: str) -> None:
    """That is the default, and can be set."""
    assert source_address(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "https://git.example/",
        "https://git.example/{commit}",
        "https://git.example/{file}",
        "https://git.example/{path}/{branch}",
        "https://git.example/{{path}}",
        "https://git.example/{path}/{",
        "https://git.example/{path}/}",
        "https://git.example/{Path}",
        "https://git.example/%7Bpath%7D",
        "{commit}",
    ],
)
def test_other_braces_and_a_path_that_is_lacking_are_told(text: str) -> None:
    """The complaint says which braces there are, and gives an example."""
    with pytest.raises(Wrong) as caught:
        source_address(text)
    assert _BRACES in str(caught.value)
    assert caught.value.fix == _FIX


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{path}", "must"),
        ("content/{path}", "must be a full address that begins with https://"),
        ("javascript:alert('{path}')", "must be a full address that begins with https://"),
        ("ssh://git.example/{path}", "must be a full address that begins with https://"),
        ("https:///{path}", "must be a full address that begins with https://"),
        ("https://me:pass@git.example/{path}", "must not hold a user or a password"),
        ("https://git.example:port/{path}", "must be a web address"),
        ("https://{path}/letter", "must be a full address that begins with https://"),
        ("https://{path}.git.example/letter", "holds no valid domain"),
        ("https://git.example/{path}\nX: y", "must be one line without control characters"),
        (7, "must be a text, and is a whole number"),
        (True, "must be a text, and is true"),
    ],
)
def test_what_is_no_web_address_is_told(text: object, what: str) -> None:
    """The rules are those of other addresses of the settings."""
    with pytest.raises(Wrong) as caught:
        source_address(text)
    assert what in str(caught.value)


@settings(deadline=None, max_examples=100)
@given(st.text(alphabet="{}pathcommi/?#:@ .\"'<é", max_size=30))
def test_an_address_that_is_taken_leads_to_the_host_that_is_written(text: str) -> None:
    """Whatever stands behind it: no other braces, and the same again when read again."""
    whole = f"https://git.example/{text}"
    try:
        found = source_address(whole)
    except Wrong:
        return
    assert found.startswith("https://git.example/")
    bare = found.replace("{path}", "").replace("{commit}", "")
    assert "{path}" in found
    assert not set(bare) & set("{}")
    assert source_address(found) == found


def test_settings_have_it(load: Load, least: str) -> None:
    """By the file and by `--set`; without it there is none."""
    source = "https://git.example/{commit}/{path}"
    text = least.replace("[mail]", f'source = "{source}"\n\n[mail]')
    assert load().newsletter.source_url == ""
    assert load(text).newsletter.source_url == source
    assert load(least, f"site.source={source}").newsletter.source_url == source


def test_what_is_wrong_is_told_with_its_line(faults: Faults, least: str) -> None:
    """The key, what it is, and an example."""
    text = least.replace("[mail]", 'source = "https://git.example/{file}"\n\n[mail]')
    line = text[: text.index("source =")].count("\n") + 1
    shown = '"https://git.example/{file}"'
    assert faults(text) == [f"digest.toml:{line}: site.source {_BRACES}; it is {shown}\n  {_FIX}"]
