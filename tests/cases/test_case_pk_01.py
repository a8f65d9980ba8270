"""PK-01: what was mailed does not come again after a rename; what was taken back is free again."""

from __future__ import annotations

import json
import shutil
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cases.forms import Issue, tree
from cases.inputs import both_folders, in_content, typed

Digest = Callable[..., tuple[int, str, str]]
Publish = Callable[..., Issue]
Make = Callable[..., Path]
Folders = Mapping[str, Mapping[str, bytes]]

_FIRST, _SECOND = "2027-01-17T10:00:00+01:00", "2027-01-24T10:00:00+01:00"
_KEYS = ("2027-w02", "2027-w03")


def _item(title: str, place: str, day: str, words: str, more: str = "") -> str:
    return (
        f"---\ntitle: {title}\ntheme: shore\nurl: https://shore.example/{place}\n"
        f"date: 2027-01-{day}\n{more}---\n\n{words}\n"
    )


_OURS = {
    "week1": {
        "r\u00e9servoir.md": _item("A r\u00e9servoir", "basin", "13", "How full it stood."),
        "sea-wals.md": _item("Sea wals of the west", "walls", "12", "Who built them."),
    },
    "week2": {
        "re\u0301servoir.md": _item("A re\u0301servoir", "basin", "13", "How full it stood."),
        "walls-of-the-sea.md": _item(
            "Sea walls of the west", "walls", "12", "Who built them.", "updated: 2027-01-20\n"
        ),
        "ferry.md": _item("A new ferry", "ferry", "19", "It sails since Monday."),
    },
}
weeks = both_folders("PK-01", _OURS)


def _new(folders: Folders) -> str:
    """Give the address of the one summary that only the second week has."""
    before, after = (
        {typed(data, "url") for data in folders[week].values()} for week in ("week1", "week2")
    )
    [found] = after - before
    return found


def _urls(folders: Folders, week: str) -> list[str]:
    return sorted(typed(data, "url") for data in folders[week].values())


def _move_on(root: Path, folders: Folders) -> None:
    """Put the files of the second week in the place of those of the first; issue files stay."""
    for file in (root / "content").glob("*.md"):
        file.unlink()
    for name, data in folders["week2"].items():
        (root / "content" / name).write_bytes(data)


def _build(digest: Digest, root: Path, now: str, *arguments: str) -> dict[str, object]:
    code, out, err = digest("-C", root, "build", "--json", "--now", now, *arguments)
    assert code == 0, err
    answer: dict[str, object] = json.loads(out)
    return answer


def _items(built: dict[str, object]) -> list[str]:
    items = built["items"]
    assert isinstance(items, list)
    return sorted(item["url"] for item in items)


@pytest.fixture
def mailed(digest: Digest, newsletter: Make, folders: Folders) -> Path:
    """Give the newsletter whose first issue was mailed, with the files of the second week."""
    root = newsletter(in_content(folders["week1"]))
    now = ("--now", _FIRST)
    person = ("readers", "add", "ida@post.example", "--consent", "asked at the quay", *now)
    assert digest("-C", root, *person)[0] == 0
    assert _items(_build(digest, root, _FIRST)) == _urls(folders, "week1")
    code, _, err = digest("-C", root, "send", _KEYS[0], "--yes", *now)
    assert code == 0, err
    _move_on(root, folders)
    return root


@weeks
def test_pk_01_second_issue_holds_only_what_is_new(
    digest: Digest, mailed: Path, folders: Folders
) -> None:
    """A mended title, a new name, another date of change, another Unicode form: all known."""
    names = [unicodedata.normalize("NFC", path.name) for path in (mailed / "content").glob("*.md")]
    assert len(names) == 3

    built = _build(digest, mailed, _SECOND)

    assert (built["issue"], built["number"]) == (_KEYS[1], 2)
    assert _items(built) == [_new(folders)]


@weeks
def test_pk_01_report_counts_what_was_passed_over(
    digest: Digest, mailed: Path, folders: Folders
) -> None:
    """Both old ones are counted as sent, on the screen and in JSON; `why` names their issue."""
    code, out, _ = digest("-C", mailed, "build", "--dry-run", "--now", _SECOND)
    built = _build(digest, mailed, _SECOND)

    assert code == 0
    assert built["passed_over"] == ["2 already sent"]
    assert "passed over: 2 already sent" in out
    for name, data in folders["week2"].items():
        if typed(data, "url") != _new(folders):
            asked = ("why", name, "--issue", _KEYS[1], "--now", _SECOND)
            told = digest("-C", mailed, *asked)[1].splitlines()
            assert told[1] == f"not in {_KEYS[1]}", name
            assert _KEYS[0] in told[-1]


