"""FM-02: a colon or a hash in a bare title neither stops the run nor cuts the title."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cases.forms import Issue
from cases.inputs import both, in_content, typed

Digest = Callable[..., tuple[int, str, str]]
Publish = Callable[..., Issue]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")


def _item(title: str, place: str, more: str = "") -> str:
    return (
        f"---\ntitle: {title}\ntheme: yard\nurl: https://yard.example/{place}\n"
        f"date: 2027-01-10\n{more}---\n\nWords about the matter of {place}.\n"
    )


_OURS = {
    "colon.md": _item("Crane 4: why it stood still", "crane"),
    "colons.md": _item("Tides: low: lower: lowest", "tides"),
    "hash.md": _item("Berth #7 is open again", "berth"),
    "mixed.md": _item("Note: berth #9 and pier #10", "pier", "source: Yard log #3\n"),
    "good.md": _item('"In quotes: all well #1"', "quotes"),
}


@both("FM-02", _OURS)
def test_fm_02_full_title_is_used(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Each title stands whole in all forms; good.md is built; nothing was left out: exit 0."""
    issue = publish(newsletter(in_content(files)))
    titles = {typed(data, "title") for data in files.values()}

    assert set(issue.titles) == titles
    assert len(issue.titles) == len(files)
    for name, form in issue.forms.items():
        for title in titles:
            assert title in form.line, name
    # None is a title with its end cut off.
    assert [text.strip() for text in issue.forms["page"].texts("h2")] == issue.titles


@both("FM-02", _OURS)
def test_fm_02_warning_names_the_file_with_a_hash(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """What YAML takes for a comment is told with file and line; no trace is on the screen."""
    code, out, err = digest("-C", newsletter(in_content(files)), "build", "-v", *_NOW)

    assert code == 0
    assert "Traceback" not in out + err
    assert "yaml" not in out
    assert "content/hash.md:2: " in err
    assert "content/good.md" not in err


@both("FM-02", _OURS)
def test_fm_02_good_file_is_built_beside_one_that_cannot_be_read(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Where a file is left out, one line names it and its cure, exit 1, and the rest is built."""
    broken = '---\ntitle: "Never closed: #4\ntheme: yard\n---\n\nWords.\n'
    root = newsletter({**in_content(files), "content/broken.md": broken})
    code, out, err = digest("-C", root, "build", *_NOW)
    [told] = [line for line in err.splitlines() if line.startswith("error: ")]

    assert code == 1
    assert "content/broken.md:2" in told
    assert "Traceback" not in out + err
    for data in files.values():
        assert typed(data, "title") in out
