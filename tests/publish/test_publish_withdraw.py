"""An issue that is out and taken back: site, feeds, number, items, and who may not send it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from cases.forms import tree
from publish.disk import kept
from publish.tick.ticking import ITEMS, SETTINGS, Letter, moment

from digest.delivery import Watch
from digest.errors import GuardError, LockError
from digest.files import project_lock
from digest.model import IssueKey, Outcome, PastIssue
from digest.publish import release
from digest.publish.build import build_issue
from digest.publish.plan import plan_issues
from digest.publish.release import publish_issue, refresh_site, withdraw_issue
from digest.publish.send import pause_send, rehearse_send, send_issue
from digest.publish.state import status
from digest.publish.verify import verify_issue

Make = Callable[..., Path]

_W49, _W50 = IssueKey("2026-w49"), IssueKey("2026-w50")
_FIRST = "2026-12-01T10:00:00+01:00"
_TAKEN = "2026-12-02T11:30:00+01:00"
_SECOND = "2026-12-08T10:00:00+01:00"
_LISTS = ("index.html", "rss.xml", "atom.xml", "feed.json")


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter that has published an issue of one note, n00, as number 1."""
    made = Letter(root=newsletter(ITEMS, settings=SETTINGS))
    made.publish_built(_W49, _FIRST)
    return made


@pytest.fixture
def mailed(letter: Letter) -> Letter:
    """Give the same, with three readers who have it in their mail."""
    letter.add_readers(3)
    letter.send_by_hand(_W49, _FIRST)
    return letter


def _withdraw(letter: Letter, at: str = _TAKEN, *, dry_run: bool = False) -> bool:
    return withdraw_issue(letter.project, _W49, now=moment(at), dry_run=dry_run)[0]


def _past(letter: Letter, key: IssueKey = _W49) -> PastIssue:
    project = letter.project
    return next(past for past in project.history(project.library()) if past.key == key)


def _stored(letter: Letter) -> PastIssue:
    return next(past for past in letter.project.stored() if past.key == _W49)


def _site(letter: Letter, name: str) -> str:
    return (letter.root / "outbox/site" / name).read_text("utf-8")


def _next(letter: Letter, at: str = _SECOND) -> tuple[int, list[str]]:
    """Build the next issue and give its number and its items."""
    edition = build_issue(letter.project, _W50, now=moment(at)).edition
    assert edition is not None
    return edition.number, [item.id for item in edition.items]


def _send(letter: Letter) -> None:
    send_issue(
        letter.project,
        _W49,
        transport=letter.mail,
        via="outbox",
        by="hand",
        watch=Watch(clock=lambda: moment(_SECOND), pause=lambda _: None, stopped=lambda: False),
    )


def test_page_says_so_and_nothing_leads_there(letter: Letter) -> None:
    """The issue's page stays, without its words; home page and feeds do not name it."""
    assert all("Note 0" in _site(letter, name) for name in _LISTS)
    edition = tree(letter.root / "outbox/2026-w49")

    changed = withdraw_issue(letter.project, _W49, now=moment(_TAKEN))[1]

    page = _site(letter, "2026-w49.html")
    assert "was withdrawn" in page
    assert "2 December 2026" in page
    assert "Note 0" not in page
    for name in _LISTS:
        assert "Note 0" not in _site(letter, name)
        assert "2026-w49" not in _site(letter, name)
    assert json.loads(_site(letter, "feed.json"))["items"] == []
    assert sorted(changed) == sorted(f"outbox/site/{name}" for name in ("2026-w49.html", *_LISTS))
    assert tree(letter.root / "outbox/2026-w49") == edition


def test_others_stay_where_they_are(letter: Letter) -> None:
    """Only what was taken back leaves the pages and the feeds."""
    letter.publish_built(_W50, _SECOND)
    _withdraw(letter, "2026-12-09T10:00:00+01:00")

    assert "Note 1" in _site(letter, "2026-w50.html")
    for name in _LISTS:
        assert "Note 1" in _site(letter, name)
        assert "Note 0" not in _site(letter, name)


def test_number_stays_used_and_items_are_free(letter: Letter) -> None:
    """Without mail nobody has read it: the next issue holds its items under the next number."""
    _withdraw(letter)

    assert _past(letter).freed
    assert _next(letter) == (2, ["n00"])
    letter.publish(_W50, _SECOND)
    assert [(past.number, past.freed) for past in letter.project.stored()] == [
        (1, True),
        (2, False),
    ]
    assert "Note 0" in _site(letter, "rss.xml")


def test_items_that_were_mailed_are_kept(mailed: Letter) -> None:
    """People have it in their mail: it does not come again."""
    _withdraw(mailed)

    assert not _past(mailed).freed
    assert _next(mailed) == (2, ["n01"])


