"""FM-01: a byte-order mark and Windows line ends hide nothing of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cases.forms import Issue, public_files, read_day
from cases.inputs import both, in_content, typed

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_OURS = {
    # The mark, CRLF, and blanks after the fences.
    "marked.md": b"\xef\xbb\xbf--- \r\ntitle: Swifts under the eaves\r\ntheme: roof-notes\r\n"
    b"url: https://roofs.example/swifts\r\ndate: 2027-01-05\r\n---\t\r\n\r\n"
    b"Swifts come back to the **same** eaves.\r\n\r\n- one pair\r\n- one gap\r\n",
    # The mark alone.
    "mark-only.md": b"\xef\xbb\xbf---\ntitle: Martins in the mud\ntheme: roof-notes\n"
    b"url: https://roofs.example/martins\ndate: 2027-01-06\n---\n\nMartins need **wet** mud.\n",
    # CRLF alone, and no line end at the end of the file.
    "windows.md": b"---\r\ntitle: Slates that slip\r\ntheme: roof-notes\r\n"
    b"url: https://roofs.example/slates\r\ndate: 2027-01-07\r\n---\r\n\r\nSlates slip **down**.",
    "plain.md": b"---\ntitle: Gutters in spring\ntheme: roof-notes\n"
    b"url: https://roofs.example/gutters\ndate: 2027-01-08\n---\n\nGutters want **hands**.\n",
}


@both("FM-01", _OURS)
def test_fm_01_marked_file_is_read_like_its_neighbour(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Title, theme, link and date of every file come through, and nothing is complained of."""
    root = newsletter(in_content(files))
    themes = {typed(data, "theme") for data in files.values()}
    [theme] = themes
    issue = publish(root, "--theme", theme)
    issue_file = (root / f"content/issues/{issue.key}.md").read_text("utf-8")

    assert "error" not in issue.said
    assert issue.built["theme"] == theme
    assert issue_file.count(f"theme: {theme}\n") == 1 + len(files)
    assert len(issue.titles) == len(files)
    for data in files.values():
        title, url = typed(data, "title"), typed(data, "url")
        day = read_day(typed(data, "date"))
        assert title in issue.titles
        for name, form in issue.forms.items():
            assert title in form.line, name
            if name != "home":
                assert url in form.links, name
                assert day in form.line, name


@both("FM-01", _OURS)
def test_fm_01_nothing_of_the_header_shows(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """No mark, no fence and no key of the header stands in HTML, text, feed or page."""
    issue = publish(newsletter(in_content(files)))

    for name, data in public_files(issue.root).items():
        assert "\ufeff" not in data.decode("utf-8"), name
        assert b"&#65279;" not in data, name
        assert b"&#xfeff;" not in data.lower(), name
    for name, form in issue.forms.items():
        assert "\ufeff" not in form.text, name
        for sign in ("---", "title:", "theme:"):
            assert sign not in form.text, name
        if form.tree is not None and name != "home":
            assert len(form.elements("strong", "b")) >= len(files), name


@pytest.mark.parametrize("name", sorted(_OURS))
def test_fm_01_each_form_of_the_file_gives_the_same_item(
    publish: Publish, newsletter: Make, name: str
) -> None:
    """With the mark and CRLF or without, a file gives the same entry, byte for byte."""
    plain = _OURS[name].removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    one = publish(newsletter({"content/item.md": _OURS[name]}, name="one"))
    other = publish(newsletter({"content/item.md": plain}, name="other"))
    entry = f"outbox/{one.key}/entry.html"

    assert (one.root / entry).read_bytes() == (other.root / entry).read_bytes()
