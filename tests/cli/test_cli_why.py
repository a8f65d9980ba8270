"""`digest why`: of a summary and of a theme, and what the issue file has to do with it."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Form = Literal["NFC", "NFD"]

_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_SETTINGS = """
[selection]
min_items = 1
max_items = 2

[[theme]]
id = "locks"

[[theme]]
id = "tides"
"""
_CAFE = "caf\u00e9"


def _item(theme: str, name: str) -> str:
    return f"---\ntitle: {name.title()}\ntheme: {theme}\n---\n\nWords about {name}.\n"


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter of three items on locks, which lead, and one on tides."""
    return newsletter(
        {
            "content/2026/gate.md": _item("locks", "gate"),
            "content/key.md": _item("locks", "key"),
            "content/weir.md": _item("locks", "weir"),
            f"content/{_CAFE}.md": _item("tides", _CAFE),
        },
        settings=_SETTINGS,
    )


def _why(digest: Digest, letter: Path, name: str, *words: str) -> dict[str, Any]:
    code, out, err = digest("-C", letter, "why", name, "--json", *words, *_NOW)
    assert (code, err) == (0, "")
    told: dict[str, Any] = json.loads(out)
    return told


def _write(letter: Path, text: str) -> None:
    file = letter / "content/issues/2026-w49.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")


def _build(digest: Digest, letter: Path) -> None:
    code, _, err = digest("-C", letter, "build", *_NOW)
    assert code == 0, err


@pytest.mark.parametrize("name", ["gate", "2026/gate", "2026/gate.md", "content/2026/gate.md"])
def test_summary_goes_by_id_path_or_file_name(digest: Digest, letter: Path, name: str) -> None:
    """Each names the same one."""
    told = _why(digest, letter, name)

    assert (told["id"], told["issue"], told["in"]) == ("2026/gate", "2026-w49", True)
    assert told["steps"][-1].startswith("in: ")


def test_words_say_title_path_and_verdict(digest: Digest, letter: Path) -> None:
    """Then each step in a line of its own."""
    code, out, err = digest("-C", letter, "why", "weir", *_NOW)

    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["Weir  (weir.md)", "not in 2026-w49"]
    assert all(line.startswith("  - ") for line in lines[2:])
    assert lines[-1].startswith("  - out: ")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("on_disk", ["NFC", "NFD"])
def test_name_is_the_same_however_it_is_composed(
    digest: Digest, letter: Path, form: Form, on_disk: Form
) -> None:
    """A shell or a disk that takes letters apart asks about the same summary."""
    (letter / f"content/{_CAFE}.md").unlink()
    file = letter / f"content/{unicodedata.normalize(on_disk, _CAFE)}.md"
    file.write_text(_item("tides", _CAFE), "utf-8")

    for name in (_CAFE, f"{_CAFE}.md", f"content/{_CAFE}.md"):
        told = _why(digest, letter, unicodedata.normalize(form, name))
        assert (told["id"], told["in"]) == (_CAFE, False)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_dropped_by_a_name_that_is_taken_apart(digest: Digest, letter: Path, form: Form) -> None:
    """`drop` knows it by either form, and so does the file of the issue."""
    _write(letter, f"---\nitems: [weir, {unicodedata.normalize(form, _CAFE)}]\n---\n")
    name = unicodedata.normalize("NFD" if form == "NFC" else "NFC", _CAFE)

    code, _, err = digest("-C", letter, "drop", name, *_NOW)

    assert code == 0, err
    assert not _why(digest, letter, name)["in"]
    assert "taken out" in _why(digest, letter, name)["steps"][0]


def test_theme_that_leads(digest: Digest, letter: Path) -> None:
    """The scores of all themes stand in the steps."""
    told = _why(digest, letter, "locks")

    assert (told["theme"], told["in"]) == ("locks", True)
    assert "id" not in told
    assert any(step.startswith("tides is ") for step in told["steps"])
    out = digest("-C", letter, "why", "locks", *_NOW)[1]
    assert out.splitlines()[:2] == ["theme locks", "leads 2026-w49"]


def test_theme_that_does_not_lead(digest: Digest, letter: Path) -> None:
    """It is told who does."""
    told = _why(digest, letter, "tides")

    assert (told["theme"], told["in"]) == ("tides", False)
    out = digest("-C", letter, "why", "tides", *_NOW)[1]
    assert out.splitlines()[:2] == ["theme tides", "does not lead 2026-w49"]
    assert "locks leads" in out


