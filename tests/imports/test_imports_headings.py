"""Headings that run into the text."""

# ruff: noqa: RUF001 - the signs of typography are what is tested

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.imports.headings import is_title, split_heading

# A section's name, which is dropped, the heading, and the text.
GLUED = (
    ("Introduction", "", "Clay ovens have fed villages for centuries."),
    ("Introduction", "", "In the far north, ovens are built of snow."),
    ("Introduction", "", "“Fire first,” says every oven builder we met."),
    ("Introduction", "", "40 ovens were built in one summer."),
    ("INTRODUCTION", "", "In the far north, ovens are built of snow."),
    ("1. Introduction", "", "The far north has no ovens of clay."),
    ("II Background", "", "The far north has no ovens of clay."),
    ("Introduction:", "", "the far north has no ovens of clay."),
    ("Introduction —", "", "In the old days salt was carried by mules."),
    ("Introduction.", "", "Mules carried the salt of the coast."),
    ("Abstract—", "", "We follow the mules of the coast at night."),
    ("Abstract", "", "We measure the heat of forty ovens."),
    ("Abstract:", "", "Ovens lose heat through the door mostly."),
    ("Abstract", "", "Markov Decision Processes (MDPs) plan the baker's night."),
    ("ABSTRACT", "", "Clay holds heat for a whole night."),
    ("Overview", "", "Clay is older than bread, and cheaper."),
    ("Background", "", "Over the last decade ovens have shrunk."),
    ("Background and Motivation", "", "Ovens are older than houses, oddly."),
    ("Motivation", "", "Why do ovens crack when they cool?"),
    ("Summary", "", "This survey counts ovens in nine villages."),
    ("Prologue", "", "It was dark when the baker came."),
    ("Preface", "", "Ten years ago nobody baked at home."),
    ("Abstract Introduction", "", "In the far north, ovens are built of snow."),
    ("Introduction:", "A Clay Oven in Every Yard", "Imagine you are hungry in winter."),
    ("Introduction", "The Long Road Home", "If you have walked it, you know."),
    ("", "Introduction to Salt Roads", "In this post we follow the mules."),
    ("", "The $3.2 Million Oven", "In May 1911, a baker lost his house to a fire."),
    ("", "The $3.2 Million Oven", "In May a baker lost his house to a fire."),
    ("", "The $3.2 Million Oven", "In 1911 a baker lost his house to a fire."),
    ("", "Bread, Salt, and Patience", "If you have ever baked at night, you know it."),
    (
        "",
        "Why Loaves Rise (and Fall) How to Wait: A Baker’s Story",
        "When you open the oven, listen.",
    ),
    (
        "",
        "Beyond the Mill: Grinding Grain in Small Towns with Wind",
        "For centuries all millers waited.",
    ),
    ("", "The Oven of the Year 2031", "In New York City, a baker has won."),
    ("", "The Hidden Cost of Cheap Rolls", "Bakers have known it for years."),
    ("", "The Secret Life of Sourdough", "Have you ever fed a jar of flour?"),
    ("", "The Secret Life of Sourdough", "Suppose a jar of flour is left alone."),
    ("", "The Secret Life of Sourdough", "Consider a jar of flour left alone."),
    ("", "The Secret Life of Sourdough", "We often forget that jars breathe."),
    ("", "The Secret Life of Sourdough", "It is said that jars breathe at night."),
    ("", "The Secret Life of Sourdough", "This jar is older than its owner."),
    ("", "The Secret Life of Sourdough", "This French jar is older than its owner."),
    ("", "The Secret Life of Sourdough", "As flour meets water, life begins."),
    ("", "The Secret Life of Sourdough", "The jar on the shelf is alive."),
    ("", "The Secret Life of Sourdough", "The Alps have their own yeast, people say."),
    ("", "The Secret Life of Sourdough", "Today, most jars are empty and clean."),
    ("", "The Secret Life of Sourdough", "Today we keep no jars of it."),
    ("", "The Secret Life of Sourdough", "We’ve all seen a jar run over."),
    ("", "The Secret Life of Sourdough", "Scientists have looked into the jar."),
    ("", "The Secret Life of Sourdough", "Many jars are older than their owners."),
    ("", "The Secret Life of Sourdough", "One of the oldest jars is alive."),
    ("", "The Secret Life of Sourdough", "When Rome fell, the jars were saved."),
    ("", "The Secret Life of Sourdough", "What if the jar could speak to us?"),
    ("", "The Secret Life of Sourdough", "Think of a jar that is never empty."),
    ("", "The Secret Life of Sourdough", "Building a jar takes a day of work."),
    ("", "Lessons from 90 Kitchens", "There is a moment when dough is ready."),
    ("", "Quiet Ovens", "In the old days bakers were up at two."),
    ("", "SALT AND MULES", "In the old days salt was carried by them."),
    ("", "Growing Up", "In the old days, children were sent out early."),
    ("", "Can Bread Be Too Fresh?", "Bakers know that it can be."),
    ("", "What Is Rye?", "It is a grain that likes the cold."),
    ("", "How bread rises", "In a warm kitchen, dough grows twice its size."),
)
WHOLE = (
    "Graph Neural Networks (GNNs) have changed how millers work.",
    "Deep Reinforcement Learning (DRL) is used to bake bread.",
    "Large Language Models are writing recipes these days.",
    "ICML 2025 was held in a hot summer.",
    "New York City in July was hot, and the ovens too.",
    "New York City In July is a song nobody knows.",
    "The New York City Marathon is run in November each year.",
    "Deep Convolutional Neural Networks are trained on pictures of loaves.",
    "Mixture of Experts Models are large and cheap to run.",
    "Why Large Language Models are so good at rhyme is a riddle.",
    "How Transformers and Diffusion Models are changing bakeries is unclear.",
    "Training Large Language Models can be expensive for a bakery.",
    "Recent Deep Learning In Computer Vision has found bread.",
    "Deep Learning for The Masses is a course for bakers.",
    "Abstract Expressionism changed how New York saw paint.",
    "Abstract Syntax Trees (ASTs) are what compilers work on.",
    "Abstract algebra is older than its name and harder.",
    "Background Radiation is a book about bread and atoms.",
    "Summary statistics hide what matters most to bakers.",
    "Overview maps show the salt roads of the coast.",
    "Introduction to Algorithms is a heavy book for bakers.",
    "The World As We Know It is ending, says the baker.",
    "The Causes of World War I are taught in every school.",
    "The Role of Vitamin A is known to every nurse.",
    "The Long Story Part Two opens with a loaf of bread.",
    "The Quality of Letter A followed by a stop is poor.",
    "The Rise of Formula One is a tale of fuel.",
    "The Friends of Plain Bread Today is a club of bakers.",
    "Stories of People Like You is a radio hour.",
    "The Meaning of Thank You is clear to bakers.",
    "The Stories They Tell You was a radio hour.",
    "John Lennon’s Imagine is a song about bread, perhaps.",
    "The Love Song Imagine is heard in every bakery.",
    "Gone With the Wind is a film about a house.",
    "The Big Walk With the Wind is a film about a mill.",
    "Star Wars: The Force Awakens is a film about sand.",
    "The Union of Concerned Scientists has warned of it.",
    "The University of the Northern Lights Owls are a team.",
    "How Green Was My Valley is a novel about coal.",
    "What We Talk About When We Talk About Love is a book.",
    "All the Red Bakers Have Sung is a song of bread.",
    "Please Log In to your account before you bake.",
    "This Long List “Of Things With a name that is long is open.",
    "The Long List: The bread is white there, they say.",
    "U.S. The bread is white there, they say.",
    "Bread Comes First. The rest comes after, they say.",
    "Is Bread Dead? Not in this bakery, it seems.",
    "The Rules of the House This: no bread after nine, they say.",
    "What, Me Worry? asks the baker of the town.",
    "What is left of The bakery is a chimney.",
    "What bread, you ask In the morning, is left?",
    "What the oven is for In the morning is clear.",
    "The Very Long Loaf Imagine you bake.",
    "**Bread** is what the baker sells in the morning.",
    "# 3 on the list was a loaf of rye bread.",
    "- In the old days bread was black and hard.",
)


