"""The table of client support: it is what the reducer makes of the data of caniemail.com."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from checks.caniemail import MODULE, module_of
from real.nodes import node_module

from digest.checks.support_table import CLIENTS, GAPS


def _gaps(folder: Path, stats: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Reduce data of one feature, `css-glow`, and read the table of the module."""
    data = folder / "data" / "caniemail.json"
    data.parent.mkdir(exist_ok=True)
    held = {"slug": "css-glow", "stats": stats}
    data.write_text(json.dumps({"last_update_date": "2026-05-13 14:45:41", "data": [held]}))
    (folder / "package.json").write_text(json.dumps({"version": "7.8.9"}))
    tree = ast.parse(module_of(data))
    tables = [node.value for node in tree.body if isinstance(node, ast.AnnAssign)]
    found: dict[str, tuple[str, str]] = ast.literal_eval(tables[1].args[0])  # type: ignore[union-attr] # a call
    return found


@pytest.mark.real
def test_the_table_is_what_the_data_reduce_to() -> None:
    """The module in the tree is, octet for octet, what the reducer writes from the npm package."""
    data = node_module("caniemail") / "data" / "caniemail.json"
    assert MODULE.read_text("utf-8") == module_of(data), (
        "make it anew: python tests/checks/caniemail.py DATA.json"
    )


def test_a_feature_is_told_by_who_lacks_it_and_who_has_part_of_it(tmp_path: Path) -> None:
    """No means lacking, almost means partly, yes and unknown mean nothing; notes are set aside."""
    stats = {
        "apple-mail": {"macos": {"16": "y"}, "ios": {"16": "n #1"}},
        "gmail": {"desktop-webmail": {"2024-01": "a #2 #3"}, "ios": {"2024-01": "u"}},
    }
    assert _gaps(tmp_path, stats) == {"css-glow": ("b", "c")}


def test_a_feature_that_all_have_is_left_out(tmp_path: Path) -> None:
    """What every named mail program has, or was never tested for, is no row of the table."""
    assert _gaps(tmp_path, {"apple-mail": {"macos": {"16": "y #1"}}}) == {}


@pytest.mark.parametrize(
    ("versions", "lacking"),
    [
        ({"9.0": "n", "12.4": "y"}, ""),
        ({"15": "y", "14": "n"}, ""),
        ({"2024-04": "n", "2024-01": "y"}, "a"),
        ({"2007": "y", "2019": "y", "2021-03": "n"}, "a"),
        ({"2011": "n", "2016": "n", "16.80": "y"}, ""),
        ({"16.80": "y", "2024-10": "n"}, "a"),
    ],
)
def test_the_newest_version_that_was_tested_counts(
    tmp_path: Path, versions: dict[str, str], lacking: str
) -> None:
    """Versions of one kind go by their numbers; else the last that was written down counts."""
    expected = {"css-glow": (lacking, "")} if lacking else {}
    assert _gaps(tmp_path, {"apple-mail": {"macos": versions}}) == expected


def test_an_answer_nobody_knows_stops_the_reducer(tmp_path: Path) -> None:
    """A new kind of answer in the data is not passed over."""
    with pytest.raises(ValueError, match="apple-mail on macos answers 'x'"):
        _gaps(tmp_path, {"apple-mail": {"macos": {"16": "x"}}})


def test_the_table_names_its_source_its_date_and_its_licence(tmp_path: Path) -> None:
    """The module says where its data come from, of when they are, and under which licence."""
    _gaps(tmp_path, {})
    told = module_of(tmp_path / "data" / "caniemail.json")
    for part in ("caniemail.com, as of 2026-05-13", "version 7.8.9", "Copyright (c) 2019", "MIT"):
        assert part in told


def test_letters_of_the_table_stand_for_named_programs() -> None:
    """Each row names programs of the list in its order, and nobody both lacks and has a part."""
    for lacking, partly in GAPS.values():
        assert lacking or partly
        for letters in (lacking, partly):
            assert list(letters) == sorted(set(letters) & CLIENTS.keys())
        assert not set(lacking) & set(partly)
