"""Build an edition again from its kept inputs and compare every byte."""

from __future__ import annotations

from dataclasses import dataclass

from digest.errors import DigestError, UsageError
from digest.model import IssueKey, is_issue_key
from digest.publish.editions import (
    MANIFEST,
    Kept,
    keep,
    material_from,
    read_kept,
    tool_versions,
)
from digest.publish.project import Project

__all__ = ["Verified", "editions_kept", "hashes_published", "verify_issue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Whether an edition was built again to the same bytes.

    `identical` is None where bytes differ and so do the tools: then nothing is proved. `tools`
    names each tool with the version of then and the one of now, where they differ.
    """

    key: IssueKey
    identical: bool | None
    differences: tuple[str, ...]
    tools: tuple[tuple[str, str, str], ...]


def verify_issue(project: Project, key: IssueKey) -> Verified:
    """Verify one edition. Raise FilesError where its folder no longer holds what it held."""
    folder = project.folder(key)
    if not folder.is_dir():
        if key in hashes_published(project):
            gone = ("its folder in the outbox is gone",)
            return Verified(key=key, identical=False, differences=gone, tools=())
        raise UsageError(f"{key} has no edition yet", fix=f"run `digest build {key}` first")
    kept = read_kept(folder, root=project.root)
    recorded = hashes_published(project).get(key, kept.fingerprint)
    if recorded != kept.fingerprint:
        other = (f"not the edition that was published, {recorded[:12]}",)
        return Verified(key=key, identical=False, differences=other, tools=())
    differences, tools = _differences(kept), _tools(kept)
    return Verified(
        key=key,
        identical=None if differences and tools else not differences,
        differences=differences,
        tools=tools,
    )


def hashes_published(project: Project) -> dict[IssueKey, str]:
    """Give the hash of each published edition, from the database and from the seals."""
    seals = {key: issue.seal for key, issue in project.issues().items()}
    return {
        **{key: seal.edition for key, seal in seals.items() if seal is not None},
        **{past.key: past.edition for past in project.stored()},
    }


def _differences(kept: Kept) -> tuple[str, ...]:
    try:
        again = keep(material_from(kept))
    except DigestError as error:
        # A look of then may ask for what the program of now calls otherwise.
        return tuple(f"not built: {problem.brief}" for problem in error.problems)
    differences = tuple(
        name
        for name in sorted({*kept.edition.files, *again.edition.files})
        if kept.edition.files.get(name) != again.edition.files.get(name)
    )
    if kept.fingerprint != again.fingerprint and not differences:
        return (MANIFEST,)
    return differences


def _tools(kept: Kept) -> tuple[tuple[str, str, str], ...]:
    then, now = kept.manifest.get("tools", {}), tool_versions()
    return tuple(
        (name, str(then.get(name, "absent")), now.get(name, "absent"))
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    )


def editions_kept(project: Project) -> tuple[IssueKey, ...]:
    """Name the issues that have an edition in the outbox, or should have one, oldest first."""
    folders = project.outbox.glob("*/") if project.outbox.is_dir() else ()
    there = {IssueKey(folder.name) for folder in folders if is_issue_key(folder.name)}
    return tuple(sorted(there | set(hashes_published(project))))
