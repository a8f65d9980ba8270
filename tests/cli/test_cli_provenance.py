"""Where a text came from: files and commits in the manifest, links to them on the page."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import ITEM, KEY, NOW
from files.repository import commit, run

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Build = Callable[..., dict[str, Any]]

_SOURCE = "https://git.example/letter/blob/{commit}/content/{path}"
_WITH = f"--set=site.source={_SOURCE}"
_FILES = ("mills/m0.md", "m1.md", "mill's two é.md")
_LINK = re.compile(r'<p class="facts source"><a href="([^"]*)".*?>([^<>]*)</code>', re.DOTALL)


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter of three items in a git repository, nothing committed yet."""
    root = newsletter({f"content/{path}": ITEM.format(n) for n, path in enumerate(_FILES)})
    (root / ".gitignore").write_text("private/\noutbox/\n")
    run(root, "init", "-q", "-b", "main")
    return root


@pytest.fixture
def build(digest: Digest, letter: Path) -> Build:
    """Give a function that runs a command that must go well, and gives this week's manifest."""

    def call(*words: str) -> dict[str, Any]:
        code, _, err = digest("-C", letter, *(words or ("build",)), *NOW)
        assert code == 0, err
        return dict(json.loads((letter / f"outbox/{KEY}/edition.json").read_text("utf-8")))

    return call


def _page(root: Path) -> str:
    return (root / f"outbox/{KEY}/page.html").read_text("utf-8")


def _links(root: Path) -> dict[str, str]:
    """Give the links to source files on the page: address to the digits shown."""
    return dict(_LINK.findall(_page(root)))


def _commit_all(root: Path) -> str:
    return commit(root, {}, "All")


def test_manifest_tells_files_and_their_commits(letter: Path, build: Build) -> None:
    """Each item has its path in the content folder; commits stand beside, by that path."""
    first = _commit_all(letter)
    second = commit(letter, {"content/m1.md": ITEM.format("one").encode()})
    told = build()

    assert {item["path"] for item in told["items"]} == set(_FILES)
    assert all("commit" not in item for item in told["items"])
    assert told["commits"] == {_FILES[0]: first, _FILES[1]: second, _FILES[2]: first}


def test_page_links_to_what_is_committed(letter: Path, build: Build) -> None:
    """By the whole commit, with seven digits shown; paths are written as addresses are."""
    done = _commit_all(letter)
    build("build", _WITH)
    start = f"https://git.example/letter/blob/{done}/content/"

    assert _links(letter) == {
        f"{start}mills/m0.md": done[:7],
        f"{start}m1.md": done[:7],
        f"{start}mill%27s%20two%20%C3%A9.md": done[:7],
    }


def test_what_is_not_committed_has_no_link(letter: Path, build: Build) -> None:
    """Neither a new file, nor one edited since; each gets one with the build after its commit."""
    (letter / "content/m1.md").rename(letter / "m1.md")
    done = _commit_all(letter)
    (letter / "m1.md").rename(letter / "content/m1.md")
    (letter / "content/mills/m0.md").write_text(ITEM.format("changed"))
    told = build("build", _WITH)

    assert told["commits"] == {_FILES[2]: done}
    assert list(_links(letter).values()) == [done[:7]]
    later = _commit_all(letter)
    assert build("build", _WITH)["commits"] == {
        _FILES[0]: later,
        _FILES[1]: later,
        _FILES[2]: done,
    }
    assert sorted(_links(letter).values()) == sorted((later[:7], later[:7], done[:7]))


def test_a_source_without_commit_links_to_all(letter: Path, build: Build) -> None:
    """Where the address has the path alone, it needs no git."""
    build("build", "--set=site.source=https://git.example/{path}?raw=1")
    page = _page(letter)

    assert page.count("https://git.example/") == len(_FILES)
    assert "https://git.example/mills/m0.md?raw=1" in page
    assert "<code>" not in page


