"""The page of the plan in a real browser: it fits, and it asks for nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browser.chrome import measure, serving
from browser.chrome import screenshot as take

Digest = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.real


@pytest.fixture
def page(digest: Digest, tmp_path: Path) -> Path:
    """Give the page of a plan of the starter content, longer than any window."""
    root, now = tmp_path / "letter", ("--now", "2026-12-01")
    assert digest("init", root, *now)[0] == 0
    code, out, _ = digest("-C", root, "plan", "--weeks", "52", "--html", *now)
    assert code == 0
    (tmp_path / "page").mkdir()
    file = tmp_path / "page" / "plan.html"
    file.write_text(out, "utf-8")
    return file


def test_the_plan_never_scrolls_sideways(chromium: str, page: Path) -> None:
    """From a wide window to 320 pixels the calendar scrolls inside its own frame."""
    for width in (1400, 800, 375, 320):
        told = measure(chromium, page, width=width)

        assert told["text"] > 400
        assert told["reach"] <= width, (width, told["wide"])


def test_the_plan_asks_for_nothing_else(chromium: str, page: Path, tmp_path: Path) -> None:
    """Opening the page makes one request: for itself."""
    with serving(page.parent) as (address, asked):
        take(chromium, f"{address}/plan.html", to=tmp_path / "x.png", width=800, height=900)

    assert sum("plan.html" in line for line in asked) >= 1
    assert [line for line in asked if "plan.html" not in line] == []
