"""More than a year of a newsletter on disk: built, published, skipped, taken back, week by week."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from publish.tick.ticking import Letter

from digest.content import load_issue
from digest.model import Issue, IssueKey, PastIssue, Pick, issue_key
from digest.publish.build import build_issue
from digest.publish.plan import why
from digest.publish.release import publish_issue, withdraw_issue
from digest.publish.skip import skip_issue
from digest.publish.state import status

_FIRST = datetime.fromisoformat("2026-12-02T10:00:00+01:00")
_WEEKS = 60
_LAST = _FIRST + timedelta(weeks=_WEEKS)
_NEW = 6
_THIN = range(20, 32)  # these weeks bring nothing
_NAMES = ("locks", "tides", "mills", "weirs", "wells")
_SETTINGS = """\
[newsletter]
name = "Harbour Notes"
slug = "harbour-notes"
timezone = "Europe/Berlin"
tag = "harbour.example,2026-01-01"
postal_address = "Harbour Notes, 1 Quay, 00000 Haven"

[site]
url = "https://harbour.example/"

[mail]
from = "Harbour Notes <letter@harbour.example>"

[selection]
min_items = 3
max_items = 6
when_thin = "skip"
""" + "".join(f'\n[[theme]]\nid = "{name}"\nmatch = ["tag:{name}"]\n' for name in _NAMES)
_SYLLABLES = ("ka", "lo", "mi", "nu", "pe", "ru", "so", "ta")


@dataclass
class _Year:
    """What was done to a newsletter, beside what it keeps itself.

    `reasons` has what a build said of each item at the time, `taken_back` the issues withdrawn.
    `names` has what files are called that were renamed, by address.
    """

    letter: Letter
    dice: Random = field(default_factory=lambda: Random(60))  # noqa: S311 - a play, the same each time
    reasons: dict[IssueKey, tuple[Pick, ...]] = field(default_factory=dict)
    taken_back: list[IssueKey] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    figures: Counter[str] = field(default_factory=Counter)

    def play(self) -> None:
        """Live through all weeks."""
        for week in range(_WEEKS):
            now = _FIRST + timedelta(weeks=week)
            for number in range(0 if week in _THIN else _NEW):
                self._write(f"w{week:02d}n{number}", now)
            key = issue_key(now, self.letter.project.settings.newsletter.zone)
            if week % 11 == 10:
                self._skip(key, now)
            else:
                self._issue(key, now)
            if week % 13 == 7:
                self._withdraw(now)
            if week % 7 == 5:
                self._rename()

    def _write(self, name: str, now: datetime) -> None:
        words = " ".join("".join(self.dice.choices(_SYLLABLES, k=3)) for _ in range(30))
        lines = [f"title: Title of {name}", f"url: https://papers.example/{name}"]
        lines += [f"date: {now - timedelta(days=self.dice.randrange(1, 7)):%Y-%m-%d}"]
        lines += [f"tags: [{self.dice.choice(_NAMES)}, stone]"]
        lines += [f"source: {self.dice.choice(('Board', 'Club'))}"]
        header = "\n".join(lines)
        file = self.letter.root / f"content/{name}.md"
        file.write_text(f"---\n{header}\n---\n\n{words.capitalize()}.\n", "utf-8")

    def _issue(self, key: IssueKey, now: datetime) -> None:
        """Build and publish the week's issue, where the rules give one, and ask why of it."""
        built = build_issue(self.letter.project, key, now=now)
        self.figures[built.state] += 1
        if built.issue is None:
            return
        self.reasons[key] = built.issue.items
        self._ask(key, now, built.issue)
        publish_issue(self.letter.project, key, now=now)

    def _ask(self, key: IssueKey, now: datetime, issue: Issue) -> None:
        """Ask why each item is in, and the next one is not; count the answers that differ."""
        project = self.letter.project
        for item in issue.items:
            told = why(project, item.id, key=key, now=now).explanation
            self.figures["asked"] += 1
            self.figures["wrong answers"] += not told.included or item.reason not in told.steps[-1]
        for left in issue.left_out[:1]:
            told = why(project, left.id, key=key, now=now).explanation
            self.figures["asked"] += 1
            self.figures["wrong answers"] += told.included or left.reason not in told.steps[-1]

    def _skip(self, key: IssueKey, now: datetime) -> None:
        """Leave a week out that was built already."""
        build_issue(self.letter.project, key, now=now)
        skip_issue(self.letter.project, key, reason="the harbour is closed")
        assert build_issue(self.letter.project, key, now=now).skipped
        self.figures["skipped by hand"] += 1

    def _withdraw(self, now: datetime) -> None:
        """Take back the issue that was published last; no mail of it went out."""
        key = max(self.reasons)
        if key not in self.taken_back:
            assert withdraw_issue(self.letter.project, key, now=now + timedelta(hours=1))[0]
            self.taken_back.append(key)

    def _rename(self) -> None:
        """Give the file of something that is out another name, and mend its title."""
        past = self.dice.choice(_out(self))
        item = self.dice.choice(past.items)
        old = self.letter.root / f"content/{self.names.get(item.url, item.id)}.md"
        new = old.rename(old.with_stem(f"{old.stem}x"))
        new.write_text(new.read_text("utf-8").replace("Title of", "Anew: title of"), "utf-8")
        self.names[item.url] = new.stem
        self.figures["renamed"] += 1


