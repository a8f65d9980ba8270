"""Tell the editors what the schedule did, once, by notices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from digest.delivery import Watch
from digest.errors import DigestError
from digest.model import IssueKey, Slot, SlotNote
from digest.publish.carriers import Via, notices_folder
from digest.publish.memory import Memory, write_note
from digest.publish.notice import (
    Notice,
    Posted,
    messages_of,
    missed_notice,
    notice_of,
    post,
    word_notice,
)
from digest.publish.project import Project
from digest.transport import Transport

__all__ = ["Told", "TransportFor", "tell_editors"]

TransportFor = Callable[[Path, Via], Transport]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came of it: a warning for each issue whose notice had trouble.

    `reached` is None where no notice was to go, else whether the transport could be used.
    """

    warnings: tuple[tuple[IssueKey, str], ...]
    reached: bool | None


def tell_editors(
    project: Project, memory: Memory, *, transport_for: TransportFor, watch: Watch, coming: Slot
) -> Told:
    """Tell the editors what they have not heard of yet, unless it is over.

    What goes wrong with a notice stops nothing; the next step tries again.
    """
    now = watch.clock()
    untold = [note for note in memory.notes.values() if not note.told]
    missed = [note for note in untold if note.state == "missed"]
    makers: list[tuple[IssueKey, Callable[[], Notice]]] = []
    for note in untold:
        if _over(project, memory, note, now=now):
            write_note(project, replace(note, told=True))
        elif note.state in {"drafted", "held"}:
            makers.append((note.key, partial(notice_of, project, note, memory=memory, now=now)))
        elif note.state != "missed":
            makers.append((note.key, partial(word_notice, project, note, now=now)))
    if missed:
        makers.append((missed[-1].key, partial(missed_notice, project, missed, coming=coming)))
    warnings: list[tuple[IssueKey, str]] = []
    reached: bool | None = None
    for key, make in makers:
        try:
            posted = _post(project, make(), transport_for=transport_for, watch=watch)
        except DigestError as error:
            warnings.append((key, f"the editors could not be told: {error.problems[0]}"))
            continue
        reached = posted.reached and reached is not False
        warnings += [
            (key, f"a notice to an editor was not delivered: {text}") for text in posted.trouble
        ]
    return Told(warnings=tuple(warnings), reached=reached)


def _over(project: Project, memory: Memory, note: SlotNote, *, now: datetime) -> bool:
    """Tell whether a notice would come too late to be of use."""
    if note.state == "drafted":
        return project.slot(note.key).at <= now
    ended = {send.issue for send in memory.sends if send.finished is not None}
    return note.state == "held" and note.key in ended


def _post(project: Project, notice: Notice, *, transport_for: TransportFor, watch: Watch) -> Posted:
    """Hand a notice over, and write down that it was told where it need not go again."""
    messages = messages_of(project, notice, now=watch.clock())
    via = project.settings.transport.kind
    posted = post(transport_for(notices_folder(project), via), messages, watch)
    if posted.settled:
        for note in notice.notes:
            write_note(project, replace(note, told=True))
    return posted
