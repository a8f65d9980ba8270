"""What is on the disk at each moment, told from a trace: a kill cannot show a sync that is missing.

A process that is killed leaves all that it wrote; a power cut does not. So the trace of a command
is played on a disk that forgets what was not synced.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from kill.disk import Disk
from kill.events import KINDS, Content, Event, Renamed, read
from kill.judging import Verdict, states
from kill.letter import STEPS, Letter, Point, addresses, copied, script, write_list
from kill.stracing import in_full
from kill.trial import Trial
from kill.watching import Mail, Witness

pytestmark = pytest.mark.real

_READERS = 250  # two claims
_CLAIM = 200
_CUTS = 50
_MAIL = 8192  # octets of a mail that hold its header, and more than a page of the database
_FILE = 1 << 20  # more than any file has
# Made anew at any time, or about who holds a lock: nobody misses them after a power cut.
_CACHE = "/cache/"
_PASSING = ("/lock", "/lock.by", "/sending", "/sending.by", "-shm")


def _traced(letter: Letter, step: str, trace: Path, *, octets: int) -> list[Event]:
    done = letter.run(step, around=in_full(trace, KINDS, octets=octets))
    assert done.code == 0, done
    return list(read(trace))


@pytest.fixture
def many(points: dict[str, Point], tmp_path: Path) -> Letter:
    """Give a newsletter that is to be sent to more readers than one claim takes."""
    letter = copied(points["send"], tmp_path / "many")
    write_list(tmp_path / "many", _READERS)
    assert letter.run("readers").code == 0
    return letter


def _left_rows(disk: Disk, folder: Path) -> dict[str, str]:
    """Give the readers' states as they are after a power cut now."""
    left = disk.left()
    folder.mkdir(exist_ok=True)
    for name in ("digest.db", "digest.db-wal", "digest.db-journal"):
        (folder / name).unlink(missing_ok=True)
        if data := left.get(f"private/{name}"):
            (folder / name).write_bytes(data)
    return states(folder / "digest.db")


def _unclaimed(events: list[Event], disk: Disk, folder: Path) -> list[str]:
    """Tell whose content left while a power cut would have undone the claim of their row."""
    found: list[str] = []
    at, told = -1, dict[str, str]()
    for event in events:
        if isinstance(event, Content):
            if disk.syncs != at:
                at, told = disk.syncs, _left_rows(disk, folder)
            if told.get(event.to, "pending") == "pending":
                found.append(event.to)
        disk.take(event)
    return found


def test_claims_are_on_disk_before_any_content_leaves(many: Letter, tmp_path: Path) -> None:
    """After a power cut at any moment the ledger knows of each reader who may have the mail."""
    disk = Disk(many.root)
    with Witness(tmp_path / "book") as witness:
        many.by_relay(witness.port)
        events = _traced(many, "send", tmp_path / "trace", octets=_MAIL)
        kept = witness.kept()

    contents = [event.to for event in events if isinstance(event, Content)]
    assert sorted(contents) == sorted(mail.to for mail in kept) == sorted(addresses(_READERS))
    assert _unclaimed(events, disk, tmp_path / "left") == []


def test_a_claim_that_is_not_synced_is_noticed(many: Letter, tmp_path: Path) -> None:
    """The same program with `synchronous = OFF` does not pass."""
    disk = Disk(many.root)
    many.runner = (*script("unsynced"), "database")
    with Witness(tmp_path / "book") as witness:
        many.by_relay(witness.port)
        events = _traced(many, "send", tmp_path / "trace", octets=_MAIL)

    assert _unclaimed(events, disk, tmp_path / "left")


def _held(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def _after_a_cut(start: Path, disk: Disk, folder: Path, *, number: int) -> Letter:
    """Make a folder as a power cut leaves it, on a host that has been started again.

    Of what was not synced nothing survives, or a half, or most.
    """
    chance, share = Random(number), (0.0, 0.5, 0.9)[number % 3]  # noqa: S311 - luck, no secret
    left = disk.left(survives=lambda: chance.random() < share)
    root = folder / "letter"
    shutil.copytree(start, root)
    for name in _held(root).keys() - left.keys():
        (root / name).unlink()
    for name, data in left.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(0o600)
        file.write_bytes(data)
    with closing(sqlite3.connect(root / "private/digest.db")) as database, database:
        database.execute("UPDATE leases SET boot = 'the one before'")
    return Letter(root)


def test_power_cuts_while_it_sends(many: Letter, tmp_path: Path, trial: Trial) -> None:
    """After a power cut nobody is lost, and only rows of the last claim are in doubt."""
    start, disk = tmp_path / "start", Disk(many.root)
    shutil.copytree(many.root, start)
    with Witness(tmp_path / "book") as witness:
        many.by_relay(witness.port)
        events = _traced(many, "send", tmp_path / "trace", octets=_FILE)
        book = {mail.to: mail for mail in witness.kept()}
    places = [place for place, event in enumerate(events) if isinstance(event, Content)]
    cuts = {places[n * len(places) // _CUTS - 1] for n in trial.pick(_CUTS, 3)}
    gone: list[Mail] = []
    for place, event in enumerate(events):
        if isinstance(event, Content):
            gone.append(book[event.to])
        if place in cuts:
            letter = _after_a_cut(start, disk, tmp_path / "cut", number=place)
            _goes_on(letter, gone, trial.verdict, at=f"power cut at event {place}")
            shutil.rmtree(tmp_path / "cut")
        disk.take(event)


def _goes_on(letter: Letter, gone: list[Mail], verdict: Verdict, *, at: str) -> None:
    """Send what the cut left to be sent, and judge it with what was gone before."""
    verdict.killed(states(letter.database), connections=_CLAIM, at=at, cut=True)
    with Witness(letter.root.parent / "book") as witness:
        letter.by_relay(witness.port)
        letter.finish("send")
        kept = [*gone, *witness.kept()]
    verdict.judge(kept, states(letter.database), readers=addresses(_READERS), at=at)


def _missed(names: list[str]) -> list[str]:
    return [name for name in names if not (_CACHE in name or name.endswith(_PASSING))]


def _hasty_renames(events: list[Event], disk: Disk) -> list[str]:
    """Tell what was renamed before it was on the disk, and what still is not at the end."""
    found: list[str] = []
    for event in events:
        if isinstance(event, Renamed):
            found += [f"{name} renamed too early" for name in _missed(disk.unsynced(event.source))]
        disk.take(event)
    found += [f"{name} not on disk at the end" for name in _missed(disk.unsure(str(disk.root)))]
    return found


@pytest.mark.parametrize("step", STEPS)
def test_files_are_on_disk_before_they_get_their_names(
    points: dict[str, Point], tmp_path: Path, step: str
) -> None:
    """What a file holds is synced before a rename, and all is once a command has ended."""
    letter = copied(points[step], tmp_path)
    disk = Disk(letter.root)
    with Witness(tmp_path / "book") as witness:
        letter.by_relay(witness.port)
        events = _traced(letter, step, tmp_path / "trace", octets=_FILE)

    assert _hasty_renames(events, disk) == []
    # The disk of the test is worth something: played to its end it holds what the real one does.
    assert disk.left(survives=lambda: True) == _held(letter.root)


def test_a_rename_before_its_sync_is_noticed(points: dict[str, Point], tmp_path: Path) -> None:
    """The same program without fsync does not pass."""
    letter = copied(points["publish"], tmp_path)
    disk = Disk(letter.root)
    letter.runner = (*script("unsynced"), "files")
    events = _traced(letter, "publish", tmp_path / "trace", octets=_FILE)

    assert any("too early" in one for one in _hasty_renames(events, disk))
