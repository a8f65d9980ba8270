"""What the commands print: for people, for machines, for a workflow."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.pictured import drawn

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2026-12-01T10:00:00+01:00")


def _item(title: str, more: str = "") -> str:
    return f"---\ntitle: {title}\ntheme: quay\n{more}---\n\nA few words about {title.lower()}.\n"


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter with a summary in each state of its life."""
    return newsletter(
        {
            "content/rope.md": _item("Rope", "url: http://a.example/rope\n"),
            "content/crane.md": _item("Crane"),
            "content/draft.md": _item("Unready", "draft: true\n"),
            "content/later.md": _item("Later", "not_before: 2027-01-01\n"),
            "content/over.md": _item("Over", "not_after: 2026-01-01\n"),
            "content/dated.md": _item("Dated", "date: 2027-02-02\n"),
        }
    )


def test_status_counts_each_state_of_life(digest: Digest, letter: Path) -> None:
    """Waiting, reserved, sent, embargoed, expired and draft summaries are told apart."""
    before = json.loads(digest("-C", letter, "status", "--json", *_NOW)[1])
    digest("-C", letter, "build", *_NOW)
    drafted = json.loads(digest("-C", letter, "status", "--json", *_NOW)[1])
    digest("-C", letter, "publish", *_NOW)
    after = json.loads(digest("-C", letter, "status", "--json", *_NOW)[1])

    assert before["queue"] == {
        "waiting": 2,
        "reserved": 0,
        "sent": 0,
        "embargoed": 2,
        "expired": 1,
        "draft": 1,
        "withdrawn": 0,
        "duplicate": 0,
    }
    assert drafted["queue"]["reserved"] == 2
    assert drafted["issues"][0]["next"] == "digest publish 2026-w49"
    assert after["queue"]["sent"] == 2
    assert (after["issues"][0]["state"], after["issues"][0]["number"]) == ("published", 1)


def test_status_of_an_issue_without_an_edition_is_planned(digest: Digest, letter: Path) -> None:
    """An issue file alone is a plan whose next step is a build."""
    (letter / "content/issues").mkdir()
    (letter / "content/issues/2026-w50.md").write_text("---\nitems: [rope]\n---\n")
    told = json.loads(digest("-C", letter, "status", "--json", *_NOW)[1])

    assert told["issues"][0]["state"] == "planned"
    assert told["issues"][0]["next"] == "digest build 2026-w50"


def test_status_of_an_empty_newsletter_names_the_next_step(
    digest: Digest, newsletter: Make
) -> None:
    """Where nothing is, the first command is named."""
    _, out, _ = digest("-C", newsletter({}), "status", *_NOW)

    assert "digest build" in out
    assert "digest new" in out


def test_findings_for_a_workflow(digest: Digest, letter: Path) -> None:
    """`--format github` writes one workflow command for each finding."""
    digest("-C", letter, "build", *_NOW)
    code, out, _ = digest("-C", letter, "check", "--format", "github", *_NOW)

    assert code == 0
    assert "::warning file=content/rope.md,line=1,title=D111::" in out
    assert all(line.startswith("::") for line in out.splitlines())


def test_findings_as_json_by_either_option(digest: Digest, letter: Path) -> None:
    """`--format json` and `--json` are the same answer."""
    digest("-C", letter, "build", *_NOW)

    assert digest("-C", letter, "check", "--format", "json", *_NOW) == digest(
        "-C", letter, "check", "--json", *_NOW
    )


def test_strict_turns_warnings_into_a_failure(digest: Digest, letter: Path) -> None:
    """With `[checks] strict` a warning gives exit 1; an ignored rule is silent."""
    digest("-C", letter, "build", *_NOW)
    strict = ("--set", "checks.strict=true")

    assert digest("-C", letter, "check", *_NOW)[0] == 0
    assert digest("-C", letter, "check", *strict, *_NOW)[0] == 1
    ignored = digest("-C", letter, "check", "--set", "checks.ignore=['D111']", *_NOW)
    assert "D111" not in ignored[1]


