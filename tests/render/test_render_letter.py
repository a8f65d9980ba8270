"""The letter: what of an issue is shown, in which words, order and form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from digest.errors import ConfigError
from digest.model import (
    Edition,
    Issue,
    Newsletter,
    Summary,
    ThemeId,
)

Build = Callable[..., Edition]
Read = Callable[..., Any]


def test_a_title_with_signs_is_shown_exactly(
    build: Build,
    make_summary: Callable[..., Summary],
    make_issue: Callable[..., Issue],
    read_html: Read,
) -> None:
    """Subject, text and edition have the title as typed; HTML escapes it once."""
    title = 'Salt & "pepper" - is <less> more?'
    edition = build(
        issue=make_issue("tides"),
        summaries=[make_summary(title=title, url="https://a.example/s?a=1&b=2")],
    )
    assert edition.subject == title
    assert edition.items[0].title == title
    assert edition.items[0].url == "https://a.example/s?a=1&b=2"
    assert f"1. {title}\n" in edition.files["issue.txt"].decode()
    for name in ("issue.html", "page.html", "entry.html"):
        html = edition.files[name].decode()
        assert title in read_html(html).text
        assert "&lt;less&gt;" in html
        assert "&amp;amp;" not in html
        assert 'href="https://a.example/s?a=1&amp;b=2"' in html


def test_files_are_utf8_with_line_feeds(build: Build) -> None:
    """Each file ends with one line feed and holds no carriage return."""
    files = build().files
    assert sorted(files) == ["entry.html", "issue.html", "issue.txt", "page.html"]
    for data in files.values():
        assert data.decode().endswith("\n")
        assert not data.endswith(b"\n\n")
        assert b"\r" not in data


def test_equal_inputs_give_equal_bytes(build: Build) -> None:
    """Nothing of an edition depends on the run."""
    assert build() == build()


def test_lines_come_from_the_settings_templates(
    build: Build, paper: Newsletter, make_issue: Callable[..., Issue]
) -> None:
    """Subject and preheader fall back to the newsletter's one-line templates."""
    templates = replace(
        paper,
        subject="{{ newsletter }} {{ number }}, {{ theme }}: {{ lead }}",
        preheader="{{ count }} this {{ week }}:\n {{ titles }} ({{ more }})",
    )
    edition = build(newsletter=templates)
    assert edition.subject == "Harbour Notes 12, Tides and moons: Finding number 1"
    assert edition.preheader.startswith(
        "2 this 30 Nov \N{EN DASH} 6 Dec 2026: Finding number 1 · Finding"
    )
    own = build(
        newsletter=templates, issue=make_issue(subject="Mine {{ lead }}", preheader="A  line")
    )
    assert own.subject == "Mine {{ lead }}"
    assert own.preheader == "A line"


@pytest.mark.parametrize(
    "source", ["{{ nobody }}", "{{ lead", "{{ ().__class__.__mro__ }}", "{{ 1 / 0 }}"]
)
def test_a_settings_template_that_fails_names_its_setting(
    build: Build, paper: Newsletter, source: str
) -> None:
    """An unknown name, bad syntax or a forbidden attribute is an error of that setting."""
    with pytest.raises(ConfigError) as caught:
        build(newsletter=replace(paper, subject=source))
    assert caught.value.problems[0].where == "newsletter.subject"
    assert "lead" in caught.value.problems[0].fix


def test_content_is_never_run_as_a_template(
    build: Build,
    make_summary: Callable[..., Summary],
    make_issue: Callable[..., Issue],
    read_html: Read,
) -> None:
    """Braces of titles, texts and names come out as typed, everywhere."""
    typed = "{{ 6*7 }} {% raw %} {# a #} ${6*7} [[leave_url]]"
    edition = build(
        issue=make_issue("tides", introduction=f"`{typed}`"),
        summaries=[make_summary(title=typed, body=f"Write `{typed}` there.", source=typed)],
    )
    assert edition.subject == typed
    assert edition.files["issue.txt"].decode().count(typed) >= 3
    for name in ("issue.html", "page.html", "entry.html"):
        assert read_html(edition.files[name]).text.count(typed) >= 4 - (name == "entry.html")
        assert "42" not in read_html(edition.files[name]).text


def test_a_long_preheader_is_cut_at_a_word(build: Build, make_issue: Callable[..., Issue]) -> None:
    """An inbox shows about a hundred characters."""
    edition = build(issue=make_issue(preheader="tides come and go " * 12))
    assert len(edition.preheader) <= 110
    assert edition.preheader.endswith(("tides…", "come…", "and…", "go…"))


def test_an_empty_preheader_is_taken_from_the_lead(build: Build, paper: Newsletter) -> None:
    """Where the template gives nothing, the first summary's words stand in."""
    edition = build(newsletter=replace(paper, preheader="{{ '' }}"))
    assert edition.preheader == "The tide of day 1 came early."


