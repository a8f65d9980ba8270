"""What the tests of the schedule share: the process keeps its own zone after each of them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def own_zone() -> Iterator[None]:
    """Put the zone of the process back, which the loop changes."""
    before = os.environ.get("TZ")
    yield
    os.environ.pop("TZ", None)
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()
