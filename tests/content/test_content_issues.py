"""Issue files: read, written, read back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.content import dump_issue, load_issue, parse_issue
from digest.errors import ContentError
from digest.model import (
    Issue,
    IssueKey,
    LeftOut,
    Pick,
    Seal,
    ThemeId,
    WeeklyTime,
    clean_line,
    clean_text,
)

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = WeeklyTime(weekday=0, hour=9, minute=0)
KEY = IssueKey("2026-w49")
EMPTY = Issue(slot=MONDAY.slot(KEY, BERLIN), theme=ThemeId(""), items=())

LINES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["no", "true", "~", "null", "a: b #c", "# x", "- x", "2027-01-01", "'", '"']),
).map(clean_line)
IDS = LINES.filter(bool)
THEMES = st.sampled_from(["", "birds", "field-notes", "other", "2024", "no"]).map(ThemeId)
PICKS = st.builds(
    Pick,
    id=IDS,
    theme=THEMES,
    reason=LINES,
    repeat=st.sampled_from(["", "2026-w01", "2026-w53-extra"]),
)
SEALS = st.builds(
    Seal,
    at=st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(  # noqa: DTZ001 - made aware below
        lambda x: x.replace(microsecond=0, tzinfo=UTC)
    ),
    number=st.integers(0, 10_000),
    edition=st.text("0123456789abcdef", min_size=64, max_size=64),
    withdrawn=st.none() | st.just(datetime(2101, 1, 1, 8, tzinfo=UTC)),
)
ISSUES = st.builds(
    Issue,
    slot=st.just(EMPTY.slot),
    theme=THEMES,
    items=st.lists(PICKS, max_size=4, unique_by=lambda x: x.id).map(tuple),
    left_out=st.lists(
        st.builds(LeftOut, id=IDS.map("left {}".format), reason=LINES),
        max_size=3,
        unique_by=lambda x: x.id,
    ).map(tuple),
    dropped=st.lists(
        st.builds(LeftOut, id=IDS.map("dropped {}".format), reason=LINES),
        max_size=3,
        unique_by=lambda x: x.id,
    ).map(tuple),
    picked=st.booleans(),
    theme_reason=LINES,
    subject=LINES,
    preheader=LINES,
    title=LINES,
    introduction=st.text(max_size=80).map(lambda x: clean_text(x).strip("\n")),
    hold=LINES,
    skip=LINES,
    seal=st.none() | SEALS,
)


def parse(text: str, *, key: str = KEY) -> Issue:
    """Read an issue of a Monday at nine in Berlin."""
    return parse_issue(
        text.encode(), where="content/issues/a.md", key=IssueKey(key), send=MONDAY, zone=BERLIN
    )


def complaints(text: str) -> list[str]:
    """Give the complaints about an issue file."""
    with pytest.raises(ContentError) as caught:
        parse(text)
    return [str(problem) for problem in caught.value.problems]


@given(ISSUES)
@settings(deadline=None, max_examples=100)
def test_issue_comes_back_equal(issue: Issue) -> None:
    """What is written is read back: no text is cut, typed, or taken for a key."""
    shown = {item.id for item in issue.items}
    issue = replace(
        issue,
        left_out=tuple(x for x in issue.left_out if x.id not in shown),
        dropped=tuple(x for x in issue.dropped if x.id not in shown),
        picked=issue.picked or bool(issue.items),
    )
    assert parse(dump_issue(issue)) == issue


def test_issue_file_reads_well() -> None:
    """People find the keys in the order in which they matter to them."""
    issue = replace(
        EMPTY,
        theme=ThemeId("birds"),
        theme_reason="two items: the most",
        subject="Owls",
        items=(Pick(id="owls", theme=ThemeId("birds"), reason="tag birds"),),
        left_out=(LeftOut(id="mice", reason=""),),
        dropped=(LeftOut(id="rats", reason="by Bo"),),
        skip="no one is here",
        introduction="Hello.\n\nTo all.",
        seal=Seal(at=datetime(2026, 11, 30, 8, tzinfo=UTC), number=7, edition="ab"),
    )
    lines = dump_issue(issue).split("\n")
    assert lines[0] == "---"
    assert all(line.startswith("# ") for line in lines[1:3])
    assert lines[3:] == [
        'issue: "2026-w49"',
        "theme: birds",
        'theme_reason: "two items: the most"',
        "subject: Owls",
        "skip: no one is here",
        "items:",
        "  - id: owls",
        "    theme: birds",
        "    reason: tag birds",
        "left_out:",
        "  - id: mice",
        "dropped:",
        "  - id: rats",
        "    reason: by Bo",
        "published:",
        "  at: 2026-11-30T08:00:00+00:00",
        "  number: 7",
        "  edition: ab",
        "---",
        "",
        "Hello.",
        "",
        "To all.",
        "",
    ]


def test_repeat_is_written_where_there_is_one() -> None:
    """An item that was out before names the issue; another's lines are as they were before."""
    owls = Pick(id="owls", theme=ThemeId("birds"), reason="tag birds")
    mice = replace(owls, id="mice", repeat="2026-w01")
    text = dump_issue(replace(EMPTY, items=(owls, mice)))
    assert text.endswith(
        "items:\n  - id: owls\n    theme: birds\n    reason: tag birds\n"
        "  - id: mice\n    theme: birds\n    reason: tag birds\n"
        '    repeat: "2026-w01"\n---\n'
    )


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("2026-w01", "2026-w01"),
        ("'2026-w01'", "2026-w01"),
        (" 2026-w53-extra # long ago", "2026-w53-extra"),
    ],
)
def test_repeat_is_an_issue_key(typed: str, key: str) -> None:
    """People may write it too, with or without quotes."""
    [item] = parse(f"---\nitems:\n  - id: owls\n    repeat: {typed}\n---\n").items
    assert item.repeat == key


