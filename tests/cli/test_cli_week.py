"""`digest drop`, `skip` and `withdraw`: what they print and which code they give."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import KEY, NOW
from publish.disk import kept

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Send = Callable[..., tuple[int, dict[str, Any], str]]

_ROOT = Path(__file__).parent.parent.parent
_FILE = f"content/issues/{KEY}.md"
_NEXT = ("--now", "2026-12-08T10:00:00+01:00")
_ITEM = "---\ntitle: Mill {0}\nurl: https://mills.example/{0}\n---\n\nMill {0} ground corn.\n"


@pytest.fixture
def mills(digest: Digest, newsletter: Make) -> Path:
    """Give a newsletter of four items without readers, two of them in this week's draft."""
    root = newsletter(
        {f"content/m{n}.md": _ITEM.format(n) for n in range(4)},
        settings="[selection]\nmin_items = 1\nmax_items = 2\n",
    )
    assert digest("-C", root, "build", *NOW)[0] == 0
    return root


def _answer(result: tuple[int, str, str]) -> dict[str, Any]:
    code, out, err = result
    assert (code, err) == (0, "")
    told: dict[str, Any] = json.loads(out)
    return told


def test_drop_tells_what_is_in_now(digest: Digest, mills: Path) -> None:
    """As a build does: the items with their reasons, and what is next."""
    code, out, err = digest("-C", mills, "drop", "m0", "--reason", "it is wrong", *NOW)

    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"{KEY}  number 1, draft"
    assert "  1. Mill 1" in out
    assert "  2. Mill 2" in out
    assert f"next: digest preview {KEY}, then digest publish {KEY}" in out
    assert "dropped:\n  - id: m0\n    reason: it is wrong\n" in (mills / _FILE).read_text("utf-8")


def test_drop_as_json_is_the_answer_of_a_build(digest: Digest, mills: Path) -> None:
    """Items, edition and what changed."""
    told = _answer(digest("-C", mills, "drop", "content/m0.md", "--json", *NOW))

    assert [item["id"] for item in told["items"]] == ["m1", "m2"]
    assert told["changed"][0] == _FILE
    assert told["taken_out"] == []
    assert told == {
        **_answer(digest("-C", mills, "build", "--json", *NOW)),
        "changed": told["changed"],
        "passed_over": told["passed_over"],
    }


def test_drop_from_another_issue(digest: Digest, mills: Path) -> None:
    """`--issue` names it; this week's stays."""
    assert digest("-C", mills, "build", "2026-w50", *NOW)[0] == 0
    before = (mills / _FILE).read_bytes()
    told = _answer(digest("-C", mills, "drop", "m2", "--issue", "2026-W50", "--json", *NOW))

    assert (told["issue"], [item["id"] for item in told["items"]]) == ("2026-w50", ["m3"])
    assert (mills / _FILE).read_bytes() == before


def test_drop_in_a_dry_run(digest: Digest, mills: Path) -> None:
    """It says so, and names no next step."""
    before = kept(mills)
    code, out, _ = digest("-C", mills, "drop", "m0", "--dry-run", *NOW)

    assert code == 0
    assert "dry run: nothing was written" in out
    assert "next:" not in out
    assert kept(mills) == before


@pytest.mark.parametrize(
    ("name", "more", "code", "told"),
    [
        ("m3", (), 2, f"{_FILE}: does not hold 'm3'"),
        ("nobody", (), 2, f"{_FILE}: does not hold 'nobody'"),
        ("m0", ("--issue", "2026-w50"), 2, "2026-w50 has no items yet"),
        ("m0", ("--issue", "soon"), 2, "'soon' names no issue"),
    ],
)
def test_drop_of_what_is_not_there(
    digest: Digest, mills: Path, name: str, more: tuple[str, ...], code: int, told: str
) -> None:
    """An unknown item or issue is a wrong use, with what there is; nothing changes."""
    before = kept(mills)
    got, _, err = digest("-C", mills, "drop", name, *more, *NOW)

    assert got == code
    assert told in err
    assert kept(mills) == before


def test_drop_of_the_only_item(digest: Digest, mills: Path) -> None:
    """Refused with exit 4, and told how to leave the week out."""
    for number in (1, 2, 3):
        (mills / f"content/m{number}.md").unlink()
    (mills / _FILE).write_text("---\nitems: [m0]\n---\n")
    code, _, err = digest("-C", mills, "drop", "m0", *NOW)

    assert code == 4
    assert "would hold nothing else" in err
    assert f"digest skip {KEY}" in err


def test_refill_tells_what_it_took_out(digest: Digest, mills: Path) -> None:
    """A deleted file stops a plain build, whose fix is the refill that then says what went."""
    (mills / "content/m0.md").unlink()
    code, _, err = digest("-C", mills, "build", *NOW)
    assert code == 2
    assert f"`digest build {KEY} --refill`" in err

    code, out, err = digest("-C", mills, "build", KEY, "--refill", *NOW)
    assert (code, err) == (0, "")
    assert "  m0: taken out: its file is gone" in out
    assert "  2. Mill 2" in out
    assert digest("-C", mills, "build", *NOW)[0] == 0
    assert digest("-C", mills, "publish", *NOW)[0] == 0


