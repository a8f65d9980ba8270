"""What an issue file says of its send while the mails go out."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from digest.config import load_settings
from digest.model import IssueKey
from digest.publish.project import Project
from digest.publish.send_seal import HoldWatch

Make = Callable[..., Path]
_KEY = IssueKey("2026-w49")
_FILE = "content/issues/2026-w49.md"


@pytest.mark.parametrize(
    ("lack", "told"),
    [(errno.EMFILE, ""), (errno.ENFILE, ""), (errno.EACCES, "held: ")],
)
def test_what_the_process_lacks_holds_no_issue(
    newsletter: Make, monkeypatch: pytest.MonkeyPatch, *, lack: int, told: str
) -> None:
    """Too many open files are no word on the issue; a file that nobody may read holds it."""
    root = newsletter({_FILE: "---\nsubject: Tides\n---\n"})
    project = Project(settings=load_settings(root, file=None, environ={}, overrides=()))
    hold = HoldWatch(project, _KEY)
    usual = os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if str(path).endswith("w49.md"):
            raise OSError(lack, os.strerror(lack))
        return usual(path, flags, mode)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        assert hold().startswith(told)
        assert bool(hold()) == bool(told)
    (root / _FILE).write_text("---\nsubject: Tides\nhold: wait for Bo\n---\n", "utf-8")
    assert hold() == "held: wait for Bo"