@pytest.mark.parametrize("typed", ["", "~", "''"])
def test_repeat_may_be_empty(typed: str) -> None:
    """Nothing behind the colon says what a missing key says."""
    [item] = parse(f"---\nitems:\n  - id: owls\n    repeat: {typed}\n---\n").items
    assert item.repeat == ""


@pytest.mark.parametrize("typed", ["yes", "2026-W01", "2026-w54", "2026-01-05", "w01", "[a, b]"])
def test_repeat_that_is_no_issue_key_is_a_complaint(typed: str) -> None:
    """It is named with its line, since readers would be told a week that is none."""
    [complaint] = complaints(f"---\nitems:\n  - id: owls\n    repeat: {typed}\n---\n")
    assert complaint.startswith("content/issues/a.md:4: `repeat` must be ")


def test_issue_with_a_thousand_left_out_is_read_back() -> None:
    """The header of an issue may be longer than that of a summary."""
    left_out = tuple(
        LeftOut(id=f"notes/2026/number-{n}", reason="it was in an issue of this year already, w12")
        for n in range(3000)
    )
    issue = replace(EMPTY, left_out=left_out)
    assert parse(dump_issue(issue)) == issue


def test_people_may_write_less() -> None:
    """Plain ids will do, a theme of the issue is that of its items, and the key may be missing."""
    issue = parse(
        "---\ntheme: Field Notes\nitems:\n  - owls\n  - {id: mice, theme: Small Things}\n"
        "  - {id: rats, theme: ''}\nleft_out: [cats, owls]\nhold: no\nsubject: Owls: part #2\n"
        "---\n\nHello.\n"
    )
    assert issue.key == KEY
    assert issue.slot.at == datetime(2026, 11, 30, 9, tzinfo=BERLIN)
    assert [(item.id, item.theme) for item in issue.items] == [
        ("owls", "field-notes"),
        ("mice", "small-things"),
        ("rats", ""),
    ]
    assert issue.left_out == (LeftOut(id="cats", reason=""),)
    assert (issue.hold, issue.seal) == ("", None)
    assert issue.subject == "Owls: part #2"
    assert issue.introduction == "Hello."
    assert parse("---\nitems: owls\n---\n").items[0].id == "owls"


@pytest.mark.parametrize(
    ("hold", "reason"),
    [("yes", "held"), ("TRUE", "held"), ("off", ""), ("'no'", "no"), ("wait: Bo", "wait: Bo")],
)
def test_hold_is_a_reason(hold: str, reason: str) -> None:
    """Bare yes holds, bare no does not; any other text is the reason."""
    assert parse(f"---\nhold: {hold}\n---\n").hold == reason


@pytest.mark.parametrize(
    ("skip", "reason"),
    [
        ("yes", "skipped"),
        ("", "skipped"),
        ("no", ""),
        ("'yes'", "yes"),
        ("New Year: we rest #1", "New Year: we rest #1"),
    ],
)
def test_skip_is_a_reason(skip: str, reason: str) -> None:
    """The reason for no issue that week is read like that to wait."""
    issue = parse(f"---\nskip: {skip}\nitems: [owls]\n---\n")
    assert (issue.skip, issue.hold, len(issue.items)) == (reason, "", 1)


@pytest.mark.parametrize(
    ("header", "picked"),
    [
        ("subject: Owls", False),
        ("items:", False),
        ("items: ~", False),
        ("items:  # Digest picks\n", False),
        ("items: []", True),
        ("items: [owls]", True),
        ("items: owls", True),
    ],
)
def test_issue_without_items_is_not_picked_yet(header: str, *, picked: bool) -> None:
    """Nothing behind the key is as good as no key; an empty list was picked, and is empty."""
    issue = parse(f"---\ntheme: birds\n{header}\n---\n")
    assert (issue.picked, issue.theme) == (picked, "birds")


