"""A real ledger, and the doubles that stand for the world outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from delivery.doubles import Script, World
from delivery.runs import begin, run_once

from digest.delivery import Halted
from digest.model import Send
from digest.store import open_store
from digest.store.ledger import Store
from digest.transport import Carrier, OneByOne


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
    return partial(begin, store)


@pytest.fixture
def run(store: Store, script: Script, world: World) -> Callable[..., Halted | None]:
    """Give a function that makes one run of the engine over the script, or another carrier."""

    def once(send: Send, *, carrier: Carrier | None = None, **more: Any) -> Halted | None:  # noqa: ANN401 - as run_once takes them
        return run_once(store, send, world=world, carrier=carrier or _opened(script), **more)

    return once


def _opened(script: Script) -> Carrier:
    carrier = OneByOne(script, sleep=lambda _: None)
    later, script.opening = script.opening, []
    carrier.open()  # what is told of opening is about connections made anew
    script.opening, script.opened = later, script.opened - 1
    return carrier
