"""Chromium without a window: pictures of pages, and what a page measures."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

__all__ = ["Requests", "dom_of", "measure", "screenshot", "serving"]

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)
_SECONDS = 60
# What the system prefers: light, or where True dark.
_SCHEME = {
    False: "--blink-settings=preferredColorScheme=1",
    True: "--blink-settings=preferredColorScheme=0",
}

# The page under test stands in a frame of the width asked for; the frame's document tells how far
# it reaches sideways and which elements reach beyond the frame.
_RULER = """<!doctype html><meta charset="utf-8"><title>ruler</title>
<body style="margin:0"><iframe src="{page}" style="border:0;width:{width}px;height:2000px"></iframe>
<script>
onload = () => {{
  const inner = document.querySelector("iframe").contentDocument;
  const root = inner.documentElement;
  const wide = [...inner.querySelectorAll("body *")]
    .filter(e => e.getBoundingClientRect().right > {width} + 1 && e.offsetWidth > 0)
    .slice(0, 5).map(e => e.tagName + "." + e.className);
  const told = {{reach: root.scrollWidth, height: root.scrollHeight, wide,
    text: inner.body.innerText.length, title: inner.title}};
  document.body.innerHTML = "<pre id=told></pre>";
  document.getElementById("told").textContent = JSON.stringify(told);
}};
</script>"""


class Requests(list[str]):
    """The paths that a served page asked for."""


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, Requests]]:
    """Serve a folder on a free port of the loopback; give its address and what was asked for."""
    asked = Requests()

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            asked.append(self.path)

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _run(chromium: str, *arguments: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(  # noqa: S603 - a browser found on this machine, our own flags
            [chromium, *_FLAGS, f"--user-data-dir={profile}", *arguments],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
        )
    return done.stdout


def measure(chromium: str, page: Path, *, width: int) -> dict[str, Any]:
    """Open a page in a frame of a width; give its reach in pixels and the elements beyond it."""
    ruler = page.with_name(f"ruler-{page.stem}-{width}.html")
    ruler.write_text(_RULER.format(page=page.name, width=width), "utf-8")
    try:
        with serving(page.parent) as (address, _):
            dom = _run(
                chromium,
                "--virtual-time-budget=5000",
                f"--window-size={width + 200},2100",
                "--dump-dom",
                f"{address}/{ruler.name}",
            )
    finally:
        ruler.unlink()
    found = re.search(r'<pre id="told">(.*?)</pre>', dom, re.DOTALL)
    if found is None:
        message = f"the page did not answer: {dom[:200]}"
        raise AssertionError(message)
    told: dict[str, Any] = json.loads(unescape(found[1]))
    return told


def dom_of(chromium: str, address: str, *, width: int, height: int, dark: bool = False) -> str:
    """Open a page and give its document after its scripts have run."""
    return _run(
        chromium,
        _SCHEME[dark],
        "--virtual-time-budget=20000",
        f"--window-size={width},{height}",
        "--dump-dom",
        address,
    )


def screenshot(  # noqa: PLR0913 - what a picture is taken of, nearly all by name
    chromium: str,
    address: str,
    *,
    to: Path,
    width: int,
    height: int,
    dark: bool = False,
    flags: tuple[str, ...] = (),
) -> None:
    """Take a picture of a page, light or as a dark system sees it; `flags` are Chromium's."""
    size, shot = f"--window-size={width},{height}", f"--screenshot={to}"
    _run(chromium, _SCHEME[dark], size, shot, *flags, address)
