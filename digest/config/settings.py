"""The settings of one newsletter: a frozen value, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from digest.config import formats
from digest.config.addresses import address, default_list_id, list_id, mailbox, web_address
from digest.config.database import database, file_of, is_proved
from digest.config.password import PasswordSource
from digest.config.private_file import complain_of_places
from digest.config.reading import Effective, Reading
from digest.config.selection import policy, themes
from digest.config.sending import (
    ScheduleSettings,
    TransportSettings,
    editors,
    schedule,
    transport,
)
from digest.config.signing import DkimSettings, dkim
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
from digest.model import Mailbox, Newsletter, Theme, slugify
from digest.model.limits import BUDGET, KILOBYTE
from digest.picking import Policy

__all__ = [
    "SECTIONS",
    "ChecksSettings",
    "ContentSettings",
    "Settings",
    "effective",
    "load_settings",
]

SECTIONS: Final = (
    "newsletter",
    "content",
    "site",
    "theme",
    "selection",
    "schedule",
    "mail",
    "dkim",
    "desk",
    "transport",
    "store",
    "feed",
    "checks",
)
_IMAGES: Final = ("link", "cid", "none")
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

    `root` is the absolute folder of the settings file. `store_url` holds an absolute path or a
    server, and no password; `store_name` is the same place as complaints show it. `dkim` is None
    where nothing is signed here. `editors` get the notices. `told` is what `effective` gives.
    `look` is the name of the mail's design.
    """

    root: Path
    file_name: str
    newsletter: Newsletter
    themes: tuple[Theme, ...]
    policy: Policy
    content: ContentSettings
    store_url: str
    store_name: str
    store_password: PasswordSource | None
    checks: ChecksSettings
    look: str
    dkim: DkimSettings | None
    editors: tuple[Mailbox, ...]
    schedule: ScheduleSettings
    transport: TransportSettings
    told: tuple[Effective, ...]

    @property
    def store_file(self) -> Path | None:
        """Give the file of the database; None where that is on a server."""
        return file_of(self.store_url)

    @property
    def store_is_proved(self) -> bool:
        """Tell whether nobody on the way to the database can read along."""
        return is_proved(self.store_url)


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
    document, places = read_file(path, name=path.name, option="--config")
    sources = Sources()
    sources.add_file(document, places, path.name)
    sources.add_environment(environ)
    sources.add_overrides(overrides)
    reading = Reading(sources.values, file=path.name)
    settings = _settings(reading, path)
    complain_of_places(
        reading,
        root=settings.root,
        content=settings.content.folder,
        places=_private_files(settings),
    )
    if problems := reading.problems():
        raise ConfigError.of(problems)
    return settings


def _private_files(settings: Settings) -> dict[str, str]:
    """Give the paths of what holds addresses and secrets, by the keys that name them."""
    file, smtp = settings.store_file, settings.transport.smtp
    places = {"store.url": str(file)} if file else {}
    for source in (settings.store_password, smtp.password if smtp else None):
        if source and source.kind == "file":
            places[source.key] = source.words[0]
    for key in settings.dkim.keys if settings.dkim else ():
        places[key.setting] = key.key_file
    return places


def _settings(reading: Reading, path: Path) -> Settings:
    newsletter, content = _newsletter(reading), _content(reading)
    topics, picking = themes(reading), policy(reading)
    store = database(reading, path.parent)
    signed = dkim(reading, newsletter.sender.domain)
    checks = ChecksSettings(
        ignore=reading.take("checks.ignore", lines(formats.rule_id), []),
        strict=reading.take("checks.strict", flag, default=False),
    )
    people, times = editors(reading), schedule(reading, newsletter.send)
    way, look = transport(reading), reading.take("mail.look", formats.plain_name, "default")
    order = {section: place for place, section in enumerate(SECTIONS)}
    told = sorted(
        reading.effective, key=lambda one: order[one.key.partition(".")[0].partition("[")[0]]
    )
    return Settings(
        root=path.parent,
        file_name=path.name,
        newsletter=newsletter,
        themes=topics,
        policy=picking,
        content=content,
        store_url=store.url,
        store_name=store.name,
        store_password=store.password,
        checks=checks,
        look=look,
        dkim=signed,
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
        images=reading.take("mail.images", choice(_IMAGES), _DEFAULTS["images"]),
        budget=KILOBYTE * reading.take("mail.budget", number(0, 1000), BUDGET // KILOBYTE),
        dollar_maths=reading.take("content.dollar_maths", flag, default=False),
        source_url=reading.take("site.source", formats.source_address, ""),
    )


def _content(reading: Reading) -> ContentSettings:
    return ContentSettings(
        folder=reading.take("content.folder", formats.content_folder, "content"),
        issues=reading.take("content.issues", formats.plain_name, "issues"),
        include=reading.take("content.include", lines(pattern), ["**/*.md"]),
        exclude=reading.take("content.exclude", lines(pattern), []),
        aliases=reading.take("content.aliases", pairs, {}),
    )
