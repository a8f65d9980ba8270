"""HI-01, the list of readers: a line break in a name or an address is nobody's header."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from cases.inputs import both

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_OURS = {
    "people.csv": 'email,name,status\r\nida@post.example,"Ida\r\nBcc: mallory@post.example",active'
    '\r\n"jon@mills.example\r\nmallory@post.example",Jon,active\r\n'
    "kim@quay.example,Kim,active\r\n"
}


@both("HI-01", _OURS, "*.csv")
def test_hi_01_names_are_one_line_and_torn_addresses_nobodys(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """The name is mended with a notice, the address refused by row; the neighbours come in."""
    [(name, data)] = files.items()
    first, torn, victim, last = re.findall(r"^\"?([^\s,:]+@[^\s,\"]+)", data.decode(), re.MULTILINE)
    root = newsletter({name: data})
    code, out, err = digest("-C", root, "readers", "import", root / name, "--consent", "by hand")
    readers = json.loads(digest("-C", root, "readers", "list", "--json")[1])["readers"]

    assert code == 1
    assert out.startswith("2 imported, ")
    assert f"note: {name}:2: the line break in the name became a blank" in err
    assert f"error: {name}:4: row 3: the address holds a line break: {torn} {victim}" in err
    assert [one["email"] for one in readers] == [first, last]
    assert victim not in {one["email"] for one in readers}
    for one in readers:
        assert one["name"] == " ".join(one["name"].split())
        assert one["state"] == "active"


def test_hi_01_name_given_by_hand_is_one_line(digest: Digest, newsletter: Make) -> None:
    """What a command line holds is cleaned like what a file holds."""
    root = newsletter({})
    told = digest(
        *("-C", root, "readers", "add", "ida@post.example", "--json"),
        *("--name", "Ida\r\nBcc: mallory@post.example", "--consent", "asked\r\nat the quay"),
    )
    torn = digest("-C", root, "readers", "add", "jon@mills.example\nmallory@post.example")

    assert json.loads(told[1])["reader"]["name"] == "Ida Bcc: mallory@post.example"
    assert torn[0] == 2
    assert len(json.loads(digest("-C", root, "readers", "list", "--json")[1])["readers"]) == 1
