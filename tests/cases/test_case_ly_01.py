"""LY-01: a letter too long for Gmail is shortened, and says where the rest and the way out are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import html5lib
import pytest
from cases.forms import HTML, Issue, tree_of, tree_text, words
from cases.inputs import both, in_content
from cases.letters import general_mail, mail_to, read_part

from digest.model import Mailbox

Digest = Callable[..., tuple[int, str, str]]
Publish = Callable[..., Issue]
Make = Callable[..., Path]

_CUT = 102_400  # octets that Gmail shows
_FIRST = 90_000  # octets within which the ways out must stand
_NOW = "2027-01-25T08:00:00+01:00"
_READER = Mailbox(address="reader@people.example", name="A. Reader")
_SELECTION = "[selection]\nmax_items = 10\nsimilarity = 0\n"
_SETTINGS = {"usual": _SELECTION, "unbounded": f"budget = 0\n{_SELECTION}"}
_DETAIL = (
    "Der Pegel am Außenhafen fiel um {n} Zentimeter — so tief wie seit Jahren nicht. "
    "港口的灯在第{n}天又亮了。 The keeper wrote \u201cclear & calm\u201d in the log. "
)


def _long(number: int) -> str:
    """Write one long summary of paragraphs, a list and a table, with a link in each part."""
    link = f"https://pegel.example/{number}/part-"
    parts = [
        f"{_DETAIL.format(n=part) * 8}[part {part}]({link}{part}?a=1&b=2)" for part in range(6)
    ]
    points = "\n".join(
        f"- {_DETAIL.format(n=point)}[point {point}]({link}{point})" for point in (7, 8)
    )
    rows = "\n".join(f"| {row} | {_DETAIL.format(n=row)} |" for row in range(20))
    body = "\n\n".join([*parts, points, f"| day | log |\n|---|---|\n{rows}"])
    return (
        f"---\ntitle: Ein langer Bericht, Teil {number}\ntheme: pegel\n"
        f"url: https://pegel.example/{number}\ndate: 2027-01-{10 + number}\n---\n\n{body}\n"
    )


_OURS = {f"bericht-{number:02}.md": _long(number) for number in range(1, 10)}
_BOUNDS = pytest.mark.parametrize("bound", ["usual", "unbounded"])


@pytest.fixture
def draft(digest: Digest, newsletter: Make) -> Callable[..., Issue]:
    """Give what builds all files as one issue, with the usual bound or with none."""

    def make(files: dict[str, bytes], bound: str = "usual", *, name: str = "letter") -> Issue:
        root = newsletter(in_content(files), settings=_SETTINGS[bound], name=name)
        code, out, err = digest("-C", root, "build", "--json", "--now", _NOW)
        assert code == 0, err
        built = json.loads(out)
        issue = Issue(root=root, key=built["issue"], built=built, said=err, forms={})
        assert len(issue.titles) == len(files)
        return issue

    return make


def _html_parts(issue: Issue) -> dict[str, str]:
    """Give the HTML of the general copy and of a reader's mail, decoded."""
    return {
        "general copy": read_part(general_mail(issue), "html"),
        "reader's mail": read_part(mail_to(issue, _READER).data, "html"),
    }


@both("LY-01", _OURS)
def test_ly_01_decoded_html_is_small_enough(
    draft: Callable[..., Issue], files: dict[str, bytes]
) -> None:
    """All files in one issue: the HTML of each mail stays below what Gmail shows."""
    assert sum(map(len, files.values())) > _CUT
    for name, html in _html_parts(draft(files)).items():
        assert len(html.encode()) <= _CUT, name


@both("LY-01", _OURS)
def test_ly_01_no_item_is_left_out(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Every form has all titles and their links; all but the mail have all words, too."""
    issue = publish(newsletter(in_content(files), settings=_SELECTION), now=_NOW)
    links = set(re.findall(rb"\]\((\S+)\)", b"".join(files.values())))

    for name, form in issue.forms.items():
        assert set(issue.urls) <= set(form.links) or name == "home", name
        assert all(title in form.line for title in issue.titles), name
    for name in {*HTML, "text", "mail text"} - {"letter", "mail HTML"}:
        assert {link.decode() for link in links} <= set(issue.forms[name].links), name


@_BOUNDS
@both("LY-01", _OURS)
def test_ly_01_ways_out_stand_in_the_first_octets(
    draft: Callable[..., Issue], files: dict[str, bytes], bound: str
) -> None:
    """However long the letter, its first 90 kB lead out of the list and to the web page."""
    issue = draft(files, bound)

    for name, html in _html_parts(issue).items():
        data = html.encode()
        assert (len(data) > _CUT) == (bound == "unbounded"), name
        first = data[:_FIRST].decode(errors="ignore")
        leads_to = {link.get("href", "") for link in tree_of(first).iter("a")}
        assert f"https://harbour.example/{issue.key}.html" in leads_to, name
        assert any("unsubscribe" in address or "leave" in address for address in leads_to), name


@both("LY-01", _OURS)
def test_ly_01_shortened_summaries_end_whole(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Each ends after a paragraph, a point or a word of the original, then leads to the rest."""
    issue = publish(newsletter(in_content(files), settings=_SELECTION), now=_NOW)
    html = _html_parts(issue)["reader's mail"]
    page = {words(text) for text in issue.forms["page"].texts("p", "li")}
    led_to: list[str] = []
    for part in _items(html):
        *shown, last = [element for element in part.iter() if element.tag in {"p", "li"}]
        for line in (words(tree_text(element)) for element in shown):
            whole = any(text.startswith(line[:-1]) for text in page)
            assert line in page or (line.endswith("\u2026") and whole), line
        led_to += [link.get("href", "") for link in last.iter("a")]

    anchors = [item.get("id") for item in issue.forms["page"].elements("section")]
    assert led_to == [f"https://harbour.example/{issue.key}.html#{place}" for place in anchors]
    assert len(led_to) == len(files)
    assert "\ufffd" not in html
    assert not [error for _, error, _ in _errors(html) if "end-tag" in error]


def _items(html: str) -> list[ET.Element]:
    """Give the elements of a mail that hold a summary each."""
    parts = [part for part in tree_of(html).iter("div") if "prose" in part.get("class", "").split()]
    assert parts
    return parts


def _errors(html: str) -> list[tuple[object, str, object]]:
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    parser.parse(html)
    errors: list[tuple[object, str, object]] = parser.errors
    return errors


@_BOUNDS
@both("LY-01", _OURS)
def test_ly_01_strict_refuses(
    digest: Digest, draft: Callable[..., Issue], files: dict[str, bytes], bound: str
) -> None:
    """A strict check ends with 1 and a strict publish with 4; both name items or the size."""
    issue = draft(files, bound)
    rule, told = ("D125", len(files)) if bound == "usual" else ("D113", 1)
    strict = ("--set", "checks.strict=true", "--now", _NOW)

    code, out, _ = digest("-C", issue.root, "check", issue.key, *strict)
    assert code == 1
    assert out.count(f" {rule}: ") == told
    code, _, err = digest("-C", issue.root, "publish", issue.key, *strict)
    assert code == 4
    assert err.count(f" {rule}: ") == told
    assert not (issue.root / "outbox" / "site").exists()


@both("LY-01", _OURS)
def test_ly_01_same_octets_again(draft: Callable[..., Issue], files: dict[str, bytes]) -> None:
    """What is shortened hangs on nothing but the issue."""
    one, two = [draft(files, name=name) for name in ("one", "two")]

    assert general_mail(one) == general_mail(two)
