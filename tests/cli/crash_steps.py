"""Kill the program at its k-th change of the disk, k = 1, 2, 3 … until it runs to its end.

Run as a program: `crash_steps.py FOLDER COMMAND…`; DIGEST_CRASH_STRIDE leaves steps out. A child
is forked for each k, so that nothing of the killed one is left but what it put on the disk; after
each the command is run once more, to its end, and the tree compared with that of an undisturbed
run. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from digest.cli.main import run

_KILLED = 77
_MOST = 400


def tree(root: Path) -> dict[str, str]:
    """Give the hash of each file but the cache's and the lock's."""
    return {
        path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "cache" not in path.parts and path.suffix not in {".db", ""}
    }


def counted(limit: int) -> None:
    """Let the process die at its `limit`-th rename, unlink, link or sync."""
    left = [limit]

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever it wraps
            left[0] -= 1
            if left[0] <= 0:
                os._exit(_KILLED)
            return real(*arguments, **options)

        return call

    for name in ("rename", "replace", "unlink", "link", "fsync", "rmdir"):
        setattr(os, name, dying(getattr(os, name)))


def forked(root: Path, command: list[str], *, limit: int = 0) -> int:
    """Run a command in a child, killed at its `limit`-th change if that is not 0."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        if limit:
            counted(limit)
        os._exit(run(["-C", str(root), *command]))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Run all steps and print what was found."""
    start, command = Path(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        shutil.copytree(start, whole, symlinks=True)
        code = forked(whole, command)
        expected, wrong, limit = tree(whole), [], 0
        for limit in range(1, _MOST, int(os.environ.get("DIGEST_CRASH_STRIDE", "11"))):
            root = Path(folder) / "letter"
            shutil.copytree(start, root, symlinks=True)
            ended = forked(root, command, limit=limit)
            again = forked(root, command)
            found = tree(root)
            differing = sorted(
                name for name in {*found, *expected} if found.get(name) != expected.get(name)
            )
            if again != 0 or differing:
                wrong.append({"k": limit, "again": again, "differing": differing[:5]})
            shutil.rmtree(root)
            if ended != _KILLED:
                break
    print(json.dumps({"code": code, "steps": limit, "wrong": wrong}))  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
