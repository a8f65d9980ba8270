"""WS-03: the preview names no reader, and no other address of this machine reaches it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cases.inputs import both
from desk.visiting import Visitor, visiting

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_ROOT = Path(__file__).resolve().parents[2]
_NOW = "2027-01-18T10:00:00+01:00"
_ITEM = "---\ntitle: {0} mill\nurl: https://{0}.example/\n---\n\nThe {0} mill grinds corn.\n"
_ITEMS: dict[str, str | bytes] = {
    f"content/{name}.md": _ITEM.format(name) for name in ("east", "south", "west")
}
_OURS = {"people.csv": "email,name,status\nsolveig@example.com,Solveig Aas,active\n"}
# Tries to reach a port at each address, outside of what these tests allow themselves.
_KNOCK = """
import json, socket, sys
port, addresses = int(sys.argv[1]), json.loads(sys.argv[2])
reached = []
for address in addresses:
    try:
        socket.create_connection((address, port), timeout=5).close()
        reached.append(address)
    except OSError:
        pass
print(json.dumps(reached))
"""


def _walk(visitor: Visitor) -> dict[str, bytes]:
    """Fetch the desk's first page and all that it leads to on the desk, links and frames alike."""
    found: dict[str, bytes] = {}
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        answer = visitor.get(path)
        found[path] = answer.body
        if answer.headers["content-type"].startswith("text/html") and "/frame/" not in path:
            links = re.findall(r'(?:href|src)="([/?][^"#]*)"', answer.text)
            base = path.partition("?")[0]
            waiting += [
                (base + link if link.startswith("?") else link).replace("&amp;", "&")
                for link in links
            ]
    return found


@both("WS-03", _OURS, "*.csv")
def test_ws_03_the_preview_holds_nothing_of_a_reader(
    digest: Digest, newsletter: Make, files: dict[str, bytes], tmp_path: Path
) -> None:
    """Step 1: neither address nor name is on any page, or in any file that pages lead to."""
    [data] = files.values()
    people = tmp_path / "people.csv"
    people.write_bytes(data)
    address, name = data.decode().splitlines()[1].split(",")[:2]
    root = newsletter(_ITEMS)
    consent = ("--consent", "asked in person")
    assert digest("-C", root, "readers", "import", people, *consent)[0] == 0
    assert digest("-C", root, "build", "--now", _NOW)[0] == 0
    with visiting(root, now=_NOW) as visitor:
        pages = _walk(visitor)

    assert "/issues/2027-w03/issue.eml" in pages
    assert len(pages) > 20
    assert b"1 reader" in pages["/issues/2027-w03"]
    for path, body in pages.items():
        text = body.decode().lower()
        for part in (address, address.partition("@")[0], *name.split()):
            assert part.lower() not in text, (path, part)


@contextmanager
def _previewing(root: Path, *words: str) -> Iterator[int]:
    """Run `digest preview` on a free port, and give that."""
    command = [sys.executable, "-m", "digest", "-C", str(root), "preview", "--port", "0", *words]
    environ = {**os.environ, "PYTHONPATH": str(_ROOT)}
    with subprocess.Popen(  # noqa: S603 - our own program, our own words
        command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        try:
            found = re.match(r"http://127\.0\.0\.1:([0-9]+)/", process.stdout.readline())
            assert found
            yield int(found[1])
        finally:
            process.terminate()


def _addresses() -> list[str]:
    """Give addresses of this machine: two of its loopback, and those under its own name."""
    try:
        own = {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)}
    except OSError:
        own = set()
    return ["127.0.0.1", "127.0.0.2", *sorted(own - {"127.0.0.1", "127.0.0.2"})]


def _reached(port: int, addresses: list[str]) -> list[str]:
    command = [sys.executable, "-c", _KNOCK, str(port), json.dumps(addresses)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - as above
    reached: list[str] = json.loads(done.stdout)
    return reached


def test_ws_03_no_other_address_reaches_the_preview(newsletter: Make) -> None:
    """Step 5: it listens on 127.0.0.1 alone, unless told otherwise."""
    root, addresses = newsletter(_ITEMS), _addresses()
    with _previewing(root) as port:
        usual = _reached(port, addresses)
    with _previewing(root, "--host", "0.0.0.0", "--allow-remote") as port:  # noqa: S104 - told so
        told = _reached(port, addresses)

    assert usual == ["127.0.0.1"]
    assert {"127.0.0.1", "127.0.0.2"} <= set(told)
