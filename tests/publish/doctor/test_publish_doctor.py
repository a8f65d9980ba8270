"""The examination of a set-up: what is sound, what may not be meant, what will fail."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest
from relay.server import Relay, free_port

from digest.config import load_settings
from digest.model import Consent, IssueKey, PastIssue, Reader, ThemeId
from digest.publish.checkup import Check
from digest.publish.project import Project
from digest.store import open_store

Look = Callable[..., dict[str, Check]]

_NOW = datetime(2027, 3, 24, 12, 0, tzinfo=UTC)
_CONSENT = Consent(source="asked", at=_NOW)


def _project(root: Path) -> Project:
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


def _store(root: Path) -> Any:  # noqa: ANN401 - the store's class would bring SQLAlchemy
    (root / "private").mkdir(mode=0o700, exist_ok=True)
    return open_store(_project(root).settings.store_url, create=True)


def _files(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_new_newsletter_works_and_lacks_people(look: Look, root: Path) -> None:
    """Without database, readers and editors nothing fails, and looking makes no file."""
    before = _files(root)
    found = look()
    assert {name: check.state for name, check in found.items() if check.state != "ok"} == {
        "samples": "warning",
        "readers": "warning",
        "editors": "warning",
    }
    assert found["settings"].told.startswith("digest.toml was read; 7 of ")
    assert found["database"].told.startswith("there is no private/digest.db yet")
    assert found["readers"].told == "there are none, so nobody gets mail"
    assert found["transport"].told.startswith("mail is written into outbox/")
    assert found["git"].told == "the newsletter is in no git repository"
    assert _files(root) == before


def test_all_is_well_where_all_is_set(look: Look, root: Path) -> None:
    """Own values, readers, editors: no check has anything to mend."""
    with _store(root) as store:
        store.readers.add(
            [
                Reader(address="ann@mail.org", since=_NOW),
                Reader(address="bo@mail.org", since=_NOW),
                Reader(address="cy@mail.org", state="left", since=_NOW),
            ],
            consent=_CONSENT,
        )
    found = look(
        "newsletter.tag=harbour.org,2026",
        "site.url=https://harbour.org/",
        "mail.from=letter@my-example.com",
        "desk.editors=['Ada <ada@harbour.org>', 'ed@harbour.org']",
    )
    assert {check.state for check in found.values()} == {"ok"}
    assert {check.fix for check in found.values()} == {""}
    assert found["readers"].told == "2 active, 1 left"
    assert found["editors"].told == "notices go to ada@harbour.org, ed@harbour.org"


@pytest.mark.parametrize(
    ("key", "value", "is_sample"),
    [
        ("site.url", "https://letters.example/", True),
        ("site.url", "https://www.example.org/notes", True),
        ("site.url", "https://example.com:8080/", True),
        ("site.url", "https://my-example.org/", False),
        ("site.url", "https://a.example-site.org/", False),
        ("site.url", "https://example.org.uk/", False),
        ("site.url", "https://a.test/", True),
        ("newsletter.postal_address", "Letter, 1 Sample Street, Town", True),
        ("newsletter.postal_address", "Letter, 21 Sample Street, Town", False),
        ("desk.editors", "['ada@a.invalid']", True),
        ("transport.smtp.host", "smtp.a.example", True),
        ("newsletter.description", "Named a.example", False),
    ],
)
def test_sample_values_are_told_with_their_place(
    look: Look, *, key: str, value: str, is_sample: bool
) -> None:
    """Names that lead nowhere are told where people see them, and no others."""
    assert (f"{key} (--set)" in look(f"{key}={value}")["samples"].told) is is_sample


def test_a_file_from_the_future_is_told(look: Look, root: Path) -> None:
    """A file that is newer than the present moment means a wrong clock; minutes do not."""
    (root / "content" / "a-folder.md").mkdir()
    soon = (_NOW + timedelta(minutes=4)).timestamp()
    os.utime(root / "content" / "mills.md", (soon, soon))
    assert look()["clock"].state == "ok"
    later = (_NOW + timedelta(minutes=6)).timestamp()
    os.utime(root / "content" / "mills.md", (later, later))
    clock = look()["clock"]
    assert clock.state == "warning"
    assert clock.told == (
        "it is Wed 24 Mar 2027 13:00 Europe/Berlin (UTC+01:00), but content/mills.md is from later"
    )


def test_a_moment_before_what_was_done_is_told(look: Look, root: Path) -> None:
    """A clock that stands before the last issue and the first tick is told with both."""
    with _store(root) as store:
        store.slots.first_tick(_NOW)
        store.record(
            PastIssue(
                key=IssueKey("2027-w12"),
                at=_NOW,
                theme=ThemeId(""),
                items=(),
                published=True,
                number=1,
                edition="0" * 64,
            )
        )
    assert look()["clock"].state == "ok"
    assert "has looked yet" not in look()["schedule"].told
    clock = look(now=_NOW - timedelta(days=1))["clock"]
    assert clock.state == "warning"
    assert "the last issue came out on Wed 24 Mar 2027 13:00" in clock.told
    assert "the first tick was on Wed 24 Mar 2027 13:00" in clock.told


def test_the_next_issues_are_told_with_their_zone(look: Look) -> None:
    """Draft, slot and the slot after it are told, over a change of the clocks too."""
    told = look(host_zone=ZoneInfo("Europe/Berlin"))["schedule"].told
    assert told == (
        "2027-w13 is due on Mon 29 Mar 2027 09:00 Europe/Berlin (UTC+02:00), its draft on "
        "Fri 26 Mar 2027 15:00 Europe/Berlin (UTC+01:00); then 2027-w14 on "
        "Mon 5 Apr 2027 09:00 Europe/Berlin (UTC+02:00); "
        "neither `digest tick` nor `digest run` has looked yet"
    )
    assert "this machine's clock will say 07:00 then" in look(host_zone=UTC)["schedule"].told
    assert look(host_zone=None)["schedule"].state == "ok"


def test_a_damaged_database_hides_nothing_else(look: Look, root: Path) -> None:
    """A database that cannot be read is an error; what hangs on it is not guessed."""
    (root / "private").mkdir(mode=0o700)
    (root / "private" / "digest.db").write_bytes(b"no database at all" * 100)
    found = look()
    assert found["database"].state == "error"
    assert "private/digest.db" in found["database"].told
    assert found["readers"].told == "not known while the database cannot be read"
    assert "has looked yet" not in found["schedule"].told
    assert found["transport"].state == "ok"


def test_a_folder_that_cannot_be_looked_at_hides_nothing_else(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the system says no to is an error of that part alone."""

    def refuse(*_: object) -> Check:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("digest.publish.doctor.check_private", refuse)
    private = look()["private"]
    assert (private.state, private.told) == ("error", "cannot be looked at: Permission denied")


