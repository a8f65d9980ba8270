"""Settings read one by one: what each must be, what was wrong, what was never asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

from digest.config.secret import plain_secrets
from digest.config.sources import Raw
from digest.config.values import Wrong, nearest, shown, shown_key
from digest.errors import Problem

__all__ = ["Effective", "Reading"]

T = TypeVar("T")
_DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effective:
    """One setting in force: its value as TOML, and where it came from.

    `origin` is `default`, `digest.toml:12`, `DIGEST_SITE__URL` or `--set`.
    """

    key: str
    value: str
    origin: str


class Reading:
    """Takes settings out of what was given, and gathers the problems instead of stopping."""

    def __init__(self, raws: Mapping[str, Raw], *, file: str) -> None:
        self.effective: list[Effective] = []
        self._raws = raws
        self._file = file
        self._problems: list[Problem] = []
        self._faulty: set[str] = set()
        self._asked: dict[str, None] = {}
        self._sections: dict[str, None] = {}
        self._tables: dict[str, None] = {}
        # Sections of which enough was said already.
        self._settled: set[str] = set()

    def given(self, key: str) -> bool:
        """Tell whether a key was given, rather than left to its default."""
        return key in self._raws

    def faulty(self, *keys: str) -> bool:
        """Tell whether one of some keys was complained of: then what follows from it is not."""
        return not self._faulty.isdisjoint(keys)

    def take(self, key: str, check: Callable[[object], T], default: object) -> T:
        """Give the checked value of a key, else the checked default."""
        self._asked[key] = None
        self._sections[_section(key)] = None
        raw = self._raws.get(key)
        value = check(default)
        if raw is not None:
            try:
                value = _checked(raw, check)
            except Wrong as wrong:
                for one in wrong.all:
                    self.complain(key, str(one), fix=one.fix, member=one.key)
        self._note(key, value, raw or Raw(value=default, origin=_DEFAULT))
        return value

    def need(self, key: str, check: Callable[[object], T], example: str) -> T:
        """Give the checked value of a key; complain and give the example where it is missing."""
        if key not in self._raws:
            section, _, name = key.rpartition(".")
            header = "[[theme]]" if section.startswith("theme[") else f"[{section}]"
            self.complain(key, "is missing", fix=f"add `{name} = {shown(example)}` below {header}")
        return self.take(key, check, example)

    def tables(self, section: str) -> int:
        """Give how many tables an array of tables has; complain where it is none."""
        self._asked[section] = None
        self._sections[section] = None
        raw = self._raws.get(section)
        if raw is None:
            return 0
        if not isinstance(raw.value, list) or not all(isinstance(t, dict) for t in raw.value):
            self._settled.add(section)
            self.complain(section, "must be tables", fix=f"write [[{section}]] above each")
            return 0
        return len(raw.value)

    def table(self, key: str) -> None:
        """Expect a table inside a section; complain where it is none."""
        self._tables[key] = None
        raw = self._raws.get(key)
        if raw is not None and not isinstance(raw.value, dict):
            self.complain(key, "must be a table", fix=f"write [{key}] above its keys")

    def refuse(self, section: str, what: str, *, fix: str) -> None:
        """Complain once of a section that cannot be used yet, at the first key given in it."""
        given = [path for path in self._raws if _section(path) == section]
        if given:
            self._settled.add(section)
            self.complain(next((path for path in given if "." in path), section), what, fix=fix)

    def complain(self, key: str, what: str, *, fix: str = "", member: str = "") -> None:
        """Note a problem with a key, or a member of its table, at the place its value came from."""
        round_it = self._raws.get(key) or self._raws.get(key.rpartition(".")[0])
        origin = round_it.members.get(member, round_it.origin) if round_it else self._file
        self._faulty.add(key)
        self._problems.append(Problem(what=f"{shown_key(key)} {what}", where=origin, fix=fix))

    def problems(self) -> tuple[Problem, ...]:
        """Give all problems; keys that were given and never asked for are such, too."""
        secret = {
            found: raw
            for path, raw in self._raws.items()
            for found in plain_secrets(path, raw.value)
        }
        for path, raw in secret.items():
            self._problems.append(
                Problem(
                    what=f"{shown_key(path)} holds a secret in plain text",
                    where=raw.origin,
                    fix="use password_env, password_file or password_command instead",
                )
            )
        for path in self._raws:
            if path not in {*self._asked, *self._tables, *secret}:
                self._stray(path, _section(path))
        return tuple(sorted(self._problems, key=self._place))

    def _place(self, problem: Problem) -> tuple[bool, int]:
        """Sort what the file says by its lines, and the rest after it."""
        number = problem.where.rpartition(":")[2]
        return not problem.where.startswith(self._file), int(number) if number.isdecimal() else 0

    def _stray(self, path: str, section: str) -> None:
        """Complain of a key that no one asked for; of an unknown section once."""
        if section in self._settled:
            return
        if section not in self._sections:
            self._settled.add(section)
            near = nearest(section, self._sections)
            near = f"[{near}]" if near else self._nearest(path)
            self._unknown(path, near, f"the sections are {', '.join(self._sections)}")
        elif "." in path:
            self._unknown(path, self._nearest(path), self._known(path, section))
        elif path == section and not isinstance(self._raws[path].value, dict):
            self._settled.add(section)
            self.complain(path, "must be a table", fix=f"write [{section}] above its keys")

    def _known(self, path: str, section: str) -> str:
        """Name the keys of the table round a path, or of its section where that has none."""
        table = path.rpartition(".")[0]
        inside = [key for key in self._asked if key.rpartition(".")[0] == table]
        if not inside:
            table, inside = section, [key for key in self._asked if _section(key) == section]
        names = dict.fromkeys(key.rpartition(".")[2] for key in inside)
        return f"[{table.partition('[')[0]}] has {', '.join(names)}"

    def _nearest(self, path: str) -> str:
        """Give the known key most like a path: in its own table first, then by its last part."""
        table, _, name = path.rpartition(".")
        # A list of tables, or a table that is one value, has no keys of its own.
        if table in self._asked:
            return table
        known = [*self._asked, *self._tables]
        # Reversed, so that of two keys of one name the first counts.
        anywhere = {key.rpartition(".")[2]: key for key in reversed(known)}
        inside = {key.rpartition(".")[2]: key for key in known if key.rpartition(".")[0] == table}
        for names in (inside, anywhere):
            if near := nearest(name, names):
                return names[near]
        # What the paths of one table share says nothing.
        return "" if table and inside else nearest(path, known)

    def _unknown(self, path: str, near: str, known: str) -> None:
        self.complain(path, "is no setting", fix=f"did you mean {near}?" if near else known)

    def _note(self, key: str, value: object, raw: Raw) -> None:
        # As checked where TOML can say that, so that what is shown can be set again.
        plain = raw.value is not False and (isinstance(value, int) or _of_texts(value))
        text = shown(value if plain else raw.value)
        self.effective.append(Effective(key=key, value=text, origin=raw.origin))


def _of_texts(value: object) -> bool:
    """Tell whether a value is a text, or a list or a table of such."""
    if isinstance(value, (tuple, dict)):
        members = value.values() if isinstance(value, dict) else value
        return all(isinstance(member, str) for member in members)
    return isinstance(value, str)


def _checked(raw: Raw, check: Callable[[object], T]) -> T:
    try:
        return check(raw.value)
    except Wrong as wrong:
        first = wrong
    # `--set newsletter.name=1984` means the text: only the check knows what is wanted.
    if raw.text is not None and not isinstance(raw.value, (str, bool)):
        with suppress(Wrong):
            return check(raw.text)
    raise first


def _section(path: str) -> str:
    return path.partition(".")[0].partition("[")[0]
