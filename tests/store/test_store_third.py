"""A database of the version that sent one message after the other."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from store.sender import NOW, Sender
from store.test_store_earlier import FIRST, SECOND, lay

from digest.model import Claim, Delivery, IssueKey, Outcome, Send, Tally
from digest.store import open_store
from digest.store.schema import REVISION

KEY = IssueKey("2026-w05")
OPEN = IssueKey("2026-w06")
BEGAN = datetime(2026, 2, 9, 9, tzinfo=UTC)

THIRD = """
UPDATE alembic_version SET version_num = '0003';
ALTER TABLE issues ADD COLUMN withdrawn_at TEXT;
ALTER TABLE issues ADD COLUMN freed BOOLEAN DEFAULT 0 NOT NULL;
ALTER TABLE issue_items ADD COLUMN sketch TEXT DEFAULT '' NOT NULL;
INSERT INTO readers VALUES ('ben@ebb.example', 'Ben@EBB.example', '', 'active', '',
    '2026-02-09T09:00:00.000000+00:00'), ('"c@d"@sea.example', '"c@d"@sea.example', '', 'active',
    '', '2026-02-09T09:00:00.000000+00:00');
INSERT INTO sends VALUES ('2026-w06', 'f', '2026-02-09T09:00:00.000000+00:00', 'smtp', 'schedule',
    'k1', 3, 'held', NULL);
INSERT INTO deliveries VALUES
    ('2026-w06', 1, '"c@d"@sea.example', '"c@d"@sea.example', '', 'wire', 1, 0, NULL, NULL, 0, '',
     '', NULL),
    ('2026-w06', 2, 'ana@sea.example', 'Ana@sea.example', 'Ana', 'pending', 1, 0,
     '2026-02-09T10:00:00.000000+00:00', 'pending', 450, '4.2.0', 'later',
     '2026-02-09T09:00:00.000000+00:00'),
    ('2026-w06', 3, 'ben@ebb.example', 'Ben@EBB.example', '', 'pending', 0, 0, NULL, NULL, 0, '',
     '', NULL);
"""


@pytest.fixture
def third(url: str, file: Path) -> str:
    """Give the URL of a database of the third revision, with a send that broke off."""
    lay(file, FIRST, SECOND, THIRD)
    return url


def test_every_delivery_is_kept(third: str, file: Path) -> None:
    """The rows are as they were, each with the domain of its address; the sends are first ones."""
    later = Outcome(state="pending", code=450, enhanced="4.2.0", text="later")
    due = datetime(2026, 2, 9, 10, tzinfo=UTC)
    with open_store(third) as store:
        assert store.deliveries.listed(OPEN) == (
            Delivery(issue=OPEN, position=1, address='"c@d"@sea.example', state="wire", attempts=1),
            Delivery(
                issue=OPEN,
                position=2,
                address="Ana@sea.example",
                name="Ana",
                attempts=1,
                due=due,
                outcome=later,
            ),
            Delivery(issue=OPEN, position=3, address="Ben@EBB.example"),
        )
        assert store.deliveries.tally(KEY) == Tally(audience=1, accepted=1)
        assert store.deliveries.sends()[1] == Send(
            issue=OPEN,
            edition="f",
            began=BEGAN,
            via="smtp",
            by="schedule",
            key_id="k1",
            audience=3,
            paused="held",
        )
    with closing(sqlite3.connect(file)) as raw:
        found = raw.execute("SELECT domain, worker FROM deliveries ORDER BY issue, position")
        assert found.fetchall() == [
            ("sea.example", None),
            ("sea.example", None),
            ("sea.example", None),
            ("ebb.example", None),
        ]
        assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == (REVISION,)
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert raw.execute("PRAGMA foreign_key_check").fetchone() is None
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            raw.execute("UPDATE deliveries SET state = 'lost'")


def test_a_send_that_broke_off_goes_on(third: str) -> None:
    """What the process before had on the wire is in doubt; what waits goes out."""
    with open_store(third) as store:
        sender = Sender(store, issue=OPEN)
        sender.recover()
        assert sender.states() == ["unknown", "pending", "pending"]
        assert sender.claimed() == [3, 2]
        assert sender.claim() == Claim(rows=())
        assert store.deliveries.next_due(OPEN) == BEGAN
        assert store.deliveries.waiting(OPEN, retry_unknown=False) == 2
        assert not store.deliveries.finish(OPEN, retry_unknown=False, now=NOW)


def test_it_is_read_as_it_is(third: str, tree: Callable[[], object]) -> None:
    """Looking at it changes no byte."""
    before = tree()
    with open_store(third, read_only=True) as store:
        assert store.deliveries.tally(OPEN) == Tally(audience=3, pending=2, unknown=1)
    assert tree() == before