def test_rule_is_explained(digest: Digest, letter: Path) -> None:
    """`--explain` needs no issue and takes any letter case."""
    code, out, _ = digest("-C", letter, "check", "--explain", "d111")
    told = json.loads(digest("-C", letter, "check", "--explain", "D111", "--json")[1])

    assert code == 0
    assert "D111" in out
    assert told["rule"] == "D111"


def test_quiet_prints_nothing_that_went_well(digest: Digest, letter: Path) -> None:
    """With `-q` a build that works is silent."""
    assert digest("-C", letter, "build", "-q", *_NOW) == (0, "", "")


def test_notes_are_few_unless_asked_for(digest: Digest, newsletter: Make) -> None:
    """Three notes are shown and the rest counted; `-v` shows all."""
    root = newsletter({f"content/n{n}.md": _item(f"N{n}", "odd_key: 1\n") for n in range(5)})
    _, _, few = digest("-C", root, "plan", *_NOW)
    _, _, all_notes = digest("-C", root, "plan", "-v", *_NOW)

    assert few.count("odd_key") == 3
    assert "2 more" in few
    assert all_notes.count("odd_key") == 5


def test_plan_tells_reasons_when_asked(digest: Digest, letter: Path) -> None:
    """`plan -v` gives the reason of each item; a week without items says why."""
    _, out, _ = digest("-C", letter, "plan", "-v", "--weeks", "2", *_NOW)

    assert out.count("why: ") == 2
    assert "no issue: nothing to send" in out


def test_plan_shows_an_issue_that_is_picked(digest: Digest, letter: Path) -> None:
    """An issue file counts as it stands, with an item nobody has named by its id."""
    (letter / "content/issues").mkdir()
    (letter / "content/issues/2026-w49.md").write_text("---\nitems: [gone, rope]\n---\n")
    _, out, _ = digest("-C", letter, "plan", "--weeks", "1", *_NOW)

    assert "(picked)" in out
    assert "- gone" in out
    assert "- Rope" in out


def test_why_by_a_name_that_fits_two(digest: Digest, newsletter: Make) -> None:
    """A file name in two folders is answered with both paths."""
    root = newsletter({"content/a/x.md": _item("One"), "content/b/x.md": _item("Two")})
    code, _, err = digest("-C", root, "why", "x", *_NOW)

    assert code == 2
    assert "a/x.md, b/x.md" in err


def test_other_tools_make_an_edition_not_comparable(digest: Digest, letter: Path) -> None:
    """Where bytes differ and so do the tools, verify says which, and proves nothing."""
    digest("-C", letter, "build", *_NOW)
    folder = letter / "outbox/2026-w49"
    manifest = json.loads((folder / "edition.json").read_text())
    manifest["tools"]["mjml"] = "0.0.1"
    (folder / "edition.json").write_text(json.dumps(manifest))
    same = json.loads(digest("-C", letter, "verify", "--json", *_NOW)[1])

    template = folder / "inputs/templates/entry.html.j2"
    assert same["identical"] is True
    assert template.is_file()
    code, out, _ = _with_other_page(digest, letter, manifest)
    assert code == 0
    assert "not comparable: mjml 0.0.1 then" in out


def _with_other_page(
    digest: Digest, letter: Path, manifest: dict[str, object]
) -> tuple[int, str, str]:
    """Verify an edition whose page was made by another version: all hashes fit, bytes differ."""
    from hashlib import sha256  # noqa: PLC0415 - used here alone

    folder = letter / "outbox/2026-w49"
    page = folder / "page.html"
    page.write_bytes(page.read_bytes() + b"<!-- then -->\n")
    files = manifest["files"]
    assert isinstance(files, dict)
    files["page.html"] = sha256(page.read_bytes()).hexdigest()
    beside = {"edition", "tools", "commits"}
    told = {name: value for name, value in manifest.items() if name not in beside}
    text = json.dumps(told, sort_keys=True, ensure_ascii=False)
    manifest["edition"] = sha256(text.encode()).hexdigest()
    (folder / "edition.json").write_text(json.dumps(manifest))
    return digest("-C", letter, "verify", *_NOW)


