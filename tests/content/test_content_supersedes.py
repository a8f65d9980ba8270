"""What is noted of a `supersedes` that names nobody."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from digest.content import ContentOptions, load_library


def _notes(root: Path, name: str) -> list[str]:
    (root / "content" / "mills").mkdir(parents=True)
    (root / "content" / "mills" / "tide.md").write_text("# Tide\n\nWords.\n", "utf-8")
    (root / "content" / "new.md").write_text(
        f"---\nsupersedes: {name}\n---\n\n# New\n\nOther words.\n", "utf-8"
    )
    library = load_library(
        root / "content", root=root, zone=ZoneInfo("UTC"), options=ContentOptions()
    )
    return [f"{note.place}: {note.text}" for note in library.notes]


@pytest.mark.parametrize(
    "name", ["Mills/Tide", "content/mills/tide.md", "posts/content/mills/tide"]
)
def test_a_name_that_nearly_fits_is_noted(tmp_path: Path, name: str) -> None:
    """Another letter case or the folder before it: the id that is meant is named."""
    asked = name.removesuffix(".md")

    assert _notes(tmp_path, name) == [
        (
            f"content/new.md:1: `supersedes`: no summary has the id '{asked}'; "
            "did you mean 'mills/tide'?"
        )
    ]


@pytest.mark.parametrize("name", ["mills/tide", "mills/tide.md", "gone-since"])
def test_a_name_that_fits_or_is_of_a_file_long_gone_is_not_noted(tmp_path: Path, name: str) -> None:
    """Who took the place of what was sent and removed is right."""
    assert _notes(tmp_path, name) == []
