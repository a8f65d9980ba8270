"""The page of checks is what the rules say of themselves."""

from __future__ import annotations

from docs.pages import page, rows, sections

from digest.checks import RULES


def test_table_holds_every_rule_as_it_is() -> None:
    """Id, level, title, reason and cure of each rule, in the order of their ids."""
    told = rows(sections(page("checks.md"))["The rules"])

    assert told == [
        [f"`{rule.id}`", rule.level, rule.title, rule.why, rule.fix]
        for _, rule in sorted(RULES.items())
    ]
