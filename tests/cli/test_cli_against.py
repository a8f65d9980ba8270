"""How `digest plan --against` tells what changed."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from digest.cli.against import tell_against
from digest.cli.call import Call
from digest.errors import Problem
from digest.model import Issue, IssueKey, Pick, Slot, Summary, ThemeId
from digest.picking.compare import compare
from digest.publish.against import Against, Plan

KEYS = tuple(IssueKey(f"2026-w{week}") for week in (49, 50, 51, 52))


def issue(place: int, theme: str, *names: str) -> Issue:
    """Make one of the coming issues."""
    items = tuple(Pick(id=name, theme=ThemeId(theme), reason=f"{name} fits") for name in names)
    at = datetime(2026, 12, 4 + 7 * place, 16, tzinfo=UTC)
    return Issue(slot=Slot(issue=KEYS[place], at=at), theme=ThemeId(theme), items=items)


def plan(*names: str, shortages: tuple[str, ...] = (), problem: str = "") -> Plan:
    """Make one side: its summaries, what is short, and a file that could not be read."""
    return Plan(
        summaries={
            name: Summary(id=name, path=f"{name}.md", title=name.title(), body="", fingerprint="")
            for name in names
        },
        shortages=shortages,
        problems=(Problem(what="cannot be read", where=problem),) if problem else (),
    )


def against(
    before: tuple[Issue | None, ...], after: tuple[Issue | None, ...], *sides: Plan
) -> Against:
    """Compare issues in the order of their weeks."""
    keys = KEYS[: len(before)]
    changes = compare(dict(zip(keys, before, strict=True)), dict(zip(keys, after, strict=True)))
    earlier, later = sides or (plan("ebb", "flow", "quay"), plan("ebb", "flow", "pier"))
    return Against(revision="main", issues=keys, changes=changes, before=earlier, after=later)


MOVED = against(
    (issue(0, "tides", "ebb", "quay"), issue(1, "", "flow"), None, issue(3, "ports", "a", "b")),
    (issue(0, "ports", "pier", "flow"), None, issue(2, "", "ebb"), issue(3, "ports", "b", "a")),
)


def test_each_item_is_told_with_its_sign(capsys: pytest.CaptureFixture[str]) -> None:
    """What went stands after a minus, what came after a plus, with where else it is."""
    assert tell_against(Call(), MOVED) == 0
    out, err = capsys.readouterr()
    assert out == (
        "4 of the next 4 issues changed since main\n"
        "\n"
        "2026-w49  ports, was tides\n"
        "- Ebb  (ebb.md; now in 2026-w51)\n"
        "- Quay  (quay.md)\n"
        "+ Pier  (pier.md)\n"
        "+ Flow  (flow.md; was in 2026-w50)\n"
        "\n"
        "2026-w50  no issue, was mixed\n"
        "- Flow  (flow.md; now in 2026-w49)\n"
        "\n"
        "2026-w51  mixed, was no issue\n"
        "+ Ebb  (ebb.md; was in 2026-w49)\n"
        "\n"
        "2026-w52  ports  (in another order)\n"
    )
    assert err == ""


def test_reasons_are_told_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    """With `-v` each item has why it is, or was, in the issue; one without a file has its id."""
    found = against((issue(0, "tides", "lost"),), (issue(0, "tides", "pier"),))
    tell_against(Call(verbose=True), found)
    assert capsys.readouterr().out == (
        "1 of the next 1 issue changed since main\n"
        "\n"
        "2026-w49  tides\n"
        "- lost\n"
        "    why: lost fits\n"
        "+ Pier  (pier.md)\n"
        "    why: pier fits\n"
    )


def test_shortages_are_told_with_signs_too(capsys: pytest.CaptureFixture[str]) -> None:
    """What is new follows what is no more; what is on both sides is no change."""
    before = plan(shortages=("tides runs dry in 2027-w03", "ports starves"))
    after = plan(shortages=("ports starves", "tides runs dry in 2027-w05"))
    tell_against(Call(), against((None, None), (None, None), before, after))
    assert capsys.readouterr().out == (
        "none of the next 2 issues changed since main\n"
        "\n"
        "what runs short\n"
        "- tides runs dry in 2027-w03\n"
        "+ tides runs dry in 2027-w05\n"
    )


def test_a_file_left_out_is_an_error_only_now(capsys: pytest.CaptureFixture[str]) -> None:
    """What the change mends is a remark; what it breaks, or leaves broken, is exit 1."""
    mended = against((None,), (None,), plan(problem="main:content/a.md"), plan())
    assert tell_against(Call(), mended) == 0
    assert capsys.readouterr().err == "note: main:content/a.md: cannot be read\n"
    broken = against((None,), (None,), plan(), plan(problem="content/a.md"))
    assert tell_against(Call(), broken) == 1
    assert "error: content/a.md: cannot be read\n" in capsys.readouterr().err


def test_json_holds_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    """Each issue that differs has its themes, what came and what went; nothing else is printed."""
    sides = (
        plan("ebb", "quay", shortages=("x",), problem="main:b.md"),
        plan("pier", problem="c.md"),
    )
    found = replace(MOVED, before=sides[0], after=sides[1])
    assert tell_against(Call(as_json=True), found) == 1
    told = json.loads(capsys.readouterr().out)
    assert list(told) == [
        "schema",
        "against",
        "weeks",
        "changed",
        "issues",
        "shortages",
        "problems",
    ]
    assert (told["against"], told["weeks"], told["changed"]) == ("main", 4, 4)
    first, second, third, last = told["issues"]
    assert first == {
        "issue": "2026-w49",
        "theme": "ports",
        "was": "tides",
        "skipped": False,
        "was_skipped": False,
        "moved": False,
        "in": [
            {"id": "pier", "title": "Pier", "path": "pier.md", "reason": "pier fits"},
            {"id": "flow", "title": "flow", "path": "", "reason": "flow fits"},
        ],
        "out": [
            {"id": "ebb", "title": "Ebb", "path": "ebb.md", "reason": "ebb fits"},
            {"id": "quay", "title": "Quay", "path": "quay.md", "reason": "quay fits"},
        ],
    }
    assert (second["skipped"], third["was_skipped"], last["moved"]) == (True, True, True)
    assert told["shortages"] == {"new": [], "gone": ["x"]}
    assert [problem["where"] for problem in told["problems"]] == ["c.md", "main:b.md"]