def test_the_heading_is_title_then_theme_then_subject(
    build: Build, make_issue: Callable[..., Issue], read_html: Read
) -> None:
    """What stands above the letter says most that is known."""

    def heading(issue: Issue) -> str:
        html = read_html(build(issue=issue).files["page.html"])
        return str(html.text.partition(" Issue 12 · ")[0].rpartition(" Feed ")[2])

    assert heading(make_issue(title="Ebb & flow")) == "Ebb & flow"
    assert heading(make_issue()) == "Tides and moons"
    assert heading(make_issue("tides", "boats", theme=ThemeId(""))) == "Finding number 1"


def test_feeds_call_an_issue_by_title_or_subject(
    build: Build, make_issue: Callable[..., Issue]
) -> None:
    """Two issues of one theme have two titles in a feed."""
    assert build().title == "Finding number 1"
    assert build(issue=make_issue(title="Ebb")).title == "Ebb"
    assert build().theme == "tides"
    assert build().tags == ("Tides and moons",)


def test_the_summary_is_a_sentence(build: Build, make_issue: Callable[..., Issue]) -> None:
    """It is the introduction's beginning, else the preheader."""
    assert build().summary == "Finding number 2."
    introduced = build(issue=make_issue(introduction="This week: *water*!\n\nAnd more."))
    assert introduced.summary.startswith("This week: water!")


def test_themes_make_sections_and_numbers_go_on(
    build: Build, make_issue: Callable[..., Issue], read_html: Read
) -> None:
    """Items stand theme by theme in order of first appearance, in every part alike."""
    edition = build(issue=make_issue("boats", "tides", "boats"))
    assert [item.id for item in edition.items] == ["s1", "s3", "s2"]
    assert edition.tags == ("Boats", "Tides and moons")
    text = edition.files["issue.txt"].decode()
    lines = [
        line
        for line in text.splitlines()[4:]
        if line in edition.tags or line[:2] in {"1.", "2.", "3."}
    ]
    assert lines == [
        "Boats",
        "1. Finding number 1",
        "2. Finding number 3",
        "Tides and moons",
        "3. Finding number 2",
    ]
    for name in ("issue.html", "page.html", "entry.html"):
        html = read_html(edition.files[name])
        places = [html.text.rindex(title) for title in ("number 1", "number 3", "number 2")]
        assert places == sorted(places)
        assert len(html.all("h2")) == 2
        assert len(html.all("h3")) == 3


def test_headings_stand_in_order(
    build: Build,
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    read_html: Read,
) -> None:
    """No level is left out, in an issue of one theme and in a mixed one."""
    bodied = [make_summary(number, body="# Method\n\n## Detail\n\nText.") for number in (1, 2)]
    for issue in (make_issue(), make_issue("tides", "boats")):
        edition = build(issue=issue, summaries=bodied)
        for name in ("issue.html", "page.html"):
            html = read_html(edition.files[name])
            levels = [int(tag[1]) for tag, _ in html.tags if tag in {"h1", "h2", "h3", "h4", "h5"}]
            assert levels[0] == 1
            assert levels.count(1) == 1
            assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_theme_of_an_issue_may_have_no_item(
    build: Build, make_issue: Callable[..., Issue]
) -> None:
    """Its label is still the heading, declared or not."""
    themes = ("boats", "boats")
    for theme, label in (("tides", "Tides and moons"), ("moss", "moss")):
        edition = build(issue=make_issue(*themes, theme=ThemeId(theme)))
        assert f"<bdi>{label}</bdi></h1>" in edition.files["page.html"].decode()


def test_texts_are_cleaned_of_what_xml_refuses(
    build: Build, make_issue: Callable[..., Issue], make_summary: Callable[..., Summary]
) -> None:
    """Control characters of any text are gone, line breaks of one-line texts are spaces."""
    dirty = "a\x1b[1m\x00b\u2028c"
    summary = make_summary(1, title=dirty, body=dirty, source=dirty, authors=(dirty, " "))
    edition = build(issue=make_issue("tides", introduction=dirty, title=dirty), summaries=[summary])
    assert edition.items[0].title == "a[1mb c"
    assert edition.items[0].authors == ("a[1mb c",)
    for data in edition.files.values():
        assert not {"\x1b", "\x00", "\u2028"} & set(data.decode())


def test_an_empty_issue_is_rendered(
    build: Build, make_issue: Callable[..., Issue], paper: Newsletter
) -> None:
    """Nothing picked gives a letter that says so by its count; a check forbids to send it."""
    issue = make_issue(theme=ThemeId(""))
    edition = build(issue=replace(issue, items=()), newsletter=replace(paper, name=" "))
    assert edition.items == ()
    assert edition.title == "Issue 12"
    assert "0 summaries" in edition.files["issue.txt"].decode()
    assert "harbour-notes" in edition.files["page.html"].decode()


def test_one_summary_is_counted_in_the_singular(
    build: Build, make_issue: Callable[..., Issue]
) -> None:
    """The line under the heading says how much there is to read."""
    text = build(issue=make_issue("tides")).files["issue.txt"].decode()
    assert "Issue 12 · 30 Nov \N{EN DASH} 6 Dec 2026 · 1 summary · 1 min read" in text
