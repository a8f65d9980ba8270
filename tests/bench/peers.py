"""Who else sends: Postfix's generator of load, and nodemailer's pool; both as whole programs."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Final

from letter import SENDER, Letters
from measuring import measured, timed
from receivers import Receiver

__all__ = ["Nodemailer", "generate"]

_HERE: Final = Path(__file__).resolve().parent


def generate(to: Receiver, *, sessions: int, count: int, octets: int) -> float:
    """Let smtp-source send equal messages, and give the seconds for each.

    Its connections stay open (`-d`): with one for each message it is half as fast.
    """
    counts = {"s": sessions, "m": count, "l": octets}
    numbers = [word for name, value in counts.items() for word in (f"-{name}", f"{value}")]
    names = ["-M", "survey.example", "-f", SENDER, "-t", "reader@reader.example"]
    command = ["smtp-source", "-d", *numbers, *names, f"127.0.0.1:{to.port}"]
    return timed([*to.inside, *command]) / count


class Nodemailer:
    """Nodemailer's pool with the parts of our edition, which it encodes for each reader itself."""

    def __init__(self, folder: Path, letters: Letters, *, size: int) -> None:
        self._given = folder / "nodemailer.json"
        self._letters, self._size = letters, size
        folder.mkdir()

    @staticmethod
    def why_not() -> str:
        """Say why it cannot be run here; empty where it can."""
        if shutil.which("node") is None:
            return "Node.js is not installed"
        modules = os.environ.get("DIGEST_NODE_MODULES", "")
        is_there = (Path(modules) / "nodemailer").is_dir()
        return "" if is_there else "it is not in DIGEST_NODE_MODULES: `make judges`"

    def send(self, to: Receiver, *, connections: int, count: int, signed: bool) -> float:
        """Send so many messages, and give the seconds for each, between the first and the last."""
        edition = self._letters.edition(self._size)
        key = {"domainName": "survey.example", "keySelector": "bench"}
        given = {
            "modules": os.environ["DIGEST_NODE_MODULES"],
            "port": to.port,
            "connections": connections,
            "count": count,
            "from": SENDER,
            "subject": edition.subject,
            # Here stands what the general copy has in place of a name.
            "before": "For you.",
            "html": edition.files["issue.html"].decode(),
            "text": edition.files["issue.txt"].decode(),
            "dkim": {**key, "privateKey": self._letters.key()} if signed else None,
        }
        self._given.write_text(json.dumps(given), "utf-8")
        return float(measured(["node", str(_HERE / "pooled.cjs"), str(self._given)]).told) / count
