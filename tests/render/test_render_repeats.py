"""What was sent before says so to readers, in each form of the letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from digest.errors import TemplateError
from digest.model import Edition, Issue, Newsletter, Summary
from digest.render import TemplateSet

Build = Callable[..., Edition]
Read = Callable[..., Any]
MakeIssue = Callable[..., Issue]

_FORMS = ("issue.html", "issue.txt", "page.html", "entry.html")
_TEMPLATES = ("items.mjml.j2", "items.txt.j2", "page.html.j2", "entry.html.j2")
_SAID = "Sent before, in the issue of week 1 of 2026"
_MARK = re.compile(r"{% if item\.repeat %}\n.*\n{% endif %}\n")
_WORD = re.compile(r"{% set repeat = .* %}\n")


@pytest.fixture
def repeated(make_issue: MakeIssue) -> Callable[..., Issue]:
    """Give the maker of issues of two items of which the second was sent before."""

    def make(*themes: str, key: str = "2026-w01") -> Issue:
        issue = make_issue(*themes)
        first, second, *others = issue.items
        return replace(issue, items=(first, replace(second, repeat=key), *others))

    return make


def _without(look: TemplateSet, piece: re.Pattern[str], *names: str) -> TemplateSet:
    """Take a piece out of templates, each of which has it once."""
    texts = dict(look.texts)
    for name in names:
        texts[name], count = piece.subn("", texts[name])
        assert count == 1
    return replace(look, texts=texts)


def _shown(edition: Edition, read_html: Read) -> Mapping[str, str]:
    """Give the words of each form as one line."""
    texts = {name: edition.files[name].decode() for name in _FORMS}
    return {
        name: " ".join((text if name.endswith(".txt") else read_html(text).text).split())
        for name, text in texts.items()
    }


@pytest.mark.parametrize("themes", [("tides", "tides"), ("tides", "boats")])
def test_repeat_is_marked_in_each_form(
    build: Build, repeated: Callable[..., Issue], read_html: Read, themes: tuple[str, ...]
) -> None:
    """Once, between the title that it belongs to and the text, under one theme or several."""
    for text in _shown(build(issue=repeated(*themes)), read_html).values():
        assert text.count(_SAID) == 1
        after = text.rpartition("Finding number 2")[2]
        assert _SAID in after.partition("The tide of day 2")[0]


@pytest.mark.parametrize(
    ("key", "said"),
    [("2020-w53", "week 53 of 2020"), ("2026-w09-extra", "week 9 of 2026")],
)
def test_mark_names_the_week(
    build: Build, repeated: Callable[..., Issue], read_html: Read, key: str, said: str
) -> None:
    """It is the ISO week of the issue's key; an extra issue is one of its week."""
    for text in _shown(build(issue=repeated(key=key)), read_html).values():
        assert f"Sent before, in the issue of {said}" in text


def test_item_without_source_authors_and_day_is_marked(
    build: Build,
    repeated: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    read_html: Read,
) -> None:
    """The mark does not hang on the line of facts."""
    bare = make_summary(2, source="", authors=(), date=None)
    edition = build(issue=repeated(), summaries=[make_summary(1), bare])
    for text in _shown(edition, read_html).values():
        assert f"Finding number 2 {_SAID}" in text


@pytest.mark.parametrize(("letter", "item"), [("en", "ar"), ("he", "en"), ("he", "")])
def test_mark_keeps_its_language_and_direction(
    build: Build,
    repeated: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    paper: Newsletter,
    letter: str,
    item: str,
) -> None:
    """It is isolated from an item of the other direction, and names the letter's language."""
    edition = build(
        issue=repeated(),
        summaries=[make_summary(1), make_summary(2, lang=item)],
        newsletter=replace(paper, language=letter),
    )
    for name in ("issue.html", "page.html", "entry.html"):
        assert f'<bdi lang="{letter}">{_SAID}</bdi></p>' in edition.files[name].decode()


def test_long_mark_is_wrapped_and_escaped(
    build: Build, repeated: Callable[..., Issue], shipped_look: TemplateSet
) -> None:
    """The words of another look are text, and keep to the columns of the plain mail."""
    said = "Aus <Woche {week}> & dem Jahr {year}, " + "schon einmal gesendet und nun erneut " * 3
    word = f'{{% set repeat = "{said}" %}}'
    words = _WORD.sub(word, shipped_look.texts["words.txt.j2"])
    look = replace(shipped_look, texts={**shipped_look.texts, "words.txt.j2": words})
    files = build(issue=repeated(), look=look).files
    assert (
        "\n   Aus <Woche 1> & dem Jahr 2026, schon einmal gesendet" in files["issue.txt"].decode()
    )
    lines = files["issue.txt"].decode().splitlines()
    assert all(len(line) <= 72 for line in lines if "://" not in line)
    for name in ("issue.html", "page.html", "entry.html"):
        assert "Aus &lt;Woche 1&gt; &amp; dem Jahr 2026" in files[name].decode()


@pytest.mark.parametrize("language", ["en", "he"])
@pytest.mark.parametrize("themes", [("tides", "tides"), ("tides", "boats"), ("other",)])
def test_without_repeats_no_byte_is_another(
    build: Build,
    make_issue: MakeIssue,
    paper: Newsletter,
    shipped_look: TemplateSet,
    language: str,
    themes: tuple[str, ...],
) -> None:
    """A look that knows no repeats, as kept editions have, makes the same edition."""
    before = _without(_without(shipped_look, _MARK, *_TEMPLATES), _WORD, "words.txt.j2")
    parts = {
        "issue": make_issue(*themes, introduction="Hello *all*."),
        "newsletter": replace(paper, language=language),
    }
    edition = build(**parts)
    assert edition == build(**parts, look=before)
    assert all(b"Sent before" not in data for data in edition.files.values())


def test_look_without_the_word_is_refused_for_a_repeat(
    build: Build, repeated: Callable[..., Issue], shipped_look: TemplateSet
) -> None:
    """Readers would see no mark: the file of words is named."""
    with pytest.raises(TemplateError, match="sets no repeat") as caught:
        build(issue=repeated(), look=_without(shipped_look, _WORD, "words.txt.j2"))
    assert caught.value.problems[0].where == "templates/words.txt.j2"


@pytest.mark.parametrize("name", _TEMPLATES)
def test_template_that_loses_the_mark_is_refused(
    build: Build, repeated: Callable[..., Issue], shipped_look: TemplateSet, name: str
) -> None:
    """What was sent before is in no form unmarked."""
    with pytest.raises(TemplateError) as caught:
        build(issue=repeated(), look=_without(shipped_look, _MARK, name))
    [problem] = caught.value.problems
    assert problem.what == "the template does not show that 'Finding number 2' was sent before"
    # The items of the mail are a part of the letter, and the letter is what lacks the mark.
    assert problem.where == f"templates/{name.replace('items', 'letter')}"
    assert "its repeat" in problem.fix
