"""Every example of the manual is run, and prints what the manual says."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
from docs.pages import DOCS, ROOT, Block, blocks

_NOW = "2026-12-01T08:00:00+01:00"
_COMMAND = re.compile(r"\$ (?P<words>.*?)(?: +# exit (?P<code>\d+))?")
_VARIABLE = re.compile(r"[A-Z_]+=")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One command of a block: its words, the exit code, and what it prints."""

    words: tuple[str, ...]
    code: int
    told: tuple[str, ...]


def _examples(block: Block) -> Iterator[Example]:
    command, told = None, list[str]()
    for line in [*block.text.splitlines(), "$ "]:
        found = _COMMAND.fullmatch(line)
        if not found:
            told.append(line)
            continue
        if command:
            words = tuple(shlex.split(command["words"]))
            yield Example(words=words, code=int(command["code"] or 0), told=tuple(told))
        command, told = found, []


def _pattern(told: tuple[str, ...]) -> str:
    """Make one pattern of the lines told: `…` is any part of a line, alone it is any lines."""
    parts = [
        "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n"
        for line in told
    ]
    return "".join(parts)


def _run(example: Example, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    from digest.cli.main import run  # noqa: PLC0415 - tests of one room must not load them all

    words = list(example.words)
    with monkeypatch.context() as variables, io.StringIO() as out:
        while _VARIABLE.match(words[0]):
            name, _, value = words.pop(0).partition("=")
            variables.setenv(name, value)
        assert words.pop(0) == "digest", "an example runs digest and nothing else"
        moment = [] if "--now" in words else ["--now", _NOW]
        with redirect_stdout(out), redirect_stderr(out):
            code = run([*moment, *words])
        return code, out.getvalue()


_FILES = (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
_PAGES = {path.name: blocks(path.read_text("utf-8")) for path in _FILES}
_RUNS = {
    f"{name}: {section}": [block for block in found if block.section == section]
    for name, found in _PAGES.items()
    for section in dict.fromkeys(block.section for block in found if block.kind == "console")
}


@pytest.mark.parametrize("section", _RUNS)
def test_examples_print_what_the_manual_says(
    section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples of a section run in order, in a new folder with the files it shows."""
    from digest.cli.main import run  # noqa: PLC0415 - tests of one room must not load them all

    monkeypatch.chdir(tmp_path)
    with redirect_stdout(io.StringIO()):
        assert run(["init", "--now", _NOW]) == 0
    for block in _RUNS[section]:
        if block.path:
            file = tmp_path / block.path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
        if block.kind == "console":
            for example in _examples(block):
                code, printed = _run(example, monkeypatch)
                place = f"{section}, line {block.line}: {shlex.join(example.words)}"
                assert code == example.code, f"{place}\n{printed}"
                if example.told:
                    found = re.fullmatch(_pattern(example.told), printed)
                    assert found, f"{place}\n{printed}"


def test_every_page_but_decisions_has_examples_that_run() -> None:
    """A console block that the runner would overlook cannot slip in unrun."""
    text = "\n".join(path.read_text("utf-8") for path in (*_FILES, *DOCS.rglob("*/*.md")))
    counted = sum(block.kind == "console" for found in _RUNS.values() for block in found)

    assert counted == len(re.findall("^```console", text, re.MULTILINE))
    assert counted > len(_PAGES)
