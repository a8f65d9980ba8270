"""A newsletter with three readers, and how it is sent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import ITEM, NOW, PEOPLE

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Send = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def letter(digest: Digest, newsletter: Make) -> Path:
    """Give a newsletter with three readers and this week's draft."""
    root = newsletter({f"content/m{n}.md": ITEM.format(n) for n in range(4)})
    for address in PEOPLE:
        name = address.partition("@")[0].title()
        added = digest(
            "-C", root, "readers", "add", address, "--name", name, "--consent", "asked", *NOW
        )
        assert added[0] == 0, added
    assert digest("-C", root, "build", *NOW)[0] == 0
    return root


@pytest.fixture
def send(digest: Digest, letter: Path) -> Send:
    """Give a function that sends this week's issue: exit code, JSON, stderr."""

    def call(*options: str) -> tuple[int, dict[str, Any], str]:
        code, out, err = digest("-C", letter, "send", "--json", *NOW, *options)
        return code, json.loads(out), err

    return call
