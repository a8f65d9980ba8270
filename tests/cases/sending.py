"""A newsletter with readers and a draft, and the options that mail it by a relay of the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from relay.server import Relay

__all__ = ["by_relay", "with_people"]

_ITEM = "---\ntitle: Tide mills\nurl: https://mills.example/\n---\n\nThey ground corn.\n"


def by_relay(relay: Relay, *, security: str = "none") -> tuple[str, ...]:
    """Give the options that send by a relay on loopback."""
    return (
        "--set=transport.kind=smtp",
        f"--set=transport.smtp.host={'127.0.0.1' if security == 'none' else 'localhost'}",
        f"--set=transport.smtp.port={relay.port}",
        f"--set=transport.smtp.security={security}",
    )


def with_people(
    newsletter: Callable[..., Path],
    digest: Callable[..., tuple[int, str, str]],
    people: bytes,
    *,
    now: tuple[str, str],
    files: dict[str, str | bytes] | None = None,
    code: int = 0,
) -> Path:
    """Make a newsletter, import a list of readers (which ends with `code`), build this week's."""
    root = newsletter(files or {"content/mills.md": _ITEM})
    (root / "people.csv").write_bytes(people)
    words = ("readers", "import", str(root / "people.csv"), "--consent", "asked at the quay", *now)
    done = digest("-C", root, *words)
    assert done[0] == code, done
    built = digest("-C", root, "build", *now)
    assert built[0] == 0, built
    return root
