"""FD-01: control characters and a closing CDATA mark break neither feed nor letter."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.parsers import expat

from cases.forms import FEEDS, HTML, Issue, public_files
from cases.inputs import both, in_content, typed

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_OURS = {
    "paste.md": b'---\ntitle: "Copied \\x1b\\x07 notes"\ntheme: feed\n'
    b"url: https://paste.example/copied\ndate: 2027-01-12\n---\n\n"
    b"A tab\there, a nul\x00, a form\x0cfeed, a back\x08space, an escape \x1b[1mbold\x1b[0m, "
    b"a file \x1c mark, \x7f, \xc2\x80\xc2\x9f, \xef\xbf\xbe\xef\xbf\xbf and \xef\xb7\x90 end.\n\n"
    b"Next\xc2\x85line, line\xe2\x80\xa8mark.\n\n"
    b"As code: `while (x[y[1]]>0) {}` and `]]>` and `<![CDATA[`.\n\n"
    b"```\nend of data ]]>\nif (p[q[2]]>3) {}\n```\n\n"
    b"<!-- a note with ]]> in it -->\n\nThe end ]]> of it.\n",
    "neighbour.md": b"---\ntitle: Nothing was copied here\ntheme: feed\n"
    b"url: https://paste.example/neighbour\ndate: 2027-01-13\n---\n\nPlain words.\n",
}
# XML 1.0 (5th ed.) section 2.2, C1 controls and non-characters too, but NEL, which is a line end.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def _titles(files: dict[str, bytes]) -> list[str]:
    """Give the titles as they may be shown: escapes of control characters are gone."""
    return [
        " ".join(re.sub(r"\\x[0-9a-f]{2}", "", typed(data, "title")).split())
        for data in files.values()
    ]


def _expat(data: bytes) -> None:
    expat.ParserCreate().Parse(data, True)  # noqa: FBT003 - the name of its argument is not open


@both("FD-01", _OURS)
def test_fd_01_both_items_are_in_all_feeds(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """RSS and Atom pass expat, the JSON feed parses, and both items stand in all three."""
    issue = publish(newsletter(in_content(files)))
    site = issue.root / "outbox/site"
    _expat((site / "rss.xml").read_bytes())
    _expat((site / "atom.xml").read_bytes())
    json.loads((site / "feed.json").read_bytes())

    for name in FEEDS:
        form = issue.forms[name]
        assert sorted(form.texts("h3")) == sorted(_titles(files)), name
        for data in files.values():
            assert typed(data, "url") in form.links, name


@both("FD-01", _OURS)
def test_fd_01_forbidden_characters_are_gone_from_every_file(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """No public file holds a forbidden character or its reference; tab and line feed stay."""
    issue = publish(newsletter(in_content(files)))

    for name, data in public_files(issue.root).items():
        text = data.decode("utf-8")
        assert not _FORBIDDEN.search(text), name
        assert not re.search(r"&#x?0*(?:[0-8bcBC]|1[0-9a-fA-F]|2[0-9]|3[01]);", text), name
        assert not re.search(r"\\u00[01][0-9a-f]", text), name
    for name in FEEDS:
        [tabbed] = [text for text in issue.forms[name].texts("p") if "[0m" in text]
        assert "\t" in tabbed, name
        assert "\n" in issue.forms[name].text, name


@both("FD-01", _OURS)
def test_fd_01_end_of_cdata_reads_as_typed_in_code(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """`]]>` in code shows as typed in each form; the letter is built whole."""
    issue = publish(newsletter(in_content(files)))
    source = files["paste.md"].decode()
    [comment] = re.findall("<!--(.*?)-->", source)
    typed_code = re.findall(r"`([^`\n]+)`", source.partition("\n\n")[2])

    assert "]]>" in typed_code
    for name in HTML:
        assert [code for code in issue.forms[name].texts("code") if code in typed_code] == (
            typed_code
        ), name
    for name, form in issue.forms.items():
        for title in _titles(files):
            assert title in form.line, name
        if name == "home":
            continue
        assert all(code in form.line for code in typed_code), name
        # What follows the comment that hides the mark is there; the comment is not.
        assert source.strip().rpartition("\n")[2] in form.line, name
        assert comment.partition("]]>")[0].strip() not in form.line, name
