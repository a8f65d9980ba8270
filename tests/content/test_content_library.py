"""A folder of files: one bad file stops no other."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.content import ContentOptions, Library, load_library
from digest.errors import ContentError

Load = Callable[..., Library]
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Write files into a content folder and load it."""

    def run(files: dict[str, str | bytes] | None = None, **options: Any) -> Library:  # noqa: ANN401 - as ContentOptions
        folder = tmp_path / "content"
        folder.mkdir(exist_ok=True)
        for name, data in (files or {}).items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data if isinstance(data, bytes) else data.encode())
        made = ContentOptions(**options)
        return load_library(folder, root=tmp_path, zone=BERLIN, options=made)

    return run


def paths(library: Library) -> list[str]:
    """Give the paths of what was read."""
    return [summary.path for summary in library.summaries]


def places(library: Library) -> list[str]:
    """Give the places of what was wrong."""
    return [problem.where for problem in library.problems]


def test_bad_files_are_told_and_their_neighbours_read(load: Load) -> None:
    """Every kind of bad file has its complaint with a line; good files are all there."""
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{y}: &{y} [{', '.join([f'*{x}'] * 9)}]\n" for x, y in pairwise("abcdefgh")
    )
    library = load(
        {
            "a-good.md": "---\ntitle: Good\n---\nText.\n",
            "b-unclosed.md": "---\ntitle: x\n",
            "c-tab.md": "---\ntags:\n\t- x\n---\n",
            "d-twice.md": "---\ntitle: x\ntitle: y\n---\n",
            "e-mark.md": b"\xef\xbb\xbf---\r\ntitle: Mark\r\n---\r\nText.\r\n",
            "f-latin.md": b"---\ntitle: Caf\xe9\n---\n",
            "g-large.md": b"---\n" + b"k: " + b"x" * 5_000_000 + b"\n---\n",
            "h-bomb.md": f"---\n{bomb}---\n",
            "i-day.md": "---\ntitle: x\ndate: 2027-02-30\n---\n",
            "j-break.md": '---\ntitle: "One\\nline"\n---\n',
            "k-one.md": "---\ntitle: x\nid: same\n---\n",
            "l-two.md": "---\nid: same\n---\n",
            "z-good.md": "Text.\n",
        }
    )
    assert paths(library) == ["a-good.md", "e-mark.md", "j-break.md", "k-one.md", "z-good.md"]
    assert places(library) == [
        "content/b-unclosed.md:1",
        "content/c-tab.md:3",
        "content/d-twice.md:3",
        "content/f-latin.md:2",
        "content/g-large.md:1",
        "content/h-bomb.md:6",
        "content/i-day.md:3",
        "content/l-two.md:2",
    ]
    assert "content/k-one.md:3" in library.problems[-1].what
    assert [note.place for note in library.notes] == ["content/j-break.md:2", "content/z-good.md:1"]


def test_plain_folder_gives_summaries(load: Load) -> None:
    """No header, theme, date or link is needed."""
    library = load({"b.md": "# B\n\nText.\n", "a/c.md": "Text.\n", "a.txt": "no"})
    assert paths(library) == ["a/c.md", "b.md"]
    assert library.problems == ()


def test_issues_and_hidden_names_are_left_out(load: Load) -> None:
    """The issues folder, and names that begin with a dot, hold no summaries."""
    files = {
        "issues/2026-w49.md": "x",
        "deep/issues/a.md": "x",
        ".git/a.md": "x",
        ".a.md": "x",
        "_drafts/a.md": "x",
    }
    assert paths(load(files)) == ["_drafts/a.md", "deep/issues/a.md"]
    assert paths(load(issues="deep/issues")) == ["_drafts/a.md", "issues/2026-w49.md"]


@pytest.mark.parametrize(
    ("include", "exclude", "found"),
    [
        (("**/*.md",), (), ["README.md", "a/b/c.md", "a/b.md", "a/d.md", "e.md"]),
        (("*.md",), (), ["README.md", "e.md"]),
        (("**/*.md",), ("README.md", "a/b/"), ["a/b.md", "a/d.md", "e.md"]),
        (("**/*.md",), ("a/**",), ["README.md", "e.md"]),
        (("a/?.md", "**/*.txt"), (), ["a/b.md", "a/d.md", "f.txt"]),
        (("**/*.md",), ("**/b*",), ["README.md", "a/d.md", "e.md"]),
        ((), (), []),
    ],
)
def test_patterns_choose_the_files(
    load: Load, include: tuple[str, ...], exclude: tuple[str, ...], found: list[str]
) -> None:
    """A star stays within a name, two stars span folders, a folder may be left out whole."""
    files = dict.fromkeys(["README.md", "a/b.md", "a/b/c.md", "a/d.md", "e.md", "f.txt"], "x")
    assert sorted(paths(load(files, include=include, exclude=exclude))) == sorted(found)


