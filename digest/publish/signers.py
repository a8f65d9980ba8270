"""Signatures made in processes of their own: a key's step takes longer than all else of a message.

In threads it would be made beside the sender's loop as well, but each signature hands the
interpreter's lock over twice, and the loop waits each time.
"""

from __future__ import annotations

import errno
import json
import os
import select
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final, Self

from digest.delivery import Ahead, Draft, Making
from digest.model import Delivery
from digest.publish.signing import Signing

__all__ = ["SigningProcesses", "signed_ahead"]

_MOST: Final = 4  # processes: two keep one sender busy
_BATCH: Final = 8  # digests handed over at once
_PATIENCE: Final = 3_000  # milliseconds in which a batch must be signed, else it is signed here
_FAREWELL: Final = 1.0  # seconds
_PROBE: Final = bytes(32)  # the digest by whose signature a process shows that it is ready
_READ: Final = 65_536
_PROGRAM: Final = """
import json, os, sys
out = open(os.dup(1), "wb")
os.dup2(2, 1)  # what others print is no answer
os.nice(10)
sys.path[:] = json.loads(sys.argv[1])
from digest.publish.signing_process import serve
serve(sys.stdin.buffer, out)
"""


@contextmanager
def signed_ahead(draft: Callable[[Delivery], Draft], signing: Signing) -> Iterator[Making]:
    """Make messages whose signatures are made ahead, on all cores: see `SigningProcesses`."""
    count = min(_MOST, os.cpu_count() or 1)
    with SigningProcesses(signing.pem, signing.signer.sign, count=count) as signatures:
        yield Ahead(draft, signatures)


class SigningProcesses:
    """Signs with a key in so many processes; what they do not sign is signed here, by `sign`.

    So it is where none can be started, and where one was killed, stands still, or says what is no
    answer. They end with this process, however that ends.
    """

    def __init__(self, pem: bytes, sign: Callable[[bytes], bytes], *, count: int) -> None:
        self._pem, self._sign, self._count = pem, sign, count
        self._stack = ExitStack()
        self._processes: list[_Process] = []
        self._digests: dict[int, bytes] = {}  # of what was begun and not taken
        self._waiting: list[int] = []  # not handed over yet
        self._asked: dict[int, _Process] = {}
        self._made: dict[int, bytes] = {}

    def __enter__(self) -> Self:
        proof = self._sign(_PROBE)
        with suppress(OSError):  # no process to be had
            for _ in range(self._count):
                started = _started(self._pem, proof)
                self._processes.append(self._stack.enter_context(started))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def ready(self, *, wait: bool = False) -> list[_Process]:
        """Give the processes that are ready; with `wait`, once all of them are."""
        for process in list(self._processes):
            try:
                process.look(_PATIENCE if wait else 0)
            except OSError:
                self._part_with(process)
        return [each for each in self._processes if each.is_ready]

    def begin(self, place: int, digest: bytes) -> None:
        """Have a digest signed, and known by its place."""
        self._digests[place] = digest
        self._waiting.append(place)
        if len(self._waiting) >= _BATCH:
            self._hand_over()

    def take(self, place: int) -> bytes:
        """Give a signature that was begun, waiting for it where it is not made yet."""
        if place in self._waiting:
            self._hand_over()
        if place in self._waiting:  # none is ready yet: this one is made here meanwhile
            self._waiting.remove(place)
        while place not in self._made and (process := self._asked.get(place)) is not None:
            self._hear(process)
        digest = self._digests.pop(place)
        return self._made.pop(place, None) or self._sign(digest)

    def forget(self, place: int) -> None:
        """Drop a signature that was begun."""
        del self._digests[place]
        self._made.pop(place, None)
        self._asked.pop(place, None)
        if place in self._waiting:
            self._waiting.remove(place)

    def _hand_over(self) -> None:
        """Give what waits to the processes that are ready, the one that has least to do first."""
        while self._waiting and (process := self._idlest()) is not None:
            places, self._waiting = self._waiting[:_BATCH], self._waiting[_BATCH:]
            self._asked.update(dict.fromkeys(places, process))
            try:
                process.ask([(place, self._digests[place]) for place in places])
            except OSError:
                self._part_with(process)

    def _idlest(self) -> _Process | None:
        return min(self.ready(), key=lambda each: len(each.asked), default=None)

    def _hear(self, process: _Process) -> None:
        try:
            heard = process.hear()
        except OSError:
            self._part_with(process)
            return
        for place, digest, signature in heard:
            # What was forgotten, or is another one by now, is not looked at.
            if self._digests.get(place) == digest:
                self._asked.pop(place, None)
                self._made[place] = signature

    def _part_with(self, process: _Process) -> None:
        process.kill()
        self._processes.remove(process)
        self._asked = {at: each for at, each in self._asked.items() if each is not process}


