"""What `digest plan --against` says: the issues that change, item by item."""

from __future__ import annotations

from collections.abc import Iterator

from digest.cli.call import Call
from digest.model import Pick
from digest.picking.compare import Change
from digest.publish.against import Against, Plan
from digest.publish.wording import count_text, theme_text

__all__ = ["tell_against"]


def tell_against(call: Call, against: Against) -> int:
    """Tell what changed, with `+` before what came and `-` before what went; give the exit code.

    What could not be read at the revision is only mentioned: the change may be what mends it.
    """
    for line in _lines(call, against):
        call.say(line)
    for problem in against.before.problems:
        call.mention(f"note: {problem.brief}")
    call.answer(
        {
            "against": against.revision,
            "weeks": len(against.issues),
            "changed": len(against.changes),
            "issues": [_told(change, against) for change in against.changes],
            "shortages": {"new": list(against.new), "gone": list(against.gone)},
        },
        problems=(*against.after.problems, *against.before.problems),
    )
    return call.complain(against.after.problems)


def _lines(call: Call, against: Against) -> Iterator[str]:
    count, of = len(against.changes), count_text(len(against.issues), "issue")
    yield f"{count or 'none'} of the next {of} changed since {against.revision}"
    for change in against.changes:
        yield ""
        yield f"{change.key}  {_theme_told(change)}"
        yield from _items(call, _rows(change, against))
    if against.new or against.gone:
        yield ""
        yield "what runs short"
        yield from (f"- {sentence}" for sentence in against.gone)
        yield from (f"+ {sentence}" for sentence in against.new)


def _theme_told(change: Change) -> str:
    was = theme_text(change.theme_before, skipped=change.skipped_before)
    now = theme_text(change.theme_after, skipped=change.skipped_after)
    told = now if was == now else f"{now}, was {was}"
    return f"{told}  (in another order)" if change.moved else told


def _rows(change: Change, against: Against) -> Iterator[tuple[str, Pick, list[str]]]:
    """Give each item that went or came with its sign and what is said of it behind its title."""
    into = {pick.id: one.key for one in against.changes for pick in one.came}
    out_of = {pick.id: one.key for one in against.changes for pick in one.went}
    for sign, picks, plan, word, other in (
        ("-", change.went, against.before, "now in", into),
        ("+", change.came, against.after, "was in", out_of),
    ):
        for pick in picks:
            title, path = _shown(pick, plan)
            place = f"{word} {other[pick.id]}" if pick.id in other else ""
            yield f"{sign} {title}", pick, [told for told in (path, place) if told]


def _items(call: Call, rows: Iterator[tuple[str, Pick, list[str]]]) -> Iterator[str]:
    for title, pick, remarks in rows:
        yield f"{title}  ({'; '.join(remarks)})" if remarks else title
        if call.verbose:
            yield f"    why: {pick.reason}"


def _shown(pick: Pick, plan: Plan) -> tuple[str, str]:
    """Give title and path of a summary; one without a file has but its id."""
    summary = plan.summaries.get(pick.id)
    return (summary.title, summary.path) if summary else (pick.id, "")


def _told(change: Change, against: Against) -> dict[str, object]:
    return {
        "issue": change.key,
        "theme": change.theme_after,
        "was": change.theme_before,
        "skipped": change.skipped_after,
        "was_skipped": change.skipped_before,
        "moved": change.moved,
        "in": [_item(pick, against.after) for pick in change.came],
        "out": [_item(pick, against.before) for pick in change.went],
    }


def _item(pick: Pick, plan: Plan) -> dict[str, str]:
    title, path = _shown(pick, plan)
    return {"id": pick.id, "title": title, "path": path, "reason": pick.reason}