def test_links_do_not_lead_out_of_the_folder(load: Load, tmp_path: Path) -> None:
    """A link to a file inside is followed; one that leads out is a problem."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.md").write_text("secret")
    load({"real/a.md": "x"})
    folder = tmp_path / "content"
    (folder / "in.md").symlink_to("real/a.md")
    (folder / "out.md").symlink_to("../secret/a.md")
    (folder / "lost.md").symlink_to("nowhere.md")
    (folder / "lost.txt").symlink_to("nowhere.txt")
    (folder / "out").symlink_to("../secret")
    (folder / "up").symlink_to(".")
    (folder / "twice").symlink_to("real")
    (folder / "loop.md").symlink_to("loop.md")
    (folder / "out.txt").symlink_to("../secret/a.md")
    library = load()
    assert paths(library) == ["in.md", "real/a.md"]
    assert places(library) == [
        "content/loop.md",
        "content/lost.md",
        "content/out",
        "content/out.md",
    ]
    assert [note.place for note in library.notes if "link" in note.text] == [
        "content/twice",
        "content/up",
    ]


def test_content_folder_may_itself_be_a_link(load: Load, tmp_path: Path) -> None:
    """What counts as inside is measured from where the folder really is."""
    load({"a.md": "x", "b/c.md": "x"})
    (tmp_path / "content" / "d.md").symlink_to("b/c.md")
    (tmp_path / "other").symlink_to("content")
    library = load_library(tmp_path / "other", root=tmp_path, zone=BERLIN, options=ContentOptions())
    assert paths(library) == ["a.md", "b/c.md", "d.md"]
    assert library.problems == ()


def test_what_is_no_file_is_a_problem(load: Load, tmp_path: Path) -> None:
    """A folder or a pipe with the name of a file is told; nothing waits for it."""
    load({"good.md": "x", "folder.md/inner.md": "x"})
    os.mkfifo(tmp_path / "content" / "pipe.md")
    library = load()
    assert paths(library) == ["good.md"]
    assert places(library) == ["content/folder.md", "content/pipe.md"]


def test_name_that_is_not_utf_8_is_a_problem(load: Load, tmp_path: Path) -> None:
    """Such a name is shown with escapes, and the file left out."""
    load({"good.md": "x"})
    Path(os.fsdecode(os.fsencode(tmp_path / "content") + b"/caf\xe9.md")).write_text("x")
    library = load()
    assert paths(library) == ["good.md"]
    assert places(library) == ["content/caf\\udce9.md"]
    assert str(library.problems[0]).isascii()


def test_odd_names_are_shown_on_one_line(load: Load) -> None:
    """A line break in a file's name cannot forge a line of output."""
    library = load({"a\nb.md": "---\ndate: x\n---\n"})
    assert places(library) == ["content/a b.md:2"]


def test_two_forms_of_one_name_are_one_id(load: Load) -> None:
    """Names that differ only in how an accent is stored stand for one summary."""
    library = load({"caf\u00e9.md": "one", "cafe\u0301.md": "two"})
    assert len(library.summaries) == 1
    assert len(library.problems) == 1
    assert library.problems[0].where == "content/caf\u00e9.md:1"


def test_file_that_vanishes_or_is_locked_is_a_problem(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the disk refuses is told, and the rest read."""
    load({"a.md": "x", "b.md": "x"})
    opened = os.open

    def refuse(path: str, flags: int) -> int:
        if str(path).endswith("a.md"):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags)

    monkeypatch.setattr("digest.content.reading.os.open", refuse)
    library = load()
    assert paths(library) == ["b.md"]
    assert str(library.problems[0]).startswith(
        "content/a.md: the file cannot be read: Permission denied"
    )


def test_second_file_may_vanish_before_its_id_is_looked_for(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The complaint about a double id then names the first line."""
    load({"a.md": "---\nid: x\n---\n", "b.md": "---\nid: x\n---\n"})
    opened, seen = os.open, set[str]()

    def once(path: str, flags: int) -> int:
        if path in seen:
            raise FileNotFoundError(2, "No such file")
        seen.add(path)
        return opened(path, flags)

    monkeypatch.setattr("digest.content.reading.os.open", once)
    assert places(load()) == ["content/b.md:1"]


def test_folder_that_cannot_be_read_is_a_problem(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A locked folder is told, and the others read."""
    load({"a/a.md": "x", "b.md": "x"})
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr("digest.content.walk.os.scandir", refuse)
    library = load()
    assert paths(library) == ["b.md"]
    assert places(library) == ["content/a"]


def test_missing_content_folder_is_an_error(tmp_path: Path) -> None:
    """Without the folder there is nothing to go on with."""
    with pytest.raises(ContentError, match="there is no such folder") as caught:
        load_library(tmp_path / "nil", root=tmp_path, zone=BERLIN, options=ContentOptions())
    assert caught.value.problems[0].where == "nil"


def test_project_may_be_its_own_content_folder(tmp_path: Path) -> None:
    """Places then begin with the file's own path."""
    (tmp_path / "a.md").write_text("---\ndate: x\n---\n")
    library = load_library(tmp_path, root=tmp_path, zone=BERLIN, options=ContentOptions())
    assert places(library) == ["a.md:2"]


def test_problems_stand_in_the_order_of_files_and_lines(load: Load) -> None:
    """Line 10 comes after line 9."""
    lines = "".join(f"k{n}: 1\n" for n in range(7))
    library = load(
        {"b.md": f"---\n{lines}date: x\nupdated: x\n---\n", "a.md": "---\ndate: x\n---\n"}
    )
    assert places(library) == ["content/a.md:2", "content/b.md:9", "content/b.md:10"]


def test_file_that_vanishes_during_the_walk_is_a_problem(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is listed and gone a moment later is told, and the rest read."""
    load({"a.md": "x", "b.md": "x"})
    scan = os.scandir

    class Scan:
        """Lists a folder, and takes one file away meanwhile."""

        def __init__(self, path: str) -> None:
            self.entries = list(scan(path))
            Path(path, "a.md").unlink()

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            """Nothing is open."""

    monkeypatch.setattr("digest.content.walk.os.scandir", Scan)
    library = load()
    assert paths(library) == ["b.md"]
    assert places(library) == ["content/a.md"]
