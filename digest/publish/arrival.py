"""How a mail arrived: which header fields, and whether body and signature, are as they left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from digest.errors import FilesError, UsageError
from digest.files import read_bytes
from digest.mime.header import is_trace
from digest.mime.received import read_mail
from digest.model import clean_line
from digest.publish.carriers import notices_folder
from digest.publish.probe import PREFIX
from digest.publish.project import Project
from digest.publish.signed import Octets, broken_fields, relaxed_body, signature_of, split_mail

__all__ = ["Arrival", "Field", "compare_received"]

_KEPT: Final = re.compile(rf"\b({re.escape(PREFIX)}\d{{14}}\.[a-z2-7]{{18}})(?:\.eml\b|@)")
_BLANKS: Final = re.compile(r"[ \t\r\n]+")

Fate = Literal["same", "rewritten", "dropped", "added"]
Body = Literal["same", "encoded", "changed"]
Held = Literal["", "holds", "broken", "gone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What became of a header field: its values as they left, and as they came in."""

    name: str
    state: Fate
    left: tuple[str, ...] = ()
    came: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A mail as it left and as it came in.

    `body` is `encoded` where it says the same in another transfer encoding, which no signature
    outlives. `signature` is `holds`, `broken` or `gone`, empty where it was not signed; `why` says
    what it is broken by.
    """

    file: str
    fields: tuple[Field, ...]
    body: Body
    signature: Held
    why: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Tell whether it came in as it left, what servers note on the way set aside."""
        fields = all(field.state == "same" for field in self.fields)
        return fields and self.body == "same" and self.signature in {"", "holds"}


def compare_received(project: Project, data: bytes, *, name: str) -> Arrival:
    """Compare a saved mail of `digest doctor --mail` with the bytes that left.

    Whether the signature holds is told without a look into the DNS: it does where all that it signs
    is as it left. Raise UsageError with `name` for what is no such mail, FilesError where the file
    of what left is gone.
    """
    file = notices_folder(project) / f"{_named(data, name=name)}.eml"
    shown = project.shown(file)
    if not file.is_file():
        raise FilesError(
            "is gone, so there is nothing to compare with",
            where=shown,
            fix="send another one: `digest doctor --mail`",
        )
    sent = read_bytes(file, root=project.root)
    left, came = split_mail(sent), split_mail(data)
    signature, why = _signature(left, came)
    return Arrival(
        file=shown,
        fields=tuple(_fields(left, came)),
        body=_body(left, came, sent=sent, data=data),
        signature=signature,
        why=why,
    )


def _named(data: bytes, *, name: str) -> str:
    """Find by which name a mail is kept: by its Message-ID, or by what its text says."""
    try:
        mail = read_mail(data)
    except ValueError as error:
        raise UsageError(str(error), where=name, fix=_SAVE) from error
    texts = (part.data.decode("utf-8", "replace") for part in mail.parts if part.data)
    for text in (mail.first("message-id"), *texts):
        if found := _KEPT.search(text):
            return found[1]
    raise UsageError("is no mail that `digest doctor --mail` sent", where=name, fix=_SAVE)


_SAVE: Final = "save the mail with all its header lines, as a file that ends in .eml"


def _values(mail: Octets) -> dict[str, list[str]]:
    """Give the values of each field, by its name in small letters; how they are folded is nothing.

    Servers fold long fields anew, and no signature of ours minds.
    """
    values: dict[str, list[str]] = {}
    for name, raw in mail.fields:
        text = raw.partition(b":")[2].decode("utf-8", "replace")
        values.setdefault(name, []).append(_BLANKS.sub(" ", text).strip(" "))
    return values


def _fields(left: Octets, came: Octets) -> Iterator[Field]:
    """Say what became of each field that left, and which came in besides."""
    before, after = _values(left), _values(came)
    more = [name for name in after if name not in before and not is_trace(name)]
    for name in (*before, *more):
        values, found = before.get(name, []), after.get(name, [])
        yield Field(
            name=name.title(),
            state=_fate(name, values, found),
            left=tuple(map(clean_line, values)),
            came=tuple(map(clean_line, found)),
        )


def _fate(name: str, values: list[str], found: list[str]) -> Fate:
    if not found:
        return "dropped"
    if not values:
        return "added"
    # Others with the name of a trace field are the servers' own.
    kept = set(values) <= set(found) if is_trace(name) else values == found
    return "same" if kept else "rewritten"


def _body(left: Octets, came: Octets, *, sent: bytes, data: bytes) -> Body:
    if relaxed_body(left.body) == relaxed_body(came.body):
        return "same"
    before, after = read_mail(sent), read_mail(data)
    return "encoded" if (before.form, before.parts) == (after.form, after.parts) else "changed"


def _signature(left: Octets, came: Octets) -> tuple[Held, tuple[str, ...]]:
    ours = signature_of(left)
    if ours is None:
        return "", ()
    if not any(ours.is_same(raw) for name, raw in came.fields if name == "dkim-signature"):
        return "gone", ()
    why = [name.title() for name in broken_fields(ours, left, came)]
    if relaxed_body(left.body) != relaxed_body(came.body):
        why.append("body")
    return ("broken" if why else "holds"), tuple(why)
