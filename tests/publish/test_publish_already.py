"""A summary goes out once, also where people write the issue files: checks, publish, send."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from publish.disk import kept
from publish.tick.ticking import ITEMS, SETTINGS, Letter, moment

from digest.delivery import Watch
from digest.errors import GuardError
from digest.model import IssueKey
from digest.publish.build import build_issue
from digest.publish.inspect import check
from digest.publish.release import publish_issue, withdraw_issue
from digest.publish.send import rehearse_send, send_issue
from digest.publish.skip import skip_issue

Make = Callable[..., Path]

_W48, _W49, _W50 = IssueKey("2026-w48"), IssueKey("2026-w49"), IssueKey("2026-w50")
_NOW = "2026-12-01T10:00:00+01:00"
_LATER = "2026-12-08T10:00:00+01:00"
_BOTH = "---\nitems: [n03]\n---\n"


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter of two issue files by hand, both with n03."""
    made = Letter(root=newsletter(ITEMS, settings=SETTINGS))
    (made.root / "content/issues").mkdir()
    for key, at in ((_W49, _NOW), (_W50, _LATER)):
        made.write(key, _BOTH)
        made.build(key, at)
    return made


def _found(letter: Letter, key: IssueKey, at: str = _NOW) -> list[str]:
    findings = check(letter.project, key, now=moment(at)).findings
    return [f"{one.place} {one.message}" for one in findings if one.rule == "D123"]


def _note(letter: Letter, name: str, head: str) -> None:
    text = f"---\ntitle: Note of {name}\n{head}---\n\nWords that only {name} has.\n"
    (letter.root / f"content/{name}.md").write_text(text, "utf-8")


def test_the_earlier_of_two_files_has_it(letter: Letter) -> None:
    """Nothing stands against the first; the second is told whose it is."""
    assert _found(letter, _W49) == []
    assert _found(letter, _W50) == [
        "content/n03.md:1 is reserved by the issue file of 2026-w49",
    ]


def test_what_is_out_does_not_go_out_again(letter: Letter) -> None:
    """Neither published, nor sent, nor rehearsed; nothing changes."""
    letter.publish(_W49, _NOW)
    letter.add_readers(2)
    before = kept(letter.root)
    told = "D123: was in 2026-w49, 1 week ago; a summary goes out once"

    assert _found(letter, _W49) == []
    assert _found(letter, _W50, _LATER) == [f"content/n03.md:1 {told.removeprefix('D123: ')}"]
    with pytest.raises(GuardError, match=told) as caught:
        publish_issue(letter.project, _W50, now=moment(_LATER))
    with pytest.raises(GuardError, match=told):
        rehearse_send(letter.project, _W50, via="outbox", now=moment(_LATER))
    with pytest.raises(GuardError, match=told):
        send_issue(
            letter.project,
            _W50,
            transport=letter.mail,
            via="outbox",
            by="hand",
            watch=Watch(clock=lambda: moment(_LATER), pause=lambda _: None, stopped=lambda: False),
        )
    assert "--explain D123" in caught.value.problems[0].fix
    assert letter.mail.taken == []
    assert {**kept(letter.root), "private/key": ""} == {**before, "private/key": ""}


def test_schedule_holds_it(letter: Letter) -> None:
    """An issue by hand that repeats one waits for a person."""
    letter.tick("2026-11-26T12:00:00+01:00")
    letter.publish(_W49, _NOW)

    assert letter.did("2026-12-07T09:00:00+01:00") == ["2026-w50 held"]
    assert "D123: was in 2026-w49" in letter.words(_W50)


def test_skip_line_that_is_deleted_brings_nothing_twice(letter: Letter) -> None:
    """What another issue took while the week was skipped is its own."""
    skip_issue(letter.project, _W49, reason="a feast")
    assert _found(letter, _W50, _LATER) == []
    letter.publish(_W50, _LATER)
    letter.edit(_W49, "skip: a feast\n", "")

    assert _found(letter, _W49, _LATER) == [
        "content/n03.md:1 was in 2026-w50, 1 week ahead; a summary goes out once"
    ]
    with pytest.raises(GuardError, match="D123"):
        publish_issue(letter.project, _W49, now=moment(_LATER))


def test_same_page_under_another_name_counts(letter: Letter) -> None:
    """The address tells, as it does for the rules."""
    for name in ("n03", "n05"):
        _note(letter, name, "url: https://a.example/\n")
    letter.publish_built(_W49, _NOW)
    letter.write(_W50, "---\nitems: [n05]\n---\n")
    letter.build(_W50, _LATER)

    [told] = _found(letter, _W50, _LATER)
    assert told.startswith("content/n05.md:1 its address, as n03, was in 2026-w49")


@pytest.mark.parametrize("head", ["cooldown: 1\n", "cooldown: 0\n"])
def test_cooldown_counts_from_a_file_too(letter: Letter, head: str) -> None:
    """What the week before is to have, and may come again by then, is no fault."""
    _note(letter, "n03", head)

    assert _found(letter, _W50) == []


@pytest.mark.parametrize("head", ["cooldown: 1\n", "cooldown: 0\n"])
def test_cooldown_that_is_over_lets_it(letter: Letter, head: str) -> None:
    """An editor who wants a repeat says so in the summary."""
    letter.publish(_W49, _NOW)
    _note(letter, "n03", head)
    letter.build(_W50, _LATER)

    assert _found(letter, _W50, _LATER) == []
    letter.publish(_W50, _LATER)


def test_cooldown_that_is_not_over_stops_it(letter: Letter) -> None:
    """It is told how long it lasts."""
    letter.publish(_W49, _NOW)
    _note(letter, "n03", "cooldown: 2\n")
    letter.build(_W50, _LATER)

    [told] = _found(letter, _W50, _LATER)
    assert told.endswith("was in 2026-w49, 1 week ago; its cooldown is 2 weeks")


def test_what_replaces_it_lets_it(letter: Letter) -> None:
    """A summary of the same page that supersedes the old one is another."""
    _note(letter, "n03", "url: https://a.example/\n")
    letter.publish_built(_W49, _NOW)
    _note(letter, "n05", "url: https://a.example/\nsupersedes: n03\n")
    letter.write(_W50, "---\nitems: [n05]\n---\n")
    letter.build(_W50, _LATER)

    assert _found(letter, _W50, _LATER) == []


def test_ignored_it_goes_out(letter: Letter) -> None:
    """As each rule."""
    letter.publish(_W49, _NOW)
    with (letter.root / "digest.toml").open("a", encoding="utf-8") as file:
        file.write('\n[checks]\nignore = ["D123"]\n')

    assert _found(letter, _W50, _LATER) == []
    letter.publish(_W50, _LATER)
    assert len(letter.project.stored()) == 2


def test_withdrawn_before_any_mail_it_is_free(letter: Letter) -> None:
    """What nobody has read goes out anew."""
    letter.publish(_W49, _NOW)
    withdraw_issue(letter.project, _W49, now=moment(_NOW))

    assert _found(letter, _W50, _LATER) == []
    letter.publish(_W50, _LATER)


def test_refill_takes_it_out(letter: Letter) -> None:
    """The cure that the rule names, and the rest goes out."""
    letter.publish(_W49, _NOW)
    built = build_issue(letter.project, _W50, now=moment(_LATER), refill=True)

    assert [one.id for one in built.taken_out] == ["n03"]
    assert built.issue is not None
    assert [one.id for one in built.issue.items] == ["n00"]
    assert _found(letter, _W50, _LATER) == []
    letter.publish(_W50, _LATER)
