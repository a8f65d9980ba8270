"""A trace of a command, read as events: what it asked of files, folders and sockets, in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["KINDS", "Content", "Event", "Opened", "Renamed", "Synced", "Unlinked", "Wrote", "read"]

KINDS: Final = (
    *("openat", "ftruncate", "pwrite64", "write", "fdatasync", "fsync"),
    *("rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "rmdir"),
    *("sendto", "sendmsg", "sendfile", "copy_file_range", "fallocate"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file was opened to be written; made where it was not there."""

    path: str
    fd: int
    is_emptied: bool
    is_appended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrote:
    """Octets went into a file: at `offset`, or where its last write ended; None cuts it short."""

    path: str
    fd: int
    offset: int | None
    data: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """A file or a folder is on disk."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A file or a folder got another name, or a file a second one."""

    source: str
    target: str
    is_link: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlinked:
    """A name is gone."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a mail began to leave."""

    to: str
    id: str


Event = Opened | Wrote | Synced | Renamed | Unlinked | Content

_LINE: Final = re.compile(r"(\d+) +(.*)")
_RESUMED: Final = re.compile(r"<\.\.\. (\w+) resumed>(.*)")
_UNFINISHED: Final = " <unfinished ...>"
_CALL: Final = re.compile(r"(\w+)\((.*)\) += (-?\d+)", re.DOTALL)
_FD: Final = re.compile(r"(\d+)<([^>]*)>")
_TEXT: Final = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FOLDER: Final = re.compile(r"AT_FDCWD(?:<([^>]*)>)?|\b\d+<([^>]*)>")
_TO: Final = re.compile(rb"^To:[^<]*<([^>]+)>", re.MULTILINE | re.IGNORECASE)
_ID: Final = re.compile(rb"^Message-ID:\s*(<[^>]+>)", re.MULTILINE | re.IGNORECASE)


def read(file: Path) -> Iterator[Event]:
    """Read what strace wrote with `-f -y -xx`; calls that failed did nothing and are left out."""
    begun: dict[str, str] = {}
    for match in filter(None, map(_LINE.match, file.read_text("ascii").splitlines())):
        thread, told = match.groups()
        if told.endswith(_UNFINISHED):
            begun[thread] = told.removesuffix(_UNFINISHED)
            # What leaves a socket may be gone before the call returns.
            if told.startswith("send"):
                yield from _sent(told)
        elif resumed := _RESUMED.match(told):
            if not resumed[1].startswith("send"):
                yield from _done(begun[thread] + resumed[2])
        else:
            yield from _done(told)


def _done(told: str) -> Iterator[Event]:
    """Read a call that has returned."""
    if (call := _CALL.match(told)) and int(call[3]) >= 0 and call[1] in _READERS:
        yield from _READERS[call[1]](call[2], int(call[3]))


def _plain(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _texts(arguments: str) -> list[bytes]:
    return [_plain(text) for text in _TEXT.findall(arguments)]


def _sent(arguments: str, _result: int = 0) -> Iterator[Event]:
    octets = b"".join(_texts(arguments))
    to, message = _TO.search(octets), _ID.search(octets)
    if to and message:
        yield Content(to=to[1].decode(), id=message[1].decode())


def _opened(arguments: str, result: int) -> Iterator[Event]:
    if re.search(r"O_WRONLY|O_RDWR", arguments) is None:
        return
    yield Opened(
        path=_paths(arguments)[0],
        fd=result,
        is_emptied="O_TRUNC" in arguments,
        is_appended="O_APPEND" in arguments,
    )


def _file(arguments: str) -> tuple[int, str] | None:
    found = _FD.match(arguments)
    path = _plain(found[2]).decode() if found else ""
    # What is no file has a name such as `socket:[17]`.
    return (int(found[1]), path) if found and path.startswith("/") else None


def _wrote(arguments: str, result: int) -> Iterator[Event]:
    if file := _file(arguments):
        (data,) = _texts(arguments)
        assert len(data) >= result, f"the trace holds only a part of what went to {file[1]}"
        yield Wrote(path=file[1], fd=file[0], offset=None, data=data[:result])


def _wrote_at(arguments: str, result: int) -> Iterator[Event]:
    for event in _wrote(arguments, result):
        assert isinstance(event, Wrote)
        offset = int(arguments.rpartition(",")[2])
        yield Wrote(path=event.path, fd=event.fd, offset=offset, data=event.data)


def _cut(arguments: str, _result: int) -> Iterator[Event]:
    if file := _file(arguments):
        length = int(arguments.rpartition(",")[2])
        yield Wrote(path=file[1], fd=file[0], offset=length, data=None)


def _synced(arguments: str, _result: int) -> Iterator[Event]:
    if file := _file(arguments):
        yield Synced(path=file[1])


def _paths(arguments: str) -> list[str]:
    """Give the paths of a call; those that begin at a folder that is open are joined to it."""
    folders = [_plain(here or one).decode() for here, one in _FOLDER.findall(arguments)] or ["/"]
    return [
        str(Path(folders[min(place, len(folders) - 1)], path.decode()))
        for place, path in enumerate(_texts(arguments))
    ]


def _renamed(arguments: str, _result: int) -> Iterator[Event]:
    source, target = _paths(arguments)
    yield Renamed(source=source, target=target, is_link=False)


def _linked(arguments: str, _result: int) -> Iterator[Event]:
    source, target = _paths(arguments)
    yield Renamed(source=source, target=target, is_link=True)


def _unlinked(arguments: str, _result: int) -> Iterator[Event]:
    yield Unlinked(path=_paths(arguments)[0])


def _unknown(arguments: str, _result: int) -> Iterator[Event]:
    yield from ()
    raise AssertionError(f"a call that is not read: {arguments[:200]}")


_READERS: Final[dict[str, Callable[[str, int], Iterator[Event]]]] = {
    "openat": _opened,
    "write": _wrote,
    "pwrite64": _wrote_at,
    "ftruncate": _cut,
    "fdatasync": _synced,
    "fsync": _synced,
    "rename": _renamed,
    "renameat": _renamed,
    "renameat2": _renamed,
    "link": _linked,
    "linkat": _linked,
    "unlink": _unlinked,
    "unlinkat": _unlinked,
    "rmdir": _unlinked,
    "sendto": _sent,
    "sendmsg": _sent,
    "sendfile": _unknown,
    "copy_file_range": _unknown,
    "fallocate": _unknown,
}
