"""Where settings come from, and which one is in force."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import digest
from digest.config import (
    DkimKey,
    DkimSettings,
    PasswordSource,
    ScheduleSettings,
    Settings,
    SmtpSettings,
    TransportSettings,
    effective,
)
from digest.model import Limits, Mailbox, Newsletter, Rate, Theme, ThemeId, WeeklyTime
from digest.picking import Policy

Load = Callable[..., Settings]
Faults = Callable[..., list[str]]

# Nothing here hangs on the name: neither slug nor List-Id.
_SHORT = """\
[newsletter]
name = "x"
slug = "x"
tag = "a.example,2026"

[site]
url = "https://a.example"

[mail]
from = "a@a.example"
"""


def test_the_least_file_leaves_the_rest_to_defaults(load: Load, tmp_path: Path) -> None:
    """Four keys make a newsletter; every other setting has its default."""
    settings = load()
    assert settings.newsletter == Newsletter(
        name="Tide Table",
        slug="tide-table",
        language="en",
        zone=ZoneInfo("UTC"),
        tag="tide.example,2026",
        site_url="https://tide.example/",
        sender=Mailbox(address="post@tide.example", name="Tide Table"),
        leave="post@tide.example",
        list_id="tide-table.tide.example",
        send=WeeklyTime(weekday=0, hour=9, minute=0),
    )
    assert settings.themes == ()
    assert settings.policy == Policy()
    assert (settings.content.folder, settings.content.issues) == ("content", "issues")
    assert (settings.content.include, settings.content.exclude) == (("**/*.md",), ())
    assert settings.content.aliases == {}
    assert (settings.checks.ignore, settings.checks.strict) == ((), False)
    assert settings.editors == ()
    assert settings.schedule == ScheduleSettings(
        draft=WeeklyTime(weekday=4, hour=15, minute=0),
        send=settings.newsletter.send,
        catch_up=timedelta(hours=24),
        missed="late",
        max_change=20,
    )
    assert settings.transport == TransportSettings(kind="outbox", on_unknown="retry", smtp=None)
    assert settings.store_url == f"sqlite:///{tmp_path}/private/digest.db"
    assert settings.store_name == "private/digest.db"
    assert settings.store_file == tmp_path / "private" / "digest.db"
    assert (settings.store_password, settings.dkim) == (None, None)
    assert (settings.root, settings.file_name) == (tmp_path, "digest.toml")


FULL = """\
[newsletter]
name = "Strandläufer"
slug = "strand-2"
description = "A letter from the shore."
language = "de-DE"
timezone = "Europe/Berlin"
subject = "{{ theme }}"
preheader = "Low water"
first_number = 12
tag = "post@strand.example,2026-02-28"
postal_address = '''
Strandläufer
1 Quay'''

[content]
folder = "./notes//sea/"
issues = "numbers"
include = ["**/*.md", "*.txt"]
exclude = ["drafts/**"]
aliases = { link = "url" }
dollar_maths = true

[site]
url = "http://Strand.example:8080/letter"
source = "https://git.strand.example/blob/{commit}/{path}?raw=1"

[[theme]]
id = "tides"
label = "Tides & moons"
colour = "teal"
match = ["tag:tides", "word: low water", "folder:sea/", "source:moon.example"]
weight = 2.5

[[theme]]
id = "sea-birds"

[selection]
mode = "mixed"
min_items = 1
max_items = 100
repeat_window = 0
repeats = "fill"
similarity = 1
max_age = 104
max_wait = 13
when_thin = "skip"
max_per_source = 2
max_per_author = false

[schedule]
send = "Friday 7:05"
draft = "wed 18:30"
catch_up = "90m"
missed = "skip"
max_change = 0
approvals = 0

[desk]
editors = ["Ada <ada@strand.example>", "editor@strand.example"]

[transport]
kind = "smtp"
on_unknown = "hold"

[transport.smtp]
host = "Relay.Strand.example"
port = 2525
security = "tls"
username = "letter"
password_command = ["pass", "show", "relay"]
timeout = "90s"
patience = "15m"
connections = 50
messages_per_connection = 100
rate = ["10/second", "500 / Day"]
warm_up = [50, 100]
allow_clear = true