def test_without_a_source_there_is_no_link(letter: Path, build: Build) -> None:
    """That is the default, in a repository, too; the mail never has one."""
    done = _commit_all(letter)
    build()
    assert 'class="facts source"' not in _page(letter)
    build("build", _WITH)
    edition = letter / f"outbox/{KEY}"
    for name in ("issue.html", "issue.txt", "issue.eml", "entry.html"):
        assert done[:7] not in (edition / name).read_text("utf-8")


def test_the_edition_is_the_same_before_and_after_a_commit(letter: Path, build: Build) -> None:
    """Its hash and every file but the manifest; the manifest tells the commits alone anew."""
    before = build()
    files = _octets(letter)
    done = _commit_all(letter)
    after = build()

    assert before["commits"] == {}
    assert set(after["commits"].values()) == {done}
    assert {**after, "commits": {}} == before
    assert _octets(letter) == files


def _octets(root: Path) -> dict[str, bytes]:
    folder = root / f"outbox/{KEY}"
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "edition.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_published_edition_comes_back_after_the_commit(
    letter: Path, build: Build, digest: Digest
) -> None:
    """Published, committed, its folder removed: publishing makes the very edition again."""
    build()
    published = build("publish")["edition"]
    files = _octets(letter)
    done = _commit_all(letter)
    shutil.rmtree(letter / f"outbox/{KEY}")
    again = build("publish")

    assert again["edition"] == published
    assert set(again["commits"].values()) == {done}
    assert _octets(letter) == files
    assert digest("-C", letter, "verify", *NOW)[1] == f"{KEY}: identical, every byte\n"


def test_a_folder_of_a_page_with_commits_comes_back(
    letter: Path, build: Build, digest: Digest
) -> None:
    """With links to commits, too, where texts and history are as they were."""
    _commit_all(letter)
    build("build", _WITH)
    published = build("publish", _WITH)["edition"]
    commit(letter, {"more.txt": b"another file"})
    shutil.rmtree(letter / f"outbox/{KEY}")

    assert build("publish", _WITH)["edition"] == published
    assert digest("-C", letter, "verify", _WITH, *NOW)[0] == 0


@pytest.mark.parametrize("source", ["", _SOURCE])
def test_verify_needs_no_repository(
    letter: Path, build: Build, digest: Digest, source: str
) -> None:
    """The edition remembers its commits: it is proved without git, and after other commits."""
    _commit_all(letter)
    build("build", f"--set=site.source={source}")
    build("publish", f"--set=site.source={source}")
    for path in _FILES:
        (letter / "content" / path).write_text("---\ntitle: Another\n---\n\nText.\n")
    _commit_all(letter)
    assert digest("-C", letter, "verify", *NOW)[1] == f"{KEY}: identical, every byte\n"
    shutil.rmtree(letter / ".git")
    assert digest("-C", letter, "verify", *NOW)[1] == f"{KEY}: identical, every byte\n"


def test_other_commits_in_a_manifest_are_no_proof_of_another_page(
    letter: Path, build: Build, digest: Digest
) -> None:
    """Who changes the commits that a page names is told by verify, though they are not hashed."""
    done = _commit_all(letter)
    build("build", _WITH)
    file = letter / f"outbox/{KEY}/edition.json"
    file.write_text(file.read_text("utf-8").replace(done, "0" * 40), "utf-8")
    code, out, _ = digest("-C", letter, "verify", *NOW)

    assert code == 1
    assert out == f"{KEY}: differs in page.html\n"


@pytest.mark.parametrize("commits", [None, [], "x", {"m1.md": 7}, {"m1.md": '"><b>'}])
def test_odd_commits_in_a_manifest_are_no_bug(
    letter: Path, build: Build, digest: Digest, commits: object
) -> None:
    """A manifest that was damaged there is told as such, or it is read; nothing crashes."""
    _commit_all(letter)
    build("build", _WITH)
    file = letter / f"outbox/{KEY}/edition.json"
    told = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**told, "commits": commits}), "utf-8")
    for command in ("verify", "check", "publish"):
        code, _, err = digest("-C", letter, command, *NOW)
        assert code in {0, 1, 6}, err
        assert "Traceback" not in err
        assert "this is a bug" not in err.lower()
