"""The routes of the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from importlib.resources import files
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from digest.desk.copies import copy_of, entry_page, with_pictures
from digest.desk.guard import FRAME_POLICY, FRAME_POLICY_PICTURES, Guard
from digest.desk.measure import remote_pictures
from digest.desk.plan_file import desk_style
from digest.desk.reading import Missing, read_edition, read_home, read_issue
from digest.desk.shown import Header, IssuePage
from digest.desk.templates import render_page
from digest.desk.view import FORMS, FRAMED, View
from digest.desk.words import WORDS
from digest.errors import DigestError, Problem, UsageError
from digest.model import Edition, IssueKey
from digest.publish.project import Project
from digest.publish.wording import moment_text

__all__ = ["application"]

# The files of an edition as they are, each with its media type.
_FILES: Final = {
    "issue.html": "text/html; charset=utf-8",
    "issue.txt": "text/plain; charset=utf-8",
    "issue.eml": "message/rfc822",
    "page.html": "text/html; charset=utf-8",
    "entry.html": "text/html; charset=utf-8",
}
_ASSETS: Final = {"desk.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml"}


def application(
    project: Project, *, token: str, now: Callable[[], datetime], hosts: tuple[str, ...]
) -> Starlette:
    """Make the application, as `digest.desk.make_desk` says."""
    desk = _Desk(project=project, now=now)
    app = Starlette(
        routes=[
            Route("/", desk.home),
            Route("/issues/{key}", desk.issue),
            Route("/issues/{key}/{name}", desk.file),
            Route("/issues/{key}/frame/{name}", desk.frame),
            *(Route(f"/{name}", _asset) for name in _ASSETS),
        ],
        middleware=[Middleware(Guard, token=token, hosts=hosts)],
        exception_handlers={DigestError: desk.problem, HTTPException: desk.nothing},
    )
    # A redirect would name the host that the request named.
    app.router.redirect_slashes = False
    return app


def _asset(request: Request) -> Response:
    name = request.url.path.lstrip("/")
    if name == "desk.css":
        data = desk_style().encode()
    else:
        data = (files("digest.desk") / "pages" / name).read_bytes()
    return Response(data, headers={"Content-Type": _ASSETS[name]})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Desk:
    """One newsletter as its pages show it; read anew for every request."""

    project: Project
    now: Callable[[], datetime]

    def home(self, request: Request) -> Response:
        """Show all issues."""
        del request
        return self._page("home.html.j2", home=read_home(self.project, now=self.now()))

    def issue(self, request: Request) -> Response:
        """Show one issue in the form that the address asks for."""
        page = read_issue(self.project, self._key(request), now=self.now())
        if isinstance(page, Missing):
            return self._page("missing.html.j2", missing=page)
        view = View.read(request.query_params)
        return self._page("issue.html.j2", page=page, view=view, given=_form(page, view))

    def file(self, request: Request) -> Response:
        """Give a file of the edition, byte for byte."""
        name = request.path_params["name"]
        data = self._edition(request).files.get(name) if name in _FILES else None
        if data is None:
            raise HTTPException(404)
        headers = {"Content-Type": _FILES[name], "Content-Security-Policy": FRAME_POLICY}
        return Response(data, headers=headers)

    def frame(self, request: Request) -> Response:
        """Give a copy of an HTML file of the edition, for the frame."""
        name, view = request.path_params["name"], View.read(request.query_params)
        if name not in FRAMED.values():
            raise HTTPException(404)
        edition = self._edition(request)
        data = edition.files[name]
        # The address of a frame names the file, and not the form that shows it.
        colour = "dark" if view.colour == "forced" and name != "issue.html" else view.colour
        if name == "entry.html":
            language = self.project.settings.newsletter.language
            copy = entry_page(data, title=edition.title, language=language, colour=colour)
        else:
            copy = copy_of(data, colour=colour)
        rule = FRAME_POLICY_PICTURES if view.pictures == "on" else FRAME_POLICY
        headers = {"Content-Type": _FILES[name], "Content-Security-Policy": rule}
        return Response(with_pictures(copy, edition.files), headers=headers)

    def problem(self, request: Request, error: Exception) -> Response:
        """Say why something cannot be shown, and what to do."""
        del request
        assert isinstance(error, DigestError)  # noqa: S101 - registered for these alone
        # The plain kind is about the address; its subclasses are about files.
        status = 404 if type(error) is UsageError else 500
        return self._page("problem.html.j2", status=status, problems=error.problems)

    def nothing(self, request: Request, error: Exception) -> Response:
        """Say that there is no such page."""
        del request
        assert isinstance(error, HTTPException)  # noqa: S101 - registered for these alone
        problems = (Problem(what=WORDS["no_page"]),)
        return self._page("problem.html.j2", status=error.status_code, problems=problems)

    def _key(self, request: Request) -> IssueKey:
        return self.project.key(request.path_params["key"], now=self.now())

    def _edition(self, request: Request) -> Edition:
        kept = read_edition(self.project, self._key(request))
        if kept is None:
            raise HTTPException(404)
        return kept.edition

    def _page(self, name: str, *, status: int = 200, **values: object) -> Response:
        newsletter = self.project.settings.newsletter
        as_of = moment_text(self.now(), newsletter.zone)
        html = render_page(name, newsletter=newsletter, as_of=as_of, **values)
        return HTMLResponse(html, status_code=status)


def _form(page: IssuePage, view: View) -> dict[str, object]:
    """Give what one form of the issue needs beside the page."""
    files = page.kept.edition.files
    given: dict[str, object] = {"forms": FORMS, "frame": "", "text": "", "headers": ()}
    if view.file:
        given["frame"] = f"/issues/{page.key}/frame/{view.file}{view.query(view='desktop')}"
        given["pictures"] = remote_pictures(with_pictures(files[view.file], files))
    elif view.view == "headers":
        given["headers"], given["text"] = _headers(files["issue.eml"])
    else:
        name = "issue.html" if view.view == "source" else "issue.txt"
        given["text"] = files[name].decode("utf-8", "replace")
    return given


def _headers(message: bytes) -> tuple[tuple[Header, ...], str]:
    """Give the fields of a message decoded, and the lines as they stand."""
    head = message.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    parsed = message_from_bytes(head, policy=policy.default)
    fields = tuple(Header(name=name, value=str(value)) for name, value in parsed.items())
    return fields, head.decode("utf-8", "replace").strip().replace("\r\n", "\n")
