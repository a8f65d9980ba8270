"""Rules on pictures: each fires where it should, and only there."""

from collections.abc import Callable

import pytest

from digest.checks import Finding
from digest.model import Image, Picture, Summary

Findings = Callable[..., list[Finding]]
Make = Callable[..., Summary]

_ISSUE_FILE = "content/issues/2026-w49.md"


def _picture(path: str, size: int = 9) -> Picture:
    return Picture(path=path, media_type="image/png", width=9, height=9, data=b"x" * size)


def _told(found: list[Finding]) -> list[tuple[str, str, str, int]]:
    return [(one.rule, one.level, one.path, one.line) for one in found]


def test_picture_without_alt(findings: Findings, summary: Make) -> None:
    """D109 warns of a picture without words, at the summary that shows it."""
    found = findings(
        summary("weir", path="north/weir.md", body="See ![](map%20one.png) there."),
        summary("lock", image=Image(url="lock.png", alt=" ")),
        entry=(
            '<img src="https://river.example/north/map%20one.png">'
            '<img src="https://river.example/lock.png" alt="">'
            '<img src="https://elsewhere.example/x.png" alt=" " width="9">'
        ),
    )

    assert _told(found) == [
        ("D109", "warning", _ISSUE_FILE, 1),
        ("D109", "warning", "content/lock.md", 1),
        ("D109", "warning", "content/north/weir.md", 1),
    ]


@pytest.mark.parametrize("part", ["html", "page", "entry"])
def test_every_part_is_looked_at(findings: Findings, part: str) -> None:
    """D109 looks at mail, page and feed entry."""
    found = findings(**{part: '<img src="https://a.example/p.png" alt="" width="9">'})

    assert _told(found) == [("D109", "warning", _ISSUE_FILE, 1)]


@pytest.mark.parametrize(
    "more", ['alt="A weir"', 'role="presentation"', 'aria-hidden="true"', 'height="1" alt=""']
)
def test_picture_that_needs_no_more_words(findings: Findings, more: str) -> None:
    """D109 leaves aside pictures with words, and those that only fill room."""
    assert findings(html=f'<img src="a.png" width="600" {more}>') == []


def test_own_picture_that_is_only_led_to(findings: Findings, summary: Make) -> None:
    """D109 warns of a picture of the issue that its page does not show for want of words."""
    chart, cover = _picture("north/chart.png", 8), _picture("cover.png", 9)
    shown = _picture("north/shown.png", 10)
    found = findings(
        summary(
            "weir",
            path="north/weir.md",
            body="Two: ![](chart.png) ![Shown](shown.png)",
            image=Image(url="../cover.png", alt="The cover"),
        ),
        page=(
            f'<a href="https://river.example/pictures/{chart.name}">Picture</a>'
            f'<a href="https://river.example/pictures/{cover.name}">Picture: The cover</a>'
            f'<a href="https://b.example/"><img src="pictures/{shown.name}" alt="Shown"></a>'
        ),
        pictures={one.path: one for one in (chart, cover, shown)},
    )

    assert [(one.rule, one.path, one.message) for one in found] == [
        ("D109", "content/north/weir.md", "the picture north/chart.png has no alternative text")
    ]


def test_heavy_picture(findings: Findings, summary: Make) -> None:
    """D110 warns of a file of more than 200 kB, shown in the mail or only linked."""
    found = findings(
        summary("weir", image=Image(url="weir.png", alt="A weir")),
        pictures={"weir.png": _picture("weir.png", 200_001), "b.png": _picture("b.png", 200_000)},
    )

    assert [(one.rule, one.level, one.path, one.message) for one in found] == [
        (
            "D110",
            "warning",
            "content/weir.md",
            "the picture weir.png has 201 kB, more than 200 kB",
        ),
    ]


@pytest.mark.parametrize(
    ("tag", "fires"),
    [
        ('src="https://x.example/a.png"', True),
        ('src="https://x.example/a.png" width="auto"', True),
        ('src="https://x.example/a.png" width="100%"', False),
        ('src="https://x.example/a.png" style="Max-Width: 300px"', False),
        ('src="cid:a.png@river.example"', True),
        ('src="data:image/gif;base64,R0lGOD"', False),
    ],
)
def test_width_of_a_picture(findings: Findings, tag: str, *, fires: bool) -> None:
    """D110 warns once where the mail shows a picture without a width."""
    found = findings(html=f'<img alt="A" {tag}><img alt="B" {tag}>')

    assert [one.rule for one in found] == (["D110"] if fires else [])


def test_pictures_of_one_name_are_told_apart(findings: Findings, summary: Make) -> None:
    """D110 and D124 point to the summary in whose folder the picture lies."""
    found = findings(
        summary("a", path="p/a.md", body="Seen: ![A](my%20wheel.png)"),
        summary("b", path="q/r/b.md", body="Seen: ![B](../my%20wheel.png)"),
        pictures={"q/my wheel.png": _picture("q/my wheel.png", 300_000)},
        broken={"p/my wheel.png": "there is no such file"},
    )

    assert [(one.rule, one.path) for one in found] == [
        ("D110", "content/q/r/b.md"),
        ("D124", "content/p/a.md"),
    ]


def test_broken_picture(findings: Findings, summary: Make) -> None:
    """D124 warns of each picture that cannot be shown, at the file that names it, and says why."""
    found = findings(
        summary("weir", body="Seen here: ![A weir](pictures/weir.png)"),
        broken={
            "pictures/weir.png": "there is no such file",
            "notes.txt": "is no PNG, JPEG, GIF or WebP",
        },
    )

    assert [(one.rule, one.level, one.path, one.message) for one in found] == [
        (
            "D124",
            "warning",
            "content/issues/2026-w49.md",
            "the picture notes.txt cannot be shown: is no PNG, JPEG, GIF or WebP",
        ),
        (
            "D124",
            "warning",
            "content/weir.md",
            "the picture pictures/weir.png cannot be shown: there is no such file",
        ),
    ]
