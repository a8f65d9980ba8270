"""How large a mail may be, and how sizes are written: one place for what many rooms ask.

Gmail shows the first part of a long mail and hides the rest behind a link; how long that part is
its maker does not say. Senders who tried it found about 102 kB of HTML, some of them 105 kB
(spamresource.com, 12 January 2022). As nobody knows how it counts, the bounds stand below that.
"""

from __future__ import annotations

from typing import Final

__all__ = ["BUDGET", "FILLED", "FIRST_SHOWN", "GMAIL", "HTML_MOST", "KILOBYTE", "kilobytes"]

KILOBYTE: Final = 1_000  # octets, as in the International System of Units

# Where Gmail hides the rest of a mail's HTML: the least that was found.
GMAIL: Final = 102 * KILOBYTE
# What no mail may have (check D113): a little less, for programs on the way add some.
HTML_MOST: Final = 100 * KILOBYTE
# What is shown however Gmail counts: within it a way to leave must stand (check D115).
FIRST_SHOWN: Final = 90 * KILOBYTE
# What a mail may have where `mail.budget` says nothing else, and where D113 begins to warn: a fifth
# less than what is shown, so that a last word from an editor does not spoil it.
BUDGET: Final = 80 * KILOBYTE
# What a reader's own values of the merge fields may add to the mail.
FILLED: Final = 1 * KILOBYTE


def kilobytes(size: int) -> str:
    """Write a number of octets in kB, rounded up: what is over a limit never seems to meet it."""
    return f"{-(-size // KILOBYTE):,} kB"
