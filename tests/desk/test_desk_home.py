"""All issues by state, issues that are not there yet, and what cannot be shown."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import html5lib
import pytest
from desk.visiting import Answer, Visitor, visiting

_SVG = "{http://www.w3.org/2000/svg}"
_NOW = ("--now", "2027-01-18T10:00:00+01:00")


def _main(answer: Answer) -> ET.Element:
    tree = html5lib.parse(answer.text, namespaceHTMLElements=False)
    main = tree.find(".//main")
    assert isinstance(main, ET.Element)
    return main


def _line(element: ET.Element | None) -> str:
    assert element is not None
    return " ".join(" ".join(element.itertext()).split())


def _groups(main: ET.Element) -> dict[str, list[str]]:
    return {
        _line(section.find("h2/span")): [_line(entry) for entry in section.iter("li")]
        for section in main.iter("section")
        if section.get("aria-labelledby", "").startswith("state-")
    }


def _digest(root: Path, *words: str) -> None:
    from digest.cli.main import run  # noqa: PLC0415 - few tests run a command

    assert run(["-C", str(root), *words, "-q", *_NOW]) == 0


def test_issues_are_listed_by_state(drafted: Path) -> None:
    """What an editor may have to do something about stands above what is out."""
    _digest(drafted, "publish", "2027-w03")
    for key, name in (("2027-w05", "east"), ("2027-w06", "upper")):
        item = (drafted / "content/west.md").read_text("utf-8").replace("west", name)
        (drafted / f"content/{name}.md").write_text(item, "utf-8")
        _digest(drafted, "--set", "selection.min_items=1", "build", key)
    held = drafted / "content/issues/2027-w06.md"
    text = held.read_text("utf-8").replace("---\n", "---\nhold: not yet\n", 1)
    held.write_text(text, "utf-8")
    with visiting(drafted, now="2027-01-19T10:00:00+01:00") as visitor:
        groups = _groups(_main(visitor.get("/")))

    assert list(groups) == ["Held", "Draft", "Planned", "Published"]
    assert groups["Published"] == [
        (
            "2027-w03 , Issue 1 west <mill> & tide "
            "Mon 18 Jan 2027 10:00 Europe/Berlin (UTC+01:00) · 1 day ago"
        )
    ]
    assert groups["Draft"][0].startswith("2027-w05 east <mill> & tide Mon 1 Feb 2027 09:00")
    assert groups["Held"][0].startswith("2027-w06 upper <mill> & tide")
    weeks = ["w04", "w07", "w08", "w09", "w10", "w11"]
    assert [line[:8] for line in groups["Planned"]] == [f"2027-{week}" for week in weeks]


def test_every_link_of_the_list_opens(visitor: Visitor) -> None:
    """Also an issue that is not there yet has a page, with the command that makes it."""
    main = _main(visitor.get("/"))
    for link in main.iter("a"):
        assert visitor.get(link.get("href", "")).status == 200


@pytest.mark.parametrize("key", ["2027-w04", "2027-W04", "2027-w04-extra", "2031-w01"])
def test_an_issue_without_an_edition_says_what_makes_one(visitor: Visitor, key: str) -> None:
    """The page names the command to run."""
    text = _line(_main(visitor.get(f"/issues/{key}")))

    assert "has no edition yet" in text
    assert f"digest build {key.lower()}" in text


def test_a_published_issue_without_its_folder_says_what_brings_it_back(drafted: Path) -> None:
    """The command named there works."""
    _digest(drafted, "publish", "2027-w03")
    folder = drafted / "outbox/2027-w03"
    folder.rename(drafted / "outbox/elsewhere")
    with visiting(drafted) as visitor:
        before = visitor.get("/issues/2027-w03")
        _digest(drafted, "build", "2027-w03")
        after = visitor.get("/issues/2027-w03")

    assert "digest build 2027-w03" in before.text
    assert "<iframe" in after.text


@pytest.mark.parametrize("path", ["/issues/letter", "/issues/2027-w54", "/issues/%00", "/nothing"])
def test_what_names_no_issue_is_not_found(visitor: Visitor, path: str) -> None:
    """A page in words, with a way back."""
    answer = visitor.get(path)

    assert answer.status == 404
    assert "This cannot be shown" in answer.text
    assert 'href="/"' in answer.text


def test_a_broken_issue_file_is_told_with_its_place(drafted: Path) -> None:
    """Nobody knows what is held or taken without it: every page says what to mend."""
    (drafted / "content/issues/2027-w09.md").write_text("---\nitems: {\n---\n", "utf-8")
    with visiting(drafted) as visitor:
        answers = [visitor.get(path) for path in ("/", "/issues/2027-w03")]

    for answer in answers:
        assert answer.status == 500
        assert "content/issues/2027-w09.md" in answer.text
        assert str(drafted) not in answer.text


def test_files_left_aside_are_told(drafted: Path) -> None:
    """A summary that cannot be read stops nothing, and both pages say so."""
    (drafted / "content/broken.md").write_bytes(b'---\ntitle: "x\n---\n')
    with visiting(drafted) as visitor:
        texts = [_line(_main(visitor.get(path))) for path in ("/", "/issues/2027-w03")]

    for text in texts:
        assert "Left aside: 1 file" in text
        assert "content/broken.md:2" in text


def test_a_newsletter_without_content_has_a_desk(newsletter_root: Path) -> None:
    """Where nothing is written yet the coming weeks are listed all the same."""
    with visiting(newsletter_root) as visitor:
        groups = _groups(_main(visitor.get("/")))

    assert [line[:8] for line in groups["Planned"]] == [f"2027-w{n:02d}" for n in range(2, 10)]


def _coming(main: ET.Element) -> ET.Element:
    (section,) = main.findall("section[@aria-labelledby='coming']")
    return section


def _weeks(section: ET.Element) -> list[str]:
    """Give what the calendar says of each week."""
    drawing = section.find(f".//div[@class='calendar']/{_SVG}svg")
    assert drawing is not None
    groups = [group for group in drawing.findall(f"{_SVG}g") if not group.get("id")]
    return [_line(group.find(f"{_SVG}title")) for group in groups]


def test_the_calendar_stands_above_the_list(visitor: Visitor) -> None:
    """Eight weeks, each with theme and count, the state of the issue in hand included."""
    main = _main(visitor.get("/"))
    section = _coming(main)

    assert _line(section.find("h2")) == "The next 8 weeks"
    weeks = _weeks(section)
    assert [week[:8] for week in weeks] == [f"2027-w{n:02d}" for n in range(2, 10)]
    assert weeks[1] == "2027-w03, 18 Jan, draft: Mills & tides leads; Mills & tides 3."
    labels = [each.get("aria-labelledby") for each in main.iter("section")]
    assert labels.index("coming") < labels.index("state-planned")


def test_the_style_of_the_calendar_comes_with_that_of_the_desk(visitor: Visitor) -> None:
    """The page has no style of its own, which its own rule would forbid."""
    page, sheet = visitor.get("/"), visitor.get("/desk.css").text

    assert "<style" not in page.text
    assert ".plan-name" in sheet
    assert ".masthead" in sheet


def test_what_runs_short_is_told(drafted: Path) -> None:
    """Below the calendar stand sentences."""
    item = (drafted / "content/west.md").read_text("utf-8").replace("west", "east")
    (drafted / "content/east.md").write_text(item, "utf-8")
    with visiting(drafted) as visitor:
        main = _main(visitor.get("/"))
    (section,) = main.findall("section[@aria-labelledby='shortages']")

    assert _line(section.find("h2")) == "What runs short"
    told = [_line(entry) for entry in section.findall("ul/li")]
    assert "2027-w02: mills has 1 of 3 items" in " ".join(told)


def test_a_week_skipped_by_its_file_is_shown_with_its_reason(drafted: Path) -> None:
    """The calendar, the list and the page of the issue say why there is none."""
    text = "---\nskip: the <b>harbour</b> is closed\n---\n"
    (drafted / "content/issues/2027-w04.md").write_text(text, "utf-8")
    with visiting(drafted) as visitor:
        main = _main(visitor.get("/"))
        page = _line(_main(visitor.get("/issues/2027-w04")))

    reason = "skipped by hand: the <b>harbour</b> is closed"
    assert f"2027-w04, 25 Jan: no issue, {reason}." in _weeks(_coming(main))
    lines = [line for group in _groups(main).values() for line in group]
    assert [reason in line for line in lines if line.startswith("2027-w04")] == [True]
    assert f"No issue, {reason}" in page
    assert "digest build" not in page


def test_a_week_skipped_by_rule_is_shown_with_its_reason(drafted: Path) -> None:
    """Where too little waits and the settings say so, the list tells why there is no issue."""
    with (drafted / "digest.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[selection]\nwhen_thin = "skip"\n')
    with visiting(drafted) as visitor:
        main = _main(visitor.get("/"))

    lines = {line[:8]: line for line in _groups(main)["Planned"]}
    assert "No issue, nothing to send" in lines["2027-w04"]
    assert any(week.startswith("2027-w04, 25 Jan: no issue, ") for week in _weeks(_coming(main)))
