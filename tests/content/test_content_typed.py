"""Free texts that YAML would cut or refuse are taken as typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from digest.content.typed import take_as_typed


@pytest.mark.parametrize(
    "title",
    [
        "Part 2: the return",
        "What went wrong:",
        "Ends with a tab:\tand more",
        "- dashed",
        "-: odd",
        "? really",
        ": begins so",
        "-5: degrees",
        "[Draft] Of mice",
        "[words](https://a.example/) and more",
        "{{ braces }} stay",
        "{% raw %}",
        "| bar",
        "> 50 % of all",
        ">quoted",
        "*Stars* and stripes",
        "* star",
        "& so on",
        "!important",
        "! bang",
        "%percent",
        "@home",
        "`code` first",
        ", comma",
        "] bracket",
        "} brace",
        "It's: a 'quoted' \\ matter",
    ],
)
def test_title_is_taken_as_typed(parse: Callable[..., Any], title: str) -> None:
    """A bare title keeps all its signs, without a word."""
    summary, notes = parse(f"---\ntitle: {title}\nid: x\n---\n")
    assert (summary.title, summary.id) == (title.replace("\t", " "), "x")
    assert notes == ()


@pytest.mark.parametrize("title", ["Release #7 is out", "Tab\t#7", "#7 of all", "#hash", "A: b #c"])
def test_title_with_a_hash_is_taken_whole_with_a_note(
    parse: Callable[..., Any], title: str
) -> None:
    """What YAML would take for a comment is kept, and a note tells the line."""
    summary, notes = parse(f"---\nid: x\ntitle: {title}\n---\n")
    assert summary.title == title.replace("\t", " ")
    [note] = notes
    assert note.place == "content/owls.md:3"
    assert "`#`" in note.text


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ('title: "Quoted: fine" # comment', "Quoted: fine"),
        ("title: 'It''s: fine' # comment", "It's: fine"),
        ("title: One\n  two # comment", "One two"),
        ("title: One\n\n  two # comment", "One two"),
        ("title: |\n  a: b #c", "a: b #c"),
        ("title: >- # comment\n  a: b\n  #c", "a: b #c"),
        ("title: &name Plain", "Plain"),
        ("other: &a Words\ntitle: *a # comment", "Words"),
        ("title: !!str Plain", "Plain"),
        ("title: -5 degrees", "-5 degrees"),
        ("title:\n  Below", "Below"),
    ],
)
def test_what_yaml_reads_as_it_stands_is_left_to_it(
    parse: Callable[..., Any], lines: str, title: str
) -> None:
    """Quotes, blocks, anchors and continued lines stay YAML, comments and all."""
    summary, _ = parse(f"---\n{lines}\nid: x\n---\n")
    assert (summary.title, summary.id) == (title, "x")


@pytest.mark.parametrize("line", ["title: # none yet", "title: ## none", "title:", "title: #"])
def test_comment_in_place_of_a_title_is_a_comment(parse: Callable[..., Any], line: str) -> None:
    """A hash with a blank behind it begins a comment: the title comes from elsewhere."""
    summary, _ = parse(f"---\n{line}\n---\n\n# Barn owls\n")
    assert summary.title == "Barn owls"


def test_only_the_keys_named_are_touched() -> None:
    """Other keys stay YAML, also such as are indented or no key at all."""
    text = "url: a: b\n  title: c: d\nno key\ntitle : e: f\nImage-Alt: g: h"
    changed, marked = take_as_typed(text, frozenset({"title", "image_alt"}))
    assert changed == "url: a: b\n  title: c: d\nno key\ntitle : 'e: f'\nImage-Alt: 'g: h'"
    assert marked == ()


def test_summary_and_source_are_free_texts_too(parse: Callable[..., Any]) -> None:
    """So are the keys of other tools that stand for one."""
    summary, _ = parse(
        "---\ndescription: In short: it works\nsource: The Post: evening\nimage: a.png\n"
        "image_alt: Left: an owl\n---\n",
        aliases={"description": "summary"},
    )
    assert summary.summary == "In short: it works"
    assert summary.source == "The Post: evening"
    assert summary.image.alt == "Left: an owl"
