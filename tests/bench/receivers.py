"""What mail is sent to: a sink, a relay that is far away, a Postfix; each ends with its block."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from measuring import ROOT

__all__ = ["Receiver", "postfix", "sink", "slow_relay", "why_no_postfix"]

_HERE: Final = Path(__file__).resolve().parent
_PORT: Final = 2525  # in the namespace of Postfix
_PATIENCE: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """Where to send, on 127.0.0.1; a command that does so begins with the words of `inside`.

    `queue` is the folder of what it has taken and not yet done with, where it keeps any.
    """

    port: int
    inside: tuple[str, ...] = ()
    queue: Path | None = None

    def settle(self) -> None:
        """Wait until it is done with all that it has taken, so that nobody pays for another."""
        until = time.monotonic() + 10 * _PATIENCE
        while self.queue is not None and self._is_busy(self.queue):
            if time.monotonic() > until:
                sys.exit("the queue of Postfix does not become empty")
            time.sleep(0.05)

    @staticmethod
    def _is_busy(queue: Path) -> bool:
        folders = ("maildrop", "incoming", "active")
        return any(any((queue / folder).rglob("[0-9A-F]*")) for folder in folders)


@contextmanager
def sink() -> Generator[Receiver, None, None]:
    """Start Postfix's smtp-sink, which throws away all it takes."""
    port = _free_port()
    # As root it wants to know whom to run as.
    user = ["-u", "nobody"] if os.getuid() == 0 else []
    with _running(["smtp-sink", *user, f"127.0.0.1:{port}", "1000"], port):
        yield Receiver(port=port)


@contextmanager
def slow_relay(milliseconds: int) -> Generator[Receiver, None, None]:
    """Start a relay that answers after so long."""
    port = _free_port()
    with _running(
        [sys.executable, str(_HERE / "slow_relay.py"), str(port), str(milliseconds)], port
    ):
        yield Receiver(port=port)


@contextmanager
def postfix() -> Generator[Receiver, None, None]:
    """Start a Postfix in a namespace of its own, which takes all and throws it away."""
    script = str(ROOT / ".ci" / "postfix")
    # Its processes run as others, who must get at it: not below a folder that is ours alone.
    with TemporaryDirectory(prefix="bench-") as folder:
        started = subprocess.run(  # noqa: S603 - our own script
            [script, "discard", folder], capture_output=True, text=True, check=False
        )
        try:
            if started.returncode:
                sys.exit(f"Postfix does not start: {started.stderr[-800:]}")
            inside = ("ip", "netns", "exec", started.stdout.strip())
            yield Receiver(port=_PORT, inside=inside, queue=Path(folder) / "queue")
        finally:
            subprocess.run([script, "stop", folder], check=False)  # noqa: S603 - as above


def why_no_postfix() -> str:
    """Say why no Postfix can be started here; empty where one can."""
    lacking = [name for name in ("postfix", "ip") if shutil.which(name) is None]
    if lacking:
        return f"{lacking[0]} is not installed"
    if os.getuid():
        return "only root may start one in a namespace of its own"
    made = subprocess.run(
        ["unshare", "--net", "true"],  # noqa: S607 - whichever there is
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if made.returncode == 0 else f"no namespace can be made: {made.stderr.strip()}"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def _running(command: list[str], port: int) -> Generator[None, None, None]:
    """Run a server until the block ends, which begins once it can be reached."""
    child = subprocess.Popen(command, stderr=subprocess.PIPE)  # noqa: S603 - fixed commands
    try:
        until = time.monotonic() + _PATIENCE
        while not _is_reached(port):
            if child.poll() is not None or time.monotonic() > until:
                child.kill()
                told = child.stderr.read() if child.stderr else b""
                sys.exit(f"{command[0]} cannot be reached: {told.decode()[-800:]}")
            time.sleep(0.02)
        yield
    finally:
        child.terminate()
        child.wait()


def _is_reached(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False
