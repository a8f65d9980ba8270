"""Specimen issues: what a look is tried out on."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from digest.config import load_settings
from digest.files.shipped import read_templates
from digest.model import COLOURS, Newsletter
from digest.publish.editions import render
from digest.publish.specimen import SPECIMEN_FOLDER, specimens

Make = Callable[..., Path]


@pytest.fixture
def harbour(newsletter: Make) -> Newsletter:
    """Give the newsletter that all tests share."""
    return load_settings(newsletter({}), file=None, environ={}, overrides=()).newsletter


def test_specimens_are_the_same_each_time(harbour: Newsletter) -> None:
    """Equal newsletters give equal specimens, each with a name of its own."""
    first, second = specimens(harbour), specimens(harbour)

    assert first == second
    assert len({one.name for one in first}) == len(first)
    assert all(one.shows for one in first)


def test_specimens_have_the_name_of_the_newsletter(harbour: Newsletter) -> None:
    """Name, language and address are its own, save where a specimen is about them."""
    german = replace(harbour, language="de")
    found = {one.name: one.newsletter for one in specimens(german)}

    assert found["one-theme"].language == "de"
    assert found["one-theme"].postal_address == harbour.postal_address
    assert found["right-to-left"].language == "ar"
    assert found["bare"].postal_address == ""
    assert {one.site_url for one in found.values()} == {harbour.site_url}


def test_specimen_has_an_address_where_the_newsletter_has_none(harbour: Newsletter) -> None:
    """A look must show an address, so there is one to show."""
    found = specimens(replace(harbour, postal_address=""))

    assert [one.name for one in found if not one.newsletter.postal_address] == ["bare"]


def test_specimens_hold_each_colour_and_each_way_of_pictures(harbour: Newsletter) -> None:
    """All eight colours are in one issue; pictures are shown, sent along and led to."""
    found = {one.name: one for one in specimens(harbour)}
    themes = {theme.id: theme.colour for theme in found["mixed"].themes}

    assert {themes[pick.theme] for pick in found["mixed"].issue.items} == set(COLOURS)
    assert {one.newsletter.images for one in found.values()} == {"link", "cid", "none"}
    assert [pick.repeat for pick in found["mixed"].issue.items if pick.repeat] == ["2026-w19"]


def test_pictures_can_be_read(harbour: Newsletter) -> None:
    """Each is a whole PNG of the size it says, its octets right by their sums."""
    for picture in specimens(harbour)[0].pictures.values():
        assert picture.data.startswith(b"\x89PNG\r\n\x1a\n")
        assert picture.path.startswith(f"{SPECIMEN_FOLDER}/figures/")
        rest, kinds = picture.data[8:], []
        while rest:
            length = int.from_bytes(rest[:4], "big")
            kind, data, told = rest[4:8], rest[8 : 8 + length], rest[8 + length : 12 + length]
            assert zlib.crc32(kind + data).to_bytes(4, "big") == told
            kinds.append(kind)
            if kind == b"IHDR":
                assert struct.unpack(">II", data[:8]) == (picture.width, picture.height)
            if kind == b"IDAT":
                rows = picture.height * (1 + picture.width // 8)
                assert len(zlib.decompress(data)) == rows
            rest = rest[12 + length :]
        assert kinds == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]


def test_shortened_and_cut_off_are_what_they_say(harbour: Newsletter, tmp_path: Path) -> None:
    """One has long items shortened to fit and short ones whole; the other does not fit at all."""
    found = {one.name: one for one in specimens(harbour)}
    templates = read_templates(tmp_path)
    shortened = render(found["shortened"].material(templates))
    cut = render(found["cut-off"].material(templates))

    assert {item.shortened for item in shortened.items} == {True, False}
    assert len(shortened.files["issue.html"]) <= found["shortened"].newsletter.budget
    assert found["cut-off"].long
    assert len(cut.files["issue.html"]) > found["cut-off"].newsletter.budget


def test_one_theme_shows_its_pictures_and_sources(harbour: Newsletter, tmp_path: Path) -> None:
    """Pictures of the specimen are files of its edition, and each item names its commit."""
    specimen = specimens(harbour)[0]
    edition = render(specimen.material(read_templates(tmp_path)))

    names = {f"pictures/{picture.name}" for picture in specimen.pictures.values()}
    assert names <= edition.files.keys()
    assert all(item.commit for item in edition.items)
