"""What a person sees: the mail and the pages in a real browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from browser.chrome import measure, serving
from browser.chrome import screenshot as take

Digest = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.real


@pytest.fixture
def published(digest: Digest, tmp_path: Path) -> Path:
    """Give a newsletter made of the starter content, its first issue published."""
    root = tmp_path / "letter"
    now = ("--now", "2026-12-01")
    for command in (["init", root], ["build", "-C", root], ["publish", "-C", root]):
        assert digest(*command, *now)[0] == 0
    return root / "outbox"


@pytest.mark.parametrize("width", [600, 375, 320])
@pytest.mark.parametrize(
    "page", ["2026-w49/issue.html", "site/2026-w49.html", "site/index.html", "site/404.html"]
)
def test_page_never_scrolls_sideways(chromium: str, published: Path, page: str, width: int) -> None:
    """Mail and pages fit a desktop column, a phone and the smallest phone."""
    told = measure(chromium, published / page, width=width)

    assert told["text"] > 40
    assert told["reach"] <= width, told["wide"]


@pytest.mark.parametrize("page", ["2026-w49/issue.html", "site/2026-w49.html", "site/index.html"])
def test_page_asks_for_nothing_else(
    chromium: str, published: Path, tmp_path: Path, page: str
) -> None:
    """Opening a mail or a page makes one request: for itself."""
    with serving(published) as (address, asked):
        take(chromium, f"{address}/{page}", to=tmp_path / "x.png", width=600, height=900)

    assert sum(page in line for line in asked) >= 1
    assert [line for line in asked if page not in line and "favicon" not in line] == []