@weeks
def test_pk_01_a_dry_run_uses_up_nothing(
    digest: Digest, newsletter: Make, folders: Folders
) -> None:
    """Builds and publishing in a dry run change no file, and the issue is the same after them."""
    root = newsletter(in_content(folders["week1"]))
    shutil.copytree(root, root.parent / "before")
    first = _build(digest, root, _FIRST, "--dry-run")
    again = _build(digest, root, _FIRST, "--dry-run")
    assert tree(root) == tree(root.parent / "before")

    built = _build(digest, root, _FIRST)
    before = tree(root)
    assert digest("-C", root, "publish", _KEYS[0], "--dry-run", "--now", _FIRST)[0] == 0
    assert tree(root) == before

    assert first["items"] == again["items"] == built["items"]
    assert first["number"] == again["number"] == built["number"] == 1


@weeks
@pytest.mark.parametrize(
    "taken_back",
    ["skip", "withdraw", "remove the file"],
)
def test_pk_01_taking_back_frees_the_items(
    digest: Digest, newsletter: Make, folders: Folders, taken_back: str
) -> None:
    """An issue skipped, withdrawn before its mails, or removed holds nothing any more."""
    root = newsletter(in_content(folders["week1"]))
    _build(digest, root, _FIRST)
    if taken_back == "withdraw":
        assert digest("-C", root, "publish", _KEYS[0], "--now", _FIRST)[0] == 0
    if taken_back == "remove the file":
        (root / f"content/issues/{_KEYS[0]}.md").unlink()
        shutil.rmtree(root / "outbox" / _KEYS[0])
    else:
        code, _, err = digest("-C", root, taken_back, _KEYS[0], "--now", _FIRST)
        assert code == 0, err
    _move_on(root, folders)

    later = _build(digest, root, _SECOND)

    assert later["issue"] == _KEYS[1]
    assert later["number"] == (2 if taken_back == "withdraw" else 1)
    assert _items(later) == _urls(folders, "week2")


@weeks
def test_pk_01_what_is_dropped_is_free_and_its_place_is_filled(
    digest: Digest, newsletter: Make, folders: Folders
) -> None:
    """The next by rule takes its place; what was taken out is in the next issue."""
    one = "[selection]\nmin_items = 1\nmax_items = 1\n"
    root = newsletter(in_content(folders["week1"]), settings=one)
    [first] = _items(_build(digest, root, _FIRST))
    [other] = set(_urls(folders, "week1")) - {first}
    name = next(name for name, data in folders["week1"].items() if typed(data, "url") == first)

    words = ("drop", name, "--issue", _KEYS[0], "--json", "--now", _FIRST)
    code, out, err = digest("-C", root, *words)

    assert code == 0, err
    assert _items(json.loads(out)) == _items(_build(digest, root, _FIRST)) == [other]
    assert _items(_build(digest, root, _SECOND)) == [first]


@weeks
def test_pk_01_a_week_that_comes_back_has_nothing_that_another_issue_took(
    digest: Digest, newsletter: Make, folders: Folders
) -> None:
    """Skipped, its items given to the next issue, let go again: nothing is published twice."""
    root = newsletter(in_content(folders["week1"]))
    _build(digest, root, _FIRST)
    assert digest("-C", root, "skip", _KEYS[0], "--now", _FIRST)[0] == 0
    assert _items(_build(digest, root, _SECOND)) == _urls(folders, "week1")
    for words in (
        ("publish", _KEYS[1]),
        ("skip", _KEYS[0], "--release"),
        ("build", _KEYS[0]),
        ("publish", _KEYS[0]),
    ):
        digest("-C", root, *words, "--now", _SECOND)

    feed = json.loads((root / "outbox/site/feed.json").read_bytes())
    shown = [url for entry in feed["items"] for url in _urls(folders, "week1") if url in str(entry)]
    assert sorted(shown) == _urls(folders, "week1")


@weeks
def test_pk_01_a_mailed_issue_that_is_withdrawn_keeps_its_items(
    digest: Digest, mailed: Path, folders: Folders
) -> None:
    """People have it in their mail: what was in it does not come again."""
    code, _, err = digest("-C", mailed, "withdraw", _KEYS[0], "--now", _SECOND)
    assert code == 0, err

    assert _items(_build(digest, mailed, _SECOND)) == [_new(folders)]
