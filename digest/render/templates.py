"""The template engine: sandboxed, strict, deterministic, and exact about where it failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NoReturn

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound, TemplateSyntaxError
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.sandbox import ImmutableSandboxedEnvironment

from digest.errors import ConfigError, DigestError, TemplateError
from digest.model import clean_line
from digest.render.template_set import TemplateSet

__all__ = ["MARK", "TemplateSet", "environment", "render_line", "render_template"]

# Round `file:line`, where text of a template begins a line. No content holds these two signs.
MARK: Final = ("\x02", "\x03")
_CURE: Final = "correct it, or delete it to get the program's own template back"


class _Texts(BaseLoader):
    """Give templates from memory; nothing is opened, whatever a template includes."""

    def __init__(self, templates: TemplateSet) -> None:
        self._templates = templates
        self.places = {templates.place(name) for name in templates.texts}

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Give a template's text and path."""
        del environment
        if template not in self._templates.texts:
            raise TemplateNotFound(template)
        return self._templates.texts[template], self._templates.place(template), lambda: True


class _Marks(Extension):
    """Write `file:line` before each line of template text, so that output leads back to it."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Mark the pieces of text in a stream of template tokens."""
        for token in stream:
            if token.type != "data":
                yield token
                continue
            lines = token.value.split("\n")
            place = stream.filename or stream.name
            marked = [
                f"{MARK[0]}{place}:{token.lineno + count}{MARK[1]}{line}"
                for count, line in enumerate(lines)
            ]
            yield Token(token.lineno, "data", "\n".join(marked))


def _strict(**options: Any) -> Environment:  # noqa: ANN401 - handed on to Jinja as they are
    made = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        **options,
    )
    # The two parts of Jinja that throw dice: equal inputs must give equal bytes.
    del made.globals["lipsum"]
    del made.filters["random"]
    return made


def environment(templates: TemplateSet, *, marked: bool = False) -> Environment:
    """Make the engine for a set of templates; all but plain text is escaped.

    With `marked`, each line of template text is preceded by its place between the two `MARK`s.
    """
    texts = tuple(sorted(templates.texts.items()))
    return _environment(texts, tuple(sorted(templates.places.items())), marked=marked)


# Compiling a look takes longer than rendering an issue with it; a run needs few looks.
@lru_cache(maxsize=4)
def _environment(
    texts: tuple[tuple[str, str], ...], places: tuple[tuple[str, str], ...], *, marked: bool
) -> Environment:
    return _strict(
        loader=_Texts(TemplateSet(texts=dict(texts), places=dict(places))),
        autoescape=lambda name: name is None or not name.endswith(".txt.j2"),
        extensions=(_Marks,) if marked else (),
    )


def render_template(engine: Environment, name: str, values: Mapping[str, object]) -> str:
    """Render a template; raise TemplateError with its file and line."""
    try:
        return engine.get_template(name).render(values)
    except Exception as error:  # noqa: BLE001 - a template can raise anything
        _refuse(error, name, engine)


def render_line(source: str, values: Mapping[str, object], *, where: str) -> str:
    """Render a one-line template of the settings as plain text; raise ConfigError."""
    try:
        return clean_line(_strict(autoescape=False).from_string(source).render(values))
    except Exception as error:
        raise ConfigError(
            f"cannot be rendered: {error}",
            where=where,
            fix=f"the names that may stand in it are: {', '.join(values)}",
        ) from error


def _refuse(error: Exception, name: str, engine: Environment) -> NoReturn:
    if isinstance(error, DigestError):
        raise error
    if isinstance(error, TemplateNotFound):
        raise TemplateError(
            f"there is no template {error.name}",
            where=_place(error, name, engine),
            fix="put the file back, or leave out what includes it",
        ) from error
    if isinstance(error, TemplateSyntaxError):
        where = f"{error.filename or name}:{error.lineno}"
        raise TemplateError(str(error.message), where=where, fix=_CURE) from error
    raise TemplateError(
        str(error) or type(error).__name__, where=_place(error, name, engine), fix=_CURE
    ) from error


def _place(error: Exception, name: str, engine: Environment) -> str:
    """Find the innermost template line in a traceback, which Jinja has rewritten to show them."""
    places = engine.loader.places if isinstance(engine.loader, _Texts) else set()
    where, trace = name, error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file in places:
            where = f"{file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return where
