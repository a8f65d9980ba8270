"""WS-01: no text of a person runs as a template, whatever it looks like."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest
from cases.forms import Issue, public_files, words
from cases.inputs import both, in_content, typed

Digest = Callable[..., tuple[int, str, str]]
Publish = Callable[..., Issue]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_OURS = {
    "braces.md": '---\ntitle: "Sum {{ 6*7 }} {% block x %} and {# none #}"\n'
    'theme: "{{ self.__init__ }}"\nurl: https://braces.example/{{y}}\ndate: 2027-01-12\n'
    'author: "{{ joiner.__class__ }}"\nsource: "{{ namespace }}"\n'
    'tags: ["{{ 6*7 }}", "{% raw %}"]\n---\n\n'
    "Put `{{ reader }}` there. {% for a in range(200000000) %}b{% endfor %}\n\n"
    "{{ ''.__class__.__mro__ }} and {% include 'letter.mjml.j2' %} and {% endraw %}\n\n"
    "${6*7} #{6*7} and ${a_b_c} #{_d_}\n\n"
    "<%= 6*7 %> and [[ 6*7 ]] and {{{6*7}}} and {{{{ x }}}}\n\n"
    "<mj-text>{{ 6*7 }}</mj-text> and {{ newsletter.sender }} and {{ settings }}\n"
}
# Hashes, colours, and where merge fields stand: digits that nobody computed from content.
_NUMBERS = re.compile(rb"[0-9a-f]{32,}|#[0-9a-fA-F]{6}|\"(?:start|end)\": \d+")
_MARKS = ("q7-store-marker", "q7-key-marker", "q7-environment-marker")


def _body(data: bytes) -> list[str]:
    """Give the paragraphs as shown: without the ticks of code."""
    body = data.decode().split("\n---\n", 1)[1].replace("`", "")
    return [words(part) for part in body.split("\n\n") if part.strip()]


@both("WS-01", _OURS)
def test_ws_01_braces_are_shown_as_typed(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Title, text and link keep their braces in subject, HTML, text, feeds and pages."""
    [data] = files.values()
    title = typed(data, "title")
    issue = publish(newsletter(in_content(files)))

    assert issue.titles == [title]
    assert issue.forms["letter"].heading == title
    for name, form in issue.forms.items():
        assert title in form.line, name
        if name == "home":
            continue
        assert any(unquote(link) == typed(data, "url") for link in form.links), name
        for paragraph in _body(data):
            assert paragraph in form.line, name
        assert title in form.heading, name


@both("WS-01", _OURS)
def test_ws_01_nothing_is_computed(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Nowhere stands a result, 49 or 42, nor anything that an object of Python is written as."""
    issue = publish(newsletter(in_content(files)))

    for name, form in issue.forms.items():
        # Days and numbers of issues stand alone; a result would stand where braces were typed.
        assert not re.search(r"\b(?:49|42)\b", form.line), name
        for sign in ("<class", "object at 0x", "Undefined", "<built-in", "Joiner", "aaaa", "bbbb"):
            assert sign not in form.text, name


def test_ws_01_own_words_of_the_editor_are_not_run_either(
    digest: Digest, publish: Publish, newsletter: Make
) -> None:
    """Braces in the newsletter's name, in the issue file's words and in an address stay braces."""
    root = newsletter(in_content({"a.md": _OURS["braces.md"].encode()}))
    settings = root / "digest.toml"
    text = settings.read_text("utf-8").replace("Harbour Notes", "Post {{ 6*7 }} {% raw %}")
    settings.write_text(text, "utf-8")
    assert digest("-C", root, "build", *_NOW)[0] == 0
    issue_file = root / "content/issues/2027-w03.md"
    lines = issue_file.read_text("utf-8").split("\n---\n")[0]
    issue_file.write_text(
        f"{lines}\ntitle: Title {{{{ 6*7 }}}}\nsubject: Subject {{{{ 6*7 }}}}\n"
        "preheader: Before {{ 6*7 }}\n---\n\nIntro {{ 6*7 }} {% for x in y %}\n",
        "utf-8",
    )
    issue = publish(root)

    assert issue.forms["letter"].heading == "Subject {{ 6*7 }}"
    assert issue.forms["JSON Feed"].heading == "Title {{ 6*7 }}"
    for name in ("letter", "text", "mail HTML", "mail text"):
        line = issue.forms[name].line
        for shown in ("Before {{ 6*7 }}", "Intro {{ 6*7 }} {% for x in y %}", "Title {{ 6*7 }}"):
            assert shown in line, name
        assert "Post {{ 6*7 }} {% raw %}" in line, name
    assert issue.forms["home"].heading == "Post {{ 6*7 }} {% raw %}"
    for name, data in public_files(root).items():
        assert b"42" not in _NUMBERS.sub(b"", data), name


@both("WS-01", _OURS)
def test_ws_01_nothing_of_the_settings_shows(
    publish: Publish, newsletter: Make, monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]
) -> None:
    """Neither private settings nor the key nor the environment get into any file of the outbox."""
    store, key, environment = _MARKS
    settings = f'[store]\nurl = "sqlite:///private/{store}.db"\n'
    root = newsletter({**in_content(files), "private/key": key}, settings=settings)
    monkeypatch.setenv("DIGEST_TEST_SECRET", environment)
    publish(root)
    written = [path for path in (root / "outbox").rglob("*") if path.is_file()]

    assert (root / f"private/{store}.db").is_file()
    assert len(written) > len(public_files(root))
    for path in written:
        assert not [mark for mark in _MARKS if mark.encode() in path.read_bytes()], path.name


def _cost(root: Path) -> tuple[float, int]:
    """Build in a process of its own and give its time on the processor and its memory."""
    command = [sys.executable, "-m", "digest", "-C", str(root), "build", "-q", *_NOW]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    process = subprocess.Popen(command, env=environ)  # noqa: S603 - our own program, fixed words
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


@both("WS-01", _OURS)
def test_ws_01_costs_no_more_than_another_item(newsletter: Make, files: dict[str, bytes]) -> None:
    """A build with a loop of a hundred million rounds typed into it costs what any build costs."""
    tame = {name: re.sub(rb"[{}%#]", b"x", data) for name, data in files.items()}
    plain_time, plain_memory = _cost(newsletter(in_content(tame), name="tame"))
    time, memory = _cost(newsletter(in_content(files), name="wild"))

    assert time < 3 * plain_time
    assert memory < 1.5 * plain_memory
