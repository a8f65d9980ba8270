"""The editor's desk: pages on this machine that show an issue as its readers will get it.

Read-only: it answers GET and HEAD, and nothing changes by looking. Importing this package is cheap;
the web server's libraries come with the first call.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from digest.publish.plan_shown import PlanShown
    from digest.publish.project import Project

__all__ = ["make_desk", "plan_page", "serve"]


def make_desk(
    project: Project, *, token: str, now: Callable[[], datetime], hosts: tuple[str, ...] = ()
) -> Starlette:
    """Make the desk of a newsletter: an ASGI application.

    Only who brings `token`, in the address or as the cookie that it then becomes, is answered, and
    only under a name of the loopback, the address that the request came in at, or one of `hosts`.
    """
    from digest.desk.app import application  # noqa: PLC0415 - imports Starlette and Jinja

    return application(project, token=token, now=now, hosts=hosts)


def plan_page(plan: PlanShown, *, newsletter: str, as_of: str) -> bytes:
    """Make a page of a plan that needs no desk: one HTML file without any script.

    It shows the calendar, what runs short, the queue, and each coming issue with its reasons.
    `newsletter` is its name; `as_of` is the moment of the plan, in words.
    """
    from digest.desk.plan_file import page_of  # noqa: PLC0415 - imports Jinja

    return page_of(plan, newsletter=newsletter, as_of=as_of)


def serve(app: Starlette, *, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve an application until it is stopped; `ready` gets its address, with a slash at the end.

    Where the port is taken the next free one is used; 0 means any. Raise UsageError where none
    can be had.
    """
    from digest.desk.serving import run  # noqa: PLC0415 - imports uvicorn

    run(app, host=host, port=port, ready=ready)
