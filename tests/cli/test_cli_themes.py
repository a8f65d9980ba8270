"""`digest themes`: what falls under which theme, and the rules that the sample comes with."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases.forms import tree

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "listings"
_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_SETTINGS = """
[selection]
min_items = 1

[[theme]]
id = "tides"
label = "Tides and floods"
match = ["tag:tides", "word:tid*", "word:ebb", "word:wave", "word:surge", "word:swell", "word:bore"]

[[theme]]
id = "locks"
match = ["word:lock"]
"""


def _item(title: str, text: str, header: str = "") -> str:
    return f"---\ntitle: {title}\ndate: 2026-11-20\n{header}---\n\n{text}\n"


_FILES = {
    "content/neap.md": _item("Neap", "A low tide.", "tags: [tides]\n"),
    "content/rope.md": _item("Rope", "Hemp for the harbour."),
    "content/sail.md": _item("Sail", "Canvas and hemp."),
    "content/barge.md": _item("Barge", "Slow.", "theme: barges\n"),
}

# Theme of the sample settings, and a text without tags that belongs there.
_TEXTS = (
    (
        "graphs",
        "A road map is a graph, and so is a family tree. We ask what a model must see of \
both before it can tell a junction from a dead end. ...",
    ),
    (
        "graphs",
        "Who knows whom decides how a rumour spreads. In a social network of one town the \
answer hung on eleven people and on nobody else. ...",
    ),
    (
        "privacy",
        "A hospital may publish how many patients it had, and still give one of them away. \
Noise protects privacy at a price that can be counted. ...",
    ),
    (
        "privacy",
        "Change one pixel and the stop sign becomes a parrot. Adversarial examples were \
found ten years ago, and no defence has lasted for two of them. ...",
    ),
    (
        "generative",
        "A diffusion model begins with snow and ends with a horse. Halving its steps \
saves half of the power, but the horse then loses a leg. ...",
    ),
    (
        "generative",
        "When the photographs ran out, the team drew its own. Synthetic data taught the \
sorter to see bruised pears before the first harvest came in. ...",
    ),
    (
        "training",
        "Most runs fail in the first hour. A learning rate that climbs slowly would have \
saved nine of ten, and nobody knows a reason. ...",
    ),
    (
        "training",
        "Cutting three of four weights from a neural network leaves it as good as before. \
Pruning before the first step does not, and that is the riddle. ...",
    ),
    (
        "language-models",
        "Ask it for the capital of a country that is none, and a chatbot names one. \
We counted how often, in nine tongues. ...",
    ),
    (
        "language-models",
        "Long letters tire a transformer, since each word looks at all the others. \
Looking at every tenth word is enough for a summary. ...",
    ),
    (
        "agents",
        "The agent books the train, then the hotel, then the same train again. Plans that \
are written down first go wrong half as often. ...",
    ),
    (
        "agents",
        "A robot that learns to open one door opens the next one with its shoulder. Rewards \
for the handle alone did not help. ...",
    ),
    (
        "safety",
        "It took four polite questions to get the recipe. A jailbreak needs no skill, and \
the patch of Monday is the hole of Friday. ...",
    ),
    (
        "safety",
        "Nobody can say why the loan was refused. An audit from outside found the cause in \
a week, since it was allowed to ask twice. ...",
    ),
    (
        "molecules",
        "A protein folds in a blink, a computer needs a night for it. Half of the night \
goes into one loop that hardly moves. ...",
    ),
    (
        "molecules",
        "Batteries fade because salt creeps where it should not. Molecular simulation at \
the scale of a grain shows the creeping for the first time. ...",
    ),
    (
        "causality",
        "Ice cream does not cause drowning, but a table of both may say so. \
Counterfactual questions need more than a table: they need a drawing. ...",
    ),
    (
        "causality",
        "Whom should the city call first? A new look at public policy says that more \
callers beat a better list. ...",
    ),
    (
        "other",
        "My grandmother kept bees, and wrote down every swarm. Her book holds forty summers \
and one remark on the war. ...",
    ),
)


def _themes(digest: Digest, root: Path, *arguments: str) -> dict[str, Any]:
    code, out, err = digest("-C", root, "themes", "--json", *_NOW, *arguments)
    assert code == 0, err
    told: dict[str, Any] = json.loads(out)
    return told


@pytest.fixture
def harbour(newsletter: Make) -> Path:
    """Give a newsletter of two declared themes, one that a file names, and two odd summaries."""
    return newsletter(dict(_FILES), settings=_SETTINGS)


def test_all_themes_are_told(digest: Digest, harbour: Path) -> None:
    """Counts, rules that found something, some that fit nothing, and what is under no theme."""
    code, out, err = digest("-C", harbour, "themes", *_NOW)

    assert (code, err) == (0, "")
    assert out == (
        "tides  Tides and floods: 1 summary, 1 waiting, 0 sent\n"
        "     1  tag:tides\n"
        "        fits nothing: word:ebb, word:wave, word:surge, word:swell and 1 more\n"
        "locks  Locks: 0 summaries, 0 waiting, 0 sent\n"
        "        fits nothing: word:lock\n"
        "barges  Barges: 1 summary, 1 waiting, 0 sent; only files name it\n"
        "     1  named in the file\n"
        "other  Other: 2 summaries, 2 waiting, 0 sent\n"
        "     2  by no rule\n"
        "        - Rope  (rope.md)  waiting\n"
        "        - Sail  (sail.md)  waiting\n"
        "words that several of these share; one may make a rule:\n"
        "     2  word:hemp\n"
    )
    assert "word:bore" in digest("-C", harbour, "themes", "-v", *_NOW)[1]


def test_other_states_are_told_where_there_are_any(digest: Digest, harbour: Path) -> None:
    """A draft and a summary for later neither wait nor were sent."""
    for name, header in (("a", "draft: true\n"), ("b", "not_before: 2027-01-01\n")):
        (harbour / "content" / f"{name}.md").write_text(
            _item(name, "The tide.", header + "theme: locks\n"), "utf-8"
        )
    out = digest("-C", harbour, "themes", "locks", *_NOW)[1]

    assert out.startswith("locks  Locks: 2 summaries, 0 waiting, 0 sent, 1 embargoed, 1 draft\n")


def test_one_theme_is_told_with_its_summaries(digest: Digest, harbour: Path) -> None:
    """Each rule stands with what it found, or with why it found nothing."""
    code, out, _ = digest("-C", harbour, "themes", "Tides", *_NOW)

    assert code == 0
    assert out.splitlines()[:5] == [
        "tides  Tides and floods: 1 summary, 1 waiting, 0 sent",
        "     1  tag:tides",
        "        - Neap  (neap.md)  waiting",
        "     0  word:tid*  fits 1, all under a theme already",
        "     0  word:ebb  fits nothing",
    ]
    assert "Rope" not in out
    assert "hemp" not in out
    assert "hemp" in digest("-C", harbour, "themes", "other", *_NOW)[1]


def test_json_has_the_same(digest: Digest, harbour: Path) -> None:
    """Themes with their rules, what is in `other`, hints; summaries where a theme is named."""
    told = _themes(digest, harbour)
    one = _themes(digest, harbour, "tides")

    assert [theme["theme"] for theme in told["themes"]] == ["tides", "locks", "barges", "other"]
    assert told["themes"][1] == {
        "theme": "locks",
        "label": "Locks",
        "declared": True,
        "items": 0,
        "waiting": 0,
        "sent": 0,
        "rules": [{"rule": "word:lock", "items": 0, "fits": 0}],
    }
    assert told["other"] == [
        {"id": "rope", "title": "Rope", "path": "rope.md"},
        {"id": "sail", "title": "Sail", "path": "sail.md"},
    ]
    assert told["hints"] == [{"rule": "word:hemp", "items": 2}]
    assert told["problems"] == []
    assert [theme["theme"] for theme in one["themes"]] == ["tides"]
    assert one["themes"][0]["summaries"] == [
        {
            "id": "neap",
            "title": "Neap",
            "path": "neap.md",
            "rule": "tag:tides",
            "life": "waiting",
        }
    ]


def test_what_was_sent_is_counted(digest: Digest, harbour: Path) -> None:
    """A published issue's summaries no longer wait."""
    assert digest("-C", harbour, "build", "--theme", "tides", *_NOW)[0] == 0
    assert digest("-C", harbour, "publish", "2026-w49", *_NOW)[0] == 0
    tides = _themes(digest, harbour)["themes"][0]

    assert (tides["items"], tides["waiting"], tides["sent"]) == (1, 0, 1)


