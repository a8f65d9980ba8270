"""What the pages cost to import, and whether their colours can be read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from digest.model import COLOURS

ROOT = Path(__file__).parents[2]


def test_importing_the_room_loads_no_template_engine() -> None:
    """Jinja loads only once pages are built."""
    script = "import sys, digest.site; print('jinja2' in sys.modules)"
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "False\n"


def _luminance(colour: str) -> float:
    long = colour if len(colour) == 7 else "#" + "".join(2 * sign for sign in colour[1:])
    parts = [int(long[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, two: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_are_readable(scheme: int) -> None:
    """Every text pair of both schemes has the 4.5 to 1 of WCAG 2.2, success criterion 1.4.3."""
    style = (ROOT / "templates" / "site.css.j2").read_text("utf-8")
    style = style.split("@media (prefers-color-scheme: dark)")[scheme]
    tokens = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6});", style))
    pairs = [
        *((text, ground) for text in ("text", "muted", "link") for ground in ("page", "card")),
        *((colour, f"{colour}-on") for colour in COLOURS),
    ]
    assert {pair: _contrast(*map(tokens.__getitem__, pair)) >= 4.5 for pair in pairs} == (
        dict.fromkeys(pairs, True)
    )