def test_week_is_not_planned_again(letter: Letter) -> None:
    """What was taken back does not come back: neither in the plan nor by a build."""
    _withdraw(letter)
    before = kept(letter.root)
    planned, _ = plan_issues(letter.project, now=moment(_TAKEN), weeks=1)
    built = build_issue(letter.project, _W49, now=moment(_TAKEN))

    assert [week.slot.issue for week in planned] == [_W50]
    assert (built.state, built.changed) == ("withdrawn", ())
    assert kept(letter.root) == before


@pytest.mark.parametrize("key", [_W49, _W50])
def test_what_is_not_out_cannot_be_taken_back(newsletter: Make, key: IssueKey) -> None:
    """A draft and a week without an issue are refused, and nothing changes."""
    letter = Letter(root=newsletter(ITEMS, settings=SETTINGS))
    letter.build(_W49, _FIRST)
    before = kept(letter.root)

    with pytest.raises(GuardError, match="is not published") as caught:
        withdraw_issue(letter.project, key, now=moment(_TAKEN))

    assert caught.value.problems[0].fix == f"`digest skip {key}` leaves the week out"
    assert kept(letter.root) == before


def test_dry_run_changes_nothing(letter: Letter) -> None:
    """It tells the files that would change, which are those that then do."""
    before = kept(letter.root)
    told = withdraw_issue(letter.project, _W49, now=moment(_TAKEN), dry_run=True)

    assert kept(letter.root) == before
    assert withdraw_issue(letter.project, _W49, now=moment(_TAKEN)) == told
    assert told[0]


def test_second_time_changes_nothing(letter: Letter) -> None:
    """The first moment stands, however often and whenever it is asked for."""
    _withdraw(letter)
    before = kept(letter.root)

    assert withdraw_issue(letter.project, _W49, now=moment(_SECOND)) == (False, ())
    assert kept(letter.root) == before


def test_seal_and_database_agree(letter: Letter) -> None:
    """Both tell the same moment, the file in the newsletter's zone; all else of it stays."""
    file = letter.root / "content/issues/2026-w49.md"
    before = file.read_text("utf-8")
    _withdraw(letter, "2026-12-02T10:30:00.654321+00:00")

    issue, stored = letter.project.issue(_W49), _stored(letter)
    assert issue is not None
    assert issue.seal is not None
    assert issue.seal.withdrawn == stored.withdrawn == datetime.fromisoformat(_TAKEN)
    after = file.read_text("utf-8")
    assert "  withdrawn: 2026-12-02T11:30:00+01:00\n" in after
    assert after.replace("  withdrawn: 2026-12-02T11:30:00+01:00\n", "") == before


@pytest.mark.parametrize("lost", ["gone", "an old copy"])
@pytest.mark.parametrize("out", ["letter", "mailed"])
def test_database_learns_it_from_the_seal(
    request: pytest.FixtureRequest, out: str, lost: str
) -> None:
    """A database that is gone, or older, gets it back; the page does not come back."""
    letter: Letter = request.getfixturevalue(out)
    database = letter.root / "private/digest.db"
    copy = database.read_bytes()
    _withdraw(letter)
    told, site = _past(letter), tree(letter.root / "outbox/site")
    file = (letter.root / "content/issues/2026-w49.md").read_bytes()

    shutil.rmtree(letter.root / "private")
    if lost == "an old copy":
        database.parent.mkdir()
        database.write_bytes(copy)
    guessed = _past(letter)
    refresh_site(letter.project, now=moment(_SECOND))

    assert (guessed.withdrawn, guessed.freed) == (told.withdrawn, told.freed)
    assert (_stored(letter).withdrawn, _stored(letter).freed) == (told.withdrawn, told.freed)
    assert tree(letter.root / "outbox/site") == site
    assert (letter.root / "content/issues/2026-w49.md").read_bytes() == file
    assert letter.project.number(letter.project.stored()) == 2


def test_seal_learns_it_from_the_database(letter: Letter) -> None:
    """An issue file of before is sealed again."""
    file = letter.root / "content/issues/2026-w49.md"
    before = file.read_bytes()
    _withdraw(letter)
    after = file.read_bytes()
    file.write_bytes(before)

    refresh_site(letter.project, now=moment(_SECOND))

    assert file.read_bytes() == after


def test_issue_file_that_is_gone_comes_back_withdrawn(letter: Letter) -> None:
    """The edition remembers what it said, the database that it was taken back."""
    _withdraw(letter)
    (letter.root / "content/issues/2026-w49.md").unlink()

    publish_issue(letter.project, _W49, now=moment(_SECOND))

    issue = letter.project.issue(_W49)
    assert issue is not None
    assert issue.seal is not None
    assert issue.seal.withdrawn == datetime.fromisoformat(_TAKEN)


