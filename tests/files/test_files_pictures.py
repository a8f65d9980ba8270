"""Pictures of the content folder: told by what is in them, and none from outside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from digest.files import read_pictures
from digest.model import PICTURE_TYPES, Picture

FORMATS: Final = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "WEBP": "image/webp",
}
Read = Callable[[bytes], Picture | str]
_NO_FILE: Final = "there is no such file"
_OUTSIDE: Final = "lies outside content/"
_DAMAGED: Final = "is damaged"
_TOO_WIDE: Final = "has more than 10,000 pixels one way"
_STRANGE: Final = "is no PNG, JPEG, GIF or WebP"


def drawn(kind: str, width: int = 4, height: int = 3, **ways: object) -> bytes:
    """Draw a picture in one of the formats."""
    out = BytesIO()
    Image.new("RGB", (width, height), (30, 90, 160)).save(out, kind, **ways)
    return out.getvalue()


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """Give a content folder with one picture in a folder of its own."""
    folder = tmp_path / "content"
    (folder / "tides").mkdir(parents=True)
    (folder / "tides/high.png").write_bytes(drawn("PNG"))
    return folder


@pytest.fixture(scope="session")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Give what reads octets as a file of a content folder: the picture, or why it is none."""
    folder = tmp_path_factory.mktemp("pictures")

    def read(data: bytes) -> Picture | str:
        (folder / "x").write_bytes(data)
        shown, refused = read_pictures(folder, ["x"], root=folder)
        return shown["x"] if shown else refused["x"]

    return read


def _size(picture: Picture | str) -> tuple[int, int]:
    assert isinstance(picture, Picture), picture
    return picture.width, picture.height


def _why(content: Path, path: str) -> str:
    shown, refused = read_pictures(content, [path], root=content.parent)
    assert shown == {}
    assert list(refused) == [path]
    return refused[path]


def test_pictures_come_by_path_with_type_and_size(content: Path) -> None:
    """Each path gives its octets, format and size, once, in the order of paths."""
    (content / "a.gif").write_bytes(drawn("GIF", 7, 2))
    paths = ["tides/high.png", "a.gif", "tides/high.png"]
    shown, refused = read_pictures(content, paths, root=content.parent)

    assert refused == {}
    assert list(shown) == ["a.gif", "tides/high.png"]
    one, two = shown.values()
    assert (one.path, one.media_type, one.width, one.height) == ("a.gif", "image/gif", 7, 2)
    assert (two.media_type, two.width, two.height) == ("image/png", 4, 3)
    assert two.data == drawn("PNG")


@pytest.mark.parametrize("kind", FORMATS)
@given(width=st.integers(1, 300), height=st.integers(1, 300))
@settings(deadline=None, max_examples=20)
def test_sizes_are_those_that_were_drawn(read: Read, kind: str, width: int, height: int) -> None:
    """The size is told right for every format that is shown."""
    assert _size(read(drawn(kind, width, height))) == (width, height)


@pytest.mark.parametrize("ways", [{"lossless": True}, {"quality": 50}, {"exif": b"Exif\0\0"}])
def test_all_kinds_of_webp_are_measured(read: Read, ways: dict[str, object]) -> None:
    """Lossy, lossless and extended files tell their size in three different places."""
    assert _size(read(drawn("WEBP", 123, 45, **ways))) == (123, 45)


@pytest.mark.parametrize(("turned", "size"), [(1, (8, 5)), (3, (8, 5)), (6, (5, 8)), (8, (5, 8))])
def test_a_photograph_is_measured_upright(read: Read, turned: int, size: tuple[int, int]) -> None:
    """What the camera notes of how it was held counts, as it does where pictures are shown."""
    held = Image.Exif()
    held[0x0112] = turned

    assert _size(read(drawn("JPEG", 8, 5, exif=held))) == size


def test_wide_gifs_are_measured(read: Read) -> None:
    """Beyond 32,767 pixels a size is no negative number, but too much."""
    data = bytearray(drawn("GIF"))
    data[6:8] = (40_000).to_bytes(2, "little")

    assert read(bytes(data)) == _TOO_WIDE


def test_scale_bits_of_webp_are_no_size(read: Read) -> None:
    """The two bits above a width say how to scale it, which is nobody's business."""
    data = bytearray(drawn("WEBP", 20, 10, quality=50))
    assert data[12:16] == b"VP8 "
    data[27] |= 0xC0
    data[29] |= 0x40

    assert _size(read(bytes(data))) == (20, 10)


@pytest.mark.parametrize("kind", FORMATS)
def test_the_ending_of_a_name_means_nothing(content: Path, kind: str) -> None:
    """A name that says another format, or none, changes nothing; the public name is right."""
    for name in ("photo.svg", "photo", "photo.PNG.html"):
        (content / name).write_bytes(drawn(kind))
        shown, _ = read_pictures(content, [name], root=content.parent)

        assert shown[name].media_type == FORMATS[kind]
        assert shown[name].name.endswith(f".{PICTURE_TYPES[FORMATS[kind]]}")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>",
        b"BM" + bytes(60),
        b"P6 4 3 255 " + bytes(36),
        b"RIFF\x10\0\0\0WAVEfmt " + bytes(20),
        b"\0\0\0\x1cftypavif" + bytes(40),
        b"%PDF-1.7\n",
        b"<!doctype html><title>a.png</title>",
    ],
)
def test_other_formats_are_refused(content: Path, data: bytes) -> None:
    """What is none of the four is not shown, whatever it is called."""
    (content / "a.png").write_bytes(data)

    assert _why(content, "a.png") == _STRANGE


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_that_was_broken_off_is_refused(read: Read, kind: str) -> None:
    """However much of its end is lost, a file is never taken for a whole one."""
    data = drawn(kind, 40, 30)
    for length in range(len(data)):
        assert read(data[:length]) in {_DAMAGED, _STRANGE}


