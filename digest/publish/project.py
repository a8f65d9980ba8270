"""One newsletter on disk: its settings, content, issue files, database and outbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from digest.config import Settings, read_password
from digest.content import ContentOptions, Library, load_issue, load_library
from digest.errors import (
    ContentError,
    DigestError,
    GuardError,
    IssueFileError,
    Problem,
    UsageError,
)
from digest.files import project_lock, read_templates, settle_folders, sweep
from digest.model import (
    History,
    Issue,
    IssueKey,
    PastIssue,
    Seal,
    Send,
    Slot,
    Summary,
    Theme,
    is_issue_key,
    issue_key,
    slugify,
)
from digest.picking import themes_in_order
from digest.publish.remembered import past_items, remembered
from digest.render import TemplateSet
from digest.store import open_store, store_exists

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["Known", "Project", "editing", "missing", "past_of", "taken_back"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What folders and database tell of all issues, read at one time.

    `issues` are the issue files; `history` and `readers` are as `Project` gives them.
    """

    library: Library
    issues: Mapping[IssueKey, Issue]
    history: History
    sends: tuple[Send, ...]
    readers: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The things of one newsletter, read when asked for; nothing is kept between two questions.

    `environ` is what programs are run with; without a PATH in it none is found.
    """

    settings: Settings
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def root(self) -> Path:
        """Give the folder that holds `digest.toml`."""
        return self.settings.root

    @property
    def content(self) -> Path:
        """Give the folder of the summaries."""
        return self.root / self.settings.content.folder

    @property
    def outbox(self) -> Path:
        """Give the folder of the editions and of the site."""
        return self.root / "outbox"

    @property
    def private(self) -> Path:
        """Give the folder of the database and of the lock."""
        return self.root / "private"

    @property
    def options(self) -> ContentOptions:
        """Give what the reader of the content folder needs to know."""
        content = self.settings.content
        return ContentOptions(
            issues=content.issues,
            include=content.include,
            exclude=content.exclude,
            aliases=content.aliases,
        )

    def issue_file(self, key: IssueKey) -> Path:
        """Give the place of an issue file."""
        return self.content / self.settings.content.issues / f"{key}.md"

    def folder(self, key: IssueKey) -> Path:
        """Give the place of an edition."""
        return self.outbox / key

    def shown(self, path: Path) -> str:
        """Write a path for people: relative to the newsletter's folder."""
        return path.relative_to(self.root).as_posix()

    def library(self, *, write_cache: bool = False) -> Library:
        """Read all summaries; files that cannot be read are its problems."""
        return load_library(
            self.content,
            root=self.root,
            zone=self.settings.newsletter.zone,
            options=self.options,
            cache=self.private / "cache" / "summaries.json",
            write_cache=write_cache,
        )

    def issue(self, key: IssueKey) -> Issue | None:
        """Read an issue file; None where there is none. Raise IssueFileError."""
        file = self.issue_file(key)
        if not file.is_file():
            return None
        newsletter = self.settings.newsletter
        try:
            return load_issue(file, root=self.root, send=newsletter.send, zone=newsletter.zone)
        except ContentError as error:
            raise IssueFileError.of(error.problems) from error

    def issues(self) -> dict[IssueKey, Issue]:
        """Read all issue files, by key; raise IssueFileError with what is wrong in all of them.

        Without one of them nobody knows which summaries are taken, and what is held.
        """
        folder = self.content / self.settings.content.issues
        found: dict[IssueKey, Issue] = {}
        problems: list[Problem] = []
        for file in sorted(folder.glob("[!.]*.md")) if folder.is_dir() else ():
            key = IssueKey(file.stem)
            try:
                if not is_issue_key(key):
                    raise _no_name(self.shown(file))
                issue = self.issue(key)
            except IssueFileError as error:
                problems += error.problems
                continue
            if issue is not None:
                found[key] = issue
        if problems:
            raise IssueFileError.of(tuple(problems))
        return found

    def slot(self, key: IssueKey) -> Slot:
        """Give the moment an issue is due."""
        newsletter = self.settings.newsletter
        return newsletter.send.slot(key, newsletter.zone)

    def due(self, key: IssueKey, now: datetime) -> Slot:
        """Give the slot to pick for: of an issue that is late, the present moment counts.

        So what was written after Monday's slot can be in an issue that is built on Wednesday.
        """
        slot = self.slot(key)
        return replace(slot, at=max(slot.at, now.astimezone(self.settings.newsletter.zone)))

    def key(self, text: str | None, *, now: datetime, extra: str = "") -> IssueKey:
        """Read the name of an issue, any letter case; None means the week of `now`.

        `extra` names a second issue of that week. Raise UsageError for a text that names no week.
        """
        if text is None:
            return issue_key(now, self.settings.newsletter.zone, extra)
        lowered = text.strip().lower() + (f"-{slugify(extra)}" if extra else "")
        if not is_issue_key(lowered):
            raise UsageError(
                f"{text!r} names no issue",
                fix=f"write the ISO week, such as {self.key(None, now=now)}",
            )
        return IssueKey(lowered)

    def themes(self, summaries: tuple[Summary, ...]) -> tuple[Theme, ...]:
        """Give the declared themes, then those that files name, then `other`."""
        return themes_in_order(self.settings.themes, summaries)

    def templates(self) -> TemplateSet:
        """Read the look: the shipped one, overlaid by the newsletter's own."""
        return read_templates(self.root, look=self.settings.look)

    @contextmanager
    def ledger(self) -> Iterator[Store | None]:
        """Open the database to read it; None where there is none yet. Raise StoreError."""
        url, name = self.settings.store_url, self.settings.store_name
        if not store_exists(url, shown=name, password=self._store_password):
            yield None
            return
        with open_store(url, read_only=True, shown=name, password=self._store_password) as store:
            yield store

    def opened(self) -> Store:
        """Open the database to write to it, and make it where there is none. Raise StoreError."""
        url, name = self.settings.store_url, self.settings.store_name
        return open_store(url, create=True, shown=name, password=self._store_password)

    def _store_password(self) -> str:
        """Give the password of the database, empty without one. Raise ConfigError."""
        source = self.settings.store_password
        if source is None:
            return ""
        return read_password(source, root=self.root, environ=self.environ).reveal()

    def stored(self) -> History:
        """Give the published issues that the database knows; empty where there is none yet."""
        with self.ledger() as store:
            return store.history() if store else ()

    def readers(self) -> int | None:
        """Count the active readers; None where the newsletter never had one."""
        with self.ledger() as store:
            return _readers(store)

    def known(self) -> Known:
        """Read all that is known; the database is opened once. Raise IssueFileError, StoreError."""
        library = self.library()
        with self.ledger() as store:
            stored = store.history() if store else ()
            sends = store.deliveries.sends() if store else ()
            readers = _readers(store)
        issues = self.issues()
        return Known(
            library=library,
            issues=issues,
            history=self._history(library, stored, issues),
            sends=sends,
            readers=readers,
        )

    def history(self, library: Library) -> History:
        """Give all issues that have taken summaries, oldest first.

        Published ones come from the database; where it does not know one, or not that it was taken
        back, from the seal of its issue file. Issue files without a seal reserve their summaries,
        once they name some.
        """
        return self._history(library, self.stored(), self.issues())

    def _history(
        self, library: Library, stored: History, issues: Mapping[IssueKey, Issue]
    ) -> History:
        known = {past.key: past for past in stored}
        by_id = {summary.id: summary for summary in library.summaries}
        for key, issue in issues.items():
            if key in known:
                known[key] = _taken_back(known[key], issue.seal)
            # One that is skipped or not picked yet holds nothing.
            elif issue.seal or (issue.picked and not issue.skip):
                known[key] = self._past(issue, by_id)
        return tuple(sorted(known.values(), key=lambda past: (past.at, past.key)))

    def _past(self, issue: Issue, by_id: Mapping[str, Summary]) -> PastIssue:
        seal = issue.seal
        if seal is None:
            items = past_items(issue, by_id)
            return PastIssue(
                key=issue.key, at=issue.slot.at, theme=issue.theme, items=items, published=False
            )
        newsletter = self.settings.newsletter
        kept = remembered(
            self.folder(issue.key), site_url=newsletter.site_url, zone=newsletter.zone
        )
        return PastIssue(
            key=issue.key,
            at=seal.at,
            theme=issue.theme,
            items=kept or past_items(issue, by_id),
            published=True,
            number=seal.number,
            edition=seal.edition,
            withdrawn=seal.withdrawn,
            freed=_freed(seal),
        )

    @contextmanager
    def writing(self, *, dry_run: bool = False) -> Iterator[None]:
        """Hold the newsletter's lock while it is written to; a dry run holds nothing."""
        if dry_run:
            yield
        else:
            with project_lock(self.private):
                issues = self.content / self.settings.content.issues
                sweep(self.private, self.private / "cache", self.content, issues)
                sweep(self.outbox / "site")
                settle_folders(self.outbox, root=self.root, keep=("messages",))
                yield

    def number(self, history: History) -> int:
        """Give the number that the next published issue gets."""
        taken = [past.number for past in history if past.published]
        first = self.settings.newsletter.first_number
        return max([first + len(taken), *(number + 1 for number in taken)])


