"""Files that hold a secret: where one may lie, and who may read it."""

from __future__ import annotations

from collections.abc import Mapping
from os import fstat
from pathlib import Path
from stat import S_IMODE, S_IRWXG
from typing import Final

from digest.config.reading import Reading
from digest.config.values import Wrong, line, shown
from digest.errors import ConfigError

__all__ = ["complain_of_places", "private_path", "read_private"]

_LARGEST: Final = 65_536
# Beside the content folder: what gets to everybody, or makes what does.
_OPEN: Final = {
    "outbox": "which is published",
    "site": "which is published",
    "templates": "whose files become mails and pages",
}


def private_path(value: object) -> str:
    """Check the path of a file, or nothing; it stays as it is.

    Lines are not shown: they may be the secret itself.
    """
    if value == "":
        return ""
    try:
        line(value)
    except Wrong:
        raise Wrong("must be the path of a file, on one line") from None
    text = str(value)
    if text.startswith("~"):
        raise Wrong("must be a full path, or one in the newsletter's folder", value=text)
    return text


def complain_of_places(
    reading: Reading, *, root: Path, content: str, places: Mapping[str, str]
) -> None:
    """Complain of private files, by the keys that name them, where everybody may get at them.

    A relative path counts from `root`, the newsletter's folder; `content` is the folder of the
    summaries.
    """
    shut = {**_OPEN, content: "whose files become mails and pages"}
    for key, place in places.items():
        above = (root / place).resolve().parents
        for folder, why in shut.items():
            if root / folder in above:
                fix = "keep it in private/, or outside the newsletter's folder"
                reading.complain(key, f"must not lie in {folder}, {why}", fix=fix)
                break


def read_private(path: Path, *, told: str, setting: str, shut: int, spoilt: str) -> bytes:
    """Read a file of a secret, up to 64 KiB of it. Raise ConfigError where others can, too.

    `told` is the path as complaints show it, `setting` the key that names it, `shut` the mode bits
    that must not be set, `spoilt` what to do about a secret that others may have read.
    """
    try:
        with path.open("rb") as file:
            mode = S_IMODE(fstat(file.fileno()).st_mode)
            if mode & shut:
                raise ConfigError(
                    f"{shown(told)} is open to {'others' if shut & S_IRWXG else 'everybody'} on "
                    "this machine",
                    where=setting,
                    fix=f"close it with `chmod 600`, and {spoilt}: mode {mode:o}",
                )
            return file.read(_LARGEST)
    except OSError as error:
        raise ConfigError(
            f"{shown(told)} cannot be read: {error.strerror}",
            where=setting,
            fix="name a file that can",
        ) from error
