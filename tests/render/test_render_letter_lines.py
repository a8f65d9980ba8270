"""The small texts of a letter: words, spans of days, addresses, cuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import TemplateError
from digest.model import (
    Edition,
    Newsletter,
)
from digest.render import TemplateSet
from digest.render.addresses import ascii_url, leave_url, web_url
from digest.render.lines import cut, reading_minutes, sentence
from digest.render.templates import environment
from digest.render.words import Words, read_words

Build = Callable[..., Edition]
Read = Callable[..., Any]


@pytest.fixture(scope="module")
def words(shipped_look: TemplateSet) -> Words:
    """Give the words of the shipped look."""
    return read_words(environment(shipped_look), place="templates/words.txt.j2")


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (date(2026, 11, 23), date(2026, 11, 29), "23\N{EN DASH}29 Nov 2026"),
        (date(2026, 11, 30), date(2026, 12, 6), "30 Nov \N{EN DASH} 6 Dec 2026"),
        (date(2026, 12, 28), date(2027, 1, 3), "28 Dec 2026 \N{EN DASH} 3 Jan 2027"),
    ],
)
def test_spans_name_month_and_year_once(words: Words, first: date, last: date, said: str) -> None:
    """A week is told in as few words as it needs."""
    assert words.days(first, last) == said


def test_the_words_of_a_look_can_be_replaced(build: Build, shipped_look: TemplateSet) -> None:
    """A look in another language changes one file."""
    said = shipped_look.texts["words.txt.j2"].replace("Unsubscribe", "Abbestellen")
    said = said.replace('"Nov"', '"November"')
    look = replace(shipped_look, texts={**shipped_look.texts, "words.txt.j2": said})
    edition = build(look=look)
    assert b">Abbestellen</a>" in edition.files["issue.html"]
    assert "Abbestellen:\n" in edition.files["issue.txt"].decode()
    assert "30 November \N{EN DASH} 6 Dec 2026" in edition.files["issue.txt"].decode()


def test_missing_words_are_all_named(build: Build, shipped_look: TemplateSet) -> None:
    """A words file that lacks some tells which; too few months are no months."""
    for said, missing in (
        ("{% set months = [] %}", ["issue", "one_summary"]),
        (shipped_look.texts["words.txt.j2"].replace('"Jan", ', ""), ["months"]),
        (shipped_look.texts["words.txt.j2"].replace('"Feed"', "7"), ["feed"]),
    ):
        look = replace(shipped_look, texts={**shipped_look.texts, "words.txt.j2": said})
        with pytest.raises(TemplateError) as caught:
            build(look=look)
        told = [problem.what for problem in caught.value.problems]
        assert told[: len(missing)] == [f"sets no {name}" for name in missing]
        assert caught.value.problems[0].where == "templates/words.txt.j2"


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("https://a.example/x?a=1&b=2#c", "https://a.example/x?a=1&b=2#c"),
        ("https://bücher.example/straße", "https://xn--bcher-kva.example/stra%C3%9Fe"),
        ("https://a.example/{{x}} y", "https://a.example/%7B%7Bx%7D%7D%20y"),
        ("https://a.example/%7Ea[0]|b", "https://a.example/%7Ea[0]%7Cb"),
        ("https://[::1", "https://[::1"),
        ("https://a\u3002\u3002b.example/ä", "https://a%E3%80%82%E3%80%82b.example/%C3%A4"),
    ],
)
def test_addresses_are_written_in_ascii(url: str, written: str) -> None:
    """One spelling for mail, text, page and feeds; what is encoded is not encoded again."""
    assert ascii_url(url) == written
    assert ascii_url(written) == written


@settings(deadline=None, max_examples=100)
@given(st.text())
def test_no_text_makes_an_address_of_another_scheme(text: str) -> None:
    """Whatever a file says, the address is of the web, ASCII and on one line, or none."""
    url = web_url(text, base="https://notes.example/2026/")
    assert not url or (url.isascii() and url.lower().startswith(("https://", "http://")))
    assert not set(url) & set(' \n\r\t<>"')


def test_the_leave_address_is_encoded(paper: Newsletter) -> None:
    """Signs of a mailbox that mean something in an address are written as numbers."""
    odd = replace(paper, leave="leave+me?now&all@notes.example", slug="a b")
    assert leave_url(odd) == "mailto:leave+me%3Fnow%26all@notes.example?subject=unsubscribe%20a%20b"


@settings(deadline=None, max_examples=100)
@given(st.text(), st.integers(min_value=2, max_value=40))
def test_cutting_keeps_to_the_limit(text: str, limit: int) -> None:
    """A cut line is never longer than asked, and a short one is whole."""
    result = cut(text, limit)
    assert len(result) <= limit
    assert (result == text) == (len(text) <= limit or result == text)


@pytest.mark.parametrize(
    ("line", "ended"),
    [
        ("a b", "a b."),
        ("a b.", "a b."),
        ("is it?", "is it?"),
        ('he said "no."', 'he said "no."'),
        ("cut…", "cut…"),
        ("終わり。", "終わり。"),
        ("", ""),
    ],
)
def test_a_sentence_ends_once(line: str, ended: str) -> None:
    """A full stop is added only where no sign ends the line."""
    assert sentence(line) == ended


@pytest.mark.parametrize(
    ("texts", "minutes"),
    [
        ([], 1),
        (["word " * 220], 1),
        (["word " * 221], 2),
        (["潮" * 440], 1),
        (["潮" * 441, "a"], 2),
    ],
)
def test_reading_takes_a_minute_for_220_words(texts: list[str], minutes: int) -> None:
    """Rounded up, at least one; two signs of a script without spaces count as a word."""
    assert reading_minutes(texts) == minutes
