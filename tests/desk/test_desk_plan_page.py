"""The plan as one page: what stands on it, and that it needs nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from xml.etree import ElementTree as ET

import html5lib

from digest.desk import plan_page
from digest.model import IssueKey, Theme, ThemeId
from digest.publish.plan_shown import IssueShown, ItemShown, PlanShown, ThemeShown
from digest.site import CalendarWeek

MILLS = Theme(id=ThemeId("mills"), label="Mills & <tides>", colour="teal")
BOATS = Theme(id=ThemeId("boats"), label="Boats", colour="rust")
ISSUE = IssueShown(
    key="2027-w03",
    at="Mon 18 Jan 2027 09:00 Europe/Berlin (UTC+01:00)",
    state="planned",
    theme=MILLS,
    theme_reason="mills waited 5 weeks: the longest",
    items=(
        ItemShown(
            title="North <mill> & tide",
            url="https://north.example/?a=1&b=2",
            path="content/north.md",
            theme=None,
            reason="mills by tag:mill; value 203",
        ),
        ItemShown(title="A keel", url="", path="", theme=BOATS, reason="borrowed"),
    ),
    shortages=("mills has 1 of 3 items; 1 borrowed from boats",),
    skipped="",
)
SKIPPED = replace(ISSUE, key="2027-w04", theme=None, items=(), shortages=(), skipped="a feast")
WEEK = CalendarWeek(
    key=IssueKey("2027-w03"),
    at=datetime(2027, 1, 18, 8, tzinfo=UTC),
    state="planned",
    lead=MILLS.id,
    counts=((MILLS.id, 1), (BOATS.id, 1)),
    thin=True,
)
ROW = ThemeShown(
    theme=MILLS,
    waiting=7,
    oldest="31 weeks",
    stock="1.2",
    next="2027-w03",
    dry="2027-w05",
    starving=False,
)
IDLE = ThemeShown(
    theme=BOATS, waiting=2, oldest="1 week", stock="0.3", next="", dry="", starving=True
)
PLAN = PlanShown(
    weeks=(WEEK, replace(WEEK, key=IssueKey("2027-w04"), skipped="a feast")),
    themes=(MILLS, BOATS),
    issues=(ISSUE, SKIPPED),
    queue="9 items wait, the oldest for 31 weeks. Stock for 1.5 weeks.",
    rows=(ROW, IDLE),
    shortages=("mills runs dry in 2027-w05", "boats starves: 2 wait & <nobody> takes them"),
)


def _page(plan: PlanShown = PLAN) -> ET.Element:
    data = plan_page(plan, newsletter="Harbour <Notes>", as_of="Sat 16 Jan 2027 05:00")
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    tree: ET.Element = parser.parse(data.decode())
    return tree


def _line(element: ET.Element | None) -> str:
    assert element is not None
    return " ".join(" ".join(element.itertext()).split())


def _section(tree: ET.Element, name: str) -> ET.Element:
    (found,) = tree.findall(f".//section[@aria-labelledby='{name}']")
    return found


def test_the_page_finds_its_way() -> None:
    """Strict HTML with one main part, headings step by step, and ids that exist once."""
    tree = _page()

    assert len(tree.findall(".//main")) == len(tree.findall(".//h1")) == 1
    ids = [each.get("id") for each in tree.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    wanted = {
        *(each.get("href", "")[1:] for each in tree.iter("a") if each.get("href", "")[:1] == "#"),
        *(each.get("aria-labelledby") for each in tree.iter() if each.get("aria-labelledby")),
    }
    assert wanted <= set(ids)
    levels = [int(each.tag[1]) for each in tree.iter() if re.fullmatch("h[1-6]", str(each.tag))]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert _line(tree.find(".//title")) == "The next 2 weeks · Harbour <Notes>"


def test_the_page_needs_nothing_else() -> None:
    """No script, picture, frame or style is fetched, and the page forbids it itself."""
    tree = _page()

    names = {str(each.tag) for each in tree.iter()}
    assert not names & {"script", "img", "iframe", "form", "object", "embed"}
    assert not [key for each in tree.iter() for key in each.attrib if key.startswith("on")]
    assert {link.get("href", "")[:5] for link in tree.iter("link")} == {"data:"}
    style = _line(tree.find(".//style"))
    assert "url(" not in style
    assert "@import" not in style
    assert ".plan-name" in style
    (policy,) = tree.findall(".//meta[@http-equiv='Content-Security-Policy']")
    assert policy.get("content", "").startswith("default-src 'none'")


def test_the_calendar_and_its_names_are_shown() -> None:
    """The picture stands in a part that scrolls, its names once more beside it for the eye."""
    (region,) = _page().findall(".//div[@class='calendar']")

    assert (region.get("role"), region.get("tabindex")) == ("region", "0")
    drawing, names = [each for each in region if "svg" in str(each.tag)]
    assert drawing.get("role") == "img"
    assert names.get("aria-hidden") == "true"
    assert [each.get("href") for each in names.iter() if each.get("href")] == ["#plan-names"]
    assert "Mills & <tides>" in _line(drawing)


def test_what_runs_short_stands_in_sentences() -> None:
    """Each sentence is a line of a list."""
    section = _section(_page(), "shortages")

    assert [_line(entry) for entry in section.iter("li")] == list(PLAN.shortages)


def test_the_queue_is_a_table() -> None:
    """A row a theme; one that starves says so in a word."""
    section = _section(_page(), "queue")

    assert [_line(cell) for cell in section.iter("th") if cell.get("scope") == "col"] == [
        "Theme",
        "Waiting",
        "Oldest",
        "Stock, in issues",
        "Next issue",
        "Runs dry",
    ]
    assert [[_line(cell) for cell in row] for row in section.findall(".//tbody/tr")] == [
        ["Mills & <tides>", "7", "31 weeks", "1.2", "2027-w03", "2027-w05"],
        ["Boats starves", "2", "1 week", "0.3", "", ""],
    ]
    assert [link.get("href") for link in section.iter("a")] == ["#2027-w03"]
    assert PLAN.queue in _line(section)


def test_each_issue_has_its_items_and_their_reasons() -> None:
    """An item leads to its page where it has one, and names its file and its other theme."""
    article = _page().find(".//article[@id='2027-w03']")
    assert article is not None

    assert _line(article.find("p[@class='kicker']")) == (
        "Mon 18 Jan 2027 09:00 Europe/Berlin (UTC+01:00) Planned Mills & <tides>"
    )
    assert "mills waited 5 weeks: the longest" in _line(article)
    assert "mills has 1 of 3 items; 1 borrowed from boats" in _line(article)
    assert [_line(entry) for entry in article.findall("ol/li")] == [
        "North <mill> & tide mills by tag:mill; value 203 content/north.md",
        "A keel Boats borrowed",
    ]
    assert [link.get("href") for link in article.iter("a")] == ["https://north.example/?a=1&b=2"]


def test_a_skipped_week_says_why() -> None:
    """It has neither theme nor items, but its reason."""
    article = _page().find(".//article[@id='2027-w04']")

    assert _line(article).startswith("2027-w04 Mon 18 Jan")
    assert "Skipped No issue, a feast" in _line(article)
    assert "Mixed" not in _line(article)


def test_a_mixed_issue_says_so() -> None:
    """Where no theme leads the word stands in its place."""
    tree = _page(replace(PLAN, issues=(replace(ISSUE, theme=None, state="picked"),)))

    assert _line(tree.find(".//article/p[@class='kicker']")).endswith("Picked Mixed")


def test_an_empty_plan_is_a_page() -> None:
    """Without weeks, queue and shortages the page has no part for them."""
    plan = PlanShown(weeks=(), themes=(), issues=(), queue="", rows=(), shortages=())
    tree = _page(plan)

    assert [each.get("aria-labelledby") for each in tree.iter("section")] == ["issues"]
    assert tree.findall(".//figure") == []
    assert _line(tree.find(".//footer")) == "As of Sat 16 Jan 2027 05:00."


def test_the_page_is_the_same_each_time() -> None:
    """One plan gives one page, byte for byte."""
    first, second = (plan_page(PLAN, newsletter="Harbour Notes", as_of="now") for _ in range(2))

    assert first == second
