"""BD-02: dots and bare line feeds arrive as they are, by the outbox and by a relay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cases.inputs import both, in_content
from cases.letters import read_part
from cases.sending import by_relay, with_people
from relay.server import Relay

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_OURS = {
    "dots.md": "---\ntitle: Dots\nurl: https://dots.example/\n---\n\n"
    "```\n.profile\n..\n.\n.\nQUIT\n```\n\n...to the end. No line end"
}
_PEOPLE = b"email,name,status\nann@reader.example,Ann,active\n"


@both("BD-02", _OURS)
def test_bd_02_text_arrives_as_it_was(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """What a relay is given equals the outbox file; dots are doubled on the wire alone."""
    make = {"people": _PEOPLE, "now": _NOW, "files": in_content(files)}
    root = with_people(newsletter, digest, **make)  # type: ignore[arg-type]
    (root / "private/key").write_text("5a" * 32)
    with Relay() as relay:
        code, _, err = digest("-C", root, "send", "--yes", *by_relay(relay), *_NOW)
        assert code == 0, err
    [kept] = relay.kept
    twin = with_people(
        lambda content: newsletter(content, name="twin"),
        digest,
        **make,  # type: ignore[arg-type]
    )
    (twin / "private/key").write_text("5a" * 32)
    assert digest("-C", twin, "send", *_NOW)[0] == 0
    [file] = (twin / "outbox/2027-w03/messages").glob("*.eml")

    assert file.read_bytes() == kept.data
    lines = [line.strip() for line in read_part(kept.data, "plain").splitlines()]
    at = lines.index("QUIT")
    assert lines[at - 4 : at] == [lines[at - 4], "..", ".", "."]
    assert lines[at - 4].startswith(".")
    [wire] = relay.wire
    content = bytes(wire).partition(b"DATA\r\n")[2].partition(b"\r\n.\r\n")[0] + b"\r\n"
    assert content == b"".join(
        b"." * line.startswith(b".") + line for line in kept.data.splitlines(keepends=True)
    )
