"""`digest doctor`: what it prints, and what the shell sees."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from relay.server import free_port

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_ITEM = "---\ntitle: Tide mills\nurl: https://mills.example/1\n---\n\nMills ground corn.\n"
_LATE = ("--now", "2040-01-02T10:00:00+01:00")


@pytest.fixture
def root(newsletter: Make) -> Path:
    """Give a newsletter."""
    return newsletter({"content/mills.md": _ITEM})


def test_a_set_up_without_a_fault_ends_well(digest: Digest, root: Path) -> None:
    """Warnings are printed with their cure and end with exit 0."""
    code, out, err = digest("-C", root, "doctor", *_LATE)
    assert (code, err) == (0, "")
    lines = [line.split(None, 2) for line in out.splitlines()]
    assert ["ok", "folders", "all can be written to"] in lines
    assert ["warning", "readers", "there are none, so nobody gets mail"] in lines
    assert "`digest readers add` and `digest readers import` bring them in" in out


def test_a_fault_ends_with_exit_1(digest: Digest, root: Path) -> None:
    """An error goes to stderr with its cure; what is sound is printed all the same."""
    port = free_port()
    options = (
        "--set=transport.kind=smtp",
        "--set=transport.smtp.host=127.0.0.1",
        f"--set=transport.smtp.port={port}",
        "--set=transport.smtp.security=none",
    )
    code, out, err = digest("-C", root, "doctor", *_LATE, *options)
    assert code == 1
    assert err.startswith(f"error: transport: 127.0.0.1:{port}: ")
    assert "transport" not in out
    assert "settings" in out
    assert digest("-C", root, "doctor", "-q", *_LATE, *options)[1] == ""
    assert digest("-C", root, "doctor", "--offline", *_LATE, *options)[0] == 0


def test_json_holds_every_check(digest: Digest, root: Path) -> None:
    """All checks come as JSON, whatever they say."""
    (root / "content").rename(root / "texts")
    code, out, err = digest("-C", root, "doctor", "--json", *_LATE)
    checks = {check["name"]: check for check in json.loads(out)["checks"]}
    assert code == 1
    assert err.startswith("error: folders: there is no folder content\n")
    assert checks["folders"] == {
        "name": "folders",
        "state": "error",
        "told": "there is no folder content",
        "fix": "make it and put summaries there, or set content.folder",
    }
    assert {check["state"] for check in checks.values()} == {"ok", "warning", "error"}


def test_wrong_settings_are_told_first(digest: Digest, root: Path) -> None:
    """Settings that cannot be read end the look with exit 2 and their own complaint."""
    code, out, err = digest("-C", root, "doctor", "--set=transport.kind=pigeon")
    assert (code, out) == (2, "")
    assert "transport.kind must be one of outbox, smtp" in err
