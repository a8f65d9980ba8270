"""The plan as one page that needs nothing else: no server, no script, no other file."""

from __future__ import annotations

from importlib.resources import files

from markupsafe import Markup

from digest.desk.templates import render_page
from digest.desk.words import say, state_word
from digest.publish.plan_shown import PlanShown
from digest.site import CALENDAR_STYLE

__all__ = ["desk_style", "page_of"]


def desk_style() -> str:
    """Give the style sheet of the desk, that of the calendar included."""
    own = (files("digest.desk") / "pages" / "desk.css").read_text("utf-8")
    return f"{own}\n/* The calendar of the coming issues. */{CALENDAR_STYLE}"


def page_of(plan: PlanShown, *, newsletter: str, as_of: str) -> bytes:
    """Make the page of a plan, as `digest.desk.plan_page` says."""
    html = render_page(
        "plan.html.j2",
        plan=plan,
        newsletter=newsletter,
        as_of=say("as_of_plan", at=as_of),
        states={issue.state: state_word(issue.state) for issue in plan.issues},
        style=Markup(desk_style()),  # noqa: S704 - the program's own sheet, without any `</`
    )
    return html.encode()
