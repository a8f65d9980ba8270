"""Issue files in and out: `content/issues/2026-w49.md`."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from digest.content.dump import dump_header
from digest.content.fields import FALSE, TRUE, Fields, read_fields, theme_id
from digest.content.header import Parts, split_file
from digest.content.nodes import Listing, Node, Scalar, Table
from digest.content.options import nearest
from digest.content.reading import read_file, shown_path
from digest.errors import ContentError
from digest.model import (
    Issue,
    IssueKey,
    LeftOut,
    Pick,
    Seal,
    ThemeId,
    WeeklyTime,
    is_issue_key,
)

__all__ = [
    "SEAL_MOMENTS",
    "dump_issue",
    "issue_fields",
    "item_pairs",
    "load_issue",
    "parse_issue",
    "read_items",
    "read_left_out",
    "read_reason",
    "read_seal",
    "read_theme",
    "seal_pairs",
]

_TEXTS: Final = frozenset({"subject", "preheader", "title", "theme_reason", "hold", "skip"})
_KEYS: Final = _TEXTS | {"issue", "theme", "items", "left_out", "dropped", "published"}
_ITEM: Final = frozenset({"id", "theme", "reason", "repeat"})
_LEFT_OUT: Final = frozenset({"id", "reason"})
_SEAL: Final = ("at", "number", "edition")
_LATER: Final = ("sent", "ended", "withdrawn")
SEAL_MOMENTS: Final = ("at", *_LATER)
# What a bare `yes`, or nothing behind the colon, gives as the reason.
_REASONS: Final = {"hold": "held", "skip": "skipped"}
# An issue that left out a thousand summaries has a longer header than any summary.
_CHARACTERS = 1024 * 1024
_NODES = 100_000
_COMMENT = (
    "# Yours to edit: the words, the items and their order, the introduction below the header.\n"
    "# May be added: `title`, `subject`, `preheader`, and `hold` with the reason to wait.\n"
)


def load_issue(file: Path, *, root: Path, send: WeeklyTime, zone: ZoneInfo) -> Issue:
    """Read an issue file; its name is its key. Raises ContentError with all its problems."""
    where = shown_path(file, root)
    if not is_issue_key(file.stem):
        raise ContentError(
            f"'{file.stem}' is no issue key", where=where, fix="name it like 2026-w49.md"
        )
    data = read_file(file, where=where)
    return parse_issue(data, where=where, key=IssueKey(file.stem), send=send, zone=zone)


def parse_issue(
    data: bytes, *, where: str, key: IssueKey, send: WeeklyTime, zone: ZoneInfo
) -> Issue:
    """Read an issue from the bytes of its file; its slot is the weekly time of its week.

    Raises ContentError with all problems: unknown keys, items without id or twice, another key
    than the file's name.
    """
    parts, fields = issue_fields(data, where=where)
    typed = fields.line_text("issue")
    if typed and typed != key:
        fields.problem(f"`issue` is {typed}, the file's name is {key}", line=fields.line("issue"))
    _refuse_unknown(fields, _KEYS, "")
    items, dropped = read_items(fields), read_left_out(fields, "dropped")
    # Who moves a summary up into the items need not take it out below.
    shown = {item.id for item in items}
    taken = shown | {one.id for one in dropped}
    issue = Issue(
        slot=send.slot(key, zone),
        theme=read_theme(fields),
        items=items,
        left_out=tuple(one for one in read_left_out(fields, "left_out") if one.id not in taken),
        dropped=tuple(one for one in dropped if one.id not in shown),
        picked=fields.node("items") is not None,
        theme_reason=fields.line_text("theme_reason"),
        subject=fields.line_text("subject"),
        preheader=fields.line_text("preheader"),
        title=fields.line_text("title"),
        introduction=parts.body.strip("\n"),
        hold=read_reason(fields, "hold"),
        skip=read_reason(fields, "skip"),
        seal=read_seal(fields, zone),
    )
    fields.refuse()
    return issue


def dump_issue(issue: Issue) -> str:
    """Write an issue file: `parse_issue` reads an equal issue back, for texts of one line.

    An edition keeps what this gives: other bytes for the same issue would make published ones fail
    to verify.
    """
    chosen = item_pairs(issue)
    header = dump_header(
        [
            ("issue", issue.key),
            *chosen[:2],
            ("title", issue.title or None),
            ("subject", issue.subject or None),
            ("preheader", issue.preheader or None),
            ("hold", issue.hold or None),
            ("skip", issue.skip or None),
            *chosen[2:],
            *(seal_pairs(issue.seal) if issue.seal else ()),
        ]
    )
    first, _, rest = header.partition("\n")
    text = f"{first}\n{_COMMENT}{rest}"
    return f"{text}\n{issue.introduction}\n" if issue.introduction else text


def issue_fields(data: bytes, *, where: str) -> tuple[Parts, Fields]:
    """Split an issue file and read its header, which it must have."""
    parts = split_file(data, where=where, limit=_CHARACTERS)
    if parts.header is None or parts.toml:
        raise ContentError(
            "an issue file begins with a header between two lines `---`", where=f"{where}:1"
        )
    return parts, read_fields(parts, where=where, texts=_TEXTS, limit=_NODES)


def item_pairs(issue: Issue) -> tuple[tuple[str, object], ...]:
    """Give what the header says of theme and items; None for a key that it is to be without."""
    items = [
        {"id": x.id, "theme": x.theme, "reason": x.reason or None, "repeat": x.repeat or None}
        for x in issue.items
    ]
    left_out = [{"id": x.id, "reason": x.reason or None} for x in issue.left_out]
    dropped = [{"id": x.id, "reason": x.reason or None} for x in issue.dropped]
    return (
        ("theme", issue.theme or None),
        ("theme_reason", issue.theme_reason or None),
        ("items", items if items or issue.picked else None),
        ("left_out", left_out or None),
        ("dropped", dropped or None),
    )


def seal_pairs(seal: Seal) -> tuple[tuple[str, object], ...]:
    """Give what the header says of a published issue."""
    sealed: dict[str, object] = {"at": seal.at, "number": seal.number, "edition": seal.edition}
    sealed |= {name: at for name in _LATER if (at := getattr(seal, name)) is not None}
    return (("published", sealed),)


def read_seal(fields: Fields, zone: ZoneInfo) -> Seal | None:
    """Read `published`: when, as which number, the edition's hash, and what came later."""
    node = fields.node("published")
    if node is None:
        return None
    if not isinstance(node, Table):
        fields.problem(
            "`published` must be `at`, `number` and `edition`",
            line=fields.line("published"),
            fix="take it out; only `digest publish` writes it",
        )
        return None
    inner = fields.inner(node)
    _refuse_unknown(inner, frozenset({*_SEAL, *_LATER}), "published.")
    at, number = inner.moment("at", zone)[0], inner.number("number")
    for name in sorted(_SEAL):
        if inner.node(name) is None:
            inner.problem(f"`published` has no `{name}`")
    if not number.is_integer() or number < 0:
        inner.problem("`number` must be a whole number", line=inner.line("number"))
    if at is None:
        return None
    return Seal(
        at=at,
        number=int(number),
        edition=inner.line_text("edition"),
        **{name: inner.moment(name, zone)[0] for name in _LATER},
    )