@pytest.mark.parametrize(("section", "title", "text"), GLUED)
def test_glued_heading_is_parted_from_the_text(section: str, title: str, text: str) -> None:
    """A heading that runs into the text becomes the title, a section's name is dropped."""
    split = split_heading([" ".join(filter(None, (section, title, text)))])
    assert (split.title, split.text) == (title, text)


@pytest.mark.parametrize("text", WHOLE)
def test_a_name_at_the_beginning_is_no_heading(text: str) -> None:
    """A sentence that begins with a name, or leaves doubt, stays whole."""
    split = split_heading([text])
    assert (split.title, split.text) == ("", text)


@pytest.mark.parametrize(
    ("lines", "title", "text"),
    [
        (["# Salt Roads", "Mules carried it."], "Salt Roads", "Mules carried it."),
        (["## Salt Roads ##", "mules carried it."], "Salt Roads", "mules carried it."),
        (["Salt Roads", "Mules carried it."], "Salt Roads", "Mules carried it."),
        (["Salt Roads:", "Mules carried it."], "Salt Roads", "Mules carried it."),
        (["Why salt was dear", "Mules carried it for a month."], "Why salt was dear", ""),
        (["**Salt Roads**", "mules carried it."], "Salt Roads", "mules carried it."),
        (["Introduction", "salt was dear then."], "", "salt was dear then."),
        (["Introduction: Salt", "Salt was dear then."], "Salt", "Salt was dear then."),
        (["# Salt", "## Roads", "Mules carried it."], "Salt: Roads", "Mules carried it."),
        (["# Salt Roads", "Introduction In the old days."], "Salt Roads", "In the old days."),
        (["# Introduction In the old days", "salt was dear."], "Introduction In the old days", ""),
        (["**Salt Roads** Mules carried it."], "Salt Roads", "Mules carried it."),
        (["**Salt Roads.** Mules carried it."], "Salt Roads", "Mules carried it."),
        (["__Salt Roads:__ Mules carried it."], "Salt Roads", "Mules carried it."),
        (["**Introduction** Mules carried it."], "", "Mules carried it."),
        (["# Salt Roads In the old days salt was dear."], "Salt Roads", ""),
        (["# Introduction In the old days salt was dear."], "", ""),
    ],
)
def test_a_marked_heading_or_one_on_its_own_line_is_parted(
    lines: list[str], title: str, text: str
) -> None:
    """A heading with `#`, in bold, or on a line before the text becomes the title."""
    split = split_heading(lines)
    assert split.title == title
    assert split.text == text if text else " ".join(lines).endswith(split.text)


