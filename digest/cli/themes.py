"""The command that shows what falls under which theme: themes."""

from __future__ import annotations

import click

from digest.cli.call import Call, Command
from digest.errors import UsageError
from digest.model import OTHER
from digest.picking import LIVES, Life
from digest.publish.themes import RuleUse, Themed, ThemesUsed, ThemeUse, themes_used
from digest.publish.wishes import no_theme
from digest.publish.wording import count_text

__all__ = ["themes_command"]

_IDLE_SHOWN = 4  # rules
_ITEMS_SHOWN = 20  # summaries without a rule


@click.command("themes", cls=Command, short_help="Show what falls under which theme.")
@click.argument("theme", required=False)
@click.pass_obj
def themes_command(call: Call, *, theme: str | None) -> int:
    """Show how many summaries each theme has and by which rule, and what is under no theme.

    With THEME, show the summaries of that one under the rule that found them.
    """
    project = call.project()
    used = themes_used(project, now=call.now(project.settings.newsletter.zone))
    shown = used.themes if theme is None else (_named(used, theme),)
    for use in shown:
        _tell(call, use, whole=theme is not None)
    other = used.themes[-1]
    if other in shown:
        _tell_hints(call, used)
    call.answer(
        {
            "themes": [_answer(use, whole=theme is not None) for use in shown],
            "other": [_place(item) for item in other.items],
            "hints": [{"rule": hint.rule, "items": hint.items} for hint in used.hints],
        },
        problems=used.library.problems,
    )
    return call.complain(used.library.problems)


def _named(used: ThemesUsed, name: str) -> ThemeUse:
    for use in used.themes:
        if name.strip().lower() == use.theme.id:
            return use
    raise UsageError.of((no_theme(name, [use.theme.id for use in used.themes]),))


def _tell(call: Call, use: ThemeUse, *, whole: bool) -> None:
    """Print one theme: its counts, its rules, and its summaries where they were asked for."""
    count = count_text(len(use.items), "summary", "summaries")
    origin = "" if use.declared or use.theme.id == OTHER.id else "; only files name it"
    call.say(f"{use.theme.id}  {use.theme.label}: {count}, {_lives(use)}{origin}")
    for rule in use.rules:
        if rule.items or whole:
            call.say(f"  {rule.items:>4}  {_rule(rule.rule)}{_remark(rule)}")
            _tell_items(call, [item for item in use.items if whole and item.rule == rule.rule])
    if not whole:
        _tell_idle(call, use)
    ruleless = [item for item in use.items if not item.rule]
    if ruleless:
        call.say(f"  {len(ruleless):>4}  by no rule")
        shown = ruleless if whole or call.verbose else ruleless[:_ITEMS_SHOWN]
        _tell_items(call, shown)
        if len(ruleless) > len(shown):
            call.say(f"        and {len(ruleless) - len(shown)} more; `digest themes other`")


def _lives(use: ThemeUse) -> str:
    """Tell how many wait and were sent, and how many are in each other state that has any."""
    always: tuple[Life, ...] = ("waiting", "sent")
    others = [state for state in LIVES if state not in always and use.count(state)]
    return ", ".join(f"{use.count(state)} {state}" for state in (*always, *others))


def _tell_items(call: Call, items: list[Themed]) -> None:
    for item in items:
        call.say(f"        - {item.summary.title}  ({item.summary.path})  {item.life}")


def _remark(rule: RuleUse) -> str:
    if not rule.fits:
        return "  fits nothing"
    return "" if rule.items else f"  fits {rule.fits}, all under a theme already"


def _tell_idle(call: Call, use: ThemeUse) -> None:
    idle = [rule.rule for rule in use.rules if not rule.fits]
    if idle:
        shown = idle if call.verbose else idle[:_IDLE_SHOWN]
        more = f" and {len(idle) - len(shown)} more" if len(idle) > len(shown) else ""
        call.say(f"        fits nothing: {', '.join(shown)}{more}")


def _rule(rule: str) -> str:
    return "named in the file" if rule.startswith("theme:") else rule


def _tell_hints(call: Call, used: ThemesUsed) -> None:
    if used.hints:
        call.say("words that several of these share; one may make a rule:")
        for hint in used.hints:
            call.say(f"  {hint.items:>4}  {hint.rule}")


def _answer(use: ThemeUse, *, whole: bool) -> dict[str, object]:
    told: dict[str, object] = {
        "theme": use.theme.id,
        "label": use.theme.label,
        "declared": use.declared,
        "items": len(use.items),
        "waiting": use.count("waiting"),
        "sent": use.count("sent"),
        "rules": [
            {"rule": rule.rule, "items": rule.items, "fits": rule.fits} for rule in use.rules
        ],
    }
    if whole:
        told["summaries"] = [
            {**_place(item), "rule": item.rule, "life": item.life} for item in use.items
        ]
    return told


def _place(item: Themed) -> dict[str, str]:
    summary = item.summary
    return {"id": summary.id, "title": summary.title, "path": summary.path}
