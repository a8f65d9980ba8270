"""`digest look`: looks listed, copied to be changed, and tried."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases.forms import tree

from digest.files.shipped import shipped_templates
from digest.publish.specimen import specimens

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_BACK = "delete a file to have the shipped one again"


def _shipped(name: str) -> str:
    return shipped_templates("default")[name].decode()


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try on two specimens only, where the others have nothing to add."""
    monkeypatch.setattr(
        "digest.publish.look_trial.specimens", lambda letter: specimens(letter)[2:4]
    )


def test_list_tells_looks_and_own_files(digest: Digest, newsletter: Make) -> None:
    """Each look has a line, and each own file of it one below."""
    root = newsletter({"templates/compact/items.txt.j2": "", "templates/brand/a.txt.j2": ""})

    code, out, _ = digest("-C", root, "look", "list")

    assert code == 0
    assert out.splitlines() == [
        "default  shipped, in use",
        "compact  shipped",
        "  templates/compact/items.txt.j2  instead of the shipped templates/compact/items.txt.j2",
        "brand    your own",
        "  templates/brand/a.txt.j2  new",
    ]


def test_list_as_json(digest: Digest, newsletter: Make) -> None:
    """The same stands in JSON."""
    root = newsletter({"templates/words.txt.j2": ""}, settings='look = "compact"\n')

    code, out, _ = digest("-C", root, "look", "list", "--json")

    own = [{"file": "templates/words.txt.j2", "replaces": "templates/words.txt.j2"}]
    assert code == 0
    assert json.loads(out) == {
        "schema": 1,
        "looks": [
            {"name": "default", "origin": "shipped", "used": False, "own": own},
            {"name": "compact", "origin": "shipped", "used": True, "own": own},
        ],
    }


def test_export_tells_what_was_written_and_what_to_do(digest: Digest, newsletter: Make) -> None:
    """A file that is there stays; the last line names the next step."""
    root = newsletter({"templates/words.txt.j2": "mine"})

    code, out, _ = digest("-C", root, "look", "export", "words.txt.j2", "letter.css.j2")

    assert code == 0
    assert out.splitlines() == [
        "templates/letter.css.j2  written",
        "templates/words.txt.j2  there already; left as it is",
        f"change them, then run `digest look check default`; {_BACK}",
    ]
    assert (root / "templates/words.txt.j2").read_text("utf-8") == "mine"
    again = digest("-C", root, "look", "export", "letter.css.j2")
    assert again[:2] == (0, "templates/letter.css.j2  there already; left as it is\n")


def test_dry_run_of_export_writes_nothing(digest: Digest, newsletter: Make) -> None:
    """A dry run tells what would be written."""
    root = newsletter({})
    before = tree(root)

    told = digest("-C", root, "look", "export", "compact", "page.css.j2", "--dry-run")
    as_json = digest("-C", root, "look", "export", "compact", "page.css.j2", "--dry-run", "--json")

    assert told[0] == 0
    assert told[1].splitlines() == [
        "templates/compact/page.css.j2  to be written",
        "(dry run: nothing was written)",
    ]
    assert json.loads(as_json[1]) == {
        "schema": 1,
        "look": "compact",
        "written": ["templates/compact/page.css.j2"],
        "there": [],
    }
    assert tree(root) == before


def test_wrong_names_are_refused(digest: Digest, newsletter: Make) -> None:
    """A look or a file that is not there is wrong use, and the nearest one is named."""
    root = newsletter({})

    for words, near in (
        (("export", "compac"), "did you mean compact?"),
        (("export", "letter.mjml"), "did you mean letter.mjml.j2?"),
        (("check", "compac"), "did you mean compact?"),
    ):
        code, _, err = digest("-C", root, "look", *words)
        assert code == 2
        assert near in err


@pytest.mark.usefixtures("brief")
def test_check_of_a_good_look(digest: Digest, newsletter: Make) -> None:
    """Each specimen has a line with its size, and the last one says that all is well."""
    code, out, err = digest("-C", newsletter({}), "look", "check")

    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "look default"
    assert lines[1].startswith("  led-to ")
    assert " octets  pictures only led to" in lines[1]
    assert lines[-1] == "nothing is wrong with it"


