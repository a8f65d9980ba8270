"""The page on reviews: its commands run in a repository, its workflow does what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from docs.pages import ROOT, Block, blocks, page

_PAGE = blocks(page("plan-in-review.md"))
_NOW = "2026-12-01T10:00:00+01:00"
_MARK = "<!-- plan -->"
_CRANES = "---\ntitle: How cranes turn\ntags: [graphs]\npin: true\n---\n\nOn a ring of rollers.\n"
# Answers as the program of that name does, and notes what it was asked.
_GH = """\
#!/bin/sh
echo "$*" >> "$NOTES"
case "$*" in *--paginate*) cat "$EARLIER" ;; esac
"""


def block(kind: str) -> Block:
    """Give the one block of a kind."""
    (found,) = (one for one in _PAGE if one.kind == kind)
    return found


def step(name: str) -> str:
    """Give the script of a step of the workflow."""
    workflow: dict[str, Any] = yaml.safe_load(block("yaml").text)
    (script,) = (
        one["run"] for one in workflow["jobs"]["plan"]["steps"] if name in one.get("name", "")
    )
    assert isinstance(script, str)
    return script


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """Give an environment whose `digest` is ours, at a fixed moment, and whose `gh` takes notes."""
    programs = tmp_path / "bin"
    programs.mkdir()
    ours = f"{shlex.quote(sys.executable)} -m digest --now {_NOW}"
    for name, text in (("digest", f'#!/bin/sh\nexec {ours} "$@"\n'), ("gh", _GH)):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (tmp_path / "earlier").write_text("")
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "GIT_CONFIG_NOSYSTEM": "1",
        "NOTES": str(tmp_path / "notes"),
        "EARLIER": str(tmp_path / "earlier"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_REPOSITORY": "harbour/letter",
        "PULL": "7",
    }


@pytest.fixture
def letter(tmp_path: Path, environ: dict[str, str]) -> Path:
    """Give a new newsletter, committed to the branch `main`."""
    folder = tmp_path / "letter"
    folder.mkdir()
    (tmp_path / ".gitconfig").write_text('[user]\nname = "Ana"\nemail = "ana@sea.example"\n')
    shell("digest --quiet init\ngit init -q -b main\n", folder, environ)
    shell("git add -A\ngit commit -q -m Begin\n", folder, environ)
    return folder


def shell(script: str, folder: Path, environ: dict[str, str]) -> str:
    """Run a script as a workflow does, where the first failure ends it; give what it prints."""
    done = subprocess.run(  # noqa: S603 - words of the manual and of these tests
        ["bash", "-e", "-o", "pipefail", "-c", script],  # noqa: S607 - whichever bash there is
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_print_what_the_page_says(letter: Path, environ: dict[str, str]) -> None:
    """The commands of the page run in a repository of the starter newsletter."""
    told = shell(block("sh").text, letter, environ)
    lines = [
        "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n"
        for line in block("diff").text.splitlines()
    ]
    assert re.fullmatch("".join(lines), told), told


def test_the_workflow_writes_the_difference(letter: Path, environ: dict[str, str]) -> None:
    """The comment is the difference of the merge in a block of its own, and so is the summary."""
    shell("git switch -q -c side\n", letter, environ)
    (letter / "content" / "cranes.md").write_text(_CRANES)
    shell("git add content\ngit commit -q -m Cranes\n", letter, environ)
    shell("git switch -q main\ngit merge -q --no-ff -m Merge side\n", letter, environ)
    shell(step("Compare"), letter, environ)
    comment = (letter / "comment.md").read_text("utf-8")
    assert comment.startswith(f"{_MARK}\n### What this changes in the plan\n```diff\n")
    assert comment.endswith("\n```\n")
    assert "\n+ How cranes turn  (cranes.md)\n" in comment
    assert Path(environ["GITHUB_STEP_SUMMARY"]).read_text("utf-8") == comment


def test_the_workflow_tells_of_a_failure(letter: Path, environ: dict[str, str]) -> None:
    """Where there is nothing to compare with, the comment says why, and the step goes on."""
    shell(step("Compare"), letter, environ)
    comment = (letter / "comment.md").read_text("utf-8")
    assert "there is no revision 'HEAD^1' here" in comment
    assert "\nexit 2\n```\n" in comment


def test_the_workflow_has_one_comment(letter: Path, environ: dict[str, str]) -> None:
    """The first run posts a comment, a later one puts its own into the place of that."""
    (letter / "comment.md").write_text(_MARK)
    shell(step("Post"), letter, environ)
    Path(environ["EARLIER"]).write_text("41\n43\n")
    shell(step("Post"), letter, environ)
    asked = Path(environ["NOTES"]).read_text("utf-8").splitlines()
    sent = [line for line in asked if "--method" in line]
    place = "repos/harbour/letter/issues"
    assert sent == [
        f"api --method POST {place}/7/comments -F body=@comment.md",
        f"api --method PATCH {place}/comments/41 -F body=@comment.md",
    ]


def test_the_workflow_may_do_no_more_than_it_must() -> None:
    """It reads files and writes comments, and nothing of a request is part of a script."""
    workflow = yaml.safe_load(block("yaml").text)
    assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}
    scripts = [one["run"] for one in workflow["jobs"]["plan"]["steps"] if "run" in one]
    assert len(scripts) == 3
    assert not any("${{" in script for script in scripts)
    assert all(_MARK in script for script in scripts[1:])
