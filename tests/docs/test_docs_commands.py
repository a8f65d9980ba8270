"""The page of commands names every command, option, exit code and key of JSON."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from docs.pages import page, rows, sections
from relay.server import Relay

from digest import errors
from digest.cli.main import program

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_PAGE = page("commands.md")
_CONTEXT = click.Context(program, info_name="digest")


def _commands_of(group: click.Group) -> dict[str, click.Command]:
    """Give the commands of a group by name, those of a group inside it by both names."""
    found: dict[str, click.Command] = {}
    for name in group.list_commands(_CONTEXT):
        command = group.get_command(_CONTEXT, name)
        assert command
        inner = _commands_of(command) if isinstance(command, click.Group) else {"": command}
        found |= {f"{name} {below}".strip(): one for below, one in inner.items()}
    return found


_COMMANDS = _commands_of(program)
_SECTIONS = {
    max((one for one in _COMMANDS if f"{heading} ".startswith(f"`digest {one}")), key=len): (
        heading.strip("`"),
        text,
    )
    for heading, text in sections(_PAGE).items()
    if heading.startswith("`digest ")
}
_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_ITEM = "---\ntitle: {0}\nurl: https://a.example/{0}\n---\n\n{0} is told here.\n"
_PEOPLE = "email,name,status\nbo@reader.example,Bo,active\nann@reader.example,,\n?,,\n"
_SHED = "---\ntitle: {0}\n---\n\nIt stands in the harbour.\n"
_LISTING = (
    b"Notes 2026\n\nA mill grinds corn by the tide. It did so for ages.\n\n\xff\xfe bad one\n"
)


def _options(command: click.Command) -> set[str]:
    named = [param for param in command.params if isinstance(param, click.Option)]
    help_option = command.get_help_option(_CONTEXT)
    return {name for option in [*named, help_option] if option for name in option.opts}


_GLOBAL = _options(click.Command("none", params=list(program.params))) - {"--version"}


def _told_options(text: str) -> set[str]:
    return {
        name
        for row in rows(text)
        if row[0].startswith("`-")
        for name in re.findall(r"(?<!\w)-{1,2}[A-Za-z][a-z-]*", row[0])
    }


def test_every_command_has_a_section() -> None:
    """The sections are the commands, in the order of `digest --help`."""
    assert list(_SECTIONS) == list(_COMMANDS)


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_option_is_in_the_table_of_its_command(name: str) -> None:
    """A table holds the command's own options, and no other."""
    command = _COMMANDS[name]
    assert command

    assert _told_options(_SECTIONS[name][1]) == _options(command) - _GLOBAL


@pytest.mark.parametrize("name", _COMMANDS)
def test_arguments_are_those_of_the_command(name: str) -> None:
    """The heading shows how the command is called."""
    command = _COMMANDS[name]
    assert command
    pieces = command.collect_usage_pieces(click.Context(command, info_name=name))[1:]

    assert _SECTIONS[name][0] == " ".join(["digest", name, *(p.strip("{}") for p in pieces)])


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_takes_the_global_options(name: str) -> None:
    """The options of the first table stand before and after each command."""
    command = _COMMANDS[name]
    assert command

    assert _told_options(sections(_PAGE)["Options that every command takes"]) == _GLOBAL
    assert _options(command) >= _GLOBAL


def test_every_exit_code_is_told() -> None:
    """The table holds the codes of all errors, and those that are no errors."""
    found = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = {kind.exit_code for kind in found if issubclass(kind, errors.DigestError)}
    told = {int(row[0]) for row in rows(sections(_PAGE)["Exit codes"])}

    assert told == codes | {0, 3, 5, 130}
    assert {
        int(code) for code in re.findall(r"^ +(\d+) ", program.help or "", re.MULTILINE)
    } <= told


# Mappings whose keys are names, with what stands behind each.
_BY_NAME = {"files": "name: sha256", "led": "theme: issues", "longest_wait": "theme: weeks"}


