"""The commands of the schedule: one step, and a step every minute until somebody asks to stop."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cases.forms import tree

from digest.cli.stop import Stop
from digest.errors import DigestError
from digest.publish.project import Project
from digest.publish.tick import Ticked, tick

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_ROOT = Path(__file__).resolve().parents[2]
_SETTINGS = """
[schedule]
send = "mon 09:00"

[selection]
min_items = 1

[desk]
editors = ["ed@example.org"]
"""
_ITEM = {"content/mill.md": "---\ntitle: Tide mills\n---\n\nThey ground corn.\n"}
_NOW = ("--now", "2026-11-30T09:00:00")
_NEXT = "next: 2026-w50, Mon 7 Dec 2026 09:00 Europe/Berlin (UTC+01:00)"


@pytest.fixture(autouse=True)
def own_zone() -> Iterator[None]:
    """Put the zone of the process back, which `run` changes."""
    before = os.environ.get("TZ")
    yield
    os.environ.pop("TZ", None)
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter without readers."""
    return newsletter(_ITEM, settings=_SETTINGS)


def _stopped_by(monkeypatch: pytest.MonkeyPatch, by: signal.Signals) -> None:
    """Send a signal while the loop waits for the first time."""
    monkeypatch.setattr(Stop, "pause", lambda *_: signal.raise_signal(by))


def test_tick_tells_what_it_did_and_what_is_next(digest: Digest, letter: Path) -> None:
    """The step's events, one line each, then the next slot with its zone."""
    code, out, err = digest("-C", letter, "tick", *_NOW)

    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "2026-w49  published: number 1; there is no reader yet",
        _NEXT,
    ]
    assert digest("-C", letter, "tick", *_NOW)[1].splitlines() == [_NEXT]


def test_tick_as_json(digest: Digest, letter: Path) -> None:
    """The same for programs."""
    code, out, _ = digest("-C", letter, "tick", "--json", *_NOW)

    assert code == 0
    assert json.loads(out) == {
        "schema": 1,
        "events": [
            {
                "issue": "2026-w49",
                "what": "published",
                "told": "number 1; there is no reader yet",
            }
        ],
        "next": {"issue": "2026-w50", "slot": "2026-12-07T09:00:00+01:00"},
        "problems": [],
    }


def test_dry_tick_and_dry_run_change_nothing(digest: Digest, letter: Path) -> None:
    """`--dry-run` says what would be done, of one step, and leaves every byte."""
    before = tree(letter)
    ticked = digest("-C", letter, "tick", "--dry-run", *_NOW)
    ran = digest("-C", letter, "run", "--dry-run", *_NOW)

    assert ticked == ran
    assert ticked[1].splitlines()[0].endswith("  (dry run: nothing was written)")
    assert tree(letter) == before


def test_clock_of_the_machine_counts_without_now(digest: Digest, letter: Path) -> None:
    """Without `--now` the present moment is the machine's."""
    code, out, _ = digest("-C", letter, "tick", "--dry-run")

    assert code == 0
    assert re.fullmatch(r"next: \d{4}-w\d\d, Mon .* 09:00 Europe/Berlin .*", out.splitlines()[-1])


def test_held_issue_and_its_exit_code(digest: Digest, letter: Path) -> None:
    """A first issue with readers waits for a person: exit 4, and the notice lies in the outbox."""
    digest("-C", letter, "readers", "add", "r@example.org", "--consent", "said so", *_NOW)
    code, out, _ = digest("-C", letter, "tick", *_NOW)

    assert code == 4
    assert out.startswith("2026-w49  held: no issue was sent by hand yet")
    assert [path.name[:13] for path in (letter / "outbox/notices").iterdir()] == ["2026-w49.held"]


def test_unreadable_file_is_told(digest: Digest, letter: Path) -> None:
    """The issue is out without it; the step says which file, and ends with 1."""
    (letter / "content/bad.md").write_bytes(b"---\ntitle: \xff\n---\n")
    code, out, err = digest("-C", letter, "tick", *_NOW)

    assert code == 1
    assert out.startswith("2026-w49  published")
    assert "content/bad.md" in err


def test_failure_is_told_beside_what_was_done(digest: Digest, letter: Path) -> None:
    """A relay that is not there ends the step with 6, in words and in JSON."""
    digest("-C", letter, "readers", "add", "r@example.org", "--consent", "said so", *_NOW)
    digest("-C", letter, "build", "2026-w48", *_NOW)
    digest("-C", letter, "send", "2026-w48", *_NOW)
    (letter / "content/quay.md").write_text("---\ntitle: Quays\n---\n\nOf stone.\n", "utf-8")
    relay = ("--set=transport.kind=smtp", "--set=transport.smtp.host=127.0.0.1")
    nobody = (*relay, "--set=transport.smtp.port=1", "--set=transport.smtp.security=none")
    code, out, err = digest("-C", letter, "tick", "--json", *nobody, *_NOW)
    told = json.loads(out)

    assert code == 6
    assert told["events"] == []
    assert told["error"]["exit"] == 6
    assert told["error"]["problems"][0]["what"] in err


