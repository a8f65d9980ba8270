"""Read files as they are at a revision of the git repository that the newsletter lies in.

Git is asked for names and octets only. It checks nothing out, fetches nothing, and writes nothing
into the repository.
"""

from __future__ import annotations

import os
import re
import subprocess
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from digest.errors import FilesError, UsageError

__all__ = ["find_commit", "read_revision"]

_OPTION: Final = "--against"
_AT_ONCE: Final = 500  # files whose octets are held at a time
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
    kept = {name: value for name, value in environ.items() if _KEPT.match(name)}
    try:
        return subprocess.run(  # noqa: S603 - no shell, and no word but ours begins with a dash
            ("git", "--no-pager", *words),  # noqa: S607 - the git of whoever runs this
            cwd=root,
            env={**kept, **_SET},
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
