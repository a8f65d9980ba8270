"""Which summaries make an issue, under which theme, and why: each one in and each one out."""

from digest.picking.assign import Assignment, assign, themes_in_order
from digest.picking.explain import Explanation, explain, explain_theme
from digest.picking.life import LIVES, Life, life
from digest.picking.pick import Selection, pick, plan
from digest.picking.policy import Mode, Policy, Repeats, WhenThin
from digest.picking.score import ThemeScore
from digest.picking.taken import already_out, sent_before
from digest.picking.wish import Wish

__all__ = [
    "LIVES",
    "Assignment",
    "Explanation",
    "Life",
    "Mode",
    "Policy",
    "Repeats",
    "Selection",
    "ThemeScore",
    "WhenThin",
    "Wish",
    "already_out",
    "assign",
    "explain",
    "explain_theme",
    "life",
    "pick",
    "plan",
    "sent_before",
    "themes_in_order",
]
