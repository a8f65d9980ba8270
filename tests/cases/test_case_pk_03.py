"""PK-03: ties, twin slugs and titles without Latin letters: one order, the same bytes."""

from __future__ import annotations

import json
import os
import random
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cases.forms import FEEDS, Issue, tree
from cases.inputs import both, typed
from cases.processes import run_lines

Digest = Callable[..., tuple[int, str, str]]
Publish = Callable[..., Issue]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_SETTINGS = "[selection]\nmax_items = 12\n"
_LOCALES = ("C", "de_DE.UTF-8", "tr_TR.UTF-8")
_BUILDS = 20


def _item(title: str, place: str) -> str:
    return (
        f"---\ntitle: {title}\ntheme: ties\ndate: 2027-01-13\n"
        f"url: https://ties.example/{place}\n---\n\nWords of {place}.\n"
    )


_OURS = {
    "omega.md": _item("\u6d77\u56f3", "omega"),  # no Latin letter
    "beta.md": _item("\u041e\u043b\u044c\u0433\u0430", "beta"),  # Cyrillic
    "mid-1.md": _item("\u00c9lan du quai", "mid-1"),  # NFC
    "mid-2.md": _item("Elan du quai", "mid-2"),
    "mid-3.md": _item("E\u0301lan du quai", "mid-3"),  # NFD: the same title as mid-1
    "mid-4.md": _item("ELAN DU QUAI", "mid-4"),
    "isle.md": _item("\u0130R\u0130 ADA", "isle"),  # a Turkish capital, two signs when lowered
    "ilk.md": _item("\u0131l\u0131k I\u015e\u0131k", "ilk"),  # dotless i
    "dots.md": _item('"\u2026!?"', "dots"),  # nothing to make a slug of
    "dashes.md": _item('"\u2014\u2014"', "dashes"),
}


class _Shuffled:
    """What `os.scandir` gives, in the order of another disk."""

    def __init__(self, entries: list[os.DirEntry[str]]) -> None:
        self._entries = entries

    def __enter__(self) -> Iterator[os.DirEntry[str]]:
        return iter(self._entries)

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[os.DirEntry[str]]:
        return iter(self._entries)

    def __next__(self) -> os.DirEntry[str]:
        return self._entries.pop(0)

    def close(self) -> None:
        pass


def _shuffle_disks(monkeypatch: pytest.MonkeyPatch, dice: random.Random) -> None:
    scan = os.scandir

    def scandir(path: str = ".") -> _Shuffled:
        with scan(path) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        dice.shuffle(entries)
        return _Shuffled(entries)

    monkeypatch.setattr("os.scandir", scandir)


def _made(make: Make, files: dict[str, bytes], number: int, dice: random.Random) -> Path:
    """Make a newsletter whose files were written in an order of its own."""
    names = sorted(files)
    dice.shuffle(names)
    root = make({}, settings=_SETTINGS, name=f"build-{number}")
    for name in names:
        (root / "content" / name).write_bytes(files[name])
    return root


def _result(root: Path) -> dict[str, str]:
    return {**tree(root / "outbox"), **tree(root / "content")}


@both("PK-03", _OURS)
def test_pk_03_twenty_builds_give_the_same_bytes(
    digest: Digest, newsletter: Make, monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]
) -> None:
    """Whatever the order of the files and the locale, all builds give one order and one outbox."""
    dice = random.Random(20270118)  # noqa: S311 - an order of files, the same in each run
    results: list[dict[str, str]] = []
    for number in range(_BUILDS):
        root = _made(newsletter, files, number, dice)
        locale = _LOCALES[number % len(_LOCALES)]
        if number < len(_LOCALES):
            done = run_lines([["-C", str(root), "build", *_NOW]], environ={"LC_ALL": locale})
            assert done.returncode == 0, done.stderr
        else:
            with monkeypatch.context() as patch:
                patch.setenv("LC_ALL", locale)
                _shuffle_disks(patch, dice)
                assert digest("-C", root, "build", *_NOW)[0] == 0
        results.append(_result(root))

    assert results[0]
    assert all(result == results[0] for result in results)


@both("PK-03", _OURS)
def test_pk_03_nothing_is_replaced(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Each item has an anchor of its own, never empty, and its place in page, mail and feeds."""
    root = _made(newsletter, files, 1, random.Random(1))  # noqa: S311 - an order of files
    issue = publish(root)
    manifest = json.loads((root / f"outbox/{issue.key}/edition.json").read_bytes())
    anchors = [item["anchor"] for item in manifest["items"]]
    ids = [item["id"] for item in manifest["items"]]
    urls = {typed(data, "url") for data in files.values()}

    assert len(set(anchors)) == len(set(ids)) == len(files)
    assert all(anchor.strip("-") for anchor in anchors)
    assert set(issue.urls) == urls
    page = issue.forms["page"].elements("section")
    assert [section.get("id") for section in page] == anchors
    for name in (*FEEDS, "letter", "mail HTML"):
        assert [url for url in issue.forms[name].links if url in urls] == issue.urls, name
    home = [link for link in issue.forms["home"].links if "#" in link[1:]]
    assert home == [f"{issue.key}.html#{anchor}" for anchor in anchors]


@both("PK-03", _OURS)
def test_pk_03_items_of_their_own_issues_have_guids_of_their_own(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Published one an issue, all items keep their entry and their id in each feed and on disk."""
    root = _made(newsletter, {}, 1, random.Random(1))  # noqa: S311 - an order of files
    keys = []
    for week, name in enumerate(sorted(files), start=3):
        (root / "content" / name).write_bytes(files[name])
        now = ("--now", f"2027-02-{week:02d}T10:00:00+01:00")
        code, out, err = digest("-C", root, "build", f"2027-w{week:02d}", "--json", *now)
        assert code == 0, err
        keys.append(json.loads(out)["issue"])
        assert digest("-C", root, "publish", keys[-1], *now)[0] == 0
    feed = json.loads((root / "outbox/site/feed.json").read_bytes())
    titles = [unicodedata.normalize("NFC", typed(data, "title")) for data in files.values()]
    rss = (root / "outbox/site/rss.xml").read_text("utf-8")
    atom = (root / "outbox/site/atom.xml").read_text("utf-8")

    assert len(keys) == len({entry["id"] for entry in feed["items"]}) == len(files)
    assert rss.count("<guid ") == atom.count("<entry>") == len(files)
    assert sorted(entry["title"] for entry in feed["items"]) == sorted(titles)
    for key in keys:
        assert (root / f"outbox/site/{key}.html").is_file()


@both("PK-03", _OURS)
def test_pk_03_second_run_gives_the_same_slugs(
    publish: Publish, digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Built again, published or not, the anchors and all other bytes stay."""
    root = _made(newsletter, files, 1, random.Random(1))  # noqa: S311 - an order of files
    assert digest("-C", root, "build", *_NOW)[0] == 0
    first = _result(root)
    assert digest("-C", root, "build", *_NOW)[0] == 0
    assert _result(root) == first

    publish(root)
    published = _result(root)
    assert digest("-C", root, "build", *_NOW)[0] == 0
    assert _result(root) == published
