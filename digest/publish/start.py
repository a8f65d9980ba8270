"""Start a newsletter, and start a summary."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from digest.content import dump_header
from digest.errors import FilesError, UsageError
from digest.files import shipped_content, shipped_settings, write_file
from digest.model import clean_line, slugify
from digest.publish.project import Project
from digest.publish.secret import make_key

__all__ = ["Started", "Wishes", "new_summary", "start_newsletter"]

_IGNORED = b"""\
# readers, ledger and key never enter a repository
/private/
# one file for each reader, and mails to editors and tests
/outbox/*/messages/
/outbox/notices/
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What `init` made, and what it found there already and left alone; relative paths."""

    made: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What `init` is to write into the settings instead of the sample's; empty leaves it."""

    name: str = ""
    timezone: str = ""
    site: str = ""

    def refuse(self) -> None:
        """Raise UsageError for what no settings could hold."""
        if self.name and not clean_line(self.name):
            raise UsageError("a newsletter needs a name", where="--name", fix="give it in words")
        if self.timezone and self.timezone not in available_timezones():
            raise UsageError(
                f"there is no time zone {self.timezone!r}",
                where="--timezone",
                fix="write a name of the IANA database, such as Europe/Berlin",
            )
        if self.site and not self.host:
            raise UsageError(
                f"{self.site!r} is no web address",
                where="--site",
                fix="write it as https://letters.example.org/",
            )

    @property
    def host(self) -> str:
        """Give the site's host in ASCII (RFC 5890); empty where the site is no plain address."""
        try:
            parts = urlsplit(self.site)
            host = (parts.hostname or "").encode("idna").decode()
        except ValueError:
            return ""
        plain = parts.scheme in {"http", "https"} and not (parts.query or parts.fragment)
        return host if plain and "@" not in parts.netloc else ""


def start_newsletter(
    folder: Path, *, now: datetime, wishes: Wishes, dry_run: bool = False
) -> Started:
    """Make a folder that builds at once; never overwrite. Raise FilesError, UsageError."""
    wishes.refuse()
    # Somebody's own summaries are not mixed with the sample's.
    samples = shipped_content()
    there_already = {path.name for path in (folder / "content").rglob("*.md")}
    own = bool(there_already - set(samples))
    files = {
        "digest.toml": _settings(now, wishes).encode(),
        ".gitignore": _IGNORED,
        **({} if own else {f"content/{name}": data for name, data in samples.items()}),
        "private/key": make_key(),
    }
    there = {path for path in files if (folder / path).exists()}
    if not dry_run:
        _make_folders(folder)
        for path, data in files.items():
            if path not in there:
                mode = 0o600 if path.startswith("private/") else 0o644
                write_file(folder / path, data, root=folder, mode=mode)
    return Started(
        made=tuple(path for path in files if path not in there), kept=tuple(sorted(there))
    )


def _make_folders(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "private").mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise FilesError(
            f"no folder can be made here: {error.strerror}",
            where=folder.name,
            fix="choose another place, or make it writable",
        ) from error


def _settings(now: datetime, wishes: Wishes) -> str:
    """Give the sample's settings with a feed tag of its own (RFC 4151 §2.1): domain and day."""
    text = shipped_settings()
    sample = re.search(r'^from = ".*@([^">]+)>?"', text, re.MULTILINE)
    domain = wishes.host or (sample[1] if sample else "newsletter.example")
    values = {"tag": f"{domain},{now:%Y-%m-%d}"}
    if wishes.name:
        values |= {"name": clean_line(wishes.name), "slug": slugify(wishes.name)}
    if wishes.timezone:
        values["timezone"] = wishes.timezone
    if wishes.site:
        values["url"] = wishes.site
    for key, value in values.items():
        text = _with_line(text, f"{key} = ", json.dumps(value, ensure_ascii=False))
    return text


def _with_line(text: str, start: str, rest: str) -> str:
    """Give the text with what follows `start`, where a line begins so, replaced by `rest`."""
    lines = text.split("\n")
    place = next((n for n, line in enumerate(lines) if line.startswith(start)), None)
    if place is not None:
        lines[place] = start + rest
    return "\n".join(lines)


def new_summary(
    project: Project, title: str, *, now: datetime, theme: str = "", dry_run: bool = False
) -> str:
    """Write a summary file with its header and give its path; never overwrite.

    Raise UsageError for an empty title or a file that exists already.
    """
    line = clean_line(title)
    if not line:
        raise UsageError("a summary needs a title", fix='write `digest new "Its title"`')
    file = project.content / f"{slugify(line)}.md"
    shown = project.shown(file)
    if file.exists():
        raise UsageError("exists already", where=shown, fix="choose another title, or edit it")
    zone = project.settings.newsletter.zone
    pairs: list[tuple[str, object]] = [
        ("title", line),
        ("date", f"{now.astimezone(zone):%Y-%m-%d}"),
        ("url", ""),
        ("theme", slugify(theme) if theme else ""),
        ("tags", []),
        ("draft", True),  # until its author has written it
    ]
    header = dump_header([pair for pair in pairs if pair[1] != "" or pair[0] == "url"])
    body = "\nWrite the summary here: fifty to ninety words say what it is and why it matters.\n"
    if not dry_run:
        write_file(file, (header + body).encode(), root=project.root)
    return shown
