"""`mail.budget` and `content.dollar_maths`: settings that change what is made of the same texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import KEY, NOW

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Run = Callable[..., tuple[int, dict[str, Any], str]]

_SENTENCE = "The lock keeper of day {0}.{1} wrote down each barge, its master and its load. "
_SIZES = {"long": 30, "longer": 40, "short": 1}


def _item(name: str, paragraphs: int) -> str:
    body = "\n\n".join(
        "".join(_SENTENCE.format(part, turn) for turn in range(4)) for part in range(paragraphs)
    )
    return (
        f"---\ntitle: Locks, {name}\nurl: https://locks.example/{name}\ntheme: locks\n"
        f"date: 2026-11-20\n---\n\n{body}\n\nThe end of {name}.\n"
    )


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter of two long items and a short one."""
    files = {f"content/{name}.md": _item(name, count) for name, count in _SIZES.items()}
    settings = "[selection]\nsimilarity = 0\n"
    return newsletter({**files}, settings=settings)


@pytest.fixture
def run(digest: Digest, letter: Path) -> Run:
    """Give a function that runs a command on it: exit code, JSON, stderr."""

    def call(command: str, *words: str) -> tuple[int, dict[str, Any], str]:
        code, out, err = digest("-C", letter, command, "--json", *words, *NOW)
        return code, json.loads(out), err

    return call


def _file(root: Path, name: str) -> str:
    return (root / f"outbox/{KEY}" / name).read_text("utf-8")


def _shortened(root: Path) -> set[str]:
    items = json.loads(_file(root, "edition.json"))["items"]
    return {item["id"] for item in items if item["shortened"]}


def _named(told: dict[str, Any]) -> set[str]:
    return {one["path"] for one in told["findings"] if one["rule"] == "D125"}


def test_without_need_nothing_is_shortened(letter: Path, run: Run) -> None:
    """The usual budget has room; the manifest says of each item that the mail has all of it."""
    assert run("build")[0] == 0
    assert _shortened(letter) == set()
    assert all(f"The end of {name}." in _file(letter, "issue.html") for name in _SIZES)
    assert _named(run("check")[1]) == set()


def test_a_small_budget_shortens_the_longest(letter: Path, run: Run) -> None:
    """Manifest and D125 name the same items; the mail keeps the bound, all else is whole."""
    bound = "--set=mail.budget=20"
    assert run("build", bound)[0] == 0
    html = _file(letter, "issue.html")

    assert len(html.encode()) <= 20_000
    assert _shortened(letter) == {"long", "longer"}
    assert "The end of short." in html
    assert "The end of long." not in html
    page = f"https://harbour.example/{KEY}.html#"
    assert html.count(f'<a href="{page}') == 2
    for name in ("issue.txt", "page.html", "entry.html"):
        assert all(f"The end of {item}." in _file(letter, name) for item in _SIZES)
    code, told, _ = run("check", bound)
    assert code == 0
    assert _named(told) == {"content/long.md", "content/longer.md"}
    assert {one["level"] for one in told["findings"] if one["rule"] == "D125"} == {"warning"}
    assert run("verify")[1]["identical"] is True


def test_no_budget_is_no_bound(letter: Path, run: Run) -> None:
    """With 0 all of it is in the mail, however long that is; D113 tells the size, not D125."""
    file = letter / "content/longer.md"
    file.write_text(_item("longer", 220), "utf-8")
    assert run("build", "--set=mail.budget=0")[0] == 0
    html = _file(letter, "issue.html")

    assert len(html.encode()) > 80_000
    assert "The end of longer." in html
    assert _shortened(letter) == set()
    rules = {one["rule"] for one in run("check", "--set=mail.budget=0")[1]["findings"]}
    assert rules & {"D113", "D125"} == {"D113"}


def test_the_mail_is_shortened_at_the_usual_budget(letter: Path, run: Run) -> None:
    """Where nothing is set the same issue is kept below 80 kB."""
    (letter / "content/longer.md").write_text(_item("longer", 220), "utf-8")
    assert run("build")[0] == 0
    assert len(_file(letter, "issue.html").encode()) <= 80_000
    assert _shortened(letter) == {"longer"}
    rules = {one["rule"] for one in run("check")[1]["findings"]}
    assert rules & {"D113", "D125"} == {"D125"}


def test_strict_refuses_what_was_shortened(letter: Path, run: Run, digest: Digest) -> None:
    """Check is exit 1, publish exit 4 that names the items; nothing goes out."""
    words = ("--set=mail.budget=20", "--set=checks.strict=true", "--set=checks.ignore=['D119']")
    assert run("build", *words)[0] == 0
    assert run("check", *words)[0] == 1
    code, _, err = digest("-C", letter, "publish", *words, *NOW)

    assert code == 4
    assert err.count("D125: is shortened") == 2
    assert "content/longer.md" in err
    assert "digest check --explain D125" in err
    assert not (letter / "outbox/site").exists()


@pytest.mark.parametrize("value", ["-1", "1001", "1.5", "lots", "true"])
def test_a_budget_is_a_number_of_kilobytes(run: Run, value: str) -> None:
    """Exit 2 says from where to where."""
    code, _, err = run("build", f"--set=mail.budget={value}")
    assert code == 2
    assert "mail.budget must be a whole number from 0 to 1000" in err


_PRICES = """\
---
title: Maths
---

It costs $5 and $10, and $x_1$ is between, says $$a^2 + b^2$$ in `$code$`; \\(y_2\\) always is.
"""


@pytest.fixture
def maths(newsletter: Make, digest: Digest) -> Callable[..., dict[str, str]]:
    """Give a function that builds a text of prices and formulas: its forms."""
    root = newsletter({"content/maths.md": _PRICES}, name="maths")

    def call(*words: str) -> dict[str, str]:
        code, _, err = digest("-C", root, "build", *words, *NOW)
        assert code == 0, err
        assert digest("-C", root, "verify", *NOW)[0] == 0
        return {name: _file(root, name) for name in ("issue.html", "issue.txt", "page.html")}

    return call


def test_dollars_are_prices_unless_asked_for(maths: Callable[..., dict[str, str]]) -> None:
    """What stands between two of them stays as it was typed; other marks of formulas count."""
    forms = maths()
    for text in forms.values():
        assert "$5 and $10, and $x_1$ is between, says $$a^2 + b^2$$" in text
    assert forms["page.html"].count("<math") == 1
    assert "y₂" in forms["issue.txt"]


def test_dollars_are_formulas_where_asked_for(maths: Callable[..., dict[str, str]]) -> None:
    """In mail, text and page alike; prices and code are none all the same."""
    forms = maths("--set=content.dollar_maths=true")
    for text in forms.values():
        assert "$5 and $10, and" in text
        assert "$x_1$" not in text
        assert "$$" not in text
        assert "$code$" in text
    assert forms["page.html"].count("<math") == 3
    assert forms["issue.html"].count('role="math"') == 3
    assert "x₁" in forms["issue.txt"]
    assert "a² + b²" in forms["issue.txt"]


def test_dollar_maths_is_yes_or_no(run: Run) -> None:
    """Exit 2 says so."""
    code, _, err = run("build", "--set=content.dollar_maths=7")
    assert code == 2
    assert "content.dollar_maths must be true or false" in err
