"""A build over hostile content and templates, watched: it opens no socket and no stranger's file.

The witness is Python's own: an audit hook (PEP 578) that no code can take off again. A server on
this machine is named wherever something might be loaded from, and is asked for nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen
from zoneinfo import TZPATH

import pytest

Make = Callable[..., Path]

_ROOT = Path(__file__).resolve().parents[2]
_NOW = "2027-01-18T10:00:00+01:00"
_UNREAD = "the harbour master's own words"

# Runs the program and writes down what it opened, connected to or started.
_WATCHED = """
import json, os, sys

seen = []
watched = ("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.system", "urllib.", "http.")

def note(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if isinstance(path, str):
            folder, name = os.path.split(os.path.abspath(path))
            whole = flags & os.O_NOFOLLOW and os.path.join(os.path.realpath(folder), name)
            seen.append(["open", whole or os.path.realpath(path), flags & 3])
    elif event.startswith(watched):
        seen.append([event, repr(arguments), 0])

sys.addaudithook(note)
log, line = sys.argv[1:]
from digest.cli.main import run
code = run(json.loads(line))
found = list(seen)
with open(log, "w") as file:
    json.dump(found, file)
sys.exit(code)
"""


@pytest.fixture
def canary() -> Iterator[tuple[str, list[str]]]:
    """Give the address of a server on this machine, and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Note the path and give nothing."""
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_HEAD = do_POST = do_GET  # noqa: N815 - the names of the library

        def log_message(self, *_: object) -> None:  # type: ignore[override]  # says nothing
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def _chunk(name: bytes, data: bytes) -> bytes:
    body = name + data
    return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")


# One grey point (PNG 1.2 §3, §4.1).
_PICTURE = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
    + _chunk(b"IDAT", zlib.compress(b"\0\x80"))
    + _chunk(b"IEND", b"")
)


def _content(address: str) -> str:
    return f"""---
title: 'A <img src="{address}/title"> and {{{{ 6 * 7 }}}}'
url: {address}/url
image: {{url: "{address}/image.png", alt: A wheel}}
links:
  - {{label: far, url: "{address}/link"}}
  - {{label: near, url: "file:///etc/hosts"}}
date: 2027-01-17
---

![far]({address}/far.png) ![near](file:///etc/hosts) ![up](../../outside.png) ![in](in.png)
![link](linked.png)

<img src="{address}/img.png" srcset="{address}/set.png 2x"><link rel=stylesheet
href={address}/link.css><script src={address}/a.js></script><iframe src={address}/frame></iframe>

<style>@import url({address}/import.css); @import "file:///etc/hosts";</style>
<object data={address}/object></object><embed src={address}/embed><video src={address}/video>
<svg><image href={address}/svg.png /></svg><body background={address}/body>

{{% include "/etc/hosts" %}} {{{{ lipsum.__globals__ }}}} <mj-include path="/etc/hosts" />
<!-- mj-include path="{address}/mj" -->
\\(\\input{{/etc/hosts}}\\) \\(\\href{{{address}/tex}}{{x}}\\)
"""


def _style(address: str) -> str:
    """Give a style sheet that would load from everywhere it can."""
    return (
        f'@import "{address}/import"; @import url(file:///etc/hosts);\n'
        f"@font-face {{ font-family: own; src: url({address}/font) }}\n"
        f".pad {{ background: url({address}/background); color: red }}\n"
        f"@media screen {{ h1 {{ background: url({address}/media) }} }}\n"
    )


def _letter(address: str, *, more: str = "") -> str:
    """Give the shipped letter with all in its head and body that would load something."""
    text = (_ROOT / "templates" / "letter.mjml.j2").read_text("utf-8")
    head = (
        f'<link rel="stylesheet" href="{address}/head.css" />'
        f'<link rel="stylesheet" href="file:///etc/hosts" /><style>{_style(address)}</style>'
    )
    picture = f'<mj-image src="{address}/template.png" alt="a" />'
    return (
        text.replace("<mj-raw>\n<meta", f"<mj-raw>{head}\n<meta")
        .replace("</mj-head>", f"<mj-style>{_style(address)}</mj-style></mj-head>")
        .replace("{{ shown }}", f"{picture}{more}{{{{ shown }}}}")
    )


@pytest.fixture
def hostile(newsletter: Make, canary: tuple[str, list[str]], tmp_path: Path) -> Callable[..., Path]:
    """Give what makes a newsletter that reaches for the canary and for files that are not its."""

    def make(*, more: str = "") -> Path:
        address, _ = canary
        (tmp_path / "outside.md").write_text(f"---\ntitle: Outside\n---\n{_UNREAD}\n", "utf-8")
        (tmp_path / "outside.png").write_bytes(_UNREAD.encode())
        root = newsletter(
            {
                "content/hostile.md": _content(address),
                "content/in.png": _PICTURE,
                "templates/letter.mjml.j2": _letter(address, more=more),
            }
        )
        (root / "content" / "linked.png").symlink_to(tmp_path / "outside.png")
        (root / "content" / "linked.md").symlink_to(tmp_path / "outside.md")
        return root

    return make


def _watched(root: Path, tmp_path: Path) -> tuple[int, str, list[list[Any]]]:
    """Build in a process of its own; give its exit code, what it said and what it did."""
    log = tmp_path / "seen.json"
    line = ["-C", str(root), "build", "--now", _NOW]
    done = subprocess.run(  # noqa: S603 - our own program, our own words
        [sys.executable, "-c", _WATCHED, str(log), json.dumps(line)],
        env={**os.environ, "PYTHONPATH": str(_ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert log.exists(), done.stderr
    return done.returncode, done.stdout + done.stderr, json.loads(log.read_text("utf-8"))


def _strangers(seen: list[list[Any]], root: Path) -> list[list[Any]]:
    """Give what was done beyond reading the program and its libraries, and working in `root`."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    libraries = {*map(sysconfig.get_path, names), *TZPATH, sys.prefix}
    ours = {_ROOT / "digest", _ROOT / "templates", *map(Path, libraries)}
    readable = tuple(f"{folder.resolve()}/" for folder in ours)
    # The archive of the standard library is looked for on each start.
    readable += tuple(str(Path(place).resolve()) for place in sys.path if place.endswith(".zip"))
    return [
        [event, what, ways]
        for event, what, ways in seen
        if not (
            # The folder itself is opened to sync the name of a folder made in it.
            (event == "open" and f"{what}{os.sep}".startswith(f"{root.resolve()}{os.sep}"))
            or (event == "open" and ways == os.O_RDONLY and what.startswith(readable))
            or (event == "subprocess.Popen" and what.startswith("('git', ['git', "))
        )
    ]


def test_a_hostile_build_reaches_for_nothing(
    hostile: Callable[..., Path], canary: tuple[str, list[str]], tmp_path: Path
) -> None:
    """The issue is built, and no address in content or templates was asked, no file read."""
    root = hostile()
    _, said, seen = _watched(root, tmp_path)
    edition = root / "outbox" / "2027-w03"
    files = {file.name: file.read_bytes() for file in edition.rglob("*") if file.is_file()}
    assert "issue.html" in files, said
    for name in ("/head.css", "/template.png", "/import", "/font", "/background", "/media"):
        assert f"{canary[0]}{name}".encode() in files["issue.html"], name
    assert _strangers(seen, root) == []
    assert not [name for name, data in files.items() if _UNREAD.encode() in data]
    opened = {what for event, what, _ in seen if event == "open"}
    for name in ("content/hostile.md", "content/in.png", "templates/letter.mjml.j2"):
        assert str(root.resolve() / name) in opened
    address, asked = canary
    assert asked == []
    urlopen(f"{address}/heard").close()  # noqa: S310 - our own server
    assert asked == ["/heard"]


@pytest.mark.parametrize(
    "more",
    [
        '<mj-include path="/etc/hosts" />',
        '<mj-include path="@/mj" />',
        "{% include '/etc/hosts' %}",
        "{% include '../../outside.md' %}",
        "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    ],
)
def test_a_template_that_reaches_out_is_refused(
    more: str, hostile: Callable[..., Path], canary: tuple[str, list[str]], tmp_path: Path
) -> None:
    """It is named as wrong, and what it asks for is not opened first."""
    address, asked = canary
    root = hostile(more=more.replace("@", address))
    code, said, seen = _watched(root, tmp_path)
    assert code == 2
    assert "templates/letter.mjml.j2:" in said
    assert _strangers(seen, root) == []
    assert asked == []
    assert _UNREAD not in said