@pytest.mark.parametrize("finish", ["publish", "refresh", "withdraw"])
@pytest.mark.parametrize("lost_in", ["_seal", "_write"])
def test_crash_after_the_commit_is_brought_to_its_end(
    letter: Letter, monkeypatch: pytest.MonkeyPatch, lost_in: str, finish: str
) -> None:
    """Whatever is run next of what writes the site ends it, by the moment of the commit."""
    whole = letter.root.parent / "whole"
    shutil.copytree(letter.root, whole)
    withdraw_issue(Letter(root=whole).project, _W49, now=moment(_TAKEN))

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(release, lost_in, die)
        with pytest.raises(KeyboardInterrupt):
            _withdraw(letter)
    assert "Note 0" in _site(letter, "2026-w49.html")
    if finish == "publish":
        publish_issue(letter.project, _W49, now=moment(_SECOND))
    elif finish == "refresh":
        refresh_site(letter.project, now=moment(_SECOND))
    else:
        assert not _withdraw(letter, _SECOND)

    assert tree(letter.root / "outbox") == tree(whole / "outbox")
    assert tree(letter.root / "content") == tree(whole / "content")


def test_edition_still_verifies(letter: Letter) -> None:
    """It stays in the outbox as it was published."""
    _withdraw(letter)

    assert verify_issue(letter.project, _W49).identical


def test_status_tells_it(letter: Letter) -> None:
    """It keeps its number, and nothing is to be done; its item waits again."""
    _withdraw(letter)
    state = status(letter.project, now=moment(_TAKEN))

    [standing] = state.issues
    assert (standing.state, standing.number, standing.next) == ("withdrawn", 1, "")
    assert (state.queue["waiting"], state.queue["sent"]) == (30, 0)


def test_nobody_is_mailed_afterwards(letter: Letter) -> None:
    """Neither a send nor its rehearsal gets past it."""
    letter.add_readers(3)
    _withdraw(letter)

    with pytest.raises(GuardError, match="was withdrawn"):
        _send(letter)
    with pytest.raises(GuardError, match="was withdrawn"):
        rehearse_send(letter.project, _W49, via="outbox", now=moment(_SECOND))
    assert letter.mail.taken == []


@pytest.mark.parametrize("lost", ["seal", "file"])
def test_nobody_is_mailed_where_only_the_database_knows(letter: Letter, lost: str) -> None:
    """A crash before the seal, or a file that is gone, opens no gap."""
    letter.add_readers(3)
    file = letter.root / "content/issues/2026-w49.md"
    before = file.read_bytes()
    _withdraw(letter)
    if lost == "seal":
        file.write_bytes(before)
    else:
        file.unlink()

    with pytest.raises(GuardError, match="was withdrawn"):
        _send(letter)
    assert letter.mail.taken == []
    assert letter.sends() == ()


def _begin(letter: Letter) -> None:
    """Begin a send that puts every reader off."""
    letter.add_readers(3)
    letter.mail.answer = lambda _: Outcome(state="pending", code=451)
    assert letter.send_by_hand(_W49, _FIRST).state == "sending"


def test_refused_while_its_mails_go_out(letter: Letter) -> None:
    """What still goes to people is stopped first; refused, it changes nothing."""
    _begin(letter)
    before = kept(letter.root)

    for dry_run in (True, False):
        with pytest.raises(GuardError, match="its mails are going out") as caught:
            _withdraw(letter, dry_run=dry_run)

    assert caught.value.problems[0].fix == "`digest hold 2026-w49` stops them; then withdraw it"
    assert kept(letter.root) == before


@pytest.mark.parametrize("stop", ["hold", "pause"])
def test_stopped_half_way_it_may_be_taken_back(letter: Letter, stop: str) -> None:
    """A send that waits for a person never goes on, and what some have is not free."""
    _begin(letter)
    if stop == "hold":
        letter.hold(_W49, "a wrong figure")
    else:
        pause_send(letter.project, _W49, reason="stopped by Ctrl-C")

    assert _withdraw(letter)
    assert not _past(letter).freed
    letter.mail.answer = lambda _: Outcome(state="accepted", code=250)
    letter.mail.taken.clear()
    with pytest.raises(GuardError):
        _send(letter)
    assert letter.did(_SECOND) == []
    assert letter.mail.taken == []


def test_mail_that_only_the_seal_tells_of_counts(mailed: Letter) -> None:
    """With the database gone, the items of an issue that was mailed stay taken."""
    shutil.rmtree(mailed.root / "private")
    _withdraw(mailed)

    assert not _past(mailed).freed
    assert not _stored(mailed).freed


def test_another_process_is_waited_for(letter: Letter) -> None:
    """It takes the lock of the newsletter, as all that writes does."""
    with project_lock(letter.project.private), pytest.raises(LockError):
        _withdraw(letter)
