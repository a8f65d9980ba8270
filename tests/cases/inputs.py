"""The inputs of the cases: ours, and the original files where they lie beside the repository."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

__all__ = ["both", "both_folders", "in_content", "original", "typed"]

_CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
_ABSENT = "the original input files do not lie beside the repository"


def original(case: str, pattern: str = "*.md") -> dict[str, bytes]:
    """Give the original files of a case by name; empty where they are not at hand."""
    return {path.name: path.read_bytes() for path in sorted((_CASES / case).glob(pattern))}


def both(case: str, ours: Mapping[str, str | bytes], pattern: str = "*.md") -> pytest.MarkDecorator:
    """Run a test with our files and with the original ones, as its argument `files`."""
    return _parametrized("files", _octets(ours), original(case, pattern))


def both_folders(case: str, ours: Mapping[str, Mapping[str, str | bytes]]) -> pytest.MarkDecorator:
    """Run a test with folders of files, ours and the original ones, as its argument `folders`."""
    there = {name: original(f"{case}/{name}") for name in ours}
    own = {name: _octets(files) for name, files in ours.items()}
    return _parametrized("folders", own, there if all(there.values()) else {})


def _octets(files: Mapping[str, str | bytes]) -> dict[str, bytes]:
    return {
        name: data if isinstance(data, bytes) else data.encode()
        for name, data in sorted(files.items())
    }


def _parametrized(
    name: str, ours: Mapping[str, object], there: Mapping[str, object]
) -> pytest.MarkDecorator:
    absent = pytest.mark.skipif(not there, reason=_ABSENT)
    return pytest.mark.parametrize(
        name,
        [pytest.param(ours, id="ours"), pytest.param(there, id="original", marks=absent)],
    )


def in_content(files: Mapping[str, bytes]) -> dict[str, str | bytes]:
    """Put files into the content folder."""
    return {f"content/{name}": data for name, data in files.items()}


def typed(data: bytes, name: str) -> str:
    """Read one value of a header as a person does: what stands after the colon, unquoted."""
    found = re.search(rf"^{name}:[ ]*(.*?)[ ]*\r?$", data.decode("utf-8-sig"), re.MULTILINE)
    assert found is not None
    text = found[1]
    return text[1:-1].replace("\\\\", "\\") if text[:1] == text[-1:] == '"' else text
