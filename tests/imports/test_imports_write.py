"""Listings, planned as files."""

from __future__ import annotations

from datetime import date

from digest.imports import Imported, Skipped, import_listing

LISTING = (
    b"Salt 2031\n\n# Salt Roads\nMules carried salt over the pass. ...\n\nRye fed all the mules."
)
ROADS, RYE = "listing-1fd11bbc8bc7", "listing-65085291310d"


def test_files_hold_header_and_body() -> None:
    """Each summary is a file with its header; a derived title is marked."""
    report = import_listing(
        LISTING,
        name="salt.txt",
        known={},
        taken=frozenset(),
        date=date(2031, 5, 4),
        folder="content/salt",
    )
    assert report.files == {
        "content/salt/salt-roads.md": (
            f"---\nid: {ROADS}\ntitle: Salt Roads\ndate: 2031-05-04\nsource: Salt 2031\n---\n\n"
            "Mules carried salt over the pass. …\n"
        ).encode(),
        "content/salt/rye-fed-all-the-mules.md": (
            f"---\nid: {RYE}\ntitle: Rye fed all the mules\ntitle_derived: true\n"
            "date: 2031-05-04\nsource: Salt 2031\n---\n\nRye fed all the mules.\n"
        ).encode(),
    }
    assert report.imported == (
        Imported(
            id=ROADS, title="Salt Roads", title_derived=False, path="content/salt/salt-roads.md"
        ),
        Imported(
            id=RYE,
            title="Rye fed all the mules",
            title_derived=True,
            path="content/salt/rye-fed-all-the-mules.md",
        ),
    )
    assert not report.skipped
    assert not report.failed
    assert not report.notices


def test_names_are_unlike_those_that_exist() -> None:
    """A name that is taken, in whatever case, gets a number; so does a second of one run."""
    data = (
        LISTING
        + b"\n\n# SALT ROADS\nOxen drew salt along the coast.\n\n# Salt roads\nSo did men and boys."
    )
    report = import_listing(
        data,
        name="salt.txt",
        known={},
        taken=frozenset({"salt-roads.md", "salt-roads-3.md"}),
        date=None,
        folder="",
    )
    assert list(report.files) == [
        "salt-roads-2.md",
        "rye-fed-all-the-mules.md",
        "salt-roads-4.md",
        "salt-roads-5.md",
    ]
    assert all(b"\ndate:" not in data for data in report.files.values())


def test_a_second_run_imports_nothing() -> None:
    """What the library holds is skipped, with the file that holds it, in the order of lines."""
    double = LISTING.replace(
        b"\n\nRye", b"\n\nSalt roads: mules carried salt over the pass!\n\nRye"
    )
    report = import_listing(
        double,
        name="salt.txt",
        known={ROADS: "content/a.md", RYE: "content/b.md"},
        taken=frozenset(),
        date=None,
        folder="content",
    )
    assert report.imported == ()
    assert report.files == {}
    assert report.skipped == (
        Skipped(place="salt.txt:3", reason="in the library already, as content/a.md"),
        Skipped(place="salt.txt:6", reason="the same paragraph as in line 3"),
        Skipped(place="salt.txt:8", reason="in the library already, as content/b.md"),
    )


def test_a_fault_stops_no_neighbour() -> None:
    """A paragraph that fails is named, the others are imported, and notices are handed on."""
    report = import_listing(
        LISTING + b"\n\nToo short.\n\nRye has no end at all",
        name="salt.txt",
        known={},
        taken=frozenset(),
        date=None,
        folder="content",
    )
    assert len(report.imported) == 3
    assert [one.place for one in report.failed] == ["salt.txt:8"]
    assert [note.place for note in report.notices] == ["salt.txt:10"]
