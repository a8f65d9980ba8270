"""What all tests share: real parts that must not be skipped, and a newsletter to work on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped test of a real part into a failure where real parts are required."""
    del call
    report = yield
    required = os.environ.get("DIGEST_REAL") == "required"
    if required and report.skipped and item.get_closest_marker("real"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but real parts are required: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def chromium() -> str:
    """Give the path of Chromium, or skip."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("Chromium is not installed")
    return found


_SETTINGS = """\
[newsletter]
name = "Harbour Notes"
slug = "harbour-notes"
timezone = "Europe/Berlin"
tag = "harbour.example,2026-01-01"
postal_address = "Harbour Notes, 1 Quay, 00000 Haven"

[site]
url = "https://harbour.example/"

[mail]
from = "Harbour Notes <letter@harbour.example>"
"""


@pytest.fixture
def newsletter(tmp_path: Path) -> Callable[..., Path]:
    """Give a function that makes a newsletter folder from files: path to text or bytes."""

    def make(files: dict[str, str | bytes], *, settings: str = "", name: str = "letter") -> Path:
        root = tmp_path / name
        (root / "content").mkdir(parents=True)
        (root / "digest.toml").write_text(_SETTINGS + settings, "utf-8")
        for path, data in files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data if isinstance(data, bytes) else data.encode())
        return root

    return make


@pytest.fixture
def digest(capfd: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Give a function that runs one command line: exit code, stdout, stderr."""
    from digest.cli.main import run  # noqa: PLC0415 - tests of one room must not load them all

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call
