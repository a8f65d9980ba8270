"""Processes that sign beside the sender: the key's own signatures, whatever becomes of them."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from digest.mime.dkim_key import read_signer
from digest.publish import signers
from digest.publish.signers import SigningProcesses
from digest.publish.signing_process import serve

Sign = Callable[[bytes], bytes]

_MANY = 400  # digests: several batches for each process
_PROGRAM = """
import os, sys, time
from digest.mime.dkim_key import read_signer
from digest.publish.signers import SigningProcesses
pem = sys.stdin.buffer.read()
sign = read_signer(pem, domain="harbour.example", selector="s1", where="key").sign
with SigningProcesses(pem, sign, count=2) as signatures:
    print(*(each.number for each in signatures._processes), flush=True)
    time.sleep(60)
"""


def _digest(place: int) -> bytes:
    return sha256(str(place).encode()).digest()


def _pem(key: rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.fixture(scope="module", params=["rsa", "ed25519"])
def pem(request: pytest.FixtureRequest) -> bytes:
    """Give a new key of each kind in PEM."""
    is_rsa = request.param == "rsa"
    return _pem(
        rsa.generate_private_key(65537, 2048) if is_rsa else ed25519.Ed25519PrivateKey.generate()
    )


@pytest.fixture
def key(pem: bytes) -> Sign:
    """Give what signs with the key in this process."""
    return read_signer(pem, domain="harbour.example", selector="s1", where="key").sign


@pytest.fixture
def here() -> list[bytes]:
    """Give a list of the digests that were signed in this process."""
    return []


@pytest.fixture
def sign(key: Sign, here: list[bytes]) -> Sign:
    """Give what signs in this process and writes that down."""

    def call(digest: bytes) -> bytes:
        here.append(digest)
        return key(digest)

    return call


@pytest.fixture
def signatures(pem: bytes, sign: Sign) -> Iterator[SigningProcesses]:
    """Give two processes that sign, both ready."""
    with SigningProcesses(pem, sign, count=2) as made:
        assert len(made.ready(wait=True)) == 2
        yield made


def test_signatures_are_those_of_the_key(
    signatures: SigningProcesses, key: Sign, here: list[bytes]
) -> None:
    """In whatever order they are taken, and none of them is made in the sender's process."""
    for place in range(_MANY):
        signatures.begin(place, _digest(place))
    places = [*range(1, _MANY, 2), *range(_MANY - 2, -1, -2)]
    made = {place: signatures.take(place) for place in places}
    assert made == {place: key(_digest(place)) for place in range(_MANY)}
    assert here == [bytes(32)]