def test_issue_that_is_not_picked_is_written_without_items() -> None:
    """The key is left out, and comes back as left out; an empty list stays one."""
    unpicked = replace(EMPTY, theme=ThemeId("birds"), picked=False)
    assert "items" not in dump_issue(unpicked).split("---")[1].replace("the items and", "")
    assert parse(dump_issue(unpicked)) == unpicked
    assert "items: []\n" in dump_issue(EMPTY)


def test_a_summary_stands_in_one_list_of_an_issue() -> None:
    """Who moves one up need not take it out below: items go before dropped and left out."""
    issue = parse(
        "---\nitems: [owls]\ndropped: [{id: mice, reason: by Bo}, owls]\n"
        "left_out: [owls, mice, {id: cats, reason: old}]\n---\n"
    )
    assert [one.id for one in issue.items] == ["owls"]
    assert issue.dropped == (LeftOut(id="mice", reason="by Bo"),)
    assert issue.left_out == (LeftOut(id="cats", reason="old"),)


def test_all_that_is_wrong_with_an_issue_comes_at_once() -> None:
    """Unknown keys get a hint, items their lines."""
    found = complaints(
        "---\nissue: 2026-w50\nsubjct: x\nitems:\n  - owls\n  - {id: mice, them: x}\n  - owls\n"
        "  - {reason: x}\n  - [a]\nleft_out: [a, a]\ndropped: [{id: b, theme: c}]\n---\n"
    )
    where = "content/issues/a.md:"
    assert found == [
        f"{where}2: `issue` is 2026-w50, the file's name is 2026-w49",
        f"{where}3: `subjct` is no key of an issue file\n  did you mean `subject`?",
        f"{where}6: `items.them` is no key of an issue file\n  did you mean `theme`?",
        f"{where}7: 'owls' is in `items` twice, on the lines 5 and 7\n  take one of them out",
        f"{where}8: something in `items` has no id",
        f"{where}9: something in `items` has no id",
        f"{where}10: 'a' is in `left_out` twice, on the lines 10 and 10\n  take one of them out",
        f"{where}11: `dropped.theme` is no key of an issue file\n  known are: id, reason",
    ]


@pytest.mark.parametrize(
    ("seal", "said"),
    [
        ("published: true", ["`published` must be `at`, `number` and `edition`"]),
        ("published: {at: soon, number: 1, edition: x}", ["`at`: 'soon' is no day"]),
        ("published: {at: 2027-01-01, number: 1.5, edition: x}", ["`number` must be a whole"]),
        ("published: {at: 2027-01-01, number: -1, edition: x}", ["`number` must be a whole"]),
        (
            "published: {edtion: x}",
            [
                "`published.edtion` is no key of an issue file\n  did you mean `edition`?",
                "`published` has no `at`",
                "`published` has no `edition`",
                "`published` has no `number`",
            ],
        ),
    ],
)
def test_broken_seal_is_a_complaint(seal: str, said: list[str]) -> None:
    """A seal that people changed by hand is told, never guessed."""
    found = complaints(f"---\n{seal}\n---\n")
    assert len(found) == len(said)
    assert all(
        one.startswith(f"content/issues/a.md:2: {two}")
        for one, two in zip(found, said, strict=True)
    )


@pytest.mark.parametrize("text", ["", "Hello.\n", "+++\ntheme = 'x'\n+++\n"])
def test_issue_file_needs_a_header(text: str) -> None:
    """A file without a header is no issue."""
    [complaint] = complaints(text)
    assert complaint.startswith("content/issues/a.md:1: an issue file begins with a header")


def test_issue_is_loaded_by_its_file_name(tmp_path: Path) -> None:
    """The key is the name, and complaints show the path inside the project."""
    file = tmp_path / "content" / "issues" / "2026-w49-extra.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nitems: [owls]\n---\n")
    issue = load_issue(file, root=tmp_path, send=MONDAY, zone=BERLIN)
    assert issue.key == "2026-w49-extra"
    assert issue.slot.at - timedelta(days=7) == datetime(2026, 11, 23, 9, tzinfo=BERLIN)
    file.write_text("---\nitems: [owls\n---\n")
    with pytest.raises(ContentError) as caught:
        load_issue(file, root=tmp_path, send=MONDAY, zone=BERLIN)
    assert caught.value.problems[0].where == "content/issues/2026-w49-extra.md:2"


@pytest.mark.parametrize("name", ["2026-w54.md", "notes.md", "2026-w49.md"])
def test_file_that_is_no_issue_is_refused(tmp_path: Path, name: str) -> None:
    """A name that is no key, and a file that is not there, are complaints."""
    with pytest.raises(ContentError) as caught:
        load_issue(tmp_path / name, root=tmp_path, send=MONDAY, zone=BERLIN)
    assert caught.value.problems[0].where == name
