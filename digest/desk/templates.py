"""The pages' own templates: the program's, whatever the look of the newsletter is."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from digest.desk.view import FRAMED
from digest.desk.words import WORDS, say, shortened
from digest.publish.plan_shown import PlanShown
from digest.publish.wording import count_text
from digest.site import NAMES_WIDTH, plan_calendar

__all__ = ["render_page"]


@cache
def _engine() -> Environment:
    engine = Environment(
        loader=PackageLoader("digest.desk", "pages"),
        autoescape=True,  # all that people wrote is text here; none of it is a template
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    engine.globals |= {"words": WORDS, "say": say, "count_text": count_text, "framed": FRAMED}
    engine.globals |= {"calendar": _calendar, "names_width": NAMES_WIDTH}
    engine.filters["shortened"] = shortened
    return engine


def _calendar(plan: PlanShown) -> Markup:
    """Draw the calendar without its style, which the style sheet of the desk holds."""
    return Markup(plan_calendar(plan.weeks, plan.themes, style=False))  # noqa: S704 - our drawing


def render_page(name: str, **values: object) -> str:
    """Render a page of the desk."""
    return _engine().get_template(name).render(values)