def test_a_photograph_with_a_small_one_in_it_must_be_whole_too(read: Read) -> None:
    """The end of the preview in its header is not the end of the photograph."""
    small = drawn("JPEG")
    data = drawn("JPEG", 40, 30, exif=b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0" + small)

    assert _size(read(data)) == (40, 30)
    assert _size(read(data + b"more of the camera's\xff\xda")) == (40, 30)
    assert read(data[:-1]) == _DAMAGED


@given(st.binary(max_size=80), st.sampled_from(sorted(FORMATS)))
@settings(deadline=None, max_examples=100)
def test_any_octets_give_a_picture_or_a_reason(read: Read, tail: bytes, kind: str) -> None:
    """A right beginning with anything behind it raises nothing."""
    for length in (0, 4, 12, 20):
        picture = read(drawn(kind)[:length] + tail)
        if isinstance(picture, Picture):
            assert min(picture.width, picture.height) > 0
        else:
            assert picture in {_DAMAGED, _STRANGE, _TOO_WIDE}


def test_octets_that_fill_up_a_photograph_are_passed_over(read: Read) -> None:
    """Before each of its marks there may be more of the octet that begins one."""
    data = drawn("JPEG", 40, 30).replace(b"\xff\xda", b"\xff\xff\xff\xda", 1)

    assert _size(read(data)) == (40, 30)
    assert read(data[:-1]) == _DAMAGED


def test_a_size_of_nothing_is_damage(read: Read) -> None:
    """A picture without width or height is none."""
    data = bytearray(drawn("PNG"))
    data[16:20] = bytes(4)

    assert read(bytes(data)) == _DAMAGED


def test_large_files_are_refused(content: Path) -> None:
    """5 MB are shown, one octet more is not, nor is what swells to more than a screen can show."""
    whole = drawn("PNG")
    (content / "full.png").write_bytes(whole + bytes(5_000_000 - len(whole)))
    (content / "more.png").write_bytes(whole + bytes(5_000_001 - len(whole)))
    (content / "wide.png").write_bytes(drawn("PNG", 10_001, 1))
    shown, refused = read_pictures(
        content, ["full.png", "more.png", "wide.png"], root=content.parent
    )

    assert list(shown) == ["full.png"]
    assert refused == {
        "more.png": "has more than 5 MB",
        "wide.png": _TOO_WIDE,
    }


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("gone.png", _NO_FILE),
        ("tides/high.png/x.png", _NO_FILE),
        ("tides/hi\0gh.png", _NO_FILE),
        ("tides", "is no file"),
        ("../outside.png", _OUTSIDE),
        ("tides/../../outside.png", _OUTSIDE),
        ("..", _OUTSIDE),
        ("/etc/passwd", _OUTSIDE),
        ("n" * 300 + ".png", "cannot be read: File name too long"),
    ],
)
def test_what_is_no_file_of_the_folder_says_so(content: Path, path: str, why: str) -> None:
    """Missing files, folders and places outside each have their reason, and nothing is raised."""
    (content.parent / "outside.png").write_bytes(drawn("PNG"))

    assert _why(content, path) == why


def test_links_lead_nowhere_else(content: Path) -> None:
    """A symbolic link is followed inside the folder; out of it, or round in a circle, it is not."""
    outside = content.parent / "private"
    outside.mkdir()
    (outside / "a.png").write_bytes(drawn("PNG"))
    (content / "in.png").symlink_to("tides/high.png")
    (content / "out.png").symlink_to(outside / "a.png")
    (content / "folder").symlink_to(outside)
    (content / "round.png").symlink_to("round.png")
    (content / "dead.png").symlink_to("nowhere.png")
    names = ["in.png", "out.png", "folder/a.png", "round.png", "dead.png"]
    shown, refused = read_pictures(content, names, root=content.parent)

    assert list(shown) == ["in.png"]
    assert refused["out.png"] == refused["folder/a.png"] == _OUTSIDE
    assert refused["dead.png"] == _NO_FILE
    assert refused["round.png"].startswith("cannot be read: ")


def test_a_pipe_keeps_nobody_waiting(content: Path) -> None:
    """What is neither file nor folder is not read."""
    os.mkfifo(content / "pipe.png")

    assert _why(content, "pipe.png") == "is no file"


def test_a_file_without_rights_says_so(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system refuses is told in its words."""

    def shut(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", shut)

    assert _why(content, "tides/high.png") == "cannot be read: Permission denied"


def test_names_are_found_whichever_way_they_are_written(content: Path) -> None:
    """A path in NFC finds a file whose name was written with separate accents."""
    (content / "pre\u0301s.png").write_bytes(drawn("PNG"))
    shown, _ = read_pictures(content, ["pr\u00e9s.png"], root=content.parent)

    assert list(shown) == ["pr\u00e9s.png"]


def test_a_content_folder_may_be_a_link_itself(content: Path, tmp_path: Path) -> None:
    """Its pictures lie in it all the same; the reason names it as the project does."""
    linked = tmp_path / "letter/texts"
    linked.parent.mkdir()
    linked.symlink_to(content)
    shown, refused = read_pictures(linked, ["tides/high.png", "../x.png"], root=linked.parent)

    assert list(shown) == ["tides/high.png"]
    assert refused == {"../x.png": "lies outside texts/"}


def test_a_folder_outside_the_project_is_named_briefly(content: Path, tmp_path: Path) -> None:
    """No absolute path stands in a reason."""
    _, refused = read_pictures(content, ["../x.png"], root=tmp_path / "letter")

    assert refused == {"../x.png": _OUTSIDE}
