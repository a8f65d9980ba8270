"""A port for the desk: the one asked for, or the next free one."""

from __future__ import annotations

import errno
import socket
from pathlib import Path
from threading import Thread

import pytest
from desk.visiting import TOKEN, Visitor

from digest.config import load_settings
from digest.desk import make_desk, serve, serving
from digest.errors import UsageError
from digest.publish.project import Project


def test_the_next_free_port_is_taken() -> None:
    """Where somebody listens already, the desk goes one further."""
    with serving.listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with serving.listen("127.0.0.1", port) as second:
            assert port < second.getsockname()[1] <= port + 20


def test_a_port_is_free_again_at_once() -> None:
    """A desk that was just stopped, with a visitor still connected, leaves its port free."""
    with serving.listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        visitor = socket.create_connection(("127.0.0.1", port))
        taken, _ = listener.accept()
        taken.close()
    with visitor, serving.listen("127.0.0.1", port) as again:
        assert again.getsockname()[1] == port


@pytest.mark.parametrize(
    ("host", "address"), [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("::1", "::1")]
)
def test_only_the_address_asked_for_is_listened_on(host: str, address: str) -> None:
    """A loopback name binds that address and no other."""
    with serving.listen(host, 0) as listener:
        assert listener.getsockname()[0] == address


def test_when_all_ports_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """After twenty tries it is told, with what to do."""

    def taken(host: str, port: int) -> socket.socket:
        raise OSError(errno.EADDRINUSE, f"taken: {host}, {port}")

    monkeypatch.setattr(serving, "_listener", taken)
    with pytest.raises(UsageError, match="from 8040 to 8060 are all taken"):
        serving.listen("127.0.0.1", 8040)
    with pytest.raises(UsageError, match="from 65530 to 65535 are all taken"):
        serving.listen("127.0.0.1", 65530)


def test_an_address_of_another_machine() -> None:
    """What is no address of this machine is told at once."""
    with pytest.raises(UsageError, match=r"on 192\.0\.2\.1, port 8040"):
        serving.listen("192.0.2.1", 8040)


@pytest.mark.parametrize(
    ("host", "start"),
    [
        ("127.0.0.1", "http://127.0.0.1:"),
        ("::1", "http://[::1]:"),
        ("0.0.0.0", "http://127.0.0.1:"),  # noqa: S104 - what is told of it
        ("::", "http://[::1]:"),
    ],
)
def test_an_address_that_opens(
    drafted: Path, monkeypatch: pytest.MonkeyPatch, host: str, start: str
) -> None:
    """`serve` tells an address that can be opened, then runs the server."""
    ran: list[str] = []
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: ran.append("ran"))
    settings = load_settings(drafted, file=None, environ={}, overrides=())
    desk = make_desk(Project(settings=settings), token=TOKEN, now=lambda: pytest.fail("no page"))

    serve(desk, host=host, port=0, ready=ran.append)

    assert ran[0].startswith(start)
    assert ran[0].endswith("/")
    assert ran[1:] == ["ran"]


def test_an_interrupt_is_the_end(drafted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while serving ends it as asked, without an error."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("uvicorn.Server.run", interrupted)
    settings = load_settings(drafted, file=None, environ={}, overrides=())
    desk = make_desk(Project(settings=settings), token=TOKEN, now=lambda: pytest.fail("no page"))

    serve(desk, host="127.0.0.1", port=0, ready=lambda _: None)


def test_many_at_once(visitor: Visitor) -> None:
    """Twenty requests at one time are all answered alike."""
    answers: list[tuple[int, bytes]] = []

    def look() -> None:
        answer = visitor.get("/issues/2027-w03?view=text")
        answers.append((answer.status, answer.body))

    threads = [Thread(target=look) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(answers) == 20
    assert {status for status, _ in answers} == {200}
    assert len({body for _, body in answers}) == 1
