"""PK-02: nothing to send goes to nobody; too little is what the manual promises, foretold."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
import pytest
from cases.forms import read_forms, tree
from cases.inputs import both, typed
from publish.tick.ticking import Letter

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Files = Mapping[str, bytes]

_OURS = {
    "only-one.md": (
        "---\ntitle: A lone heron\ntheme: herons\nurl: https://ponds.example/heron\n"
        "date: 2027-01-12\n---\n\nIt stood there all week.\n"
    ),
    "steps.txt": (
        "theme plan: week of 2027-01-11 = charts ; week of 2027-01-18 = herons\n"
        "items wanted per issue: 4\n"
        "build at 2027-01-17 : theme charts, no item at all\n"
        "build at 2027-01-24 : theme herons, one item where four are wanted\n"
    ),
}
steps = both("PK-02", _OURS, "*.*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What the steps say: the theme of each issue, the moments of the builds, the items wanted."""

    themes: dict[str, str]
    builds: tuple[str, ...]
    wanted: int

    @property
    def keys(self) -> tuple[str, ...]:
        """Give the issues in their order."""
        return tuple(self.themes)


def _read(files: Files) -> _Plan:
    text = files["steps.txt"].decode()
    weeks = re.findall(r"week of (\S+) = (\w+)", text)
    [wanted] = re.findall(r"items wanted per issue: (\d+)", text)
    return _Plan(
        themes={_key(day): theme for day, theme in weeks},
        builds=tuple(f"{day}T10:00:00+01:00" for day in re.findall(r"build at (\S+)", text)),
        wanted=int(wanted),
    )


def _key(day: str) -> str:
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year}-w{week:02d}"


_ITEM = (
    "---\ntitle: {name}\ntheme: {theme}\nurl: https://more.example/{name}\ndate: {day}\n---\n\n"
    "What is to be said of {name}.\n"
)


def _more(theme: str, count: int, *, day: str = "2027-01-13") -> dict[str, str | bytes]:
    return {
        f"content/{theme}-{n}.md": _ITEM.format(name=f"{theme}-{n}", theme=theme, day=day)
        for n in range(count)
    }


@pytest.fixture
def begin(newsletter: Make) -> Callable[..., Path]:
    """Give a function that makes the newsletter of the case: the themes stand in issue files."""

    def make(files: Files, *, selection: str = "", more: Mapping[str, str | bytes] = {}) -> Path:
        plan = _read(files)
        themes = "".join(
            f'\n[[theme]]\nid = "{theme}"\nlabel = "{theme}"\n' for theme in plan.themes.values()
        )
        chosen: dict[str, str | bytes] = {
            f"content/issues/{key}.md": f"---\ntheme: {theme}\n---\n"
            for key, theme in plan.themes.items()
        }
        return newsletter(
            {"content/only-one.md": files["only-one.md"], **chosen, **more},
            settings=f'[schedule]\nsend = "sun 09:00"\n[selection]\nmin_items = {plan.wanted}\n'
            f"{selection}\n{themes}",
        )

    return make


@steps
def test_pk_02_first_week_nothing_goes_to_anybody(
    digest: Digest, begin: Callable[..., Path], files: Files
) -> None:
    """The build says so, with exit 3 where asked; nothing is written, numbered or mailed."""
    plan = _read(files)
    root = begin(files)
    letter = Letter(root=root)
    letter.add_readers(3)
    before = tree(root)
    now = ("--now", plan.builds[0])

    dry, real = (
        digest("-C", root, "build", plan.keys[0], "--fail-if-empty", *words, *now)
        for words in (("--dry-run",), ())
    )
    asked = digest("-C", root, "build", plan.keys[0], *now)

    assert (dry[0], real[0], asked[0]) == (3, 3, 0)
    assert dry[1] == real[1] == asked[1]
    assert "nothing to send" in real[1]
    assert plan.themes[plan.keys[0]] in real[1]
    changed = {name for name, octets in tree(root).items() if before.get(name) != octets}
    assert {name for name in changed if not name.startswith("private/")} == set()
    assert letter.did(f"{plan.builds[0][:10]}T09:00:30+01:00") == [f"{plan.keys[0]} nothing"]
    assert letter.mail.taken == []


