"""A list of readers as other programs save it: CSV with a header, or one address a line."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from digest.imports.columns import (
    STATUS_WORDS,
    Header,
    Record,
    UnreadableError,
    read_header_row,
)
from digest.imports.report import Failure, Skipped
from digest.mime import parse_address
from digest.model import READER_STATES, Note, ReaderState, clean_line, reader_key

__all__ = ["LONGEST_NAME", "STATUS_WORDS", "ReaderList", "ReaderRow", "parse_readers"]

_DELIMITERS: Final = ",;\t"
_HEADER: Final = "email,name,status"
_STATES: Final[dict[str, ReaderState]] = {
    word: state for state, words in STATUS_WORDS.items() for word in words
}
LONGEST_NAME: Final = 200  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRow:
    """One reader of a list: `line` is where the row begins, `status` what it says, as typed."""

    line: int
    address: str
    name: str
    state: ReaderState
    status: str

    @property
    def key(self) -> str:
        """Give what identifies the reader."""
        return reader_key(self.address)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderList:
    """What a list holds, and what in it failed, was left out or noticed, by line.

    `columns` are the names in its header, empty where it has none.
    """

    columns: tuple[str, ...] = ()
    rows: tuple[ReaderRow, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    failures: tuple[Failure, ...] = ()
    notices: tuple[Note, ...] = ()


def parse_readers(data: bytes, *, name: str) -> ReaderList:
    """Read a list of readers (RFC 4180, UTF-8); never raises: what fails is named in `failures`.

    The delimiter is the one that finds a column of addresses in the header: comma, semicolon or
    tab. A file whose first line holds an at sign has no header and gives one address a line.
    Nothing is taken from a file that cannot be read as a whole. `name` is the file's name as it
    shall stand before the line in each complaint.
    """
    header = Header()
    try:
        text = _decoded(data)
        header = _readread_header_row(text)
        header.refuse()
        records = _read_rows(text, header)
        header.refuse_flags(records)
    except UnreadableError as error:
        failure = Failure(place=f"{name}:{error.line}", reason=error.reason)
        return ReaderList(columns=header.columns, failures=(failure,))
    reader = _Reader(name, header)
    for record in records:
        reader.read(record)
    return reader.finish()


class _RowError(Exception):
    """One row cannot be taken."""


def _decoded(data: bytes) -> str:
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = 1 + len(re.findall(rb"\r\n?|\n", data[: error.start]))
        reason = (
            f"is not UTF-8 (byte 0x{data[error.start]:02X}); save the file as CSV in UTF-8, "
            "nothing of it is imported"
        )
        raise UnreadableError(line, reason) from None


def _readread_header_row(text: str) -> Header:
    first = re.split(r"[\r\n]", text.lstrip(), maxsplit=1)[0]
    if "@" in first:
        found = [delimiter for delimiter in _DELIMITERS if delimiter in first]
        return Header(delimiter=found[0] if found else ",")
    headers: list[Header] = []
    problem = UnreadableError(1, "the file is empty")
    for delimiter in _DELIMITERS:
        try:
            rows = islice(_read_records(text, delimiter), 1)
            headers += [read_header_row(record, delimiter) for record in rows]
        except UnreadableError as error:
            problem = error
    if not headers:
        raise problem
    return max(headers, key=lambda header: ("email" in header.places, len(header.columns)))


def _read_rows(text: str, header: Header) -> list[Record]:
    rows = list(_read_records(text, header.delimiter))[header.records :]
    if not rows:
        raise UnreadableError(header.line, "there is no row below the header")
    return rows


def _read_records(text: str, delimiter: str) -> Iterator[Record]:
    """Cut a text into rows, empty ones left out; raise UnreadableError for quotes that do not fit.

    What stands after such a quote may be the rest of a field as well as readers of their own.
    """
    rows = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True
    )
    line = number = 1
    while True:
        try:
            fields = next(rows, None)
        except csv.Error:
            reason = (
                "the quotes in the row that begins here do not fit together; nothing of the file "
                "is imported"
            )
            raise UnreadableError(line, reason) from None
        if fields is None:
            return
        if any(one.strip() for one in fields):
            yield Record(line=line, number=number, fields=tuple(fields))
        line, number = rows.line_num + 1, number + 1


class _Reader:
    """Goes through the rows and remembers whom it has met."""

    def __init__(self, name: str, header: Header) -> None:
        self._name = name
        self._header = header
        self._rows: dict[str, ReaderRow] = {}
        self._doubtful: dict[str, int] = {}  # by key: the line that could not be taken
        self._skipped: list[Skipped] = []
        self._failures: list[tuple[int, str]] = []
        self._notices: list[Note] = []
        if header.others:
            self._notice(header.line, f"columns left out: {', '.join(header.others)}")

    def read(self, record: Record) -> None:
        """Take one row, or note why not; then no other row of its address counts either."""
        address = ""
        try:
            address = _address(self._field(record, "email"))
            self._refuse_width(record.fields)
            typed = self._field(record, "status").strip()
            state, name = _state(typed), self._person(record)
        except _RowError as error:
            where = f"row {record.number}: " if record.number != record.line else ""
            self._failures.append((record.line, f"{where}{error}"))
            self._doubtful[reader_key(address)] = record.line
            return
        self._keep(
            ReaderRow(
                line=record.line, address=address, name=name, state=state, status=clean_line(typed)
            )
        )

    def finish(self) -> ReaderList:
        """Give what was found, each in the order of the lines."""
        for key, line in self._doubtful.items():
            if key in self._rows:
                reason = f"line {line}, of the same address, cannot be read"
                self._failures.append((self._rows.pop(key).line, reason))
        return ReaderList(
            columns=self._header.columns,
            rows=tuple(self._rows.values()),
            skipped=tuple(self._skipped),
            failures=tuple(
                Failure(place=f"{self._name}:{line}", reason=reason)
                for line, reason in sorted(self._failures)
            ),
            notices=tuple(self._notices),
        )

    def _field(self, record: Record, role: str) -> str:
        place = self._header.places.get(role, len(record.fields))
        return record.fields[place] if place < len(record.fields) else ""

    def _refuse_width(self, fields: Sequence[str]) -> None:
        width = len(self._header.columns) or 1
        if any(one.strip() for one in fields[width:]):
            raise _RowError(
                f"has {len(fields)} fields, the header has {width}; put a field that holds the "
                "delimiter in quotes"
                if self._header.columns
                else "holds more than an address; begin the file with a header, such as "
                f"`{_HEADER}`"
            )
        # A row that was torn at a line break, say: its other half may tell that the reader left.
        if len(fields) <= self._header.places.get("status", -1):
            raise _RowError(f"ends before its status; write all {width} fields, empty or not")

    def _person(self, record: Record) -> str:
        typed = self._field(record, "name").strip()
        name = clean_line(typed)
        if len(name) > LONGEST_NAME:
            raise _RowError(f"the name is longer than {LONGEST_NAME} characters")
        if _has_breaks(typed):
            self._notice(record.line, f"the line break in the name became a blank: {name}")
        return name

    def _keep(self, row: ReaderRow) -> None:
        before = self._rows.setdefault(row.key, row)
        if before is row:
            return
        told = f"{row.address} stands in line {before.line} already"
        if READER_STATES.index(row.state) > READER_STATES.index(before.state):
            self._rows[row.key] = replace(before, state=row.state, status=row.status)
            told += f"; of the two states the more careful one counts, {row.state}"
            self._notice(row.line, told)
        self._skipped.append(Skipped(place=f"{self._name}:{row.line}", reason=told))

    def _notice(self, line: int, text: str) -> None:
        self._notices.append(Note(place=f"{self._name}:{line}", text=text))


def _address(typed: str) -> str:
    if not typed.strip():
        raise _RowError("there is no address")
    if _has_breaks(typed):
        raise _RowError(f"the address holds a line break: {clean_line(typed)[:80]}")
    try:
        return parse_address(typed.strip())
    except ValueError as error:
        raise _RowError(f"{clean_line(typed)[:80]!r} is no mail address: {error}") from None


def _state(typed: str) -> ReaderState:
    word = re.sub(r"[\s_-]+", " ", typed).casefold()
    if word and word not in _STATES:
        raise _RowError(
            f"the status {typed[:40]!r} is not known; write active, pending, left or suppressed"
        )
    return _STATES.get(word, "active")


def _has_breaks(text: str) -> bool:
    return text.splitlines() not in ([text], [])
