"""`digest check --sizes` and `--links`: what the mail's octets go to, and where its links lead."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import KEY, NOW, tree

from digest.links import LinkWatch

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Check = Callable[..., tuple[int, dict[str, Any]]]

_ITEM = "---\ntitle: {0}\nurl: {1}\n---\n\n{2}\n"
# Of no network that is public: no name is asked for, no connection made.
_PRIVATE = ("http://127.0.0.1:{port}/a", "https://[::1]/b", "http://10.1.2.3/c", "http://[::]/d")
_ROPES = "http://10.1.2.3/ropes"
_BODY = (
    "See [b]({1}), [c]({2}) and [d]({3}), [there]({0}#two), by [mail](mailto:a@sea.example) "
    "and [here](two.md)."
)


@pytest.fixture
def listener() -> Any:  # noqa: ANN401 - a fixture that yields
    """Give a server on loopback that nobody should call."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        yield server


@pytest.fixture
def urls(listener: socket.socket) -> tuple[str, ...]:
    """Give the private addresses that the issue leads to, the listener's first."""
    return tuple(url.format(port=listener.getsockname()[1]) for url in _PRIVATE)


@pytest.fixture
def letter(newsletter: Make, digest: Digest, urls: tuple[str, ...]) -> Path:
    """Give a newsletter with a draft of a long and a short item that lead to private places."""
    root = newsletter(
        {
            "content/one.md": _ITEM.format("Tide & mills", urls[0], _BODY.format(*urls)),
            "content/two.md": _ITEM.format("Ropes", _ROPES, "Words of ropes. " * 200),
        },
        settings="[selection]\nsimilarity = 0\n",
    )
    assert digest("-C", root, "build", *NOW)[0] == 0
    return root


@pytest.fixture
def check(digest: Digest, letter: Path) -> Check:
    """Give a function that checks the draft: exit code and JSON."""

    def call(*words: str) -> tuple[int, dict[str, Any]]:
        code, out, err = digest("-C", letter, "check", "--json", *words, *NOW)
        assert "Traceback" not in err
        return code, json.loads(out)

    return call