def _taken_back(past: PastIssue, seal: Seal | None) -> PastIssue:
    """Add that an issue was taken back, where a database that is an old copy does not know it."""
    if past.withdrawn is not None or seal is None or seal.edition != past.edition:
        return past
    return replace(past, withdrawn=seal.withdrawn, freed=_freed(seal))


def _freed(seal: Seal) -> bool:
    """Tell whether an issue was taken back before any mail of it went out."""
    return seal.withdrawn is not None and seal.sent is None


def _readers(store: Store | None) -> int | None:
    return store.readers.count("active") if store and store.readers.ever() else None


def _no_name(where: str) -> IssueFileError:
    return IssueFileError(
        "is no issue's name, so nothing in it would count",
        where=where,
        fix="name the file after its ISO week, in small letters, such as 2026-w49.md",
    )


@contextmanager
def editing(project: Project, key: IssueKey) -> Iterator[None]:
    """Say of a header that lines cannot be put into which issue file has it."""
    try:
        yield
    except ContentError as error:
        where = project.shown(project.issue_file(key))
        told = tuple(replace(problem, where=where) for problem in error.problems)
        raise IssueFileError.of(told) from error


def past_of(history: History, key: IssueKey) -> PastIssue | None:
    """Give what was published under a key; None where nothing was."""
    return next((past for past in history if past.key == key and past.published), None)


def taken_back(where: str) -> DigestError:
    """Make the error for what an issue that was withdrawn is asked to do."""
    return GuardError(
        "was withdrawn, and does not come back",
        where=where,
        fix="put what it held into another issue",
    )


def missing(what: str, key: IssueKey, fix: str) -> DigestError:
    """Make the error for an issue that is not there yet."""
    return UsageError(f"{key} has no {what} yet", fix=fix)
