"""Addresses of readers, as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.mime import mailbox_text, parse_address
from digest.model import Mailbox


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("ada@harbour.example", "ada@harbour.example"),
        (" \tAda@Harbour.Example ", "Ada@harbour.example"),
        ("ada+news_o'x@harbour.example", "ada+news_o'x@harbour.example"),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("ada@straße.example", "ada@xn--strae-oqa.example"),
        ("ada@faß.example", "ada@xn--fa-hia.example"),
        ("ju\u0308rgen@harbour.example", "jürgen@harbour.example"),
        ("日本@例え.example", "日本@xn--r8jz45g.example"),
        ("ada@localhost", "ada@localhost"),
        ("ada@LocalHost", "ada@localhost"),
        ("ada@mail.local", "ada@mail.local"),
        ("ada@list.test", "ada@list.test"),
        ("ada@gone.invalid", "ada@gone.invalid"),
    ],
)
def test_address_is_stored_in_one_form(typed: str, stored: str) -> None:
    """The local part keeps its letters, the domain becomes ASCII; what is stored reads the same."""
    assert parse_address(typed) == stored
    assert parse_address(stored) == stored


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "ada",
        "ada@",
        "@harbour.example",
        "ada@harbour",
        "ada@1.2.3.4",
        "ada@[1.2.3.4]",
        "ada@har_bour.example",
        "ada@-x.example",
        "ada@harbour..example",
        "a..b@harbour.example",
        '"ada lund"@harbour.example',
        "Ada <ada@harbour.example>",
        "<ada@harbour.example>",
        "ada@harbour.example, bo@harbour.example",
        "ada@bo@harbour.example",
        "ada lund@harbour.example",
        "ada@harbour.example\nbo@harbour.example",
        "ada@harbour.example\n",
        "ada\x00@harbour.example",
        "a\u200dda@harbour.example",
        "ada\u202e@harbour.example",
        "=?utf-8?q?ada=40evil.example?=@harbour.example",
        "ada@=?utf-8?q?evil?=.example",
        f"{'a' * 65}@harbour.example",
        f"{'ü' * 33}@harbour.example",
        f"ada@{'a' * 64}.example",
        "\ud800@harbour.example",
    ],
)
def test_what_is_no_address_is_refused_in_a_sentence(typed: str) -> None:
    """What is wrong is said on one line that shows nothing but what prints."""
    with pytest.raises(ValueError, match=r"^[a-z]") as caught:
        parse_address(typed)

    assert str(caught.value).isprintable()
    assert not str(caught.value).endswith(".")


@given(st.text(max_size=30), st.text(max_size=30))
@settings(deadline=None, max_examples=100)
def test_whatever_is_taken_can_be_mailed_to(local: str, domain: str) -> None:
    """An address that passes stands in a header field as it is, and passes again."""
    try:
        stored = parse_address(f"{local}@{domain}.example")
    except ValueError:
        return
    assert mailbox_text(Mailbox(address=stored)) == stored
    assert parse_address(stored) == stored
    assert stored.rpartition("@")[2].isascii()


def test_encoded_word_is_told_as_one() -> None:
    """The sentence names what would have shown another address."""
    with pytest.raises(ValueError, match=r"encoded word \(=\?\)"):
        parse_address("=?utf-8?q?x?=@harbour.example")
