"""Put the looks, the starter content and the sample settings into the wheel, file by file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = ["ShippedFiles"]


class ShippedFiles(BuildHookInterface):  # type: ignore[type-arg] # its configuration is not asked for
    """Name what travels inside the package; an editable install finds it where it lies."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to a wheel that is no editable one."""
        if version == "editable":
            return
        root = Path(self.root)
        shipped = [
            root / "digest.toml",
            *sorted((root / "templates").rglob("*.j2")),
            *sorted((root / "templates").rglob("support.json")),
            *sorted((root / "content").glob("*.md")),
        ]
        build_data["force_include"] |= {
            str(file): f"digest/_shipped/{file.relative_to(root).as_posix()}" for file in shipped
        }
