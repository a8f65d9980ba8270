"""Every error that Digest raises on purpose, and the exit code it stands for.

    DigestError                 70  base; alone it means a bug
    ├── UsageError               2  a wrong command, option or argument
    │   ├── ConfigError          2  a wrong setting
    │   ├── IssueFileError       2  an issue file that says what cannot be done; nothing is done
    │   └── TemplateError        2  a template that cannot be rendered
    ├── ContentError             1  a file of the content folder that cannot be read
    ├── GuardError               4  a guard said no: nothing was changed
    ├── FilesError               6  a file or folder that cannot be read or written
    ├── StoreError               6  a database that cannot be opened, read or written
    ├── TransportError           6  a relay or outbox that took nothing
    │   └── TransportBusyError   6  the same, but it may take it in a while
    └── LockError                7  another `digest` works on this newsletter

Each carries one or more problems, all of a kind at once; a problem says what is wrong, where,
and what to do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = [
    "ConfigError",
    "ContentError",
    "DigestError",
    "FilesError",
    "GuardError",
    "IssueFileError",
    "LockError",
    "Problem",
    "StoreError",
    "TemplateError",
    "TransportBusyError",
    "TransportError",
    "UsageError",
]


_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Say what is wrong, where (`file:line` or the key of a setting), and what to do."""

    what: str
    where: str = ""
    fix: str = ""

    @property
    def brief(self) -> str:
        """Say it on one clean line, without what to do."""
        told = f"{self.where}: {self.what}" if self.where else self.what
        return _CONTROL.sub("", " ".join(told.split()))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        cure = f"\n  {self.fix}" if self.fix else ""
        return f"{place}{self.what}{cure}"


class DigestError(Exception):
    """Stop the command; `exit_code` is what the shell sees."""

    exit_code = 70

    def __init__(self, what: str = "", *, where: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.problems: tuple[Problem, ...] = (Problem(what=what, where=where, fix=fix),)

    @classmethod
    def of(cls, problems: tuple[Problem, ...]) -> DigestError:
        """Gather problems of one kind into one error, in the order given; at least one."""
        error = cls(problems[0].what)
        error.problems = problems
        return error

    @property
    def brief(self) -> str:
        """Say all problems on one clean line, without what to do."""
        return "; ".join(problem.brief for problem in self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class UsageError(DigestError):
    """A wrong command, option or argument."""

    exit_code = 2


class ConfigError(UsageError):
    """A wrong setting."""


class IssueFileError(UsageError):
    """An issue file that says what cannot be done; nothing is done without it."""


class TemplateError(UsageError):
    """A template that cannot be rendered."""


class ContentError(DigestError):
    """A file of the content folder that cannot be read."""

    exit_code = 1


class GuardError(DigestError):
    """A guard said no; nothing was changed."""

    exit_code = 4


class FilesError(DigestError):
    """A file or folder that cannot be read or written; safe to repeat once mended."""

    exit_code = 6


class StoreError(DigestError):
    """A database that cannot be opened, read or written; safe to repeat once mended."""

    exit_code = 6


class TransportError(DigestError):
    """A relay or an outbox that took nothing of what was to be handed over; safe to repeat."""

    exit_code = 6


class TransportBusyError(TransportError):
    """A relay that took nothing now and may take it in a while: 4xx, or a lost connection."""


class LockError(DigestError):
    """Another `digest` works on this newsletter."""

    exit_code = 7
