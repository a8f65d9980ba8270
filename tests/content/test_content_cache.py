"""A cache changes how fast a folder is read, and nothing else."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from digest.content import ContentOptions, Library, library, load_library, reading
from digest.content.cache import FORMAT

BERLIN = ZoneInfo("Europe/Berlin")
FULL = """---
title: "Night \u2028 herons #2"
date: 2027-10-31T02:30:00+01:00
updated: 2027-01-01
not_before: 2027-01-01
not_after: 2027-01-02
url: https://a.example/
summary: Short.
themes: [a, b]
tags: [no, "1.10"]
authors: [Ann, Bo]
source: Post
links: [https://b.example/, {label: C, url: https://c.example/}]
image: a.png
image_alt: An owl
lang: en
dir: rtl
weight: 0.1
pin: yes
draft: yes
withdrawn: yes
cooldown: 0
supersedes: [c, d]
slug: x
odd: [1, {a: b}]
---
Text with "quotes" and \u2028 a break.
"""


class Folder:
    """A content folder with a cache, and the count of files that were really read."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.content = root / "content"
        self.cache = root / "kept" / "cache.json"
        self.read: list[str] = []
        self.content.mkdir()
        (self.content / "full.md").write_text(FULL)
        (self.content / "bare.md").write_text("Text.\n")
        (self.content / "bad.md").write_text("---\ndate: x\n---\n")
        real = reading.read_file

        def count(path: str, *, where: str) -> bytes:
            self.read.append(where)
            return real(path, where=where)

        monkeypatch.setattr(library, "read_file", count)

    def load(
        self, *, write: bool = True, zone: ZoneInfo = BERLIN, aliases: dict[str, str] | None = None
    ) -> Library:
        """Load the folder, and count anew."""
        self.read.clear()
        return load_library(
            self.content,
            root=self.root,
            zone=zone,
            options=ContentOptions(aliases=aliases or {}),
            cache=self.cache,
            write_cache=write,
        )

    def age(self, **changes: object) -> None:
        """Make the cache one of long after its files, as waiting would."""
        head, _, body = self.cache.read_bytes().partition(b"\n")
        found = {**json.loads(head), "stamp": 2**62, **changes}
        self.cache.write_bytes(json.dumps(found).encode() + b"\n" + body)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Make a folder with three files, one of them bad."""
    return Folder(tmp_path, monkeypatch)


def test_summaries_of_the_cache_equal_fresh_ones(folder: Folder) -> None:
    """Every value, note and problem is the same, though only the bad file is read."""
    fresh = folder.load()
    assert len(folder.read) == 3
    folder.age()
    cached = folder.load()
    assert folder.read == ["content/bad.md"]
    assert cached == fresh
    assert repr(cached) == repr(fresh)
    assert len(fresh.summaries) == 2
    assert len(fresh.problems) == 1


def test_file_changed_just_before_is_read_again(folder: Folder) -> None:
    """A file as young as the cache may have changed without a trace: it is not trusted."""
    fresh = folder.load()
    assert folder.load() == fresh
    assert len(folder.read) == 3


def test_changed_new_and_vanished_files_are_noticed(folder: Folder) -> None:
    """Each kind of change shows, and the cache follows."""
    folder.load()
    folder.age()
    (folder.content / "full.md").write_text("# New\n")
    (folder.content / "more.md").write_text("More.\n")
    (folder.content / "bare.md").unlink()
    found = folder.load()
    assert sorted(folder.read) == ["content/bad.md", "content/full.md", "content/more.md"]
    assert [summary.title for summary in found.summaries] == ["New", "More"]
    folder.age()
    assert folder.load() == found
    assert folder.read == ["content/bad.md"]


def test_change_of_same_size_and_time_is_noticed(folder: Folder) -> None:
    """A tool that keeps the old time cannot hide a change."""
    file = folder.content / "bare.md"
    folder.load()
    folder.age()
    times = file.stat()
    file.write_text("Next.\n")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    found = folder.load()
    assert "content/bare.md" in folder.read
    assert found.summaries[0].body == "Next.\n"


def test_cache_is_written_only_when_asked_and_needed(folder: Folder) -> None:
    """A dry run leaves no trace; a run without a change leaves the cache as it is."""
    folder.load(write=False)
    assert not folder.cache.parent.exists()
    folder.load()
    folder.age()
    before = folder.cache.read_bytes()
    folder.load()
    assert folder.cache.read_bytes() == before
    assert list(folder.cache.parent.iterdir()) == [folder.cache]
    (folder.content / "bare.md").unlink()
    folder.load(write=False)
    assert folder.cache.read_bytes() == before
    folder.load()
    assert folder.cache.read_bytes() != before


def test_other_settings_have_no_use_for_the_cache(folder: Folder) -> None:
    """Zone and aliases decide what a file means."""
    folder.load()
    folder.age()
    folder.load(write=False, zone=ZoneInfo("Asia/Tokyo"))
    assert len(folder.read) == 3
    folder.load(write=False, aliases={"odd": "tags"})
    assert len(folder.read) == 3
    folder.age(format=f"digest content {FORMAT + 1}")
    folder.load(write=False)
    assert len(folder.read) == 3


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]\n[]",
        b"null\n",
        b'{"stamp": 1}\n',
        b"\xff\xfe\n",
        b"SQLite format 3\x00",
        b"[" * 100_000,
    ],
)
def test_broken_or_foreign_cache_is_passed_over(folder: Folder, data: bytes) -> None:
    """Whatever stands in its place, the folder is read, and a good cache written."""
    fresh = folder.load(write=False)
    folder.cache.parent.mkdir()
    folder.cache.write_bytes(data)
    assert folder.load() == fresh
    folder.age()
    assert folder.load() == fresh
    assert folder.read == ["content/bad.md"]


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'["full.md"]', b'["bare.md"]\n[]', b'["bare.md"]\nx']
)
def test_cache_cut_short_is_passed_over(folder: Folder, body: bytes) -> None:
    """Neither a body that does not fit its hash nor one that does not fit itself is used."""
    fresh = folder.load()
    head = json.loads(folder.cache.read_bytes().partition(b"\n")[0])
    head["stamp"] = 2**62
    folder.cache.write_bytes(json.dumps(head).encode() + b"\n" + body)
    assert folder.load(write=False) == fresh
    head["sha256"] = sha256(body).hexdigest()
    folder.cache.write_bytes(json.dumps(head).encode() + b"\n" + body)
    assert folder.load(write=False) == fresh
    assert len(folder.read) == 3


def test_moment_under_other_rules_of_its_zone_is_read_again(folder: Folder) -> None:
    """When a zone's rules change, cached moments are not believed."""
    fresh = folder.load()
    head, _, body = folder.cache.read_bytes().partition(b"\n")
    changed = body.replace(b"2027-01-01T00:00:00+01:00", b"2027-01-01T00:00:00+03:00")
    assert changed != body
    found = {**json.loads(head), "stamp": 2**62, "sha256": sha256(changed).hexdigest()}
    folder.cache.write_bytes(json.dumps(found).encode() + b"\n" + changed)
    assert folder.load() == fresh
    assert sorted(folder.read) == ["content/bad.md", "content/full.md"]


def test_place_that_takes_no_cache_does_no_harm(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache that cannot be begun or put in place is done without."""
    fresh = folder.load(write=False)
    folder.cache.parent.write_text("a file in the way")
    assert folder.load() == fresh
    folder.cache.parent.unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("digest.content.cache.os.replace", full)
    assert folder.load() == fresh
    assert list(folder.cache.parent.iterdir()) == []
