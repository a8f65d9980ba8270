"""A real ledger, and the doubles that stand for the world outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from delivery.doubles import KEY, NOW, Script, World, message_for

from digest.delivery import Halted, deliver
from digest.model import Consent, Reader, Send
from digest.store import open_store
from digest.store.ledger import Store


@pytest.fixture
def script() -> Script:
    """Give a transport."""
    return Script()


@pytest.fixture
def world() -> World:
    """Give a world."""
    return World()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Give an open database."""
    with open_store(f"sqlite:///{tmp_path / 'digest.db'}", create=True) as opened:
        yield opened


@pytest.fixture
def begun(store: Store) -> Callable[[int], Send]:
    """Give a function that enrolls so many readers, r001@reader.example and so on."""

    def begin(count: int) -> Send:
        readers = [
            Reader(address=f"r{number:03}@reader.example", since=NOW)
            for number in range(1, count + 1)
        ]
        store.readers.add(readers, consent=Consent(source="asked at the quay", at=NOW))
        return store.deliveries.enroll(
            Send(issue=KEY, edition="e", began=NOW, via="smtp", by="hand", key_id="k")
        )

    return begin


@pytest.fixture
def run(store: Store, script: Script, world: World) -> Callable[..., Halted | None]:
    """Give a function that makes one run of the engine."""
    return partial(
        deliver,
        store.deliveries,
        transport=script,
        make=message_for,
        watch=world.watch(),
        retry_unknown=True,
    )
