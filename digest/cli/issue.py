"""Commands that make an issue: build, verify, publish."""

from __future__ import annotations

import click

from digest.cli.call import Call, Command
from digest.cli.options import DRY_RUN, DRY_TOLD, ISSUE
from digest.cli.remarks import tell_remarks
from digest.errors import FilesError
from digest.model import Issue, IssueKey, ThemeId, kilobytes
from digest.publish.build import Built, build_issue
from digest.publish.editions import Kept
from digest.publish.project import Project
from digest.publish.release import Released, publish_issue, refresh_site
from digest.publish.verify import Verified, editions_kept, verify_issue

__all__ = ["build_command", "publish_command", "tell_built", "verify_command"]


@click.command("build", cls=Command, short_help="Pick and render an issue.")
@ISSUE
@click.option("--theme", metavar="THEME", help="Take this theme instead of the one in turn.")
@click.option("--extra", metavar="NAME", default="", help="Make a second issue in one week.")
@click.option("--refill", is_flag=True, help="Fill free places of an issue file by the rules.")
@click.option("--fail-if-empty", is_flag=True, help="Exit 3 where there is nothing to send.")
@DRY_RUN
@click.pass_obj
def build_command(  # noqa: PLR0913 - one for each option
    call: Call,
    *,
    issue: str | None,
    theme: str | None,
    extra: str,
    refill: bool,
    fail_if_empty: bool,
    dry_run: bool,
) -> int:
    """Pick an issue's summaries and render it into outbox/ISSUE/.

    Without ISSUE it is this week's. Nothing public changes. An issue file that names its items is
    used as it stands; with --refill those that may not go out any more are taken out of it, and
    free places are filled.
    """
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    key = project.key(issue, now=now, extra=extra)
    built = build_issue(
        project,
        key,
        now=now,
        theme=ThemeId(theme) if theme else None,
        refill=refill,
        dry_run=dry_run,
    )
    call.notes(built.library.notes)
    tell_built(call, project, built, dry_run=dry_run)
    code = call.complain(built.library.problems)
    if fail_if_empty and (built.issue is None or not built.issue.items):
        return 3
    return code


def tell_built(call: Call, project: Project, built: Built, *, dry_run: bool) -> None:
    """Tell what came of a build: the theme, the items, the reasons, the files."""
    if built.kept is None or built.issue is None:
        call.say(f"{built.key}: {built.skipped}")
        if built.passed_over:
            call.say(f"  passed over: {', '.join(built.passed_over)}")
        call.answer(
            {
                "issue": built.key,
                "skipped": built.skipped,
                "passed_over": list(built.passed_over),
                "items": [],
                "files": {},
            },
            problems=built.library.problems,
        )
        return
    edition = built.kept.edition
    head = {
        "built": f"{built.key}  number {edition.number}, draft",
        "published": f"{built.key}  number {edition.number}, published; nothing to do",
        "withdrawn": f"{built.key}  number {edition.number}, withdrawn; it does not come back",
    }[built.state]
    call.say(head + (DRY_TOLD if dry_run else ""))
    _tell_items(call, built.issue, built.kept)
    for one in built.taken_out:
        call.say(f"  {one.id}: {one.reason}")
    if built.passed_over:
        call.say(f"  passed over: {', '.join(built.passed_over)}")
    for shortage in built.shortages:
        call.say(f"  short: {shortage}")
    _tell_files(call, project, built.kept)
    if built.state == "built" and not dry_run:
        then = "send" if project.readers() else "publish"
        call.say(f"next: digest preview {built.key}, then digest {then} {built.key}")
    call.answer(_answer(project, built, built.kept), problems=built.library.problems)


def _answer(project: Project, built: Built, kept: Kept) -> dict[str, object]:
    edition = kept.edition
    return {
        "issue": built.key,
        "state": built.state,
        "number": edition.number,
        "folder": project.shown(project.folder(built.key)),
        "theme": edition.theme,
        "items": [{"id": item.id, "title": item.title, "url": item.url} for item in edition.items],
        "files": kept.manifest["files"],
        "edition": kept.fingerprint,
        "passed_over": list(built.passed_over),
        "taken_out": [{"id": one.id, "reason": one.reason} for one in built.taken_out],
        "changed": list(built.changed),
    }


