"""Front matter and Markdown files in, summaries out; issue files in and out."""

from digest.content.choices import items_text
from digest.content.dump import dump_header
from digest.content.issues import dump_issue, load_issue, parse_issue
from digest.content.library import Library, load_library
from digest.content.options import ContentOptions
from digest.content.seals import hold_text, seal_text, skip_text
from digest.content.summaries import parse_summary

__all__ = [
    "ContentOptions",
    "Library",
    "dump_header",
    "dump_issue",
    "hold_text",
    "items_text",
    "load_issue",
    "load_library",
    "parse_issue",
    "parse_summary",
    "seal_text",
    "skip_text",
]
