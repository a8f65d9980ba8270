"""What is said besides a result: findings, and files that were saved too late."""

from __future__ import annotations

import click

from digest.checks import Finding
from digest.cli.call import Call
from digest.publish.release import Released

__all__ = ["finding_line", "tell_remarks"]

_COLOURS = {"error": "red", "warning": "yellow", "note": "blue"}


def finding_line(finding: Finding) -> str:
    """Write a finding as one line, its level in colour."""
    level = click.style(finding.level, fg=_COLOURS[finding.level])
    place = f"{finding.place}: " if finding.place else ""
    return f"{place}{level} {finding.rule}: {finding.message}"


def tell_remarks(call: Call, released: Released) -> None:
    """Print what an editor may want to know of an issue that goes out all the same."""
    for finding in released.findings:
        call.mention(finding_line(finding))
    for path in released.stale:
        call.mention(f"note: {path}: was saved after the build; what is new in it is not out")
