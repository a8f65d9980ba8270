"""Links lead somewhere, decisions are listed, and no file names a place that is not for all."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from docs.pages import DOCS, ROOT, page, rows, sections

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
# In pieces, so that this file does not hold what it looks for.
_HOSTS = tuple(
    f"{front}{back}"
    for front, back in (
        ("pypi", ".org"),
        ("python", "hosted.org"),
        ("npm", "js.org"),
        ("npm", "js.com"),
        ("yarn", "pkg.com"),
        ("crates", ".io"),
        ("ruby", "gems.org"),
        ("deb.", "debian.org"),
        ("archive.", "ubuntu.com"),
        ("proxy.", "golang.org"),
        ("repo.", "maven.apache.org"),
        ("ana", "conda.org"),
        ("ghcr", ".io"),
        ("docker", ".io"),
    )
)
_MADE = re.compile(r"(?:\A|/)(?:\.(?!ci/)|__pycache__/|build/|dist/|outbox/|private/)")
_FOLDERS = ("home", "root", "work", "Users", "tmp", "mnt", "private/var", "builds", "github")


def _tracked() -> list[Path]:
    """Give the files of the repository; of a folder without git, all but what is made there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - whichever git there is
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = [name for name in listed.stdout.split("\0") if name]
    found = [ROOT / name for name in names] or [
        path
        for path in ROOT.rglob("*")
        if not _MADE.search(f"{path.relative_to(ROOT).as_posix()}/")
    ]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def _texts() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in _tracked()
    }


@pytest.mark.parametrize("file", _PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_lead_to_files_and_headings(file: Path) -> None:
    """Each link to a file has one there; each link to a heading has a heading of that name."""
    for link in _LINK.findall(_FENCED.sub("", file.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (file.parent / name).resolve() if name else file
        assert target.exists(), link
        if anchor:
            assert anchor in _anchors(target), link


def _anchors(file: Path) -> set[str]:
    """Name the places of a page as the usual viewers of Markdown name them."""
    headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


def test_every_page_is_linked_from_the_readme() -> None:
    """Nobody has to know that a page is there."""
    readme = (ROOT / "README.md").read_text("utf-8")
    linked = {(ROOT / link.partition("#")[0]).resolve() for link in _LINK.findall(readme)}

    assert set(DOCS.glob("*.md")) <= linked


def test_every_decision_is_listed() -> None:
    """The index of decisions holds each of them, in order, under its own title."""
    listed = [
        re.fullmatch(r"\[(.+)\]\((.+)\)", row[1]) for row in rows(page("decisions/README.md"))
    ]
    told = [(match[2], match[1]) for match in listed if match]
    files = sorted(file for file in (DOCS / "decisions").glob("*.md") if file.name != "README.md")
    titles = [file.read_text("utf-8").partition("\n")[0].partition(". ")[2] for file in files]

    assert told == list(zip((file.name for file in files), titles, strict=True))


def test_every_decision_says_when_and_is_short() -> None:
    """A decision begins with its number, says its day, and is read in two minutes."""
    for file in (DOCS / "decisions").glob("0*.md"):
        text = file.read_text("utf-8")

        assert text.startswith(f"# {int(file.name[:4])}. ")
        assert re.search(r"^\*\*Decided\*\* \d{4}-\d{2}-\d{2}[.,]", text, re.MULTILINE)
        assert text.count("\n") < 60


def test_every_library_has_its_reason() -> None:
    """What `pyproject.toml` asks for stands in the decision on libraries, and no table has more."""
    text = page("decisions/0002-libraries.md")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed, other = (
        {re.split(r"[\[<>=~!]", name)[0].lower() for name in names}
        for names in (
            project["dependencies"],
            [name for names in project["optional-dependencies"].values() for name in names],
        )
    )
    first = {row[0].strip("`") for row in rows(text) if len(row) > 2}
    second = {
        name.lower()
        for row in rows(text)
        if len(row) == 2
        for name in re.findall(r"`([^`]+)`", row[0])
    }
    told = {name.lower() for name in re.findall(r"`([\w-]+)`", text)}

    assert first <= needed
    assert needed <= told
    assert second == other


def test_no_file_names_the_host_of_a_registry() -> None:
    """Where packages come from is a matter of whoever installs."""
    pattern = re.compile("|".join(map(re.escape, _HOSTS)))

    assert [name for name, text in _texts().items() if pattern.search(text)] == []


def test_no_file_names_a_folder_of_one_machine() -> None:
    """No absolute path of somebody's computer has crept in."""
    slash = "/"
    pattern = re.compile(
        rf"(?<![\w.:{slash}$~}}\])*>-]){slash}(?:{'|'.join(_FOLDERS)}){slash}[\w.-]"
        rf"|\b[A-Z]:\\{{1,2}}(?:Users|Documents)\b"
    )
    found = {name: pattern.findall(text) for name, text in _texts().items()}

    assert {name: hits for name, hits in found.items() if hits} == {}


def test_sections_of_the_manual_have_names_of_their_own() -> None:
    """Two sections of one name on a page would share an address."""
    for file in DOCS.glob("*.md"):
        names = re.findall(r"^#+ (.+)$", _FENCED.sub("", file.read_text("utf-8")), re.MULTILINE)

        assert len(names) == len(set(names)), file.name
        assert sections(file.read_text("utf-8"))
