"""A relay that is far away: it takes all, and answers what came in one go after a while.

As a program: `slow_relay.py PORT MILLISECONDS`. Answers to commands that came together leave
together (RFC 2920 §3.2), and those that came later wait for their own time.
"""

from __future__ import annotations

import asyncio
import sys

__all__: list[str] = []

_END = b"\r\n.\r\n"
_OFFERS = b"250-slow.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 0\r\n"


class _Session(asyncio.Protocol):
    """One connection."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._came = bytearray()
        self._in_content = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        if isinstance(transport, asyncio.Transport):
            self._transport = transport
            self._answer(b"220 slow.example ESMTP\r\n")

    def data_received(self, data: bytes) -> None:
        """Take what came, and plan the answer to what of it is whole."""
        self._came += data
        said = b""
        while (taken := self._taken()) is not None:
            said += taken
        if said:
            self._answer(said)

    def _taken(self) -> bytes | None:
        """Take a command or a content and give its answer; None where none is whole."""
        end = b"\r\n"
        if self._in_content:
            # A content that is empty has its dot at the very start.
            end = b".\r\n" if self._came.startswith(b".\r\n") else _END
        at = self._came.find(end)
        if at < 0:
            return None
        verb = bytes(self._came[:4]).upper()
        del self._came[: at + len(end)]
        if self._in_content:
            self._in_content = False
            return b"250 2.0.0 taken\r\n"
        self._in_content = verb == b"DATA"
        answers = {b"EHLO": _OFFERS, b"DATA": b"354 go on\r\n", b"QUIT": b"221 2.0.0 bye\r\n"}
        return answers.get(verb, b"250 2.0.0 ok\r\n")

    def _answer(self, said: bytes) -> None:
        asyncio.get_running_loop().call_later(self._delay, self._say, said)

    def _say(self, said: bytes) -> None:
        transport = self._transport
        if transport is not None and not transport.is_closing():
            transport.write(said)
            if said.endswith(b"bye\r\n"):
                transport.close()


async def _serve(port: int, delay: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Session(delay), "127.0.0.1", port, backlog=100)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), int(sys.argv[2]) / 1000))
