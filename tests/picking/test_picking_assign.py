"""Under which theme a summary falls."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import UsageError
from digest.model import OTHER, Summary, Theme, ThemeId
from digest.picking import assign, themes_in_order
from digest.picking.assign import fitting, read_rules


def _theme(name: str, *match: str) -> Theme:
    return Theme(id=ThemeId(name), label=name.title(), match=match)


def _summary(
    *,
    path: str = "weir.md",
    title: str = "Weir",
    body: str = "",
    tags: tuple[str, ...] = (),
    source: str = "",
    themes: tuple[str, ...] = (),
) -> Summary:
    return Summary(
        id="weir",
        path=path,
        title=title,
        body=body,
        fingerprint="0",
        tags=tags,
        source=source,
        themes=themes,
    )


_ALL = (
    _theme("words", "word:mill race"),
    _theme("sources", "source:River Board"),
    _theme("folders", "folder:weirs"),
    _theme("tags", "tag:Water"),
)


def test_a_theme_named_by_the_file_beats_every_rule() -> None:
    """The first name in the file wins, declared or not."""
    found = assign(_summary(themes=("canals", "tags"), tags=("water",)), _ALL)

    assert (found.theme, found.rule) == ("canals", "theme:canals")


@pytest.mark.parametrize(
    ("summary", "theme", "rule"),
    [
        (
            _summary(path="weirs/a.md", source="River Board", tags=("WATER",), body="mill race"),
            "tags",
            "tag:Water",
        ),
        (
            _summary(path="Weirs/old/a.md", source="River Board", body="mill race"),
            "folders",
            "folder:weirs",
        ),
        (_summary(source="river board", body="mill race"), "sources", "source:River Board"),
        (_summary(body="Down the Mill\nRace."), "words", "word:mill race"),
        (_summary(path="north/weirs/a.md"), "other", ""),
        (_summary(path="weirs.md", source="River Boards", body="mill races"), "other", ""),
    ],
)
def test_kinds_of_rules_have_an_order(summary: Summary, theme: str, rule: str) -> None:
    """Tag before folder before source before word, whatever the order of the themes."""
    found = assign(summary, _ALL)

    assert (found.theme, found.rule) == (theme, rule)


def test_within_a_kind_the_order_of_themes_decides() -> None:
    """Two themes with one tag: the first gets the summary."""
    first, second = _theme("locks", "tag:gate"), _theme("tides", "tag:gate", "tag:moon")

    assert assign(_summary(tags=("moon", "gate")), (first, second)).theme == "locks"
    assert assign(_summary(tags=("moon", "gate")), (second, first)).theme == "tides"


def test_words_are_text_and_not_a_pattern() -> None:
    """Signs that mean something in a regular expression stand for themselves."""
    themes = (_theme("code", "word:c++"), _theme("dots", "word:a.b"))

    assert assign(_summary(body="Written in C++."), themes).theme == "code"
    assert assign(_summary(body="axb ccc"), themes).theme == "other"


def test_unicode_forms_and_letter_case_do_not_count() -> None:
    """A composed and a decomposed letter are one, and so are two cases of it."""
    themes = (_theme("coffee", "word:CAFE\u0301", "tag:straße"),)

    assert assign(_summary(body="le café noir"), themes).theme == "coffee"
    assert assign(_summary(tags=("STRASSE",)), themes).theme == "coffee"


@pytest.mark.parametrize(
    ("rule", "body", "fits"),
    [
        ("word:mill*", "The mills of the town.", True),
        ("word:mill*", "A MILL-RACE!", True),
        ("word:mill*", "Down to the mill", True),
        ("word:mill*", "A windmill.", False),
        ("word:Mill *", "The millers.", True),
        ("word:mill rac*", "Two mill\n  races.", True),
        ("word:mill rac*", "Two mills race.", False),
        ("word:mill rac*", "A race of mills.", False),
        ("word:m*", "One mill.", True),
        ("word:\u00e9clus*", "Les e\u0301cluses.", True),
        ("word:mill**", "All mills.", False),
        ("word:mill**", "All mill*s.", True),
        ("word:mi*l", "One mill.", False),
    ],
)
def test_a_star_at_the_end_stands_for_the_rest_of_a_word(
    rule: str, body: str, *, fits: bool
) -> None:
    """The beginning must begin a word; a star elsewhere is a star."""
    found = assign(_summary(title="", body=body), (_theme("mills", rule),))

    assert (found.theme, found.rule) == (("mills", rule) if fits else ("other", ""))


def test_a_star_means_nothing_in_rules_that_are_not_of_words() -> None:
    """Tags and sources are compared whole."""
    themes = (_theme("tags", "tag:mill*"), _theme("sources", "source:River*"))

    assert assign(_summary(tags=("mills",), source="River Board"), themes).theme == "other"
    assert assign(_summary(tags=("mill*",)), themes).theme == "tags"


_LETTERS = st.text(alphabet="abm\u00e9 -*\n", max_size=12)


@given(st.text(alphabet="abm\u00e9", min_size=1, max_size=6), st.lists(_LETTERS, max_size=6))
@settings(deadline=None, max_examples=100)
def test_short_cuts_change_no_answer(word: str, parts: list[str]) -> None:
    """A word or a beginning is found exactly where a plain search word by word finds it."""
    body = " ".join(parts)
    words = re.split(r"[ \-*\n]+", body)

    assert (assign(_summary(title="", body=body), (_theme("t", f"word:{word}"),)).rule != "") == (
        word in words
    )
    assert (assign(_summary(title="", body=body), (_theme("t", f"word:{word}*"),)).rule != "") == (
        any(one.startswith(word) for one in words)
    )


def test_all_rules_that_fit_are_told_in_the_order_of_their_say() -> None:
    """The first of them decides; a name in the file is no rule."""
    summary = _summary(
        path="weirs/a.md", source="River Board", tags=("water",), body="mill race", themes=("x",)
    )
    found = [(rule.theme, rule.text) for rule in fitting(read_rules(_ALL), summary)]

    assert found == [
        ("tags", "tag:Water"),
        ("folders", "folder:weirs"),
        ("sources", "source:River Board"),
        ("words", "word:mill race"),
    ]


@pytest.mark.parametrize(
    "rule", ["colour:red", "tag:", "word:  ", "graphs", "word:*", "word: *", "tag:/"]
)
def test_a_rule_that_cannot_be_read_is_named(rule: str) -> None:
    """The theme and the rule stand in the message, the kinds there are in the cure."""
    with pytest.raises(UsageError, match="theme locks") as caught:
        assign(_summary(), (_theme("locks", rule),))

    assert repr(rule) in str(caught.value)
    assert "tag:…, folder:…, source:…, word:…" in str(caught.value)


def test_themes_are_declared_then_named_then_other() -> None:
    """Undeclared themes get a label from their id and stand in the order of ids."""
    named = (_summary(themes=("wind-power", "locks")), _summary(themes=("canals",)))

    found = themes_in_order((_theme("tides"), _theme("locks")), named)

    assert [theme.id for theme in found] == ["tides", "locks", "canals", "wind-power", "other"]
    assert [theme.label for theme in found][2:] == ["Canals", "Wind power", "Other"]
    assert found[-1] is OTHER


def test_a_declared_other_keeps_its_label_and_comes_last() -> None:
    """Only its place is fixed."""
    other = Theme(id=OTHER.id, label="Odds and ends", colour="rust")

    assert themes_in_order((other, _theme("tides")), ()) == (_theme("tides"), other)


_NAMES = st.sampled_from(["tides", "locks", "canals", "other", "wind"])


@given(
    st.lists(_NAMES, unique=True),
    st.lists(st.lists(_NAMES, max_size=3), max_size=5),
    st.randoms(use_true_random=False),
)
@settings(deadline=None, max_examples=60)
def test_order_of_themes_is_stable(
    declared: list[str], named: list[list[str]], dice: object
) -> None:
    """Giving the answer back in changes nothing, and the order of files does not matter."""
    themes = tuple(_theme(name) for name in declared)
    summaries = [_summary(themes=tuple(names)) for names in named]

    found = themes_in_order(themes, summaries)
    dice.shuffle(summaries)  # type: ignore[attr-defined] # hypothesis gives a random.Random

    assert themes_in_order(themes, summaries) == found
    assert themes_in_order(found, summaries) == found
    assert len({theme.id for theme in found}) == len(found)