def _tell_items(call: Call, issue: Issue, kept: Kept) -> None:
    edition = kept.edition
    themes = click.style(", ".join(filter(None, edition.tags)) or issue.theme or "mixed", bold=True)
    call.say(f"  {themes}  subject: {edition.subject}")
    if issue.theme_reason:
        call.say(f"  why this theme: {issue.theme_reason}")
    reasons = {pick.id: pick.reason for pick in issue.items}
    for place, item in enumerate(edition.items, start=1):
        call.say(f"  {place}. {item.title}")
        if reasons.get(item.id):
            call.say(f"     why: {reasons[item.id]}")
    if issue.left_out:
        call.say(f"  left out: the {len(issue.left_out)} nearest are in the issue file")


def _tell_files(call: Call, project: Project, kept: Kept) -> None:
    sizes = ", ".join(
        f"{name} {kilobytes(len(data))}" for name, data in sorted(kept.edition.files.items())
    )
    call.say(f"  {project.shown(project.folder(kept.edition.key))}/  {sizes}")


@click.command("verify", cls=Command, short_help="Prove that an edition rebuilds the same.")
@ISSUE
@click.option("--all", "all_issues", is_flag=True, help="Verify every edition in the outbox.")
@click.pass_obj
def verify_command(call: Call, *, issue: str | None, all_issues: bool) -> int:
    """Build an edition again from its kept inputs and compare every byte."""
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    keys = editions_kept(project) if all_issues else (project.key(issue, now=now),)
    told: list[dict[str, object]] = []
    code = 0
    for key in keys:
        try:
            verified = verify_issue(project, key)
        except FilesError as error:
            if not all_issues:
                raise
            # One damaged edition hides nothing of the others.
            code = max(code, error.exit_code)
            call.complain(error.problems)
            told.append({"issue": key, "identical": False, "differences": [str(error)]})
            continue
        call.say(_verdict(verified))
        told.append(_verified(verified))
        code = max(code, int(verified.identical is False))
    if not keys:
        call.say("no edition yet; `digest build` makes this week's")
    call.answer({"editions": told} if all_issues else told[0])
    return code


def _verdict(verified: Verified) -> str:
    tools = ", ".join(f"{name} {then} then, {now} now" for name, then, now in verified.tools)
    told = {
        True: "identical, every byte",
        False: f"differs in {', '.join(verified.differences)}",
        None: f"not comparable: {tools}; install those versions to prove it",
    }[verified.identical]
    return f"{verified.key}: {told}"


def _verified(verified: Verified) -> dict[str, object]:
    return {
        "issue": verified.key,
        "identical": verified.identical,
        "differences": list(verified.differences),
        "tools": [{"name": n, "then": then, "now": now} for n, then, now in verified.tools],
    }


@click.command("publish", cls=Command, short_help="Put an issue on the site, once.")
@ISSUE
@DRY_RUN
@click.pass_obj
def publish_command(call: Call, *, issue: str | None, dry_run: bool) -> int:
    """Put an issue on the site and into the feeds, once; its edition never changes after that."""
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    key = project.key(issue, now=now)
    if issue is None and (nothing := _unready(project, key)):
        changed = refresh_site(project, now=now, dry_run=dry_run)
        call.say(f"{key}: nothing to publish; {nothing}" + (DRY_TOLD if dry_run else ""))
        for name in changed:
            call.say(f"  {name}")
        call.answer({"issue": key, "state": "none", "changed": list(changed)})
        return 0
    released = publish_issue(project, key, now=now, dry_run=dry_run)
    tell_remarks(call, released)
    call.say(f"{key}  {_done(released)}" + (DRY_TOLD if dry_run else ""))
    for name in released.changed:
        call.say(f"  {name}")
    call.say(f"  open {project.shown(project.outbox / 'site' / 'index.html')} in a browser")
    call.answer(
        {
            "issue": key,
            "number": released.kept.edition.number,
            "state": released.state,
            "edition": released.kept.fingerprint,
            "changed": list(released.changed),
        }
    )
    return 0


def _unready(project: Project, key: IssueKey) -> str:
    """Say why there is no issue of the week to publish, empty where there is one."""
    found = project.issue(key)
    if found is not None and found.seal is not None:
        return ""
    if found is not None and found.skip:
        return f"it is skipped: {found.skip}"
    begun = project.folder(key).is_dir() if found is None else found.picked
    return "" if begun else "`digest build` picks and renders it first"


def _done(released: Released) -> str:
    number = f"number {released.kept.edition.number}"
    if released.state == "published":
        return f"{number}, published"
    if released.state == "withdrawn":
        return f"{number}, withdrawn before; it does not come back"
    if released.changed:
        return f"{number}, published before; brought up to date:"
    return f"{number}, published before; nothing to do"
