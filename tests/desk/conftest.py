"""What the tests of the desk share: a newsletter with a draft, and a visitor at its desk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk.visiting import Visitor, visiting

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_SETTINGS = """\
[newsletter]
name = "Harbour <Notes>"
slug = "harbour-notes"
language = "en"
timezone = "Europe/Berlin"
tag = "harbour.example,2027-01-01"
postal_address = "Harbour Notes, 1 Quay, 00000 Haven"

[site]
url = "https://harbour.example/"

[mail]
from = "Harbour & Sons <letter@harbour.example>"

[[theme]]
id = "mills"
label = "Mills & tides"
colour = "teal"
match = ["tag:mill"]
"""
_ITEM = """\
---
title: {name} <mill> & tide
url: https://{name}.example/
date: 2027-01-{day}
tags: [mill]
---

The {name} mill turns by the tide, twice a day, and grinds what the valley brings to it.
"""


@pytest.fixture(scope="session")
def _built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a newsletter whose issue 2027-w03 is a draft of three items."""
    from digest.cli.main import run  # noqa: PLC0415 - tests of one room must not load them all

    root = tmp_path_factory.mktemp("desk") / "letter"
    (root / "content").mkdir(parents=True)
    (root / "digest.toml").write_text(_SETTINGS, "utf-8")
    for day, name in enumerate(("north", "south", "west"), start=10):
        (root / "content" / f"{name}.md").write_text(_ITEM.format(name=name, day=day), "utf-8")
    assert run(["-C", str(root), "build", "2027-w03", "-q", *_NOW]) == 0
    return root


@pytest.fixture
def drafted(_built: Path, tmp_path: Path) -> Path:
    """Give a newsletter with a draft, to be changed."""
    return Path(shutil.copytree(_built, tmp_path / "letter"))


@pytest.fixture(scope="session")
def visitor(_built: Path) -> Iterator[Visitor]:
    """Visit the desk of a newsletter that stays as it is.

    The issue is due in two days and four hours.
    """
    with visiting(_built) as visitor:
        yield visitor


@pytest.fixture
def newsletter_root(tmp_path: Path) -> Path:
    """Give a newsletter without any content."""
    root = tmp_path / "empty"
    (root / "content").mkdir(parents=True)
    (root / "digest.toml").write_text(_SETTINGS, "utf-8")
    return root
