"""Notices to the editors: the issue itself, with a strip on top that says what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Final

from digest.checks import Finding
from digest.delivery import Watch, offer
from digest.errors import Problem, TransportError
from digest.mime import Strip, cut_stencil, message_id
from digest.model import Edition, IssueKey, Message, Slot, SlotNote, ThemeId
from digest.publish.guards import reason_to_wait
from digest.publish.inspect import check
from digest.publish.memory import Memory
from digest.publish.project import Project
from digest.publish.signing import present_signer
from digest.publish.wording import count_text, moment_text
from digest.render.templates import environment, render_template
from digest.transport import Transport

__all__ = [
    "Notice",
    "Posted",
    "Stripped",
    "Way",
    "messages_of",
    "missed_notice",
    "notice_of",
    "post",
    "strip_of",
    "word_notice",
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
    checked = check(project, key, now=now)
    edition = checked.kept.edition
    told = _told(checked.findings, checked.library.problems)
    draft = note.state == "drafted"
    strip = _draft(project, key, memory) if draft else _held(project, note)
    kind = "draft" if draft else "held"
    return Notice(
        name=f"{key}.{kind}",
        edition=replace(edition, subject=f"[{kind}] {edition.subject}"),
        strip=replace(strip, findings=told),
        notes=(note,),
    )


def _draft(project: Project, key: IssueKey, memory: Memory) -> Stripped:
    slot, file = project.slot(key), project.shown(project.issue_file(key))
    when = moment_text(slot.at, project.settings.newsletter.zone)
    issue = project.issue(key)
    whom = f"to {count_text(memory.active, 'active reader')}"
    goes = f"It goes out on {when}, {whom if memory.ever else 'on the site alone: no readers yet'}."
    wait = reason_to_wait(memory, max_change=project.settings.schedule.max_change)
    if issue is not None and issue.hold:
        goes = f"It is held and does not go out on {when}: {issue.hold}"
    elif memory.ever and wait:
        goes = f"It is due on {when}, {whom}, and is held then: {wait}."
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
    told = [f"left out, it cannot be read: {problem.brief}" for problem in problems]
    told += [f"{one.level} {one.rule}: {one.message} ({one.place})" for one in findings]
    more = len(told) - _SHOWN
    return (
        *told[:_SHOWN],
        *([f"and {more} more: digest check shows them all"] if more > 0 else ()),
    )


def word_notice(project: Project, note: SlotNote, *, now: datetime) -> Notice:
    """Make the notice of an issue that is stuck, or that has nothing in it; it shows no issue."""
    key, slot = note.key, project.slot(note.key)
    when = moment_text(slot.at, project.settings.newsletter.zone)
    if note.state == "stuck":
        title = "Stuck: this issue cannot go out"
        last = "Once that is mended it goes on by itself, up to the time the settings allow."
        ways = (Way(label="See what is wrong", command=f"digest build {key}"),)
    else:
        again = slot.at > now
        title = "Nothing: there is no issue this week"
        last = "It is looked at again then." if again else "No number is used."
        ways = (Way(label="See what is coming", command="digest plan"),)
    strip = Stripped(title=title, lines=(f"{key}, due on {when}.", note.reason, last), ways=ways)
    return _bare(project, [note], strip=strip, kind=note.state)


def missed_notice(project: Project, notes: Sequence[SlotNote], *, coming: Slot) -> Notice:
    """Make the one notice of all slots that were missed; it shows no issue."""
    zone = project.settings.newsletter.zone
    strip = Stripped(
        title=f"Missed: {count_text(len(notes), 'issue')} did not go out",
        lines=(
            *(f"{note.key} {note.reason}." for note in notes),
            "The schedule does not send them any more.",
            f"The next one is {coming.issue}, on {moment_text(coming.at, zone)}.",
        ),
        ways=(Way(label="Send one all the same", command=f"digest send {notes[-1].key}"),),
    )
    return _bare(project, notes, strip=strip, kind="missed")


def _bare(project: Project, notes: Sequence[SlotNote], *, strip: Stripped, kind: str) -> Notice:
    """Put a strip into a mail of its own."""
    last, name = notes[-1].key, project.settings.newsletter.name
    edition = Edition(
        key=last,
        number=0,
        slot=project.slot(last).at,
        subject=f"[{kind}] {name}: {', '.join(note.key for note in notes)}",
        preheader="",
        title="",
        summary="",
        theme=ThemeId(""),
        items=(),
        files={"issue.html": _EMPTY_HTML, "issue.txt": f"-- \n{name}\n".encode()},
    )
    # What is said twice for two reasons is two messages.
    reason = sha256(notes[-1].reason.encode()).hexdigest()[:8]
    return Notice(name=f"{last}.{kind}.{reason}", edition=edition, strip=strip, notes=tuple(notes))


def messages_of(project: Project, notice: Notice, *, now: datetime) -> tuple[Message, ...]:
    """Make a notice's message for each editor, signed as an issue is.

    Raise TemplateError for a strip that fails, ConfigError for a key that cannot be used.
    """
    newsletter = project.settings.newsletter
    stencil = cut_stencil(
        notice.edition,
        newsletter=newsletter,
        date=now,
        strip=strip_of(project, notice.strip),
        signer=present_signer(project),
    )
    name, domain = IssueKey(notice.name), newsletter.sender.domain
    return tuple(
        stencil.message(
            to=editor,
            message_id=message_id(_KEY, issue=name, address=editor.address, domain=domain),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """What came of a notice: whether it need not go again, what went wrong with whose copy.

    `reached` is False where the transport could not be used.
    """

    settled: bool
    trouble: tuple[str, ...]
    reached: bool = True


def post(transport: Transport, messages: Iterable[Message], watch: Watch) -> Posted:
    """Hand a notice over to each editor.

    It goes again only where none was taken, and none was refused for good: a second one is a
    nuisance, and no ledger is kept of them.
    """
    try:
        transport.open()
        outcomes = offer(transport, messages, watch)
    except TransportError as error:
        return Posted(settled=False, trouble=(error.brief,), reached=False)
    finally:
        transport.close()
    return Posted(
        settled=any(outcome.state != "pending" for outcome in outcomes),
        trouble=tuple(
            f"{outcome.state}: {outcome.reply or 'no answer came'}"
            for outcome in outcomes
            if outcome.state != "accepted"
        ),
    )
