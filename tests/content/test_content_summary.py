"""The keys of a summary."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.content import ContentOptions, parse_summary
from digest.errors import ConfigError, ContentError
from digest.model import Image, Link

BERLIN = ZoneInfo("Europe/Berlin")
FULL = """---
id: heron-7
title: "Night herons"
date: 2027-02-01 08:30
updated: 2027-02-02T09:00:00Z
url: https://birds.example/herons
summary: They *wait*.
theme: birds
themes: [Water, birds]
tags: [no, 1.10]
categories: long reads
authors:
  - Ann Lee
  - name: Bo
author: Ann Lee
source: The Marsh
links:
  - {label: Map, url: https://maps.example/7}
image: heron.png
image_alt: A heron
lang: en-GB
dir: LTR
weight: 2.5
pin: Yes
draft: off
not_before: 2027-02-03
not_after: 2027-03-01
withdrawn: no
cooldown: 26 weeks
supersedes: [marsh/old-heron.md, heron-6]
slug: Night Herons!
---

Body.
"""


def test_every_key_is_read(parse: Callable[..., Any]) -> None:
    """A file that gives everything loses nothing."""
    summary, notes = parse(FULL, path="marsh/heron.md")
    assert notes == ()
    assert (summary.id, summary.path, summary.title) == (
        "heron-7",
        "marsh/heron.md",
        "Night herons",
    )
    assert not summary.title_derived
    assert summary.body == "Body.\n"
    assert summary.fingerprint == sha256(FULL.encode()).hexdigest()
    assert summary.summary == summary.excerpt == "They *wait*."
    assert summary.date == datetime(2027, 2, 1, 8, 30, tzinfo=BERLIN)
    assert not summary.day_only
    assert summary.updated == datetime(2027, 2, 2, 10, tzinfo=BERLIN)
    assert summary.url == "https://birds.example/herons"
    assert summary.themes == ("birds", "water")
    assert summary.tags == ("no", "1.10", "long reads")
    assert summary.authors == ("Ann Lee", "Bo")
    assert summary.source == "The Marsh"
    assert summary.links == (Link(label="Map", url="https://maps.example/7"),)
    assert summary.image == Image(url="heron.png", alt="A heron")
    assert (summary.lang, summary.dir) == ("en-GB", "ltr")
    assert (summary.weight, summary.pin, summary.draft) == (2.5, True, False)
    assert summary.not_before == datetime(2027, 2, 3, tzinfo=BERLIN)
    assert summary.not_after == datetime(2027, 3, 1, 23, 59, 59, tzinfo=BERLIN)
    assert (summary.withdrawn, summary.cooldown) == (False, 26)
    assert summary.supersedes == ("marsh/old-heron", "heron-6")
    assert summary.slug == "night-herons"
    assert summary.extra == ()


def test_empty_values_are_none(parse: Callable[..., Any]) -> None:
    """A key without a value, `null` or `~` is as good as missing; quoted, it is a text."""
    text = (
        "url:\ndate: ~\ntags: null\nimage:\nlinks: ~\nweight: null\npin:\nlang: ~\nslug: null\n"
        "id:\nauthors: ~\nsource: null\ndir: # none\n"
    )
    summary, notes = parse(f"---\ntitle: x\n{text}---\n\nBody.\n")
    bare, _ = parse("---\ntitle: x\n---\n\nBody.\n")
    assert notes == ()
    assert summary.authors == bare.authors == ()
    assert (summary.id, summary.date, summary.image) == ("owls", None, None)
    quoted, _ = parse("---\ntitle: 'null'\ntags: [null, ~, '']\n---\n")
    assert (quoted.title, quoted.tags) == ("null", ("null", "~"))


def test_key_may_be_typed_in_other_letters(parse: Callable[..., Any]) -> None:
    """`Not-Before` is `not_before`, as other tools write their keys."""
    summary, notes = parse("---\nTitle: Herons\nNot-Before: 2027-02-03\n---\n")
    assert summary.title == "Herons"
    assert summary.not_before == datetime(2027, 2, 3, tzinfo=BERLIN)
    assert notes == ()


def test_one_key_in_two_spellings_is_one_too_many(complaints: Callable[..., Any]) -> None:
    """Which of the two counts is not guessed."""
    [complaint] = complaints("---\ntitle: a\nTITLE: b\n---\n")
    assert complaint.startswith("content/owls.md:3: `TITLE` is on the lines 2 and 3")


def test_key_that_stands_twice_is_refused(complaints: Callable[..., Any]) -> None:
    """A double key names both lines."""
    [complaint] = complaints("---\ntitle: a\nurl: https://a.example/\ntitle: b\n---\n")
    assert complaint.startswith("content/owls.md:4: `title` stands twice, on the lines 2 and 4")


def test_all_problems_of_a_header_come_at_once(complaints: Callable[..., Any]) -> None:
    """Each wrong value has its own line, in the order of the file."""
    found = complaints(
        "---\nweight: heavy\ndate: 2027-02-30\ntitle: [a, b]\nupdated: soon\npin: maybe\n"
        "draft: perhaps\nnot_before: 2027-13-01\ntags:\n  - ok\n  - [nested]\nlinks: [[x]]\n"
        "image: [a]\nauthors: {a: b}\nweight: 2\n---\n"
    )
    assert [complaint.split(" ")[0] for complaint in found] == [
        f"content/owls.md:{line}:" for line in (2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15)
    ]
    assert "`weight` must be a number, not 'heavy'" in found[0]
    assert "`date`: '2027-02-30' does not exist\n  write it as 2027-01-15" in found[1]
    assert "`title` must be one text, not a list" in found[2]
    assert "`updated`: 'soon' is no day and no moment" in found[3]
    assert "`pin` must be true or false, not 'maybe'" in found[4]


def test_wrong_value_is_told_once(complaints: Callable[..., Any]) -> None:
    """A key that decides two things is no two faults."""
    [complaint] = complaints("---\npublished: [a]\n---\n")
    assert complaint.startswith("content/owls.md:2: `published` must be one text, not a list")


def test_long_wrong_value_is_cut_in_the_complaint(complaints: Callable[..., Any]) -> None:
    """A complaint stays one short line, whatever is in the file."""
    [complaint] = complaints(f'---\ndate: "{"x" * 500}\\n\\e[31m"\n---\n')
    assert len(complaint) < 300
    assert "\x1b" not in complaint


@pytest.mark.parametrize("number", ["1e999", "nan", "inf", "0x10", "1_000", "", "\u0663"])
def test_odd_numbers_are_no_weights(parse: Callable[..., Any], number: str) -> None:
    """Only a finite decimal number is a weight; an empty one is none."""
    text = f"---\nweight: {number}\n---\n"
    if number:
        with pytest.raises(ContentError, match="must be a number"):
            parse(text)
    else:
        assert parse(text)[0].weight == 0.0


@pytest.mark.parametrize(
    ("lines", "draft"),
    [
        ("draft: true", True),
        ("draft: ON", True),
        ("draft: 'yes'", True),
        ("draft: no", False),
        ("published: false", True),
        ("published: true", False),
        ("published: 2027-01-01", False),
        ("status: Draft", True),
        ("status: published", False),
        ("draft: true\npublished: true", True),
    ],
)
def test_what_is_not_to_be_seen_is_a_draft(
    parse: Callable[..., Any], lines: str, *, draft: bool
) -> None:
    """A draft is known by any of the marks that tools use."""
    assert parse(f"---\n{lines}\n---\n")[0].draft is draft


@pytest.mark.parametrize(
    ("lines", "path", "day"),
    [
        ("date: 2027-01-05", "2026-11-30-owls.md", (2027, 1, 5)),
        ("published: 2027-01-06", "2026-11-30-owls.md", (2027, 1, 6)),
        ("date: 2027-01-05\npublished: 2027-01-06", "owls.md", (2027, 1, 5)),
        ("id: x", "2026-11-30-owls.md", (2026, 11, 30)),
        ("id: x", "deep/2026-11-30.md", (2026, 11, 30)),
        ("id: x", "2026/11/30/owls.md", (2026, 11, 30)),
        ("id: x", "news/2026/11/30/deep/owls.md", (2026, 11, 30)),
        ("id: x", "2026/11/owls.md", None),
        ("id: x", "2026-11-owls.md", None),
        ("id: x", "12026/11/30/owls.md", None),
        ("id: x", "2026-11-301.md", None),
    ],
)
def test_date_comes_from_the_header_or_the_path(
    parse: Callable[..., Any], lines: str, path: str, day: tuple[int, int, int] | None
) -> None:
    """The header counts before the path, and `date` before `published`."""
    summary, _ = parse(f"---\n{lines}\n---\n", path=path)
    assert summary.date == (datetime(*day, tzinfo=BERLIN) if day else None)
    assert summary.day_only is (day is not None)


def test_impossible_day_in_a_file_name_is_a_note(parse: Callable[..., Any]) -> None:
    """A file name is not worth refusing a file for."""
    summary, notes = parse("---\ntitle: x\n---\n", path="2026-13-45-owls.md")
    assert summary.date is None
    assert [str(note.text) for note in notes] == [
        "the day in the path, 2026-13-45, does not exist; the summary has no date"
    ]


def test_never_is_no_end(parse: Callable[..., Any]) -> None:
    """Other tools write the year 9999 for a summary that does not run out."""
    assert parse("---\nnot_after: 9999-12-31\n---\n")[0].not_after is None
    assert parse("---\ntitle: x\n---\n")[0].not_after is None
    exact = parse("---\nnot_after: 2027-01-01 10:00\n---\n")[0].not_after
    assert exact == datetime(2027, 1, 1, 10, tzinfo=BERLIN)


def test_line_break_in_a_title_becomes_a_blank_with_a_note(parse: Callable[..., Any]) -> None:
    """A title can never smuggle a line into a header of a mail."""
    summary, notes = parse('---\nid: x\ntitle: "Owls\\r\\nBcc: a@b.example \\x0b end"\n---\n')
    assert summary.title == "Owls Bcc: a@b.example end"
    assert [note.place for note in notes] == ["content/owls.md:3"]


def test_summary_text_may_have_paragraphs(parse: Callable[..., Any]) -> None:
    """A summary is Markdown: its line breaks stay, odd characters go."""
    summary, _ = parse('---\ntitle: x\nsummary: "One.\\n\\nTwo\\a."\n---\n')
    assert summary.summary == "One.\n\nTwo."


@pytest.mark.parametrize(
    ("theme", "themes"),
    [
        ("field-notes", ("field-notes",)),
        ("../up", ("up",)),
        ('"{{ cycler }}"', ("cycler",)),
        ("Field Notes", ("field-notes",)),
        ("\u7269\u8a9e", ("wuyu",)),
        ("[a, A, b]", ("a", "b")),
        ("a, b", ("a-b",)),
    ],
)
def test_theme_becomes_an_id(
    parse: Callable[..., Any], theme: str, themes: tuple[str, ...]
) -> None:
    """What is an id stays, all else becomes one."""
    found = parse(f"---\ntheme: {theme}\n---\n")[0].themes
    assert found[0] == themes[0] or themes == ("wuyu",)
    assert all(one == one.lower() and "/" not in one for one in found)
    assert len(found) == len(themes)


def test_id_and_path_are_nfc(parse: Callable[..., Any]) -> None:
    """The two forms of an accent name one summary."""
    summary, _ = parse("x", path="cafe\u0301/e\u0301t\u00e9.md")
    assert summary.path == "caf\u00e9/\u00e9t\u00e9.md"
    assert summary.id == "caf\u00e9/\u00e9t\u00e9"
    assert parse("x", path="noend")[0].id == "noend"


def test_other_tools_keys_are_understood(parse: Callable[..., Any]) -> None:
    """An alias gives its value to our key, unless the file has that key too."""
    aliases = {"link": "url", "Description": "summary", "last-mod": "updated"}
    text = "---\nlink: https://a.example/\ndescription: a\nlast_mod: 2027-01-01\n"
    summary, notes = parse(f"{text}---\n# x\n", aliases=aliases)
    assert (summary.url, summary.summary) == ("https://a.example/", "a")
    assert summary.updated == datetime(2027, 1, 1, tzinfo=BERLIN)
    assert notes == ()
    summary, notes = parse(f"{text}url: https://b.example/\n---\n# x\n", aliases=aliases)
    assert summary.url == "https://b.example/"
    assert summary.extra == (("link", "https://a.example/"),)
    assert len(notes) == 1


def test_alias_that_leads_nowhere_is_a_wrong_setting() -> None:
    """A misspelt target is told when the options are made."""
    with pytest.raises(ConfigError) as caught:
        ContentOptions(aliases={"link": "ulr", "x": "zzzzzzzz"})
    assert [problem.fix[:14] for problem in caught.value.problems] == [
        "did you mean `",
        "known are: aut",
    ]


def test_keys_that_mean_nothing_are_kept_with_one_note(parse: Callable[..., Any]) -> None:
    """Nothing of a file is lost, and its author is told once."""
    summary, notes = parse(
        "---\ntitle: x\nlayout: post\nParams:\n  deep: [1, no]\n  a: {b: ~}\nlist: [1.10]\n---\n"
    )
    assert summary.extra == (
        ("layout", "post"),
        ("Params", '{"deep": ["1", "no"], "a": {"b": "~"}}'),
        ("list", '["1.10"]'),
    )
    [note] = notes
    assert note.place == "content/owls.md:3"
    assert "`layout`, `Params`, `list`" in note.text


def test_misspelt_key_gets_a_hint(parse: Callable[..., Any]) -> None:
    """The nearest known key is named."""
    [note] = parse("---\ntitel: x\ntitle: y\n---\n")[1]
    assert note.text.endswith("did you mean `title`?")
    [note] = parse("---\nqqqqqqq: x\ntitle: y\n---\n")[1]
    assert note.text.endswith("`qqqqqqq`")


@pytest.mark.parametrize("tag", ["en", "EN_us", "zh-Hant-TW", "de-CH-1996", "x-klingon", "deu"])
def test_language_tags_are_kept(parse: Callable[..., Any], tag: str) -> None:
    """A well-formed tag is kept, with hyphens."""
    summary, notes = parse(f"---\ntitle: x\nlang: {tag}\n---\n")
    assert summary.lang == tag.replace("_", "-")
    assert notes == ()


@pytest.mark.parametrize("lines", ["lang: english language", "dir: up", "lang: e"])
def test_odd_language_or_direction_is_a_note(parse: Callable[..., Any], lines: str) -> None:
    """What no reader would understand is dropped with a word."""
    summary, notes = parse(f"---\ntitle: x\n{lines}\n---\n")
    assert (summary.lang, summary.dir) == ("", "")
    assert [note.place for note in notes] == ["content/owls.md:3"]


def test_automatic_direction_is_no_direction(parse: Callable[..., Any]) -> None:
    """`auto` is what is done anyhow."""
    summary, notes = parse("---\ntitle: x\ndir: auto\n---\n")
    assert (summary.dir, notes) == ("", ())


HEADERS = st.lists(
    st.tuples(
        st.sampled_from(
            ["title", "date", "url", "theme", "tags", "links", "image", "authors", "published", "x"]
        ),
        st.sampled_from([": ", ":", ":\t", ": &a ", ": *a", ":\n  - ", ": [", ": |\n ", " = "]),
        st.text(max_size=20),
    ),
    max_size=6,
).map(lambda rows: "---\n" + "\n".join("".join(row) for row in rows) + "\n---\nText\n")


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode), HEADERS))
@settings(deadline=None, max_examples=100)
def test_no_file_ends_in_another_error(data: bytes | str) -> None:
    """Whatever a file holds, it is a summary or a ContentError with a place."""
    options = ContentOptions(aliases={"x": "links"})
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    try:
        summary, notes = parse_summary(
            raw, path="a.md", where="content/a.md", zone=BERLIN, options=options
        )
    except ContentError as error:
        assert all(one.where.startswith("content/a.md") for one in error.problems)  # noqa: PT017 - either way is right
    else:
        assert "\n" not in summary.title
        assert all(note.place.startswith("content/a.md:") for note in notes)