def _relay(relay: Relay, *, security: str = "none") -> tuple[str, ...]:
    return (
        "transport.kind=smtp",
        "transport.smtp.host=127.0.0.1",
        f"transport.smtp.port={relay.port}",
        f"transport.smtp.security={security}",
    )


_LOGIN = ("transport.smtp.username=letter", "transport.smtp.password_env=WORD")


@pytest.mark.parametrize("tls", ["start", "starttls"])
def test_a_relay_is_tried_and_gets_no_mail(
    look: Look, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tls: Literal["start", "starttls"]
) -> None:
    """Connecting, encrypting, logging in and leaving are done; no mail is begun."""
    security = {"start": "tls", "starttls": "starttls"}[tls]
    with Relay(tls=tls, offers=("AUTH PLAIN",), logins={"letter": "hunter2"}) as relay:
        monkeypatch.setenv("SSL_CERT_FILE", relay.trust(tmp_path))
        transport = look(*_relay(relay, security=security), *_LOGIN, WORD="hunter2")["transport"]
    assert transport.told == (
        f"127.0.0.1:{relay.port} answers in TLS, and letter was let in; no mail was sent"
    )
    assert relay.credentials == [("letter", "hunter2")]
    assert relay.commands("QUIT") == ["QUIT"]
    assert relay.commands("MAIL") == []


def test_a_relay_in_clear_is_told_as_that(look: Look) -> None:
    """A relay on this machine without encryption and login is fine, and said to be so."""
    with Relay() as relay:
        transport = look(*_relay(relay))["transport"]
    assert transport.state == "ok"
    assert transport.told.endswith(" answers in clear; no mail was sent")


def test_a_refused_login_is_an_error_without_the_password(look: Look) -> None:
    """What the relay says of the login is told, once tried; the password is not."""
    with Relay(offers=("AUTH PLAIN",), logins={"letter": "other"}) as relay:
        transport = look(*_relay(relay), *_LOGIN, WORD="hunter2")["transport"]
    assert transport.state == "error"
    assert "hunter2" not in transport.told + transport.fix
    assert len(relay.credentials) == 1


def test_a_relay_that_is_not_there_is_an_error(look: Look) -> None:
    """Nobody at the port is told with host and port."""
    port = free_port()
    transport = look(
        "transport.kind=smtp",
        "transport.smtp.host=127.0.0.1",
        f"transport.smtp.port={port}",
        "transport.smtp.security=none",
    )["transport"]
    assert transport.state == "error"
    assert f"127.0.0.1:{port}" in transport.told


def test_a_missing_password_is_an_error(look: Look) -> None:
    """A password that is not where the settings say is told, also without the relay."""
    relay = ("transport.kind=smtp", "transport.smtp.host=smtp.nowhere.invalid", *_LOGIN)
    transport = look(*relay, offline=True)["transport"]
    assert transport.state == "error"
    assert transport.told == 'transport.smtp.password_env: the variable "WORD" holds no password'


def test_offline_leaves_the_relay_out(look: Look) -> None:
    """With `offline` nobody is asked, and the check says so."""
    with Relay() as relay:
        transport = look(*_relay(relay), *_LOGIN, WORD="hunter2", offline=True)["transport"]
        bare = look(*_relay(relay), offline=True)["transport"]
    assert transport == bare
    assert transport.told == f"mail goes by 127.0.0.1:{relay.port}, which was not tried"
    assert relay.sessions == 0