def test_a_long_list_without_a_theme_is_cut(digest: Digest, newsletter: Make) -> None:
    """Twenty are shown, and how to see the others; asked for, all are."""
    names = [f"{letter}{letter}{letter}" for letter in "abcdefghijklmnopqrstuv"]
    root = newsletter({f"content/{name}.md": _item(name, "Text.") for name in names})
    short = digest("-C", root, "themes", *_NOW)[1]

    assert short.count("  - ") == 20
    assert "and 2 more; `digest themes other`" in short
    for arguments in (("other",), ("-v",)):
        assert digest("-C", root, "themes", *arguments, *_NOW)[1].count("  - ") == 22


@pytest.mark.parametrize(
    ("name", "cure"),
    [("tide", "did you mean tides?"), ("xyz", "known themes: tides, locks, barges, other")],
)
def test_a_theme_that_is_none_is_named(digest: Digest, harbour: Path, name: str, cure: str) -> None:
    """The nearest is named, or all of them."""
    code, _, err = digest("-C", harbour, "themes", name, *_NOW)

    assert code == 2
    assert f"there is no theme '{name}'" in err
    assert cure in err


def test_a_file_that_cannot_be_read_is_told(digest: Digest, harbour: Path) -> None:
    """The others are counted all the same; the exit code is 1."""
    (harbour / "content" / "torn.md").write_text("---\ntitle: [\n---\n\nText.\n", "utf-8")
    code, out, err = digest("-C", harbour, "themes", *_NOW)

    assert code == 1
    assert "content/torn.md" in err
    assert "tides  Tides and floods: 1 summary" in out


