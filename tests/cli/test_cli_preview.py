"""`digest preview` as a process: one address, and it ends when told to."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import pytest

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_ROOT = Path(__file__).resolve().parents[2]
_ITEM = "---\ntitle: {0} mill\nurl: https://{0}.example/\n---\n\nThe {0} mill grinds corn.\n"


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter of three summaries."""
    return newsletter({f"content/{name}.md": _ITEM.format(name) for name in ("a", "b", "c")})


@contextmanager
def _running(root: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """Run `digest preview` on any free port; it is killed at the end if it still runs."""
    command = [sys.executable, "-m", "digest", "-C", str(root), "preview", "--port", "0", *words]
    process = subprocess.Popen(  # noqa: S603 - our own program, our own words
        command,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout
        try:
            yield process, process.stdout
        finally:
            process.kill()


def _get(address: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], str]:
    parts = urlsplit(address)
    connection = HTTPConnection(str(parts.hostname), parts.port or 80, timeout=20)
    try:
        connection.request("GET", f"{parts.path}?{parts.query}", headers=headers or {})
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read().decode()
    finally:
        connection.close()


def test_it_prints_one_address_and_ends_when_told(letter: Path, digest: Digest) -> None:
    """The address opens the issue asked for; Ctrl-C ends it with 0; nothing was logged."""
    now = ("--now", "2027-01-18T10:00:00+01:00")
    assert digest("-C", letter, "build", *now)[0] == 0
    with _running(letter, "2027-W03", *now) as (process, out):
        address = out.readline().strip()
        found = re.fullmatch(
            r"(http://127\.0\.0\.1:([0-9]+))/issues/2027-w03\?token=([\w-]{43})", address
        )
        assert found
        stranger = _get(f"{found[1]}/")
        status, headers, _ = _get(address)
        cookie = {"Cookie": headers["set-cookie"].partition(";")[0]}
        shown = _get(found[1] + headers["location"], cookie)
        process.send_signal(signal.SIGINT)
        rest, told = process.communicate(timeout=20)

    assert stranger[0] == 403
    assert (status, headers["location"]) == (303, "/issues/2027-w03")
    assert shown[0] == 200
    assert "As of Mon 18 Jan 2027 10:00 Europe/Berlin" in shown[2]
    assert process.returncode == 0
    assert rest == ""
    assert found[3] not in told
    assert told.splitlines() == ["open this address in a browser; Ctrl-C ends it"]


def test_tokens_are_made_anew(letter: Path) -> None:
    """As JSON too; the second desk has another port and another token than the first."""
    with _running(letter, "--json") as (_, first), _running(letter, "--json") as (_, second):
        urls = [urlsplit(json.loads(_until(out, "}\n"))["url"]) for out in (first, second)]

    assert [url.path for url in urls] == ["/", "/"]
    assert len({url.port for url in urls}) == 2
    assert len({url.query for url in urls}) == 2


def _until(out: IO[str], last: str) -> str:
    lines = [out.readline()]
    while lines[-1] != last:
        lines.append(out.readline())
        assert lines[-1], "it ended without an answer"
    return "".join(lines)


@pytest.mark.parametrize(
    "host",
    ["0.0.0.0", "::", "192.0.2.1", "desk.example", "", "127.0.0.1.example", "2130706433"],  # noqa: S104 - to be refused
)
def test_other_machines_are_kept_out_unless_allowed(
    letter: Path, digest: Digest, host: str
) -> None:
    """A host that is not the loopback is refused, with the switch that allows it."""
    code, out, err = digest("-C", letter, "preview", "--host", host)

    assert code == 2
    assert out == ""
    assert "--allow-remote" in err


def test_wrong_words_are_refused_before_anything_listens(letter: Path, digest: Digest) -> None:
    """A wrong issue, a wrong port, a folder without settings: exit 2."""
    assert digest("-C", letter, "preview", "monday")[0] == 2
    assert digest("-C", letter, "preview", "--port", "65536")[0] == 2
    assert digest("-C", letter.parent, "preview")[0] == 2


def test_an_address_that_cannot_be_listened_on(letter: Path, digest: Digest) -> None:
    """An address of another machine is told as one, though it was allowed."""
    code, _, err = digest("-C", letter, "preview", "--host", "192.0.2.1", "--allow-remote")

    assert code == 2
    assert "192.0.2.1" in err
