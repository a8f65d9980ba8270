"""Titles where the header gives none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from digest.content.headings import take_heading, title_from_path


@pytest.mark.parametrize(
    ("body", "title", "rest"),
    [
        ("# Owls\n\nText.", "Owls", "\nText."),
        ("Before.\n\n### Owls ###\nAfter.", "Owls", "Before.\n\nAfter."),
        ("Owls\n====\n\nText.", "Owls", "\nText."),
        ("Of owls\nand mice\n---\nText.", "Of owls and mice", "Text."),
        ("Text.\n\nOwls\n-\nMore.", "Owls", "Text.\n\nMore."),
        ("- item\n---\n# Owls", "Owls", "- item\n---"),
        ("#hash\n    # code\n\n# Owls", "Owls", "#hash\n    # code\n"),
        ("```\n# code\n~~~\n# code\n```\n# Owls", "Owls", "```\n# code\n~~~\n# code\n```"),
        ("````\n```\n# code\n`````\n# Owls", "Owls", "````\n```\n# code\n`````"),
        ("<!-- one line -->\n# Owls", "Owls", "<!-- one line -->"),
        ("<!--\n# not this\n-->\n# Owls", "Owls", "<!--\n# not this\n-->"),
        ("Words\n```\nx\n```\n===\n# Owls", "Owls", "Words\n```\nx\n```\n==="),
        ("#\n# #\n# Owls", "Owls", "#\n# #"),
        ("***\n===\n# Owls", "***", "# Owls"),
        ("> quoted\n===\n\n1. one\n===\n# Owls", "Owls", "> quoted\n===\n\n1. one\n==="),
        ("**\n\n** **\n---\n# Owls #", "** **", "**\n\n# Owls #"),
    ],
)
def test_first_heading_becomes_the_title(body: str, title: str, rest: str) -> None:
    """A heading of either kind is taken out; one in code or a comment is none."""
    assert take_heading(body) == (title, rest)


@pytest.mark.parametrize("body", ["", "Text.", "```\n# code", "<!--\n# x", "#hash", "---\n\n==="])
def test_text_without_heading_stays(body: str) -> None:
    """Nothing is taken out where nothing is a heading."""
    assert take_heading(body) == ("", body)


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("The *best* `owl` of **all**", "The best owl of all"),
        ("A [link](https://a.example/) and ![pic](a.png)", "A link and pic"),
        ("snake_case_name and _this_ __that__", "snake_case_name and this that"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        (r"\*not\* \#1 \( x^2 \)", r"*not* #1 \( x^2 \)"),
        ("`*args`", "*args"),
        ("a " * 1200 + "*b*", "a " * 1200 + "*b*"),
    ],
)
def test_title_is_plain_text(heading: str, title: str) -> None:
    """Markdown's marks are no part of a title; maths and long headings keep theirs."""
    assert take_heading(f"# {heading}\n")[0] == title


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("2026-11-30-owls_at-night.md", "Owls at night"),
        ("deep/owls.md", "Owls"),
        ("owls/index.md", "Owls"),
        ("index.md", "Index"),
        ("2026-11-30.md", "2026-11-30"),
        ("noend", "Noend"),
        ("-_-.md", "-_-"),
        ("\u00e9t\u00e9.md", "\u00c9t\u00e9"),
    ],
)
def test_file_name_becomes_a_title(path: str, title: str) -> None:
    """A file name without its day, in words."""
    assert title_from_path(path) == title


def test_heading_counts_before_the_file_name(parse: Callable[..., Any]) -> None:
    """A title taken from the body is not derived, and stands no longer in the body."""
    summary, notes = parse("---\nid: x\n---\n\n# Barn owls\n\nText.\n")
    assert (summary.title, summary.body, summary.title_derived) == ("Barn owls", "Text.\n", False)
    assert notes == ()


def test_heading_stays_where_the_header_has_a_title(parse: Callable[..., Any]) -> None:
    """A heading below a title is part of the text."""
    assert parse("---\ntitle: x\n---\n\n# Barn owls\n")[0].body == "# Barn owls\n"


def test_mark_of_a_derived_title_is_read(parse: Callable[..., Any]) -> None:
    """A title that an import derived keeps its mark, and the key is no unknown one."""
    summary, notes = parse("---\ntitle: Barn owls\ntitle_derived: true\n---\nText.\n")

    assert (summary.title, summary.title_derived) == ("Barn owls", True)
    assert (summary.extra, notes) == ((), ())
