"""What travels with the program: the default look, the starter content, the sample settings.

In a wheel they lie inside the package, in a checkout or an editable install at its top level.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from digest.errors import DigestError, TemplateError
from digest.render import TemplateSet

__all__ = ["read_templates", "shipped_content", "shipped_settings"]

_SUFFIX = ".j2"


def _shipped(name: str) -> Path:
    package = Path(__file__).resolve().parent.parent
    for place in (package / "_shipped" / name, package.parent / name):
        if place.exists():
            return place
    raise DigestError(
        f"the program's own {name} is missing from its installation",
        fix="install digest-newsletter again",
    )


def _read(file: Path, folder: Path) -> str:
    # A pipe would be waited for without end; a link may lead to what is not the newsletter's.
    if not file.is_file() or file.resolve().parent != folder.resolve():
        raise OSError("it is no plain file of this folder")
    return file.read_text("utf-8-sig")


def read_templates(root: Path) -> TemplateSet:
    """Read the default look, overlaid file by file with the project's own `templates/`.

    Raise TemplateError for files that are not UTF-8, all at once.
    """
    texts: dict[str, str] = {}
    places: dict[str, str] = {}
    bad: list[TemplateError] = []
    for folder in (_shipped("templates"), root / "templates"):
        for file in sorted(folder.glob(f"*{_SUFFIX}")) if folder.is_dir() else ():
            try:
                texts[file.name] = _read(file, folder)
            except (UnicodeDecodeError, OSError) as error:
                bad.append(
                    TemplateError(
                        f"cannot be read: {error}",
                        where=f"templates/{file.name}",
                        fix="put a UTF-8 text in its place",
                    )
                )
            places[file.name] = f"templates/{file.name}"
    if bad:
        raise TemplateError.of(tuple(problem for error in bad for problem in error.problems))
    return TemplateSet(texts=texts, places=places)


def shipped_content() -> Mapping[str, bytes]:
    """Give the starter summaries: file name to bytes, by name."""
    folder = _shipped("content")
    return {file.name: file.read_bytes() for file in sorted(folder.glob("*.md"))}


def shipped_settings() -> str:
    """Give the text of the sample's `digest.toml`."""
    return _shipped("digest.toml").read_text("utf-8")
