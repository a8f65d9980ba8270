"""What an editor must know before a send: one rule a function, with an id and a level."""

from digest.checks.check import check_issue, explain_rule
from digest.checks.finding import Finding, Level, Material, Rule, stopping
from digest.checks.rules import RULES

__all__ = [
    "RULES",
    "Finding",
    "Level",
    "Material",
    "Rule",
    "check_issue",
    "explain_rule",
    "stopping",
]
