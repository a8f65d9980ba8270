"""The vocabulary of the field: frozen, slotted, keyword-only values, checked when made."""

from digest.model.edition import Edition, EditionItem, Published
from digest.model.issue import (
    History,
    Issue,
    LeftOut,
    PastIssue,
    PastItem,
    Pick,
    Seal,
    Slot,
    WeeklyTime,
)
from digest.model.names import (
    IssueKey,
    ThemeId,
    canonical_url,
    clean_line,
    clean_text,
    is_issue_key,
    issue_key,
    safe_name,
    slugify,
    week_days,
)
from digest.model.newsletter import Mailbox, Newsletter
from digest.model.summary import Image, Link, Note, Summary
from digest.model.theme import COLOURS, OTHER, Theme, theme_label

__all__ = [
    "COLOURS",
    "OTHER",
    "Edition",
    "EditionItem",
    "History",
    "Image",
    "Issue",
    "IssueKey",
    "LeftOut",
    "Link",
    "Mailbox",
    "Newsletter",
    "Note",
    "PastIssue",
    "PastItem",
    "Pick",
    "Published",
    "Seal",
    "Slot",
    "Summary",
    "Theme",
    "ThemeId",
    "WeeklyTime",
    "canonical_url",
    "clean_line",
    "clean_text",
    "is_issue_key",
    "issue_key",
    "safe_name",
    "slugify",
    "theme_label",
    "week_days",
]