@steps
def test_pk_02_first_week_uses_no_number_and_leaves_valid_feeds(
    digest: Digest, begin: Callable[..., Path], files: Files
) -> None:
    """All three feeds are valid without an entry; the issue of the second week is number 1."""
    plan = _read(files)
    root = begin(files, selection='when_thin = "short"')
    first, second = (("--now", moment) for moment in plan.builds)
    for words in (("build", plan.keys[0]), ("publish",)):
        code, _, err = digest("-C", root, *words, *first)
        assert code == 0, err
    site = root / "outbox/site"
    for name in ("rss.xml", "atom.xml"):
        feed = feedparser.parse((site / name).read_bytes())
        assert not feed.bozo
        assert feed.feed.title
        assert feed.entries == []
        ET.fromstring((site / name).read_bytes())  # noqa: S314 - our own output
    assert json.loads((site / "feed.json").read_bytes())["items"] == []

    code, out, err = digest("-C", root, "build", plan.keys[1], "--json", *second)

    assert code == 0, err
    assert json.loads(out)["number"] == 1
    assert digest("-C", root, "publish", plan.keys[1], *second)[0] == 0
    assert len(json.loads((site / "feed.json").read_bytes())["items"]) == 1


def _run(digest: Digest, root: Path, *words: str) -> tuple[dict[str, Any], str]:
    """Build a copy of a newsletter: the answer in JSON, and the lines on what is lacking."""
    told = []
    for more in ((), ("--json",)):
        copy = root.parent / "copy"
        shutil.copytree(root, copy)
        code, out, err = digest("-C", copy, "build", *words, *more)
        assert code == 0, err
        told.append(out)
        shutil.rmtree(copy)
    lacking = [line for line in told[0].splitlines() if re.match(r"  short: |\d+-w\d+: ", line)]
    return json.loads(told[1]), "\n".join(lacking)


@steps
@pytest.mark.parametrize(
    ("when_thin", "others", "items"),
    [("short", 9, 1), ("skip", 9, 0), ("borrow", 9, None), ("borrow", 2, 3), ("borrow", 0, 1)],
)
def test_pk_02_second_week_is_as_promised_and_foretold(
    digest: Digest,
    begin: Callable[..., Path],
    files: Files,
    *,
    when_thin: str,
    others: int,
    items: int | None,
) -> None:
    """It goes out short, waits, or borrows up to the least; `plan` and a dry run say the same."""
    plan = _read(files)
    root = begin(files, selection=f'when_thin = "{when_thin}"', more=_more("ponds", others))
    key, now = plan.keys[1], plan.builds[1]
    foretold = json.loads(digest("-C", root, "plan", "--weeks", "1", "--json", "--now", now)[1])

    dry, dry_said = _run(digest, root, key, "--dry-run", "--now", now)
    real, real_said = _run(digest, root, key, "--now", now)

    [coming] = foretold["issues"]
    urls = [item["url"] for item in real["items"]]
    assert coming["issue"] == key
    assert urls == [item["url"] for item in dry["items"]]
    assert urls == [item["url"] for item in coming["items"]]
    assert dry_said == real_said
    assert real.get("skipped", "") == dry.get("skipped", "") == coming["skipped"]
    assert len(urls) == (plan.wanted if items is None else items)
    assert bool(urls) is not (when_thin == "skip")
    if urls:
        assert urls[0] == typed(files["only-one.md"], "url")
        assert [f"  short: {told}" for told in coming["shortages"]] == real_said.splitlines()
        assert real_said
    else:
        assert "too little to send" in real["skipped"]


@pytest.fixture
def with_sent(digest: Digest, begin: Callable[..., Path]) -> Callable[..., Path]:
    """Give a function that makes the newsletter of the case with an issue of the week before."""

    def make(files: Files, selection: str) -> Path:
        plan = _read(files)
        theme = plan.themes[plan.keys[1]]
        root = begin(files, selection=selection, more=_more(theme, 2, day="2027-01-04"))
        now = ("--now", "2027-01-10T10:00:00+01:00")
        words = ("build", "2027-w01", "--theme", theme, *now)
        assert digest("-C", root, *words)[0] == 0
        assert digest("-C", root, "publish", "2027-w01", *now)[0] == 0
        return root

    return make


