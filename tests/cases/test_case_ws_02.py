"""WS-02, the files: names made from content stay in their folder and suit every system."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from cases.forms import Issue, tree
from cases.inputs import both, in_content, typed

Digest = Callable[..., tuple[int, str, str]]
Publish = Callable[..., Issue]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_SETTINGS = "[selection]\nmax_items = 20\n"


def _item(title: str, place: int, more: str = "") -> str:
    return (
        f'---\ntitle: "{title}"\nurl: https://names.example/{place}\ndate: 2027-01-12\n'
        f"{more or 'theme: names'}\n---\n\nText {place}.\n"
    )


_OURS = {
    "up.md": _item("../../../outside", 1, "slug: ../../../outside\ntheme: ../../outside"),
    "back.md": _item(r"..\\..\\outside", 2, r"slug: '..\..\outside'" + "\ntheme: names"),
    "root.md": _item("/etc/outside", 3, "slug: /etc/outside\nid: /etc/outside\ntheme: /names"),
    "signs.md": _item(r"x/y: <z>? *w* | v \" u", 4),
    "wide.md": _item("\u00fc" * 300, 5, f"slug: {'u' * 300}\ntheme: names"),
    "deep.md": _item("\u6df1" * 120, 6, "id: " + "a/b/" * 80 + "c\ntheme: names"),
    "nul.md": _item("NUL", 7, "slug: NUL\nid: NUL\ntheme: nul"),
    "com1.md": _item("COM1.txt", 8, "slug: com1\ntheme: names"),
    "dot.md": _item(".profile", 9, "slug: .profile\nid: .profile\ntheme: .names"),
    "ends.md": _item("ends with a dot. ", 10, 'slug: "ends with a dot. "\ntheme: "names. "'),
    "twin.md": _item("Twin", 11),
    "TWIN.md": _item("TWIN", 12),
    "twin\u00e9.md": _item("twin", 13),  # the file's name in NFC
    "\u00e9" * 120 + ".md": _item("A long name of a file", 14),  # 243 octets on disk
    "CON.md": _item("Con", 15, "id: CON\ntheme: names"),
    "bell.md": _item(r"a\x07b\nc\td", 16, r'slug: "a\nb"' + "\ntheme: names"),
}
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?\Z", re.IGNORECASE)


def _all_names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def _refused(name: str) -> str:
    """Say why a name suits not every system; empty where it does."""
    if len(name.encode()) > 255:
        return "longer than 255 bytes"
    if name.startswith("."):
        return "begins with a dot"
    if name.endswith((".", " ")) or re.search(r'[<>:"\\|?*\x00-\x1f\x7f]', name):
        return "not for Windows"
    return "a device" if _RESERVED.match(name) else ""


@both("WS-02", _OURS)
def test_ws_02_every_file_lies_in_its_folder(
    publish: Publish, newsletter: Make, tmp_path: Path, files: dict[str, bytes]
) -> None:
    """But in outbox, private folder and issue file nothing appears, in the newsletter or out."""
    root = newsletter(in_content(files), settings=_SETTINGS)
    before = _all_names(tmp_path)
    issue = publish(root)
    new = {
        PurePosixPath(name).relative_to(root.name).as_posix()
        for name in _all_names(tmp_path) - before
    }

    assert len(issue.titles) == len(files)
    assert {name.split("/")[0] for name in new} == {"outbox", "private", "content"}
    assert {name for name in new if name.startswith("content")} == {
        "content/issues",
        f"content/issues/{issue.key}.md",
    }
    assert {name.split("/")[1] for name in new if name.count("/")} - {issue.key, "site"} <= {
        "issues",
        "digest.db",
        "cache",
        "lock",
    }


@both("WS-02", _OURS)
def test_ws_02_names_suit_every_system(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """No name is too long, hidden or a device, and none differs from another by case alone."""
    root = newsletter(in_content(files), settings=_SETTINGS)
    publish(root)
    names = _all_names(root / "outbox")
    kept = [name for name in names if "/inputs/summaries/" in name]

    assert len(kept) == len(files)
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert {part: _refused(part) for part in name.split("/") if _refused(part)} == {}


@both("WS-02", _OURS)
def test_ws_02_no_file_overwrites_another(
    publish: Publish, digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Each summary is kept under a name of its own, also on a second run, and all are shown."""
    root = newsletter(in_content(files), settings=_SETTINGS)
    assert digest("-C", root, "build", *_NOW)[0] == 0
    first = tree(root / "outbox")
    assert digest("-C", root, "build", *_NOW)[0] == 0
    assert tree(root / "outbox") == first

    issue = publish(root)
    urls = {typed(data, "url") for data in files.values()}
    kept = (root / f"outbox/{issue.key}/inputs/summaries").iterdir()
    anchors = [section.get("id") or "" for section in issue.forms["page"].elements("section")]

    assert {path.read_bytes() for path in kept} == set(files.values())
    assert set(issue.urls) == urls
    assert len({anchor.casefold() for anchor in anchors}) == len(files)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,99}", anchor) for anchor in anchors)
    assert digest("-C", root, "verify", *_NOW)[0] == 0


