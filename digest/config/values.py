"""What a value may be: each function takes any value and gives the right one, or raises Wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Final, TypeVar
from unicodedata import category

from digest.model import clean_line, clean_text

__all__ = [
    "Wrong",
    "choice",
    "decimal",
    "flag",
    "line",
    "lines",
    "nearest",
    "number",
    "optional_line",
    "pairs",
    "pattern",
    "shown",
    "shown_key",
    "table",
    "text_or_false",
]

T = TypeVar("T")
Word = TypeVar("Word", bound=str)
_SHOWN_LENGTH: Final = 60
_LARGEST: Final = 2**63
_LAST_OF_FOUR: Final = 0xFFFF
_KINDS: Final = (
    (int, "a whole number"),
    (float, "a number"),
    (str, "a text"),
    (list, "a list"),
    (dict, "a table"),
    ((date, datetime, time), "a date or time"),
)
_NOTHING: Final = object()


class Wrong(ValueError):  # noqa: N818 - reads as what is said of the value
    """Say what a value must be; `value` is shown beside it, and left out where it may be secret.

    `key` is that of the member which is wrong, where the value is a table.
    """

    def __init__(
        self, what: str, *, value: object = _NOTHING, fix: str = "", key: str = ""
    ) -> None:
        super().__init__(what if value is _NOTHING else f"{what}; it is {_clipped(shown(value))}")
        self.fix = fix
        self.key = key
        self._all: tuple[Wrong, ...] = ()

    @classmethod
    def of(cls, wrongs: Iterable[Wrong]) -> Wrong:
        """Gather all that is wrong with one value, in the order given; at least one."""
        found = tuple(one for wrong in wrongs for one in wrong.all)
        gathered = cls(str(found[0]), fix=found[0].fix, key=found[0].key)
        gathered._all = found
        return gathered

    @property
    def all(self) -> tuple[Wrong, ...]:
        """Give each thing that is wrong."""
        return self._all or (self,)


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"


def shown(value: object) -> str:
    """Write a value the way TOML does, on one line that any terminal can show."""
    if value is None or isinstance(value, bool):
        return str(bool(value)).lower()
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_bare(key)} = {shown(below)}" for key, below in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(shown(below) for below in value)}]"
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return "".join(sign if sign.isprintable() else _escaped(ord(sign)) for sign in text)
    if isinstance(value, int) and abs(value) > _LARGEST:
        return "a number too large to show"
    return str(value)


def _bare(key: str) -> str:
    """Write a key of a table, in quotes where it is no bare one: a dot would cut it in two."""
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else shown(key)


def _escaped(point: int) -> str:
    return f"\\u{point:04x}" if point <= _LAST_OF_FOUR else f"\\U{point:08x}"


def shown_key(path: str) -> str:
    """Write the path of a key; a strange one in quotes, so that it cannot act on a terminal."""
    return path if re.fullmatch(r"[\w.\[\]-]+", path, re.ASCII) else shown(path)


def nearest(word: str, words: Iterable[str]) -> str:
    """Give the word that is most like another one; empty where none is near."""
    return next(iter(get_close_matches(word, list(words), n=1)), "")


def _a(kind: type[T], value: object, what: str) -> T:
    # bool is an int to Python, and not to the people who write settings.
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    if isinstance(value, bool):
        raise Wrong(f"must be {what}, and is {shown(value)}")
    found = next((name for types, name in _KINDS if isinstance(value, types)), "something else")
    raise Wrong(f"must be {what}, and is {found}")


def line(value: object) -> str:
    """Check a text of one line that is not empty."""
    text = optional_line(value)
    if not text:
        raise Wrong("must not be empty")
    return text


def optional_line(value: object) -> str:
    """Check a text of one line: a line break would end a header early."""
    text = _a(str, value, "a text")
    if any(category(sign) in {"Cc", "Cs", "Zl", "Zp"} for sign in text):
        raise Wrong("must be one line without control characters", value=text)
    return clean_line(text)


def text_or_false(value: object) -> str:
    """Check a text of any number of lines; `false` gives an empty one."""
    if value is False:
        return ""
    text = clean_text(_a(str, value, "a text, or false")).strip()
    if not text:
        raise Wrong("must not be empty", fix="write false to leave it out")
    return text


def flag(value: object) -> bool:
    """Check true or false."""
    return _a(bool, value, "true or false")


def number(low: int, high: int) -> Callable[[object], int]:
    """Make a check for whole numbers from `low` to `high`."""

    def check(value: object) -> int:
        found = _a(int, value, f"a whole number from {low} to {high}")
        if not low <= found <= high:
            raise Wrong(f"must be a whole number from {low} to {high}", value=found)
        return found

    return check


def decimal(low: float, high: float, *, above: bool = False) -> Callable[[object], float]:
    """Make a check for numbers from `low`, or `above` it, to `high`."""
    what = f"a number above {low} and at most {high}" if above else f"a number from {low} to {high}"

    def check(value: object) -> float:
        found = _a(int, value, what) if isinstance(value, int) else _a(float, value, what)
        if not low <= found <= high or (above and found == low):
            raise Wrong(f"must be {what}", value=found)
        return float(found)

    return check


def choice(words: tuple[Word, ...]) -> Callable[[object], Word]:
    """Make a check for one of some words."""

    def check(value: object) -> Word:
        text = line(value)
        for word in words:
            if word == text:
                return word
        near = nearest(text.lower(), words)
        raise Wrong(
            f"must be one of {', '.join(words)}",
            value=text,
            fix=f"did you mean {shown(near)}?" if near else "",
        )

    return check


def lines(
    check: Callable[[object], T], *, such_as: str = '["a", "b"]'
) -> Callable[[object], tuple[T, ...]]:
    """Make a check for lists whose members pass another check; all wrong ones are told."""

    def check_all(value: object) -> tuple[T, ...]:
        found: list[object] = _a(list, value, f"a list, such as {such_as}")
        good: list[T] = []
        wrong: list[Wrong] = []
        for member in found:
            try:
                good.append(check(member))
            except Wrong as one:
                wrong.append(_in_member(one))
        if wrong:
            raise Wrong.of(wrong)
        return tuple(good)

    return check_all


def table(value: object, *, of: str) -> dict[str, object]:
    """Check a table, whatever its members are; `of` says what they should be."""
    found: dict[str, object] = _a(dict, value, f"a table of {of}")
    return found


def pairs(value: object) -> dict[str, str]:
    """Check a table of texts."""
    found = table(value, of="texts")
    return {_member(line, key): _member(line, below) for key, below in found.items()}


def _member(check: Callable[[object], T], value: object) -> T:
    try:
        return check(value)
    except Wrong as wrong:
        raise _in_member(wrong) from None


def _in_member(wrong: Wrong) -> Wrong:
    return Wrong(f"has a member that {wrong}", fix=wrong.fix)


def pattern(value: object) -> str:
    """Check a file pattern that stays inside its folder."""
    text = line(value)
    if text.startswith("/") or ".." in re.split(r"[/\\]", text):
        raise Wrong("must stay inside the content folder", value=text)
    return text
