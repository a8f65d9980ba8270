"""The settings of one newsletter: a frozen value, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from digest.config import formats
from digest.config.addresses import address, default_list_id, list_id, mailbox, web_address
from digest.config.reading import Effective, Reading
from digest.config.sending import (
    ScheduleSettings,
    TransportSettings,
    editors,
    schedule,
    transport,
)
from digest.config.sources import Sources, find_file, read_file
from digest.config.values import (
    choice,
    flag,
    line,
    lines,
    number,
    optional_line,
    pairs,
    pattern,
    text_or_false,
)
from digest.errors import ConfigError
from digest.model import OTHER, Mailbox, Newsletter, Theme, slugify, theme_label
from digest.picking import Mode, Policy, WhenThin

__all__ = ["ChecksSettings", "ContentSettings", "Settings", "effective", "load_settings"]

_SECTIONS: Final = (
    "newsletter",
    "content",
    "site",
    "theme",
    "selection",
    "schedule",
    "mail",
    "desk",
    "transport",
    "store",
    "feed",
    "checks",
)
_MODES: Final[tuple[Mode, ...]] = ("theme", "mixed")
_WHEN_THIN: Final[tuple[WhenThin, ...]] = ("borrow", "short", "skip")
_SQLITE: Final = "sqlite:///"
_POLICY: Final = Policy()
_DEFAULTS: Final = {field.name: field.default for field in fields(Newsletter)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentSettings:
    """Where the summaries are: `folder` below the newsletter's, `issues` a folder inside it."""

    folder: str
    issues: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    aliases: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksSettings:
    """Which checks to leave out, and whether a warning stops like an error."""

    ignore: tuple[str, ...]
    strict: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of one newsletter.

    `root` is the absolute folder of the settings file. `store_url` holds an absolute path,
    `store_name` the same place as complaints show it. `editors` get the notices. `told` is what
    `effective` gives.
    """

    root: Path
    file_name: str
    newsletter: Newsletter
    themes: tuple[Theme, ...]
    policy: Policy
    content: ContentSettings
    store_url: str
    store_name: str
    checks: ChecksSettings
    editors: tuple[Mailbox, ...]
    schedule: ScheduleSettings
    transport: TransportSettings
    told: tuple[Effective, ...]


def effective(settings: Settings) -> tuple[Effective, ...]:
    """Give every setting in force with its origin, section by section."""
    return settings.told


def load_settings(
    start: Path, *, file: Path | None, environ: Mapping[str, str], overrides: tuple[str, ...]
) -> Settings:
    """Read the settings: defaults, then `digest.toml`, then the environment, then `--set`.

    The file is the nearest `digest.toml` in `start` or above, or `file`, relative to `start`; its
    folder is the newsletter's. Raise ConfigError with all that is wrong.
    """
    path = (start / file).resolve() if file else find_file(start)
    document, places = read_file(path)
    sources = Sources()
    sources.add_file(document, places, path.name)
    sources.add_environment(environ)
    sources.add_overrides(overrides)
    reading = Reading(sources.values, file=path.name)
    settings = _settings(reading, path)
    _complain_of_outbox(reading, settings)
    if problems := reading.problems():
        raise ConfigError.of(problems)
    return settings


def _complain_of_outbox(reading: Reading, settings: Settings) -> None:
    """Complain of private files where the published ones are."""
    places = {"store.url": settings.store_url.removeprefix(_SQLITE)}
    smtp = settings.transport.smtp
    if smtp and smtp.password and smtp.password.kind == "file":
        places["transport.smtp.password_file"] = smtp.password.words[0]
    for key, place in places.items():
        if settings.root / "outbox" in (settings.root / place).resolve().parents:
            reading.complain(key, "must not lie in outbox, which is published")


def _settings(reading: Reading, path: Path) -> Settings:
    newsletter, content = _newsletter(reading), _content(reading)
    themes, policy = _themes(reading), _policy(reading)
    store = reading.take("store.url", formats.sqlite_url, f"{_SQLITE}private/digest.db")
    place = store.removeprefix(_SQLITE)
    checks = ChecksSettings(
        ignore=reading.take("checks.ignore", lines(formats.rule_id), []),
        strict=reading.take("checks.strict", flag, default=False),
    )
    people, times = editors(reading), schedule(reading, newsletter.send)
    way = transport(reading)
    order = {section: place for place, section in enumerate(_SECTIONS)}
    told = sorted(
        reading.effective, key=lambda one: order[one.key.partition(".")[0].partition("[")[0]]
    )
    return Settings(
        root=path.parent,
        file_name=path.name,
        newsletter=newsletter,
        themes=themes,
        policy=policy,
        content=content,
        store_url=f"{_SQLITE}{(path.parent / place).as_posix()}",
        store_name=Path(place).name if place.startswith("/") else place,
        checks=checks,
        editors=people,
        schedule=times,
        transport=way,
        told=tuple(told),
    )


def _newsletter(reading: Reading) -> Newsletter:
    name = reading.need("newsletter.name", line, "My letter")
    slug = reading.take("newsletter.slug", formats.slug, slugify(name))
    sender = reading.need("mail.from", mailbox, "My letter <letter@letter.example>")
    return Newsletter(
        name=name,
        slug=slug,
        description=reading.take("newsletter.description", optional_line, ""),
        language=reading.take("newsletter.language", formats.language, "en"),
        zone=reading.take("newsletter.timezone", formats.zone, "UTC"),
        subject=reading.take("newsletter.subject", line, _DEFAULTS["subject"]),
        preheader=reading.take("newsletter.preheader", line, _DEFAULTS["preheader"]),
        first_number=reading.take(
            "newsletter.first_number", number(1, 1_000_000), _DEFAULTS["first_number"]
        ),
        tag=reading.need("newsletter.tag", formats.tag, "letter.example,2026-01-31"),
        postal_address=reading.take("newsletter.postal_address", text_or_false, default=False),
        site_url=reading.need("site.url", web_address, "https://letter.example/"),
        send=reading.take("schedule.send", formats.weekly_time, "mon 09:00"),
        sender=sender,
        reply_to=reading.take("mail.reply_to", formats.optional_address, ""),
        leave=reading.take("mail.leave", address, sender.address),
        list_id=reading.take("mail.list_id", list_id, default_list_id(slug, sender)),
        feed_entries=reading.take("feed.entries", number(1, 1000), _DEFAULTS["feed_entries"]),
    )


def _content(reading: Reading) -> ContentSettings:
    return ContentSettings(
        folder=reading.take("content.folder", formats.content_folder, "content"),
        issues=reading.take("content.issues", formats.plain_name, "issues"),
        include=reading.take("content.include", lines(pattern), ["**/*.md"]),
        exclude=reading.take("content.exclude", lines(pattern), []),
        aliases=reading.take("content.aliases", pairs, {}),
    )


def _themes(reading: Reading) -> tuple[Theme, ...]:
    themes: dict[str, Theme] = {}
    for place in range(1, reading.tables("theme") + 1):
        key = f"theme[{place}]"
        theme = reading.need(f"{key}.id", formats.theme_id, f"theme-{place}")
        if theme in themes:
            what = f"is {theme}, like that of an earlier theme"
            reading.complain(f"{key}.id", what, fix="choose another id")
        themes[theme] = Theme(
            id=theme,
            label=reading.take(f"{key}.label", line, theme_label(theme)),
            colour=reading.take(f"{key}.colour", formats.colour, OTHER.colour),
            match=reading.take(f"{key}.match", lines(formats.match_rule), []),
        )
    return tuple(themes.values())


def _policy(reading: Reading) -> Policy:
    low = reading.take("selection.min_items", number(1, 100), _POLICY.min_items)
    high = reading.take("selection.max_items", number(1, 100), _POLICY.max_items)
    if low > high:
        key = "max_items" if reading.given("selection.max_items") else "min_items"
        reading.complain(
            f"selection.{key}",
            f"does not fit: min_items is {low} and max_items is {high}",
            fix="set both, the smaller one first",
        )
    return Policy(
        mode=reading.take("selection.mode", choice(_MODES), _POLICY.mode),
        min_items=min(low, high),
        max_items=high,
        repeat_window=reading.take(
            "selection.repeat_window", number(0, 10_000), _POLICY.repeat_window
        ),
        when_thin=reading.take("selection.when_thin", choice(_WHEN_THIN), _POLICY.when_thin),
        max_per_source=reading.take("selection.max_per_source", formats.cap, default=False),
        max_per_author=reading.take("selection.max_per_author", formats.cap, default=False),
    )
