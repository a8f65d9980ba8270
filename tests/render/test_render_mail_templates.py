"""Templates that are wrong, missing, or reach for what is none of theirs."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from threading import Thread
from types import ModuleType

import pytest

from digest.errors import DigestError, TemplateError
from digest.model import Edition, Issue
from digest.render import TemplateSet
from digest.render.mail import compile_mjml
from digest.render.templates import environment, render_template

Build = Callable[..., Edition]
MAIL = "letter.mjml.j2"
ITEMS = "items.mjml.j2"


@pytest.fixture
def changed(shipped_look: TemplateSet) -> Callable[[str, str, str], TemplateSet]:
    """Give what replaces a piece of a shipped template, the piece being there once."""

    def change(name: str, old: str, new: str) -> TemplateSet:
        assert shipped_look.texts[name].count(old) == 1
        text = shipped_look.texts[name].replace(old, new)
        return replace(shipped_look, texts={**shipped_look.texts, name: text})

    return change


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("{{ letter.heading }}", "{{ letter.headline }}", "headline", "headline"),
        ("{{ words.feed }}", "{{ words.bye }}", "words.bye", "bye"),
        ("<h1>", "<h1><i>", "</h1>", "mismatched tag"),
        ("<h1>", "<h1>R&D", "R&D", "not well-formed"),
        ('<mj-text font-size="13px"', '<mj-text size="13px"', 'size="13px"', "no attribute size"),
        ("{% endfor %}</p>\n</mj-text>", "{% endfoo %}</p>\n</mj-text>", "endfoo", "endfoo"),
    ],
)
def test_a_wrong_template_is_named_with_its_line(
    old: str,
    new: str,
    line: str,
    says: str,
    *,
    changed: Callable[[str, str, str], TemplateSet],
    build: Build,
) -> None:
    """File and line are the template's own, not those of what it was rendered to."""
    look = changed(MAIL, old, new)
    with pytest.raises(TemplateError) as caught:
        build(look=look)
    lines = look.texts[MAIL].split("\n")
    place = next(number for number, text in enumerate(lines, start=1) if line in text)
    problem = caught.value.problems[0]
    assert problem.where == f"templates/{MAIL}:{place}"
    assert says in problem.what
    assert problem.fix


def test_a_fault_in_an_included_template_is_named_there(
    shipped_look: TemplateSet, build: Build
) -> None:
    """The line leads to the file that holds it, even inside a loop."""
    look = replace(
        shipped_look,
        texts={
            **shipped_look.texts,
            "part.mjml.j2": "<mj-text>\nfine\n</mj-text>\n<mj-text colour='x'>bad</mj-text>\n",
            ITEMS: shipped_look.texts[ITEMS].replace(
                '<mj-text padding="0px 32px 12px"',
                "{% include 'part.mjml.j2' %}<mj-text padding='0px 32px 12px'",
            ),
        },
        places={**shipped_look.places, "part.mjml.j2": "templates/part.mjml.j2"},
    )
    with pytest.raises(TemplateError) as caught:
        build(look=look)
    assert {problem.where for problem in caught.value.problems} == {"templates/part.mjml.j2:4"}


def test_a_missing_template_is_named(shipped_look: TemplateSet, build: Build) -> None:
    """Both the letter itself and what it includes."""
    for name, where in ((MAIL, MAIL), ("letter.css.j2", f"templates/{MAIL}:")):
        texts = {key: text for key, text in shipped_look.texts.items() if key != name}
        with pytest.raises(TemplateError, match=f"no template {name}") as caught:
            build(look=replace(shipped_look, texts=texts))
        assert caught.value.problems[0].where.startswith(where)


def test_a_template_cannot_reach_out_of_its_sandbox(
    changed: Callable[[str, str, str], TemplateSet], build: Build
) -> None:
    """Neither Python's insides nor other files are in reach."""
    for source in (
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{% include '/etc/hosts' %}",
        "{% include '../digest.toml' %}",
        "{{ lipsum() }}",
        "{{ [1, 2] | random }}",
    ):
        with pytest.raises(TemplateError):
            build(look=changed(MAIL, "<h1>", f"<h1>{source}"))