def test_skip_and_release_in_words(digest: Digest, mills: Path) -> None:
    """What was done, whether it was so before, and what is next."""

    def said(*words: str) -> str:
        code, out, err = digest("-C", mills, "skip", *words, *NOW)
        assert (code, err) == (0, "")
        return out

    dry = said("--reason", "a feast", "--dry-run")
    assert dry == f"{KEY}  skipped  (dry run: nothing was written)\n"
    assert said("--reason", "a feast") == f"{KEY}  skipped\n"
    assert said() == f"{KEY}  skipped; it was before\n"
    assert said("--release") == f"{KEY}  released\nnext: digest build {KEY}\n"
    assert said("--release") == f"{KEY}  released; it was before\n"
    assert said("2026-W51") == "2026-w51  skipped\n"


def test_skip_as_json(digest: Digest, mills: Path) -> None:
    """The issue, the state and whether something changed."""

    def told(*words: str) -> dict[str, Any]:
        return _answer(digest("-C", mills, "skip", "--json", *words, *NOW))

    skipped = {"schema": 1, "issue": KEY, "state": "skipped", "taken_out": []}
    assert told() == {**skipped, "changed": True}
    assert told() == {**skipped, "changed": False}
    assert told("--release") == {**skipped, "state": "released", "changed": True}


def test_release_tells_what_other_issues_hold(digest: Digest, mills: Path) -> None:
    """What the next issue took is taken out, and a refill is what is next."""
    for words in (("skip",), ("build", "2026-w50"), ("publish", "2026-w50")):
        assert digest("-C", mills, *words, *NOW)[0] == 0
    told = _answer(digest("-C", mills, "skip", "--release", "--json", "--dry-run", *NOW))
    out = digest("-C", mills, "skip", "--release", *NOW)[1]

    reason = "taken out: was in 2026-w50, 1 week ahead; a summary goes out once"
    gone = [{"id": name, "reason": reason} for name in ("m0", "m1")]
    assert told["taken_out"] == gone
    assert out.splitlines() == [
        f"{KEY}  released",
        f"  m0: {reason}",
        f"  m1: {reason}",
        f"next: digest build {KEY} --refill",
    ]
    built = _answer(digest("-C", mills, "build", KEY, "--refill", "--json", *NOW))
    assert [item["id"] for item in built["items"]] == ["m2", "m3"]


def test_skip_takes_no_reason_to_release(digest: Digest, mills: Path) -> None:
    """Both at once are a wrong use."""
    code, _, err = digest("-C", mills, "skip", "--release", "--reason", "x", *NOW)

    assert code == 2
    assert "--release takes no reason" in err


def test_skipped_week_is_nothing_to_send(digest: Digest, mills: Path) -> None:
    """A build of it is done with nothing, and exit 3 where that was asked for."""
    digest("-C", mills, "skip", "--reason", "a feast", *NOW)
    code, out, err = digest("-C", mills, "build", *NOW)

    assert (code, out, err) == (0, f"{KEY}: skipped by hand: a feast\n", "")
    assert digest("-C", mills, "build", "--fail-if-empty", *NOW)[0] == 3


def test_publish_of_a_skipped_week(digest: Digest, mills: Path) -> None:
    """Asked for by the week it is nothing to do; asked for by its name it is refused."""
    digest("-C", mills, "skip", "--reason", "a feast", *NOW)
    dry = digest("-C", mills, "publish", "--dry-run", *NOW)[1]
    code, out, err = digest("-C", mills, "publish", *NOW)

    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"{KEY}: nothing to publish; it is skipped: a feast"
    assert dry.splitlines()[0].endswith("a feast  (dry run: nothing was written)")
    named, _, err = digest("-C", mills, "publish", KEY, *NOW)
    assert named == 4
    assert "is skipped: a feast" in err
    assert "2026-w49" not in (mills / "outbox/site/index.html").read_text("utf-8")


def test_publish_of_a_week_that_nobody_picked(digest: Digest, mills: Path) -> None:
    """A file that names no items is nothing to publish, also over an edition of before."""
    (mills / _FILE).write_text("---\nsubject: Corn\n---\n")
    code, out, _ = digest("-C", mills, "publish", *NOW)

    assert code == 0
    assert "nothing to publish; `digest build` picks and renders it first" in out
    assert digest("-C", mills, "publish", KEY, *NOW)[0] == 2
    assert (
        digest("-C", mills, "publish", "--json", *NOW)[1]
        == json.dumps({"schema": 1, "issue": KEY, "state": "none", "changed": []}, indent=2) + "\n"
    )


def test_publish_after_a_skip_was_written_too_late(digest: Digest, mills: Path) -> None:
    """What is out is out: publishing brings it up to date as ever."""
    assert digest("-C", mills, "publish", *NOW)[0] == 0
    file = mills / _FILE
    file.write_text(file.read_text("utf-8").replace("items:", "skip: late\nitems:", 1), "utf-8")

    assert "number 1, published before; nothing to do" in digest("-C", mills, "publish", *NOW)[1]
    code, _, err = digest("-C", mills, "skip", *NOW)
    assert code == 4
    assert f"digest withdraw {KEY}" in err


