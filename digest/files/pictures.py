"""Read the picture files that an issue shows: by what is in them, whatever they are called."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final

from digest.files.tree import on_disk
from digest.model import Picture

__all__ = ["read_pictures"]

_LARGEST: Final = 5_000_000  # octets
_WIDEST: Final = 10_000  # pixels: what a small file can swell to fills the memory of a telephone
_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


def read_pictures(
    content: Path, paths: Iterable[str], *, root: Path
) -> tuple[dict[str, Picture], dict[str, str]]:
    """Read pictures by their paths in the content folder; give them, and why others are not shown.

    Both are by path, sorted by it. Shown are PNG, JPEG, GIF and WebP of at most 5 MB and
    10,000 pixels each way, told by their first octets (PNG 1.2 §3.1, T.81 §B.1, GIF89a §17,
    RFC 9649 §2.4) and whole to their end. Width and height are those of the picture set upright
    (Exif 2.3, Orientation). What lies outside the folder is not read, be it reached by `..` or by
    a symbolic link. Nothing is raised; reasons name the folder relative to `root`.
    """
    shown: dict[str, Picture] = {}
    refused: dict[str, str] = {}
    for path in sorted(set(paths)):
        try:
            shown[path] = _picture(path, _octets(content, path, root=root))
        except _RefusedError as error:
            refused[path] = str(error)
    return shown, refused


class _RefusedError(Exception):
    """A file that is not shown; the message is what it is or does, without a subject."""


def _octets(content: Path, path: str, *, root: Path) -> bytes:
    """Read a file that is one and lies in the folder, up to one octet more than is shown."""
    folder = content.relative_to(root).as_posix() if content.is_relative_to(root) else content.name
    outside = _RefusedError(f"lies outside {folder}/")
    if path.startswith("/") or ".." in PurePosixPath(path).parts:
        raise outside
    try:
        place = on_disk(content, path).resolve(strict=True)
        if not place.is_relative_to(content.resolve()):
            raise outside
        file = os.open(place, _FLAGS)  # a pipe would keep whoever opens it waiting
        with os.fdopen(file, "rb") as stream:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise _RefusedError("is no file")
            return stream.read(_LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise _RefusedError("there is no such file") from error
    except IsADirectoryError as error:
        raise _RefusedError("is no file") from error
    except (OSError, RuntimeError) as error:  # the latter for links that lead round in a circle
        told = getattr(error, "strerror", None) or "too many symbolic links"
        raise _RefusedError(f"cannot be read: {told}") from error


def _picture(path: str, data: bytes) -> Picture:
    if len(data) > _LARGEST:
        raise _RefusedError(f"has more than {_LARGEST // 1_000_000} MB")
    media_type = _media_type(data)
    if not media_type:
        raise _RefusedError("is no PNG, JPEG, GIF or WebP")
    width, height = _size(data, media_type)
    if width <= 0 or height <= 0 or not _whole(data, media_type):
        raise _RefusedError("is damaged")
    if max(width, height) > _WIDEST:
        raise _RefusedError(f"has more than {_WIDEST:,} pixels one way")
    return Picture(path=path, media_type=media_type, width=width, height=height, data=data)


def _media_type(data: bytes) -> str:
    """Tell a format by its first octets; empty for one that is not shown."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return ""


def _size(data: bytes, media_type: str) -> tuple[int, int]:
    """Measure a picture in pixels; no positive numbers for one that cannot be measured."""
    if media_type == "image/gif":
        # imagesize takes them for signed numbers.
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    # Loads an HTTP client: only where a picture is read.
    from imagesize import get  # type: ignore[import-untyped]  # noqa: PLC0415 - no types; see above

    width, height = get(BytesIO(data))
    if media_type == "image/webp" and data[12:16] == b"VP8 ":
        # The two highest bits are a scale (RFC 6386 §9.1), which no browser heeds.
        return width & 0x3FFF, height & 0x3FFF
    return width, height


def _whole(data: bytes, media_type: str) -> bool:
    """Tell whether a file goes on to the end of its picture: a copy may have been broken off."""
    if media_type == "image/png":
        return b"IEND\xaeB`\x82" in data
    if media_type == "image/jpeg":
        return data.find(b"\xff\xd9", _scan(data)) > 0
    if media_type == "image/gif":
        return data.rstrip(b"\0").endswith(b";")
    return int.from_bytes(data[4:8], "little") + 8 <= len(data)


def _scan(data: bytes) -> int:
    """Give where the picture itself begins in a JPEG file, behind any small one in its header."""
    place = 2
    while (marker := data[place : place + 2])[:1] == b"\xff" and marker != b"\xff\xda":
        filled = marker == b"\xff\xff"  # any number of these may stand before a marker
        place += 1 if filled else 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return place
