"""The commands of the list of readers: what they say, and how they end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from digest.cli.main import program

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_LIST = (
    "email,name,status,age\nida@post.example,Ida,,9\njon@mills.example,Jon,unsubscribed,8\n"
    "ida@post.example,,,\nkim@quay.example,,frozen,7\n"
)


@pytest.fixture
def root(newsletter: Make) -> Path:
    """Give a newsletter with a list beside it."""
    return newsletter({"list.csv": _LIST})


def test_walk_from_the_first_reader_to_the_last(digest: Digest, root: Path) -> None:
    """Each step says in one line what it did."""
    at = ("-C", root, "readers")
    assert digest(*at, "list") == (0, "no reader yet; `digest readers add` adds one\n", "")
    add = ("add", "ida@post.example", "--name", "Ida", "--consent", "asked")
    assert digest(*at, *add, *_NOW) == (0, "ida@post.example  added\n", "")
    again = digest(*at, "add", "IDA@post.example", *_NOW)
    assert again == (0, "ida@post.example  on the list already, active; nothing to do\n", "")
    named = digest(*at, "add", "ida@post.example", "--name", "Ida Holm", *_NOW)
    assert named == (0, "ida@post.example  on the list already; is now called Ida Holm\n", "")
    gone = digest(*at, "remove", "ida@post.example", *_NOW)
    assert gone == (0, "ida@post.example  removed\n", "")
    assert digest(*at, "remove", "ida@post.example", *_NOW) == (
        0,
        "ida@post.example  left before; nothing to do\n",
        "",
    )
    back = digest(*at, "add", "ida@post.example", "--consent", "wrote again", *_NOW)
    assert back == (0, "ida@post.example  back on the list\n", "")
    code, out, _ = digest(*at, "list", "-v")
    assert code == 0
    assert out == "ida@post.example  active      2026-12-01  Ida Holm  (added by hand)\n1 active\n"
    assert digest(*at, "list", "--state", "left")[1] == "no reader is left\n"


def test_import_tells_each_row_that_is_no_new_reader(digest: Digest, root: Path) -> None:
    """The sum in one line, rows that failed as errors, the rest with `-v`; exit 1."""
    at = ("-C", root, "readers", "import", root / "list.csv", "--consent", "club", *_NOW)
    code, out, err = digest(*at, "-v")
    again = digest(*at)

    assert code == 1
    assert out.splitlines() == [
        "  ida@post.example  active",
        "  jon@mills.example  left",
        "  skipped list.csv:4: ida@post.example stands in line 2 already",
        "2 imported (1 active, 1 left), 0 on the list already, 1 twice in the file, 1 failed",
    ]
    assert "note: list.csv:1: columns left out: age" in err
    assert "error: list.csv:5: the status 'frozen' is not known" in err
    assert "nobody was imported" not in err
    assert again[0] == 1
    assert again[1] == (
        "0 imported, 2 on the list already (1 active, 1 left), 1 twice in the file, 1 failed\n"
    )
    assert "nobody was imported" not in again[2]


def test_second_import_of_a_good_list_is_no_fault(digest: Digest, newsletter: Make) -> None:
    """Nobody is imported, and nobody was to be."""
    root = newsletter({"list.txt": "ida@post.example\n"})
    at = ("-C", root, "readers", "import", root / "list.txt", "--consent", "club")

    assert digest(*at)[0] == 0
    assert digest(*at) == (0, "0 imported, 1 on the list already, 0 failed\n", "")


def test_answers_in_json(digest: Digest, root: Path) -> None:
    """Each command has its keys; a reader is told with five."""
    reader = {
        "email": "ida@post.example",
        "name": "Ida",
        "state": "active",
        "reason": "imported from list.csv",
        "since": "2026-12-01T10:00:00+01:00",
    }
    at = ("-C", root, "--json", "readers")
    taken = json.loads(digest(*at, "import", root / "list.csv", "--consent", "club", *_NOW)[1])
    listed = json.loads(digest(*at, "list", "--state", "active")[1])
    added = json.loads(digest(*at, "add", "ida@post.example")[1])
    gone = json.loads(digest(*at, "remove", "jon@mills.example", "lea@post.example", *_NOW)[1])

    assert list(taken) == ["schema", "columns", "imported", "skipped", "failed"]
    assert taken["imported"][0] == reader
    assert taken["skipped"] == [
        {"place": "list.csv:4", "reason": "ida@post.example stands in line 2 already"}
    ]
    assert [one["place"] for one in taken["failed"]] == ["list.csv:5"]
    assert listed == {"schema": 1, "readers": [{**reader, "since": "2026-12-01T09:00:00+00:00"}]}
    assert added == {"schema": 1, "reader": listed["readers"][0], "done": "nothing"}
    assert gone["removed"] == []
    assert [one["email"] for one in gone["kept"]] == ["jon@mills.example"]
    assert [one["where"] for one in gone["problems"]] == ["lea@post.example"]


def test_dry_runs_say_so_and_make_nothing(digest: Digest, root: Path) -> None:
    """They end as the real ones would."""
    at = ("-C", root, "readers")
    add = digest(*at, "add", "ida@post.example", "--consent", "asked", "--dry-run")
    take = digest(*at, "import", root / "list.csv", "--consent", "club", "--dry-run")
    remove = digest(*at, "remove", "ida@post.example", "--dry-run")

    assert add == (0, "ida@post.example  added  (dry run: nothing was written)\n", "")
    assert (take[0], take[1].endswith("1 failed  (dry run: nothing was written)\n")) == (1, True)
    assert remove[0] == 1
    assert not (root / "private").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["add", "ida@post.example"], 2, '--consent "asked me by mail'),
        (["add", "ida@post.example", "--consent", " "], 2, '--consent "asked me by mail'),
        (["add", "nobody", "--consent", "asked"], 2, "is no mail address"),
        (["import", "list.csv"], 2, '--consent "signed up'),
        (["import", "none.csv", "--consent", "club"], 6, "none.csv: cannot be read"),
        (["import"], 2, "FILE"),
        (["remove"], 2, "ADDRESS"),
        (["remove", "ida@post.example"], 1, "is not on the list"),
        (["list", "--state", "gone"], 2, "'gone'"),
        (["lits"], 2, "did you mean `digest readers list`?"),
        (["zzz"], 2, "`digest readers --help` lists them"),
        (["list", "--no-such"], 2, "`digest readers list --help`"),
    ],
)
def test_wrong_use_says_the_next_step(
    digest: Digest, root: Path, arguments: list[str], code: int, word: str
) -> None:
    """The exit code is the one documented, and the way on is named."""
    arguments = [str(root / one) if one.endswith(".csv") else one for one in arguments]
    ended, out, err = digest("-C", root, "readers", *arguments)

    assert ended == code
    assert out == ""
    assert word in err
    assert "Traceback" not in err
    assert str(root) not in err
    assert not (root / "private").exists()


def test_suppressed_reader_is_refused_with_the_reason(digest: Digest, newsletter: Make) -> None:
    """A guard says no, whatever the consent."""
    root = newsletter({"list.csv": "mail,status\nida@post.example,bounced\n"})
    at = ("-C", root, "readers")
    assert digest(*at, "import", root / "list.csv", "--consent", "club")[0] == 0
    code, _, err = digest(*at, "add", "ida@post.example", "--consent", "asked")

    assert code == 4
    assert "imported from list.csv as bounced" in err


def test_global_options_stand_at_each_level(digest: Digest, root: Path) -> None:
    """Before `readers`, after it, and after its command they mean the same; the last wins."""
    add = ("add", "ida@post.example", "--consent", "asked", "--dry-run", "--json")
    first = digest("-C", root, *_NOW, "readers", *add)
    middle = digest("readers", "-C", root, *_NOW, *add)
    last = digest("readers", *add, "-C", root, *_NOW)
    mixed = digest("--now", "2020-01-01", "readers", "--now", "2021-01-01", *add, "-C", root, *_NOW)

    assert first[0] == 0
    assert first == middle == last == mixed
    assert digest("readers", "-q", *add[:-1], "-C", root) == (0, "", "")


def test_settings_given_at_each_level_add_up(digest: Digest, root: Path) -> None:
    """`--set` before the group and after its command both count."""
    code, _, err = digest(
        *("-C", root, "--set", "one.x=1", "readers", "--set", "two.x=1", "list"),
        *("--set", "three.x=1"),
    )

    assert code == 2
    assert all(key in err for key in ("one", "two", "three"))


def test_error_below_the_group_is_json_where_asked(digest: Digest, root: Path) -> None:
    """Also where the option stands after the command that is wrong."""
    for arguments in (["readers", "lits", "--json"], ["--json", "readers", "add", "nobody"]):
        told = json.loads(digest("-C", root, *arguments)[1])
        assert told["error"]["exit"] == 2


def test_help_lists_the_commands(digest: Digest) -> None:
    """Of the program and of the group, with one line each."""
    above, below = digest("--help")[1], digest("readers", "--help")[1]
    context = click.Context(program)
    group = program.get_command(context, "readers")

    assert re.search(r"^  readers +Say who gets the newsletter\.$", above, re.MULTILINE)
    assert isinstance(group, click.Group)
    names = group.list_commands(context)
    assert names == ["add", "import", "list", "remove"]
    for name in names:
        command = group.get_command(context, name)
        assert command
        assert command.name == name
        assert f"  {name:<6}  {command.short_help}" in below
    assert group.get_command(context, "none") is None


def test_lists_are_written_while_an_issue_is_going_out(digest: Digest, root: Path) -> None:
    """No lock but the database's own is taken: a send may hold the newsletter's for hours."""
    from filelock import FileLock  # noqa: PLC0415 - used by this test alone

    (root / "private").mkdir(mode=0o700)
    with FileLock(root / "private/lock"):
        at = ("-C", root, "readers")
        assert digest(*at, "add", "ida@post.example", "--consent", "asked")[0] == 0
        assert digest(*at, "import", root / "list.csv", "--consent", "club")[0] == 1
        assert digest(*at, "remove", "ida@post.example")[0] == 0


def test_terminal_is_not_steered_by_names(digest: Digest, newsletter: Make) -> None:
    """Control characters of a list reach neither stdout nor stderr."""
    root = newsletter(
        {"list.csv": 'email,name,status\nida@post.example,"I\x1b[2Jda",\njon@\x1b]0;x\x07,,\n'}
    )
    at = ("-C", root, "readers")
    taken = digest(*at, "import", root / "list.csv", "--consent", "club", "-v")
    listed = digest(*at, "list")

    assert taken[0] == 1
    for text in (*taken[1:], *listed[1:]):
        assert "\x1b[2J" not in text
        assert "\x1b]" not in text
        assert "\x07" not in text
