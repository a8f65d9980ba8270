"""The verifier opendkim, which reads keys from a file where its own tests do."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

__all__ = ["Opendkim"]

_PATH: Final = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"


class Opendkim:
    """Judges files by one record; the test is skipped where it is not installed."""

    def __init__(self, folder: Path, record: str) -> None:
        found = shutil.which("opendkim", path=_PATH)
        if found is None:
            pytest.skip("opendkim is not installed")
        self._program = found
        keys, self._settings = folder / "keys", folder / "opendkim.conf"
        keys.write_text(f"s1._domainkey.harbour.example {record}\n")
        self._settings.write_text(f"Mode v\nSyslog no\nTestPublicKeys {keys}\n")

    def verified(self, files: Sequence[Path]) -> dict[str, bool]:
        """Tell of each file whether its signature holds."""
        told = subprocess.run(  # noqa: S603 - it reads files of the test alone
            [self._program, "-x", self._settings, "-t", ",".join(map(str, files))],
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
        said = told.stdout + told.stderr
        seen = re.findall(r"(\S+)\.eml: verification .*(succeeded|failed)", said)
        return {f"{name}.eml": state == "succeeded" for name, state in seen}
