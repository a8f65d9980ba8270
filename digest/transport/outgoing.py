"""What is still to be sent on one connection."""

from __future__ import annotations

from collections import deque

__all__ = ["Outgoing"]


class Outgoing:
    """A queue of octets that copies none of them.

    `put` counts all octets that were ever queued, `sent` those that left.
    """

    __slots__ = ("_parts", "put", "sent")

    def __init__(self) -> None:
        self._parts: deque[bytes | memoryview] = deque()
        self.put = 0
        self.sent = 0

    def __bool__(self) -> bool:
        return self.sent < self.put

    @property
    def parts(self) -> deque[bytes | memoryview]:
        """Give what is to be sent, in order; it is not to be changed."""
        return self._parts

    def add(self, octets: bytes) -> int:
        """Queue octets; give the count of all up to their end."""
        self._parts.append(octets)
        self.put += len(octets)
        return self.put

    def advance(self, count: int) -> None:
        """Note that so many octets left."""
        self.sent += count
        if self.sent == self.put:
            self._parts.clear()
            return
        while count:
            first = self._parts.popleft()
            if count < len(first):
                self._parts.appendleft(memoryview(first)[count:])
                return
            count -= len(first)

    def clear(self) -> None:
        """Forget what did not leave."""
        self._parts.clear()
        self.put = self.sent
