"""The command check: what an editor must know before an issue goes out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import click

from digest.checks import Finding, explain_rule, stopping
from digest.checks.sizes import item_sizes
from digest.cli.call import Call, Command
from digest.cli.options import ISSUE
from digest.cli.remarks import finding_line
from digest.errors import UsageError
from digest.model import IssueKey, LinkState
from digest.publish.editions import Kept
from digest.publish.inspect import Checked, check
from digest.publish.project import Project
from digest.publish.wording import count_text

__all__ = ["check_command"]

_FORMATS = ("text", "json", "github")


@click.command("check", cls=Command, short_help="Find what is wrong before it is out.")
@ISSUE
@click.option("--links", "ask", is_flag=True, help="Ask the targets of its links, too.")
@click.option("--sizes", is_flag=True, help="Tell how many octets each item takes in the mail.")
@click.option("--explain", metavar="ID", help="Explain one rule instead.")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text")
@click.pass_obj
def check_command(
    call: Call, *, issue: str | None, ask: bool, sizes: bool, explain: str | None, form: str
) -> int:
    """Find what an editor must know before an issue goes out; exit 1 where an error is found.

    Only --links uses the network. It asks no page again that answered well in the last seven days,
    and never one inside a network.
    """
    if form == "json" and not call.as_json:
        call = replace(call, as_json=True).remember()
    if sizes and form == "github":
        raise UsageError("--sizes has no place in the format github", fix="leave one of them out")
    if explain:
        call.say(explain_rule(explain))
        call.answer({"rule": explain.upper(), "explanation": explain_rule(explain)})
        return 0
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    key = project.key(issue, now=now)
    checked = check(
        project,
        key,
        now=now,
        ask=(lambda kept: _asked(call, project, kept, now=now)) if ask else None,
    )
    for finding in checked.findings:
        call.say(_github(finding) if form == "github" else finding_line(finding))
    if form == "text":
        _tell(call, key, checked)
    if sizes and form == "text":
        _tell_sizes(call, project, checked.kept)
    if call.as_json:
        call.answer(_answer(project, checked, ask=ask), problems=checked.library.problems)
    found = stopping(checked.findings, strict=project.settings.checks.strict)
    return max(call.complain(checked.library.problems), int(bool(found)))


def _answer(project: Project, checked: Checked, *, ask: bool) -> dict[str, object]:
    told: dict[str, object] = {
        "issue": checked.kept.edition.key,
        "findings": [_told(finding) for finding in checked.findings],
        "sizes": _sizes(project, checked.kept),
    }
    links = [_link_told(state) for state in checked.links.values()]
    return {**told, "links": links} if ask else told


def _asked(call: Call, project: Project, kept: Kept, *, now: datetime) -> Mapping[str, LinkState]:
    """Ask the targets of links, and show how far that is."""
    from digest.cli.progress import counting  # noqa: PLC0415 - these three only where it is
    from digest.links import LinkWatch  # noqa: PLC0415 - asked for
    from digest.publish.links import ask_links  # noqa: PLC0415

    with counting(call, "asking") as tell:
        watch = LinkWatch(clock=time.monotonic, pause=time.sleep, progress=tell)
        return ask_links(project, kept, now=now, watch=watch)


def _tell(call: Call, key: IssueKey, checked: Checked) -> None:
    links = checked.links
    call.say(f"{key}: {_counted(checked.findings)}")
    if links:
        counts = Counter(state.result for state in links.values())
        told = ", ".join(f"{count} {result}" for result, count in sorted(counts.items()))
        call.say(f"{key}: {count_text(len(links), 'link')}: {told}")


def _tell_sizes(call: Call, project: Project, kept: Kept) -> None:
    told = _sizes(project, kept)
    budget = f" of {told['budget']:,}" if told["budget"] else ""
    call.say(f"{kept.edition.key}: HTML {told['html']:,} octets{budget}, text {told['text']:,}")
    for item in told["items"]:
        call.say(f"  {item['octets']:>7,}  {item['title']}")


def _sizes(project: Project, kept: Kept) -> dict[str, Any]:
    """Count the octets of the mail's parts, and what each item takes of the HTML."""
    edition = kept.edition
    html = edition.files["issue.html"]
    found = item_sizes(html.decode(), edition.items)
    return {
        "html": len(html),
        "text": len(edition.files["issue.txt"]),
        "budget": project.settings.newsletter.budget,
        "items": [
            {"id": item.id, "title": item.title, "octets": found[item.id]}
            for item in edition.items
            if item.id in found
        ],
    }


def _told(finding: Finding) -> dict[str, object]:
    return {
        "rule": finding.rule,
        "level": finding.level,
        "path": finding.path,
        "line": finding.line,
        "message": finding.message,
    }


def _link_told(state: LinkState) -> dict[str, str]:
    return {
        "url": state.url,
        "result": state.result,
        "detail": state.detail,
        "to": state.to,
    }


def _counted(findings: tuple[Finding, ...]) -> str:
    counts = Counter(finding.level for finding in findings)
    told = [count_text(count, level) for level, count in sorted(counts.items())]
    return ", ".join(told) or "nothing found"


def _github(finding: Finding) -> str:
    """Write a finding as a workflow command, its text escaped as that format asks."""
    kind = "notice" if finding.level == "note" else finding.level
    text = finding.message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    path = finding.path.replace("%", "%25").replace(",", "%2C").replace(":", "%3A")
    path = path.replace("\r", "%0D").replace("\n", "%0A")
    return f"::{kind} file={path},line={finding.line or 1},title={finding.rule}::{text}"
