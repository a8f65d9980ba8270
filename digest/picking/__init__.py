"""Which summaries make an issue, under which theme, and why: each one in and each one out."""

from digest.picking.assign import Assignment, assign, themes_in_order
from digest.picking.explain import Explanation, explain
from digest.picking.pick import Selection, pick, plan
from digest.picking.policy import Mode, Policy, WhenThin
from digest.picking.score import ThemeScore

__all__ = [
    "Assignment",
    "Explanation",
    "Mode",
    "Policy",
    "Selection",
    "ThemeScore",
    "WhenThin",
    "assign",
    "explain",
    "pick",
    "plan",
    "themes_in_order",
]
