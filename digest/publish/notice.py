"""Notices to the editors: the issue itself, with a strip on top that says what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from digest.checks import Finding
from digest.errors import Problem, TransportError
from digest.mime import Strip, message_id, reader_message
from digest.model import Edition, IssueKey, Message, Slot, SlotNote, ThemeId
from digest.publish.editions import read_kept
from digest.publish.inspect import check
from digest.publish.memory import Memory
from digest.publish.project import Project
from digest.publish.wording import count_text, moment_text
from digest.render.templates import environment, render_template
from digest.transport import Transport

__all__ = [
    "Notice",
    "Stripped",
    "Way",
    "messages_of",
    "missed_notice",
    "notice_of",
    "post",
    "strip_of",
]

_SHOWN: Final = 20
# No secret: that the newsletter's own key is lost is something that editors must hear of.
_KEY: Final = b"digest notice"
# A notice without an issue: the strip is all there is to read.
_EMPTY_HTML: Final = (
    b'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    b'<meta name="color-scheme" content="light dark"><title>Notice</title></head>\n'
    b'<body style="margin:0">\n</body></html>\n'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Something that an editor can do: what it is good for, and what to type."""

    label: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stripped:
    """What the templates of the strip see: plain texts of one line each."""

    title: str
    lines: tuple[str, ...]
    findings: tuple[str, ...] = ()
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One notice: the edition it shows, its strip, and the notes that it tells of.

    `name` is its part of the Message-ID: a notice that is repeated is the same message.
    """

    name: str
    edition: Edition
    strip: Stripped
    notes: tuple[SlotNote, ...]


def notice_of(project: Project, note: SlotNote, *, memory: Memory, now: datetime) -> Notice:
    """Make the notice of an issue that was drafted or held.

    Raise DigestError where its edition or its issue file cannot be read.
    """
    key = note.key
    kept = read_kept(project.folder(key), root=project.root)
    findings, library = check(project, key, now=now)
    told = _told(findings, library.problems)
    draft = note.state == "drafted"
    strip = _draft(project, key, memory) if draft else _held(project, note)
    kind = "draft" if draft else "held"
    return Notice(
        name=f"{key}.{kind}",
        edition=replace(kept.edition, subject=f"[{kind}] {kept.edition.subject}"),
        strip=replace(strip, findings=told),
        notes=(note,),
    )


def _draft(project: Project, key: IssueKey, memory: Memory) -> Stripped:
    slot, file = project.slot(key), project.shown(project.issue_file(key))
    when = moment_text(slot.at, project.settings.newsletter.zone)
    issue = project.issue(key)
    whom = f"to {count_text(memory.active, 'active reader')}"
    goes = f"It goes out on {when}, {whom if memory.ever else 'on the site alone: no readers yet'}."
    if issue is not None and issue.hold:
        goes = f"It is held and does not go out on {when}: {issue.hold}"
    built = f"It is built once more at that time: what is saved until then counts, also in {file}."
    return Stripped(
        title="Draft: nobody has this issue yet",
        lines=(goes, built),
        ways=(
            Way(label="Look at it", command=f"digest preview {key}"),
            Way(label="Stop it", command=f"digest hold {key}"),
            Way(label=f"Or write into {file}", command="hold: the reason"),
        ),
    )


def _held(project: Project, note: SlotNote) -> Stripped:
    key, issue = note.key, project.issue(note.key)
    ways = [Way(label="Look at it", command=f"digest preview {key}")]
    if issue is not None and issue.hold:
        ways.append(Way(label="Release it", command=f"digest hold {key} --release"))
    ways.append(Way(label="Send it then", command=f"digest send {key}"))
    return Stripped(
        title="Held: this issue waits for you",
        lines=(
            f"Why: {note.reason}",
            "The schedule does not send it any more; that is for a person now.",
        ),
        ways=tuple(ways),
    )


def _told(findings: Sequence[Finding], problems: Sequence[Problem]) -> tuple[str, ...]:
    told = [f"left out, it cannot be read: {problem.where}: {problem.what}" for problem in problems]
    for one in findings:
        place = f"{one.path}:{one.line}" if one.line else one.path
        told.append(f"{one.level} {one.rule}: {one.message} ({place})")
    more = len(told) - _SHOWN
    return (
        *told[:_SHOWN],
        *([f"and {more} more: digest check shows them all"] if more > 0 else ()),
    )


def missed_notice(project: Project, notes: Sequence[SlotNote], *, coming: Slot) -> Notice:
    """Make the one notice of all slots that were missed; it shows no issue."""
    last, name = notes[-1].key, project.settings.newsletter.name
    zone = project.settings.newsletter.zone
    edition = Edition(
        key=last,
        number=0,
        slot=coming.at,
        subject=f"[missed] {name}: {', '.join(note.key for note in notes)}",
        preheader="",
        title="",
        summary="",
        theme=ThemeId(""),
        items=(),
        files={"issue.html": _EMPTY_HTML, "issue.txt": f"-- \n{name}\n".encode()},
    )
    then = f"The next one is {coming.issue}, on {moment_text(coming.at, zone)}."
    strip = Stripped(
        title=f"Missed: {count_text(len(notes), 'issue')} did not go out",
        lines=(
            *(f"{note.key} {note.reason}." for note in notes),
            f"The schedule does not send them any more. {then}",
        ),
        ways=(
            Way(label="To send one all the same, build it", command=f"digest build {last}"),
            Way(label="Look at it, then send it", command=f"digest send {last}"),
        ),
    )
    return Notice(name=f"{last}.missed", edition=edition, strip=strip, notes=tuple(notes))


def messages_of(project: Project, notice: Notice, *, now: datetime) -> tuple[Message, ...]:
    """Make a notice's message for each editor. Raise TemplateError for a strip that fails."""
    newsletter, strip = project.settings.newsletter, strip_of(project, notice.strip)
    return tuple(
        reader_message(
            notice.edition,
            newsletter=newsletter,
            to=editor,
            message_id=message_id(
                _KEY,
                issue=IssueKey(notice.name),
                address=editor.address,
                domain=newsletter.sender.domain,
            ),
            date=now,
            strip=strip,
        )
        for editor in project.settings.editors
    )


def strip_of(project: Project, stripped: Stripped) -> Strip:
    """Render what stands on top of an issue. Raise TemplateError for a strip that fails."""
    engine = environment(project.templates())
    html, text = (
        render_template(engine, name, {"strip": stripped})
        for name in ("strip.html.j2", "strip.txt.j2")
    )
    return Strip(html=html, text=text)


def post(transport: Transport, messages: Iterable[Message]) -> tuple[bool, tuple[str, ...]]:
    """Hand notices over; tell whether they need not go again, and what went wrong.

    They go again only where none was taken, and none was refused for good: a second one is a
    nuisance, and no ledger is kept of them.
    """
    trouble: list[str] = []
    settled = False
    try:
        transport.open()
        for message in messages:
            outcome = transport.hand_over(message)
            settled = settled or outcome.state != "pending"
            if outcome.state != "accepted":
                trouble.append(f"{outcome.state}: {outcome.reply or 'no answer came'}")
    except TransportError as error:
        trouble.append(error.problems[0].what)
    finally:
        transport.close()
    return settled, tuple(trouble)
