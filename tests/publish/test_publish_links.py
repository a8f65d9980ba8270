"""The links of an edition looked at, and what answered well remembered for a week."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import rmtree

import pytest
from links.site import Site, page

from digest.config import load_settings
from digest.links import LinkWatch
from digest.model import IssueKey
from digest.publish.editions import Kept, read_kept
from digest.publish.links import ask_links, links_of
from digest.publish.project import Project

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_KEY = IssueKey("2026-w49")
_NOW = datetime(2026, 11, 30, 7, tzinfo=UTC)
_WATCH = LinkWatch(
    clock=lambda: 0.0,
    pause=lambda _: None,
    resolve=lambda _host, _port: ("127.0.0.1",),
    judge=lambda _: True,
)
_ITEM = """\
---
title: Mills
url: {0}/mills
---

They [grind]({0}/grind?a=1&b=2), [again]({0}/mills), [here](other.md),
[by mail](mailto:a@sea.example) and <a href="HTTPS://sea.example/x">there</a>.
"""


def _project(root: Path) -> Project:
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


@pytest.fixture
def site() -> Iterator[Site]:
    """Give a site with one page that is there."""
    with Site({"/mills": page("200 OK")}) as made:
        yield made


@pytest.fixture
def project(digest: Digest, newsletter: Make, site: Site) -> Project:
    """Give a newsletter whose draft leads to the site."""
    root = newsletter({"content/mills.md": _ITEM.format(site.url().rstrip("/"))})
    code, _, err = digest("-C", root, "build", "--now", _NOW.isoformat())
    assert code == 0, err
    return _project(root)


def _kept(project: Project) -> Kept:
    return read_kept(project.folder(_KEY), root=project.root)


def test_links_come_once_in_their_order_without_own_pages(project: Project, site: Site) -> None:
    """Pages of the newsletter's own site, mail addresses and twins are left out."""
    kept = read_kept(project.folder(_KEY), root=project.root)
    found = links_of(kept, site_url=project.settings.newsletter.site_url)
    assert found == (site.url("/mills"), site.url("/grind?a=1&b=2"), "https://sea.example/x")


def test_what_answered_well_is_asked_again_after_a_week(project: Project, site: Site) -> None:
    """Until then only what was wrong is; the time of the first answer counts."""
    for days in (0, 6, 7.5):
        states = ask_links(project, _kept(project), now=_NOW + timedelta(days=days), watch=_WATCH)
        assert states[site.url("/mills")].result == "ok"
        assert states[site.url("/grind?a=1&b=2")].result == "broken"
    assert site.asked.count("HEAD /mills") == 2
    assert site.asked.count("HEAD /grind?a=1&b=2") == 3
    file = project.private / "links.json"
    told = json.loads(file.read_bytes())["links"]
    assert list(told) == [site.url("/mills")]
    assert told[site.url("/mills")]["at"] == "2026-12-07T19:00:00+00:00"
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_was_looked_at_is_remembered_where_the_look_is_broken_off(
    project: Project, site: Site
) -> None:
    """Who stops it waits the shorter the next time."""

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt(total)

    watch = LinkWatch(
        clock=_WATCH.clock,
        pause=_WATCH.pause,
        resolve=_WATCH.resolve,
        judge=_WATCH.judge,
        progress=stop,
    )
    with pytest.raises(KeyboardInterrupt):
        ask_links(project, _kept(project), now=_NOW, watch=watch)
    assert list(json.loads((project.private / "links.json").read_bytes())["links"]) == [
        site.url("/mills")
    ]


def test_a_memory_that_cannot_be_read_or_written_stops_nothing(
    project: Project, site: Site
) -> None:
    """A folder in its place: all is asked each time."""
    (project.private / "links.json").mkdir(parents=True)
    for _ in range(2):
        assert (
            ask_links(project, _kept(project), now=_NOW, watch=_WATCH)[site.url("/mills")].result
            == "ok"
        )
    assert site.asked.count("HEAD /mills") == 2


def test_the_folder_made_for_the_memory_is_nobody_elses(project: Project) -> None:
    """Where `private/` is not there yet, as in a fresh clone, only its owner may look into it."""
    if project.private.exists():
        rmtree(project.private)

    ask_links(project, _kept(project), now=_NOW, watch=_WATCH)

    assert project.private.stat().st_mode & 0o777 == 0o700
