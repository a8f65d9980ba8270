"""An open database, and its ledger of issues: what was published, kept for good."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Final, Self

from sqlalchemy import Connection, RowMapping, insert, select, update

from digest.errors import GuardError
from digest.model import History, IssueKey, PastIssue, PastItem
from digest.model.summary import refuse_naive
from digest.store.deliveries import Deliveries
from digest.store.leases import Leases
from digest.store.readers import Readers
from digest.store.schema import issue_items, issues
from digest.store.slots import Slots
from digest.store.transactions import Database, Transactions

__all__ = ["Store"]

_PUBLISHED: Final = "published"


class Store:
    """An open database; made by `open_store`, closed at the end of its `with` block.

    `readers`, `deliveries`, `slots` and `leases` lead to the other tables; each method of any of
    them is one transaction. All raise StoreError where the database cannot be read or written.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._engine = database.reader
        self._transactions = Transactions(database)
        self.readers = Readers(self._transactions)
        self.deliveries = Deliveries(self._transactions)
        self.slots = Slots(self._transactions)
        self.leases = Leases(self._transactions)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    @property
    def steps_are_synced(self) -> bool:
        """Tell whether a step is on disk once it is committed, and not only with the next claim."""
        return self._database.steps_are_synced

    def sending(self) -> AbstractContextManager[None]:
        """Give a context in which steps take little time; it is left as it was found.

        A SQLite file is written ahead (WAL) meanwhile, and steps are not synced. Where somebody
        else keeps it from that all goes on, slowly. Nothing happens to another database.
        """
        return self._database.sending()

    def history(self) -> History:
        """Give the published issues, oldest first. Raise StoreError."""
        with self._transactions.reading() as connection:
            rows = connection.execute(
                select(issues)
                .where(issues.c.state == _PUBLISHED)
                .order_by(issues.c.published_at, issues.c.number)
            ).mappings()
            items = _items(connection)
            return tuple(_past(row, items.get(row["key"], ())) for row in rows)

    def record(
        self, past: PastIssue, *, slot: datetime | None = None, restored: bool = False
    ) -> bool:
        """Write down that an issue was published, for good, in one synced transaction.

        Give False where it already stands there, at whatever moment, withdrawn or not, with
        whatever sketches. A `restored` one was published elsewhere and keeps its number, whoever
        else has it. Raise GuardError where the key stands there otherwise or the number belongs to
        another issue, and StoreError.
        """
        if not past.published:
            raise ValueError(f"{past.key} is not published")
        with self._transactions.writing() as connection:
            known = connection.execute(select(issues).where(issues.c.key == past.key)).mappings()
            if (row := known.first()) is not None:
                self._compare(past, row, _items(connection).get(past.key, ()))
                return False
            # The transaction holds the writer's lock from its begin, so nobody comes between.
            taken = select(issues.c.key).where(issues.c.number == past.number)
            if not restored and connection.execute(taken).first() is not None:
                raise GuardError(
                    f"number {past.number} belongs to another issue than {past.key}",
                    where=self._transactions.shown,
                    fix="repeat the command; it takes the next free number",
                )
            _insert(connection, past, slot)
            return True

    def withdraw(self, key: IssueKey, *, at: datetime, freed: bool) -> bool:
        """Write down that a published issue was taken back, at an aware moment, for good.

        `freed` tells that no mail of it went out, so that its items may go into another issue.
        Give False where it was taken back before; what stands there about it stays. Raise
        GuardError where the issue is not published, and StoreError.
        """
        refuse_naive(at)
        with self._transactions.writing() as connection:
            row = connection.execute(select(issues).where(issues.c.key == key)).mappings().first()
            if row is None:
                raise GuardError(
                    f"{key} is not published",
                    where=self._transactions.shown,
                    fix="`digest status` lists the issues",
                )
            self._refuse_unpublished(row)
            if row["withdrawn_at"] is not None:
                return False
            connection.execute(
                update(issues).where(issues.c.key == key).values(withdrawn_at=at, freed=freed)
            )
            return True

    def _refuse_unpublished(self, row: RowMapping) -> None:
        if row["state"] != _PUBLISHED:
            raise GuardError(f"{row['key']} is {row['state']}", where=self._transactions.shown)

    def _compare(self, past: PastIssue, row: RowMapping, items: tuple[PastItem, ...]) -> None:
        self._refuse_unpublished(row)
        if _lasting(replace(past, at=row["published_at"])) != _lasting(_past(row, items)):
            raise GuardError(
                f"{past.key} is already published, as another edition",
                where=self._transactions.shown,
                fix="what is published stays; put changes into another issue",
            )


def _items(connection: Connection) -> dict[str, tuple[PastItem, ...]]:
    rows = connection.execute(
        select(issue_items).order_by(issue_items.c.issue, issue_items.c.position)
    )
    found: dict[str, tuple[PastItem, ...]] = {}
    for row in rows.mappings():
        item = PastItem(id=row["id"], url=row["url"], title=row["title"], sketch=row["sketch"])
        found[row["issue"]] = (*found.get(row["issue"], ()), item)
    return found


def _past(row: RowMapping, items: tuple[PastItem, ...]) -> PastIssue:
    return PastIssue(
        key=row["key"],
        at=row["published_at"],
        theme=row["theme"],
        items=items,
        published=True,
        number=row["number"],
        edition=row["edition"],
        withdrawn=row["withdrawn_at"],
        freed=row["freed"],
    )


def _lasting(past: PastIssue) -> PastIssue:
    """Set aside what may differ between two records of one issue.

    Older rows have no sketches, and an issue may be taken back after it was published.
    """
    items = tuple(replace(item, sketch=b"") for item in past.items)
    return replace(past, items=items, withdrawn=None, freed=False)


def _insert(connection: Connection, past: PastIssue, slot: datetime | None) -> None:
    connection.execute(
        insert(issues).values(
            key=past.key,
            state=_PUBLISHED,
            number=past.number,
            slot=slot,
            published_at=past.at,
            theme=past.theme,
            edition=past.edition,
            withdrawn_at=past.withdrawn,
            freed=past.freed,
        )
    )
    items = [
        {
            "issue": past.key,
            "position": place,
            "id": item.id,
            "url": item.url,
            "title": item.title,
            "sketch": item.sketch,
        }
        for place, item in enumerate(past.items, start=1)
    ]
    if items:
        connection.execute(insert(issue_items), items)
