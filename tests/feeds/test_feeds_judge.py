"""The judgement of a checker from outside, where one lies beside the repository."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from digest.feeds import build_feeds
from digest.model import Newsletter, Published

JUDGE = Path(__file__).parents[3] / "shared" / "tools" / "check_feeds.py"

pytestmark = pytest.mark.skipif(
    not JUDGE.is_file(), reason="no feed checker lies in ../shared/tools beside the repository"
)


def _judge(folder: Path, files: dict[str, bytes], *options: str) -> list[str]:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    done = subprocess.run(  # noqa: S603 - our own interpreter and a script beside the repository
        [
            *(sys.executable, str(JUDGE), str(folder), "--strict"),
            *("--base", "https://harbour.example/", "--now", "2027-06-01T00:00:00Z"),
            *options,
        ],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.stderr == ""
    *findings, total = done.stdout.splitlines()
    assert done.returncode == (1 if findings else 0)
    assert total.startswith("3 feeds")
    return findings


def test_judge_finds_nothing(
    tmp_path: Path, newsletter: Newsletter, make_published: Callable[..., Published]
) -> None:
    """A year of issues shows no finding, strict, and an edit no break of identity."""
    year = [make_published(week) for week in range(1, 53)]
    before = build_feeds(newsletter, tuple(year))
    assert _judge(tmp_path / "before", before) == []
    moment = make_published(53).at
    year[50] = make_published(
        51, title="Renamed", body="<p>The mended text of the tide.</p>", updated=moment
    )
    after = build_feeds(newsletter, tuple(year))
    assert _judge(tmp_path / "after", after, "--previous", str(tmp_path / "before")) == []


def test_judge_finds_only_emptiness(tmp_path: Path, newsletter: Newsletter) -> None:
    """Feeds without an entry are valid; the only thing to say is that they are empty."""
    findings = _judge(tmp_path / "empty", build_feeds(newsletter, ()))
    assert len(findings) == 3
    assert all(finding.split()[:2] == ["warning", "EMPTY"] for finding in findings)