@pytest.mark.parametrize(
    "noise",
    [b"x\n", b"a\0\1Z" * 40, b"a\0\0\0", b"abcdef", b"a\0\0", b"\0", bytes(600)],
)
@pytest.mark.parametrize("late", [False, True])
def test_noise_is_no_signature(
    noise: bytes,
    late: bool,  # noqa: FBT001 - a parameter
    pem: bytes,
    sign: Sign,
    key: Sign,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a library prints in a process, first or later, is never taken for an answer."""
    program = signers._PROGRAM  # noqa: SLF001 - what others may add to it is what is tested
    first, last = program.split("serve(")
    loud = f"import os; os.write(1, {noise!r})\n{program}"
    if late:
        serving = "from digest.publish import signing_process as p; s = p._signer\n"
        noisy = f"p._signer = lambda pem: (k := s(pem), lambda d: k(d) + {noise!r})[1]\n"
        loud = f"{first}{serving}{noisy}serve({last}"
    monkeypatch.setattr(signers, "_PROGRAM", loud)
    with SigningProcesses(pem, sign, count=2) as signatures:
        signatures.ready(wait=True)
        for place in range(100):
            signatures.begin(place, _digest(place))
        for place in range(100):
            assert signatures.take(place) == key(_digest(place))
        assert signatures.ready() == []


def test_an_interpreter_without_a_path_signs_by_itself(
    pem: bytes, sign: Sign, key: Sign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that hold Python within them have none to start."""
    monkeypatch.setattr(sys, "executable", None)
    with SigningProcesses(pem, sign, count=2) as signatures:
        signatures.begin(1, _digest(1))
        assert signatures.take(1) == key(_digest(1))


def test_until_one_is_ready_the_sender_signs(
    pem: bytes, sign: Sign, key: Sign, here: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for a process that is being started."""
    monkeypatch.setattr(signers, "_PROGRAM", "import sys; sys.stdin.buffer.read()")
    with SigningProcesses(pem, sign, count=2) as signatures:
        for place in range(40):
            signatures.begin(place, _digest(place))
        assert [signatures.take(place) for place in range(40)] == [
            key(_digest(place)) for place in range(40)
        ]
    assert len(here) == 41


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.parametrize("all_of_them", [True, False])
def test_a_process_that_is_gone_or_stands_still_is_done_without(
    how: signal.Signals,
    all_of_them: bool,  # noqa: FBT001 - a parameter
    signatures: SigningProcesses,
    key: Sign,
    monkeypatch: pytest.MonkeyPatch,
    here: list[bytes],
) -> None:
    """What it had to sign is signed all the same, and so is all that comes after it."""
    monkeypatch.setattr(signers, "_PATIENCE", 100)
    for place in range(100):
        signatures.begin(place, _digest(place))
    assert signatures.take(0) == key(_digest(0))
    victims = signatures.ready()
    for each in victims if all_of_them else victims[:1]:
        os.kill(each.number, how)
    for place in range(100, _MANY):
        signatures.begin(place, _digest(place))
    for place in range(1, _MANY):
        assert signatures.take(place) == key(_digest(place))
    assert len(signatures.ready()) == (0 if all_of_them else 1)
    if all_of_them:
        assert here


def test_no_process_is_needed(
    pem: bytes, sign: Sign, key: Sign, here: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system gives none, all is signed in the sender's own."""

    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with SigningProcesses(pem, sign, count=2) as signatures:
        for place in range(40):
            signatures.begin(place, _digest(place))
        assert signatures.take(7) == key(_digest(7))
    assert here == [bytes(32), _digest(7)]  # the first to know what a process is to say


def test_what_is_forgotten_may_be_begun_again(signatures: SigningProcesses, key: Sign) -> None:
    """A row that was put back has the signature of what it is when it comes again."""
    for place in range(50):
        signatures.begin(place, _digest(place))
    for place in range(50):
        signatures.forget(place)
    for place in range(50):
        signatures.begin(place, _digest(place + 1000))
    assert [signatures.take(place) for place in range(50)] == [
        key(_digest(place + 1000)) for place in range(50)
    ]


def test_processes_end_with_the_block(signatures: SigningProcesses) -> None:
    """None is left behind."""
    numbers = [each.number for each in signatures.ready()]
    signatures.__exit__()
    assert [number for number in numbers if Path(f"/proc/{number}").exists()] == []


def test_processes_end_with_a_sender_that_is_killed(pem: bytes) -> None:
    """They have nobody to sign for."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(signers.__file__).parents[2])},
    ) as sender:
        assert sender.stdin is not None
        assert sender.stdout is not None
        sender.stdin.write(pem)
        sender.stdin.close()
        numbers = [int(number) for number in sender.stdout.readline().split()]
        sender.kill()
    assert len(numbers) == 2
    deadline = time.monotonic() + 30
    while any(_runs(number) for number in numbers):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _runs(number: int) -> bool:
    """Tell whether a process is there, and is no mere entry that waits to be read."""
    try:
        told = Path(f"/proc/{number}/stat").read_text("ascii")
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] != "Z"


def test_the_program_signs_what_it_reads(pem: bytes, key: Sign) -> None:
    """It gives each digest with its signature behind it, and ends with its input."""
    batches = [[_digest(1)], [_digest(2), _digest(3)]]
    asked = len(pem).to_bytes(4, "big") + pem
    for batch in batches:
        asked += bytes([len(batch)]) + b"".join(batch)
    out = io.BytesIO()
    serve(io.BytesIO(asked), out)
    assert out.getvalue() == b"".join(digest + key(digest) for batch in batches for digest in batch)


def test_the_program_takes_no_key_of_another_kind() -> None:
    """What was no key for DKIM before is none there."""
    pem = _pem(ec.generate_private_key(ec.SECP256R1()))
    with pytest.raises(TypeError):
        serve(io.BytesIO(len(pem).to_bytes(4, "big") + pem), io.BytesIO())


def test_files_of_the_present_folder_are_no_libraries(
    pem: bytes, sign: Sign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends from a folder with a `json.py` does not run it."""
    for name in ("json", "os", "cryptography", "digest"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    with SigningProcesses(pem, sign, count=1) as signatures:
        assert len(signatures.ready(wait=True)) == 1
    assert not (tmp_path / "ran").exists()
