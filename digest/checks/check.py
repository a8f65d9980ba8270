"""Ask every rule about an issue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Final

from digest.checks.finding import Finding, Level, Material, Rule, Seen
from digest.checks.rules import RULES
from digest.errors import UsageError

__all__ = ["check_issue", "explain_rule"]

_MOST: Final = 50
_LEVELS: Final[tuple[Level, ...]] = ("error", "warning", "note")


def check_issue(material: Material, *, ignore: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """Give all findings about an issue: errors first, then by rule, path and line.

    `ignore` names rules by id. A rule tells at most 50 findings and then how many more there are.
    """
    seen = _look(material)
    found = [
        finding
        for rule in RULES.values()
        if rule.id not in ignore
        for finding in _capped(_findings(rule, seen))
    ]
    # Stable, so that what a rule has more to tell stays behind its findings.
    return tuple(sorted(found, key=lambda finding: (_LEVELS.index(finding.level), finding.rule)))


def _look(material: Material) -> Seen:
    from digest.checks.parse import read_page  # noqa: PLC0415 - lxml only where a page is read

    html, text = (material.edition.files.get(name, b"") for name in ("issue.html", "issue.txt"))
    return Seen(
        material=material,
        html=html.decode(errors="replace"),
        text=text.decode(errors="replace"),
        mail=read_page(html),
        page=read_page(material.edition.files.get("page.html", b"")),
        entry=read_page(material.edition.files.get("entry.html", b"")),
    )


def _findings(rule: Rule, seen: Seen) -> Iterator[Finding]:
    for hit in rule.find(seen):
        yield Finding(
            rule=rule.id,
            level=hit.level or rule.level,
            path=hit.path,
            line=hit.line,
            message=hit.message,
        )


def _capped(findings: Iterable[Finding]) -> list[Finding]:
    ordered = sorted(findings, key=lambda finding: (finding.path, finding.line, finding.message))
    more = len(ordered) - _MOST
    if more <= 0:
        return ordered
    last = ordered[-1]
    rest = Finding(rule=last.rule, level=last.level, path="", line=0, message=f"and {more} more")
    return [*ordered[:_MOST], rest]


def explain_rule(rule_id: str) -> str:
    """Say what a rule looks for, why, and what to do; letter case does not count.

    Raise UsageError for an unknown id, naming the nearest.
    """
    rule = RULES.get(rule_id.strip().upper())
    if rule is None:
        near = get_close_matches(rule_id.strip().upper(), RULES, n=1, cutoff=0.5)
        raise UsageError(
            f"there is no rule {rule_id!r}",
            fix=f"did you mean {near[0]}?" if near else f"the rules are {', '.join(RULES)}",
        )
    return f"{rule.id} {rule.title} ({rule.level})\n{rule.why}\n{rule.fix}"
