"""Rules on the HTML and the text: each fires where it should, and only there."""

from collections.abc import Callable

import pytest

from digest.checks import Finding
from digest.model import (
    EditionItem,
    FieldPlace,
    Image,
    Link,
    LinkResult,
    LinkState,
    Mailbox,
    Summary,
    ThemeId,
)

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


def test_heavy_html_names_the_heaviest_items(findings: Findings, summary: Make) -> None:
    """D113 names three items with their octets, those that take most first."""
    names = ("weir", "lock", "mill", "pier")
    items = tuple(
        EditionItem(
            id=name,
            title=f"About {name}",
            url=f"https://papers.example/{name}",
            anchor=name,
            theme=ThemeId("water"),
        )
        for name in names
    )
    parts = (
        f'<div><a href="{item.url}">{item.title}</a>{"x" * 10_000 * place}</div>'
        for place, item in enumerate(items, 1)
    )
    found = findings(*map(summary, names), html="".join(parts), edition={"items": items})

    assert [(one.rule, one.level) for one in found] == [("D113", "error")]
    assert found[0].message == (
        "the HTML has 101 kB, more than 100 kB; most of it is 'About pier' 40,063 octets, "
        "'About mill' 30,063 octets, 'About lock' 20,063 octets"
    )


def test_html_over_a_small_budget(findings: Findings) -> None:
    """D113 warns where a mail has more than its budget; a larger one, or none, changes nothing."""
    told = {
        budget: [one.message for one in findings(html="x" * 50_000, newsletter={"budget": budget})]
        for budget in (0, 40_000, 51_000, 95_000)
    }
    large = findings(html="x" * 80_000, newsletter={"budget": 95_000})

    assert told == {0: [], 40_000: ["the HTML has 51 kB, more than 40 kB"], 51_000: [], 95_000: []}
    assert [one.message for one in large] == ["the HTML has 81 kB, more than 80 kB"]


@pytest.mark.parametrize(("words", "named"), [("Dear readers", True), (" \n", False)])
def test_heavy_html_names_the_introduction(
    findings: Findings, summary: Make, words: str, *, named: bool
) -> None:
    """D113 tells of it as of an item, in the order of their octets; not where nobody wrote one."""
    item = EditionItem(
        id="weir",
        title="About weir",
        url="https://papers.example/weir",
        anchor="weir",
        theme=ThemeId("water"),
    )
    before = f"<h1>River</h1><p>{'x' * 60_000}</p>"
    part = f'<div><a href="{item.url}">{item.title}</a>{"x" * 30_000}</div>'
    found = findings(
        summary("weir"),
        html=before + part,
        edition={"items": (item,)},
        issue={"introduction": words},
    )

    told = "the introduction 60,007 octets, " if named else ""
    assert [one.message for one in found] == [
        f"the HTML has 91 kB, more than 80 kB; most of it is {told}'About weir' 30,063 octets"
    ]


def test_item_that_was_shortened(findings: Findings, summary: Make) -> None:
    """D125 warns of each item of which the mail has not all, at its file where that is there."""
    items = tuple(
        EditionItem(
            id=name,
            title=name,
            url="https://papers.example/",
            anchor=name,
            theme=ThemeId("water"),
            shortened=name != "mill",
        )
        for name in ("weir", "mill", "gone-away")
    )
    found = findings(summary("weir", path="north/weir.md"), edition={"items": items})

    assert _told(found) == [
        ("D125", "warning", "content/north/weir.md", 1),
        ("D125", "warning", _HTML, 0),
    ]
    assert "is shortened in the mail" in found[0].message


@pytest.mark.parametrize(
    ("text", "fires"),
    [("word " * 27, True), ("word " * 28, False), ("https://x.example/ " * 90, True)],
)
def test_poor_text_part(findings: Findings, text: str, *, fires: bool) -> None:
    """D114 warns under 30 of 100 words; addresses are no words. "To leave" are two more."""
    found = findings(html="<p>" + "word " * 97 + "</p>", text=text)

    assert _told(found) == ([("D114", "warning", _TEXT, 0)] if fires else [])


def test_words_that_do_not_count_for_the_text_part(findings: Findings) -> None:
    """D114 counts what stands on the page; signs count where no blanks part the words."""
    hidden = f'<div style="color:red; DISPLAY : none">{"word " * 99}</div>'
    nested = f'<div style="display:none"><b>{"word " * 50}</b>{"word " * 50}</div>'
    signs = "\u8349" * 100

    assert findings(html=f"<title>{'word ' * 99}</title>{hidden}{nested}") == []
    assert [one.rule for one in findings(html=signs)] == ["D114"]
    assert findings(html=signs, text=signs) == []


def _state(result: LinkResult, *, detail: str = "", to: str = "") -> LinkState:
    return LinkState(url="https://papers.example/weir", result=result, detail=detail, to=to)


