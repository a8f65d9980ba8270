"""What is read of a newsletter's database, and when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from digest.config import load_settings
from digest.model import Consent, Reader
from digest.publish.project import Project

_NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


@pytest.fixture
def project(newsletter: Callable[..., Path]) -> Project:
    """Give a newsletter without a database."""
    return Project(settings=load_settings(newsletter({}), file=None, environ={}, overrides=()))


def test_reading_makes_no_database(project: Project) -> None:
    """Where there is none, there is nothing to open, and all that is known is empty."""
    with project.ledger() as store:
        assert store is None
    known = project.known()

    assert (known.history, known.sends, known.readers) == ((), (), None)
    assert not project.private.exists()


def test_opening_makes_the_database(project: Project) -> None:
    """What was written is there for the next who reads, and counts as known."""
    reader = Reader(address="ida@post.example", since=_NOW)
    with project.opened() as store:
        store.readers.add([reader], consent=Consent(source="asked", at=_NOW))

    with project.ledger() as store:
        assert store is not None
        assert store.readers.get("ida@post.example") == reader
    assert project.known().readers == project.readers() == 1
