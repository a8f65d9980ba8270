"""CS-01: a list saved by a spreadsheet is read whole, or refused with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases.inputs import both

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_OURS: dict[str, str | bytes] = {
    "excel.csv": '\ufeffE-Mail;Name\r\nida@post.example;"Holm; \u00d6sten"\r\n'
    'jon@mills.example;Jon\r\nkim@quay.example;"Kim ""the K"" Ek"\r\n',
    "addresses.txt": "\nida@post.example\n\njon@mills.example\nkim@quay.example",
    "latin1.csv": "email,name\nida@post.example,Ida\njon@mills.example,J\u00f6n\n".encode(
        "latin-1"
    ),
}


def _typed(data: bytes) -> list[tuple[str, str]]:
    """Read a list as a person does: an address, a semicolon, a name perhaps in quotes."""
    found = []
    for line in data.decode("utf-8-sig").splitlines():
        address, _, name = line.partition(";")
        if name[:1] == '"':
            name = name[1:-1].replace('""', '"')
        if "@" in address:
            found.append((address, name))
    return found


def _listed(digest: Digest, root: Path) -> list[tuple[str, str, str]]:
    code, out, err = digest("-C", root, "readers", "list", "--json")
    assert code == 0, err
    readers: list[dict[str, Any]] = json.loads(out)["readers"]
    return [(one["email"], one["name"], one["state"]) for one in readers]


def _import(digest: Digest, file: Path, *arguments: str) -> tuple[int, str, str]:
    where = ("-C", file.parent, "readers", "import", file)
    return digest(*where, "--consent", "the list of the rowing club", *arguments)


@pytest.mark.parametrize("name", ["excel.csv", "addresses.txt"])
@both("CS-01", _OURS, "*.*")
def test_cs_01_all_readers_come_in_with_their_names(
    digest: Digest, newsletter: Make, files: dict[str, bytes], name: str
) -> None:
    """Mark, semicolons, quotes and the missing header lose nobody."""
    root = newsletter({name: files[name]})
    code, out, err = _import(digest, root / name)
    typed = _typed(files[name])

    assert (code, err) == (0, "")
    assert out.startswith("3 imported, ")
    assert len(typed) == 3
    assert _listed(digest, root) == [(*one, "active") for one in sorted(typed)]


@both("CS-01", _OURS, "*.*")
def test_cs_01_other_encoding_is_refused_with_the_line(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Nobody comes in under a name with a replacement sign."""
    data = files["latin1.csv"]
    line = next(n for n, one in enumerate(data.splitlines(), start=1) if max(one) > 127)
    root = newsletter({"latin1.csv": data})
    code, out, err = _import(digest, root / "latin1.csv")

    assert code == 1
    assert out.startswith("0 imported, ")
    assert f"latin1.csv:{line}: is not UTF-8" in err
    assert _listed(digest, root) == []


@pytest.mark.parametrize(
    ("data", "columns"),
    [
        ("Person;Post\nIda;ida@post.example\n", "Person, Post"),
        ("email\tname\nnobody\tIda\n\n,\n", "email, name"),
        ("mail,status\nida@post.example,perhaps\n", "mail, status"),
    ],
)
def test_cs_01_nobody_imported_is_no_success(
    digest: Digest, newsletter: Make, data: str, columns: str
) -> None:
    """The exit code is 1, and the columns that were found are shown."""
    root = newsletter({"list.csv": data})
    code, out, err = _import(digest, root / "list.csv")
    told = json.loads(_import(digest, root / "list.csv", "--json")[1])

    assert code == 1
    assert out.startswith("0 imported, ")
    assert f"nobody was imported; the columns found are: {columns}" in err
    assert told["imported"] == []
    assert ", ".join(told["columns"]) == columns
    assert _listed(digest, root) == []
