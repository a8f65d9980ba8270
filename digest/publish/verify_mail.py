"""Prove that a received mail is a published edition, and can be read in no other way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from digest.errors import FilesError, UsageError
from digest.mime.body import enclosed_in
from digest.mime.received import Part, Received, read_mail
from digest.model import Edition, IssueKey, Mailbox, clean_line, is_issue_key
from digest.publish.editions import Kept, read_kept
from digest.publish.mail_header import header_differences
from digest.publish.mail_match import first_difference, leave_addresses, reader_faults
from digest.publish.project import Project
from digest.publish.verify import editions_kept, hashes_published

__all__ = ["MailState", "VerifiedMail", "verify_mail"]

# `other`: another edition of the issue was published. `test` and `notice` are for editors.
MailState = Literal["published", "withdrawn", "draft", "other", "test", "notice"]

_NAMED: Final = re.compile(r"(\S+) sha256:([0-9a-f]{64})")
# The Message-IDs of readers' mails, and of those that editors get.
_ID: Final = re.compile(r"<([0-9a-z-]+)\.([0-9a-z]+)(?:\.[0-9a-z.]+)?@[^<>@]+>")
_NOTICES: Final = frozenset({"draft", "held", "stuck", "nothing", "missed"})
_HTML: Final = "issue.html"
_TEXT: Final = "issue.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedMail:
    """What a mail is: the edition it belongs to, what became of that, and how the two differ.

    `differences` are empty for one that is the edition and has no other reading; they show nothing
    that a reader or a forger wrote but names of header fields and media types. `fields` names the
    merge fields whose values were taken from To. A notice is compared with nothing.
    """

    key: IssueKey
    state: MailState
    differences: tuple[str, ...]
    fields: tuple[str, ...] = ()

    @property
    def identical(self) -> bool:
        """Tell whether the mail is the edition, whatever became of that."""
        return not self.differences


def verify_mail(project: Project, data: bytes, *, name: str) -> VerifiedMail:
    """Compare the octets of a mail with the edition that it says it is, or that has its subject.

    Compared are the header, text, HTML, enclosed pictures and how these are put together, with
    the general copy of the edition and what is filled in for the reader in To; anything that mail
    programs may read otherwise is a difference. Who sent it, when and to whom is not proved. Raise
    UsageError with `name` for what is no mail, or none of an edition that is kept, FilesError
    where the edition is damaged.
    """
    try:
        mail = read_mail(data)
    except ValueError as error:
        raise UsageError(str(error), where=name, fix=_SAVE) from error
    key, kind = _sent_as(mail)
    if key and kind in _NOTICES:
        told = ("it is for the editors; readers never get it",)
        return VerifiedMail(key=key, state="notice", differences=told)
    kept, differences = _nearest(project, mail, key, name=name)
    state = "test" if kind == "test" else _state(project, kept)
    return VerifiedMail(
        key=kept.edition.key,
        state=state,
        differences=differences,
        fields=tuple(sorted(_fields(kept.edition))),
    )


_SAVE: Final = "save the mail with all its header lines, as a file that ends in .eml"


def _sent_as(mail: Received) -> tuple[IssueKey | None, str]:
    """Give the issue that a mail says it is of, and what its Message-ID has for a reader's."""
    named = _NAMED.fullmatch(mail.first("x-digest-edition"))
    known = _ID.fullmatch(mail.first("message-id"))
    kind = known[2] if known else ""
    if "x-digest-test" in mail.fields:
        kind = "test"
    keys = (found[1] for found in (named, known) if found)
    return next((IssueKey(key) for key in keys if is_issue_key(key)), None), kind


def _nearest(
    project: Project, mail: Received, key: IssueKey | None, *, name: str
) -> tuple[Kept, tuple[str, ...]]:
    """Find the edition that a mail is, or is most like, and how they differ."""
    if key is not None:
        folder = project.folder(key)
        if not folder.is_dir():
            raise UsageError(
                f"says that it is {key}, of which there is no edition here",
                where=name,
                fix="`digest verify --all` names those there are",
            )
        kept = read_kept(folder, root=project.root)
        return kept, tuple(_differences(mail, kept.edition))
    found = None
    for kept in _alike(project, mail):
        differences = tuple(_differences(mail, kept.edition))
        found = found or (kept, differences)
        if not differences:
            return kept, differences
    if found is None:
        raise UsageError(
            "is no mail of this newsletter: it names no edition, and none has its subject",
            where=name,
            fix=_SAVE,
        )
    return found


