"""An issue rendered and kept: its files, their hashes, and all it was made from."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from digest import __version__
from digest.config import newsletter_from, settings_slice
from digest.content import ContentOptions, dump_issue, parse_issue, parse_summary
from digest.errors import ContentError, FilesError
from digest.files import on_disk, read_bytes, read_tree
from digest.mime import general_copy
from digest.model import (
    Edition,
    EditionItem,
    FieldPlace,
    Issue,
    IssueKey,
    Newsletter,
    Picture,
    Summary,
    Theme,
    slugify,
)
from digest.render import TemplateSet, render_edition
from digest.render.fields import fits

__all__ = [
    "MANIFEST",
    "Kept",
    "Material",
    "keep",
    "material_from",
    "read_kept",
    "read_sources",
    "render",
    "tool_versions",
]

MANIFEST: Final = "edition.json"
_INPUTS: Final = "inputs/"
_SCHEMA: Final = 1
# What else could change a byte of an edition: each is named with its version in the manifest.
_TOOLS: Final = (
    "jinja2",
    "markupsafe",
    "mjml",
    "beautifulsoup4",  # mjml's
    "css-inline",  # mjml's
    "dotmap",  # mjml's
    "premailer",
    "cssselect",  # premailer's
    "cssutils",
    "lxml",
    "pyyaml",
    "markdown-it-py",
    "mdit-py-plugins",
    "nh3",
    "latex2mathml",
    "anyascii",
    "wcwidth",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that an edition is made from: the same material gives the same bytes.

    `sources` are the summaries' files, path in the content folder to bytes, in the issue's order;
    `pictures` the picture files that it shows and `commits` the last commit of each of the sources
    that git knows as it is, both by path in the content folder.
    """

    issue: Issue
    number: int
    newsletter: Newsletter
    themes: tuple[Theme, ...]
    sources: Mapping[str, bytes]
    options: ContentOptions
    templates: TemplateSet
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)

    def summaries(self) -> dict[str, Summary]:
        """Read the summaries again from their kept bytes, by id. Raise ContentError."""
        read = [
            parse_summary(
                data, path=path, where=path, zone=self.newsletter.zone, options=self.options
            )[0]
            for path, data in self.sources.items()
        ]
        return {summary.id: summary for summary in read}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An edition with its manifest and inputs; `files` are all files of its folder."""

    edition: Edition
    fingerprint: str
    manifest: Mapping[str, Any]
    files: Mapping[str, bytes]


def tool_versions() -> dict[str, str]:
    """Name each tool that could change a byte of an edition, with its version."""
    found = {"digest": __version__, "python": ".".join(platform.python_version_tuple()[:2])}
    for tool in _TOOLS:
        try:
            found[tool] = version(tool)
        except PackageNotFoundError:
            found[tool] = "absent"
    return found


def render(material: Material) -> Edition:
    """Render the edition of a material, the general copy of the mail included."""
    edition = render_edition(
        material.issue,
        number=material.number,
        summaries=material.summaries(),
        newsletter=material.newsletter,
        themes=material.themes,
        templates=material.templates,
        pictures=material.pictures,
        commits=material.commits,
    )
    copy = general_copy(
        edition,
        newsletter=material.newsletter,
        html=edition.files["issue.html"],
        text=edition.files["issue.txt"],
    )
    return replace(edition, files={**edition.files, "issue.eml": copy})


def keep(material: Material) -> Kept:
    """Render a material and put beside it the inputs and the manifest, ready to be written."""
    edition = render(material)
    inputs = _inputs(material)
    manifest = {**_manifest(edition, inputs), "commits": dict(sorted(material.commits.items()))}
    files = {
        **{f"{_INPUTS}{name}": data for name, data in inputs.items()},
        **edition.files,
        MANIFEST: _json(manifest),  # last, since it vouches for the others
    }
    return Kept(edition=edition, fingerprint=manifest["edition"], manifest=manifest, files=files)


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _inputs(material: Material) -> dict[str, bytes]:
    # The seal is written after the edition froze, and what was dropped is not in it: neither is
    # part of what was approved.
    unsealed = replace(material.issue, seal=None, skip="", dropped=())
    names = {
        path: f"summaries/{place:02d}-{slugify(Path(path).stem)}.md"
        for place, path in enumerate(material.sources, start=1)
    }
    context = {
        "issue": material.issue.key,
        "number": material.number,
        "aliases": dict(sorted(material.options.aliases.items())),
        "summaries": {name: path for path, name in names.items()},
        "settings": settings_slice(material.newsletter, material.themes),
        "pictures": _pictures_told(material.pictures),
    }
    templates = {
        f"templates/{name}": text.encode()
        for name, text in sorted(material.templates.texts.items())
    }
    return {
        "issue.md": dump_issue(unsealed).encode(),
        "context.json": _json(context),
        **{names[path]: data for path, data in material.sources.items()},
        **templates,
    }


def _pictures_told(pictures: Mapping[str, Picture]) -> dict[str, dict[str, Any]]:
    """Tell of each picture all but its octets, which stand among the edition's files."""
    return {
        path: {
            "name": picture.name,
            "media_type": picture.media_type,
            "width": picture.width,
            "height": picture.height,
        }
        for path, picture in sorted(pictures.items())
    }