@pytest.mark.parametrize(
    "lines",
    [
        ["In the harbour of old", "Lisbon there is"],  # the word would not have fitted
        ["Salt was dear, so", "Mules carried it for a month."],
        ["Salt was dear,", "Mules carried it for a month."],
        ["Salt was dear.", "Mules carried it for a month."],
        ["Salt was dear", "and mules carried it for a month."],
        ["# 3 on the list was a loaf.", "Rye came first in that year."],
        ["Salt " * 30 + "Roads", "Mules carried it."],
    ],
)
def test_lines_that_were_only_wrapped_are_joined(lines: list[str]) -> None:
    """A line that is merely broken off is no heading."""
    split = split_heading(lines)
    assert (split.title, split.text) == ("", " ".join(lines))


def test_a_heading_longer_than_a_line_is_no_heading() -> None:
    """A run of capitals of more than 120 characters stays in the text."""
    text = "Salt Roads and Inns of Long Ago " * 4 + "Seen If you have walked them, you know."
    assert split_heading([text]).title == ""


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("The Salt of Old |", "The Salt of Old"),
        ("The Salt of Old • |", "The Salt of Old"),
        (r"The Value of \(x\)", r"The Value of \(x\)"),
    ],
)
def test_signs_between_heading_and_text_are_dropped(heading: str, title: str) -> None:
    """A sign that parts heading and text belongs to neither; a formula stays."""
    split = split_heading([f"{heading} In the old days salt was dear."])
    assert (split.title, split.text) == (title, "In the old days salt was dear.")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Salt Roads", True),
        ("Introduction", True),
        ("# salt roads", True),
        ("**salt roads**", True),
        ("Salt roads", False),
        ("Salt Roads.", False),
        ("2031", False),
        ("Salt " * 40, False),
    ],
)
def test_a_line_of_capitals_is_a_title(line: str, expected: bool) -> None:  # noqa: FBT001  a value
    """A short line in capitals or with a mark is a title, a sentence is not."""
    assert is_title(line.strip()) is expected


_PIECES = (
    "Introduction|Abstract|Overview|In|The|If|salt|roads|of|the|(|“|”|—|:|.|?|**Salt**|#|3"
    "|Motivation,|Roads:|(SR)|Salt|Results|Here|is|Last|July|2031|Problem|Roads|have|Deep|Modern|What"
)


def _has_one_name(words: list[str]) -> bool:
    """Tell a heading from a row of names, of which one may be left: no sentence has several."""
    return sum(word in {"Introduction", "Overview", "Abstract"} for word in words) <= 1


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.sampled_from(_PIECES.split("|")),
        min_size=1,
        max_size=12,
    ).filter(_has_one_name)
)
def test_no_text_keeps_a_section_name_before_a_sentence(words: list[str]) -> None:
    """Whatever the words, a section's name before a sentence is gone, and no word is invented."""
    split = split_heading([" ".join(words)])
    assert not re.match(r"(Introduction|Overview) [A-Z(]*[A-Z]", split.text)
    assert not re.match(r"Abstract (In|The|If)\b", split.text)
    # The signs that may close a heading (CommonMark 0.31.2 §4.2) are no words.
    assert " ".join(words).rstrip("# ").endswith(split.text.rstrip("# "))