def test_withdraw_in_words(digest: Digest, mills: Path) -> None:
    """The files of the site that changed; a second time there are none."""
    assert digest("-C", mills, "publish", *NOW)[0] == 0
    dry = digest("-C", mills, "withdraw", KEY, "--dry-run", *NOW)[1].splitlines()
    code, out, err = digest("-C", mills, "withdraw", KEY.upper(), *NOW)

    assert (code, err) == (0, "")
    assert dry[0] == f"{KEY}  withdrawn  (dry run: nothing was written)"
    assert dry[1:] == out.splitlines()[1:]
    assert out.splitlines()[0] == f"{KEY}  withdrawn"
    assert f"  outbox/site/{KEY}.html" in out
    again = digest("-C", mills, "withdraw", KEY, *NOW)
    assert again == (0, f"{KEY}  withdrawn; it was before\n", "")


def test_withdraw_as_json(digest: Digest, mills: Path) -> None:
    """The issue, its state and the files that changed."""
    assert digest("-C", mills, "publish", *NOW)[0] == 0
    told = _answer(digest("-C", mills, "withdraw", KEY, "--json", *NOW))

    assert (told["issue"], told["state"]) == (KEY, "withdrawn")
    assert f"outbox/site/{KEY}.html" in told["changed"]


@pytest.mark.parametrize(("key", "code"), [(KEY, 4), ("2026-w50", 4), ("soon", 2)])
def test_withdraw_of_what_is_not_out(digest: Digest, mills: Path, key: str, code: int) -> None:
    """A draft, or nothing, is refused; nothing changes."""
    before = kept(mills)

    assert digest("-C", mills, "withdraw", key, *NOW)[0] == code
    assert kept(mills) == before


def test_withdrawn_issue_is_told_as_such(digest: Digest, mills: Path) -> None:
    """Build, publish and status know it; verify still proves its edition."""
    for command in ("publish", "withdraw"):
        assert digest("-C", mills, command, KEY, *NOW)[0] == 0

    def said(command: str) -> str:
        code, out, err = digest("-C", mills, command, KEY, *NOW)
        assert (code, err) == (0, "")
        return out.splitlines()[0]

    assert said("build") == f"{KEY}  number 1, withdrawn; it does not come back"
    assert said("publish") == f"{KEY}  number 1, withdrawn before; it does not come back"
    assert said("verify") == f"{KEY}: identical, every byte"
    assert f"{KEY}  withdrawn" in digest("-C", mills, "status", *NOW)[1]
    told = _answer(digest("-C", mills, "publish", "--json", *NOW))
    assert (told["state"], told["changed"]) == ("withdrawn", [])


def test_next_issue_after_a_withdrawn_one(digest: Digest, mills: Path) -> None:
    """It holds the same items under the next number."""
    for command in ("publish", "withdraw"):
        assert digest("-C", mills, command, KEY, *NOW)[0] == 0
    told = _answer(digest("-C", mills, "build", "--json", *_NEXT))

    assert (told["number"], [item["id"] for item in told["items"]]) == (2, ["m0", "m1"])
    assert digest("-C", mills, "publish", *_NEXT)[0] == 0


def test_withdrawn_issue_is_not_sent(digest: Digest, letter: Path, send: Send) -> None:
    """Neither for real nor in a dry run."""
    for command in ("publish", "withdraw"):
        assert digest("-C", letter, command, KEY, *NOW)[0] == 0

    for words in ((), ("--dry-run",)):
        code, told, err = send(*words)
        assert code == 4
        assert "was withdrawn" in err
        assert told["error"]["exit"] == 4
    assert not (letter / f"outbox/{KEY}/messages").exists()


def test_sent_issue_keeps_its_items(digest: Digest, letter: Path, send: Send) -> None:
    """It leaves site and feeds, but who got it has it."""
    assert send()[0] == 0
    assert digest("-C", letter, "withdraw", KEY, *NOW)[0] == 0
    code, out, _ = digest("-C", letter, "build", *_NEXT)

    assert code == 0
    assert "nothing to send" in out
    assert json.loads((letter / "outbox/site/feed.json").read_text("utf-8"))["items"] == []


def test_killed_withdrawal(digest: Digest, mills: Path) -> None:
    """Whenever it was cut off, the same command brings it to the same end."""
    assert digest("-C", mills, "publish", *NOW)[0] == 0
    done = subprocess.run(  # noqa: S603 - our own program
        [
            sys.executable,
            str(Path(__file__).with_name("crash_steps.py")),
            str(mills),
            "withdraw",
            KEY,
            *NOW,
        ],
        env={**os.environ, "PYTHONPATH": str(_ROOT), "DIGEST_CRASH_STRIDE": "3"},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)

    assert told["code"] == 0
    assert told["steps"] > 10
    assert told["wrong"] == []