def _alike(project: Project, mail: Received) -> Iterator[Kept]:
    """Give the editions with the subject of a mail, the newest first; damaged ones never were."""
    for key in reversed(editions_kept(project)):
        try:
            kept = read_kept(project.folder(key), root=project.root)
        except FilesError:
            continue
        if clean_line(kept.edition.subject) in mail.fields.get("subject", ()):
            yield kept


def _state(project: Project, kept: Kept) -> MailState:
    key = kept.edition.key
    published = hashes_published(project).get(key)
    if published is None:
        return "draft"
    if published != kept.fingerprint:
        return "other"
    return "withdrawn" if _withdrawn(project, key) else "published"


def _withdrawn(project: Project, key: IssueKey) -> bool:
    issue = project.issue(key)
    sealed = issue is not None and issue.seal is not None and issue.seal.withdrawn is not None
    return sealed or any(past.withdrawn for past in project.stored() if past.key == key)


def _fields(edition: Edition) -> set[str]:
    used = {place.name for places in edition.fields.values() for place in places}
    return used - {"leave_url"}


def _differences(mail: Received, edition: Edition) -> Iterator[str]:
    """Name each part in which a mail is not its edition, and all that makes a second reading."""
    copy = read_mail(edition.files["issue.eml"])
    leave = leave_addresses(copy)
    if mail.fields.get("subject", ()) != (clean_line(edition.subject),):
        yield f"subject: it should be {edition.subject!r}, once"
    for told in _naming_differences(mail, edition):
        yield f"header: {told}"
    for told in header_differences(mail, copy, leave=leave):
        yield f"header: {told}"
    to = mail.to or Mailbox(address="")
    for told in reader_faults(edition, to):
        yield f"header: {told}"
    yield from islice(mail.doubts, _DOUBTS)
    if len(mail.doubts) > _DOUBTS:
        yield f"mail: there are {len(mail.doubts) - _DOUBTS} doubts more"
    values = {"name": to.name, "address": to.address, "leave_url": "".join(leave[:1])}
    parts = tuple(_part_differences(mail, edition, values))
    yield from parts
    # Where a part is missing or too many, that has been told.
    if mail.form != copy.form and not any(told.endswith(_NONE) or _MORE in told for told in parts):
        yield f"parts: they should be put together as {copy.form}"


_DOUBTS: Final = 20  # that are told
_NONE: Final = "there is none"
_MORE: Final = "parts: there is one more"


def _naming_differences(mail: Received, edition: Edition) -> Iterator[str]:
    """Compare what a mail says of its issue and its edition with what it is compared with."""
    if "x-digest-edition" in mail.fields:
        named = _NAMED.fullmatch(mail.first("x-digest-edition"))
        if named is None or named[1] != edition.key:
            yield "X-Digest-Edition names no edition of this issue"
        elif named[2] != edition.imprint:
            yield f"it names another edition, sha256:{named[2][:12]}"
    known = _ID.fullmatch(mail.first("message-id"))
    if known and is_issue_key(known[1]) and known[1] != edition.key:
        yield "Message-Id is one of another issue"


def _part_differences(mail: Received, edition: Edition, values: Mapping[str, str]) -> Iterator[str]:
    """Compare text, HTML and pictures, and name the parts that are too many."""
    rest = list(mail.parts)
    for file, part in ((_TEXT, _taken(rest, "text/plain")), (_HTML, _taken(rest, "text/html"))):
        if difference := _difference(part, edition, file, values=values):
            yield f"{_PARTS[file]}: {difference}"
    yield from _picture_differences(rest, edition)
    for part in rest:
        yield f"{_MORE}, {part.media_type}"


_PARTS: Final = {_TEXT: "text", _HTML: "HTML"}


def _taken(parts: list[Part], media_type: str) -> Part | None:
    """Take the first part of a type out of a list."""
    found = next((part for part in parts if part.media_type == media_type), None)
    if found is not None:
        parts.remove(found)
    return found


def _difference(
    part: Part | None, edition: Edition, file: str, *, values: Mapping[str, str]
) -> str:
    if part is None:
        return _NONE
    if part.data is None:
        return "it cannot be decoded"
    return first_difference(
        part.data,
        edition.files[file],
        edition.fields.get(file, ()),
        values=values,
        as_html=file == _HTML,
    )


def _picture_differences(parts: list[Part], edition: Edition) -> Iterator[str]:
    """Compare the pictures that a mail brings along, and take them out of a list of parts."""
    for picture in enclosed_in(edition.files[_HTML], edition.files):
        found = next((part for part in parts if part.id == picture.id), None)
        if found is None:
            yield f"picture {picture.name}: {_NONE}"
            continue
        parts.remove(found)
        if found.data != picture.data:
            yield f"picture {picture.name}: it holds something else"
        if found.name not in {"", picture.name}:
            yield f"picture {picture.name}: it has another file name"