def read_theme(fields: Fields) -> ThemeId:
    """Read the theme of the week; empty where the file names none."""
    text = fields.line_text("theme")
    return ThemeId(theme_id(text) if text else "")


def read_items(fields: Fields) -> tuple[Pick, ...]:
    """Read the items of an issue."""
    theme = read_theme(fields)
    return tuple(_pick(one, theme) for one in _listed(fields, "items", _ITEM))


def read_left_out(fields: Fields, name: str) -> tuple[LeftOut, ...]:
    """Read `left_out` or `dropped`."""
    return tuple(
        LeftOut(id=one.line_text("id"), reason=one.line_text("reason"))
        for one in _listed(fields, name, _LEFT_OUT)
    )


def _pick(item: Fields, theme: ThemeId) -> Pick:
    """Read one item; without a theme of its own it stands under the issue's."""
    own = item.line_text("theme")
    if own:
        theme = ThemeId(theme_id(own))
    elif item.line("theme"):
        theme = ThemeId("")
    return Pick(
        id=item.line_text("id"),
        theme=theme,
        reason=item.line_text("reason"),
        repeat=_repeat(item),
    )


def _repeat(item: Fields) -> str:
    """Read `repeat`, the issue that an item was in last; empty where it never was out."""
    key = item.line_text("repeat")
    if key and not is_issue_key(key):
        item.problem(
            f"`repeat` must be the key of an issue, not '{key}'",
            line=item.line("repeat"),
            fix="write it like 2026-w01, or take it out",
        )
    return key


def _listed(fields: Fields, name: str, known: frozenset[str]) -> list[Fields]:
    """Read a list of mappings with an id each, or of plain ids; an id may stand there once."""
    node = fields.node(name)
    values = node.values if isinstance(node, Listing) else (node,) if node else ()
    found: dict[str, Fields] = {}
    for value in values:
        inner = fields.inner(_with_id(value))
        _refuse_unknown(inner, known, f"{name}.")
        key = inner.line_text("id")
        if not key:
            fields.problem(f"something in `{name}` has no id", line=value.line)
        elif key in found:
            lines = f"{found[key].line('id')} and {value.line}"
            fields.problem(
                f"'{key}' is in `{name}` twice, on the lines {lines}",
                line=value.line,
                fix="take one of them out",
            )
        else:
            found[key] = inner
    return list(found.values())


def _with_id(value: Node) -> Table:
    """Read a plain id as the mapping it is short for."""
    if isinstance(value, Table):
        return value
    values = {"id": value} if isinstance(value, Scalar) else {}
    return Table(values=values, lines=dict.fromkeys(values, value.line), line=value.line)


def read_reason(fields: Fields, name: str) -> str:
    """Read `hold` or `skip`, a reason to wait or to have no issue; a bare `no` is none.

    A bare `true`, or nothing behind the colon, is reason enough: who wrote the word meant it.
    """
    node, reason = fields.node(name), fields.line_text(name)
    word = reason.lower() if isinstance(node, Scalar) and node.bare else ""
    if not fields.line(name) or word in FALSE:
        return ""
    return _REASONS[name] if word in TRUE or not reason else reason


def _refuse_unknown(fields: Fields, known: frozenset[str], above: str) -> None:
    """Gather a problem for each key that means nothing in an issue file."""
    for typed, _, line in fields.rest(known):
        what = f"`{above}{typed}` is no key of an issue file"
        fields.problem(what, line=line, fix=nearest(typed, known))
