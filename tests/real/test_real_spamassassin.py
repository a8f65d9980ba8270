"""SpamAssassin's rules, without a network, see nothing in an issue that looks like spam."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from real.samples import LANGUAGES, build, content

pytestmark = pytest.mark.real

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_MOST = 1.0
_SPAM = 5.0
_BAD = b"""\
From: Best Offers <winner@lottery-4u.example>
To: undisclosed-recipients:;
Subject: YOU HAVE WON!!! CLAIM YOUR FREE MONEY NOW $$$
MIME-Version: 1.0
Content-Type: text/html; charset="iso-8859-1"

<html><body bgcolor="#ffffff"><font size="7" color="#fefefe">cheap online pharmacy</font>
<b>DEAR FRIEND, YOU ARE SELECTED. CLICK HERE TO CLAIM YOUR PRIZE OF ONE MILLION DOLLARS!</b>
<a href="http://192.0.2.7/win.exe">http://bank.example/login</a>
<img src="http://192.0.2.7/open.gif" width="600" height="800">
Buy Viagra now, 100% guaranteed, no prescription, risk free, act now, limited time.
This is not spam. To be removed from our mailing list click below.</body></html>
"""


@pytest.fixture(scope="module")
def score() -> Callable[[bytes], tuple[float, str]]:
    """Give a function that scores a mail by the rules that ask nobody, or skip."""
    program = shutil.which("spamassassin")
    if program is None:
        pytest.skip("SpamAssassin is not installed")

    def scored(mail: bytes) -> tuple[float, str]:
        done = subprocess.run(  # noqa: S603 - a program found on this machine, our own flags
            [program, "--local", "--test-mode"], input=mail, capture_output=True, check=True
        )
        report = done.stdout.decode(errors="replace")
        found = re.search(r"\((-?[0-9.]+) points, [0-9.]+ required\)", report)
        assert found, report[-2000:]
        return float(found[1]), report[found.start() :][:3000]

    return scored


@pytest.mark.parametrize("look", ["default", "compact"])
@pytest.mark.parametrize("count", [1, 6, 25])
@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_issue_does_not_look_like_spam(
    score: Callable[[bytes], tuple[float, str]],
    digest: Digest,
    newsletter: Make,
    language: str,
    count: int,
    look: str,
) -> None:
    """An issue of any length and script stays far below what a filter takes for spam."""
    root = newsletter(content(language, count))
    outbox = build(digest, root, f"mail.look={look}", language=language, count=count)

    points, report = score((outbox / "2026-w49/issue.eml").read_bytes())

    print(f"{language} {count} {look}: {points}")  # noqa: T201 - the figure is what people ask for
    assert points <= _MOST, report


def test_spam_is_seen(score: Callable[[bytes], tuple[float, str]]) -> None:
    """The same rules see a mail that is spam: the figure above means something."""
    points, report = score(_BAD)

    print(f"bad: {points}")  # noqa: T201 - as above
    assert points >= _SPAM, report