def _merged(values: list[Any]) -> Any:  # noqa: ANN401 - it comes from JSON
    """Lay values of one shape over each other: keys in order of appearance, lists as one."""
    if all(isinstance(value, dict) for value in values):
        keys = dict.fromkeys(key for value in values for key in value)
        return {key: _merged([value[key] for value in values if key in value]) for key in keys}
    if all(isinstance(value, list) for value in values):
        inside = [one for value in values for one in value]
        return [_merged(inside)] if inside else []
    return ""


def _shape(value: Any, key: str = "") -> str:  # noqa: ANN401 - it comes from JSON
    if key in _BY_NAME and (value or key != "files"):
        return f"{key} {{{_BY_NAME[key]}}}"
    if isinstance(value, dict) and value:
        inside = ", ".join(_shape(below, name) for name, below in value.items())
        return f"{key} {{{inside}}}".strip()
    if isinstance(value, list):
        return _shape(value[0], f"{key}[]") if value else f"{key}[]"
    return key


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter in which each command has something of every kind to tell."""
    files: dict[str, str | bytes] = {
        f"content/{name.lower()}.md": _ITEM.format(name) for name in ("Mills", "Locks", "Weirs")
    }
    return newsletter(
        {
            **files,
            "content/issues/2027-w02.md": "---\nskip: a feast\nitems: [mills]\n---\n",
            "content/quays.md": "# Quays\n\nNo link.\n",
            "notes.txt": _LISTING,
            "people.csv": _PEOPLE,
        },
        settings="[selection]\nmin_items = 6\n[[theme]]\nid = 'water'\nmatch = ['word:mills']\n",
    )


def _by(relay: Relay) -> tuple[str, ...]:
    return (
        "--set=transport.kind=smtp",
        "--set=transport.smtp.host=127.0.0.1",
        f"--set=transport.smtp.port={relay.port}",
        "--set=transport.smtp.security=none",
    )


# One call a line, in an order in which each has an answer.
_BEFORE: tuple[tuple[str, ...], ...] = (
    ("init", "other"),
    ("new", "Piers", "--dry-run"),
    ("plan",),
    ("plan", "--against", "HEAD"),
    ("themes",),
    ("themes", "water"),
    ("config",),
    ("build",),
    ("check",),
    ("check", "--explain", "D101"),
    ("why", "mills"),
    ("why", "water"),
    ("publish",),
    ("verify",),
    ("status",),
    ("backtest", "--set=selection.mode=mixed"),
    ("build", "2026-w40", "--set", "content.include=[]"),
)
_NEXT_WEEK: tuple[tuple[str, ...], ...] = (
    ("build", "2026-w50"),
    ("check", "2026-w50", "--links"),
    ("build", "2026-w50", "--refill"),
    ("drop", "cranes", "--issue", "2026-w50"),
    ("hold", "2026-w50", "--release"),
    ("readers add", "ann@reader.example", "--consent", "asked"),
)
_AFTER: tuple[tuple[str, ...], ...] = (
    ("readers remove", "bo@reader.example", "nobody@reader.example"),
    ("readers list",),
    ("doctor", "--offline"),
    ("doctor", "--mail", "ed@harbour.example"),
    ("skip", "2027-w02", "--release"),
    ("withdraw", "2026-w49"),
    ("look export", "words.txt.j2"),
    ("look export", "words.txt.j2", "page.css.j2"),
    ("look list",),
    ("look check",),
    ("look check", "--accept"),
)
# These have several kinds of answers.
_APART = {"plan", "why", "build", "check", "send", "doctor"}


def _calls(root: Path, relay: Relay) -> tuple[tuple[str, ...], ...]:
    """Give all calls, also those that name files and the relay."""
    listing = ("import", "listing", str(root / "notes.txt"), "--date", "2026-11-01")
    return (
        *_BEFORE,
        listing,
        listing,
        *_NEXT_WEEK,
        ("verify-mail", str(root / "outbox/2026-w49/issue.eml")),
        ("readers import", str(root / "people.csv"), "--consent", "asked"),
        ("send", "2026-w50", "--dry-run"),
        ("send", "2026-w50", "--test", "ed@harbour.example"),
        ("send", "2026-w50", "--yes", *_by(relay)),
        ("tick", *_by(relay)),
        ("tick", "--now", "2026-12-11T16:00:00+01:00", *_by(relay)),
        *_AFTER,
        ("doctor", "--received", str(root / "arrived.eml")),
    )


def _prepare(root: Path, name: str, rest: list[str]) -> None:
    """Change the newsletter so that a call has something of every kind to tell."""
    if name == "verify":
        _age(root / "outbox/2026-w49/edition.json")
    if name == "backtest":
        (root / "content/locks.md").unlink()
        # An address that is looked at, and not asked: it lies inside.
        for title in ("Cranes\npin: true\nurl: http://127.0.0.1/", "Docks", "Ropes"):
            _store(root, title)
    if "--refill" in rest:
        _store(root, "Docks\nwithdrawn: yes")
    if name == "drop":
        _store(root, "Ropes\nwithdrawn: yes")
    if "--received" in rest:
        [sent] = (root / "outbox/notices").glob("doctor.*")
        (root / "arrived.eml").write_bytes(b"Sender: relay@harbour.example\n" + sent.read_bytes())
    if name == "look check" and not rest:
        (root / "templates/notes.txt").write_text("read by nothing")
        (root / "templates/support.json").write_text('{"accepted": []}')


def _asked(digest: Digest, root: Path, relay: Relay) -> dict[str, list[str]]:
    """Ask each command for JSON; give the shapes of its answers."""
    _change(root)
    answers: dict[str, list[Any]] = {}
    for name, *rest in _calls(root, relay):
        _prepare(root, name, rest)
        moment = () if "--now" in rest else _NOW
        answer = json.loads(digest("-C", root, *name.split(), *rest, "--json", *moment)[1])
        answers.setdefault(name, []).append(answer)
    return {
        name: [_shape(_merged(kind)) for kind in (_kinds(found) if name in _APART else [found])]
        for name, found in answers.items()
    }


def _kinds(answers: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Put answers together that have the same keys."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for answer in answers:
        found.setdefault(tuple(answer), []).append(answer)
    return list(found.values())


def _store(root: Path, header: str) -> None:
    """Write a summary on what stands in the harbour; its header begins with the title."""
    title = header.partition("\n")[0]
    (root / f"content/{title.lower()}.md").write_text(_SHED.format(header))


def _change(root: Path) -> None:
    """Commit a newsletter to git, then take a summary out of it and put two others in."""
    _store(root, "Sluices")
    name = ("-c", "user.name=Ana", "-c", "user.email=ana@harbour.example")
    for words in (("init", "-q"), ("add", "-A"), (*name, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *words], cwd=root, check=True)  # noqa: S603, S607 - as people do
    (root / "content/sluices.md").unlink()
    for title in ("Sheds", "Barges"):
        _store(root, title)


def _age(manifest: Path) -> None:
    """Let an edition be made by an older tool; the versions are not part of what is proved."""
    told = json.loads(manifest.read_text())
    told["tools"]["digest"] = "0.0.1"
    manifest.write_text(json.dumps(told))


def test_keys_of_json_are_told(digest: Digest, letter: Path) -> None:
    """What each command answers with `--json` has the keys that its section tells."""
    with Relay() as relay:
        relay.on("RCPT", "450 4.2.0 later")
        answered = _asked(digest, letter, relay)

    for name, (_, text) in _SECTIONS.items():
        told = re.findall(r"`(\{schema[^`]*\})`", text.replace("\n", " "))
        assert sorted(told) == sorted(answered.get(name, [])), name


def test_errors_are_told_as_json_too(digest: Digest, letter: Path) -> None:
    """A command that stops says why in the shape that the page tells."""
    code, out, _ = digest("-C", letter, "why", "nobody", "--json", *_NOW)

    assert code == 2
    told = sections(_PAGE)["Exit codes"]
    assert f"`{_shape(_merged([json.loads(out)]))}`" in told