def _pictures_from(told: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Picture]:
    return {
        path: Picture(
            path=path,
            media_type=one["media_type"],
            width=one["width"],
            height=one["height"],
            data=files[f"pictures/{one['name']}"],
        )
        for path, one in told.items()
    }


def _manifest(edition: Edition, inputs: Mapping[str, bytes]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "schema": _SCHEMA,
        "issue": edition.key,
        "number": edition.number,
        "slot": edition.slot.isoformat(),
        "subject": edition.subject,
        "preheader": edition.preheader,
        "title": edition.title,
        "summary": edition.summary,
        "theme": edition.theme,
        "tags": list(edition.tags),
        "items": [_item_told(item) for item in edition.items],
        "fields": {
            name: [asdict(place) for place in places]
            for name, places in sorted(edition.fields.items())
        },
        "files": {name: sha256(data).hexdigest() for name, data in sorted(edition.files.items())},
        "inputs": {name: sha256(data).hexdigest() for name, data in sorted(inputs.items())},
    }
    return {**told, "edition": _fingerprint(told), "tools": tool_versions()}


def _item_told(item: EditionItem) -> dict[str, Any]:
    told = asdict(item)
    del told["commit"]  # not part of what is hashed, see below
    return told


# What is told of an edition and is no part of it: its own hash, what made it, and the commits, so
# that it is the same before and after its sources are committed. Where `site.source` shows a commit
# on the page, that page is another one, and its hash tells so.
_BESIDE: Final = frozenset({"edition", "tools", "commits"})


def _fingerprint(manifest: Mapping[str, Any]) -> str:
    told = {name: value for name, value in manifest.items() if name not in _BESIDE}
    return sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


_MEND: Final = "put the folder back from a backup, or build the issue again"


def read_kept(folder: Path, *, root: Path, fix: str = _MEND) -> Kept:
    """Read an edition back and prove it whole: each hash of its manifest is taken anew.

    Raise FilesError that names every file which is missing or was changed.
    """
    shown = folder.relative_to(root).as_posix()
    files = read_tree(folder, root=root, skip=("messages",))
    try:
        manifest: dict[str, Any] = json.loads(files[MANIFEST])
        edition = _edition(manifest, files)
        _ = {**manifest["tools"]}  # no part of the hash: a TypeError tells that it is no mapping
        _ = "".join(manifest.get("commits", {}).values())  # nor these: they must be texts
        expected = {
            **manifest["files"],
            **{f"{_INPUTS}{name}": value for name, value in manifest["inputs"].items()},
        }
        wrong = _wrong(manifest, edition, files, expected=expected)
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise FilesError(
            f"is missing or cannot be read ({error.__class__.__name__})",
            where=f"{shown}/{MANIFEST}",
            fix=fix,
        ) from error
    if wrong:
        raise FilesError(
            f"does not hold what its manifest says: {', '.join(wrong)}",
            where=shown,
            fix=fix,
        )
    # What the manifest does not name is none of the edition's.
    files = {name: files[name] for name in (*expected, MANIFEST)}
    return Kept(edition=edition, fingerprint=manifest["edition"], manifest=manifest, files=files)


