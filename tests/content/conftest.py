"""What the tests of the content room share."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from digest.content import ContentOptions, parse_summary
from digest.errors import ContentError
from digest.model import Note, Summary

Parse = Callable[..., tuple[Summary, tuple[Note, ...]]]


@pytest.fixture
def parse() -> Parse:
    """Read a summary of a text or bytes; Berlin is the newsletter's zone."""

    def read(
        data: str | bytes, *, path: str = "owls.md", aliases: dict[str, str] | None = None
    ) -> tuple[Summary, tuple[Note, ...]]:
        return parse_summary(
            data.encode() if isinstance(data, str) else data,
            path=path,
            where=f"content/{path}",
            zone=ZoneInfo("Europe/Berlin"),
            options=ContentOptions(aliases=aliases or {}),
        )

    return read


@pytest.fixture
def complaints(parse: Parse) -> Callable[..., list[str]]:
    """Give the complaints about a text or bytes, one string each."""

    def read(data: str | bytes) -> list[str]:
        with pytest.raises(ContentError) as caught:
            parse(data)
        assert caught.value.exit_code == 1
        return [str(problem) for problem in caught.value.problems]

    return read
