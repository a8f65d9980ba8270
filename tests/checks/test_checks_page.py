"""Rules on the HTML and the text: each fires where it should, and only there."""

from collections.abc import Callable

import pytest

from digest.checks import Finding
from digest.model import Image, Link, Mailbox, Summary

Findings = Callable[..., list[Finding]]
Make = Callable[..., Summary]

_HTML = "outbox/2026-w49/issue.html"
_TEXT = "outbox/2026-w49/issue.txt"
_ISSUE_FILE = "content/issues/2026-w49.md"
_TOKEN = "mf0123456789abcdef01234567"  # noqa: S105 - what a field looks like, no secret


def _told(found: list[Finding]) -> list[tuple[str, str, str, int]]:
    return [(one.rule, one.level, one.path, one.line) for one in found]


@pytest.mark.parametrize(
    "mark", ["[[first_name]]", "[[ first_name | friend ]]", "{{ name }}", "{%- if x %}", "*|NAME|*"]
)
def test_mark_in_the_subject(findings: Findings, mark: str) -> None:
    """D108 is an error of the issue file, told once though the page holds the subject too."""
    found = findings(edition={"subject": f"Hello {mark}"}, html=f"<h1>Hello {mark}</h1>")

    assert _told(found) == [("D108", "error", _ISSUE_FILE, 1)]
    assert found[0].message == f"the subject holds {mark}, which nothing replaces"


def test_mark_written_in_the_issue_file(findings: Findings) -> None:
    """D108 finds what an editor typed into subject or preheader, but not into the introduction."""
    typed = {"subject": "Dear [[name]]", "introduction": "We use [[wiki]] links."}
    found = findings(
        issue=typed,
        edition={"subject": "Dear [[name]]", "preheader": "For [[name]]"},
        html="<p>We use [[wiki]] links.</p>",
    )

    assert [one.message for one in found] == [
        "the preheader holds [[name]], which nothing replaces",
        "the subject holds [[name]], which nothing replaces",
    ]


def test_mark_in_the_finished_page(findings: Findings) -> None:
    """D108 names file and line, in words, in addresses and in the text part."""
    found = findings(
        html='<p>Hi</p>\n<p>{{ who }}</p>\n<a href="https://x.example/%7B%7Bslug%7D%7D">Page</a>',
        text="Hi\n[[who]]",
    )

    assert _told(found) == [
        ("D108", "error", _HTML, 1),
        ("D108", "error", _HTML, 2),
        ("D108", "error", _TEXT, 2),
    ]
    assert "{{slug}}" in found[0].message


def test_token_of_a_field(findings: Findings, summary: Make) -> None:
    """D108 finds a field's stand-in even in a comment, but not one that a summary wrote."""
    found = findings(html=f"<!--[if mso]>{_TOKEN}<![endif]-->", text=_TOKEN)
    own = findings(summary("weir", body=f"The hash {_TOKEN}."), html=_TOKEN, text=_TOKEN)

    assert [one.path for one in found] == [_HTML, _TEXT]
    assert own == []


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("Write `if [[ -n $x ]]` or [[page]].", "Write if [[ -n $x ]] or [[page]]."),
        ("Escaped \\[\\[page\\]\\] and &#123;&#123;a}}", "Escaped [[page]] and {{a}}"),
        ("Loud {{ *name* }}", "Loud {{ name }}"),
        ("{% for x in y %} {{ 7*7 }} *|NAME|*", "{% for x in y %} {{ 7*7 }} *|NAME|*"),
    ],
)
def test_marks_of_the_content_are_its_own(
    findings: Findings, summary: Make, *, body: str, shown: str
) -> None:
    """D108 leaves aside what summaries write, in subject, HTML and text alike."""
    found = findings(
        summary(
            "weir",
            body=body,
            authors=("Ada",),
            links=(Link(label="{{ label }}", url="https://x.example/{{x}}"),),
            extra=(("venue", "[[hall]]"),),
            image=Image(url="weir.png", alt="[[alt]]"),
        ),
        edition={"subject": shown[:40], "preheader": "[[hall]]"},
        html=f'<p>{shown}</p><a href="https://x.example/%7B%7Bx%7D%7D">{{{{ label }}}}</a>',
        text=f"{shown} [[alt]]",
    )

    assert found == []


