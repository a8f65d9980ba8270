"""Where the database is: a file, or a server whose password stands nowhere in the settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import PasswordSource, Settings, effective, read_password
from digest.config.database import database, is_proved
from digest.config.reading import Reading
from digest.config.sources import Raw
from digest.errors import ConfigError

Load = Callable[..., Settings]
Faults = Callable[..., list[str]]

_SERVER = "store.url=postgresql://letter@db.tide.example/letters"
_FORM = "postgresql://USER@HOST/NAME"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://letter@db.tide.example/letters", "letters on db.tide.example"),
        ("postgresql://letter@db_1:5433/letters", "letters on db_1:5433"),
        ("postgresql://db/letters", "letters on db"),
        ("postgresql:///letters", "letters on this machine"),
        ("postgresql:///letters?host=/run/postgresql", "letters on this machine"),
        ("postgresql://a%40b@[2001:db8::1]:5/tide-1", "tide-1 on [2001:db8::1]:5"),
        ("postgresql://192.0.2.1/a.b", "a.b on 192.0.2.1"),
        (
            "postgresql://a@db/b?sslmode=verify-full&sslrootcert=system&sslcert=/a&sslkey=/b",
            "b on db",
        ),
    ],
)
def test_a_server_has_a_name_without_a_secret(load: Load, least: str, url: str, name: str) -> None:
    """The address of a server stays as it is, and complaints call it by database and host."""
    found = load(least, f"store.url={url}")
    assert found.store_url == url
    assert found.store_name == f"PostgreSQL {name}"
    assert (found.store_file, found.store_password) == (None, None)


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("env", "LETTER_DB", ("LETTER_DB",)),
        ("file", "private/db", ("private/db",)),
        ("command", '["pass", "db"]', ("pass", "db")),
    ],
)
def test_a_server_has_a_password_somewhere_else(
    load: Load, least: str, *, kind: str, value: str, words: tuple[str, ...]
) -> None:
    """The password of the database is kept in the same places as that of a relay."""
    found = load(least, _SERVER, f"store.password_{kind}={value}").store_password
    assert found is not None
    assert (found.kind, found.words, found.table) == (kind, words, "store")
    assert found.key == f"store.password_{kind}"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://letter:hunter2@db/letters",
        "postgresql://:hunter2@db/letters",
        "postgresql://letter:hun/ter2@db/letters",
        "postgresql://letter:hun#ter2?@db/letters",
        "postgresql://letter:7@hunter2@db/letters",
        "postgresql://letter@db/letters?password=hunter2",
        "postgresql://letter@db/letters?sslmode=require&sslpassword=hunter2",
        "postgresql://letter@db/letters?%70assfile=/hunter2",
    ],
)
def test_a_password_in_the_address_is_refused_and_not_shown(
    faults: Faults, least: str, url: str
) -> None:
    """Settings are for git: what holds a password is told with the places for it, unseen."""
    (fault,) = faults(f'{least}[store]\nurl = "{url}"\n')
    assert fault.startswith("digest.toml:11: store.url must not hold a password\n")
    assert fault.endswith("set password_env, password_file or password_command below [store]")
    assert "hunter" not in fault


@pytest.mark.parametrize(
    ("url", "words", "fix"),
    [
        ("postgres://a@hunter2/c", "must begin with postgresql://", f"write {_FORM}"),
        ("postgresql+psycopg://a@hunter2/c", "must begin with postgresql://", f"write {_FORM}"),
        ("mysql://a:b@hunter2/c", f"path of a file, or {_FORM}", ""),
        ("", "must be a text of one line", ""),
        ("hunter2.db", f"path of a file, or {_FORM}", ""),
        ("sqlite:hunter2", f"path of a file, or {_FORM}", ""),
        ("postgresql://a@hunter2", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@hunter2/", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@b/hunter2/d", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@hunter2:0/c", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@hunter2:70000/c", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@hunter 2/c", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@b@hunter2/c", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@b/c#hunter2", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@b/c?", f"must have the form {_FORM}", "`%40`"),
        (
            "postgresql://a@b/c?hunter2=x",
            "can have host, sslmode, sslrootcert, sslcert, sslkey behind the `?`, and nothing else",
            "",
        ),
        ("postgresql://a@b/c?&hunter2=x", "and nothing else", ""),
        ("postgresql://a@b/c?host=/hunter2", "says one thing twice", "leave one of the two out"),
        ("postgresql://a@b/c?sslkey=/hunter2&sslkey=/d", "says one thing twice", "leave one"),
        ("postgresql://a@b/c%20hunter2", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a%0Ahunter2@b/c", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a%FFhunter2@b/c", f"must have the form {_FORM}", "`%40`"),
        ("postgresql://a@b/c?sslkey=/%00hunter2", f"must have the form {_FORM}", "`%40`"),
        ("postgresql:///c?host=hunter2", "has behind the `?` a host that must be a full path", ""),
        ("postgresql://a@b/c?sslkey=hunter2", "a sslkey that must be a full path", ""),
        ("postgresql://a@b/c?sslcert=system", "a sslcert that must be a full path", ""),
        (
            "postgresql://a@b/c?sslmode=hunter2",
            "an sslmode that must be one of disable, allow, prefer, require, verify-ca, verify-ful",
            "",
        ),
    ],
)
def test_an_address_that_is_none_is_told_and_not_shown(
    faults: Faults, least: str, *, url: str, words: str, fix: str
) -> None:
    """What the address must be is said; of itself nothing, since a password may stand in it."""
    (fault,) = faults(f'{least}[store]\nurl = "{url}"\n')
    assert fault.startswith("digest.toml:11: store.url ")
    assert words in fault
    assert fix in fault
    assert "hunter" not in fault


def test_a_file_has_no_password(faults: Faults, least: str) -> None:
    """A password where the database is a file is told at its own place."""
    (fault,) = faults(least, "store.password_env=LETTER_DB")
    assert fault == (
        "--set: store.password_env is for PostgreSQL: a SQLite file has no password\n"
        "  leave it out, or set store.url"
    )
    (fault,) = faults(least, "store.url=mysql://a", "store.password_env=LETTER_DB")
    assert fault.startswith("--set: store.url ")


def test_a_password_has_one_place(faults: Faults, least: str) -> None:
    """A second place is told, and so are a wrong one and a password in plain text."""
    (fault,) = faults(least, _SERVER, "store.password_env=A", "store.password_file=b")
    assert fault.startswith("--set: store.password_file is a second place for the password")
    (fault,) = faults(least, _SERVER, "store.password_file=outbox/b")
    assert "store.password_file must not lie in outbox" in fault
    (fault,) = faults(least, _SERVER, "store.password=hunter2")
    assert fault.startswith("--set: store.password holds a secret in plain text\n")
    assert "hunter2" not in fault


def test_a_password_that_is_not_there_names_its_setting(tmp_path: Path) -> None:
    """The complaint names the key below [store], not that of the relay."""
    source = PasswordSource(kind="env", words=("LETTER_DB",), table="store")
    with pytest.raises(ConfigError) as caught:
        read_password(source, root=tmp_path, environ={})
    assert str(caught.value).startswith("store.password_env: ")
    source = PasswordSource(kind="file", words=("db",), table="store")
    (tmp_path / "db").write_text("word\n", "utf-8")
    (tmp_path / "db").chmod(0o604)
    with pytest.raises(ConfigError, match="is open to everybody on this machine"):
        read_password(source, root=tmp_path, environ={})


def test_the_shown_address_holds_no_password(load: Load, least: str) -> None:
    """What `digest config` shows of the database is the address, and the place of the password."""
    shown = {
        value.key: value.value
        for value in effective(load(least, _SERVER, "store.password_env=LETTER_DB"))
        if value.key.startswith("store.")
    }
    assert shown == {
        "store.url": '"postgresql://letter@db.tide.example/letters"',
        "store.password_env": '"LETTER_DB"',
        "store.password_file": '""',
        "store.password_command": "[]",
    }


@pytest.mark.parametrize(
    ("url", "proved"),
    [
        ("sqlite:///private/digest.db", True),
        ("postgresql:///letters", True),
        ("postgresql:///letters?host=/run/postgresql", True),
        ("postgresql://localhost/letters", True),
        ("postgresql://[::1]/letters", True),
        ("postgresql://db.example/letters?sslmode=verify-full", True),
        ("postgresql://db.example/letters?sslmode=verify-ca", True),
        ("postgresql://db.example/letters?sslmode=require", False),
        ("postgresql://db.example/letters", False),
        ("postgresql://10.0.0.1/letters", False),
    ],
)
def test_a_way_to_the_database_is_proved_or_not(
    load: Load, least: str, url: str, *, proved: bool
) -> None:
    """A file, this machine, and a server whose certificate is looked at keep others out."""
    assert load(least, f"store.url={url}").store_is_proved is proved


_PLAIN = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=12)


@settings(deadline=None, max_examples=100)
@given(_PLAIN, st.text(st.characters(codec="utf-8"), min_size=1, max_size=12), _PLAIN, _PLAIN)
def test_no_password_gets_through_in_any_form(
    user: str, password: str, host: str, name: str
) -> None:
    """Whatever is between colon and at sign, the address is refused, and none of it is shown."""
    secret = f"xqzw{password}xqzw"
    url = f"postgresql://{user}:{secret}@{host}/{name}"
    reading = Reading({"store.url": Raw(value=url, origin="x")}, file="x")
    database(reading, Path("/srv/letter"))
    (problem,) = reading.problems()
    assert problem.what.startswith("store.url must ")
    assert "xqzw" not in str(problem)


def test_only_an_address_that_was_checked_is_judged() -> None:
    """Asking of what is no address at all is a mistake of the program."""
    with pytest.raises(ValueError, match="is no address of a database on a server"):
        is_proved("mysql://db/letters")
