"""The outcome of the checks, each finding beside the place that it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from digest.checks import RULES, Finding, Level
from digest.desk.shown import Checked, FindingLine

__all__ = ["sorted_out"]

_LEVELS: Final[tuple[Level, ...]] = ("error", "warning", "note")
# Rules about one field of the issue, and where that stands on the page.
_FIELDS: Final = {"D101": "subject", "D102": "subject", "D103": "preheader"}


def sorted_out(
    findings: tuple[Finding, ...], *, ignored: frozenset[str], anchors: Mapping[str, str]
) -> Checked:
    """Sort findings by level, and name the rules that found nothing or were left out.

    `anchors` maps the paths of summaries to their places on the page.
    """
    broken = {finding.rule for finding in findings}
    return Checked(
        levels=tuple(
            (level, tuple(_line(one, anchors) for one in findings if one.level == level))
            for level in _LEVELS
        ),
        passed=tuple(
            (rule.id, rule.title)
            for rule in RULES.values()
            if rule.id not in broken and rule.id not in ignored
        ),
        left_out=tuple((rule.id, rule.title) for rule in RULES.values() if rule.id in ignored),
    )


def _line(finding: Finding, anchors: Mapping[str, str]) -> FindingLine:
    rule = RULES[finding.rule]
    return FindingLine(
        rule=finding.rule,
        title=rule.title,
        message=finding.message,
        place=finding.place,
        anchor=anchors.get(finding.path) or _FIELDS.get(finding.rule, ""),
        why=rule.why,
        fix=rule.fix,
    )
