"""A newsletter with pictures of its own, drawn in code, and what its issue's forms show of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email import message_from_bytes, policy
from email.message import EmailMessage
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

__all__ = [
    "ITEM",
    "KEY",
    "LETTER",
    "NOW",
    "PICTURES",
    "SITE",
    "drawn",
    "edition",
    "html_of",
    "mail_of",
    "name_of",
    "public",
    "sources",
]

NOW: Final = ("--now", "2026-12-01T10:00:00+01:00")
KEY: Final = "2026-w49"
SITE: Final = "https://harbour.example/"
_KINDS: Final = {".png": "PNG", ".jpg": "JPEG", ".gif": "GIF", ".webp": "WEBP"}
_SOURCE: Final = re.compile(r'<img [^>]*?src="([^"]*)"')


def drawn(kind: str, width: int = 16, height: int = 12, colour: int = 160) -> bytes:
    """Draw a picture of one colour: `kind` is PNG, JPEG, GIF or WEBP."""
    out = BytesIO()
    Image.new("RGB", (width, height), (30, 90, colour)).save(out, kind)
    return out.getvalue()


# Where a picture is shown: a header, a text, a text as WebP, the introduction.
PICTURES: Final[Mapping[str, bytes]] = {
    "mills/wheel.png": drawn("PNG", 640, 480),
    "mills/pair of stones.jpg": drawn("JPEG", 40, 30),
    "mills/moon.webp": drawn("WEBP", 20, 20),
    "quay.png": drawn("PNG", 8, 8, 20),
}
ITEM: Final = """\
---
title: Tide mills
url: https://mills.example/
image: wheel.png
image_alt: A wheel
---

Two [stones](https://mills.example/stones) lie here: ![A pair](<pair of stones.jpg>)

And a moon: ![A moon](moon.webp)
"""
_ISSUE: Final = """\
---
items: [mills/tide]
---

Good morning from ![the quay](quay.png).
"""
LETTER: Final[dict[str, str | bytes]] = {
    "content/mills/tide.md": ITEM,
    f"content/issues/{KEY}.md": _ISSUE,
    **{f"content/{path}": data for path, data in PICTURES.items()},
}


def name_of(path: str, data: bytes | None = None) -> str:
    """Give the public name of a picture file: begun by the hash of its octets."""
    found = PICTURES[path] if data is None else data
    return f"{sha256(found).hexdigest()[:16]}{Path(path).suffix}"


def sources(html: str) -> list[str]:
    """Give what the pictures of HTML are loaded from, in their order."""
    return _SOURCE.findall(html)


def edition(root: Path, key: str = KEY) -> Path:
    """Give the folder of an edition."""
    return root / "outbox" / key


def html_of(root: Path, name: str, key: str = KEY) -> str:
    """Read one of the HTML files of an edition."""
    return (edition(root, key) / name).read_text("utf-8")


def mail_of(root: Path, key: str = KEY) -> EmailMessage:
    """Parse the general copy of an edition."""
    data = (edition(root, key) / "issue.eml").read_bytes()
    return message_from_bytes(data, policy=policy.default)  # type: ignore[return-value]


def public(root: Path) -> dict[str, bytes]:
    """Give the picture files of the site, by name."""
    folder = root / "outbox/site/pictures"
    return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.is_dir() else {}