def test_manifest_that_cannot_be_read_is_named(digest: Digest, letter: Path) -> None:
    """A broken manifest is an error with the way out."""
    digest("-C", letter, "build", *_NOW)
    (letter / "outbox/2026-w49/edition.json").write_text("{")
    code, _, err = digest("-C", letter, "verify", *_NOW)

    assert code == 6
    assert "outbox/2026-w49/edition.json" in err


def test_pictures_are_measured(digest: Digest, newsletter: Make) -> None:
    """A large local picture is found at the file that shows it; what is no picture is told, too."""
    root = newsletter(
        {
            "content/a/pic.md": _item("Pic") + "\n![](big.png) ![x](none.png)\n",
            "content/a/big.png": drawn("PNG") + bytes(300_000),
            "content/a/none.png": b"x" * 300_000,
        }
    )
    digest("-C", root, "build", *_NOW)
    _, out, _ = digest("-C", root, "check", *_NOW)

    at = "content/a/pic.md:1: warning"
    assert f"{at} D109: the picture a/big.png has no alternative text" in out
    assert f"{at} D110: the picture a/big.png has " in out
    assert f"{at} D124: the picture a/none.png cannot be shown: is no PNG" in out


def test_private_folder_that_cannot_be_made(digest: Digest, newsletter: Make) -> None:
    """A file where `private/` should be is an error that names it."""
    root = newsletter({"content/a.md": _item("A"), "private": "a file"})
    code, _, err = digest("-C", root, "build", *_NOW)

    assert code == 6
    assert "private/" in err


def test_program_runs_as_a_module(letter: Path) -> None:
    """`python -m digest` is the program, and its reader may go away."""
    command = [sys.executable, "-m", "digest", "-C", str(letter), "config"]
    whole = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    reader, writer = os.pipe()
    os.close(reader)
    gone = subprocess.run(  # noqa: S603 - our own program
        command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)

    assert "newsletter.name" in whole.stdout
    assert (gone.returncode, gone.stderr) == (141, "")


def test_template_that_is_not_utf8_is_named(digest: Digest, letter: Path) -> None:
    """All templates that cannot be read are named at once."""
    (letter / "templates").mkdir()
    for name in ("page.html.j2", "entry.html.j2"):
        (letter / "templates" / name).write_bytes(b"caf\xe9")
    code, _, err = digest("-C", letter, "build", *_NOW)

    assert code == 2
    assert "templates/page.html.j2" in err
    assert "templates/entry.html.j2" in err


def test_a_build_tells_how_large_its_files_are(digest: Digest, letter: Path) -> None:
    """In kB of 1,000 octets, rounded up, as the checks and the desk do."""
    out = digest("-C", letter, "build", *_NOW)[1]
    (line,) = (line for line in out.splitlines() if line.startswith("  outbox/2026-w49/  "))
    told = dict(part.rsplit(" ", 2)[:2] for part in line.partition("/  ")[2].split(", "))

    folder = letter / "outbox/2026-w49"
    assert told["issue.html"] == str(-(-(folder / "issue.html").stat().st_size // 1000))
    assert line.endswith(" kB")
    assert set(told) >= {"issue.html", "issue.txt", "page.html", "entry.html", "issue.eml"}


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_send_needs_no_open_stream(digest: Digest, letter: Path, closed: str) -> None:
    """A service may start it with none; the issue goes out all the same."""
    adding = ("readers", "add", "ann@reader.example", "--consent", "asked at the quay")
    assert digest("-C", letter, *adding)[0] == 0
    assert digest("-C", letter, "build", *_NOW)[0] == 0
    words = f'"$0" -m digest -C "$1" send --yes --now {_NOW[1]} {closed}'
    done = subprocess.run(  # noqa: S603 - our own program
        ["/bin/sh", "-c", words, sys.executable, str(letter)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(list((letter / "outbox/2026-w49/messages").glob("*.eml"))) == 1
