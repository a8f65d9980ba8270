"""What the pages of the desk show: plain values, ready for a template."""

from __future__ import annotations

from dataclasses import dataclass

from digest.desk.words import WORDS
from digest.errors import Problem
from digest.model import Theme
from digest.publish.editions import Kept
from digest.publish.plan_shown import PlanShown
from digest.publish.wording import count_text

__all__ = ["Bar", "Checked", "FindingLine", "Header", "Home", "IssueLine", "IssuePage", "ItemLine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What holds whatever form of the issue is looked at.

    `state` is the word of the program, `state_word` the one people read. `when` says what happens
    or happened `at`, and `wait` how far off that is. `next` is the command that comes next. `hold`
    is a reason, `skipped` a sentence; either is empty where nothing keeps the issue back.
    """

    state: str
    state_word: str
    number: str
    when: str
    at: str
    wait: str
    readers: str
    transport: str
    next: str
    hold: str
    skipped: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLine:
    """One item of the issue.

    `theme` is None where it is the issue's own. `path` is the file of its summary, empty where that
    is gone.
    """

    place: int
    title: str
    url: str
    theme: Theme | None
    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingLine:
    """One finding; `anchor` is the place on the page that it is about, empty where none is."""

    rule: str
    title: str
    message: str
    place: str
    anchor: str
    why: str
    fix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The outcome of the checks: the levels by name, worst first, and the rules that are content.

    `passed` and `left_out` hold id and title of rules. `failed` says why there was no check.
    """

    levels: tuple[tuple[str, tuple[FindingLine, ...]], ...] = ()
    passed: tuple[tuple[str, str], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    failed: tuple[Problem, ...] = ()

    @property
    def found(self) -> bool:
        """Tell whether anything was found."""
        return any(findings for _, findings in self.levels)

    @property
    def told(self) -> str:
        """Say in a few words what came of the checks."""
        if self.failed:
            return WORDS["checks_failed"]
        counts = [count_text(len(found), WORDS[level]) for level, found in self.levels if found]
        return ", ".join(counts) or WORDS["checks_clean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """One field of the mail's header, decoded for people."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuePage:
    """An issue with its edition.

    `sender` and `address` are what its mail comes from. `facts` are short; `warning` is what they
    do not say calmly. `moved` names what was saved after the edition was built. `problems` are
    files of the content folder that were left aside.
    """

    key: str
    title: str
    bar: Bar
    kept: Kept
    sender: str
    address: str
    facts: tuple[str, ...]
    warning: str
    theme: str
    theme_reason: str
    items: tuple[ItemLine, ...]
    left_out: tuple[tuple[str, str], ...]
    moved: tuple[str, ...]
    checked: Checked
    settings_file: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueLine:
    """One issue in the list of all; `title` is why there is none where it is skipped."""

    key: str
    number: str
    title: str
    at: str
    wait: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """What is coming, and all issues by their states, what comes first on top."""

    plan: PlanShown
    groups: tuple[tuple[str, str, tuple[IssueLine, ...]], ...]
    problems: tuple[Problem, ...]
