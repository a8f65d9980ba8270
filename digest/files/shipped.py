"""What travels with the program: the looks, the starter content, the sample settings.

In a wheel they lie inside the package, in a checkout or an editable install at its top level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from digest.errors import ConfigError, DigestError, Problem, TemplateError
from digest.render import TemplateSet

__all__ = [
    "DEFAULT_LOOK",
    "SUPPORT",
    "LookFile",
    "known_looks",
    "look_files",
    "own_files",
    "own_place",
    "read_templates",
    "require_look",
    "shipped_content",
    "shipped_looks",
    "shipped_names",
    "shipped_settings",
    "shipped_templates",
]

DEFAULT_LOOK: Final = "default"
# Beside the templates of a look: what it uses of HTML and CSS although mail programs lack it.
SUPPORT: Final = "support.json"
_TEMPLATES: Final = "templates"
_SUFFIX: Final = ".j2"


def _shipped(name: str) -> Path:
    package = Path(__file__).resolve().parent.parent
    for place in (package / "_shipped" / name, package.parent / name):
        if place.exists():
            return place
    raise DigestError(
        f"the program's own {name} is missing from its installation",
        fix="install digest-newsletter again",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    """A folder of templates, the path by which errors name it, and whether it is shipped."""

    folder: Path
    place: str
    shipped: bool

    def names(self) -> list[str]:
        """Give the names of its files that count, in order."""
        return sorted(file.name for file in self.folder.iterdir() if _counts(file.name))

    def read(self, name: str) -> str:
        """Give the text of a file; raise OSError or UnicodeDecodeError."""
        file = self.folder / name
        # A pipe would be waited for without end; a link may lead to what is not the newsletter's.
        if not file.is_file() or file.resolve().parent != self.folder.resolve():
            raise OSError("it is no plain file of this folder")
        return file.read_text("utf-8-sig")


def _counts(name: str) -> bool:
    return (name.endswith(_SUFFIX) or name == SUPPORT) and not name.startswith(".")


def _own_folder(root: Path) -> Path | None:
    """Give the newsletter's folder of templates; None in the checkout, where it is the shipped."""
    own = root / _TEMPLATES
    return own if own.is_dir() and own.resolve() != _shipped(_TEMPLATES).resolve() else None


def _layers(root: Path, look: str) -> list[_Layer]:
    """Give the folders that a look is made of, the last one winning."""
    own = _own_folder(root)
    layers = [*_shipped_layers(look), *(_layers_of(own, look, shipped=False) if own else ())]
    # What is a look's own wins over what is for all looks, whoever made it.
    return sorted(layers, key=lambda layer: layer.place != _TEMPLATES)


def _shipped_layers(look: str) -> list[_Layer]:
    return _layers_of(_shipped(_TEMPLATES), look, shipped=True)


def _layers_of(folder: Path, look: str, *, shipped: bool) -> list[_Layer]:
    whole = _Layer(folder=folder, place=_TEMPLATES, shipped=shipped)
    within = _Layer(folder=folder / look, place=f"{_TEMPLATES}/{look}", shipped=shipped)
    return [whole, within] if _is_look(folder / look) else [whole]


def _is_look(folder: Path) -> bool:
    """Tell whether a folder holds a template; one that is a link may lead anywhere."""
    if folder.name.startswith(".") or folder.is_symlink() or not folder.is_dir():
        return False
    return any(_counts(file.name) for file in folder.iterdir())


def _looks_in(folder: Path) -> list[str]:
    return sorted(within.name for within in folder.iterdir() if _is_look(within))


def shipped_looks() -> tuple[str, ...]:
    """Name the looks that travel with the program, the default one first."""
    return tuple(dict.fromkeys((DEFAULT_LOOK, *_looks_in(_shipped(_TEMPLATES)))))


def known_looks(root: Path) -> tuple[str, ...]:
    """Name all looks of a newsletter: the shipped ones, then those of its own `templates/`."""
    own = _own_folder(root)
    return tuple(dict.fromkeys((*shipped_looks(), *(_looks_in(own) if own else ()))))


