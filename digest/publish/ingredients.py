"""What an edition is made from, gathered: summaries, their pictures and commits, the look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from digest.content import Library
from digest.errors import IssueFileError, Problem
from digest.files import read_pictures
from digest.files.revision import last_commits
from digest.model import Issue, Picture, Summary
from digest.publish.editions import Material, read_sources
from digest.publish.project import Project

__all__ = ["material_of", "pictures_of"]


def material_of(project: Project, issue: Issue, library: Library, *, number: int) -> Material:
    """Gather the material of an issue from today's folder.

    Raise IssueFileError naming each of its items that no summary has.
    """
    summaries = _picked(project, issue, library)
    paths = tuple(summary.path for summary in summaries)
    pictures, _ = pictures_of(project, issue, summaries)
    return Material(
        issue=issue,
        number=number,
        newsletter=project.settings.newsletter,
        themes=project.themes(library.summaries),
        sources=read_sources(project.content, paths, root=project.root),
        options=project.options,
        templates=project.templates(),
        pictures=pictures,
        commits=_commits(project, paths),
    )


def pictures_of(
    project: Project, issue: Issue, summaries: Iterable[Summary]
) -> tuple[Mapping[str, Picture], Mapping[str, str]]:
    """Read the picture files that an issue names; give them, and why others cannot be shown.

    Both are by path in the content folder.
    """
    from digest.render.picture_paths import picture_paths  # noqa: PLC0415 - loads the parser

    newsletter = project.settings.newsletter
    named = [*picture_paths(issue.introduction, path="", newsletter=newsletter)]
    for summary in summaries:
        named += picture_paths(
            summary.summary or summary.body,
            path=summary.path,
            newsletter=newsletter,
            extra=summary.image.url if summary.image else "",
        )
    return read_pictures(project.content, dict.fromkeys(named), root=project.root)


def _commits(project: Project, paths: tuple[str, ...]) -> dict[str, str]:
    """Give the last commits of summaries' files, by path in the content folder."""
    folder = f"{project.settings.content.folder}/"
    places = [folder + path for path in paths]
    found = last_commits(project.root, places, environ=project.environ)
    return {place.removeprefix(folder): commit for place, commit in found.items()}


def _picked(project: Project, issue: Issue, library: Library) -> tuple[Summary, ...]:
    """Give the summaries of an issue in its order."""
    by_id = {summary.id: summary for summary in library.summaries}
    lost = [pick.id for pick in issue.items if pick.id not in by_id]
    if lost:
        file = project.shown(project.issue_file(issue.key))
        refill = f"`digest build {issue.key} --refill`"
        raise IssueFileError.of(
            tuple(
                Problem(
                    what=f"no summary has the id {item!r}",
                    where=file,
                    fix=f"put its file back, or run {refill} to take it out of `items`",
                )
                for item in lost
            )
        )
    return tuple(by_id[pick.id] for pick in issue.items)