[transport.smtp.domain_rate]
"Bücher.example" = ["1/minute"]
"*" = ["200/hour"]

[mail]
from = "post@strand.example"
reply_to = "answers@strand.example"
leave = "leave@strand.example"
list_id = "shore.strand.example"
look = "compact"
images = "cid"
budget = 64

[dkim]
selector = "S2026.letters"
domain = "Letters.strand.example"
key_file = "private/s2026.pem"
previous_selector = "s2025"
previous_key_file = "/etc/letter/s2025.pem"

[store]
url = "postgresql://ann%40strand@[2001:db8::7]:5433/letters?sslmode=verify-full"
password_file = "private/db"

[feed]
entries = 5

[checks]
ignore = ["D102", "D113"]
strict = true
"""


def test_every_setting_can_be_set(load: Load) -> None:
    """Each key of the file reaches the value it is for, in its normal form."""
    settings = load(FULL)
    assert settings.newsletter == Newsletter(
        name="Strandläufer",
        slug="strand-2",
        description="A letter from the shore.",
        language="de-DE",
        zone=ZoneInfo("Europe/Berlin"),
        subject="{{ theme }}",
        preheader="Low water",
        first_number=12,
        tag="post@strand.example,2026-02-28",
        postal_address="Strandläufer\n1 Quay",
        site_url="http://strand.example:8080/letter/",
        send=WeeklyTime(weekday=4, hour=7, minute=5),
        sender=Mailbox(address="post@strand.example"),
        reply_to="answers@strand.example",
        leave="leave@strand.example",
        list_id="shore.strand.example",
        feed_entries=5,
        images="cid",
        budget=64_000,
        dollar_maths=True,
        source_url="https://git.strand.example/blob/{commit}/{path}?raw=1",
    )
    assert settings.look == "compact"
    assert settings.themes == (
        Theme(
            id=ThemeId("tides"),
            label="Tides & moons",
            colour="teal",
            match=("tag:tides", "word:low water", "folder:sea", "source:moon.example"),
            weight=2.5,
        ),
        Theme(id=ThemeId("sea-birds"), label="Sea birds", colour="slate"),
    )
    assert settings.policy == Policy(
        mode="mixed",
        min_items=1,
        max_items=100,
        repeat_window=0,
        repeats="fill",
        similarity=1.0,
        max_age=104,
        max_wait=13,
        when_thin="skip",
        max_per_source=2,
        max_per_author=None,
    )
    assert (settings.content.folder, settings.content.issues) == ("notes/sea", "numbers")
    assert settings.content.include == ("**/*.md", "*.txt")
    assert settings.content.exclude == ("drafts/**",)
    assert settings.content.aliases == {"link": "url"}
    assert settings.store_url == (
        "postgresql://ann%40strand@[2001:db8::7]:5433/letters?sslmode=verify-full"
    )
    assert settings.store_name == "PostgreSQL letters on [2001:db8::7]:5433"
    assert settings.store_password == PasswordSource(
        kind="file", words=("private/db",), table="store"
    )
    assert settings.store_file is None
    assert settings.dkim == DkimSettings(
        domain="letters.strand.example",
        keys=(
            DkimKey(selector="s2026.letters", key_file="private/s2026.pem"),
            DkimKey(
                selector="s2025",
                key_file="/etc/letter/s2025.pem",
                setting="dkim.previous_key_file",
            ),
        ),
    )
    assert (settings.checks.ignore, settings.checks.strict) == (("D102", "D113"), True)
    assert settings.editors == (
        Mailbox(address="ada@strand.example", name="Ada"),
        Mailbox(address="editor@strand.example"),
    )
    assert settings.schedule == ScheduleSettings(
        draft=WeeklyTime(weekday=2, hour=18, minute=30),
        send=WeeklyTime(weekday=4, hour=7, minute=5),
        catch_up=timedelta(minutes=90),
        missed="skip",
        max_change=0,
    )
    assert settings.transport == TransportSettings(
        kind="smtp",
        on_unknown="hold",
        smtp=SmtpSettings(
            host="relay.strand.example",
            port=2525,
            security="tls",
            username="letter",
            password=PasswordSource(kind="command", words=("pass", "show", "relay")),
            timeout=90.0,
            patience=900.0,
            connections=50,
            per_connection=100,
            limits=Limits(
                total=(Rate(count=10, seconds=1), Rate(count=500, seconds=86_400)),
                domains={
                    "xn--bcher-kva.example": (Rate(count=1, seconds=60),),
                    "*": (Rate(count=200, seconds=3600),),
                },
                warm_up=(50, 100),
            ),
        ),
    )
    assert all(value.origin.startswith("digest.toml:") for value in effective(settings)[:20])


def test_no_key_of_the_full_file_is_left_to_its_default(load: Load) -> None:
    """The full file above names every setting there is, but for those that cannot be there."""
    told = effective(load(FULL))
    defaults = [value.key for value in told if value.origin == "default"]
    assert defaults == [
        "theme[2].label",
        "theme[2].colour",
        "theme[2].match",
        "theme[2].weight",
        "transport.smtp.password_env",
        "transport.smtp.password_file",
        "store.password_env",
        "store.password_command",
    ]


@pytest.mark.parametrize("text", [FULL, _SHORT])
def test_what_is_shown_can_be_set_again(load: Load, text: str) -> None:
    """All effective values, each given to --set as it is shown, make the same settings."""
    first = load(text)
    themes = "".join(f'[[theme]]\nid = "x-{place}"\n' for place, _ in enumerate(first.themes))
    overrides = [f"{value.key}={value.value}" for value in effective(first)]
    assert replace(load(_SHORT + themes, *overrides), told=()) == replace(first, told=())


@pytest.mark.parametrize(
    ("environ", "overrides", "expected", "origin"),
    [
        ({}, (), 4, "digest.toml:12"),
        ({"DIGEST_SELECTION__MAX_ITEMS": "5"}, (), 5, "DIGEST_SELECTION__MAX_ITEMS"),
        ({}, ("selection.max_items=6",), 6, "--set"),
        ({"DIGEST_SELECTION__MAX_ITEMS": "5"}, ("selection.max_items = 6",), 6, "--set"),
        ({}, ("selection.max_items=7", "selection.max_items=8"), 8, "--set"),
    ],
)
def test_flag_wins_over_environment_over_file(
    load: Load,
    least: str,
    *,
    environ: dict[str, str],
    overrides: tuple[str, ...],
    expected: int,
    origin: str,
) -> None:
    """The later source wins, and the effective value names it."""
    settings = load(least + "\n[selection]\nmax_items = 4\n", *overrides, environ=environ)
    assert settings.policy.max_items == expected
    (told,) = [value for value in effective(settings) if value.key == "selection.max_items"]
    assert (told.value, told.origin) == (str(expected), origin)


def test_effective_values_stand_in_the_order_of_the_sections(load: Load) -> None:
    """Every value is shown as TOML, sections in one order, with a line for what the file says."""
    told = effective(load())
    sections = list(dict.fromkeys(value.key.partition(".")[0] for value in told))
    assert sections == [
        "newsletter",
        "content",
        "site",
        "selection",
        "schedule",
        "mail",
        "dkim",
        "desk",
        "transport",
        "store",
        "feed",
        "checks",
    ]
    shown = {value.key: (value.value, value.origin) for value in told}
    assert shown["newsletter.name"] == ('"Tide Table"', "digest.toml:2")
    assert shown["newsletter.timezone"] == ('"UTC"', "default")
    assert shown["newsletter.postal_address"] == ("false", "default")
    assert shown["content.include"] == ('["**/*.md"]', "default")
    assert shown["content.aliases"] == ("{}", "default")
    assert shown["site.url"] == ('"https://tide.example/"', "digest.toml:6")
    assert shown["selection.max_per_source"] == ("false", "default")
    assert shown["selection.similarity"] == ("0.7", "default")
    assert shown["selection.max_age"] == ("false", "default")
    assert shown["schedule.send"] == ('"mon 09:00"', "default")
    assert shown["mail.from"] == ('"Tide Table <post@tide.example>"', "digest.toml:9")
    assert shown["mail.list_id"] == ('"tide-table.tide.example"', "default")
    assert shown["store.url"] == ('"sqlite:///private/digest.db"', "default")
    assert shown["checks.strict"] == ("false", "default")


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("newsletter.name=1984", "1984"),
        ("newsletter.name='true'", "true"),
        ("newsletter.name=2026-11-30", "2026-11-30"),
        ('newsletter.name="1984"', "1984"),
        ("newsletter.name='in quotes'", "in quotes"),
        ("newsletter.name=a = b", "a = b"),
        ("newsletter.name=[a]", "[a]"),
    ],
)
def test_a_text_on_the_command_line_needs_no_quotes(
    load: Load, override: str, expected: str
) -> None:
    """What stands after the equals sign is TOML where that fits the key, else plain text."""
    assert load(_SHORT, override).newsletter.name == expected


def test_the_environment_is_read_like_the_command_line(load: Load, least: str) -> None:
    """Variables set lists, tables, numbers and texts; others with the prefix are no settings."""
    settings = load(
        least,
        environ={
            "DIGEST_CHECKS__IGNORE": '["D102"]',
            "DIGEST_CONTENT__ALIASES": '{ link = "url" }',
            "DIGEST_NEWSLETTER__FIRST_NUMBER": "7",
            "DIGEST_NEWSLETTER__POSTAL_ADDRESS": "false",
            "DIGEST_SCHEDULE__SEND": "sun 23:59",
            "DIGEST_HOME": "/nowhere",
            "OTHER__NAME": "no",
            "digest_site__url": "no",
        },
    )
    assert settings.checks.ignore == ("D102",)
    assert settings.content.aliases == {"link": "url"}
    assert settings.newsletter.first_number == 7
    assert settings.newsletter.postal_address == ""
    assert settings.newsletter.send == WeeklyTime(weekday=6, hour=23, minute=59)


def test_themes_on_the_command_line_replace_those_of_the_file(load: Load, least: str) -> None:
    """An array set as a whole leaves nothing of the file's array behind."""
    text = least + '\n[[theme]]\nid = "a"\nlabel = "A"\n[[theme]]\nid = "b"\n'
    settings = load(text, 'theme=[{id = "c"}]')
    assert [theme.id for theme in settings.themes] == ["c"]
    assert [theme.label for theme in settings.themes] == ["C"]


