"""What an edition keeps of the settings, and how it is read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import Settings, newsletter_from, settings_slice
from digest.model import COLOURS, Mailbox, Newsletter, Theme, ThemeId, WeeklyTime

LINES = st.text(max_size=12)
NEWSLETTERS = st.builds(
    Newsletter,
    name=LINES,
    slug=LINES,
    language=LINES,
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu"]).map(ZoneInfo),
    tag=LINES,
    site_url=LINES,
    sender=st.builds(Mailbox, address=LINES, name=LINES),
    leave=LINES,
    list_id=LINES,
    send=st.builds(
        WeeklyTime,
        weekday=st.integers(0, 6),
        hour=st.integers(0, 23),
        minute=st.integers(0, 59),
    ),
    description=LINES,
    reply_to=LINES,
    postal_address=LINES,
    subject=LINES,
    preheader=LINES,
    first_number=st.integers(1),
    feed_entries=st.integers(1, 1000),
)
THEMES = st.lists(
    st.builds(
        Theme,
        id=LINES.map(ThemeId),
        label=LINES,
        colour=st.sampled_from(COLOURS),
        match=st.lists(LINES, max_size=3).map(tuple),
    ),
    max_size=3,
).map(tuple)


@settings(deadline=None, max_examples=60)
@given(NEWSLETTERS, THEMES)
def test_what_is_kept_reads_back_equal(newsletter: Newsletter, themes: tuple[Theme, ...]) -> None:
    """A newsletter and its themes come back from JSON as they were."""
    kept = json.loads(json.dumps(settings_slice(newsletter, themes)))
    assert newsletter_from(kept) == (newsletter, themes)


def test_settings_of_a_file_read_back_equal(load: Callable[..., Settings], least: str) -> None:
    """What a settings file gives is kept whole, and always as the same text."""
    loaded = load(f'{least}[[theme]]\nid = "moons"\nmatch = ["tag:moon"]\n')
    kept = settings_slice(loaded.newsletter, loaded.themes)
    assert newsletter_from(kept) == (loaded.newsletter, loaded.themes)
    again = settings_slice(*newsletter_from(kept))
    assert json.dumps(again) == json.dumps(kept)


def test_weight_of_a_theme_is_not_kept(load: Callable[..., Settings], least: str) -> None:
    """When a theme's turn comes changes no byte of an edition, and no hash of a published one."""
    light, heavy = (load(f'{least}[[theme]]\nid = "moons"\nweight = {n}\n') for n in (1, 3))
    assert heavy.themes[0].weight == 3
    kept = settings_slice(heavy.newsletter, heavy.themes)
    assert kept == settings_slice(light.newsletter, light.themes)
    assert kept["themes"] == [{"id": "moons", "label": "Moons", "colour": "slate", "match": []}]
    assert newsletter_from(kept)[1] == light.themes


def spoil(kept: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    """Put another value in place of one of the newsletter's."""
    return {**kept, "newsletter": {**kept["newsletter"], key: value}}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("zone", "Mars/Olympus"),
        ("zone", 3),
        ("zone", None),
        ("zone", "../../etc/passwd"),
        ("sender", "a@b.example"),
        ("sender", {"address": "a@b.example", "colour": "red"}),
        ("send", [0, 9, 0]),
        ("mood", "good"),
    ],
)
def test_what_was_spoiled_is_not_taken(
    load: Callable[..., Settings], key: str, value: object
) -> None:
    """A kept value that cannot be read raises one of three errors that callers expect."""
    loaded = load()
    kept = spoil(settings_slice(loaded.newsletter, loaded.themes), key, value)
    with pytest.raises((KeyError, TypeError, ValueError)):
        newsletter_from(kept)


@pytest.mark.parametrize("kept", [{}, {"newsletter": {}}, {"newsletter": None}, {"themes": []}])
def test_what_is_not_there_is_not_taken(kept: dict[str, Any]) -> None:
    """A kept value without its parts raises one of three errors that callers expect."""
    with pytest.raises((KeyError, TypeError, ValueError)):
        newsletter_from(kept)
