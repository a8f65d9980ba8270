"""What is checked, and what a check says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from digest.checks.page import Page
from digest.model import Edition, History, Issue, LinkState, Newsletter, Picture, Summary

__all__ = ["Find", "Finding", "Hit", "Level", "Material", "Rule", "Seen", "stopping"]

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing an editor must know before a send.

    `path` is relative to the newsletter's folder, empty where there is no place; `line` counts
    from 1 and is 0 where there is none.
    """

    rule: str
    level: Level
    path: str
    line: int
    message: str

    @property
    def place(self) -> str:
        """Write the place as `path:line`, or as much of it as is known."""
        return f"{self.path}:{self.line}" if self.line else self.path


def stopping(findings: Iterable[Finding], *, strict: bool) -> tuple[Finding, ...]:
    """Give the findings that stop an issue: errors, and warnings too where it is `strict`."""
    stops = {"error", "warning"} if strict else {"error"}
    return tuple(finding for finding in findings if finding.level in stops)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """An issue as rendered, with all it was made from.

    `summaries` are held by id. `content_folder` and `settings_file` are relative to the
    newsletter's folder, `issues_folder` to the content folder. `pictures` are the issue's own, by
    their path in the content folder; `broken` says of others why they cannot be shown. `links` says
    how targets of links answered; empty where nobody asked. `support` are the features of HTML and
    CSS that the look uses although mail programs lack them. `audience` counts to how many the last
    issue was sent; None where none was. `at` is the moment the issue goes out, its slot where not
    given.
    `already` says of summaries, by id, in which issue they were or are before this one.
    `readers` counts those who are active; None where the newsletter never had one.
    """

    issue: Issue
    edition: Edition
    summaries: Mapping[str, Summary]
    newsletter: Newsletter
    history: History = ()
    content_folder: str = "content"
    issues_folder: str = "issues"
    settings_file: str = "digest.toml"
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, LinkState] = field(default_factory=dict)
    support: frozenset[str] = frozenset()
    audience: int | None = None
    already: Mapping[str, str] = field(default_factory=dict)
    at: datetime | None = None
    readers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A place where a rule is broken; a `level` of its own stands above that of the rule."""

    path: str
    message: str
    line: int = 1
    level: Level | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What rules look at: the material, the mail in HTML and text, and what the HTML parts hold.

    `mail` is that HTML as read, `page` the issue's page on the site, `entry` the body of its feed
    entry.
    """

    material: Material
    html: str
    text: str
    mail: Page
    page: Page
    entry: Page

    @property
    def issue_file(self) -> str:
        """Give the path of the issue file."""
        material = self.material
        return f"{material.content_folder}/{material.issues_folder}/{material.issue.key}.md"

    def edition_file(self, name: str) -> str:
        """Give the path of a file of the edition."""
        return f"outbox/{self.material.edition.key}/{name}"

    def summary_file(self, summary: Summary) -> str:
        """Give the path of a summary."""
        return f"{self.material.content_folder}/{summary.path}"

    def items(self) -> Iterator[Summary]:
        """Give the summaries of the issue, in its order, without those that are not there."""
        for item in self.material.issue.items:
            summary = self.material.summaries.get(item.id)
            if summary is not None:
                yield summary


Find = Callable[[Seen], Iterator[Hit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule: what it looks for, why that matters, what to do, and the function that looks.

    `about` names what it judges: what a look makes of any issue, so that it is asked of a look on
    trial too; what this issue says; or the send that is to come.
    """

    id: str
    level: Level
    about: Literal["look", "issue", "send"]
    title: str
    why: str
    fix: str
    find: Find
