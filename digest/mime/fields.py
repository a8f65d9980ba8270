"""Header fields: each kind is folded and encoded only where its readers undo it.

The standard library's folding loses and adds spaces between words, and turns long addresses into
encoded words, which no button finds again.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from typing import Final

from digest.mime.wire import LINE_LIMIT
from digest.model import Mailbox, clean_line

__all__ = ["header_line", "id_line", "list_id_line", "mailbox_text", "uri_list"]

_FOLD_AT: Final = 76  # RFC 2047 §2, for every line that holds an encoded word
_FOLD: Final = "\r\n "
_WORD_BYTES: Final = 39  # base64 of 39 octets, with its frame, is 64 of the 75 characters allowed
_ATOM_TEXT: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*\Z")  # RFC 5322 §3.2.3, and blanks
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!-;=?-~]+")  # RFC 3986; neither `<` nor `>`
_ADDRESS: Final = re.compile(r"[^\x00-\x20\x7f-\xa0\"(),:;<>@\[\\\]\u2028\u2029]+@[A-Za-z0-9.-]+")
_IDENTIFIER: Final = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+>")


def _encoded_words(text: str) -> list[str]:
    """Cut a text into encoded words (RFC 2047 §2), never inside a character."""
    words: list[str] = []
    chunk = b""
    for character in text:
        octets = character.encode()
        if len(chunk) + len(octets) > _WORD_BYTES:
            words.append(f"=?utf-8?b?{b64encode(chunk).decode()}?=")
            chunk = b""
        chunk += octets
    words.append(f"=?utf-8?b?{b64encode(chunk).decode()}?=")
    return words


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and "=?" not in text


def header_line(name: str, value: str) -> bytes:
    """Give one unstructured header field with its CRLF, folded and encoded as needed.

    A value that fits on one line in ASCII stays as it is (RFC 5322 §3.6.5, RFC 2047 §5).
    """
    text = clean_line(value)
    if _is_plain(text) and len(name) + 2 + len(text) <= _FOLD_AT:
        return f"{name}: {text}\r\n".encode("ascii")
    folded = _FOLD.join(_encoded_words(text))
    return f"{name}: {folded}\r\n".encode("ascii")


def _quoted(text: str) -> str:
    """Write a plain text as atoms or as a quoted string (RFC 5322 §3.2.4)."""
    if _ATOM_TEXT.match(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def mailbox_text(mailbox: Mailbox) -> str:
    """Write a mailbox for a header field; letters of its local part beyond ASCII stay.

    The display name is atoms, a quoted string, or encoded words (RFC 5322 §3.2.5). Raise
    ValueError for an address that would not be read as it is: nothing in it is ever encoded.
    """
    address = mailbox.address
    if "=?" in address or not _ADDRESS.fullmatch(address):
        raise ValueError(f"{address!r} cannot stand in a header field")
    name = clean_line(mailbox.name)
    if not name:
        return address
    plain = _is_plain(name) and len(name) <= _FOLD_AT // 2
    phrase = _quoted(name) if plain else _FOLD.join(_encoded_words(name))
    return f"{phrase}{_FOLD}<{address}>"


def list_id_line(name: str, list_id: str) -> bytes:
    """Give the List-Id field (RFC 2919 §3).

    The name before it may be left out, and is where it would have to be encoded or folded: mail
    programs look for this field by its raw text.
    """
    text = clean_line(name)
    phrase = _quoted(text)
    plain = text and _is_plain(text) and len("List-Id: ") + len(phrase) <= _FOLD_AT
    before = f"{phrase}{_FOLD}" if plain else ""
    return f"List-Id: {before}<{list_id}>\r\n".encode("ascii")


def uri_list(name: str, uris: Sequence[str]) -> bytes:
    """Give one field of addresses in angle brackets (RFC 2369 §2) with its CRLF.

    It is folded between addresses only, and never encoded. Raise ValueError for an address that
    is no URI in ASCII, holds what looks like an encoded word, or is too long for a line.
    """
    for uri in uris:
        if not _URI.fullmatch(uri) or "=?" in uri or len(f"{name}: <{uri}>,") > LINE_LIMIT:
            raise ValueError(f"{uri[:80]!r} cannot stand in {name}")
    folded = f",{_FOLD}".join(f"<{uri}>" for uri in uris)
    return f"{name}: {folded}\r\n".encode("ascii")


def id_line(message_id: str) -> bytes:
    """Give the Message-ID field, never folded or encoded; raise ValueError for another form."""
    if not _IDENTIFIER.fullmatch(message_id) or "=?" in message_id:
        raise ValueError(f"{message_id!r} is no Message-ID")
    return f"Message-ID: {message_id}\r\n".encode("ascii")
