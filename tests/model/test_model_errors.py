"""What errors say on one line."""

from __future__ import annotations

from digest.errors import DigestError, FilesError, Problem


def test_brief_names_every_problem_and_its_place() -> None:
    """All problems stand on one line, without what to do."""
    problems = (Problem(what="is gone", where="a.md:2", fix="put it back"), Problem(what="is full"))

    assert DigestError.of(problems).brief == "a.md:2: is gone; is full"


def test_brief_is_a_clean_line() -> None:
    """Breaks become blanks, and nothing is left that a terminal would obey."""
    error = FilesError("is\n  no\x1b[31m file\u2028", where="a\r\nb.md")

    assert error.brief == "a b.md: is no[31m file"