@pytest.fixture
def shut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have every way to another machine fail, and note that it was tried.

    What is asked for an address of numbers answers without a network.
    """
    tried: list[str] = []

    def refuse(name: str) -> Callable[..., None]:
        def call(*_: object, **__: object) -> None:
            tried.append(name)
            raise OSError(101, "Network is unreachable")

        return call

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse(name))
    for name in ("gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refuse(name))
    monkeypatch.setattr(
        socket, "getaddrinfo", partial(socket.getaddrinfo, flags=socket.AI_NUMERICHOST)
    )
    return tried


def _html(root: Path, name: str = "issue.html") -> bytes:
    return (root / f"outbox/{KEY}" / name).read_bytes()


def test_sizes_are_told_with_every_check_in_json(letter: Path, check: Check) -> None:
    """Octets of both parts, the budget, and of each item in the order of the mail."""
    code, told = check()
    sizes = told["sizes"]

    assert code == 0
    assert sizes["html"] == len(_html(letter))
    assert sizes["text"] == len(_html(letter, "issue.txt"))
    assert sizes["budget"] == 80_000
    items = {item["id"]: item for item in sizes["items"]}
    assert {item["title"] for item in items.values()} == {"Tide & mills", "Ropes"}
    assert items["two"]["octets"] > len("Words of ropes. " * 200)
    assert items["one"]["octets"] < items["two"]["octets"]
    assert sum(item["octets"] for item in items.values()) < sizes["html"]
    edition = json.loads(_html(letter, "edition.json"))
    assert [item["id"] for item in sizes["items"]] == [item["id"] for item in edition["items"]]


def test_sizes_for_people(digest: Digest, letter: Path, check: Check) -> None:
    """One line for the mail, one below for each item; without the option there are none."""
    sizes = check()[1]["sizes"]
    plain = digest("-C", letter, "check", *NOW)[1].splitlines()
    lines = digest("-C", letter, "check", "--sizes", *NOW)[1].splitlines()

    assert lines[: len(plain)] == plain
    head, *items = lines[len(plain) :]
    assert head == f"{KEY}: HTML {sizes['html']:,} octets of 80,000, text {sizes['text']:,}"
    assert [line.split(maxsplit=1) for line in items] == [
        [f"{item['octets']:,}", item["title"]] for item in sizes["items"]
    ]
    unbounded = digest("-C", letter, "check", "--sizes", "--set=mail.budget=0", *NOW)[1]
    assert f"{KEY}: HTML {sizes['html']:,} octets, text " in unbounded


def test_sizes_stay_out_of_a_workflow(digest: Digest, letter: Path) -> None:
    """There each line is a command of the workflow."""
    out = digest("-C", letter, "check", "--sizes", "--format", "github", *NOW)[1]
    assert all(line.startswith("::") for line in out.splitlines())


def test_private_links_are_not_checked(
    check: Check, urls: tuple[str, ...], listener: socket.socket, shut: list[str]
) -> None:
    """Each is told with the reason; nothing was connected to, and nobody called the listener."""
    code, told = check("--links")

    assert code == 0
    assert {one["url"] for one in told["links"]} == {
        *urls,
        f"{urls[0]}#two",
        _ROPES,
    }
    assert {(one["result"], one["detail"], one["to"]) for one in told["links"]} == {
        ("not checked", "it lies in a private network", "")
    }
    assert not [one for one in told["findings"] if one["rule"] == "D126"]
    assert shut == []
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_private_links_are_not_checked_with_a_real_network(
    check: Check, listener: socket.socket
) -> None:
    """The same where connections could be made: the listener hears of nothing."""
    results = {one["result"] for one in check("--links")[1]["links"]}
    assert results == {"not checked"}
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_links_are_looked_at_only_where_asked_for(
    letter: Path, check: Check, shut: list[str]
) -> None:
    """Without the option there is no network, no `links`, and no memory of them."""
    assert "links" not in check()[1]
    assert shut == []
    assert not (letter / "private/links.json").exists()


def test_links_for_people(digest: Digest, letter: Path, shut: list[str]) -> None:
    """One line counts the answers."""
    code, out, err = digest("-C", letter, "check", "--links", *NOW)

    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == f"{KEY}: 6 links: 6 not checked"
    assert shut == []


def test_links_change_nothing_but_their_memory(letter: Path, check: Check, shut: list[str]) -> None:
    """Only `private/links.json` is written."""
    before = tree(letter)
    check("--links")
    after = tree(letter)

    assert {name for name in after if after[name] != before.get(name)} == {"private/links.json"}
    assert set(before) <= set(after)
    assert shut == []


def test_answers_become_findings(
    check: Check, urls: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is gone is a warning at the file that leads there, what does not answer a note."""

    def answer(_project: object, _kept: object, *, watch: LinkWatch, **_: object) -> object:
        from digest.model import LinkState  # noqa: PLC0415 - used here alone

        watch.progress(1, 3)
        results = zip(urls[1:], ("broken", "unreachable", "redirected"), strict=True)
        return {
            url: LinkState(url=url, result=result, detail="said so", to=f"{url}/new")
            for url, result in results
        }

    monkeypatch.setattr("digest.publish.links.ask_links", answer)
    code, told = check("--links")
    found = [one for one in told["findings"] if one["rule"] == "D126"]

    assert code == 0
    assert [one["level"] for one in found] == ["warning", "note", "note"]
    assert {one["path"] for one in found} == {"content/one.md"}
    assert all(url in one["message"] for url, one in zip(urls[1:], found, strict=True))
    assert check("--links", "--set=checks.strict=true")[0] == 1


def test_a_published_issue_can_be_asked_about(
    digest: Digest, letter: Path, check: Check, shut: list[str]
) -> None:
    """Its links are those of the edition, whatever its texts say now."""
    assert digest("-C", letter, "publish", *NOW)[0] == 0
    (letter / "content/one.md").write_text(_ITEM.format("Other", "https://sea.example/", "x"))
    code, told = check("--links")

    assert (code, len(told["links"])) == (0, 6)
    assert shut == []


def test_links_of_no_edition_is_wrong_use(digest: Digest, newsletter: Make) -> None:
    """Exit 2 says what to do first."""
    code, _, err = digest("-C", newsletter({}, name="empty"), "check", "--links", *NOW)
    assert code == 2
    assert f"run `digest build {KEY}` first" in err


def test_a_finding_without_a_place_begins_with_its_level(digest: Digest, letter: Path) -> None:
    """Nothing stands before it, neither in a check nor where an issue is published."""
    for words in (
        ("add", "ann@reader.example", "--consent", "asked"),
        ("remove", "ann@reader.example"),
    ):
        assert digest("-C", letter, "readers", *words, *NOW)[0] == 0
    told = "D119: no reader is active, so nobody would get it by mail"
    lines = digest("-C", letter, "check", *NOW)[1].splitlines()

    assert f"note {told}" in lines
    assert digest("-C", letter, "publish", *NOW)[2].splitlines().count(f"note {told}") == 1
    assert all(line[:1].isalnum() for line in lines)