def test_one_setting_of_a_theme_can_be_set(load: Load, least: str) -> None:
    """The path that complaints and `digest config` show is one that --set takes."""
    settings = load(least + '\n[[theme]]\nid = "a"\n', "theme[1].label=Moons")
    assert settings.themes[0].label == "Moons"


@pytest.mark.parametrize("override", ["selection.max_items", "=3", "", " =3"])
def test_an_override_has_a_key_and_a_value(faults: Faults, least: str, override: str) -> None:
    """A flag without a key or an equals sign is an error."""
    assert faults(least, override) == [
        "--set: needs a key, an equals sign and a value\n  write --set section.key=value"
    ]


@pytest.mark.parametrize(
    ("url", "rest", "name"),
    [
        ("sqlite:////srv/letters/tide.db", "/srv/letters/tide.db", "tide.db"),
        ("sqlite:///data/tide.db", "{root}/data/tide.db", "data/tide.db"),
        ("sqlite:///tide.db", "{root}/tide.db", "tide.db"),
    ],
)
def test_the_database_lies_below_the_newsletter_or_where_it_is_told(
    load: Load, tmp_path: Path, *, url: str, rest: str, name: str
) -> None:
    """A relative path counts from the settings file; complaints never show an absolute one."""
    settings = load(_SHORT, f"store.url={url}")
    assert settings.store_url == f"sqlite:///{rest.format(root=tmp_path)}"
    assert settings.store_name == name


def test_importing_is_cheap() -> None:
    """The room brings no parser of mail, no database, no template engine and no validator."""
    program = (
        "import sys; import digest.config; heavy = {'sqlalchemy', 'jinja2', 'cattrs', 'yaml',"
        " 'lxml', 'email', 'asyncio', 'http'}; print(sorted(heavy & set(sys.modules)))"
    )
    output = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(digest.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert output == "[]\n"