def test_a_mark_beside_other_brackets_of_the_content(findings: Findings, summary: Make) -> None:
    """D108 finds a left-over field though a summary writes such brackets for something else."""
    found = findings(summary("weir", body="if [[ -n $x ]]"), html="if [[ -n $x ]] [[first_name]]")

    assert [one.message for one in found] == ["holds [[first_name]], which nothing replaced"]


def test_style_sheets_are_no_text(findings: Findings) -> None:
    """D108 leaves style sheets aside."""
    assert findings(html="<style>@media x{{a}}</style><script>{{ b }}</script>") == []


def test_picture_without_alt(findings: Findings, summary: Make) -> None:
    """D109 warns of a picture without words, at the summary that shows it."""
    found = findings(
        summary("weir", path="north/weir.md", body="See ![](map%20one.png) there."),
        summary("lock", image=Image(url="lock.png", alt=" ")),
        html=(
            '<img src="https://river.example/north/map%20one.png">'
            '<img src="https://river.example/lock.png" alt="">'
            '<img src="https://elsewhere.example/x.png" alt=" " width="9">'
        ),
        pictures={"north/map one.png": (9, 9), "lock.png": (9, 9)},
    )

    assert _told(found) == [
        ("D109", "warning", _ISSUE_FILE, 1),
        ("D109", "warning", "content/lock.md", 1),
        ("D109", "warning", "content/north/weir.md", 1),
    ]


@pytest.mark.parametrize(
    "more", ['alt="A weir"', 'role="presentation"', 'aria-hidden="true"', 'height="1" alt=""']
)
def test_picture_that_needs_no_more_words(findings: Findings, more: str) -> None:
    """D109 leaves aside pictures with words, and those that only fill room."""
    assert findings(html=f'<img src="a.png" width="600" {more}>') == []


def test_heavy_picture(findings: Findings, summary: Make) -> None:
    """D110 warns of a file of more than 200 kB, shown in the mail or only linked."""
    found = findings(
        summary("weir", image=Image(url="weir.png", alt="A weir")),
        pictures={"weir.png": (200_001, None), "b.png": (200_000, 600)},
    )

    assert [(one.rule, one.level, one.path, one.message) for one in found] == [
        (
            "D110",
            "warning",
            "content/weir.md",
            "the picture weir.png has 201 kB, more than 200 kB",
        ),
    ]


def test_width_of_a_local_picture(findings: Findings, summary: Make) -> None:
    """D110 warns where the mail shows a file whose width cannot be read and gives none itself."""
    found = findings(
        summary("weir", body="See ![A](a.svg), ![B](b.png) and ![C](c.svg)."),
        html=(
            '<img src="https://river.example/a.svg" alt="A">'
            '<img src="https://river.example/b.png" alt="B">'
            '<img src="https://river.example/c.svg" alt="C" width="300">'
        ),
        pictures={"a.svg": (10, None), "b.png": (10, 600), "c.svg": (10, None)},
    )

    assert [(one.rule, one.path, one.message) for one in found] == [
        (
            "D110",
            "content/weir.md",
            "the picture https://river.example/a.svg has no width that can be read",
        )
    ]


@pytest.mark.parametrize(
    ("tag", "fires"),
    [
        ('src="https://x.example/a.png"', True),
        ('src="https://x.example/a.png" width="auto"', True),
        ('src="https://x.example/a.png" width="100%"', False),
        ('src="https://x.example/a.png" style="Max-Width: 300px"', False),
        ('src="https://river.example/maps/a%20b.png"', False),
        ('src="data:image/gif;base64,R0lGOD"', False),
    ],
)
def test_width_of_a_picture_elsewhere(findings: Findings, tag: str, fires: bool) -> None:  # noqa: FBT001 - a case
    """D110 warns where neither the HTML nor the file tells a width."""
    found = findings(html=f'<img alt="A" {tag}>', pictures={"maps/a b.png": (10, 10)})

    assert [one.rule for one in found] == (["D110"] if fires else [])


