"""Values out as a header of a Markdown file, quoted so that the reader gives them back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

from digest.model import clean_text

__all__ = ["dump_header"]

# A bare text that no YAML reader, ours or another's, takes for anything but this text. The
# three signs by number are the curly apostrophe, the en dash and the em dash.
_BARE = re.compile(
    "[^\\W\\d_](?:[\\w.,;!?/()+&'\u2019\u2013\u2014-]|:(?=[^\\s:])|[ ](?=[^\\s#:])){0,200}\\Z"
)
_BARE_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,99}\Z")
# Words that YAML 1.1 or 1.2 turns into a boolean, nothing, or a number.
_WORDS = re.compile(r"(?:y|n|yes|no|on|off|true|false|null|none)\Z", re.IGNORECASE)
_KEY_LENGTH = 200  # YAML 1.2.2 §7.4.2 lets a simple key have 1024 characters, escapes counted
_LINE = 80  # a list that is longer than this stands one element a line


def dump_header(pairs: Sequence[tuple[str, object]]) -> str:
    r"""Write pairs as a header, `---\n…---\n`, in the order given.

    A value is a text, number, boolean, date, moment, a list of such, or a mapping; a pair whose
    value is None is left out. Texts go through `clean_text` first and come back equal to that;
    moments are cut to whole seconds. Raises ValueError for a key of more than 200 characters,
    TypeError for a value of another kind.
    """
    return "\n".join(["---", *_entries(pairs, ""), "---\n"])


def _entries(pairs: Sequence[tuple[str, object]], indent: str) -> list[str]:
    """Give the lines of the keys of one mapping."""
    lines: list[str] = []
    for key, value in pairs:
        if len(key) > _KEY_LENGTH:
            raise ValueError(f"a key of {len(key)} characters: at most {_KEY_LENGTH} are possible")
        if value is not None:
            bare = _BARE_KEY.match(key) and not _WORDS.match(key)
            lines += _value(f"{indent}{key if bare else _quoted(clean_text(key))}:", value, indent)
    return lines


def _value(start: str, value: object, indent: str) -> Iterator[str]:
    """Give the lines of a value that stands behind `start`, `key:` or `-`."""
    deeper = indent + "  "
    if isinstance(value, Mapping):
        inner = _entries([(str(key), one) for key, one in value.items()], deeper)
        yield from [start, *inner] if inner else [f"{start} {{}}"]
    elif isinstance(value, list | tuple):
        flow = _flow(value)
        yield f"{start} {flow}" if flow else start
        if not flow:
            for one in value:
                yield from _listed(one, deeper)
    elif isinstance(value, str) and _is_block(text := clean_text(value)):
        yield f"{start} |-"
        yield from (deeper + line if line else "" for line in text.split("\n"))
    else:
        yield f"{start} {_scalar(value)}"


def _listed(value: object, indent: str) -> Iterator[str]:
    """Give the lines of one element of a list; a mapping begins on the line of its dash."""
    lines = list(_value(f"{indent}-", value, indent))
    if isinstance(value, Mapping) and len(lines) > 1:
        lines[:2] = [f"{indent}- {lines[1].lstrip(' ')}"]
    yield from lines


def _flow(values: Sequence[object]) -> str:
    """Write a list on one line, `[a, b]`; empty where it is too long or not all one-line texts."""
    if not all(isinstance(one, str) and not _is_block(clean_text(one)) for one in values):
        return ""
    texts = [_scalar(one) for one in values]
    line = ", ".join(_quoted(x) if x[0] != '"' and re.search("[,:?]", x) else x for x in texts)
    return f"[{line}]" if len(line) <= _LINE else ""


def _scalar(value: object) -> str:
    """Write a value that fits on one line."""
    if isinstance(value, str):
        text = clean_text(value)
        return text if _BARE.match(text) and not _WORDS.match(text) else _quoted(text)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"a header holds no {type(value).__name__}")


def _moment(moment: datetime) -> str:
    """Write a moment to the second; an offset with seconds in it (before 1972) becomes UTC."""
    offset = moment.utcoffset()
    if offset is not None and offset.total_seconds() % 60:
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="seconds")


def _is_block(text: str) -> bool:
    """Tell whether a text reads well, and reads back, as a literal block (YAML 1.2.2 §8.1.2)."""
    lines = text.split("\n")
    return len(lines) > 1 and text == text.strip() and all(x.strip() for x in lines if x)


def _quoted(text: str) -> str:
    """Put a cleaned text in double quotes (YAML 1.2.2 §7.3.1)."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + plain.replace("\n", "\\n").replace("\t", "\\t") + '"'
