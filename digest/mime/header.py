"""The header of a received mail, read strictly: a field has one reading, or it is told otherwise.

Mail programs make different things of a damaged header. Here each step says whether what it gives
is all that a program can make of it.
"""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from digest.mime.transfer import CHARSETS, from_base64
from digest.model import Mailbox, clean_line

__all__ = [
    "Header",
    "Value",
    "decoded",
    "is_trace",
    "read_header",
    "read_mailbox",
    "read_value",
    "shown",
    "stands_twice",
]

_FIELD_LIMIT: Final = 5_000  # characters of one header field: a longer one is passed over
_WORD_LIMIT: Final = 75  # RFC 2047 §2
_FIELD: Final = re.compile(rb"([!-9;-~]+):[ \t]*(.*)")  # RFC 5322 §2.2
_WORD: Final = re.compile(r"=\?([A-Za-z0-9-]+)\?(?:[bB]\?([A-Za-z0-9+/=]*)|[qQ]\?([!->@-~]*))\?=")
_Q_TEXT: Final = re.compile(r"(?:[!-<>@-~]|=[0-9A-F]{2})*")
_PRINTABLE: Final = re.compile(r"[ -~\t]*")
_TOKEN: Final = r"[A-Za-z0-9!#$%&'*+.^_`{|}~-]+"  # noqa: S105 - a word of RFC 2045 §5.1
_PARAMETER: Final = re.compile(rf";[ \t]*([A-Za-z0-9-]+)=(?:\"([^\"\\]*)\"|({_TOKEN}))")
_VALUE: Final = re.compile(
    rf"[ \t]*({_TOKEN}(?:/{_TOKEN})?)((?:[ \t]*{_PARAMETER.pattern})*)[ \t]*"
)
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_MAILBOX: Final = re.compile(
    rf"(?:(?:\"(?P<quoted>(?:[ !#-\[\]-~\t]|\\[ -~])*)\"|(?P<words>{_ATOM}(?:[ \t]+{_ATOM})*+))"
    r"[ \t]+)?<(?P<named>[^\s<>]+)>|(?P<bare>[^\s<>]+)"
)
_ADDRESS: Final = re.compile(
    r"[^\x00-\x20\x7f-\xa0\"(),:;<>@\[\\\]\u2028\u2029\ufffd]+@[A-Za-z0-9.-]+"
)
_NOBODY: Final = re.compile(r"undisclosed[- ]recipients:[ \t]*;", re.IGNORECASE)
# What servers on the way put into a header, as often as they like (RFC 5321 §4.4, RFC 8601).
_TRACE: Final = re.compile(
    r"received|received-spf|return-path|delivered-to|envelope-to|delivery-date|status|feedback-id"
    r"|dkim-signature|domainkey-signature|arc-(?:seal|message-signature|authentication-results)"
    r"|authentication-results(?:-original)?|x-(?!digest-).*"
    # What Exchange writes into each mail that it takes in.
    r"|thread-(?:index|topic)|(?:accept|content)-language"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The fields in their order, names in small letters, values unfolded and as they stand.

    `doubts` says what programs may read otherwise.
    """

    fields: tuple[tuple[str, str], ...]
    doubts: tuple[str, ...]

    def first(self, name: str) -> str | None:
        """Give the first value of a field, None where it does not stand."""
        return next((value for found, value in self.fields if found == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What a field such as Content-Type says: its word in small letters, its parameters.

    `certain` is False where it does not follow RFC 2045 §5.1 to the letter, or says a thing twice.
    """

    word: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    certain: bool


def is_trace(name: str) -> bool:
    """Tell whether a field is one that servers put in, and that changes nothing of a mail."""
    return _TRACE.fullmatch(name) is not None


def shown(name: str) -> str:
    """Write the name of a field for people, cut where it is longer than any."""
    return name.title()[:40]


def stands_twice(header: Header) -> Iterator[str]:
    """Name each field that stands more than once, those of servers on the way set aside."""
    counted = Counter(name for name, _ in header.fields)
    return (name for name, count in counted.items() if count > 1 and not is_trace(name))


def read_header(head: bytes) -> Header:
    """Read header lines, with LF line ends, to fields."""
    found: list[tuple[str, list[str]]] = []
    doubts: dict[str, None] = {}
    for number, line in enumerate(head.split(b"\n") if head else (), start=1):
        match = _FIELD.fullmatch(line)
        if match:
            found.append((match[1].decode("ascii").lower(), [_text(match[2])]))
        elif found and line[:1] in {b" ", b"\t"} and line.strip():
            found[-1][1].append(_text(line))
        elif not any(doubt.startswith("line ") for doubt in doubts):
            doubts[f"line {number} is no field"] = None
    fields = [(name, "".join(lines).strip(" \t")) for name, lines in found]
    doubts.update(dict.fromkeys(_oddities(found)))
    kept = tuple((name, value) for name, value in fields if len(value) <= _FIELD_LIMIT)
    return Header(fields=kept, doubts=tuple(doubts))


def _oddities(found: list[tuple[str, list[str]]]) -> Iterator[str]:
    """Name the fields that programs pass over or read another way; each comes in its lines."""
    for name, lines in found:
        if sum(map(len, lines)) > _FIELD_LIMIT and not is_trace(name):
            yield f"{shown(name)} is longer than any"
        if name.startswith("content-") and len(lines) > 1 and not lines[0]:
            yield f"{shown(name)} begins on its second line"  # not all look there


def _text(octets: bytes) -> str:
    return octets.decode("utf-8", "replace")


def decoded(raw: str) -> tuple[str, bool]:
    """Decode the encoded words of a field (RFC 2047); tell whether that is its one reading.

    It is where all is printable ASCII, each encoded word stands by itself, can be decoded by
    itself, and has nothing in it that is not shown. Any other field comes as it stands.
    """
    if not _PRINTABLE.fullmatch(raw):
        return clean_line(raw), False
    text, after_word = "", True
    for piece in raw.split():
        is_word = "=?" in piece
        word = _word(piece) if is_word else piece
        if word is None:
            return clean_line(raw), False
        text += word if is_word and after_word else f" {word}"
        after_word = is_word
    text = text if raw.lstrip().startswith("=?") else text[1:]
    return clean_line(text), clean_line(text) == text


def _word(piece: str) -> str | None:
    """Decode an encoded word, None where programs may not agree on it."""
    match = _WORD.fullmatch(piece)
    charset = match[1].lower() if match else ""
    if match is None or len(piece) > _WORD_LIMIT or not CHARSETS.fullmatch(charset):
        return None
    if match[2] is not None:
        octets, certain = from_base64(match[2].encode())
    else:
        octets = a2b_qp(match[3].encode(), header=True)
        certain = _Q_TEXT.fullmatch(match[3]) is not None
    try:
        return octets.decode(charset) if octets is not None and certain else None
    except UnicodeDecodeError:
        return None


def read_value(raw: str) -> Value:
    """Read a Content-Type or Content-Disposition; of a damaged one what can be found in it."""
    match = _VALUE.fullmatch(raw)
    parameters: dict[str, str] = {}
    certain = match is not None
    for name, quoted, token in _PARAMETER.findall(raw):
        certain = certain and name.lower() not in parameters
        parameters.setdefault(name.lower(), quoted or token)
    word = re.match(rf"[ \t]*({_TOKEN}(?:/{_TOKEN})?)", raw)
    return Value(word=word[1].lower() if word else "", parameters=parameters, certain=certain)


def read_mailbox(raw: str) -> Mailbox | None:
    """Read the one mailbox of a field (RFC 5322 §3.4), None where it may be read in two ways.

    The address is empty for undisclosed recipients.
    """
    if _NOBODY.fullmatch(raw):
        return Mailbox(address="")
    match = _MAILBOX.fullmatch(raw)
    if match is None:
        return None
    address = match["named"] or match["bare"]
    if not _ADDRESS.fullmatch(address) or "=?" in address:
        return None
    if match["quoted"] is None:
        name, certain = decoded(match["words"] or "")
    else:
        # Some programs decode what looks encoded between quotes, and some do not.
        name = re.sub(r"\\(.)", r"\1", match["quoted"])
        certain = "=?" not in name and clean_line(name) == name
    return Mailbox(address=address, name=name) if certain else None
