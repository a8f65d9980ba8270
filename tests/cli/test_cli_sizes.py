"""How many octets a letter takes: what providers cut is far away from a usual one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

# Eighty words, the most that an item of a usual issue has, with a link and some code in them.
_TEXT = (
    "The keepers of the upper lock wrote down what passed, and for a hundred and ten years nobody "
    "read it. Now [all forty books](https://lock.example/books) are on the web, and a small "
    "program called `lockread` turns each page into a table. It finds the days of flood by itself, "
    "since on those the keepers wrote in larger letters. Whoever looks for an ancestor on the "
    "barges will find about one name in three, and the rest is sand, grain and coal."
)


@pytest.mark.parametrize(("count", "most"), [(6, 30_000), (20, 60_000)])
@pytest.mark.parametrize("look", ["default", "compact"])
def test_letter_is_small(
    digest: Digest, newsletter: Make, look: str, count: int, most: int
) -> None:
    """Six items of eighty words take at most 30 KB of HTML, twenty at most 60 KB."""
    files: dict[str, str | bytes] = {
        f"content/lock-{number:02d}.md": (
            f"---\ntitle: What the lock keepers wrote, book {number}\ntheme: locks\n"
            f"url: https://lock.example/books/{number}\ndate: 2026-11-{number:02d}\n"
            f"authors: [Ada Weir, Bo Sluice]\nsource: Lock Archive\n---\n\n{_TEXT}\n"
        )
        for number in range(1, count + 1)
    }
    root = newsletter(files)
    words = (f"selection.max_items={count}", "selection.similarity=0", f"mail.look={look}")

    code, out, err = digest(
        "build", "-C", root, "--now", "2026-12-01", *(p for word in words for p in ("--set", word))
    )

    assert code == 0, out + err
    size = len((root / "outbox/2026-w49/issue.html").read_bytes())
    print(f"{look}, {count} items: {size} octets")  # noqa: T201 - the figure is what people ask for
    assert (root / "outbox/2026-w49/issue.html").read_text().count("lock.example/books/") == count
    assert size <= most