@steps
@pytest.mark.parametrize("when_thin", ["borrow", "short"])
def test_pk_02_what_was_sent_is_no_filling(
    digest: Digest, with_sent: Callable[..., Path], files: Files, when_thin: str
) -> None:
    """However thin the issue is, none of what went out before is in it."""
    plan = _read(files)
    root = with_sent(files, f'when_thin = "{when_thin}"')

    code, out, err = digest("-C", root, "build", plan.keys[1], "--json", "--now", plan.builds[1])

    assert code == 0, err
    assert [item["url"] for item in json.loads(out)["items"]] == [
        typed(files["only-one.md"], "url")
    ]
    assert json.loads(out)["passed_over"] == ["2 already sent"]


@steps
@pytest.mark.parametrize("when_thin", ["borrow", "short"])
def test_pk_02_repeats_are_marked_as_such(
    digest: Digest, with_sent: Callable[..., Path], files: Files, when_thin: str
) -> None:
    """Where the settings let them fill, each of them says so: on the screen and in the file."""
    plan = _read(files)
    selection = f'when_thin = "{when_thin}"\nrepeats = "fill"\nrepeat_window = 2'
    root = with_sent(files, selection)

    dry = digest("-C", root, "build", plan.keys[1], "--dry-run", "--now", plan.builds[1])[1]
    code, said, err = digest("-C", root, "build", plan.keys[1], "--now", plan.builds[1])

    assert code == 0, err
    reasons = [line for line in said.splitlines() if line.strip().startswith("why: ")]
    assert len(reasons) == 3
    assert ["repeat" in line for line in reasons] == [False, True, True]
    assert [line for line in dry.splitlines() if line.strip().startswith("why: ")] == reasons
    file = (root / f"content/issues/{plan.keys[1]}.md").read_text("utf-8")
    assert file.count("repeat") >= 2


# On the home page items are titles alone.
_MARKED = ("letter", "text", "mail HTML", "mail text", "page", "RSS", "Atom", "JSON Feed")
_MARK = "Sent before, in the issue of week "


@steps
@pytest.mark.parametrize("when_thin", ["borrow", "short"])
def test_pk_02_readers_see_which_are_repeats(
    digest: Digest, with_sent: Callable[..., Path], files: Files, when_thin: str
) -> None:
    """Each that fills is marked in mail, text, page and feeds; what is new is not."""
    plan = _read(files)
    selection = f'when_thin = "{when_thin}"\nrepeats = "fill"\nrepeat_window = 2'
    root = with_sent(files, selection)
    for words in (("build", plan.keys[1]), ("publish", plan.keys[1])):
        code, _, err = digest("-C", root, *words, "--now", plan.builds[1])
        assert code == 0, err

    first, second = read_forms(root, "2027-w01"), read_forms(root, plan.keys[1])

    new = typed(files["only-one.md"], "title")
    old = [f"{plan.themes[plan.keys[1]]}-{number}" for number in range(2)]
    for name in _MARKED:
        assert _MARK not in first[name].line, name
        line = second[name].line
        marks = [found.start() for found in re.finditer(f"{_MARK}1 of 2027", line)]
        assert len(marks) == line.count(_MARK), name
        above = [max((new, *old), key=lambda title: line.rfind(title, 0, at)) for at in marks]
        assert sorted(above) == old, name


@steps
def test_pk_02_nothing_is_marked_that_was_not_sent(
    digest: Digest, begin: Callable[..., Path], files: Files
) -> None:
    """An issue that needs no repeats marks none, in whatever form."""
    plan = _read(files)
    key, now = plan.keys[1], ("--now", plan.builds[1])
    root = begin(files, selection='repeats = "fill"', more=_more(plan.themes[key], 5))
    for words in (("build", key), ("publish", key)):
        code, _, err = digest("-C", root, *words, *now)
        assert code == 0, err

    assert "repeat" not in (root / f"content/issues/{key}.md").read_text("utf-8")
    for name, form in read_forms(root, key).items():
        assert _MARK not in form.line, name
