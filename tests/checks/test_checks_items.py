"""Rules on the issue and its summaries: each fires where it should, and only there."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from digest.checks import Finding
from digest.model import IssueKey, Link, PastIssue, PastItem, Pick, Summary, ThemeId

Findings = Callable[..., list[Finding]]
Make = Callable[..., Summary]

_SLOT = datetime(2026, 11, 30, 8, tzinfo=UTC)
_ISSUE_FILE = "content/issues/2026-w49.md"


def test_a_sound_issue_has_no_findings(findings: Findings, summary: Make) -> None:
    """Nothing is found where nothing is wrong."""
    assert findings() == []
    assert findings(summary("weir"), summary("lock"), summary("tide")) == []


def test_no_subject(findings: Findings) -> None:
    """D101 is an error of the issue file."""
    assert findings(edition={"subject": " \u2028 "}) == [
        Finding(
            rule="D101",
            level="error",
            path=_ISSUE_FILE,
            line=1,
            message="the issue has no subject",
        )
    ]


@pytest.mark.parametrize(
    ("length", "level"), [(60, None), (61, "warning"), (150, "warning"), (151, "error")]
)
def test_length_of_the_subject(findings: Findings, length: int, level: str | None) -> None:
    """D102 warns over 60 characters and is an error over 150, in any script."""
    found = findings(edition={"subject": "é" * length})

    assert [(one.rule, one.level) for one in found] == ([("D102", level)] if level else [])
    assert all(f"has {length} characters" in one.message for one in found)


@pytest.mark.parametrize("preheader", ["", "  ", "what the RIVER  did"])
def test_no_preheader(findings: Findings, preheader: str) -> None:
    """D103 warns of none, and of the subject said twice."""
    found = findings(edition={"preheader": preheader})

    assert [(one.rule, one.level, one.path) for one in found] == [("D103", "warning", _ISSUE_FILE)]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "has no link"),
        ("mailto:a@b.example", "is no web address"),
        ("http://[", "is no web address"),
    ],
)
def test_item_without_link(findings: Findings, summary: Make, *, url: str, said: str) -> None:
    """D104 warns of no address and of one that is none of the web."""
    found = findings(summary("weir", url=url, path="north/weir.md"))

    assert [(one.rule, one.level, one.path) for one in found] == [
        ("D104", "warning", "content/north/weir.md")
    ]
    assert said in found[0].message


def test_relative_link_is_a_link(findings: Findings, summary: Make) -> None:
    """An address without a scheme is made absolute later."""
    assert findings(summary("weir", url="papers/weir.pdf")) == []


def test_duplicate_link(findings: Findings, summary: Make) -> None:
    """D105 warns where two links lead to one page, in two summaries or in one."""
    link = Link(label="Data", url="http://www.papers.example/weir/?utm_source=x")
    two = findings(summary("weir"), summary("lock", links=(link,)))
    one = findings(summary("weir", links=(link, Link(label="Code", url="https://c.example"))))

    assert [(found.rule, found.path, found.message) for found in two] == [
        (
            "D105",
            "content/lock.md",
            "https://papers.example/weir is a link of content/weir.md too",
        )
    ]
    assert [(found.rule, found.message) for found in one] == [
        ("D105", "https://papers.example/weir is a link of it 2 times")
    ]


def _past(weeks: int, url: str, *, published: bool = True, key: str = "") -> PastIssue:
    return PastIssue(
        key=IssueKey(key or f"2026-w{49 - weeks:02d}"),
        at=_SLOT - timedelta(weeks=weeks),
        theme=ThemeId("water"),
        items=(PastItem(id="old", url=url), PastItem(id="none", url="")),
        published=published,
    )


def test_link_sent_before(findings: Findings, summary: Make) -> None:
    """D106 warns of a link in the last eight published issues, not in those before."""
    url = "https://papers.example/weir"
    others = tuple(_past(weeks, f"https://x.example/{weeks}") for weeks in range(1, 8))

    found = findings(summary("weir"), history=(*others, _past(8, url)))
    assert [(one.rule, one.level, one.path) for one in found] == [
        ("D106", "warning", "content/weir.md")
    ]
    assert found[0].message == f"{url} was in 2026-w41, one of the last 8 issues"
    assert findings(summary("weir"), history=(*others, _past(9, "x"), _past(10, url))) == []


def test_link_of_no_sent_issue(findings: Findings, summary: Make) -> None:
    """D106 leaves aside reserved issues, later ones, the issue itself, and what was freed."""
    url = "https://papers.example/weir"
    history = (
        replace(_past(2, url), withdrawn=_SLOT, freed=True),
        _past(1, url, published=False),
        _past(-1, url, key="2026-w50"),
        _past(0, url, key="2026-w49"),
    )

    assert findings(summary("weir"), history=history) == []


def test_link_of_a_withdrawn_issue_that_was_mailed(findings: Findings, summary: Make) -> None:
    """D106 counts what people have in their mail."""
    url = "https://papers.example/weir"
    history = (replace(_past(2, url), withdrawn=_SLOT),)

    assert [one.rule for one in findings(summary("weir"), history=history)] == ["D106"]


def test_item_of_another_issue(findings: Findings, summary: Make) -> None:
    """D123 is an error at the file of each item that another issue has; others do not count."""
    already = {"weir": "was in 2026-w48", "lock": "was in 2026-w47"}
    found = findings(summary("weir"), summary("mill"), already=already)

    assert [(one.rule, one.level, one.place, one.message) for one in found] == [
        ("D123", "error", "content/weir.md:1", "was in 2026-w48")
    ]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "\n \n",
        "# Only a heading\n",
        "<!-- to be written -->",
        "<!-- never closed",
        "![A weir](weir.png)",
        "<p>&nbsp;</p>\n\n---",
        "```python\n```",
    ],
)
def test_empty_summary(findings: Findings, summary: Make, body: str) -> None:
    """D107 is an error where no words are left to read."""
    found = findings(summary("weir", body=body))

    assert [(one.rule, one.level, one.path) for one in found] == [
        ("D107", "error", "content/weir.md")
    ]


@pytest.mark.parametrize(
    "body", ["\\(x\\)", "# Heading\n\nWords.", "物語", "[Weir](https://w.example)"]
)
def test_summary_that_says_something(findings: Findings, summary: Make, body: str) -> None:
    """D107 leaves aside formulas, other scripts and links."""
    assert findings(summary("weir", body=body)) == []
    assert findings(summary("weir", body="", summary=body)) == []


def test_missing_summary(findings: Findings, summary: Make) -> None:
    """D107 names an item whose file is not there, and all other rules go on."""
    items = tuple(
        Pick(id=name, theme=ThemeId("water"), reason="") for name in ("weir", "gone-away")
    )
    found = findings(summary("weir", url=""), issue={"items": items})

    assert [(one.rule, one.path) for one in found] == [
        ("D107", _ISSUE_FILE),
        ("D104", "content/weir.md"),
    ]
    assert "'gone-away'" in found[0].message


def test_no_postal_address(findings: Findings) -> None:
    """D116 warns, and names the settings file."""
    found = findings(newsletter={"postal_address": " "}, settings_file="river.toml")

    assert [(one.rule, one.level, one.path, one.line) for one in found] == [
        ("D116", "warning", "river.toml", 0)
    ]


def test_draft_or_embargoed(findings: Findings, summary: Make) -> None:
    """D121 is an error for a draft or withdrawn one, before `not_before`, from `not_after` on."""
    minute = timedelta(minutes=1)
    found = findings(
        summary("a", draft=True),
        summary("b", not_before=_SLOT + minute),
        summary("c", not_after=_SLOT),
        summary("d", not_before=_SLOT, not_after=_SLOT + minute),
        summary("e", withdrawn=True),
    )

    assert [(one.rule, one.level, one.path, one.message) for one in found] == [
        ("D121", "error", "content/a.md", "is a draft"),
        ("D121", "error", "content/b.md", "must not go out before 2026-11-30 08:01+00:00"),
        ("D121", "error", "content/c.md", "must not go out after 2026-11-30 08:00+00:00"),
        ("D121", "error", "content/e.md", "is withdrawn"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<https://river.example/>\n\nWords about the river.",
        "***\n\nWords about the river.",
        "<br>\n\nWords about the river.",
        "<div></div>\n\nWords about the river.",
        "> ![A weir](weir.png)\n\nWords about the river.",
        "> \n\nWords about the river.",
        "<https://river.example/>",
        "<keeper@river.example>",
    ],
)
def test_words_after_a_beginning_without_any(
    findings: Findings, summary: Callable[..., Summary], body: str
) -> None:
    """D107 asks the whole text: what stands first may be a rule, a tag or an address."""
    assert findings(summary("weir", body=body)) == []