def test_summary_goes_before_a_theme_of_its_name(digest: Digest, letter: Path) -> None:
    """Where a file is named as a theme is, the file is asked about."""
    (letter / "content/tides.md").write_text(_item("locks", "tides"), "utf-8")

    assert _why(digest, letter, "tides")["id"] == "tides"


def test_theme_of_an_issue_that_is_picked(digest: Digest, letter: Path) -> None:
    """The file decides, and what the rules say comes after."""
    _write(letter, "---\ntheme: tides\nitems: [weir]\n---\n")
    leads, not_ = _why(digest, letter, "tides"), _why(digest, letter, "locks")

    assert (leads["in"], not_["in"]) == (True, False)
    assert leads["steps"][0] == not_["steps"][0] == "content/issues/2026-w49.md says tides"
    assert any("locks leads" in step for step in not_["steps"][1:])


def test_theme_of_a_mixed_issue_that_is_picked(digest: Digest, letter: Path) -> None:
    """Without a theme in the file nobody leads."""
    _write(letter, "---\nitems: [weir]\n---\n")
    told = _why(digest, letter, "locks")

    assert (told["in"], told["steps"][0]) == (False, "content/issues/2026-w49.md says mixed")


def test_theme_that_a_file_asks_for(digest: Digest, letter: Path) -> None:
    """A file that names no items yet has its wish, and the rules are asked with it."""
    _write(letter, "---\ntheme: tides\n---\n")

    assert _why(digest, letter, "tides")["in"]
    assert not _why(digest, letter, "locks")["in"]
    assert _why(digest, letter, _CAFE)["in"]
    assert any("tides was asked for" in step for step in _why(digest, letter, "tides")["steps"])


def test_listed_or_not_in_an_issue_that_is_picked(digest: Digest, letter: Path) -> None:
    """The file's word comes first: it lists it, or does not though the rules would."""
    _write(letter, "---\ntheme: locks\nitems: [weir]\n---\n")
    told = {name: _why(digest, letter, name) for name in ("weir", "key", _CAFE)}

    assert {name: one["in"] for name, one in told.items()} == {
        "weir": True,
        "key": False,
        _CAFE: False,
    }
    assert told["weir"]["steps"][0] == "in: content/issues/2026-w49.md lists it"
    assert told["key"]["steps"][0].startswith("out: content/issues/2026-w49.md does not list it, ")
    assert told[_CAFE]["steps"][0] == "content/issues/2026-w49.md does not list it"


@pytest.mark.parametrize(
    ("words", "reason"), [(("--reason", "it is wrong"), "it is wrong"), ((), "no reason given")]
)
def test_dropped_one_is_told_with_its_reason(
    digest: Digest, letter: Path, words: tuple[str, ...], reason: str
) -> None:
    """Who took it out said why, or did not."""
    _build(digest, letter)
    assert digest("-C", letter, "drop", "key", *words, *_NOW)[0] == 0
    told = _why(digest, letter, "key")

    assert not told["in"]
    assert told["steps"][0] == f"out: it was taken out of content/issues/2026-w49.md: {reason}"


def test_dropped_one_of_an_issue_to_be_picked(digest: Digest, letter: Path) -> None:
    """Also before the pick it is out, by the rule about what people took out."""
    _write(letter, "---\ndropped: [key]\n---\n")
    told = _why(digest, letter, "key")

    assert not told["in"]
    assert "taken out" in told["steps"][-1]


def test_in_a_skipped_week_all_is_out(digest: Digest, letter: Path) -> None:
    """Also what the file lists; the reason comes first, for a theme too."""
    _build(digest, letter)
    assert digest("-C", letter, "skip", "--reason", "a feast", *_NOW)[0] == 0
    key, locks = _why(digest, letter, "key"), _why(digest, letter, "locks")

    assert (key["in"], locks["in"]) == (False, False)
    assert key["steps"][0] == "out: content/issues/2026-w49.md skips the week: a feast"
    assert locks["steps"][0] == "content/issues/2026-w49.md skips the week: a feast"