def _wrong(
    manifest: Mapping[str, Any],
    edition: Edition,
    files: Mapping[str, bytes],
    *,
    expected: Mapping[str, str],
) -> list[str]:
    """Name the files that are missing or not as the manifest has them; it may be wrong itself."""
    wrong = [
        name
        for name, value in expected.items()
        if name not in files or sha256(files[name]).hexdigest() != value
    ]
    places = edition.fields.items()
    fitting = all(fits(files.get(name, b""), found) for name, found in places)
    if (
        _fingerprint(manifest) != manifest["edition"]
        or manifest["schema"] != _SCHEMA
        or not (wrong or fitting)
    ):
        wrong.append(MANIFEST)
    return wrong


def _edition(manifest: Mapping[str, Any], files: Mapping[str, bytes]) -> Edition:
    return Edition(
        key=IssueKey(manifest["issue"]),
        number=manifest["number"],
        slot=datetime.fromisoformat(manifest["slot"]),
        subject=manifest["subject"],
        preheader=manifest["preheader"],
        title=manifest["title"],
        summary=manifest["summary"],
        theme=manifest["theme"],
        tags=tuple(manifest["tags"]),
        items=tuple(_item(item, manifest.get("commits", {})) for item in manifest["items"]),
        files={name: files[name] for name in manifest["files"] if name in files},
        # An edition of before they were noted has the general values for everybody.
        fields={
            name: tuple(FieldPlace(**place) for place in places)
            for name, places in manifest.get("fields", {}).items()
        },
    )


def _item(told: Mapping[str, Any], commits: Mapping[str, str]) -> EditionItem:
    commit = commits.get(told.get("path", ""), "")
    return EditionItem(**{**told, "authors": tuple(told["authors"]), "commit": commit})


def material_from(kept: Kept) -> Material:
    """Give back the material of an edition from its kept inputs. Raise ContentError."""
    inputs = {
        name.removeprefix(_INPUTS): data
        for name, data in kept.files.items()
        if name.startswith(_INPUTS)
    }
    where = f"outbox/{kept.edition.key}/{_INPUTS}"
    try:
        context = json.loads(inputs["context.json"])
        newsletter, themes = newsletter_from(context["settings"])
        texts = {
            name.removeprefix("templates/"): data.decode()
            for name, data in inputs.items()
            if name.startswith("templates/")
        }
        return Material(
            issue=parse_issue(
                inputs["issue.md"],
                where=f"{where}issue.md",
                key=kept.edition.key,
                send=newsletter.send,
                zone=newsletter.zone,
            ),
            number=context["number"],
            newsletter=newsletter,
            themes=themes,
            sources={path: inputs[name] for name, path in context["summaries"].items()},
            options=ContentOptions(aliases=context["aliases"]),
            templates=TemplateSet(
                texts=texts, places={name: f"{where}templates/{name}" for name in texts}
            ),
            pictures=_pictures_from(context.get("pictures", {}), kept.files),
            commits=kept.manifest.get("commits", {}),
        )
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise ContentError(
            f"the kept inputs cannot be read ({error.__class__.__name__})",
            where=where,
            fix="put the folder back from a backup",
        ) from error


def read_sources(content: Path, paths: tuple[str, ...], *, root: Path) -> dict[str, bytes]:
    """Read the files of summaries: path in the content folder to bytes, in the order given."""
    return {path: read_bytes(on_disk(content, path), root=root) for path in paths}