def test_looking_leaves_all_files_as_they_are(digest: Digest, harbour: Path) -> None:
    """The cache and the database too, once there are some."""
    assert digest("-C", harbour, "build", *_NOW)[0] == 0
    before = tree(harbour)
    for arguments in ((), ("tides",), ("--json",), ("-v",)):
        assert digest("-C", harbour, "themes", *arguments, *_NOW)[0] == 0

    assert tree(harbour) == before


@pytest.fixture
def sample(digest: Digest, tmp_path: Path) -> Path:
    """Give a newsletter as `digest init` makes it."""
    root = tmp_path / "sample"
    assert digest("-C", tmp_path, "init", "sample", *_NOW)[0] == 0
    return root


def _found(digest: Digest, root: Path) -> dict[str, tuple[str, str]]:
    """Give the theme and the rule of each summary, by its id."""
    names = [theme["theme"] for theme in _themes(digest, root)["themes"]]
    return {
        item["id"]: (name, item["rule"])
        for name in names
        for item in _themes(digest, root, name)["themes"][0]["summaries"]
    }


def test_the_sample_is_themed_by_what_its_files_say(digest: Digest, sample: Path) -> None:
    """Its tags and names decide for all forty; the rules of words are for what comes later."""
    found = _found(digest, sample)

    assert len(found) == 40
    assert all(rule.startswith(("tag:", "theme:")) for _, rule in found.values())
    assert Counter(theme for theme, _ in found.values()) == {
        "causality": 3,
        "privacy": 4,
        "graphs": 4,
        "molecules": 4,
        "safety": 4,
        "agents": 4,
        "generative": 6,
        "training": 6,
        "language-models": 5,
    }


def test_the_sample_rules_name_the_words_of_a_field(digest: Digest, sample: Path) -> None:
    """Every theme has rules of words: short ones, in small letters, without numbers or names."""
    *themes, other = _themes(digest, sample)["themes"]

    assert other["rules"] == []
    for theme in themes:
        words = [rule["rule"] for rule in theme["rules"] if rule["rule"].startswith("word:")]
        assert len(words) >= 8
        assert all(re.fullmatch(r"word:[a-z-]+( [a-z-]+){0,2}\*?", word) for word in words)


def test_texts_without_tags_find_their_theme(digest: Digest, sample: Path, tmp_path: Path) -> None:
    """Each paragraph of a listing falls where a reader would put it, by the sample's rules."""
    listing = tmp_path / "letters.txt"
    listing.write_text("\n\n".join(["Letters from the Field", *(text for _, text in _TEXTS)]))
    code, out, err = digest("-C", sample, "import", "listing", listing, "--json", *_NOW)
    assert code == 0, err
    found = _found(digest, sample)
    themes = [found[item["id"]][0] for item in json.loads(out)["imported"]]

    assert themes == [theme for theme, _ in _TEXTS]


@pytest.mark.skipif(not _REAL.is_dir(), reason="the real listings do not lie beside the repository")
def test_real_listings_find_their_themes(digest: Digest, sample: Path) -> None:
    """Of forty paragraphs at most four fall into `other`, and no theme takes a third of them."""
    for file in sorted(_REAL.glob("*.txt")):
        assert digest("-C", sample, "import", "listing", file, *_NOW)[0] == 0
    found = _found(digest, sample)
    counts = Counter(theme for name, (theme, _) in found.items() if name.startswith("listing-"))

    assert counts.total() == 40
    assert counts["other"] <= 4
    assert max(counts.values()) <= 13
    assert len(counts) == 10
