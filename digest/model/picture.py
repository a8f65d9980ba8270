"""A picture file of the content folder, as mail, page and feed show it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

__all__ = ["PICTURE_TYPES", "Picture"]

# The formats that are shown, by media type (RFC 2046 §4.2), and how the name of each ends.
PICTURE_TYPES: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}
_DIGITS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture: its path in the content folder, its format, its size in pixels, its octets."""

    path: str
    media_type: str
    width: int
    height: int
    data: bytes

    @property
    def name(self) -> str:
        """Give the file name under which it is public: by its octets, so that it never changes."""
        return f"{sha256(self.data).hexdigest()[:_DIGITS]}.{PICTURE_TYPES[self.media_type]}"
