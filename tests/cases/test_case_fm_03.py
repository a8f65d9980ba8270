"""FM-03: tags and dates of a header do not change their type, nor does a day move."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cases.forms import read_day, read_forms, tree
from cases.inputs import both, in_content, typed
from cases.processes import run_lines

from digest.config import load_settings
from digest.publish.project import Project

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-02-01T10:00:00+01:00")
_ZONES = ("America/Los_Angeles", "Pacific/Auckland")
_KEY = "2027-w05"
# In each set the files lie in this order: a bare day, an offset without a colon, one with it.
_NEWEST_FIRST = (1, 2, 0)

_OURS = {
    "1-bare-day.md": "---\ntitle: A day without an hour\ntheme: clocks\n"
    "tags: [no, On, 2024, 1.10]\nurl: https://clocks.example/1\ndate: 2027-01-20\n---\n\n"
    "This day has no hour.\n",
    "2-without-colon.md": "---\ntitle: Night on the coast\ntheme: clocks\ntags:\n  - 0x1f\n"
    "  - no\nurl: https://clocks.example/2\ndate: 2027-01-20 22:45:00 -0900\n---\n\n"
    "In UTC it is the next morning.\n",
    "3-with-colon.md": "---\ntitle: Morning in the hills\ntheme: clocks\n"
    "url: https://clocks.example/3\ndate: 2027-01-21T09:15:00+02:00\n---\n\n"
    "In UTC it is half an hour earlier than the night before.\n",
}


def _library(root: Path) -> dict[str, tuple[str, ...]]:
    settings = load_settings(root, file=None, environ={}, overrides=())
    library = Project(settings=settings).library()
    assert not library.problems
    return {summary.path: summary.tags for summary in library.summaries}


@both("FM-03", _OURS)
def test_fm_03_tags_are_as_typed(newsletter: Make, files: dict[str, bytes]) -> None:
    """No tag becomes a truth value or a number, in brackets or as the last line of a list."""
    tags = _library(newsletter(in_content(files)))
    bare, without_colon, with_colon = sorted(files)

    assert tags[bare] == ("no", "On", "2024", "1.10")
    assert tags[without_colon][-1] == "no"
    assert tags[with_colon] == ()


@pytest.mark.parametrize("tag", ["no", "On", "2024", "1.10"])
@both("FM-03", _OURS)
def test_fm_03_themes_match_tags_as_typed(
    digest: Digest, newsletter: Make, files: dict[str, bytes], tag: str
) -> None:
    """A theme that asks for `1.10` gets the item tagged so; ones that ask for `1.1` do not."""
    rules = ["1.1", "false", "true", "2_024", tag]
    themes = "".join(
        f'[[theme]]\nid = "theme-{place}"\nmatch = ["tag:{rule}"]\n'
        for place, rule in enumerate(rules)
    )
    untold = {
        name: data.replace(f"theme: {typed(data, 'theme')}\n".encode(), b"")
        for name, data in files.items()
    }
    root = newsletter(in_content(untold), settings=themes)
    code, out, _ = digest("-C", root, "plan", "--weeks", "1", "--json", *_NOW)
    [issue] = json.loads(out)["issues"]
    [reason] = [item["reason"] for item in issue["items"] if item["path"] == min(files)]

    assert code == 0
    assert f"theme-4 by tag:{tag};" in reason


@both("FM-03", _OURS)
def test_fm_03_day_and_order_are_the_same_in_each_zone(
    newsletter: Make, files: dict[str, bytes]
) -> None:
    """Far west and far east, the bare day stays its day, newest is first, and no sort crashes."""
    order = [typed(files[sorted(files)[place]], "title") for place in _NEWEST_FIRST]
    bare = files[min(files)]
    day, title = read_day(typed(bare, "date")), typed(bare, "title")
    outputs = []
    for zone in _ZONES:
        root = newsletter(in_content(files), name=zone.rpartition("/")[2])
        lines = [["-C", str(root), command, *_NOW] for command in ("build", "publish")]
        done = run_lines(lines, environ={**os.environ, "TZ": zone})
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        for name, form in read_forms(root, _KEY).items():
            places = [form.line.rindex(shown) for shown in order]
            assert places == sorted(places), name
            if name != "home":
                assert day in form.line[form.line.rindex(title) :][: len(title) + 20], name
        outputs.append(tree(root / "outbox"))

    assert outputs[0] == outputs[1]