@pytest.mark.parametrize(
    "place",
    ["outbox/2027-w03/issue.html", "outbox/2027-w03/edition.json", "content/issues/2027-w03.md"],
)
def test_ws_02_link_in_place_of_a_file_is_not_followed(
    digest: Digest, newsletter: Make, tmp_path: Path, place: str
) -> None:
    """A symbolic link where a file is written loses its place; what it led to keeps its bytes."""
    root = newsletter({"content/up.md": _OURS["up.md"]})
    assert digest("-C", root, "build", *_NOW)[0] == 0
    target = tmp_path / "elsewhere"
    target.write_bytes((root / place).read_bytes())
    before = target.read_bytes()
    (root / place).unlink()
    (root / place).symlink_to(target)
    (root / "content/up.md").write_text(_OURS["up.md"].replace("Text 1", "Text changed"), "utf-8")
    codes = [digest("-C", root, command, *_NOW)[0] for command in ("build", "publish")]

    assert codes == [0, 0]
    assert target.read_bytes() == before
    assert (root / place).is_file()
    assert not (root / place).is_symlink()


@pytest.mark.parametrize("place", ["outbox", "outbox/site", "outbox/2027-w03"])
def test_ws_02_link_in_place_of_a_folder_is_not_followed(
    digest: Digest, newsletter: Make, tmp_path: Path, place: str
) -> None:
    """A symbolic link in place of a folder stops the command, and nothing lands behind it."""
    root = newsletter({"content/up.md": _OURS["up.md"]})
    target = tmp_path / "elsewhere"
    target.mkdir()
    (target / "mine.txt").write_text("mine")
    (root / place).parent.mkdir(exist_ok=True)
    (root / place).symlink_to(target, target_is_directory=True)
    results = [digest("-C", root, command, *_NOW) for command in ("build", "publish")]

    assert any(code == 6 and "symbolic link" in err for code, _, err in results)
    assert _all_names(target) == {"mine.txt"}
    assert (target / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize(
    "name", ["../../outside", "/outside", "..\\outside", "CON", ".hidden", "\u6df1"]
)
def test_ws_02_other_names_stay_in_their_folder_too(
    digest: Digest, newsletter: Make, tmp_path: Path, name: str
) -> None:
    """`new TITLE` and `build --extra NAME` make safe names; an issue's name may hold no path."""
    root = newsletter({"content/up.md": _OURS["up.md"]})
    before = _all_names(tmp_path)
    assert digest("-C", root, "new", name, *_NOW)[0] == 0
    assert digest("-C", root, "build", "--extra", name, *_NOW)[0] == 0
    assert digest("-C", root, "build", name, *_NOW)[0] == 2
    new = _all_names(tmp_path) - before

    assert all(path.startswith(f"{root.name}/") for path in new)
    for path in new:
        parts = path.split("/")[2:]
        assert {part: _refused(part) for part in parts if _refused(part)} == {}
    assert len([path for path in new if path.startswith(f"{root.name}/content/issues/")]) == 1
