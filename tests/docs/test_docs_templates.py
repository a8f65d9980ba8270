"""The page of templates names every file of the look and every name that a template sees."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from docs.pages import ROOT, blocks, page, sections

from digest.publish.notice import Stripped, Way
from digest.render.fields import FIELDS
from digest.render.letter import Badge, Figure, Further, Introduction, Item, Letter, Section
from digest.render.words import Words
from digest.site import Channel, IssueLine, ItemLine

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_PAGE = page("templates.md")
_SECTIONS = sections(_PAGE)
_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_SEEN = {
    "`letter`": Letter,
    "`introduction`": Introduction,
    "a section": Section,
    "a badge": Badge,
    "an item": Item,
    "a further link": Further,
    "a picture": Figure,
    "`strip`": Stripped,
    "a way": Way,
}


def _table(text: str, head: str) -> dict[str, str]:
    """Give the table whose first column is called so."""
    found = re.search(rf"^\| {re.escape(head)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found, head
    lines = (line.strip("|").split("|") for line in found[1].splitlines())
    return {cells[0].strip().strip("`"): cells[1] for cells in lines}


def _names(kind: type) -> set[str]:
    own = {name for name, value in vars(kind).items() if isinstance(value, property)}
    return own | {field.name for field in fields(kind)}


def test_every_file_of_the_look_is_listed() -> None:
    """The table holds the files that are shipped, those of each look, and no other."""
    folder = ROOT / "templates"
    shipped = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    assert set(_table(_SECTIONS["The files"], "file")) == shipped


@pytest.mark.parametrize("head", _SEEN)
def test_every_name_that_a_template_sees_is_listed(head: str) -> None:
    """The table of a thing holds what it has, and no other."""
    assert set(_table(_SECTIONS["What a template sees"], head)) == _names(_SEEN[head])


def test_example_of_words_sets_each_of_them() -> None:
    """The German words are all the words that there are."""
    text = next(block.text for block in blocks(_PAGE) if block.path.endswith("words.txt.j2"))

    assert set(re.findall(r"set (\w+) =", text)) == {field.name for field in fields(Words)}


def test_every_merge_field_is_named() -> None:
    """Each field stands in its section, and no other does."""
    told = set(re.findall(r"\[\[(\w+)[]|]", _SECTIONS["Merge fields"]))

    assert told == set(FIELDS)


def test_names_of_the_home_page_are_there(digest: Digest, newsletter: Make) -> None:
    """A home page that shows each name of the table can be rendered."""
    table = _table(_SECTIONS["What a template sees"], "home and 404 page")
    latest = {name.strip("`") for name in re.findall(r"`\w+`", table["latest"])}
    channels = set(re.findall(r"`(\w+)`", table["channels"]))
    home = "\n".join(f"{{{{ {name} }}}}" for name in table)
    root = newsletter({"content/a.md": "# Mills\n\nThey grind.\n", "templates/home.html.j2": home})

    assert latest == _names(IssueLine) | _names(ItemLine)
    assert channels == _names(Channel)
    assert digest("-C", root, "build", *_NOW)[0] == 0
    assert digest("-C", root, "publish", *_NOW)[0] == 0


def test_names_of_the_page_of_a_withdrawn_issue_are_there(digest: Digest, newsletter: Make) -> None:
    """Such a page sees what the home page sees, and the names that the sentence adds."""
    text = _SECTIONS["What a template sees"]
    sentence = re.search(r"The last ones see two\nmore: (.+?)\.\n", text, re.DOTALL)
    assert sentence
    issue, number, key, withdrawn = re.findall(r"`(\w+)`", sentence[1])
    names = [*_table(text, "home and 404 page"), f"{issue}.{number}", f"{issue}.{key}"]
    shown = "\n".join(f"{name}={{{{ {name} }}}}" for name in [*names, f"{withdrawn}.day"])
    files: dict[str, str | bytes] = {
        "content/a.md": "# Mills\n\nThey grind.\n",
        "templates/withdrawn.html.j2": shown,
    }
    root = newsletter(files)
    for words in (("build",), ("publish",), ("withdraw", "2026-w49")):
        assert digest("-C", root, *words, *_NOW)[0] == 0
    made = (root / "outbox/site/2026-w49.html").read_text("utf-8")

    assert "issue.number=1\nissue.key=2026-w49\nwithdrawn.day=1" in made


def test_names_of_subject_and_preheader_are_listed(digest: Digest, newsletter: Make) -> None:
    """The table holds the names that the program says may stand there."""
    root = newsletter({"content/a.md": "# Mills\n\nThey grind.\n"})
    _, _, told = digest("-C", root, "build", "--set", "newsletter.subject={{ zzzz }}", *_NOW)
    names = told.strip().rpartition("are: ")[2].split(", ")

    assert list(_table(_SECTIONS["Subject and preheader"], "name")) == names
