"""Ask the git repository that the newsletter lies in: files of a revision, and who changed them.

Git is asked for names and octets only. It checks nothing out, fetches nothing, and writes nothing
into the repository.
"""

from __future__ import annotations

import os
import re
import subprocess
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import new as new_hash
from io import BytesIO
from pathlib import Path, PurePosixPath
from threading import Timer
from typing import IO, Final

from digest.errors import FilesError, UsageError
from digest.files.tree import on_disk

__all__ = ["find_commit", "last_commits", "read_revision"]

_OPTION: Final = "--against"
_AT_ONCE: Final = 500  # files whose octets are held at a time
_PATIENCE: Final = 10.0  # seconds that a walk through the history may take
_CHUNK: Final = 65536
_SHA1_DIGITS: Final = 40
# What else begins with GIT_ leads git to another repository, or has it write a trace.
_KEPT: Final = re.compile(r"(?!GIT_)|GIT_(?:CONFIG|CEILING|DISCOVERY)_")
_SET: Final = {
    # What a partial clone lacks would be fetched, and written down; older versions know only one.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_CONTROL: Final = re.compile("[\x00-\x1f\x7f]")
_HASH: Final = re.compile(r"[0-9a-f]{40,64}")
_FILE: Final = re.compile(rb"100[0-7]{3} blob ([0-9a-f]+)\t(.+)", re.DOTALL)
_BLOB: Final = re.compile(rb"[0-9a-f]+ blob ([0-9]+)\n")
# A merge tells of the files that are as in none of its parents (`-c`). What settings of the user
# would add to the answer, or have git run, is switched off. No file is named: git compares whole
# trees faster than it looks for 20 names in them.
_WALK: Final = (
    *("log", "-z", "--format=%H", "--raw", "-c", "--root", "--no-abbrev", "--no-renames"),
    *("--no-follow", "--no-relative", "--no-color", "--no-show-signature", "--no-ext-diff"),
    *("HEAD", "--"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Repository:
    """The repository around `root`, which lies in it at `prefix`, empty or with a last slash."""

    root: Path
    environ: Mapping[str, str]
    prefix: bytes
    shallow: bool


def find_commit(root: Path, revision: str, *, environ: Mapping[str, str]) -> str:
    """Give the hash of the commit that a revision names now; `root` lies in the repository.

    Raise UsageError where there is no such revision or no repository, FilesError where git cannot
    be asked.
    """
    return _commit(_open(root, environ), revision)


def read_revision(
    root: Path,
    revision: str,
    folders: tuple[str, ...],
    *,
    environ: Mapping[str, str],
    endings: tuple[str, ...] = ("",),
) -> Iterator[tuple[str, bytes]]:
    """Give the regular files at a revision, one by one: path relative to `root`, and octets.

    `folders` are files or folders below `root`, relative POSIX paths, `.` for all; one that is not
    there at the revision has no files. A name, in NFC, must have one of the `endings`. Links and
    submodules are passed over, and no filter changes an octet. Raise as `find_commit` does.
    """
    repository = _open(root, environ)
    prefix = repository.prefix
    paths = (os.fsdecode(prefix) + name for name in folders)
    commit = _commit(repository, revision)
    words = ("ls-tree", "-r", "-z", "--full-tree", commit, "--", *paths)
    listed = _ask(root, environ, words=words)
    if listed.returncode:
        raise _unreadable(root, listed.stderr)
    found = [
        (os.fsdecode(match[2].removeprefix(prefix)), match[1])
        for match in map(_FILE.fullmatch, listed.stdout.split(b"\0"))
        if match
    ]
    files = [one for one in found if unicodedata.normalize("NFC", one[0]).endswith(endings)]
    for start in range(0, len(files), _AT_ONCE):
        yield from _contents(repository, files[start : start + _AT_ONCE])


def last_commits(root: Path, paths: Sequence[str], *, environ: Mapping[str, str]) -> dict[str, str]:
    """Give for each path the hash of the commit that made the file what it is.

    `paths` are POSIX, in NFC, relative to `root`. A path is left out where the file is not tracked,
    is not as at HEAD (ends of lines aside), or where git cannot tell: there is no git on the PATH,
    no repository, a shallow clone does not reach back, or the walk is stopped after 10 seconds.
    """
    if not environ.get("PATH"):
        return {}  # else git would be looked for where the system thinks best
    try:
        repository = _open(root, environ)
        names = _unchanged(repository, paths)
        return _walked(repository, names) if names else {}
    except (FilesError, UsageError, OSError, ValueError):
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tracked:
    """A file as at HEAD: its path as asked for, and its blob."""

    path: str
    blob: bytes


def _unchanged(repository: _Repository, paths: Sequence[str]) -> dict[bytes, _Tracked]:
    """Give the tracked files that are as at HEAD, by the name that git has for them."""
    root, prefix = repository.root, repository.prefix
    inside = [path for path in paths if not {"..", "/"} & set(PurePosixPath(path).parts)]
    places = {path: on_disk(root, path) for path in inside}
    names = {
        prefix + os.fsencode(place.relative_to(root).as_posix()): path
        for path, place in places.items()
    }
    words = ("ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", *map(os.fsdecode, names))
    listed = _ask(root, repository.environ, words=words)
    matches = filter(None, map(_FILE.fullmatch, listed.stdout.split(b"\0")))
    return {
        match[2]: _Tracked(path=names[match[2]], blob=match[1])
        for match in matches
        if match[2] in names and _holds(places[names[match[2]]], match[1])
    }


def _holds(place: Path, blob: bytes) -> bool:
    """Tell whether a file holds the octets of a blob, ends of lines aside."""
    try:
        data = place.read_bytes()
    except OSError:
        return False
    algorithm = "sha1" if len(blob) == _SHA1_DIGITS else "sha256"
    return any(
        new_hash(algorithm, b"blob %d\0" % len(form) + form).hexdigest().encode() == blob
        for form in (data, data.replace(b"\r\n", b"\n"))
    )


def _walked(repository: _Repository, names: Mapping[bytes, _Tracked]) -> dict[str, str]:
    """Walk back through the history until the last change of each file is found."""
    ends = _ends(repository)
    found: dict[str, str] = {}
    inside = (".",) if repository.prefix else ()
    with _running(repository, (*_WALK, *inside)) as stream:
        for commit, blob, name in _changes(stream):
            tracked = names.get(name)
            # On a side branch that lost, the last change made the file what it no longer is.
            if tracked and tracked.blob == blob:
                found.setdefault(tracked.path, commit)
                if len(found) == len(names):
                    break
    return {path: commit for path, commit in found.items() if commit not in ends}


def _ends(repository: _Repository) -> frozenset[str]:
    """Give the commits of a shallow clone whose parents it lacks: they seem to add all files."""
    if not repository.shallow:
        return frozenset()
    words = ("rev-parse", "--git-path", "shallow")
    told = _ask(repository.root, repository.environ, words=words).stdout
    file = repository.root / os.fsdecode(told.removesuffix(b"\n"))
    return frozenset(file.read_text(encoding="ascii").split())


def _changes(stream: IO[bytes]) -> Iterator[tuple[str, bytes, bytes]]:
    """Read what `_WALK` prints: commit, new blob and name, once for each changed file."""
    commit, blob = "", b""
    for word in _words(stream):
        if blob:
            yield commit, blob, word
            blob = b""
        elif (told := word.lstrip(b"\n")).startswith(b":"):
            *_, blob, _ = told.split(b" ")
        elif told:
            commit = told.decode("ascii")


def _words(stream: IO[bytes]) -> Iterator[bytes]:
    """Cut an answer at its NULs as it comes; what is not closed by one is dropped."""
    rest = b""
    while chunk := stream.read(_CHUNK):
        *words, rest = (rest + chunk).split(b"\0")
        yield from words


@contextmanager
def _running(repository: _Repository, words: tuple[str, ...]) -> Iterator[IO[bytes]]:
    """Give what git prints while it runs; stop it where its time is over, and at the end."""
    with subprocess.Popen(  # noqa: S603 - as in `_ask`
        _command(words),
        cwd=repository.root,
        env=_environment(repository.environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,  # what has come is given at once
    ) as process:
        watch = Timer(_PATIENCE, process.kill)
        watch.start()
        try:
            yield process.stdout or BytesIO()
        finally:
            watch.cancel()
            process.kill()


def _open(root: Path, environ: Mapping[str, str]) -> _Repository:
    done = _ask(root, environ, words=("rev-parse", "--show-prefix", "--is-shallow-repository"))
    if done.returncode == 0:
        prefix, _, shallow = done.stdout.removesuffix(b"\n").rpartition(b"\n")
        return _Repository(root=root, environ=environ, prefix=prefix, shallow=shallow == b"true")
    if b"not a git repository" in done.stderr:
        raise UsageError(
            "the newsletter is in no git repository",
            where=_OPTION,
            fix="run it in a clone of the newsletter's repository",
        )
    raise _unreadable(root, done.stderr)


def _commit(repository: _Repository, revision: str) -> str:
    # git takes what begins with a dash for an option. Whether it is a commit is asked in a second
    # step, since all that stands behind `:/` is what git looks for in the messages.
    spoken = bool(revision) and not revision.startswith("-") and not _CONTROL.search(revision)
    named = _verified(repository, revision) if spoken else ""
    if commit := _verified(repository, f"{named}^{{commit}}") if named else "":
        return commit
    cure = "name a commit, branch or tag that `git log` knows; `git fetch` brings new ones"
    if repository.shallow:
        cure = "the clone is shallow: `git fetch --unshallow`, in a workflow `fetch-depth: 0`"
    raise UsageError(f"there is no revision {revision!r} here", where=_OPTION, fix=cure)


def _verified(repository: _Repository, name: str) -> str:
    """Give the hash that a name stands for, empty where it stands for none or for several."""
    words = ("rev-parse", "--verify", "--quiet", name)
    done = _ask(repository.root, repository.environ, words=words)
    told = done.stdout.decode("ascii", "replace").strip()
    return told if done.returncode == 0 and _HASH.fullmatch(told) else ""


def _contents(
    repository: _Repository, files: list[tuple[str, bytes]]
) -> Iterator[tuple[str, bytes]]:
    """Give the octets of some files, all from one answer of git."""
    root = repository.root
    asked = b"".join(blob + b"\n" for _, blob in files)
    done = _ask(root, repository.environ, words=("cat-file", "--batch"), told=asked)
    start = 0
    for name, _ in files:
        found = _BLOB.match(done.stdout, start)
        if found is None:
            raise FilesError(
                "the clone lacks files of that revision",
                where=_OPTION,
                fix="clone it in full, without `--filter`, or mend it: `git fsck` tells what fails",
            )
        end = found.end() + int(found[1])
        yield _inside(name), done.stdout[found.end() : end]
        start = end + 1


def _inside(name: str) -> str:
    """Give a name back; raise FilesError for one that no checkout would make."""
    if {"", ".", ".."} & set(name.split("/")):
        raise FilesError(
            f"a file of that revision is named {name!r}",
            where=_OPTION,
            fix="`git fsck` tells more; compare with another revision",
        )
    return name


def _ask(
    root: Path, environ: Mapping[str, str], *, words: tuple[str, ...], told: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run git in the newsletter's folder, whatever it answers. Raise FilesError without git."""
    try:
        return subprocess.run(  # noqa: S603 - no shell, and no word but ours begins with a dash
            _command(words),
            cwd=root,
            env=_environment(environ),
            input=told,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise FilesError(
            f"git cannot be run: {error.strerror}",
            where=_OPTION,
            fix="install git, and have PATH lead to it",
        ) from error


def _command(words: tuple[str, ...]) -> tuple[str, ...]:
    return ("git", "--no-pager", *words)


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    return {**{name: value for name, value in environ.items() if _KEPT.match(name)}, **_SET}


def _unreadable(root: Path, told: bytes) -> FilesError:
    """Say that git refuses the repository, in its own words but without absolute paths."""
    if b"dubious ownership" in told:
        return FilesError(
            "git does not trust the repository: its folder belongs to somebody else",
            where=_OPTION,
            fix="tell git of it: `git config --global --add safe.directory FOLDER`",
        )
    first = told.decode("utf-8", "replace").strip().partition("\n")[0].removeprefix("fatal: ")
    return FilesError(
        f"git cannot read the repository: {first.replace(str(root), '.')}",
        where=_OPTION,
        fix="`git fsck` tells more",
    )
