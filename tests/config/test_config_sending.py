"""The settings of sending: what fits together, and what is not safe."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import PasswordSource, Settings, SmtpSettings
from digest.config.formats import duration
from digest.config.values import Wrong
from digest.model import Limits

Load = Callable[..., Settings]
Faults = Callable[..., list[str]]

_SMTP = "transport.smtp"
_ELSEWHERE = f"{_SMTP}.host=relay.example"
_CLEAR = f"{_SMTP}.security=none"


_LEAST = """\
[newsletter]
name = "Tide Table"
tag = "tide.example,2026"
[site]
url = "https://tide.example"
[mail]
from = "post@tide.example"
"""


def _relay(load: Load, *overrides: str) -> SmtpSettings:
    found = load(_LEAST, *(f"{_SMTP}.{override}" for override in overrides))
    assert found.transport.smtp is not None
    return found.transport.smtp


@pytest.mark.parametrize(("security", "port"), [("tls", 465), ("starttls", 587), ("none", 25)])
def test_the_port_follows_from_the_security(load: Load, security: str, port: int) -> None:
    """Each way of encrypting has its own port, and a port that is given wins."""
    given_too = (f"security={security}", "host=localhost")
    assert _relay(load, *given_too).port == port
    assert _relay(load, *given_too, "port=2525").port == 2525


def test_a_relay_is_known_where_mail_goes_to_the_outbox(load: Load) -> None:
    """A host makes a relay whatever the kind; without a host there is none."""
    assert _relay(load, "host=relay.example") == SmtpSettings(
        host="relay.example",
        port=587,
        security="starttls",
        username="",
        password=None,
        timeout=300.0,
        patience=600.0,
        connections=4,
        per_connection=0,
        limits=Limits(),
    )
    assert load(_LEAST, f"{_SMTP}.port=25").transport.smtp is None


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("Relay.Example", "relay.example"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("relay", "relay"),
        ("192.0.2.7", "192.0.2.7"),
        ("2001:DB8::7", "2001:db8::7"),
        ("'[2001:db8::7]'", "2001:db8::7"),
    ],
)
def test_a_host_is_a_name_or_a_number(load: Load, host: str, expected: str) -> None:
    """Names become lower-case ASCII; numbers of both kinds have one spelling."""
    assert _relay(load, f"host={host}").host == expected


def test_a_nested_table_comes_from_the_file_the_environment_and_the_flag(load: Load) -> None:
    """Keys of the table below the section follow the same order as all others."""
    text = f'{_LEAST}[transport.smtp]\nhost = "a.example"\nport = 1\ntimeout = "2m"\n'
    environ = {
        "DIGEST_TRANSPORT__SMTP__HOST": "b.example",
        "DIGEST_TRANSPORT__SMTP__PORT": "2",
        "DIGEST_TRANSPORT__SMTP__USERNAME": "7",
        "DIGEST_TRANSPORT__SMTP__PASSWORD_COMMAND": '["pass", "relay"]',
    }
    found = load(text, f"{_SMTP}.host=c.example", environ=environ).transport.smtp
    assert found == SmtpSettings(
        host="c.example",
        port=2,
        security="starttls",
        username="7",
        password=PasswordSource(kind="command", words=("pass", "relay")),
        timeout=120.0,
        patience=600.0,
        connections=4,
        per_connection=0,
        limits=Limits(),
    )


@pytest.mark.parametrize(
    "override",
    [
        'transport={kind = "smtp", smtp = {host = "b.example"}}',
        'transport.smtp={host = "b.example"}',
    ],
)
def test_a_table_set_as_a_whole_replaces_that_of_the_file(load: Load, override: str) -> None:
    """Nothing of the file's table is left behind, two levels deep too."""
    text = f'{_LEAST}[transport]\nkind = "smtp"\n[transport.smtp]\nhost = "a.example"\nport = 1\n'
    found = load(text, override).transport
    assert found.kind == "smtp"
    assert found.smtp is not None
    assert (found.smtp.host, found.smtp.port) == ("b.example", 587)


def test_smtp_needs_a_host(faults: Faults) -> None:
    """Mail by SMTP without a relay is told with the line to add, and only that."""
    (fault,) = faults(_LEAST, "transport.kind=smtp", _CLEAR)
    assert fault.startswith("digest.toml: transport.smtp.host is missing\n")
    assert fault.endswith('  add `host = "smtp.example.org"` below [transport.smtp]')
    assert faults(_LEAST, "transport.kind=smtp", f"{_SMTP}.host=''") == [
        "--set: transport.smtp.host must not be empty"
    ]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.3.2.1", "::1"])
def test_clear_text_is_fine_on_this_machine(load: Load, host: str) -> None:
    """To a relay on the same machine mail and password may go unencrypted."""
    found = _relay(load, f"host={host}", "security=none", "username=a", "password_env=B")
    assert (found.security, found.username) == ("none", "a")


@pytest.mark.parametrize(
    "host", ["relay.example", "localhost.example", "128.0.0.1", "127.1", "::2"]
)
def test_clear_text_to_another_machine_needs_a_word(
    load: Load, faults: Faults, least: str, host: str
) -> None:
    """Security `none` elsewhere is refused without `allow_clear`, and with a login in any case."""
    there = f"{_SMTP}.host={host}"
    (fault,) = faults(least, there, _CLEAR)
    assert fault.startswith('--set: transport.smtp.security must not be "none" for another')
    assert "allow_clear = true" in fault
    assert _relay(load, f"host={host}", "security=none", "allow_clear=true").security == "none"
    login = (f"{_SMTP}.username=a", f"{_SMTP}.password_env=B", f"{_SMTP}.allow_clear=true")
    (fault,) = faults(least, there, _CLEAR, *login)
    assert "where a password is sent to another machine" in fault


