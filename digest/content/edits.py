"""The text of an issue file with one key written anew, and no other byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from digest.content.dump import dump_header
from digest.content.fields import Fields, node_text
from digest.content.issues import issue_fields
from digest.errors import ContentError

__all__ = ["IssueText"]

_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
# What a value goes on with: an indented line, a dash below its key, a bracket that closes it.
_GOES_ON: Final = re.compile(r"[ \t]+\S|-\s|[\]}]")
_HERE: Final = "the issue file"


class IssueText:
    """An issue file's text, its lines with their ends, and the keys of its header.

    Raises ContentError where the file has no header, or one that cannot be read.
    """

    def __init__(self, text: str) -> None:
        parts, fields = issue_fields(text.encode("utf-8", "surrogatepass"), where=_HERE)
        self.text: Final = text
        self.fields: Final = fields
        self._lines: Final[list[str]] = _LINES.findall(text)
        self._last = parts.last - 1

    def block(self, key: str) -> list[str]:
        """Give the lines of a key and its value; none where the key is missing."""
        begin, end = self._range(key)
        return self._lines[begin:end]

    def dumped(self, pairs: Sequence[tuple[str, object]]) -> list[str]:
        """Write pairs as lines that end as the first line of the file does."""
        first = self._lines[0]
        end_of_line = first[len(first.rstrip("\r\n")) :]
        return [line + end_of_line for line in dump_header(pairs).split("\n")[1:-2]]

    def put(
        self, key: str, blocks: Iterable[list[str]], *, says: Callable[[Fields], bool]
    ) -> IssueText:
        """Put the first block that says what it is to say in place of a key's lines.

        A key that is missing is put at the header's end. Raises ContentError where no block can
        stand there.
        """
        begin, end = self._range(key)
        for block in blocks:
            written = "".join([*self._lines[:begin], *block, *self._lines[end:]])
            found = _read(written, says)
            if found is not None and found.others(key) == self.others(key):
                return found
        raise ContentError(
            f"the `{key}` lines cannot be put into this header",
            where=_HERE,
            fix="begin each key at the first character of its line, without brackets around",
        )

    def others(self, key: str) -> dict[str, str]:
        """Give the keys besides one, with their values as texts."""
        return {typed: node_text(node) for typed, node, _ in self.fields.rest(frozenset({key}))}

    def _range(self, key: str) -> tuple[int, int]:
        """Find the lines of a key, or the place at the header's end where they would stand."""
        if not self.fields.line(key):
            return self._last, self._last
        begin = self.fields.line(key) - 1
        end = begin + 1
        for number in range(end, self._last):
            line = self._lines[number]
            if _GOES_ON.match(line):
                end = number + 1
            elif line.strip() and not line.startswith("#"):
                break
        return begin, end


def _read(text: str, says: Callable[[Fields], bool]) -> IssueText | None:
    """Read a text that was written; None where it does not say what it is to say."""
    try:
        found = IssueText(text)
        said = says(found.fields)
        found.fields.refuse()
    except ContentError:
        return None
    return found if said else None
