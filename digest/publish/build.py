"""Build an issue: pick where nobody has picked yet, render, and keep the edition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from digest.content import Library
from digest.errors import GuardError, UsageError
from digest.model import Edition, History, Issue, IssueKey, LeftOut, PastIssue, ThemeId
from digest.picking import Selection, Wish, pick, sent_before
from digest.publish.drafts import draft, frozen, placed
from digest.publish.editions import Kept, material_from
from digest.publish.project import Project, missing, past_of, taken_back
from digest.publish.wishes import filled, wish_of
from digest.publish.wording import theme_text

__all__ = ["Built", "build_issue", "drop_item"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What came of a build.

    `state` is `built`, `published` or `withdrawn` (nothing was done), or `skipped` (there is no
    issue; `skipped` says why and `issue` and `kept` are None). `passed_over` counts what a pick
    looked at and could not take, `taken_out` names what stood in the issue file and may not go out
    any more. `changed` names the files written, or, in a dry run, those that would be.
    """

    key: IssueKey
    state: str
    library: Library
    issue: Issue | None = None
    kept: Kept | None = None
    skipped: str = ""
    shortages: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    taken_out: tuple[LeftOut, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def edition(self) -> Edition | None:
        """Give the edition, where there is one."""
        return self.kept.edition if self.kept else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """What a build is about, and what is known when it begins."""

    project: Project
    key: IssueKey
    now: datetime
    dry_run: bool
    library: Library
    history: History

    @property
    def out(self) -> PastIssue | None:
        """Give what was published under the key; None where nothing was."""
        return past_of(self.history, self.key)


def _task(project: Project, key: IssueKey, *, now: datetime, dry_run: bool) -> _Task:
    library = project.library(write_cache=not dry_run)
    return _Task(
        project=project,
        key=key,
        now=now,
        dry_run=dry_run,
        library=library,
        history=project.history(library),
    )


def build_issue(
    project: Project,
    key: IssueKey,
    *,
    now: datetime,
    theme: ThemeId | None = None,
    refill: bool = False,
    dry_run: bool = False,
) -> Built:
    """Build one issue into its outbox folder; what is public does not change.

    Its summaries are picked where no issue file names some. With `refill` those in the file that
    may not go out any more are taken out of it, and free places are filled by the rules.
    Summaries whose files cannot be read are left out and reported in the library's problems.
    Raise IssueFileError for one that names a summary nobody has, GuardError for a theme asked for
    after the picking.
    """
    with project.writing(dry_run=dry_run):
        task = _task(project, key, now=now, dry_run=dry_run)
        issue = project.issue(key)
        if task.out:
            _refuse_theme_of_published(task.out, theme)
            return _published(task, task.out)
        if issue is not None and issue.skip:
            by_hand = f"skipped by hand: {issue.skip}"
            return Built(key=key, state="skipped", library=task.library, skipped=by_hand)
        _refuse_other_theme(project, issue, theme)
        if issue is None:
            selection = _pick(task, Wish(theme=theme))
        elif refill or not issue.picked:
            wish = wish_of(project, issue, task.library)
            selection = _into(issue, _pick(task, replace(wish, theme=theme or wish.theme)))
        else:
            selection = Selection(issue=issue, shortages=(), skipped="", scores=())
        return _built(task, selection, before=issue)


def drop_item(
    project: Project, key: IssueKey, dropped: LeftOut, *, now: datetime, dry_run: bool = False
) -> Built:
    """Take a summary out of an issue that is not out yet, and fill its place by the rules.

    It is free for other issues, and no rule puts it back into this one. As with a refill, what
    else is in the issue and may not go out any more is taken out, too. Raise UsageError where the
    issue does not hold it, GuardError where it holds nothing else or is published.
    """
    with project.writing(dry_run=dry_run):
        task = _task(project, key, now=now, dry_run=dry_run)
        before = _holding(task, dropped.id)
        issue = replace(
            before,
            items=tuple(one for one in before.items if one.id != dropped.id),
            dropped=(*(one for one in before.dropped if one.id != dropped.id), dropped),
        )
        # Its place is filled, not those that people left free.
        wish = replace(wish_of(project, issue, task.library), room=len(before.items))
        selection = _into(issue, _pick(task, wish))
        if selection.issue is None:
            raise GuardError(
                f"would hold nothing else: {selection.skipped}",
                where=project.shown(project.issue_file(key)),
                fix=f"`digest skip {key}` leaves the week out",
            )
        return _built(task, selection, before=issue)


def _holding(task: _Task, name: str) -> Issue:
    """Give the issue that is to lose an item, as its file says it; raise where it must not."""
    project, key = task.project, task.key
    issue, file = project.issue(key), project.shown(project.issue_file(key))
    if task.out and task.out.withdrawn:
        raise taken_back(key)
    if task.out:
        raise GuardError(
            "is published, and never changes",
            where=key,
            fix=f"`digest withdraw {key}` takes it back as a whole",
        )
    if issue is not None and issue.skip:
        raise GuardError(
            f"is skipped: {issue.skip}",
            where=file,
            fix=f"run `digest skip {key} --release` first",
        )
    if issue is None or not issue.picked:
        raise missing("items", key, f"run `digest build {key}` first")
    if name not in {one.id for one in issue.items}:
        raise UsageError(
            f"does not hold {name!r}",
            where=file,
            fix="its items are " + ", ".join(one.id for one in issue.items),
        )
    return issue


def _refuse_theme_of_published(out: PastIssue, theme: ThemeId | None) -> None:
    if theme is not None and theme != out.theme:
        raise GuardError(
            f"is published, with the theme {theme_text(out.theme)}",
            where=out.key,
            fix="a published issue never changes; leave --theme out",
        )


def _refuse_other_theme(project: Project, issue: Issue | None, theme: ThemeId | None) -> None:
    if issue is None or theme is None or theme == issue.theme:
        return
    if issue.picked or issue.theme:
        done = "is already picked, with" if issue.picked else "asks for"
        raise GuardError(
            f"{done} the theme {theme_text(issue.theme)}",
            where=project.shown(project.issue_file(issue.key)),
            fix="edit its `theme` and `items`, or remove the file and build again",
        )


def _pick(task: _Task, wish: Wish) -> Selection:
    project = task.project
    return pick(
        project.due(task.key, task.now),
        task.library.summaries,
        themes=project.settings.themes,
        history=task.history,
        policy=project.settings.policy,
        wish=wish,
    )


def _into(issue: Issue, selection: Selection) -> Selection:
    """Put what was picked, where something was, into what people wrote."""
    picked = selection.issue
    return replace(selection, issue=filled(issue, picked)) if picked else selection


def _built(task: _Task, selection: Selection, *, before: Issue | None) -> Built:
    """Render and keep what was picked, where something was."""
    project = task.project
    stood = {one.id for one in before.items} if before else set()
    told = Built(
        key=task.key,
        state="skipped",
        library=task.library,
        issue=selection.issue,
        skipped=selection.skipped,
        shortages=selection.shortages,
        passed_over=selection.passed_over,
    )
    if selection.issue is None:
        return told
    issue = _marked(task, placed(project, selection.issue, task.library))
    kept, changed = draft(project, issue, task.library, history=task.history, dry_run=task.dry_run)
    return replace(
        told,
        state="built",
        issue=issue,
        kept=kept,
        taken_out=tuple(one for one in issue.left_out if one.id in stood),
        changed=changed,
    )


def _marked(task: _Task, issue: Issue) -> Issue:
    """Mark what goes out again with the issue that held it, and nothing else, whoever put it in."""
    project = task.project
    before = sent_before(
        task.library.summaries,
        slot=project.due(task.key, task.now),
        themes=project.settings.themes,
        history=task.history,
        policy=project.settings.policy,
    )
    items = tuple(replace(item, repeat=before.get(item.id, "")) for item in issue.items)
    return replace(issue, items=items)


def _published(task: _Task, past: PastIssue) -> Built:
    kept = frozen(task.project, past, task.library, dry_run=task.dry_run)
    # Where its issue file is gone, the edition remembers it.
    issue = task.project.issue(past.key) or material_from(kept).issue
    state = "withdrawn" if past.withdrawn else "published"
    return Built(key=past.key, state=state, library=task.library, issue=issue, kept=kept)