def test_several_of_a_name_are_all_named(digest: Digest, letter: Path) -> None:
    """A file name that fits two, and is neither an id nor a path, is no name."""
    (letter / "content/2025").mkdir()
    (letter / "content/2025/gate.md").write_text(_item("tides", "gate too"), "utf-8")
    code, _, err = digest("-C", letter, "why", "gate", *_NOW)

    assert code == 2
    for path in ("2025/gate.md", "2026/gate.md"):
        assert path in err


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("gate", "gate.md"),
        ("2026/gate", "2026/gate.md"),
        ("weir.md", "gate.md"),
        ("content/weir.md", "gate.md"),
        ("weir", "weir.md"),
    ],
)
def test_id_goes_before_a_path_and_that_before_a_file_name(
    digest: Digest, letter: Path, name: str, path: str
) -> None:
    """Whatever else the same word fits, `why` and `drop` mean the same one."""
    head = "---\nid: weir.md\n" if "weir." in name else "---\n"
    text = _item("locks", "gate").replace("---\n", head, 1)
    (letter / "content/gate.md").write_text(text, "utf-8")
    told = _why(digest, letter, name)

    shown = digest("-C", letter, "why", name, *_NOW)[1].splitlines()[0]
    assert shown.endswith(f"  ({path})")
    _write(letter, f"---\nitems: [key, {told['id']}]\n---\n")
    assert digest("-C", letter, "drop", name, *_NOW)[0] == 0
    dropped = _why(digest, letter, name)
    assert (dropped["id"], "was taken out" in dropped["steps"][0]) == (told["id"], True)


def _out(digest: Digest, letter: Path) -> None:
    """Publish an issue of weir and remove its file."""
    _write(letter, "---\ntheme: locks\nitems: [weir]\n---\n")
    _build(digest, letter)
    assert digest("-C", letter, "publish", *_NOW)[0] == 0


@pytest.mark.parametrize("file", ["there", "gone"])
def test_published_issue_holds_what_went_out(digest: Digest, letter: Path, file: str) -> None:
    """Whatever became of the issue file; a renamed one is known by its address."""
    text = _item("locks", "weir").replace("---\n", "---\nurl: https://a.example/\n", 1)
    (letter / "content/weir.md").write_text(text, "utf-8")
    _out(digest, letter)
    if file == "gone":
        (letter / "content/issues/2026-w49.md").unlink()
    (letter / "content/weir.md").rename(letter / "content/dam.md")
    dam, key = _why(digest, letter, "dam"), _why(digest, letter, "key")
    locks, tides = _why(digest, letter, "locks"), _why(digest, letter, "tides")

    when = "2026-w49, published on Tue 1 Dec 2026 10:00 Europe/Berlin (UTC+01:00),"
    assert (dam["in"], key["in"], locks["in"], tides["in"]) == (True, False, True, False)
    assert dam["steps"][0] == f"in: {when} has it"
    assert key["steps"][0] == f"out: {when} does not have it"
    assert locks["steps"][0] == tides["steps"][0] == f"{when} has locks"


@pytest.mark.parametrize("mailed", [False, True])
@pytest.mark.parametrize("file", ["there", "gone"])
def test_withdrawn_issue_is_told(digest: Digest, letter: Path, file: str, *, mailed: bool) -> None:
    """When it was taken back, and what became of what it held."""
    if mailed:
        add = ("readers", "add", "r@example.org", "--consent", "in a test")
        assert digest("-C", letter, *add, *_NOW)[0] == 0
        _write(letter, "---\ntheme: locks\nitems: [weir]\n---\n")
        _build(digest, letter)
        assert digest("-C", letter, "send", "--via", "outbox", "--yes", *_NOW)[0] == 0
    else:
        _out(digest, letter)
    assert digest("-C", letter, "withdraw", "2026-w49", *_NOW)[0] == 0
    if file == "gone":
        (letter / "content/issues/2026-w49.md").unlink()
    weir, locks = _why(digest, letter, "weir"), _why(digest, letter, "locks")

    assert (weir["in"], locks["in"]) == (mailed, mailed)
    verdict = "in: 2026-w49, published" if mailed else "out: 2026-w49, published"
    assert weir["steps"][0].startswith(verdict)
    assert weir["steps"][0].endswith(" has it")
    then = (
        "after mails of it went out: what it held counts as sent"
        if mailed
        else "before any mail of it went out: what it held is free for other issues"
    )
    told = f"2026-w49 was withdrawn on Tue 1 Dec 2026 10:00 Europe/Berlin (UTC+01:00), {then}"
    assert weir["steps"][1] == locks["steps"][1] == told


def test_unknown_name_is_told_with_the_nearest(digest: Digest, letter: Path) -> None:
    """Neither a summary nor a theme: exit 2."""
    code, _, err = digest("-C", letter, "why", "wier", *_NOW)

    assert code == 2
    assert "weir" in err
