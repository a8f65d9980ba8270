"""Whether mail can leave: keys that sign it, limits that hold it up, a database on a server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from relay.server import free_port

from digest.config import load_settings
from digest.mime.dkim_key import dns_record
from digest.model import Consent, IssueKey, Limits, Rate, Reader, Send
from digest.publish.checkup import Check
from digest.publish.project import Project
from digest.publish.secret import key_id, read_key
from digest.publish.way_out import check_limits
from digest.store import open_store

Look = Callable[..., dict[str, Check]]

_NOW = datetime(2027, 3, 24, 12, 0, tzinfo=UTC)
_CONSENT = Consent(source="asked", at=_NOW)
_SMTP = ("transport.kind=smtp", "transport.smtp.host=smtp.nowhere.invalid")
_PRESENT = ("dkim.selector=s2", "dkim.key_file=private/s2.pem")
_PREVIOUS = ("dkim.previous_selector=s1", "dkim.previous_key_file=private/s1.pem")


def _store(root: Path) -> Any:  # noqa: ANN401 - the store's class would bring SQLAlchemy
    project = Project(settings=load_settings(root, file=None, environ={}, overrides=()))
    (root / "private").mkdir(mode=0o700, exist_ok=True)
    return open_store(project.settings.store_url, create=True)


def _readers(root: Path, *addresses: str) -> None:
    with _store(root) as store:
        people = [Reader(address=address, since=_NOW) for address in addresses]
        store.readers.add(people, consent=_CONSENT)


def _key(root: Path, name: str, *, mode: int = 0o600) -> str:
    """Write a key that signs, and give the record that publishes it."""
    (root / "private").mkdir(mode=0o700, exist_ok=True)
    # Of a fixed seed, so that no run differs from another one.
    secret = Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest())
    pem = secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file = root / "private" / name
    file.write_bytes(pem)
    file.chmod(mode)
    return dns_record(pem)


def test_signing_and_limits_are_told_where_they_are_set(look: Look) -> None:
    """Who signs nothing, and has no limits or no relay, reads nothing of them."""
    assert {"dkim", "limits"}.isdisjoint(look())
    assert {"dkim", "limits"}.isdisjoint(look(*_SMTP, offline=True))
    assert "limits" not in look("transport.smtp.host=a.org", "transport.smtp.rate=['1/day']")


def test_each_key_is_read_and_its_record_told(look: Look, root: Path) -> None:
    """What DNS needs stands there by name and text, for the present key and that of before."""
    first, second = _key(root, "s2.pem"), _key(root, "s1.pem")
    dkim = look(*_PRESENT)["dkim"]
    record = f"s2._domainkey.harbour.example TXT {first}"
    assert dkim == Check(
        name="dkim", state="ok", told=f"the keys can be used, where these are in DNS: {record}"
    )
    assert first.startswith("v=DKIM1; k=ed25519; p=")
    dkim = look(*_PRESENT, *_PREVIOUS)["dkim"]
    assert dkim.told.endswith(f"{record} and s1._domainkey.harbour.example TXT {second}")


def test_keys_that_cannot_be_used_are_told_together(look: Look, root: Path) -> None:
    """A key that others can read and one that is none are errors with what to do."""
    _key(root, "s2.pem", mode=0o640)
    (root / "private" / "s1.pem").write_bytes(b"no key")
    (root / "private" / "s1.pem").chmod(0o600)
    dkim = look(*_PRESENT, *_PREVIOUS)["dkim"]
    assert dkim.state == "error"
    assert 'dkim.key_file: "private/s2.pem" is open to others on this machine' in dkim.told
    assert "private/s1.pem: " in dkim.told
    assert "close it with `chmod 600`, and make a new key: mode 640; " in dkim.fix
    missing = look("dkim.selector=s2", "dkim.key_file=private/none.pem")["dkim"]
    assert missing.told.endswith('"private/none.pem" cannot be read: No such file or directory')


def test_a_key_that_an_open_send_needs_must_be_set(look: Look, root: Path) -> None:
    """A send that began under a key which is not set any more cannot go on; it is told."""
    _readers(root, "ann@mail.org")
    project = Project(settings=load_settings(root, file=None, environ={}, overrides=()))
    send = Send(
        issue=IssueKey("2027-w12"),
        edition="0" * 64,
        began=_NOW,
        via="smtp",
        by="hand",
        key_id=key_id(read_key(project)),
        dkim="s0@harbour.example 0123456789abcdef",
    )
    with _store(root) as store:
        store.deliveries.enroll(send)
    dkim = look()["dkim"]
    assert dkim.state == "error"
    assert dkim.told.startswith("2027-w12: began to go out signed by s0@harbour.example")
    _key(root, "s2.pem")
    assert look(*_PRESENT)["dkim"] == dkim


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (["rate=['1/day']"], "an issue to 3 readers takes 3 days at 1/day"),
        (["rate=['2/hour', '1/minute']"], "an issue to 3 readers takes 2 hours at 2/hour"),
        (["rate=['9/second']"], "an issue to 3 readers takes less than a minute at 9/second"),
        (["warm_up=[1, 1]"], "takes 3 days from the first day of the warm-up on"),
        (["warm_up=[1, 2]"], "takes 2 days from the first day of the warm-up on"),
        (["warm_up=[9, 9]"], "takes 1 day from the first day of the warm-up on"),
        (["domain_rate={'mail.org'=['1/hour']}"], "takes 2 hours at 1/hour to mail.org"),
        (
            ["domain_rate={'mail.org'=['9/second'], '*'=['1/minute']}"],
            "an issue to 3 readers takes 1 minute at 1/minute to sea.org",
        ),
        (
            ["domain_rate={'lake.org'=['2/minute']}"],
            "an issue to 3 readers takes less than a minute",
        ),
    ],
)
def test_the_slowest_limit_tells_how_long_an_issue_takes(
    look: Look, root: Path, limits: list[str], told: str
) -> None:
    """Of several limits the one that holds up most is named, with its length of time."""
    _readers(root, "ann@mail.org", "bo@Mail.org", "cy@sea.org")
    given_too = [f"transport.smtp.{limit}" for limit in limits]
    found = look(*_SMTP, *given_too, offline=True)["limits"]
    assert found.state == "ok"
    assert found.told.endswith(told)


def test_an_issue_that_takes_longer_than_a_week_is_a_warning(look: Look, root: Path) -> None:
    """Where the next issue is due before the last reader has this one, the limit is named."""
    _readers(root, *(f"ann{place}@mail.org" for place in range(8)))
    found = look(*_SMTP, "transport.smtp.rate=['1/day']", offline=True)["limits"]
    assert found == Check(
        name="limits",
        state="warning",
        told="an issue to 8 readers takes 8 days at 1/day, so that the next one is due before it "
        "is through",
        fix="raise transport.smtp.rate, as far as your provider allows it",
    )


def test_limits_without_readers_hold_nobody_up(look: Look, root: Path) -> None:
    """Without readers, or a database that tells of them, no length of time is made up."""
    limited = (*_SMTP, "transport.smtp.rate=['1/day']")
    found = look(*limited, offline=True)["limits"]
    assert (found.state, found.told) == ("ok", "there are no readers whom the limits could hold up")
    (root / "private").mkdir(mode=0o700)
    (root / "private" / "digest.db").write_bytes(b"no database at all" * 100)
    found = look(*limited, offline=True)["limits"]
    assert found.state == "warning"
    assert found.told.endswith("is not known while the database cannot be read")


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 10**6), st.integers(1, 10**6), st.sampled_from([1, 60, 3600, 86_400]))
def test_no_issue_is_said_to_be_faster_than_its_limit(
    readers: int, count: int, seconds: int
) -> None:
    """A warning comes exactly where the stretches that are needed last longer than a week."""
    limits = Limits(total=(Rate(count=count, seconds=seconds),))
    found = check_limits(limits, {"": readers})
    stretches = (readers + count - 1) // count
    assert (found.state == "warning") is (stretches * seconds > 7 * 86_400)


def test_a_server_that_is_not_there_is_an_error(look: Look) -> None:
    """A database on a server is told by its name, and what hangs on it is not guessed."""
    found = look(f"store.url=postgresql://letter@127.0.0.1:{free_port()}/letters")
    assert found["database"].state == "error"
    assert "PostgreSQL letters on 127.0.0.1:" in found["database"].told
    assert found["readers"].told == "not known while the database cannot be read"
    assert found["private"].state == "ok"


@pytest.mark.parametrize(
    ("url", "state"),
    [
        ("postgresql://db.harbour.org/letters", "warning"),
        ("postgresql://db.harbour.org/letters?sslmode=verify-full", "ok"),
        ("postgresql:///letters", "ok"),
    ],
)
def test_a_way_to_the_database_that_others_can_watch_is_a_warning(
    look: Look, monkeypatch: pytest.MonkeyPatch, url: str, state: str
) -> None:
    """Where nothing proves whose server it is, readers' addresses may be read on the way."""
    # No server is asked here: what counts is how it would be reached.
    monkeypatch.setattr(Project, "ledger", lambda _: nullcontext())
    database = look(f"store.url={url}")["database"]
    assert database.state == state
    assert " answers, and has no tables yet; the first reader or issue makes them" in database.told
    assert ("may read along" in database.told) is (state == "warning")
    assert ("sslmode=verify-full" in database.fix) is (state == "warning")
