"""What is wrong with settings, where, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from digest.config import Settings, load_settings
from digest.errors import ConfigError

Load = Callable[..., Settings]
Faults = Callable[..., list[str]]

MANY_LETTERS = "a" * 65
WRONG = [
    ("newsletter.name", "''", "must not be empty"),
    ("newsletter.name", r'"a\nb"', "must be one line without control characters"),
    ("newsletter.name", r'"a\u0000b"', "must be one line without control characters"),
    ("newsletter.name", r'"a\u2028b"', "must be one line without control characters"),
    ("newsletter.slug", "Tide Table", "must be of a-z, 0-9 and hyphens, such as my-letter"),
    ("newsletter.slug", "tide--table", "must be of a-z, 0-9 and hyphens, such as my-letter"),
    ("newsletter.slug", MANY_LETTERS, "must be of a-z, 0-9 and hyphens, such as my-letter"),
    ("newsletter.language", "en_GB", "must be a language tag, such as en or pt-BR"),
    ("newsletter.language", "e", "must be a language tag, such as en or pt-BR"),
    ("newsletter.timezone", "Mars/Olympus", "must be the name of a time zone"),
    ("newsletter.timezone", "../etc/passwd", "must be the name of a time zone"),
    ("newsletter.timezone", "Europe", "must be the name of a time zone"),
    ("newsletter.timezone", "localtime", "must be the name of a time zone"),
    ("newsletter.timezone", "right/UTC", "must be the name of a time zone"),
    ("newsletter.subject", "''", "must not be empty"),
    ("newsletter.first_number", "0", "must be a whole number from 1 to 1000000; it is 0"),
    ("newsletter.first_number", "0xffffffffffffffffffffffff", "it is a number too large to show"),
    ("newsletter.first_number", "1.5", "must be a whole number from 1 to 1000000, and is a number"),
    ("newsletter.first_number", "true", "must be a whole number from 1 to 1000000, and is true"),
    ("newsletter.first_number", "six", "must be a whole number from 1 to 1000000, and is a text"),
    ("newsletter.first_number", "2026-01-01", "and is a date or time"),
    ("newsletter.first_number", "[1]", "and is a list"),
    ("newsletter.first_number", "{a = 1}", "and is a table"),
    ("newsletter.tag", "tide.example", "must be a domain or address of yours, a comma"),
    ("newsletter.tag", "tide.example,2026-13", "must be a domain or address of yours, a comma"),
    ("newsletter.tag", "tide.example,2026-02-30", "must be a domain or address of yours"),
    ("newsletter.tag", "tide.example,0000", "must be a domain or address of yours"),
    ("newsletter.tag", "tide..example,2026", "must be a domain or address of yours"),
    ("newsletter.tag", "-tide.example,2026", "must be a domain or address of yours"),
    ("newsletter.postal_address", "true", "must be a text, or false, and is true"),
    ("newsletter.postal_address", "' '", "must not be empty\n  write false to leave it out"),
    ("content.folder", "../sea", "must be a path inside the newsletter's folder"),
    ("content.folder", "/sea", "must be a path inside the newsletter's folder"),
    ("content.folder", "sea/../..", "must be a path inside the newsletter's folder"),
    ("content.folder", "'c:\\sea'", "must be a path inside the newsletter's folder"),
    ("content.folder", ".", "must be a path inside the newsletter's folder"),
    ("content.folder", "outbox/sea", "must not be one of outbox, private, templates"),
    ("content.issues", "sea/issues", "must be a plain name without a slash"),
    ("content.issues", "..", "must be a plain name without a slash"),
    ("content.include", "*.md", 'must be a list, such as ["a", "b"], and is a text'),
    ("content.include", '["../*.md"]', "has a member that must stay inside the content folder"),
    ("content.exclude", "['/etc/*']", "has a member that must stay inside the content folder"),
    ("content.aliases", "link", "must be a table of texts, and is a text"),
    ("content.aliases", "{link = 1}", "has a member that must be a text, and is a whole number"),
    ("site.url", "tide.example", "must be a full address that begins with https://"),
    ("site.url", "ftp://tide.example", "must be a full address that begins with https://"),
    ("site.url", "https://", "must be a full address that begins with https://"),
    ("site.url", "https://[::1", "must be a web address"),
    ("site.url", "https://tide.example:port", "must be a web address"),
    ("site.url", "https://ti de.example", "holds no valid domain"),
    ("site.url", "https://tide.example/?a=b", "must end before any `?` or `#`"),
    ("site.url", "https://tide.example/#a", "must end before any `?` or `#`"),
    (
        "selection.mode",
        "them",
        'must be one of theme, mixed; it is "them"\n  did you mean "theme"?',
    ),
    ("selection.mode", "xyz", "must be one of theme, mixed"),
    ("selection.min_items", "0", "must be a whole number from 1 to 100"),
    ("selection.max_items", "101", "must be a whole number from 1 to 100"),
    ("selection.repeat_window", "-1", "must be a whole number from 0 to 10000"),
    ("selection.repeats", "often", "must be one of never, fill"),
    ("selection.similarity", "1.01", "must be a number from 0 to 1; it is 1.01"),
    ("selection.similarity", "0.49", "must be 0, or a number from 0.5 to 1; it is 0.49"),
    ("selection.similarity", "-1", "must be a number from 0 to 1; it is -1"),
    ("selection.similarity", "nan", "must be a number from 0 to 1; it is nan"),
    ("selection.similarity", "70%", "must be a number from 0 to 1, and is a text"),
    ("selection.similarity", "false", "must be a number from 0 to 1, and is false"),
    ("selection.max_age", "0", "must be a whole number from 1 to 10000"),
    ("selection.max_age", "2.5", "must be a whole number from 1 to 10000, and is a number"),
    ("selection.max_wait", "0", "must be a whole number from 1 to 10000"),
    ("selection.max_wait", "false", "must be a whole number from 1 to 10000, and is false"),
    ("selection.when_thin", "stretch", "must be one of borrow, short, skip"),
    ("selection.max_per_source", "0", "must be a whole number from 1 to 100"),
    ("selection.max_per_author", "true", "must be a whole number from 1 to 100, and is true"),
    ("schedule.send", "mon", "must be a day and a time, such as mon 09:00"),
    ("schedule.send", "moon 09:00", "must be a day and a time, such as mon 09:00"),
    ("schedule.send", "mon 24:00", "must be a day and a time, such as mon 09:00"),
    ("schedule.send", "09:00", "must be a day and a time, such as mon 09:00"),
    ("schedule.draft", "fri", "must be a day and a time, such as mon 09:00"),
    ("schedule.catch_up", "1w", "must be a length of time, such as 60s, 30m, 24h or 3d"),
    ("schedule.catch_up", "90", "such as 60s, 30m, 24h or 3d; it is 90"),
    ("schedule.catch_up", "-1h", "must be a length of time"),
    ("schedule.catch_up", "59s", "must be from 1m to 7d"),
    ("schedule.catch_up", "999999d", "must be from 1m to 7d"),
    ("schedule.missed", "later", "must be one of late, skip"),
    ("schedule.max_change", "1001", "must be a whole number from 0 to 1000"),
    ("schedule.approvals", "1", "approvals come with the editor's desk of a later version"),
    ("schedule.approvals", "none", "must be a whole number from 0 to 100, and is a text"),
    ("desk.editors", "ada@tide.example", 'must be a list, such as ["a", "b"], and is a text'),
    ("desk.editors", '["Ada"]', "has a member that must be a mail address"),
    ("desk.editors", '["a@t.example", "Ada <A@T.example>"]', "has a member twice"),
    ("transport.kind", "smpt", "must be one of outbox, smtp"),
    ("transport.on_unknown", "resend", "must be one of retry, hold"),
    ("transport.smtp.host", "relay.example:25", "must be the name of a host and nothing else"),
    ("transport.smtp.host", "smtp://relay.example", "must be the name of a host and nothing else"),
    ("transport.smtp.host", "relay example", "holds no valid domain"),
    ("transport.smtp.port", "0", "must be a whole number from 1 to 65535"),
    ("transport.smtp.security", "ssl", "must be one of tls, starttls, none"),
    ("transport.smtp.username", r'"a\nb"', "must be one line without control characters"),
    ("transport.smtp.timeout", "60", "such as 60s, 30m, 24h or 3d; it is 60"),
    ("transport.smtp.timeout", "2h", "must be from 1s to 1h"),
    ("transport.smtp.allow_clear", "yes", "must be true or false, and is a text"),
    ("mail.from", "Tide Table", "must be a mail address, such as letter@example.org"),
    ("mail.from", "Tide post@tide.example>", "must have the form `Name <letter@example.org>`"),
    ("mail.from", "A <b@c.example> <d@e.example>", "must have the form"),
    ("mail.from", "=?utf-8?q?a?= <post@tide.example>", "must have the form"),
    ("mail.from", "A <=?utf-8?q?a=40b.example?=@tide.example>", "must be a mail address"),
    ("mail.from", "post@tide", "It should have a period"),
    ("mail.from", "pöst@tide.example", "with only ASCII before the @-sign"),
    ("mail.from", f"{MANY_LETTERS}@tide.example", "must be a mail address"),
    ("mail.from", "post@-tide.example", "must be a mail address, such as letter@example.org: "),
    ("mail.from", "post@tide..example", "cannot have two periods in a row"),
    ("mail.from", f"post@{MANY_LETTERS}.example", "must be a mail address"),
    ("mail.from", f"post@{'sea.' * 63}example", "must be a mail address"),
    ("site.url", f"https://{MANY_LETTERS}.example", "holds no valid domain"),
    ("transport.smtp.host", "-tide.example", "holds no valid domain"),
    ("transport.smtp.host", "bü-.example", "holds no valid domain"),
    ("transport.smtp.host", "bücher", "holds no valid domain"),
    ("site.url", "https://bücher.example\u3000/", "holds no valid domain"),
    ("mail.reply_to", "A <post@tide.example>", "must be a mail address"),
    ("mail.leave", "''", "must not be empty"),
    ("mail.list_id", "tide", "must be a name with a dot, such as letter.example.org"),
    ("mail.list_id", "tide table.example", "must be a name with a dot"),
    ("mail.list_id", f"{'sea.' * 64}example", "must be a name with a dot"),
    ("store.url", "sqlite://", "must be sqlite:/// and the path of a file"),
    ("store.url", "sqlite:///", "must be sqlite:/// and the path of a file"),
    ("store.url", "sqlite:///:memory:", "must be sqlite:/// and the path of a file"),
    ("store.url", "sqlite:////srv/", "must be sqlite:/// and the path of a file"),
    ("store.url", "sqlite:///../tide.db", "must be a path inside the newsletter's folder"),
    ("store.url", "sqlite:///outbox/tide.db", "must not lie in outbox, which is published"),
    ("feed.entries", "0", "must be a whole number from 1 to 1000"),
    ("checks.ignore", '["D1"]', "has a member that must be the id of a check, such as D102"),
    ("checks.strict", "1", "must be true or false, and is a whole number"),
    ("checks.strict", "yes", "must be true or false, and is a text"),
]


@pytest.mark.parametrize(("key", "value", "words"), WRONG)
def test_a_wrong_value_is_told_with_its_key(
    faults: Faults, least: str, *, key: str, value: str, words: str
) -> None:
    """A value outside what its key may be is the one complaint, and says what it must be."""
    (fault,) = faults(least, f"{key}={value}")
    assert fault.startswith(f"--set: {key} ")
    assert words in fault


def test_a_wrong_value_of_the_environment_names_the_variable(faults: Faults, least: str) -> None:
    """The place of a wrong value is the variable it came from."""
    assert faults(least, environ={"DIGEST_FEED__ENTRIES": "many"}) == [
        "DIGEST_FEED__ENTRIES: feed.entries must be a whole number from 1 to 1000, and is a text"
    ]


@pytest.mark.parametrize(
    ("zone", "near"),
    [
        ("Europe/Berln", "did you mean Europe/Berlin?"),
        ("europe/berlin", "did you mean Europe/Berlin?"),
        ("Berlin", "did you mean Europe/Berlin?"),
        ("New York", "did you mean America/New_York?"),
        ("xqzw", "write it as Europe/Berlin, or UTC"),
    ],
)
def test_an_unknown_zone_names_the_nearest(
    faults: Faults, least: str, *, zone: str, near: str
) -> None:
    """Slips, letter case and a city alone lead to the zone that was meant."""
    (fault,) = faults(least, f"newsletter.timezone={zone}")
    assert fault.endswith(near)


def test_what_is_needed_is_asked_for_with_an_example(faults: Faults) -> None:
    """An empty file lacks four keys, and each complaint gives a line to add."""
    assert [fault.removeprefix("digest.toml: ") for fault in faults("")] == [
        'newsletter.name is missing\n  add `name = "My letter"` below [newsletter]',
        'mail.from is missing\n  add `from = "My letter <letter@letter.example>"` below [mail]',
        'newsletter.tag is missing\n  add `tag = "letter.example,2026-01-31"` below [newsletter]',
        'site.url is missing\n  add `url = "https://letter.example/"` below [site]',
    ]


def test_all_faults_come_at_once_in_the_order_of_the_file(faults: Faults) -> None:
    """One run tells everything that is wrong, by line, then what came from elsewhere."""
    text = (
        'nme = "x"\n'
        "[newsletter]\n"
        "name = 3\n"
        'tag = "tide.example,2026"\n'
        "[[theme]]\n"
        'id = "other"\n'
        'colour = "geen"\n'
        "[[theme]]\n"
        'lable = "Moons"\n'
        'match = ["tags:moon"]\n'
        "[mail]\n"
        'from = "tide"\n'
    )
    found = faults(text, "feed.entries=0", environ={"DIGEST_SITE__URL": "x"})
    assert [fault.splitlines()[0].partition(" must ")[0] for fault in found] == [
        "digest.toml:1: nme is no setting",
        "digest.toml:3: newsletter.name",
        "digest.toml:6: theme[1].id",
        "digest.toml:7: theme[1].colour",
        "digest.toml:8: theme[2].id is missing",
        "digest.toml:9: theme[2].lable is no setting",
        "digest.toml:10: theme[2].match has a member that",
        "digest.toml:12: mail.from",
        "DIGEST_SITE__URL: site.url",
        "--set: feed.entries",
    ]
    assert "did you mean green?" in found[3]


@pytest.mark.parametrize(
    ("override", "near"),
    [
        ("selection.max_itms=3", "did you mean selection.max_items?"),
        ("newsletter.url=x", "did you mean site.url?"),
        ("feed.timezone=x", "did you mean newsletter.timezone?"),
        ("name=x", "did you mean newsletter.name?"),
        ("newsleter.name=x", "did you mean [newsletter]?"),
        ("themes=x", "did you mean [theme]?"),
        ("theme.id=x", "did you mean theme?"),
        ("feed.xqzw=1", "[feed] has entries"),
        ("xqzw.a=1", "the sections are newsletter, mail, site"),
        ("content.aliases.link=url", "content.aliases"),
        ("transport.smtp.hsot=x", "did you mean transport.smtp.host?"),
        ("transport.hsot=x", "did you mean transport.smtp.host?"),
        ("transport.smpt.host=x", "did you mean transport.smtp.host?"),
        ("transport.smpt={}", "did you mean transport.smtp?"),
        ("transport.smtp.xqzw=1", "[transport.smtp] has host, security, port, username, pass"),
        ("transport.xqzw=1", "[transport] has kind, on_unknown"),
    ],
)
def test_an_unknown_key_names_the_nearest(
    faults: Faults, least: str, *, override: str, near: str
) -> None:
    """A slip in a key or a section leads to the one that was meant, or to what there is."""
    (fault,) = faults(least, override)
    assert fault.startswith(f"--set: {override.partition('=')[0]} is no setting\n  ")
    assert near in fault


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("feed = 3\n", "digest.toml:1: feed must be a table\n  write [feed] above its keys"),
        ("[[feed]]\nentries = 3\n", "digest.toml:1: feed must be a table"),
        (
            "[theme]\nid = 'a'\n",
            "digest.toml:1: theme must be tables\n  write [[theme]] above each",
        ),
        ("theme = ['a']\n", "digest.toml:1: theme must be tables\n  write [[theme]] above each"),
        ("theme = 3\n", "digest.toml:1: theme must be tables\n  write [[theme]] above each"),
        ("[themes]\n", "digest.toml:1: themes is no setting\n  did you mean [theme]?"),
        (
            "[transport]\nsmtp = 3\n",
            "digest.toml:2: transport.smtp must be a table\n  write [transport.smtp] above",
        ),
        ("[[transport.smtp]]\nhost = 'x'\n", "digest.toml:1: transport.smtp must be a table"),
        ("[public]\nurl = 'https://a.example'\n", "digest.toml:2: public.url is not known yet"),
        ("[public]\n", "digest.toml:1: public is not known yet"),
        ("[[xqzw]]\na = 1\nb = 2\n", "digest.toml:1: xqzw is no setting\n  the sections are"),
    ],
)
def test_a_section_of_the_wrong_shape_is_told_once(
    faults: Faults, least: str, *, text: str, expected: str
) -> None:
    """A section that is no table, or tables that are no array, make one complaint."""
    about = faults(text + least)
    assert len(about) == 1
    assert about[0].startswith(expected)


def test_two_themes_have_two_ids(faults: Faults, least: str) -> None:
    """The second theme of one id is told, where it stands."""
    text = least + '[[theme]]\nid = "moons"\n[[theme]]\nid = "moons"\n'
    assert faults(text) == [
        "digest.toml:13: theme[2].id is moons, like that of an earlier theme\n  choose another id"
    ]


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ("0", "must be a number above 0 and at most 100; it is 0"),
        ("-0.5", "must be a number above 0 and at most 100; it is -0.5"),
        ("100.5", "must be a number above 0 and at most 100; it is 100.5"),
        ("9" * 400, "must be a number above 0 and at most 100; it is a number too large to show"),
        ("'2'", "must be a number above 0 and at most 100, and is a text"),
        ("true", "must be a number above 0 and at most 100, and is true"),
    ],
)
def test_a_theme_has_a_weight_above_nothing(
    faults: Faults, least: str, *, weight: str, words: str
) -> None:
    """A theme that weighs nothing would never lead; the line of its weight is named."""
    (fault,) = faults(f'{least}[[theme]]\nid = "moons"\nweight = {weight}\n')
    assert fault == f"digest.toml:12: theme[1].weight {words}"


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("min_items = 7", "min_items", 11),
        ("max_items = 2", "max_items", 11),
        ("min_items = 9\nmax_items = 8", "max_items", 12),
    ],
)
def test_the_least_is_not_more_than_the_most(
    faults: Faults, least: str, *, text: str, key: str, line: int
) -> None:
    """Two numbers that do not fit are told at the one that was given, defaults counted in."""
    (fault,) = faults(f"{least}[selection]\n{text}\n")
    assert fault.startswith(f"digest.toml:{line}: selection.{key} does not fit: min_items is ")


SECRETS = [
    ("[transport.smtp]\npassword = 'hunter2'\n", {}, (), "transport.smtp.password"),
    ("[relay]\nsmtp_password = 'hunter2'\n", {}, (), "relay.smtp_password"),
    ("token = 'hunter2'\n", {}, (), "token"),
    ("[[relay]]\nclient-secret = 'hunter2'\n", {}, (), "relay[1].client-secret"),
    ("[content]\naliases = { Api_Token = 'hunter2' }\n", {}, (), "content.aliases.Api_Token"),
    ("[deep]\na = [{ b = [{ password = ['hunter2'] }] }]\n", {}, (), "deep.a[1].b[1].password"),
    ("", {"DIGEST_MAIL__PASSWORD": "hunter2"}, (), "mail.password"),
    ("", {}, ("store.access_token=hunter2",), "store.access_token"),
]


@pytest.mark.parametrize(("text", "environ", "overrides", "key"), SECRETS)
def test_a_secret_in_plain_text_is_refused_and_not_repeated(
    faults: Faults,
    least: str,
    *,
    text: str,
    environ: dict[str, str],
    overrides: tuple[str, ...],
    key: str,
) -> None:
    """A key whose name says secret is an error wherever it stands; its value is never shown."""
    found = faults(text + least, *overrides, environ=environ)
    (fault,) = [fault for fault in found if "secret in plain text" in fault]
    assert f"{key} holds a secret in plain text" in fault
    assert "use password_env, password_file or password_command instead" in fault
    assert "hunter2" not in "".join(found)


@pytest.mark.parametrize("key", ["password_env", "password_file", "password_command", "passwords"])
def test_the_ways_to_a_secret_are_no_secrets(faults: Faults, least: str, key: str) -> None:
    """A key that says where a secret is kept is no secret itself."""
    assert "plain text" not in "".join(faults(least, f"mail.{key}=x"))


@pytest.mark.parametrize(
    "override",
    [
        "site.url=https://me:hunter2@tide.example/",
        "store.url=postgresql://me:hunter2@tide.example/d",
    ],
)
def test_an_address_with_a_password_is_not_shown(faults: Faults, least: str, override: str) -> None:
    """A web or database address that holds a password is refused without repeating it."""
    (fault,) = faults(least, override)
    assert "hunter2" not in fault


@pytest.mark.parametrize(
    "override", ["newsletter.slug=" + "é" * 999, "mail.from=" + "a" * 999, "newsletter.tag=\x1b[2J"]
)
def test_a_wrong_value_is_shown_short_and_harmless(
    faults: Faults, least: str, override: str
) -> None:
    """A complaint shows at most sixty characters of a value, and none that acts on a terminal."""
    (fault,) = faults(least, override)
    assert len(fault) < 300
    assert fault.replace("\n", "").isprintable()


def test_a_strange_key_is_shown_harmless(faults: Faults, least: str) -> None:
    """A key with a line break or an escape is written in quotes; one not in UTF-8 is escaped."""
    found = faults('"a\\n\\u001b[2J" = 1\n' + least, environ={"DIGEST_\udcff__A": "x"})
    assert found[0].startswith('digest.toml: "a\\n')
    assert all(fault.replace("\n", "").isprintable() for fault in found)


def test_a_file_with_a_colon_in_its_name_can_be_complained_of(least: str, tmp_path: Path) -> None:
    """The order of complaints does not hang on what the file is called."""
    (tmp_path / "a:b.toml").write_text(f"{least}[feed]\nentries = 0\n[checks]\nstrict = 0\n")
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, file=Path("a:b.toml"), environ={"DIGEST_A__B": ""}, overrides=())
    assert [problem.where for problem in caught.value.problems] == [
        "a:b.toml:11",
        "a:b.toml:13",
        "DIGEST_A__B",
    ]
