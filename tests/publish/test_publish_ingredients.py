"""What an edition is made from: the summaries of an issue, the pictures it names, its commits."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import pytest
from files.repository import commit, run
from PIL import Image

from digest.config import load_settings
from digest.errors import IssueFileError
from digest.model import Issue, IssueKey, Summary
from digest.publish.editions import Material
from digest.publish.ingredients import material_of, pictures_of
from digest.publish.project import Project

Make = Callable[..., Path]
Files = Mapping[str, str | bytes]

_KEY = IssueKey("2026-w49")


def _drawn(colour: int = 0) -> bytes:
    out = BytesIO()
    Image.new("RGB", (3, 2), (colour, 0, 0)).save(out, "PNG")
    return out.getvalue()


def _item(title: str, body: str = "Words.", more: str = "") -> str:
    return f"---\ntitle: {title}\n{more}---\n\n{body}\n"


def _issue(*names: str, words: str = "") -> str:
    return f"---\nitems: [{', '.join(names)}]\n---\n\n{words}\n"


class _Letter:
    """A newsletter in a folder, and its issue as it is now."""

    def __init__(self, root: Path, *, environ: Mapping[str, str] | None = None) -> None:
        settings = load_settings(root, file=None, environ={}, overrides=())
        self.project = Project(settings=settings, environ=environ or {})
        self.library = self.project.library()

    @property
    def issue(self) -> Issue:
        found = self.project.issue(_KEY)
        assert found is not None
        return found

    @property
    def summaries(self) -> list[Summary]:
        by_id = {summary.id: summary for summary in self.library.summaries}
        return [by_id[pick.id] for pick in self.issue.items]

    def material(self, number: int = 7) -> Material:
        return material_of(self.project, self.issue, self.library, number=number)

    def pictures(self) -> tuple[set[str], dict[str, str]]:
        shown, broken = pictures_of(self.project, self.issue, self.summaries)
        return set(shown), dict(broken)


@pytest.fixture
def make(newsletter: Make) -> Callable[..., _Letter]:
    """Give a function that makes a newsletter of files, with an issue of some items."""

    def call(files: Files, *names: str, words: str = "", settings: str = "") -> _Letter:
        issue = {f"content/issues/{_KEY}.md": _issue(*names, words=words)}
        return _Letter(newsletter({**files, **issue}, settings=settings))

    return call


MakeLetter = Callable[..., _Letter]


def test_sources_are_the_files_in_the_order_of_the_issue(make: MakeLetter) -> None:
    """Octet for octet, whatever stands in them; number and issue are those that were given."""
    files = {
        "content/a.md": _item("A"),
        "content/b.md": b"\xef\xbb\xbf---\r\ntitle: B\r\n---\r\n\r\nB.\r\n",
        "content/c.md": _item("C"),
    }
    letter = make(files, "c", "b")
    made = letter.material()

    assert list(made.sources) == ["c.md", "b.md"]
    assert made.sources["b.md"] == files["content/b.md"]
    assert (made.number, made.issue) == (7, letter.issue)
    assert [one.title for one in made.summaries().values()] == ["C", "B"]
    assert (made.pictures, made.commits) == ({}, {})


def test_items_that_no_summary_has_are_named_at_once(make: MakeLetter) -> None:
    """With the issue file, and with what takes them out of it."""
    letter = make({"content/a.md": _item("A")}, "gone", "a", "lost")
    with pytest.raises(IssueFileError) as caught:
        letter.material()

    problems = caught.value.problems
    assert [problem.what for problem in problems] == [
        "no summary has the id 'gone'",
        "no summary has the id 'lost'",
    ]
    assert {problem.where for problem in problems} == {f"content/issues/{_KEY}.md"}
    assert all(f"digest build {_KEY} --refill" in problem.fix for problem in problems)


def test_pictures_come_from_texts_headers_and_introduction(make: MakeLetter) -> None:
    """Each relative to its own file, the introduction's to the content folder."""
    files: dict[str, str | bytes] = {
        "content/sea/a.md": _item("A", "![x](text.png) and <img src='html.png' alt='y'>"),
        "content/b.md": _item("B", more="image: sea/head.png\nimage_alt: z\n"),
        "content/unused.md": _item("U", "![x](unused.png)"),
    }
    for name in ("sea/text.png", "sea/html.png", "sea/head.png", "intro.png", "unused.png"):
        files[f"content/{name}"] = _drawn(len(name))
    letter = make(files, "sea/a", "b", words="Hello ![w](intro.png)")

    shown, broken = letter.pictures()
    assert shown == {"sea/text.png", "sea/html.png", "sea/head.png", "intro.png"}
    assert broken == {}
    assert letter.material().pictures.keys() == shown


