"""What the tests of this room share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def tide_notes() -> bytes:
    """Give a listing as it is."""
    return (Path(__file__).parent / "listings" / "tide-notes.txt").read_bytes()


@pytest.fixture
def loaf_and_leaven() -> bytes:
    """Give a listing as another system saves it: with a byte order mark and CRLF."""
    text = (Path(__file__).parent / "listings" / "loaf-and-leaven.txt").read_bytes()
    return b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")