def test_a_name_needs_a_password_and_a_password_a_name(faults: Faults, least: str) -> None:
    """Half a login is told at the half that is there."""
    (fault,) = faults(least, _ELSEWHERE, f"{_SMTP}.username=a")
    assert fault.startswith("--set: transport.smtp.username needs a password\n  add password_env")
    (fault,) = faults(least, _ELSEWHERE, f"{_SMTP}.password_file=b")
    assert fault.startswith("--set: transport.smtp.password_file needs a username")


def test_a_wrong_place_of_the_password_is_told_once(faults: Faults, least: str) -> None:
    """What follows from a fault is no second one."""
    (fault,) = faults(least, f"{_SMTP}.username=a", f"{_SMTP}.password_file=~/b")
    assert "password_file must be a full path" in fault
    (fault,) = faults(least, f"{_SMTP}.username=a", f"{_SMTP}.password=hunter2")
    assert "holds a secret in plain text" in fault


def test_a_password_has_one_place(faults: Faults, least: str) -> None:
    """Each further place is told, with the first one."""
    found = faults(
        least,
        _ELSEWHERE,
        f"{_SMTP}.username=a",
        f"{_SMTP}.password_env=B",
        f"{_SMTP}.password_file=c",
        f"{_SMTP}.password_command=['d']",
    )
    assert [fault.partition(" is ")[0] for fault in found] == [
        "--set: transport.smtp.password_file",
        "--set: transport.smtp.password_command",
    ]
    assert all("a second place for the password, after password_env" in fault for fault in found)


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("password_env=hunter 2", "must be the name of a variable"),
        ("password_env=DIGEST_SMTP__WORD", "must not name a setting"),
        ("password_env=hunter-2", "must be the name of a variable"),
        ("password_file=~me/b", "must be a full path, or one in the newsletter's folder"),
        ("password_file=outbox/b", "must not lie in outbox, which is published"),
        ("password_file=./outbox/b", "must not lie in outbox, which is published"),
        ("password_command=pass show", 'must be a list, such as ["a", "b"], and is a text'),
        ("password_command=['pass', '']", "has a member that must not be empty"),
    ],
)
def test_a_place_that_cannot_be_is_refused(
    faults: Faults, least: str, override: str, words: str
) -> None:
    """The place of a password is checked like any other value, and what may be one is not shown."""
    (fault,) = faults(least, _ELSEWHERE, f"{_SMTP}.username=a", f"{_SMTP}.{override}")
    assert words in fault
    assert "hunter" not in fault


def test_the_words_of_a_command_and_a_path_stay_as_they_are(load: Load) -> None:
    """Spaces within and around a word mean something to the program that gets it."""
    command = _relay(load, "host=a.example", "username=a", "password_command=['p', ' a  b ']")
    assert command.password == PasswordSource(kind="command", words=("p", " a  b "))
    path = _relay(load, "host=a.example", "username=a", "password_file='my  relay'")
    assert path.password == PasswordSource(kind="file", words=("my  relay",))


@pytest.mark.parametrize("place", ["{root}/outbox/b", "private/../outbox/site/b"])
def test_private_files_do_not_lie_where_the_published_ones_are(
    faults: Faults, least: str, tmp_path: Path, place: str
) -> None:
    """Neither the database nor the password gets into the outbox by a detour."""
    path = place.format(root=tmp_path.resolve())
    (fault,) = faults(least, _ELSEWHERE, f"{_SMTP}.username=a", f"{_SMTP}.password_file={path}")
    assert "password_file must not lie in outbox, which is published" in fault
    if path.startswith("/"):
        (fault,) = faults(least, f"store.url=sqlite:///{path}")
        assert "store.url must not lie in outbox, which is published" in fault


def test_public_pages_are_refused_with_the_reason(faults: Faults, least: str) -> None:
    """A section that a later version will know is told once, with what holds until then."""
    expected = (
        "public.url is not known yet: one click to leave needs the public pages, which come with a "
        "later version\n"
        "  leave it out; until then each mail offers leaving by mail, to mail.leave"
    )
    text = f'{least}[public]\nurl = "https://tide.example"\nport = 3\n'
    assert faults(text) == [f"digest.toml:11: {expected}"]
    assert faults(least, environ={"DIGEST_PUBLIC__URL": "x"}) == [f"DIGEST_PUBLIC__URL: {expected}"]


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 999_999), st.sampled_from("smhd"))
def test_a_length_of_time_is_what_it_says_or_out_of_bounds(number: int, unit: str) -> None:
    """A number and a unit make that length, and nothing outside the bounds passes."""
    seconds = number * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[unit]
    check = duration(timedelta(minutes=2), timedelta(days=5))
    if 120 <= seconds <= 5 * 86_400:
        assert check(f"{number}{unit}") == timedelta(seconds=seconds)
    else:
        with pytest.raises(Wrong, match="must be from 2m to 5d"):
            check(f"{number}{unit}")