@pytest.mark.usefixtures("brief")
def test_check_tells_findings_with_their_specimens(digest: Digest, newsletter: Make) -> None:
    """Of one rule five findings are shown, and all of them with -v; they are no errors."""
    names = ("meta", "prose", "title a", "foot", "prose td", "foot a", "prose code")
    rules = "".join(f".{name} {{ color: #EEEEE{shade}; }}\n" for shade, name in enumerate(names))
    style = _shipped("letter.css.j2") + rules
    root = newsletter({"templates/letter.css.j2": style, "templates/notes.md": ""})

    code, out, err = digest("-C", root, "look", "check")
    verbose = digest("-C", root, "look", "check", "-v")[1]

    found = [line for line in out.splitlines() if " D117: " in line]
    more = [line for line in out.splitlines() if line.startswith("and ")]
    assert code == 0
    assert len(found) == 5
    assert found[0].startswith("templates/letter.mjml.j2: warning D117: ")
    assert any(line.endswith("(led-to, long-words)") for line in found)
    assert len(more) == 1
    assert more[0].endswith(" more of D117; -v shows them all")
    assert verbose.count(" D117: ") == 5 + int(more[0].split()[1])
    assert err.startswith("note: templates/notes.md: is read by nothing")


@pytest.mark.usefixtures("brief")
def test_check_fails_on_errors(digest: Digest, newsletter: Make) -> None:
    """A fault is told with file and line, exit 1, and nothing is accepted."""
    root = newsletter({"templates/letter.txt.j2": "\n{{ letter.titel }}\n"})

    code, out, err = digest("-C", root, "look", "check", "--accept")

    assert code == 1
    assert "error: templates/letter.txt.j2:2: " in err
    assert err.endswith(
        "nothing is accepted before that is mended; templates/support.json is as it was\n"
    )
    assert "nothing is wrong" not in out
    assert not (root / "templates/support.json").exists()


@pytest.mark.usefixtures("brief")
def test_check_says_what_could_not_be_made(
    digest: Digest, newsletter: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A specimen that no shipped file helps is said not to be made."""
    monkeypatch.setattr("digest.publish.look_trial.shipped_templates", lambda _: {})
    root = newsletter({"templates/letter.txt.j2": "{{ letter.titel }}\n"})

    out = digest("-C", root, "look", "check")[1]

    assert "  led-to      cannot be made  pictures only led to" in out.splitlines()


@pytest.mark.usefixtures("brief")
def test_accept_writes_the_baseline_once(digest: Digest, newsletter: Make) -> None:
    """The file is named with how much it takes; a second time nothing changes."""
    root = newsletter({})

    first = digest("-C", root, "look", "check", "compact", "--accept")
    again = digest("-C", root, "look", "check", "compact", "--accept")

    taken = json.loads((root / "templates/compact/support.json").read_text("utf-8"))["accepted"]
    assert (first[0], again[0]) == (0, 0)
    assert f"templates/compact/support.json  written, {len(taken)} accepted\n" in first[1]
    assert f"templates/compact/support.json  as it was, {len(taken)} accepted\n" in again[1]


@pytest.mark.usefixtures("brief")
def test_check_as_json(digest: Digest, newsletter: Make) -> None:
    """All of it stands in JSON: specimens, findings, notes, problems, what is accepted."""
    style = _shipped("letter.css.j2") + ".meta { color: #EEEEEE; }"
    root = newsletter(
        {
            "templates/letter.css.j2": style,
            "templates/notes.md": "",
            "templates/page.html.j2": "{{ x }}",
        }
    )

    code, out, _ = digest("-C", root, "look", "check", "--json")

    told: dict[str, Any] = json.loads(out)
    assert code == 1
    assert told["look"] == "default"
    assert [one["name"] for one in told["specimens"]] == ["led-to", "long-words"]
    assert set(told["specimens"][0]["sizes"]) == {
        "issue.html",
        "issue.txt",
        "page.html",
        "entry.html",
    }
    (faint,) = {one["rule"] for one in told["findings"]}
    assert faint == "D117"
    assert set(told["findings"][0]) == {"rule", "level", "path", "message", "specimens"}
    assert [note["where"] for note in told["notes"]] == ["templates/notes.md"]
    assert [problem["where"] for problem in told["problems"]] == ["templates/page.html.j2:1"]
    assert (told["accepted"], told["written"]) == ([], False)