def test_what_the_issue_does_not_show_is_not_read(make: MakeLetter) -> None:
    """A `summary` stands in place of the text, and the text's pictures with it; links are none."""
    more = "summary: Short ![s](short.png)\n"
    letter = make(
        {
            "content/a.md": _item("A", "![t](text.png)", more),
            "content/b.md": _item("B", "[a link](linked.png), `![c](code.png)`, \\![e](e.png)"),
            "content/short.png": _drawn(),
        },
        "a",
        "b",
    )
    assert letter.pictures() == ({"short.png"}, {})


def test_pictures_elsewhere_are_not_files(make: MakeLetter) -> None:
    """Addresses of other hosts and with a scheme are led to, even one of the newsletter's site."""
    body = (
        "![a](https://elsewhere.example/a.png) ![b](//elsewhere.example/b.png) "
        "![c](https://harbour.example/c.png) ![d](data:image/png;base64,AA==) "
        "![e](file:///etc/hosts)"
    )
    letter = make({"content/a.md": _item("A", body), "content/c.png": _drawn()}, "a")
    assert letter.pictures() == (set(), {})


def test_why_pictures_are_not_shown_is_told(make: MakeLetter) -> None:
    """By their paths: what is not there, what is no picture, what lies outside."""
    body = "![a](gone.png) ![b](text.png) ![c](link.png) ![d](good.png) ![e](gone.png)"
    letter = make(
        {
            "content/a.md": _item("A", body),
            "content/text.png": b"words",
            "content/good.png": _drawn(),
        },
        "a",
    )
    (letter.project.content / "link.png").symlink_to(letter.project.root / "digest.toml")
    shown, broken = letter.pictures()

    assert shown == {"good.png"}
    assert broken == {
        "gone.png": "there is no such file",
        "link.png": "lies outside content/",
        "text.png": "is no PNG, JPEG, GIF or WebP",
    }


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_are_found_in_either_form(make: MakeLetter, form: str) -> None:
    """Some systems write letters and their marks apart, in the text or on the disk."""
    name = "Möwe & Boot.png"
    written = unicodedata.normalize("NFC" if form == "NFD" else "NFD", name)
    letter = make(
        {
            "content/a.md": _item("A", f"![a](<{written}>)"),
            f"content/{unicodedata.normalize(form, name)}": _drawn(),
        },
        "a",
    )
    assert letter.pictures() == ({unicodedata.normalize("NFC", name)}, {})


def test_commits_are_by_path_in_the_content_folder(newsletter: Make) -> None:
    """Also where that folder lies deep and the newsletter inside a larger repository."""
    settings = '[content]\nfolder = "texts/notes"\n'
    root = newsletter({}, settings=settings, name="repository/letter")
    files = {
        "letter/texts/notes/a.md": _item("A").encode(),
        "letter/texts/notes/sea/b.md": _item("B").encode(),
        f"letter/texts/notes/issues/{_KEY}.md": _issue("a", "sea/b").encode(),
    }
    run(root.parent, "init", "-q", "-b", "main")
    first = commit(root.parent, files)
    second = commit(root.parent, {"letter/texts/notes/a.md": _item("A", "More.").encode()})
    letter = _Letter(root, environ=os.environ)

    assert letter.material().commits == {"a.md": second, "sea/b.md": first}
    (root / "texts/notes/sea/b.md").write_bytes(_item("B", "Not yet.").encode())
    assert letter.material().commits == {"a.md": second}
    assert _Letter(root).material().commits == {}  # without a PATH no program is found


def test_without_a_repository_there_are_no_commits(make: MakeLetter) -> None:
    """That is no fault."""
    letter = make({"content/a.md": _item("A")}, "a")
    other = _Letter(letter.project.root, environ={**os.environ, "GIT_CEILING_DIRECTORIES": "/"})
    assert other.material().commits == {}