def test_run_ends_by_sigterm_with_0(
    digest: Digest, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first step is done at once; a plea to end while it waits is heard."""
    _stopped_by(monkeypatch, signal.SIGTERM)
    code, out, err = digest("-C", letter, "run", *_NOW)

    assert code == 0
    assert out.splitlines() == [
        f"{_NEXT}; Ctrl-C ends this",
        "2026-w49  published: number 1; there is no reader yet",
        _NEXT,
    ]
    assert err == "stopped\n"


def test_run_ends_by_ctrl_c_with_130(
    digest: Digest, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with every other command."""
    _stopped_by(monkeypatch, signal.SIGINT)

    assert digest("-C", letter, "run", *_NOW)[0] == 130


def test_tick_interrupted_by_ctrl_c_ends_with_130(
    digest: Digest, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that Ctrl-C ended early says so, and the next one does all of it."""

    def interrupted(project: Project, **rest: Any) -> Ticked:  # noqa: ANN401 - handed on
        signal.raise_signal(signal.SIGINT)
        return tick(project, **rest)

    with monkeypatch.context() as patch:
        patch.setattr("digest.cli.run.tick", interrupted)
        assert digest("-C", letter, "tick", *_NOW)[:2] == (130, f"{_NEXT}\n")
    assert digest("-C", letter, "tick", *_NOW)[1].startswith("2026-w49  published")


def test_run_tells_the_same_thing_once(
    digest: Digest, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings are read anew each minute; an error that lasts is told when it begins."""
    file = letter / "digest.toml"
    good = file.read_text("utf-8")

    def six_minutes(
        step: Callable[[], None], *, tell: Callable[[DigestError], None], **_: object
    ) -> None:
        for text in (good, good, "oops\n", "oops\n", good, "oops\n"):
            file.write_text(text, "utf-8")
            try:
                step()
            except DigestError as error:
                tell(error)

    monkeypatch.setattr("digest.cli.run.run_every_minute", six_minutes)
    code, out, err = digest("-C", letter, "run", *_NOW)

    assert code == 0
    assert err.count("error: ") == 2
    assert out.count("published") == 1
    assert out.count(_NEXT) == 2


def test_run_outlives_an_error_of_the_system(
    digest: Digest, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is told, and the loop goes on until it is asked to end."""

    def full(*_: object, **__: object) -> Ticked:
        raise OSError(28, "No space left on device")

    _stopped_by(monkeypatch, signal.SIGTERM)
    monkeypatch.setattr("digest.cli.run.tick", full)
    code, _, err = digest("-C", letter, "run", *_NOW)

    assert code == 0
    assert "error: the system said no: No space left on device" in err


@pytest.fixture
def other_sender(letter: Path) -> Iterator[int]:
    """Give the number of a process that holds the lock for sending."""
    words = (
        "import sys\nfrom pathlib import Path\nfrom digest.files import sending_lock\n"
        "with sending_lock(Path(sys.argv[1])):\n    print(flush=True)\n    sys.stdin.read()\n"
    )
    with subprocess.Popen(  # noqa: S603 - our own words
        [sys.executable, "-c", words, str(letter / "private")],
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"\n"
        yield other.pid
        other.communicate()


def test_another_sender_is_named(
    digest: Digest, letter: Path, monkeypatch: pytest.MonkeyPatch, other_sender: int
) -> None:
    """Where another process sends, `tick` ends with 7 and `run` waits; nothing else is done."""
    _stopped_by(monkeypatch, signal.SIGTERM)
    ticked = digest("-C", letter, "tick", *_NOW)
    ran = digest("-C", letter, "run", *_NOW)

    assert (ticked[0], ran[0]) == (7, 0)
    assert f"process {other_sender}" in ticked[2]
    assert f"process {other_sender}" in ran[2]
    assert not (letter / "outbox").exists()
    assert not (letter / "private/digest.db").exists()


@pytest.mark.parametrize("command", ["run", "tick"])
def test_unknown_zone_stops_the_start(digest: Digest, letter: Path, command: str) -> None:
    """A zone that nobody knows is a wrong setting, named with its place."""
    text = (letter / "digest.toml").read_text("utf-8")
    (letter / "digest.toml").write_text(text.replace("Europe/Berlin", "Mars/Olympus"), "utf-8")
    code, _, err = digest("-C", letter, command, *_NOW)

    assert code == 2
    assert "digest.toml" in err
    assert "Mars/Olympus" in err
