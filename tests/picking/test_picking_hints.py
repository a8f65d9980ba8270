"""Words that summaries without a theme share."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import Summary, Theme, ThemeId
from digest.picking.assign import assign_by, read_rules
from digest.picking.hints import Hint, hints


def _summary(body: str, *, title: str = "", summary: str = "") -> Summary:
    return Summary(
        id=body[:20], path="a.md", title=title, summary=summary, body=body, fingerprint="0"
    )


def _hints(
    unthemed: list[str], themed: tuple[str, ...] = (), rules: tuple[str, ...] = ()
) -> tuple[Hint, ...]:
    theme = Theme(id=ThemeId("locks"), label="Locks", match=rules)
    return hints(
        [_summary(text) for text in unthemed],
        [_summary(text) for text in themed],
        rules=read_rules((theme,)),
    )


def test_what_two_share_is_told_with_their_count() -> None:
    """Title, summary and body count; the most common word comes first, then the alphabet."""
    found = hints(
        [
            _summary("A quay.", title="Herring"),
            _summary("The herring of the quay.", summary="Barrels"),
            _summary("One herring, two barrels."),
        ],
        [],
        rules=read_rules(()),
    )

    assert found == (
        Hint(rule="word:herring", items=3),
        Hint(rule="word:barrels", items=2),
        Hint(rule="word:quay", items=2),
    )


def test_singular_and_plural_are_one_word() -> None:
    """The rule then begins both, and its count holds all that begin so."""
    assert _hints(["A barrel rolled.", "Three barrels.", "The barrelmaker."]) == (
        Hint(rule="word:barrel*", items=3),
    )
    assert _hints(["Pale glass.", "Thick glass."])[0].rule == "word:glass"


def test_words_of_any_text_short_ones_and_addresses_are_no_hints() -> None:
    """Nor are numbers, words with digits in them and TeX commands."""
    text = r"Between those years: an eel, 4711, ab12cd, https://quay.example/herring \(\alpha\)"

    assert _hints([text, f"{text}."]) == ()


def test_words_that_a_word_rule_has_are_no_hints() -> None:
    """Words of tags are: a rule for the word is what is missing."""
    texts = ["The keeper of the lantern.", "A lantern for each keeper."]

    assert _hints(texts, rules=("word:lighthouse keeper", "tag:lantern")) == (
        Hint(rule="word:lantern", items=2),
    )


def test_words_as_common_elsewhere_are_no_hints() -> None:
    """A word must be more than twice as common among those without a theme."""
    texts = ["Salt and herring.", "Salt, herring."]

    assert _hints(texts, themed=("Salt in a lock.", "A gate.")) == (
        Hint(rule="word:herring", items=2),
    )
    assert len(_hints(texts, themed=("Salt in a lock.", "A gate.", "A weir."))) == 2


def test_one_pair_of_likes_does_not_fill_the_list() -> None:
    """At most three words for the same summaries, at most ten in all."""
    pair = "herring barrel cooper fisher harbour"
    fresh = [f"{word}ing {word}ers" for word in ["quarr", "tann", "weav", "dye", "thatch", "cart"]]

    assert [hint.rule for hint in _hints([pair, pair, "wind"])] == [
        "word:barrel",
        "word:cooper",
        "word:fisher",
    ]
    assert len(_hints([text for text in fresh for _ in range(2)])) == 10


def test_nothing_in_common_gives_no_hint() -> None:
    """One summary alone shares nothing, and neither do two that differ."""
    assert _hints([]) == ()
    assert _hints(["herring"]) == ()
    assert _hints(["herring", "barrel"]) == ()


_TEXTS = st.lists(
    st.lists(
        st.sampled_from(["herring", "herrings", "eels", "quay2", "barrel", "glass", "which"]),
        max_size=5,
    ),
    max_size=6,
)


@given(_TEXTS, _TEXTS, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_each_hint_makes_a_rule_that_takes_what_it_promised(
    unthemed: list[list[str]], themed: list[list[str]], dice: object
) -> None:
    """Two or more summaries, as many as the hint says, in whatever order they come."""
    texts = [" ".join(words) for words in unthemed]
    others = tuple(" ".join(words) for words in themed)
    found = _hints(texts, others)

    for hint in found:
        rules = read_rules((Theme(id=ThemeId("new"), label="New", match=(hint.rule,)),))
        taken = sum(assign_by(rules, _summary(text)).theme == "new" for text in texts)
        assert taken == hint.items >= 2
    dice.shuffle(texts)  # type: ignore[attr-defined] # hypothesis gives a random.Random
    assert _hints(texts, others) == found
