"""A disk that forgets: what of a folder is left after a power cut, told from a trace.

A write is certain once its file was synced, a name once its folder was. Until then it may be there
after the cut or not, each by itself: `survives` decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from kill.events import Event, Opened, Renamed, Synced, Unlinked, Wrote

__all__ = ["Disk"]


@dataclass(slots=True, eq=False)
class _File:
    data: bytearray = field(default_factory=bytearray)  # as it is certain to be
    waiting: list[Wrote] = field(default_factory=list)  # what was not synced yet

    def write(self, wrote: Wrote) -> None:
        end = wrote.offset or 0
        if wrote.data is None:
            del self.data[end:]
            self.data.extend(bytes(end - len(self.data)))
            return
        self.data.extend(bytes(max(0, end - len(self.data))))
        self.data[end : end + len(wrote.data)] = wrote.data

    def sync(self) -> None:
        for wrote in self.waiting:
            self.write(wrote)
        self.waiting.clear()

    def left(self, survives: Callable[[], bool]) -> bytes:
        copy = _File(bytearray(self.data))
        for wrote in self.waiting:
            if survives():
                copy.write(wrote)
        return bytes(copy.data)


class Disk:
    """One folder on a disk; what happens elsewhere is not looked at.

    Names are those below it. `now` is what a process sees, `sure` what outlives a power cut.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now: dict[str, _File] = {}
        for path in root.rglob("*"):
            if path.is_file():
                self.now[str(path)] = _File(bytearray(path.read_bytes()))
        self.sure = dict(self.now)
        self.syncs = 0
        self._ends: dict[int, int] = {}  # where the next write to a descriptor goes; -1: the end
        self._moves: dict[str, list[tuple[str, str]]] = {}  # folders renamed in a folder
        self._length: dict[_File, int] = {file: len(file.data) for file in self.now.values()}

    def take(self, event: Event) -> None:
        """Let something happen."""
        match event:
            case Opened(path=path) if self._is_ours(path):
                self._open(event)
            case Wrote(path=path) if path in self.now:
                self._write(event)
            case Synced(path=path) if self._is_ours(path):
                self._sync(path)
            case Renamed(source=source, target=target) if self._is_ours(target):
                self._rename(source, target, is_link=event.is_link)
            case Unlinked(path=path):
                self.now.pop(path, None)

    def _is_ours(self, path: str) -> bool:
        return path == str(self.root) or path.startswith(f"{self.root}/")

    def _open(self, event: Opened) -> None:
        file = self.now.setdefault(event.path, _File())
        self._length.setdefault(file, 0)
        self._ends[event.fd] = -1 if event.is_appended else 0
        if event.is_emptied and self._length[file]:
            self._put(file, Wrote(path=event.path, fd=event.fd, offset=0, data=None))

    def _write(self, event: Wrote) -> None:
        file = self.now[event.path]
        if event.offset is None:
            begin = self._ends.get(event.fd, 0)
            begin = self._length[file] if begin < 0 else begin
            assert event.data is not None
            if self._ends.get(event.fd, 0) >= 0:
                self._ends[event.fd] = begin + len(event.data)
            event = Wrote(path=event.path, fd=event.fd, offset=begin, data=event.data)
        self._put(file, event)

    def _put(self, file: _File, wrote: Wrote) -> None:
        assert wrote.offset is not None
        file.waiting.append(wrote)
        if wrote.data is None:
            self._length[file] = wrote.offset
        else:
            self._length[file] = max(self._length[file], wrote.offset + len(wrote.data))

    def _sync(self, path: str) -> None:
        self.syncs += 1
        if path in self.now:
            self.now[path].sync()
            return
        for source, target in self._moves.pop(path, []):
            for name in [name for name in self.sure if name.startswith(f"{source}/")]:
                self.sure[target + name.removeprefix(source)] = self.sure.pop(name)
        for name in {name for name in {*self.now, *self.sure} if _folder(name) == path}:
            if name in self.now:
                self.sure[name] = self.now[name]
            else:
                self.sure.pop(name)

    def _rename(self, source: str, target: str, *, is_link: bool) -> None:
        if source in self.now:
            file = self.now[source] if is_link else self.now.pop(source)
            self.now[target] = file
            return
        self._moves.setdefault(_folder(target), []).append((source, target))
        for name in [name for name in self.now if name.startswith(f"{source}/")]:
            self.now[target + name.removeprefix(source)] = self.now.pop(name)

    def unsure(self, path: str) -> list[str]:
        """Tell what of a file, or of all files below a folder, a power cut may undo."""
        return [
            name
            for name, file in sorted(self.now.items())
            if (name == path or name.startswith(f"{path}/"))
            and (file.waiting or self.sure.get(name) is not file)
        ]

    def unsynced(self, path: str) -> list[str]:
        """Tell which file, or which files below a folder, hold what was not synced."""
        return [
            name
            for name, file in sorted(self.now.items())
            if (name == path or name.startswith(f"{path}/")) and file.waiting
        ]

    def left(self, *, survives: Callable[[], bool] = lambda: False) -> dict[str, bytes]:
        """Give what is there after a power cut now: each file's octets by its path below `root`."""
        names = dict(self.sure)
        for name in sorted({*self.now, *self.sure}):
            if self.now.get(name) is not self.sure.get(name) and survives():
                if name in self.now:
                    names[name] = self.now[name]
                else:
                    names.pop(name)
        return {
            str(PurePath(name).relative_to(self.root)): file.left(survives)
            for name, file in names.items()
        }


def _folder(path: str) -> str:
    return str(PurePath(path).parent)
