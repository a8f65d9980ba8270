"""Whether the targets of links answer: asked for only by hand, and never inside a network."""

from digest.links.check import check_links
from digest.links.memory import Known, memory_bytes, read_memory
from digest.links.public import is_public
from digest.links.watch import LinkWatch

__all__ = ["Known", "LinkWatch", "check_links", "is_public", "memory_bytes", "read_memory"]
