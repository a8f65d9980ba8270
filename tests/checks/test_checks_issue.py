"""All rules together: order, silence, limits, explanations."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.checks import RULES, Finding, Level, Material, check_issue, explain_rule, stopping
from digest.errors import UsageError
from digest.model import Summary

Findings = Callable[..., list[Finding]]
Make = Callable[..., Summary]


def test_order_of_findings(findings: Findings, summary: Make) -> None:
    """Errors first, then by rule, then by path."""
    found = findings(
        summary("b", url="", draft=True),
        summary("a", url="", draft=True),
        edition={"subject": "s" * 200, "preheader": ""},
    )

    assert [(one.level, one.rule, one.path) for one in found] == [
        ("error", "D102", "content/issues/2026-w49.md"),
        ("error", "D121", "content/a.md"),
        ("error", "D121", "content/b.md"),
        ("warning", "D103", "content/issues/2026-w49.md"),
        ("warning", "D104", "content/a.md"),
        ("warning", "D104", "content/b.md"),
    ]


def test_ignored_rules_are_silent(material: Callable[..., Material], summary: Make) -> None:
    """Only the rules named are left out."""
    faulty = material(summary("a", url="", draft=True))

    assert [one.rule for one in check_issue(faulty)] == ["D121", "D104"]
    assert [one.rule for one in check_issue(faulty, ignore=frozenset({"D104"}))] == ["D121"]
    assert check_issue(faulty, ignore=frozenset({"D104", "D121"})) == ()


@pytest.mark.parametrize("count", [50, 51, 73])
def test_a_rule_tells_no_more_than_fifty(findings: Findings, summary: Make, count: int) -> None:
    """What goes beyond is counted, at the end of the rule's findings."""
    found = findings(*(summary(f"n{number:03}", url="", draft=True) for number in range(count)))

    errors = [one for one in found if one.rule == "D121"]
    assert [one.path for one in errors[:50]] == [f"content/n{n:03}.md" for n in range(50)]
    more = Finding(rule="D121", level="error", path="", line=0, message=f"and {count - 50} more")
    assert errors[50:] == ([more] if count > 50 else [])
    assert len(found) == 2 * len(errors)


@pytest.mark.parametrize(
    ("about", "rules"),
    [("look", {"D108", "D115", "D117", "D118"}), ("issue", {"D101", "D116", "D126"})],
)
def test_a_rule_says_what_it_judges(about: str, rules: set[str]) -> None:
    """Templates, what the issue says, or its sending: of the last kind there are two."""
    assert {RULES[rule].about for rule in rules} == {about}
    assert {rule.id for rule in RULES.values() if rule.about == "send"} == {"D119", "D120"}


def test_every_rule_is_explained() -> None:
    """Each has its id, level, reason and cure; letter case does not count."""
    assert list(RULES) == [f"D{number}" for number in range(101, 127)]
    for rule in RULES.values():
        assert explain_rule(f" {rule.id.lower()} ") == (
            f"{rule.id} {rule.title} ({rule.level})\n{rule.why}\n{rule.fix}"
        )
    errors = {rule.id for rule in RULES.values() if rule.level == "error"}
    assert errors == {"D101", "D107", "D108", "D115", "D121", "D123"}


def test_an_unknown_rule_is_refused_with_the_nearest() -> None:
    """The nearest id is named, or all of them."""
    with pytest.raises(UsageError, match="there is no rule 'E101'\n  did you mean D101"):
        explain_rule("E101")
    with pytest.raises(UsageError, match="the rules are D101, D102, "):
        explain_rule("subject")


def test_the_room_is_cheap_to_open() -> None:
    """The parser is loaded only where a page is read."""
    code = "import sys, digest.checks; sys.exit('lxml' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603 - our own line


@given(html=st.text(max_size=80), text=st.text(max_size=40), subject=st.text(max_size=20))
@settings(deadline=None, max_examples=60)
def test_any_page_can_be_checked(
    *, material: Callable[..., Material], html: str, text: str, subject: str
) -> None:
    """No HTML, text or subject stops the checks, and twice gives the same."""
    made = material(
        edition={
            "subject": subject,
            "files": {"issue.html": html.encode(), "issue.txt": text.encode()},
        }
    )

    found = check_issue(made)

    assert {"D115"} <= {one.rule for one in found}
    assert check_issue(made) == found


_SNIPPETS = st.sampled_from(
    ["[[", "]]", "[[a]]", "{{", "}}", "{{ a }}", "{%", "%}", "*|", "|*", "a", " ", "$x", "\\"]
)


@given(st.lists(_SNIPPETS, max_size=12).map("".join))
@settings(deadline=None, max_examples=80)
def test_what_a_summary_says_is_never_a_left_over_field(
    material: Callable[..., Material], summary: Make, body: str
) -> None:
    """Whatever brackets a summary writes, as typed in HTML, text and subject, D108 is silent."""
    made = material(
        summary("weir", title=body, body=body),
        edition={"subject": body},
        html=body.replace("<", "&lt;"),
        text=body,
    )

    assert "D108" not in {one.rule for one in check_issue(made)}


def _finding(level: Level, *, line: int = 0) -> Finding:
    return Finding(rule="D101", level=level, path="content/a.md", line=line, message="m")


def test_place_has_the_line_where_it_is_known() -> None:
    """Line 0 stands for none."""
    assert _finding("note").place == "content/a.md"
    assert _finding("note", line=7).place == "content/a.md:7"


def test_errors_stop_and_warnings_where_it_is_strict() -> None:
    """A note never stops an issue."""
    error, warning, note = found = (_finding("error"), _finding("warning"), _finding("note"))

    assert stopping(found, strict=False) == (error,)
    assert stopping(found, strict=True) == (error, warning)
    assert note not in stopping(found, strict=True)
