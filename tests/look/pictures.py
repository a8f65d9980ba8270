"""What the looks look like: pictures by Chromium, kept small, and how far two of them differ.

Run as a program with `--write`, it takes the kept pictures anew. Fonts differ from machine to
machine, so that only some of the Noto family are offered to the browser.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops

_TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS), str(_TESTS.parent)]

from browser.chrome import measure, screenshot, serving  # noqa: E402 - found by the line above
from look.rendered import LOOKS, PAPER, specimen_edition  # noqa: E402 - found by the line above

__all__ = ["GOLDEN", "SHOTS", "Shot", "Studio", "difference", "small", "studio"]

GOLDEN: Final = Path(__file__).resolve().parent / "golden"
_FORCED: Final = "--enable-features=WebContentsForceDark"
_SCALE: Final = 2  # a small picture has half the width and height
_COLOURS: Final = 256
_CELL: Final = 8  # pixels of a small picture that are compared as one
_WORST: Final = 10
_WIDE: Final = 640  # pixels: a window is never narrower than some 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One picture: a specimen in a look, in a frame of a width, as a program shows it."""

    look: str
    specimen: str
    width: int
    scheme: str

    @property
    def name(self) -> str:
        """Give the name of its file."""
        return f"{self.look}-{self.specimen}-{self.width}-{self.scheme}.png"


_KINDS: Final = (
    ("one-theme", 600, "light"),
    ("one-theme", 375, "light"),
    ("one-theme", 320, "light"),
    ("one-theme", 600, "dark"),
    ("one-theme", 600, "forced"),
    ("right-to-left", 600, "light"),
)
SHOTS: Final = tuple(
    Shot(look=look, specimen=specimen, width=width, scheme=scheme)
    for look in LOOKS
    for specimen, width, scheme in _KINDS
)
_FRAME: Final = (
    '<!doctype html><meta charset="utf-8"><title>frame</title><body style="margin:0">'
    '<iframe src="{page}" style="border:0;display:block;width:{width}px;height:{height}px">'
    "</iframe>"
)
# Of the family's hundred files only those that the specimens need, as `.ci/run` installs them.
_FONTS: Final = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>{folder}</dir>
<cachedir>{cache}</cachedir>
<selectfont>
<rejectfont><glob>*</glob></rejectfont>
<acceptfont>
<glob>*/NotoSans-*</glob><glob>*/NotoSerif-*</glob><glob>*/NotoSansArabic-*</glob>
<glob>*/NotoSansHebrew-*</glob><glob>*/NotoSansMath-*</glob><glob>*/NotoSansSymbols*</glob>
</acceptfont>
</selectfont>
<alias><family>sans-serif</family><prefer><family>Noto Sans</family></prefer></alias>
<alias><family>serif</family><prefer><family>Noto Serif</family></prefer></alias>
<alias><family>monospace</family><prefer><family>Noto Sans</family></prefer></alias>
</fontconfig>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Studio:
    """Takes pictures of mails in a folder of its own."""

    chromium: str
    folder: Path

    def picture(self, html: str, *, width: int, scheme: str) -> Image.Image:
        """Take a picture of a whole mail in a frame of `width` pixels: light, dark or forced."""
        page = self.folder / "mail.html"
        page.write_text(html, "utf-8")
        height = measure(self.chromium, page, width=width)["height"]
        frame = self.folder / "frame.html"
        frame.write_text(_FRAME.format(page=page.name, width=width, height=height), "utf-8")
        taken = self.folder / "taken.png"
        with serving(self.folder) as (address, _):
            screenshot(
                self.chromium,
                f"{address}/{frame.name}",
                to=taken,
                width=_WIDE,
                height=height,
                dark=scheme == "dark",
                flags=(_FORCED,) if scheme == "forced" else (),
            )
        with Image.open(taken) as whole:
            return _without_ground(whole.convert("RGB").crop((0, 0, width, height)))

    def shot(self, shot: Shot) -> Image.Image:
        """Take a picture of a specimen, its own pictures beside it."""
        made = specimen_edition(shot.specimen, shot.look)
        for name, data in made.files.items():
            if name.startswith("pictures/"):
                file = self.folder / name
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(data)
        html = self.local(made.files["issue.html"].decode())
        return self.picture(html, width=shot.width, scheme=shot.scheme)

    @staticmethod
    def local(html: str) -> str:
        """Let a mail load its pictures from the studio's folder."""
        return html.replace(f'src="{PAPER.site_url}', 'src="')


def _without_ground(picture: Image.Image) -> Image.Image:
    """Cut off what lies below the mail: the frame is never less than 2000 pixels high."""
    ground = Image.new("RGB", picture.size, picture.getpixel((0, picture.height - 1)))
    box = ImageChops.difference(picture, ground).getbbox()
    return picture.crop((0, 0, picture.width, box[3] if box else 1))


@contextmanager
def studio(chromium: str) -> Iterator[Studio]:
    """Open a studio in which the browser finds a few fonts of the Noto family and no others."""
    found = subprocess.run(
        ["fc-match", "-f", "%{file}", "Noto Sans"],  # noqa: S607 - wherever fontconfig is
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    before = os.environ.get("FONTCONFIG_FILE")
    with tempfile.TemporaryDirectory() as folder:
        fonts = Path(folder) / "fonts.conf"
        cache = Path(folder) / "cache"
        fonts.write_text(_FONTS.format(folder=Path(found).parent, cache=cache), "utf-8")
        os.environ["FONTCONFIG_FILE"] = str(fonts)
        try:
            yield Studio(chromium=chromium, folder=Path(folder))
        finally:
            if before is None:
                del os.environ["FONTCONFIG_FILE"]
            else:
                os.environ["FONTCONFIG_FILE"] = before


def small(picture: Image.Image) -> Image.Image:
    """Halve a picture, as it is kept and compared."""
    width, height = picture.size
    return picture.resize((width // _SCALE, height // _SCALE), Image.Resampling.BOX)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Tell how far two small pictures differ, 0 to 255: the mean of the ten cells that do most.

    A cell is eight pixels wide and high, so that the edge of a letter counts little and a missing
    word much. What only the taller one has differs in full.
    """
    width, height = (-(-max(sizes) // _CELL) for sizes in zip(one.size, other.size, strict=True))
    cells = [_cells(picture, width, height) for picture in (one, other)]
    bands = ImageChops.difference(*cells).split()
    values = sorted((value for band in bands for value in band.tobytes()), reverse=True)
    return sum(values[:_WORST]) / _WORST


def _cells(picture: Image.Image, width: int, height: int) -> Image.Image:
    sheet = Image.new("RGB", (width * _CELL, height * _CELL))
    sheet.paste(picture.convert("RGB"))
    return sheet.resize((width, height), Image.Resampling.BOX)


def main() -> None:
    """Take the kept pictures anew."""
    if sys.argv[1:] != ["--write"]:
        sys.exit("say --write to take the pictures anew")
    chromium = shutil.which("chromium") or sys.exit("Chromium is not installed")
    with studio(chromium) as opened:
        for shot in SHOTS:
            small(opened.shot(shot)).quantize(_COLOURS).save(GOLDEN / shot.name, optimize=True)


if __name__ == "__main__":
    main()