def test_a_letter_that_loses_an_item_is_refused(
    changed: Callable[[str, str, str], TemplateSet], build: Build
) -> None:
    """Each part is compared with the issue: no title or link may be missing."""
    for name, old, lost in (
        (ITEMS, '<a href="{{ item.url }}">', "the link https://journal.example/1"),
        ("page.html.j2", "<bdi>{{ item.title }}</bdi></a></h{{", "the title 'Finding number 1'"),
        ("entry.html.j2", "{{ item.url }}", "the link https://journal.example/1"),
        ("items.txt.j2", "   {{ item.url }}", "the link https://journal.example/1"),
    ):
        with pytest.raises(TemplateError) as caught:
            build(
                look=changed(
                    name,
                    old,
                    "<a>"
                    if name == ITEMS
                    else "<bdi></bdi></a></h{{"
                    if name == "page.html.j2"
                    else "",
                )
            )
        assert lost in caught.value.problems[0].what
        # The items of the mail are a part of the letter, and the letter is what lacks one.
        assert caught.value.problems[0].where == f"templates/{name.replace('items', 'letter')}"


def test_an_engine_that_fails_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Absent, overwritten by the other package of that name, or crashed."""
    with pytest.raises(TemplateError, match="the MJML engine gave up: ValueError") as crashed:
        compile_mjml("<mjml></mjml>", place="templates/letter.mjml.j2")
    assert crashed.value.problems[0].where == "templates/letter.mjml.j2"
    for module in (None, ModuleType("mjml")):
        monkeypatch.setitem(sys.modules, "mjml", module)
        with pytest.raises(TemplateError) as caught:
            compile_mjml("<mjml></mjml>", place="")
        assert "mjml-python" in caught.value.problems[0].fix
        assert "package mjml," in caught.value.problems[0].fix


def test_errors_of_the_program_pass_through_templates() -> None:
    """A template error is not made of what is none."""
    look = TemplateSet(texts={"a.html.j2": "{{ broken() }}"})

    def broken() -> None:
        raise DigestError("something else")

    with pytest.raises(DigestError, match="something else") as caught:
        render_template(environment(look), "a.html.j2", {"broken": broken})
    assert type(caught.value) is DigestError


def test_an_error_in_a_template_without_words_is_called_by_its_kind() -> None:
    """There is always something to read."""
    look = TemplateSet(texts={"a.html.j2": "{{ broken() }}"})

    def broken() -> None:
        raise RuntimeError

    with pytest.raises(TemplateError) as caught:
        render_template(environment(look), "a.html.j2", {"broken": broken})
    assert caught.value.problems[0].what == "RuntimeError"
    assert caught.value.problems[0].where == "a.html.j2:1"


def test_building_opens_no_socket(
    changed: Callable[[str, str, str], TemplateSet], build: Build
) -> None:
    """An import and a linked style sheet of a project's own look are not fetched."""
    asked: list[bytes] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with closing(connection):
                asked.append(connection.recv(1000))

        thread = Thread(target=serve, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        head = (
            f'<mj-raw><link rel="stylesheet" href="{address}/a.css"><style>@import url({address}'
            f'/b.css);</style></mj-raw><mj-style>@import "{address}/c.css";</mj-style></mj-head>'
        )
        build(look=changed(MAIL, "</mj-head>", head))
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert asked == []


def test_the_stand_in_of_the_title_is_not_in_the_letter(
    build: Build, make_issue: Callable[..., Issue]
) -> None:
    """A letter that speaks of the stand-in is not changed by it."""
    issue = make_issue(subject="Real title", introduction="They wrote mftitle and mftitlex.")
    html = build(issue=issue).files["issue.html"].decode()
    assert "They wrote mftitle and mftitlex." in html
    assert html.count("Real title") == 2