@pytest.mark.parametrize(
    ("state", "level", "said"),
    [
        (_state("broken", detail="404 Not Found"), "warning", "is broken: 404 Not Found"),
        (_state("broken"), "warning", "is broken"),
        (_state("unreachable", detail="no answer"), "note", "could not be reached: no answer"),
        (_state("redirected", to="https://a.example/"), "note", "has moved to https://a.example/"),
        (_state("redirected", detail="301"), "note", "has moved: 301"),
        (_state("ok"), None, ""),
        (_state("not checked", detail="over the bound"), None, ""),
    ],
)
def test_links_that_were_looked_at(
    findings: Findings, state: LinkState, *, level: str | None, said: str
) -> None:
    """D126 warns of broken links and notes others, at the file that names the address."""
    found = findings(links={state.url: state})

    assert _told(found) == ([("D126", level, "content/weir.md", 1)] if level else [])
    assert all(one.message == f"the link {state.url} {said}" for one in found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_faint_text(findings: Findings, scheme: str) -> None:
    """D117 warns once for text in the same colours, and names text, colours and contrast."""
    sheet = f"<style>@media (prefers-color-scheme:{scheme}){{p{{color:#777}}}}</style>"
    found = findings(html=f"{sheet}\n<p>A grey\nword</p><p>and another</p>")

    assert _told(found) == [("D117", "warning", _HTML, 2)]
    assert found[0].message == (
        f"the text 'A grey word' has a contrast of 4.47 in {scheme} colours "
        "(#777777 on #FFFFFF), less than 4.5"
    )


def test_text_that_is_faint_when_forced_dark(findings: Findings) -> None:
    """D117 estimates it, at the line of the mail itself, and only for what passes in the light."""
    strong = '<p style="color:#000;background:#fff">black</p>'
    paper = '<p style="color:#4d4d4d;background:#c8c8c8">grey</p>'
    faint = '<p style="color:#777;background:#ccc">pale</p>'
    found = findings(html=f"{strong}\n{paper}\n{faint}")

    assert _told(found) == [("D117", "warning", _HTML, line) for line in (2, 3, 3)]
    schemes = [one.message.partition(" in ")[2].partition(" (#")[0] for one in found]
    assert schemes == ["colours forced dark (an estimate)", "dark colours", "light colours"]
    assert "'grey'" in found[0].message


def test_no_way_to_leave(findings: Findings) -> None:
    """D115 is an error for each part in which the address does not stand."""
    both = findings(frame="<p>leave@river.example{}</p>", newsletter={"leave": "go@river.example"})
    html = findings(frame="<p>leave@river.example{}</p>")
    unset = findings(newsletter={"leave": ""})

    assert _told(both) == [("D115", "error", _HTML, 0), ("D115", "error", _TEXT, 0)]
    assert _told(html) == [("D115", "error", _HTML, 0)]
    assert _told(unset) == [("D115", "error", "digest.toml", 0)]


@pytest.mark.parametrize(("start", "told"), [(90_000, 0), (90_001, 1)])
def test_a_way_to_leave_beyond_what_is_shown(findings: Findings, start: int, told: int) -> None:
    """D115 warns where the first field for leaving stands behind what Gmail shows of a mail."""
    field = {"name": "leave_url", "default": "", "end": 200_000}
    places = [FieldPlace(**field, start=start), FieldPlace(**field, start=start + 9)]

    found = findings(edition={"fields": {"issue.html": tuple(places)}})

    assert _told(found) == [("D115", "warning", _HTML, 0)] * told
    assert [one.message for one in found] == [
        "the first link for leaving stands at octet 90,001; Gmail may hide what stands after 90,000"
    ] * told


def test_words_about_leaving_are_no_way_to_leave(findings: Findings) -> None:
    """D115 is an error for a text that says the word and the sender, and no address to leave by."""
    sender = {"leave": "letter@river.example"}
    text = "Unsubscribe:\n\nSent by River Notes <letter@river.example>"
    html = '<a href="mailto:letter@river.example?subject=unsubscribe%20river">Leave</a>'
    place = FieldPlace(name="leave_url", default="", start=1, end=2)

    found = findings(newsletter=sender, html=html, text=text)
    sound = findings(
        newsletter=sender, html=html, text=text, edition={"fields": {"issue.txt": (place,)}}
    )

    assert _told(found) == [("D115", "error", _TEXT, 0)]
    assert sound == []


def test_a_mark_in_the_subject_is_told_though_a_text_has_its_word(
    findings: Findings, summary: Callable[..., Summary]
) -> None:
    """D108 takes a mark for content only where content has the bracket and the word together."""
    about = summary("weir", body="Jinja writes `{{ x }}`, for one. The name of the reader.")

    told = findings(about, edition={"subject": "Good morning {{ name }}"})

    assert [one.rule for one in told] == ["D108"]
    assert findings(about, edition={"subject": "What {{ x }} is"}) == []


def test_an_address_is_told_where_it_stands_whole(
    findings: Findings, summary: Callable[..., Summary]
) -> None:
    """A longer address that begins the same is another one, in another file."""
    longer = summary("weir", body="[the long one](http://b.example/x/long)")
    shorter = summary("lock", body="[the short one](http://b.example/x).")
    html = '<a href="http://b.example/x/long">long one</a> <a href="http://b.example/x">short</a>'

    found = [one for one in findings(longer, shorter, html=html) if one.rule == "D111"]

    assert {one.message.split()[0]: one.path for one in found} == {
        "http://b.example/x": "content/lock.md",
        "http://b.example/x/long": "content/weir.md",
    }


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
