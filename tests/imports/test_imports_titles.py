"""Titles for paragraphs that bring none."""

# ruff: noqa: RUF001 - the signs of typography are what is tested

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.imports.titles import derive_title
from digest.model import clean_line


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Mules carried salt. Inns fed them.", "Mules carried salt"),
        ("mules carried salt", "Mules carried salt"),
        ("pH is a measure of sour dough.", "pH is a measure of sour dough"),
        ("Who carried the salt? Mules did.", "Who carried the salt?"),
        ("Why? Because mules are strong. So there.", "Why? Because mules are strong"),
        ("Dr. Rye bakes, e.g. Tuesdays. Then he rests.", "Dr. Rye bakes, e.g. Tuesdays"),
        ("They call it the “long proof.” It takes a day.", "They call it the “long proof”"),
        ("It rose and rose... Then it fell.", "It rose and rose..."),
        ("In the slow world of rye, there is a quarrel over salt.", "Rye: a quarrel over salt"),
        (
            "In the ever-changing business of the salt trade, mules are kings.",
            "Salt trade: mules are kings",
        ),
        (
            "If you ever baked at night, you know the silence.",
            "If you ever baked at night, you know the silence",
        ),
        (
            (
                "If you have ever baked a loaf at night, you know the pain of it, and of all that"
                " comes after it in the morning."
            ),
            "If you have ever baked a loaf at night…",
        ),
        (
            "If you have ever baked a loaf at night, you know the “dark art” of proofing it.",
            "You know the “dark art” of proofing it",
        ),
        (
            "When rye meets water in a warm kitchen, mules, millers and bakers are far away.",
            "When rye meets water in a warm kitchen, mules, millers and bakers are…",
        ),
        ("When rye fails, the salt trade stops.", "The salt trade stops"),
        ("As loaves grow, things get worse.", "As loaves grow, things get worse"),
        (
            "In salt, pepper, and mustard, bakers trust.",
            "In salt, pepper, and mustard, bakers trust",
        ),
        (
            "When salt ran out, and it did, mules starved.",
            "When salt ran out, and it did, mules starved",
        ),
        ("Mules—there were nine—carried the salt.", "Mules carried the salt"),
        ("In the world of rye—and of salt—we all wait.", "Rye: we all wait"),
        (
            (
                "In the art of salt, few are so dear as the old mules that find their own way to"
                " the sea in a fog"
            ),
            "Salt: few are so dear as the old mules that find their own way…",
        ),
        (
            "In the art of salt and of rye and oats, few roads are as long as one over a high pass",
            "Few roads are as long as one over a high pass",
        ),
        (
            "In the world of mules that carry salt over passes and of their drivers, few rest",
            "In the world of mules that carry salt over passes and of their…",
        ),
        (
            "In the world of mules that carry salt over passes and of their drivers, few may rest.",
            "Few may rest",
        ),
        (
            "Mules that carry salt over the pass know each stone: a driver is no use to them",
            "Mules that carry salt over the pass know each stone…",
        ),
        (
            "Mules that carry salt over the pass (which is high, and snowed in from fall) know it",
            "Mules that carry salt over the pass…",
        ),
        (
            "Mules that carry salt over the pass are said to be the “kings of the mountain” by all",
            "Mules that carry salt over the pass are said to be the “kings…”",
        ),
        ("a" * 80, "A" + "a" * 68 + "…"),
        ("Mules carry salt, rye and flour:", "Mules carry salt, rye and flour"),
    ],
)
def test_title_is_the_topic_of_the_first_sentence(text: str, title: str) -> None:
    """The first sentence, without scene and aside, cut at a clause or word."""
    assert derive_title(text) == title


@settings(deadline=None, max_examples=100)
@given(st.text(st.sampled_from("ab In the world of,:;.—–“”()…? \\"), min_size=1, max_size=200))
def test_title_is_never_too_long(text: str) -> None:
    """Any text gives a title of at most 70 characters."""
    line = clean_line(f"In the world of it, {text} and so it goes on")
    assert 0 < len(derive_title(line)) <= 70
