"""Specimen issues: what a look is tried out on, since no real issue has everything in it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath as Path
from types import MappingProxyType
from typing import Final
from zlib import adler32, crc32

from digest.content import ContentOptions, parse_summary
from digest.model import (
    COLOURS,
    Issue,
    IssueKey,
    Newsletter,
    Pick,
    Picture,
    Summary,
    Theme,
    ThemeId,
)
from digest.publish.editions import Material
from digest.publish.specimen_texts import ARABIC, CHINESE, ENGLISH, INTRODUCTIONS, LONG
from digest.render import TemplateSet

__all__ = ["SPECIMEN_FOLDER", "Specimen", "specimens"]

SPECIMEN_FOLDER: Final = "specimen"  # where the summaries would lie in the content folder
_KEY: Final = IssueKey("2026-w49")
_REPEATED: Final = "2026-w19"
_COMMIT: Final = "5bec1a3e" * 5
_SOURCE: Final = "https://code.example/letter/blob/{commit}/{path}"
_ADDRESS: Final = "The Harbour Letter, 1 Quay Street, 00000 Sampleport"
_SHORT: Final = 30_000  # octets: the long items do not fit whole, but shortened
_TOO_SHORT: Final = 1_000  # octets: nothing fits
_TAGS: Final = ("water", "tools", "maps", "people", "words", "light", "trade", "birds")
_LABELS: Final = {"light": "Light and lamps", "trade": "Trade & customs <old>"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """An issue that goes to nobody: its name, what it shows, and all it is made from.

    `sources` are its summaries' files, path in the content folder to octets, in the issue's order;
    `summaries` the same ones read, by id; `pictures` and `commits` are by path in the content
    folder. The mail of one that is `long` may be cut off at its foot.
    """

    name: str
    shows: str
    issue: Issue
    number: int
    newsletter: Newsletter
    themes: tuple[Theme, ...]
    sources: Mapping[str, bytes]
    summaries: Mapping[str, Summary]
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)
    long: bool = False

    def material(self, templates: TemplateSet) -> Material:
        """Give what its edition in a look is made from."""
        return Material(
            issue=self.issue,
            number=self.number,
            newsletter=self.newsletter,
            themes=self.themes,
            sources=self.sources,
            options=ContentOptions(),
            templates=templates,
            pictures=self.pictures,
            commits=self.commits,
        )


def specimens(newsletter: Newsletter) -> tuple[Specimen, ...]:
    """Give all specimen issues of a newsletter; equal newsletters give equal ones.

    Names, addresses and language are the newsletter's own, save where a specimen is about them.
    """
    usual = replace(
        newsletter, postal_address=newsletter.postal_address or _ADDRESS, source_url=_SOURCE
    )
    return tuple(make(usual) for make in _ALL)


def _one_theme(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "one-theme",
        "one theme, pictures shown, a table, code, formulas, footnotes",
        replace(newsletter, images="link"),
        texts=_chosen(ENGLISH, "tides rain sort pendulum winds maps"),
        theme="water",
        committed=True,
    )


def _mixed(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "mixed",
        "eight themes, pictures sent along, HTML by hand, a repeat, a title of its own",
        replace(newsletter, images="cid"),
        texts=_chosen(ENGLISH, "tides sort maps keeper by-hand rain pendulum winds"),
        themes=_TAGS,
        repeated="keeper",
        title="Eight things about one harbour",
    )


def _led_to(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "led-to",
        "pictures only led to",
        replace(newsletter, images="none"),
        texts=_chosen(ENGLISH, "tides maps"),
        theme="maps",
    )


def _words(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "long-words",
        "words, addresses and cells that do not end",
        newsletter,
        texts=_chosen(ENGLISH, "words rain"),
        theme="words",
    )


def _right_to_left(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "right-to-left",
        "Arabic and Hebrew from right to left, one item in English",
        replace(newsletter, language="ar", name="رسالة المرفأ"),
        texts=ARABIC,
        themes=("water", "tools", "water", "water"),
        introduction="ar",
        title="عدد من اليمين إلى اليسار",
    )


def _chinese(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "chinese",
        "Chinese and Japanese, emoji",
        replace(newsletter, language="zh", name="港口来信"),
        texts=CHINESE,
        theme="water",
        introduction="zh",
        title="一条河和一盏灯",
    )


def _shortened(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "shortened",
        "items shortened to fit the budget",
        replace(newsletter, budget=_SHORT),
        texts={**_chosen(ENGLISH, "rain keeper"), **LONG},
        theme="maps",
    )


def _cut_off(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "cut-off",
        "a mail that a program may cut off, with the way to leave at its head",
        replace(newsletter, budget=_TOO_SHORT),
        texts=LONG,
        themes=("maps", "tools", "maps", "tools", "maps", "maps"),
        long=True,
    )


def _bare(newsletter: Newsletter) -> Specimen:
    return _specimen(
        "bare",
        "a single item, no introduction, no postal address, no description",
        replace(newsletter, postal_address="", description="", source_url=""),
        texts=_chosen(ENGLISH, "by-hand"),
        theme="people",
        introduction="",
    )


_ALL: Final[tuple[Callable[[Newsletter], Specimen], ...]] = (
    _one_theme,
    _mixed,
    _led_to,
    _words,
    _right_to_left,
    _chinese,
    _shortened,
    _cut_off,
    _bare,
)


def _chosen(texts: Mapping[str, str], names: str) -> dict[str, str]:
    return {name: texts[name] for name in names.split()}


def _specimen(  # noqa: PLR0913 - what specimens differ by, nearly all by name
    name: str,
    shows: str,
    newsletter: Newsletter,
    *,
    texts: Mapping[str, str],
    theme: str = "",
    themes: tuple[str, ...] = (),
    introduction: str = "en",
    title: str = "",
    repeated: str = "",
    committed: bool = False,
    long: bool = False,
) -> Specimen:
    """Put a specimen together: all of one theme, or each text under its own of `themes`."""
    sources = {f"{SPECIMEN_FOLDER}/{text}.md": texts[text].encode() for text in texts}
    summaries = [_read(path, data, newsletter) for path, data in sources.items()]
    picks = _picks(summaries, themes or (theme,) * len(summaries), repeated=repeated)
    issue = Issue(
        slot=newsletter.send.slot(_KEY, newsletter.zone),
        theme=ThemeId(theme),
        items=picks,
        title=title,
        introduction=INTRODUCTIONS.get(introduction, ""),
    )
    return Specimen(
        name=name,
        shows=shows,
        issue=issue,
        number=49,
        newsletter=newsletter,
        themes=_themes(),
        sources=sources,
        summaries={summary.id: summary for summary in summaries},
        pictures={
            path: picture
            for path, picture in _pictures().items()
            if any(Path(path).name in text for text in texts.values())
        },
        commits=dict.fromkeys(sources, _COMMIT) if committed else {},
        long=long,
    )


def _picks(summaries: list[Summary], themes: tuple[str, ...], *, repeated: str) -> tuple[Pick, ...]:
    return tuple(
        Pick(
            id=summary.id,
            theme=ThemeId(theme),
            reason="specimen",
            repeat=_REPEATED if summary.id == f"{SPECIMEN_FOLDER}/{repeated}" else "",
        )
        for summary, theme in zip(summaries, themes, strict=True)
    )


def _read(path: str, data: bytes, newsletter: Newsletter) -> Summary:
    return parse_summary(
        data, path=path, where=path, zone=newsletter.zone, options=ContentOptions()
    )[0]


def _themes() -> tuple[Theme, ...]:
    """Give a theme for each of the eight colours."""
    return tuple(
        Theme(id=ThemeId(tag), label=_LABELS.get(tag, tag.capitalize()), colour=colour)
        for tag, colour in zip(_TAGS, COLOURS, strict=True)
    )


def _pictures() -> Mapping[str, Picture]:
    """Give the pictures that the texts show, by path in the content folder."""
    drawn = {"tides": (640, 240), "harbour": (480, 320), "seal": (48, 48)}
    made: dict[str, Picture] = {}
    for name, (width, height) in drawn.items():
        path = f"{SPECIMEN_FOLDER}/figures/{name}.png"
        made[path] = Picture(
            path=path,
            media_type="image/png",
            width=width,
            height=height,
            data=_png(width, height),
        )
    return MappingProxyType(made)


_INK: Final = bytes((0x1F, 0x4E, 0x79))
_PAPER: Final = bytes((0xDC, 0xE6, 0xF0))
_STRIPE: Final = 16  # pixels


def _png(width: int, height: int) -> bytes:
    """Draw slanting stripes in two colours as a PNG (ISO/IEC 15948), one bit a pixel.

    The octets are stored, not packed: what packs them differs between systems.
    """
    header = struct.pack(">IIBBBBB", width, height, 1, 3, 0, 0, 0)
    rows = b"".join(b"\0" + _row(width, row) for row in range(height))
    parts = ((b"IHDR", header), (b"PLTE", _PAPER + _INK), (b"IDAT", _stored(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _row(width: int, row: int) -> bytes:
    """Give the octets of a row; the width is a multiple of eight pixels."""
    stripes = ("0" * _STRIPE + "1" * _STRIPE) * (2 + width // _STRIPE)
    start = row % (2 * _STRIPE)
    return int(stripes[start : start + width], 2).to_bytes(width // 8, "big")


def _stored(data: bytes) -> bytes:
    """Write a zlib stream of one stored block (RFC 1950 §2.2, RFC 1951 §3.2.4): under 64 KiB."""
    length = struct.pack("<HH", len(data), len(data) ^ 0xFFFF)
    return b"\x78\x01\x01" + length + data + struct.pack(">I", adler32(data))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))
