"""The page of publishing: its files are those that are written, its script does its job."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from docs.pages import blocks, page, rows, sections

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_PAGE = page("publishing.md")
_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_GIF = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"  # a dot
_STUB = """\
#!/bin/sh
echo "$1" >> ran
[ "$1" = build ] && exit "$BUILD"
exit "$PUBLISH"
"""


def test_files_that_are_listed_are_those_that_are_written(digest: Digest, newsletter: Make) -> None:
    """The two tables name every file of an edition and of the site, and no other."""
    text = "---\ntitle: Mills\nimage: mill.gif\nimage_alt: A mill\n---\n\nThey grind.\n"
    root = newsletter({"content/mills.md": text, "content/mill.gif": _GIF})
    assert digest("-C", root, "build", *_NOW)[0] == 0
    assert digest("-C", root, "publish", *_NOW)[0] == 0
    told = [row[0].strip("`") for row in rows(sections(_PAGE)["What is written"])]
    edition, site = (
        {
            f"{path.name}/" if path.is_dir() else path.name
            for path in (root / "outbox" / folder).iterdir()
        }
        for folder in ("2026-w49", "site")
    )

    assert set(told) == edition | site
    assert len(told) == len(edition) + len(site)


@pytest.mark.parametrize(
    ("build", "publish", "ends", "ran"),
    [
        (0, 0, 0, "build publish"),
        (0, 4, 4, "build publish"),
        (1, 0, 1, "build publish"),
        (1, 4, 4, "build publish"),
        (2, 0, 2, "build"),
        (3, 0, 0, "build"),
        (6, 0, 6, "build"),
        (7, 0, 7, "build"),
    ],
)
def test_weekly_script_ends_as_the_tables_say(
    tmp_path: Path, *, build: int, publish: int, ends: int, ran: str
) -> None:
    """It publishes after each build, whole or not, and keeps the codes that matter."""
    script = next(block for block in blocks(_PAGE) if block.path == "weekly.sh")
    (tmp_path / "weekly.sh").write_text(script.text)
    (tmp_path / "digest").write_text(_STUB)
    (tmp_path / "digest").chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", "weekly.sh"],
        cwd=tmp_path,
        env={
            "PATH": f"{tmp_path}{os.pathsep}{os.defpath}",
            "BUILD": str(build),
            "PUBLISH": str(publish),
        },
        check=False,
    )

    assert done.returncode == ends
    assert (tmp_path / "ran").read_text().split() == ran.split()
    told = rows(sections(_PAGE)["Every week by itself"])
    assert {str(build), str(publish)} <= {row[0] for row in told}
