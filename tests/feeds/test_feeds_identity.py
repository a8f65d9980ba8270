"""What an entry is called, when it came out, and where it stands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from digest.errors import ConfigError
from digest.feeds import build_feeds
from digest.model import IssueKey, Newsletter, Published

MakePublished = Callable[..., Published]
TAG_URI = re.compile(r"tag:[a-z0-9.@-]+,\d{4}(-\d\d(-\d\d)?)?:[A-Za-z0-9/-]+")


def _document(newsletter: Newsletter, *published: Published) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(build_feeds(newsletter, published)["feed.json"])
    return document


def _items(newsletter: Newsletter, *published: Published) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = _document(newsletter, *published)["items"]
    return items


def test_ids_are_tag_uris_and_unique(newsletter: Newsletter, three: tuple[Published, ...]) -> None:
    """Each id is a `tag:` URI of the newsletter's tag and the issue's key (RFC 4151)."""
    ids = [item["id"] for item in _items(newsletter, *three)]
    assert ids[0] == "tag:harbour.example,2025-03-09:issue/2026-w03"
    assert all(TAG_URI.fullmatch(each) for each in ids)
    assert len(set(ids)) == 3
    atom = build_feeds(newsletter, three)["atom.xml"].decode()
    assert "<id>tag:harbour.example,2025-03-09:issues</id>" in atom


def test_names_and_addresses_are_no_part_of_an_id(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """A new title, name, slug or address of the site leaves the id and the dates."""
    (before,) = _items(newsletter, make_published())
    moved = replace(newsletter, name="Quay", slug="quay", site_url="https://new.example/letter/")
    (after,) = _items(moved, make_published(title="Renamed"))
    assert after["title"] == "Renamed"
    assert after["url"] == "https://new.example/letter/2026-w01.html"
    for kept in ("id", "date_published", "date_modified"):
        assert after[kept] == before[kept]


def test_updated_moves_alone(newsletter: Newsletter, make_published: MakePublished) -> None:
    """A later change moves the date of change, never the date of publication nor the order."""
    late = make_published(1, updated=datetime(2026, 2, 1, tzinfo=UTC))
    second, first = _items(newsletter, late, make_published(2))
    assert first["id"].endswith("w01")
    assert first["date_published"] == "2026-01-05T08:00:00+00:00"
    assert first["date_modified"] == "2026-02-01T00:00:00+00:00"
    assert second["date_modified"] == second["date_published"]
    rss = build_feeds(newsletter, (late, make_published(2)))["rss.xml"].decode()
    assert "<lastBuildDate>Sun, 01 Feb 2026 00:00:00 +0000</lastBuildDate>" in rss
    assert "<pubDate>Mon, 05 Jan 2026 08:00:00 +0000</pubDate>" in rss


def test_an_entry_never_changed_before_it_came_out(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """A date of change before the publication is shown as the publication."""
    (item,) = _items(newsletter, make_published(updated=datetime(2025, 1, 1, tzinfo=UTC)))
    assert item["date_modified"] == item["date_published"]


def test_moments_become_utc_and_lose_their_fraction(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """The last moment of a year at +05:45 stays in its year and is cut to the second."""
    zone = timezone(timedelta(hours=5, minutes=45))
    at = datetime(2026, 12, 31, 23, 59, 59, 900_000, tzinfo=zone)
    (item,) = _items(newsletter, make_published(at=at))
    assert item["date_published"] == "2026-12-31T18:14:59+00:00"


def test_newest_first_whatever_the_order_given(
    newsletter: Newsletter, three: tuple[Published, ...]
) -> None:
    """The feeds do not depend on the order in which the issues come."""
    feeds = build_feeds(newsletter, three)
    assert build_feeds(newsletter, three[::-1]) == feeds
    dates = [item["date_published"] for item in json.loads(feeds["feed.json"])["items"]]
    assert dates == sorted(dates, reverse=True)


def test_issues_of_one_second_stand_by_key(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """Two issues of the same second stand by key, the later week first."""
    at = datetime(2026, 3, 2, 9, 0, 0, 500_000, tzinfo=UTC)
    first, second = make_published(8, at=at), make_published(9, at=at.replace(microsecond=0))
    extra = make_published(9, at=at, key=IssueKey("2026-w09-extra"))
    keys = [item["id"].rpartition("/")[2] for item in _items(newsletter, second, extra, first)]
    assert keys == ["2026-w09-extra", "2026-w09", "2026-w08"]


def test_feed_keeps_the_newest_entries(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """A feed holds no more entries than the settings say, and they are the newest."""
    issues = tuple(map(make_published, range(1, 53)))
    items = _items(newsletter, *issues)
    assert [item["title"] for item in items] == [
        f"The tide of week {week}" for week in range(52, 22, -1)
    ]
    assert len(_items(replace(newsletter, feed_entries=4), *issues)) == 4


def test_week_53_and_week_1_have_ids_of_their_own(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """The issues on both sides of New Year are two entries, newest first."""
    old = make_published(53, at=datetime(2027, 1, 3, 8, tzinfo=UTC))
    new = make_published(1, key=IssueKey("2027-w01"), at=datetime(2027, 1, 4, 8, tzinfo=UTC))
    ids = [item["id"].rpartition("/")[2] for item in _items(newsletter, old, new)]
    assert ids == ["2027-w01", "2026-w53"]


@pytest.mark.parametrize(
    ("tag", "date"),
    [
        ("harbour.example,2025-03-09", "2025-03-09"),
        ("harbour.example,2025-03", "2025-03-01"),
        ("mira.quay@harbour.example,2025", "2025-01-01"),
    ],
)
def test_feed_without_entries_dates_from_the_tag(
    newsletter: Newsletter, tag: str, date: str
) -> None:
    """An empty feed is valid and dated by its tag, since no clock may be read."""
    files = build_feeds(replace(newsletter, tag=tag), ())
    assert f"<updated>{date}T00:00:00+00:00</updated>" in files["atom.xml"].decode()
    assert b"<lastBuildDate>" in files["rss.xml"]
    assert json.loads(files["feed.json"])["items"] == []


@pytest.mark.parametrize(
    "tag",
    [
        "",
        "harbour.example",
        "harbour.example,25",
        "harbour.example,2025-3-9",
        "harbour.example,2025-02-30",
        "harbour.example,0000",
        "a b.example,2025",
        "-x.example,2025",
        "x.example,2025\n",
    ],
)
def test_tag_that_begins_no_uri_is_refused(newsletter: Newsletter, tag: str) -> None:
    """A tag that RFC 4151 does not allow is named with its setting and a cure."""
    with pytest.raises(ConfigError) as caught:
        build_feeds(replace(newsletter, tag=tag), ())
    (problem,) = caught.value.problems
    assert problem.where == "newsletter.tag"
    assert repr(tag) in problem.what
    assert "news.example,2026-11-30" in problem.fix


_SHOW = """
import hashlib, runpy, sys
feeds = runpy.run_path(sys.argv[1])["sample_feeds"]()
print(*(hashlib.sha256(feeds[name]).hexdigest() for name in sorted(feeds)))
"""


def _elsewhere(**environment: str) -> str:
    place = Path(__file__).with_name("conftest.py")
    root = Path(__file__).parents[2]
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", _SHOW, str(place)],
        env={**os.environ, "PYTHONPATH": str(root), **environment},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def test_bytes_are_the_same_in_other_surroundings() -> None:
    """Another process, time zone, locale and hash seed give the same bytes."""
    one = _elsewhere(TZ="Pacific/Apia", LC_ALL="C", PYTHONHASHSEED="1")
    two = _elsewhere(TZ="America/St_Johns", LC_ALL="C.UTF-8", PYTHONHASHSEED="2")
    assert one == two
    assert len(one.split()) == 3


def test_importing_the_room_loads_no_feed_library() -> None:
    """The feed library and lxml load only once feeds are built."""
    script = "import sys, digest.feeds; print(sorted({'feedgen', 'lxml'} & set(sys.modules)))"
    done = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "[]\n"