class _Process:
    """A process that signs, by its `number`; `asked` are its digests, with their places.

    Each answer names its digest, so that nothing else is ever taken for one.
    """

    def __init__(self, popen: subprocess.Popen[bytes], *, proof: bytes) -> None:
        if popen.stdin is None or popen.stdout is None:
            raise BrokenPipeError  # cannot be: both were asked for
        self.asked: deque[tuple[int, bytes]] = deque()
        self.is_ready = False
        self.number = popen.pid
        self._popen, self._into, self._out = popen, popen.stdin, popen.stdout
        self._proof = proof
        self._heard = bytearray()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)

    def begin(self, pem: bytes) -> None:
        """Hand the key over, and ask for the proof that it can be used. Raise OSError."""
        self._into.write(len(pem).to_bytes(4, "big") + pem)
        self.ask([(-1, _PROBE)])

    def ask(self, digests: list[tuple[int, bytes]]) -> None:
        """Hand digests over: all that are begun fit into a pipe. Raise OSError if it died."""
        self.asked.extend(digests)
        self._into.write(bytes([len(digests)]) + b"".join(digest for _, digest in digests))

    def look(self, wait: int) -> None:
        """See, for so many milliseconds, whether it has become ready. Raise OSError if it cannot.

        It is, once the first it says is what the key signs here.
        """
        if not self.is_ready and self._poll.poll(wait):
            for _, _, signature in self.hear():
                if signature != self._proof:
                    raise _noise()
                self.is_ready = True

    def hear(self) -> list[tuple[int, bytes, bytes]]:
        """Wait for signatures; give each after its place and digest.

        Raise OSError where none comes, or something else.
        """
        if not self._poll.poll(_PATIENCE):
            raise TimeoutError
        octets = self._out.read(_READ)
        if not octets:
            raise BrokenPipeError
        self._heard += octets
        return list(self._whole())

    def _whole(self) -> Iterator[tuple[int, bytes, bytes]]:
        length = len(_PROBE) + len(self._proof)
        while len(self._heard) >= length:
            place, digest = self.asked.popleft() if self.asked else (-1, b"")
            if not digest or not self._heard.startswith(digest):
                raise _noise()
            yield place, digest, bytes(self._heard[len(digest) : length])
            del self._heard[:length]

    def kill(self) -> None:
        """End it at once."""
        self._popen.kill()


@contextmanager
def _started(pem: bytes, proof: bytes) -> Iterator[_Process]:
    """Start a process and hand it the key. Raise OSError."""
    popen = subprocess.Popen(  # noqa: S603 - our own program, and no word of others
        [sys.executable or "", _shut(), "-c", _PROGRAM, json.dumps(sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        process_group=0,  # whoever stops the sender from a terminal stops the sender alone
    )
    try:
        process = _Process(popen, proof=proof)
        process.begin(pem)
        yield process
    finally:
        _end(popen)


def _noise() -> OSError:
    return OSError(errno.EPROTO, "is no signature")


def _shut() -> str:
    """Give the option that keeps files of the present folder from being taken for libraries."""
    return "-I" if sys.flags.isolated else "-P"


def _end(popen: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):  # what was not handed over to one that died
        if popen.stdin is not None:
            popen.stdin.close()
    try:
        popen.wait(_FAREWELL)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait()
    if popen.stdout is not None:
        popen.stdout.close()
