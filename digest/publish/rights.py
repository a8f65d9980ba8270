"""Look whether folders can be written to, and whether what is private stays so."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from stat import S_IMODE
from typing import Final

from digest.model import Send
from digest.publish.checkup import Check
from digest.publish.project import Project
from digest.publish.secret import key_id, read_key

__all__ = ["check_folders", "check_git", "check_private"]

_OTHERS: Final = 0o077
_PATIENCE: Final = 30.0  # seconds
# What holds the key or addresses of people: its line in .gitignore, and a file that git can be
# asked about.
_PERSONAL: Final = {
    "/private/": "private/key",
    "/outbox/*/messages/": "outbox/2026-w01/messages/a.eml",
    "/outbox/notices/": "outbox/notices/a.eml",
}


def check_folders(project: Project) -> Check:
    """Look whether the folders that are written to can be, or can be made."""
    if not project.content.is_dir():
        return Check(
            name="folders",
            state="error",
            told=f"there is no folder {project.settings.content.folder}",
            fix="make it and put summaries there, or set content.folder",
        )
    issues = project.content / project.settings.content.issues
    there = {
        _nearest(folder, project.root)
        for folder in (project.root, project.outbox, project.private, issues)
    }
    shut = [path for path in sorted(there) if not os.access(path, os.W_OK | os.X_OK)]
    names = ", ".join(
        "the newsletter's own" if p == project.root else project.shown(p) for p in shut
    )
    return Check(
        name="folders",
        state="error" if shut else "ok",
        told=f"cannot be written to: {names}" if shut else "all can be written to",
        fix="mend their owner and rights" if shut else "",
    )


def _nearest(folder: Path, root: Path) -> Path:
    """Give the folder, or where it is missing the nearest one round it, up to the root."""
    while folder != root and not folder.exists():
        folder = folder.parent
    return folder


def check_private(project: Project, sends: tuple[Send, ...]) -> Check:
    """Look whether others on this machine are kept out, and whether the key is the right one.

    `sends` are those that are not finished.
    """
    faults: dict[str, str] = {}
    database = project.settings.store_file
    wanted = {project.private: 0o700, project.private / "key": 0o600}
    if database:
        wanted[database] = 0o600
    for path, right in wanted.items():
        mode = S_IMODE(path.stat().st_mode) if path.exists() else right
        if mode & _OTHERS:
            shown = project.settings.store_name if path == database else project.shown(path)
            faults[f"{shown} is open to others (mode {mode:o})"] = f"`chmod {right:o} {shown}`"
    faults |= _other_key(project, sends)
    return Check(
        name="private",
        state="error" if faults else "ok",
        told="; ".join(faults) or "nobody else on this machine can look into it",
        fix="; ".join(faults.values()),
    )


def _other_key(project: Project, sends: tuple[Send, ...]) -> dict[str, str]:
    """Tell which send began with another key, so that it cannot go on."""
    # Asked first, since reading makes a key where there is none.
    there = (project.private / "key").exists()
    mine = key_id(read_key(project)) if there else ""
    begun = [send.issue for send in sends if send.key_id != mine]
    if not begun:
        return {}
    state = "not the one" if there else "gone, the one"
    what = f"private/key is {state} that {begun[0]} began with"
    return {what: "put it back from a backup"}


def check_git(project: Project, environ: Mapping[str, str]) -> Check:
    """Look whether key and readers stay out of git, where the newsletter is in a repository."""
    if not any((folder / ".git").exists() for folder in (project.root, *project.root.parents)):
        return Check(name="git", state="ok", told="the newsletter is in no git repository")
    personal = _PERSONAL | _own_places(project)
    try:
        inside = _git(project.root, environ, "ls-files", "--", *(f".{line}*" for line in personal))
        out = _git(project.root, environ, "check-ignore", "--", *personal.values())
    except (OSError, subprocess.SubprocessError):
        return Check(
            name="git",
            state="warning",
            told="git cannot be asked whether it leaves out private files",
            fix="run `git status` here and see that it tells nothing of private/",
        )
    if inside:
        return Check(
            name="git",
            state="error",
            told=f"private files are in the repository: {', '.join(inside[:3])}",
            fix="take them out with `git rm --cached`; whoever has a clone still has them",
        )
    lines = [line for line, path in personal.items() if path not in out]
    if lines:
        return Check(
            name="git",
            state="error",
            told="private files may get into the repository",
            fix=f"add to .gitignore: {' '.join(lines)}",
        )
    return Check(name="git", state="ok", told="git leaves private files out")


def _own_places(project: Project) -> dict[str, str]:
    """Give the files that the settings put elsewhere in the newsletter's folder."""
    settings = project.settings
    smtp, database = settings.transport.smtp, settings.store_file
    paths = [str(database)] if database else []
    for source in (smtp.password if smtp else None, settings.store_password):
        if source and source.kind == "file":
            paths += source.words
    paths += [key.key_file for key in settings.dkim.keys] if settings.dkim else []
    places = [project.root / path for path in paths]
    inside = [project.shown(path) for path in places if path.is_relative_to(project.root)]
    return {f"/{path}": path for path in inside if not path.startswith("private/")}


def _git(root: Path, environ: Mapping[str, str], *words: str) -> list[str]:
    """Ask git and give the lines of its answer; exit 1 means no. Raise OSError, SubprocessError."""
    done = subprocess.run(  # noqa: S603 - fixed words, no shell
        ("git", "-c", "core.quotePath=false", *words),  # noqa: S607 - the git of whoever runs this
        cwd=root,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode not in {0, 1}:
        done.check_returncode()
    return done.stdout.decode(errors="replace").splitlines()
