"""DM-01: two daemons at once, or one and a person: each reader gets one mail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from threading import Event, Thread

import pytest
from cases.inputs import both
from relay.server import Relay

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_ROOT = Path(__file__).resolve().parents[2]
_OURS = """\
subscribers 6, one issue due in 60 seconds
A  start two daemons in the same second on the same folders
B  one daemon running; at the due second also run the manual send command
C  kill -9 the daemon that holds the lock; start a new one before the due second
"""
steps = both("DM-01", {"steps.txt": _OURS}, "steps.txt")
_SETTINGS = """
[schedule]
send = "mon 09:00"

[selection]
mode = "mixed"
min_items = 1
max_items = 1
"""
_ITEMS = {
    f"content/n{number}.md": f"---\ntitle: Note {number}\n---\n\nWords {number}.\n"
    for number in range(3)
}
_BEFORE = ("--now", "2026-11-23T12:00:00+01:00")
_DRAFTED = ("--now", "2026-11-27T16:00:00+01:00")
_DUE = ("--now", "2026-11-30T09:00:00+01:00")
_LIMIT = 60  # seconds, after which something hangs


class _Program:
    """The program in a process of its own; what it prints is gathered, line by line."""

    def __init__(self, words: list[str], hear: Callable[[str], None]) -> None:
        self.said = ""
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "digest", *words],
            env={**os.environ, "PYTHONPATH": str(_ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = Thread(target=self._read, args=(hear,))
        self._reader.start()

    def _read(self, hear: Callable[[str], None]) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said += line
            hear(line)

    def end(self, by: signal.Signals | None = None) -> int:
        """Send a signal, if one is named, and wait for the end; give the exit code."""
        if by is not None:
            self._process.send_signal(by)
        code = self._process.wait(_LIMIT)
        self._reader.join(_LIMIT)
        return code

    def close(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self.end()
        assert self._process.stdout is not None
        self._process.stdout.close()


class _Scene:
    """A newsletter whose issue is due, and a relay that keeps its mail."""

    def __init__(self, root: Path, relay: Relay, readers: int) -> None:
        self.root, self.relay, self.readers = root, relay, readers
        self.sent, self.refused = Event(), Event()
        self._ends = ExitStack()
        # The first message waits until the other process was turned away, so that they do meet.
        relay.on("END", before=lambda: self.refused.wait(_LIMIT), times=1)

    def start(self, *words: str) -> _Program:
        """Run a command line at the due second."""
        smtp = [
            *("--set=transport.kind=smtp", "--set=transport.smtp.host=127.0.0.1"),
            f"--set=transport.smtp.port={self.relay.port}",
            "--set=transport.smtp.security=none",
        ]
        program = _Program(["-C", str(self.root), *smtp, *words, *_DUE], self._hear)
        self._ends.callback(program.close)
        return program

    def _hear(self, line: str) -> None:
        if " accepted" in line:
            self.sent.set()
        if "another digest (process " in line:
            self.refused.set()

    def close(self) -> None:
        """End what is still running."""
        self.refused.set()
        self._ends.close()

    def assert_once(self) -> None:
        """Everybody has one mail of the issue, and nobody two."""
        mails = Counter(address for kept in self.relay.kept for address in kept.recipients)
        assert mails == {f"r{number}@reader.example": 1 for number in range(self.readers)}


@pytest.fixture
def scene(digest: Digest, newsletter: Make, files: dict[str, bytes]) -> Iterator[_Scene]:
    """Give a newsletter with the readers of the case, sent by hand before, and the next drafted."""
    root = newsletter(dict(_ITEMS), settings=_SETTINGS)
    readers = int(files["steps.txt"].split()[1].rstrip(b","))
    people = root / "people.csv"
    people.write_text("".join(f"r{number}@reader.example\n" for number in range(readers)), "utf-8")
    for words in (
        ("readers", "import", people, "--consent", "asked at the quay", *_BEFORE),
        ("build", *_BEFORE),
        ("send", *_BEFORE),
        ("tick", *_BEFORE),
        ("tick", *_DRAFTED),
    ):
        code, _, err = digest("-C", root, *words)
        assert code == 0, err
    with Relay() as relay:
        made = _Scene(root, relay, readers)
        try:
            yield made
        finally:
            made.close()


@steps
def test_dm_01_a_two_daemons(scene: _Scene) -> None:
    """Both look at the due issue in the same second; one sends, the other says who and waits."""
    both_of = [scene.start("run"), scene.start("run")]
    assert scene.sent.wait(_LIMIT)
    codes = [daemon.end(signal.SIGTERM) for daemon in both_of]
    said = sorted(daemon.said.count("another digest (process ") for daemon in both_of)

    assert codes == [0, 0]
    assert said == [0, 1]
    scene.assert_once()


@steps
def test_dm_01_b_daemon_and_person(scene: _Scene) -> None:
    """A person who sends at the same second gets exit 7, or the daemon waits; one mail each."""
    daemon, person = scene.start("run"), scene.start("send", "--yes", "2026-w49")
    code = person.end()
    assert scene.sent.wait(_LIMIT)
    daemon.end(signal.SIGTERM)

    assert (code == 7) == ("another digest (process " in person.said)
    assert (code == 0) == ("another digest (process " in daemon.said)
    scene.assert_once()


@steps
def test_dm_01_c_killed_holder(scene: _Scene) -> None:
    """A daemon killed while it holds the lock leaves none: the next one sends at once."""
    met: Queue[_Program] = Queue()
    killed = Event()

    def kill() -> None:
        met.get(timeout=_LIMIT).close()
        killed.set()

    scene.refused.set()
    scene.relay.on("CONNECT", before=kill, times=1, close=True)
    met.put(scene.start("run"))
    assert killed.wait(_LIMIT)
    second = scene.start("run")
    assert scene.sent.wait(_LIMIT)

    assert second.end(signal.SIGTERM) == 0
    assert "another digest" not in second.said
    scene.assert_once()
