"""A PostgreSQL server struck down in the middle of a send, with the sender alive or killed too."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest
from kill.cluster import Cluster, states_in
from kill.letter import READERS, STEPS, Letter, addresses, ended, script, write_list
from kill.trial import Trial
from kill.watching import Witness

pytestmark = pytest.mark.real

_HASTY = script("hasty")
_OUTAGES = 4  # in one send
_AT = ("END", "DATA", "MAIL", "CONTENT", "END", "RCPT")


@dataclass(frozen=True, slots=True)
class _Start:
    """A server, and a newsletter in it that was not sent yet."""

    cluster: Cluster
    folder: Path
    url: str

    def letter(self, folder: Path) -> tuple[Letter, str]:
        """Give a copy of the newsletter with a database of its own."""
        shutil.copytree(self.folder, folder / "letter")
        url = self.cluster.make(self.url)
        return Letter(folder / "letter", settings=(f"store.url={url}",)), url


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Start]:
    """Run the commands up to the send with PostgreSQL, and keep what they made."""
    folder = tmp_path_factory.mktemp("postgresql")
    write_list(folder, READERS)
    with Cluster() as cluster:
        url = cluster.make()
        letter = Letter(folder / "letter", settings=(f"store.url={url}",))
        letter.root.mkdir()
        for step in STEPS[:-1]:
            done = letter.run(step)
            assert done.code == 0, (step, done)
        yield _Start(cluster, letter.root, url)


def test_the_server_comes_back(start: _Start, trial: Trial) -> None:
    """A sender waits for its database and goes on by itself: nobody gets a mail twice."""
    for place in trial.pick(2, 1):
        letter, url = start.letter(trial.folder / str(place))
        with Witness(letter.root.parent / "book") as witness:
            letter.by_relay(witness.port)
            witness.hold("END", 2)
            sender = letter.start("send")
            for event in _AT[:_OUTAGES]:
                assert witness.reached(sender), ended(sender)
                start.cluster.strike()
                witness.hold(event, 2)
                witness.go()
                start.cluster.start()
                trial.verdict.kills += 1
            assert witness.reached(sender), ended(sender)
            witness.go()
            done = ended(sender)
            assert done.code == 0, done
            told = states_in(url)
            trial.verdict.judge(witness.kept(), told, readers=addresses(), at="server back")
    assert not trial.verdict.doubled


@pytest.mark.parametrize("connections", [4, 1])
def test_the_sender_is_killed_too(start: _Start, trial: Trial, connections: int) -> None:
    """Both are gone at once: at most one message a connection is in doubt."""
    events = cycle(_AT)
    for place in trial.pick(4, 1):
        event, folder = next(events), trial.folder / str(place)
        at = f"{event} {place}, {connections} connections"
        letter, url = start.letter(folder)
        with Witness(folder / "book") as witness:
            letter.by_relay(witness.port, connections=connections)
            witness.hold(event, 11 * place)
            sender = letter.start("send")
            assert witness.reached(sender), ended(sender)
            start.cluster.strike()
            sender.kill()
            ended(sender)
            witness.go()
            start.cluster.start()
            trial.verdict.killed(states_in(url), connections=connections, at=at)
            letter.finish("send")
            trial.verdict.judge(witness.kept(), states_in(url), readers=addresses(), at=at)


def test_the_sender_gives_up(start: _Start, trial: Trial) -> None:
    """It says so and what to do, and the same command goes on once the server is back."""
    for place in trial.pick(4, 1):
        folder, at = trial.folder / str(place), f"given up, {place}"
        letter, url = start.letter(folder)
        letter.runner = _HASTY
        with Witness(folder / "book") as witness:
            letter.by_relay(witness.port)
            witness.hold(_AT[place], 12)
            sender = letter.start("send")
            assert witness.reached(sender), ended(sender)
            start.cluster.strike()
            witness.go()
            done = ended(sender)
            start.cluster.start()
            assert done.code == 6, done
            assert "Traceback" not in done.said
            assert "cannot be reached" in done.said
            trial.verdict.killed(states_in(url), connections=4, at=at)
            letter.finish("send")
            trial.verdict.judge(witness.kept(), states_in(url), readers=addresses(), at=at)
