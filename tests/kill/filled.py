"""The program on a disk that fills up at one stage of its work, with short waits.

Run as `filled.py STAGE FILE COMMAND…`: when it comes to STAGE, FILE takes all the room that is
left. With `STAGE:N` that room is given back once the stage has failed N times.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from kill.hasty import hurry

from digest.cli.main import main
from digest.errors import DigestError
from digest.publish import send
from digest.store.deliveries import Deliveries
from digest.transport import Outbox

# Where it happens, its name there, and at which call.
STAGES: Final[dict[str, tuple[Any, str, int]]] = {
    "enroll": (Deliveries, "enroll", 1),
    "seal": (send, "seal_sent", 1),
    "claim": (Deliveries, "claim", 1),
    "step": (Deliveries, "step", 10),
    "outbox": (Outbox, "hand_over", 10),
    "finish": (Deliveries, "finish", 1),
}


def fill(file: Path) -> None:
    """Take all the room that is left."""
    number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with suppress(OSError):
        while True:
            os.write(number, bytes(4096))
    os.close(number)


def _filling(real: Callable[..., Any], file: Path, *, number: int, fails: int) -> Any:  # noqa: ANN401 - whatever it wraps
    calls = failed = 0

    def call(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever it wraps
        nonlocal calls, failed
        calls += 1
        if calls == number:
            fill(file)
        try:
            return real(*arguments, **options)
        except DigestError:
            failed += 1
            if failed == fails:
                file.unlink()
            raise

    return call


if __name__ == "__main__":
    stage, _, times = sys.argv.pop(1).partition(":")
    place, name, at = STAGES[stage]
    filler = Path(sys.argv.pop(1))
    wrapped = _filling(getattr(place, name), filler, number=at, fails=int(times or 0))
    setattr(place, name, wrapped)
    hurry()
    main()
