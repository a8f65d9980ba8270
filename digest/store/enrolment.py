"""The rows of a send, written when it begins."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from sqlalchemy import Connection, func, insert, literal, select, text

from digest.model import Delivery, IssueKey, reader_key
from digest.store.schema import deliveries, domain_of, readers

__all__ = ["enroll_active", "enroll_rows", "look_over"]

_PAGE: Final = 500  # rows that are held at once
# A row that was not handed out yet.
_FRESH: Final = {
    "state": "pending",
    "attempts": 0,
    "unknowns": 0,
    "code": 0,
    "enhanced": "",
    "text": "",
}


def enroll_active(connection: Connection, issue: IssueKey) -> None:
    """Write a row for each active reader, in the order of their keys as octets."""
    key = readers.c.key
    order = key if connection.dialect.name == "sqlite" else key.collate("C")
    columns = {
        "issue": literal(issue),
        "position": func.row_number().over(order_by=order),
        "reader": key,
        "address": readers.c.address,
        "domain": domain_of(readers.c.address),
        "name": readers.c.name,
        **{column: literal(value) for column, value in _FRESH.items()},
    }
    rows = select(*columns.values()).where(readers.c.state == "active")
    connection.execute(insert(deliveries).from_select(list(columns), rows))


def enroll_rows(connection: Connection, issue: IssueKey, rows: Iterable[Delivery]) -> int:
    """Write these rows, a page at a time, and give their number."""
    number, coming = 0, iter(rows)
    while page := tuple(islice(coming, _PAGE)):
        number += len(page)
        connection.execute(
            insert(deliveries),
            [
                {
                    "issue": issue,
                    "position": row.position,
                    "reader": reader_key(row.address),
                    "address": row.address,
                    "domain": row.address.rpartition("@")[2].lower(),
                    "name": row.name,
                    **_FRESH,
                }
                for row in page
            ],
        )
    return number


def look_over(connection: Connection) -> None:
    """Let PostgreSQL know how many rows came, so that it finds the next ones by their index."""
    if connection.dialect.name != "sqlite":
        connection.execute(text("ANALYZE deliveries"))
