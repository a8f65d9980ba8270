"""The pages' own templates: the program's, whatever the look of the newsletter is."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from digest.desk.view import FRAMED
from digest.desk.words import WORDS, say, shortened
from digest.publish.wording import count_text

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
    engine.filters["shortened"] = shortened
    return engine


def render_page(name: str, **values: object) -> str:
    """Render a page of the desk."""
    return _engine().get_template(name).render(values)
