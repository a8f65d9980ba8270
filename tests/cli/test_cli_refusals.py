"""What commands about a week say no to, with the right code, place and next step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cli.mailing import KEY, NOW

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_FILE = f"content/issues/{KEY}.md"
_ITEM = "---\ntitle: Mill {0}\ntheme: mills\n---\n\nMill {0} ground corn.\n"


@pytest.fixture
def mills(newsletter: Make) -> Path:
    """Give a newsletter of four items of one theme, of which nothing is picked yet."""
    return newsletter(
        {f"content/m{n}.md": _ITEM.format(n) for n in range(4)},
        settings='[selection]\nmin_items = 1\nmax_items = 2\n[[theme]]\nid = "mills"\n',
    )


@pytest.mark.parametrize("words", [("skip",), ("skip", "--release"), ("drop", "m0")])
def test_what_was_withdrawn_is_not_changed_any_more(
    digest: Digest, mills: Path, words: tuple[str, ...]
) -> None:
    """It is not said to be published still, and nobody is told to withdraw it again."""
    for command in (("build",), ("publish",), ("withdraw", KEY)):
        assert digest("-C", mills, *command, *NOW)[0] == 0

    code, _, err = digest("-C", mills, *words, *NOW)

    assert code == 4
    assert "was withdrawn, and does not come back" in err
    assert "digest withdraw" not in err


@pytest.mark.parametrize("words", [("skip",), ("hold",), ("drop", "m0")])
def test_a_header_no_line_fits_into_is_named(
    digest: Digest, mills: Path, words: tuple[str, ...]
) -> None:
    """Nothing is done, so that it is wrong use; the place is the file's."""
    (mills / _FILE).parent.mkdir()
    (mills / _FILE).write_text("---\n{theme: mills, items: [m0, m1]}\n---\n", "utf-8")

    code, _, err = digest("-C", mills, *words, *NOW)

    assert code == 2
    assert f"error: {_FILE}: the `" in err


def test_another_theme_for_a_published_issue_is_refused(digest: Digest, mills: Path) -> None:
    """Its own is as good as none: it is only reported."""
    for command in (("build",), ("publish",)):
        assert digest("-C", mills, *command, *NOW)[0] == 0

    code, _, err = digest("-C", mills, "build", "--theme", "other", *NOW)
    same, out, _ = digest("-C", mills, "build", "--theme", "mills", *NOW)

    assert (code, same) == (4, 0)
    assert "is published, with the theme mills" in err
    assert "published; nothing to do" in out


def test_a_skipped_week_without_items_is_told_to_be_skipped(digest: Digest, mills: Path) -> None:
    """Not to be built first, which a build would refuse."""
    digest("-C", mills, "skip", "--reason", "a holiday", *NOW)

    code, _, err = digest("-C", mills, "drop", "m0", *NOW)

    assert code == 4
    assert "is skipped: a holiday" in err


def test_a_mistyped_theme_is_told_the_one_that_is_meant(digest: Digest, mills: Path) -> None:
    """And letter case does not count."""
    code, _, err = digest("-C", mills, "why", "milsl", *NOW)

    assert code == 2
    assert "did you mean the theme mills?" in err
    assert "theme mills" in digest("-C", mills, "why", "Mills", *NOW)[1]


def test_a_plan_marks_an_item_that_nobody_has(digest: Digest, mills: Path) -> None:
    """A build of that issue file would fail."""
    (mills / _FILE).parent.mkdir()
    (mills / _FILE).write_text("---\ntheme: mills\nitems: [m0, nope]\n---\n", "utf-8")

    out = digest("-C", mills, "plan", "--weeks", "1", *NOW)[1]

    assert "  - Mill 0\n  - nope  (no summary has this id)\n" in out


def test_a_draft_that_did_not_go_out_is_told_with_what_it_holds(
    digest: Digest, mills: Path
) -> None:
    """Weeks later its summaries would wait for ever, and nobody knew."""
    digest("-C", mills, "build", *NOW)
    later = ("--now", "2027-03-01T10:00:00+01:00")

    out = digest("-C", mills, "plan", "--weeks", "1", *later)[1]

    assert (
        f"{KEY} did not go out and holds 2 summaries: send it, or `digest skip {KEY}` frees them"
    ) in out
    assert "did not go out" not in digest("-C", mills, "plan", "--weeks", "1", *NOW)[1]


def test_one_that_leads_with_nothing_of_its_theme_is_led_anew(
    digest: Digest, newsletter: Make
) -> None:
    """After its last own item is dropped, theme, heading and reason are those of what is left."""
    other = "---\ntitle: Lock {0}\ntheme: locks\ndate: 2026-11-0{0}\n---\n\nLock {0} is shut.\n"
    root = newsletter(
        {
            "content/m.md": _ITEM.format(1),
            **{f"content/l{n}.md": other.format(n) for n in (1, 2, 3)},
        },
        settings="[selection]\nmin_items = 3\n"
        '[[theme]]\nid = "mills"\nlabel = "Mills"\n[[theme]]\nid = "locks"\nlabel = "Locks"\n',
    )
    digest("-C", root, "build", "--theme", "mills", *NOW)

    code, out, _ = digest("-C", root, "drop", "m", *NOW)

    text = (root / _FILE).read_text("utf-8")
    assert code == 0
    assert out.splitlines()[1].startswith("  Locks  subject:")
    assert "\ntheme: locks\n" in text
    assert 'theme_reason: "locks leads' in text or "theme_reason: locks leads" in text
