"""What the tests that kill have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kill.judging import Verdict
from kill.letter import Point, starting_points
from kill.stracing import need_strace
from kill.trial import Trial


@pytest.fixture(scope="session")
def points(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Point]:
    """Give a newsletter's folder as each command of the reference run finds it."""
    need_strace()
    return starting_points(tmp_path_factory.mktemp("reference"))


@pytest.fixture
def verdict(record_property: Callable[[str, object], None]) -> Iterator[Verdict]:
    """Give the counts of a test; it fails at its end where one of them must not be."""
    verdict = Verdict()
    yield verdict
    record_property("kills", verdict.told())
    print(verdict.told())  # noqa: T201 - shown with `-rP`
    assert not verdict.faults, "\n".join(verdict.faults)


@pytest.fixture
def trial(points: dict[str, Point], tmp_path: Path, verdict: Verdict) -> Trial:
    """Give what a test that kills works with."""
    return Trial(points=points, folder=tmp_path, verdict=verdict)