def own_place(look: str) -> str:
    """Give the folder of a newsletter's own files of a look, relative to the newsletter's."""
    return _TEMPLATES if look == DEFAULT_LOOK else f"{_TEMPLATES}/{look}"


def read_templates(root: Path, look: str = DEFAULT_LOOK) -> TemplateSet:
    """Read a look: the shipped files, the newsletter's own, then those of the look, in this order.

    They are overlaid file by file, the last one wins. Raise ConfigError where there is no such
    look, TemplateError for files that are not UTF-8, all at once.
    """
    require_look(root, look)
    texts: dict[str, str] = {}
    places: dict[str, str] = {}
    bad: list[Problem] = []
    for layer, name in _files(root, look):
        place = f"{layer.place}/{name}"
        try:
            texts[name] = layer.read(name)
        except (UnicodeDecodeError, OSError) as error:
            bad.append(
                Problem(
                    what=f"cannot be read: {_reason(error)}",
                    where=place,
                    fix="put a UTF-8 text in its place",
                )
            )
        places[name] = place
    if bad:
        raise TemplateError.of(tuple(bad))
    return TemplateSet(texts=texts, places=places)


def _reason(error: UnicodeDecodeError | OSError) -> str:
    """Say why a file cannot be read, without its absolute path."""
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def _files(root: Path, look: str) -> Iterator[tuple[_Layer, str]]:
    for layer in _layers(root, look):
        for name in layer.names():
            yield layer, name


def require_look(root: Path, look: str, *, where: str = "mail.look") -> None:
    """Raise ConfigError where a newsletter has no such look; `where` is what named it."""
    looks = known_looks(root)
    if look in looks:
        return
    near = get_close_matches(look, looks, n=1)
    raise ConfigError(
        f"there is no look {look!r}",
        where=where,
        fix=(f"did you mean {near[0]}? " if near else "")
        + f"There are {', '.join(looks)}; a folder of templates in {_TEMPLATES}/ is one more",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LookFile:
    """A file of a look as it counts: its place, whether it is shipped, and what it stands before.

    `replaces` names the place of the shipped file that it is taken in place of; empty where that
    is none.
    """

    name: str
    place: str
    shipped: bool
    replaces: str = ""


def look_files(root: Path, look: str) -> tuple[LookFile, ...]:
    """Give the files that a look is made of, by name."""
    found: dict[str, LookFile] = {}
    for layer, name in _files(root, look):
        place, below = f"{layer.place}/{name}", found.get(name)
        if layer.shipped or below is None:
            before = ""
        else:
            before = below.place if below.shipped else below.replaces
        found[name] = LookFile(name=name, place=place, shipped=layer.shipped, replaces=before)
    return tuple(found[name] for name in sorted(found))


def own_files(root: Path, look: str) -> tuple[str, ...]:
    """Give the places of all files in the newsletter's own folders of a look, hidden ones not."""
    return tuple(
        f"{layer.place}/{file.name}"
        for layer in _layers(root, look)
        if not layer.shipped
        for file in sorted(layer.folder.iterdir())
        if not file.is_dir() and not file.name.startswith(".")
    )


def shipped_templates(look: str) -> Mapping[str, bytes]:
    """Give the shipped files of a look, by name; of one that is not shipped, the default's."""
    return {
        name: (layer.folder / name).read_bytes()
        for layer in _shipped_layers(look)
        for name in layer.names()
    }


def shipped_names(look: str) -> tuple[str, ...]:
    """Name the shipped templates of a look that no other look has; none for one of its own."""
    place = own_place(look)
    layers = (layer for layer in _shipped_layers(look) if layer.place == place)
    return tuple(name for layer in layers for name in layer.names() if name != SUPPORT)


def shipped_content() -> Mapping[str, bytes]:
    """Give the starter summaries: file name to bytes, by name."""
    folder = _shipped("content")
    return {file.name: file.read_bytes() for file in sorted(folder.glob("*.md"))}


def shipped_settings() -> str:
    """Give the text of the sample's `digest.toml`."""
    return _shipped("digest.toml").read_text("utf-8")