def test_unsafe_link(findings: Findings, summary: Make) -> None:
    """D111 warns once for each such address, at the summary that names it."""
    found = findings(
        summary("weir", body="See <http://x.example/a/b>."),
        summary("lock", links=(Link(label="Data", url="http://x.example/a"),)),
        html=(
            '<a href="HTTP://y.example/">y</a> <a href="http://x.example/a">x</a>'
            '<a href="http://x.example/a">x</a> <a name="http:">n</a> <a href="https:a">s</a>'
        ),
    )

    assert [(one.rule, one.path, one.message) for one in found] == [
        ("D111", _ISSUE_FILE, "HTTP://y.example/ is not https"),
        ("D111", "content/lock.md", "http://x.example/a is not https"),
    ]


@pytest.mark.parametrize("words", ["here", "Click&nbsp;here!", "<b>Read</b> more …", "this link"])
def test_link_text_that_says_nothing(findings: Findings, words: str) -> None:
    """D112 warns whatever the case, the marks and the tags inside."""
    found = findings(html=f'<a href="https://papers.example/weir">{words}</a>')

    assert _told(found) == [("D112", "warning", "content/weir.md", 1)]


@pytest.mark.parametrize(
    "words", ["here is the paper", "Read more about weirs", '<img src="data:," alt="Weir"> here']
)
def test_link_text_that_says_something(findings: Findings, words: str) -> None:
    """D112 leaves aside words that name the target, also those of a picture."""
    assert findings(html=f'<a href="https://papers.example/weir">{words}</a>') == []


@pytest.mark.parametrize(
    ("size", "level"),
    [(80_000, None), (80_001, "warning"), (100_000, "warning"), (100_001, "error")],
)
def test_heavy_html(findings: Findings, size: int, level: str | None) -> None:
    """D113 warns over 80 kB and is an error over 100 kB, counted in bytes."""
    frame = "<p>é{}</p><a href='mailto:leave@river.example'>Leave</a>"
    filler = "x" * (size - len(frame.replace("{}", "").encode()))
    found = findings(frame=frame, html=filler)

    assert _told(found) == ([("D113", level, _HTML, 0)] if level else [])


def test_no_way_to_leave(findings: Findings) -> None:
    """D115 is an error for each part in which the address does not stand."""
    both = findings(frame="<p>leave@river.example{}</p>", newsletter={"leave": "go@river.example"})
    html = findings(frame="<p>leave@river.example{}</p>")
    unset = findings(newsletter={"leave": ""})

    assert _told(both) == [("D115", "error", _HTML, 0), ("D115", "error", _TEXT, 0)]
    assert _told(html) == [("D115", "error", _HTML, 0)]
    assert _told(unset) == [("D115", "error", "digest.toml", 0)]


def test_an_empty_edition_has_no_way_to_leave(findings: Findings) -> None:
    """D115 speaks up for HTML without any element, and for parts that are not there."""
    assert [one.path for one in findings(frame="<!-- {} -->")] == [_HTML]
    assert [one.path for one in findings(edition={"files": {}})] == [_HTML, _TEXT]


def test_a_wrapped_address_is_an_address(findings: Findings) -> None:
    """D115 does not mind letter case, a line break in the text, or encoding in the HTML."""
    leave = {"leave": "Leave+River-Notes@river.example"}
    found = findings(
        newsletter=leave,
        html='<a href="mailto:leave%2Briver-notes%40river.example">Leave</a>',
        text="leave+river-\nnotes@river.example",
    )

    assert found == []


def test_the_senders_address_alone_is_no_way_to_leave(findings: Findings) -> None:
    """D115 wants the word where one address serves for answers and for leaving."""
    sender = {"leave": "letter@river.example", "sender": Mailbox(address="letter@river.example")}
    footer = "River Notes, letter@river.example"
    bare = findings(
        newsletter=sender, frame='<a href="mailto:letter@river.example">Us</a>{}', text=footer
    )
    full = findings(
        newsletter=sender,
        html='<a href="mailto:letter@river.example?subject=unsubscribe%20river">Leave</a>',
        text="mailto:letter@river.example?subject=unsubscribe%20river",
    )

    assert _told(bare) == [("D115", "error", _HTML, 0), ("D115", "error", _TEXT, 0)]
    assert full == []


def test_picture_of_the_entry_without_alt(findings: Findings) -> None:
    """The mail shows pictures as links, so D109 looks at the feed entry too."""
    found = findings(entry='<p><img src="https://a.example/p.png" alt=""></p>')

    assert "D109" in {finding.rule for finding in found}