def _files(letter: Letter) -> dict[IssueKey, Issue]:
    """Read all issue files."""
    newsletter = letter.project.settings.newsletter
    return {
        IssueKey(file.stem): load_issue(
            file, root=letter.root, send=newsletter.send, zone=newsletter.zone
        )
        for file in sorted((letter.root / "content/issues").glob("*.md"))
    }


def _out(year: _Year) -> tuple[PastIssue, ...]:
    """Give what the database says went out and was not taken back."""
    return tuple(past for past in year.letter.project.stored() if not past.freed)


def test_sixty_weeks_on_disk_repeat_nothing_and_leave_no_gap(tmp_path: Path) -> None:
    """What database and issue files hold in the end: each key once, each item once, each reason."""
    (tmp_path / "content").mkdir()
    (tmp_path / "digest.toml").write_text(_SETTINGS, "utf-8")
    year = _Year(letter=Letter(root=tmp_path))
    year.play()

    _check_weeks(year)
    _check_numbers(year)
    _check_items(year)
    _check_queue(year)
    _check_reasons(year)


def _check_weeks(year: _Year) -> None:
    """Most weeks have an issue, some are skipped by rule and by hand, some taken back."""
    told = year.figures

    assert told["built"] > 40
    assert told["skipped"] > 3
    assert told["skipped by hand"] == 5
    assert told["renamed"] > 5
    assert len(year.taken_back) > 3


def _check_numbers(year: _Year) -> None:
    """Each issue is in the database once, numbered from 1 in the order of weeks, as in files."""
    stored = sorted(year.letter.project.stored(), key=lambda past: past.key)
    seals = {key: issue.seal for key, issue in _files(year.letter).items() if issue.seal}

    assert [past.key for past in stored] == sorted(year.reasons)
    assert [past.number for past in stored] == list(range(1, len(stored) + 1))
    assert {key: seal.number for key, seal in seals.items()} == {
        past.key: past.number for past in stored
    }
    assert {key for key, seal in seals.items() if seal.withdrawn} == set(year.taken_back)
    assert {past.key for past in stored if past.freed} == set(year.taken_back)


def _check_items(year: _Year) -> None:
    """No summary is in two issues: by id, address and text in the database, by id in the files."""
    items = [item for past in _out(year) for item in past.items]
    listed = Counter(
        item.id
        for key, issue in _files(year.letter).items()
        if issue.seal and key not in year.taken_back
        for item in issue.items
    )
    ids, urls, sketches = zip(*((one.id, one.url, one.sketch) for one in items), strict=True)

    for names in (ids, urls, sketches):
        assert all(names)
        assert len(set(names)) == len(names)
    assert listed == Counter(ids)


def _check_queue(year: _Year) -> None:
    """Nothing is lost by skips and issues taken back: what is not out still waits."""
    written = _NEW * (_WEEKS - len(_THIN))
    sent = sum(len(past.items) for past in _out(year))
    queue = status(year.letter.project, now=_LAST).queue

    assert sum(queue.values()) == written
    assert (queue["sent"], queue["waiting"]) == (sent, written - sent)


def _check_reasons(year: _Year) -> None:
    """Each reason stands in the issue file as the build told it, and `why` told it too."""
    for key, issue in _files(year.letter).items():
        if issue.seal:
            assert issue.items == year.reasons[key]
            assert all(item.reason and item.theme for item in issue.items)
            assert issue.theme_reason
    assert year.figures["asked"] > 200
    assert year.figures["wrong answers"] == 0

    # Long after, too: the issue has it, and no later one may.
    project, out = year.letter.project, _out(year)
    last = issue_key(_LAST, project.settings.newsletter.zone)
    for past in (out[0], out[len(out) // 2], out[-1]):
        name = year.names.get(past.items[0].url, past.items[0].id)
        own = why(project, name, key=past.key, now=_LAST).explanation
        later = why(project, name, key=last, now=_LAST).explanation

        assert own.included
        assert own.steps[0].startswith(f"in: {past.key}, published on ")
        assert not later.included
        assert f"was in {past.key}" in later.steps[-1]
