"""Under which theme a summary falls."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import UsageError
from digest.model import OTHER, Summary, Theme, ThemeId
from digest.picking import assign, themes_in_order


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


@pytest.mark.parametrize("rule", ["colour:red", "tag:", "word:  ", "graphs"])
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
