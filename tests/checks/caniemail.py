"""Reduce the data of caniemail.com to the module of client support.

`python tests/checks/caniemail.py DATA.json` writes `digest/checks/support_table.py` anew. DATA.json
is `data/caniemail.json` of the npm package `caniemail`, in its place beside the `package.json`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

__all__ = ["MODULE", "module_of"]

MODULE: Final = Path(__file__).resolve().parents[2] / "digest" / "checks" / "support_table.py"
# Family and platform in the data, then the names to show, in the order of the table.
_CLIENTS: Final = (
    ("apple-mail", "macos", "Apple Mail", "macOS"),
    ("apple-mail", "ios", "Apple Mail", "iOS"),
    ("gmail", "desktop-webmail", "Gmail", "web"),
    ("gmail", "ios", "Gmail", "iOS"),
    ("gmail", "android", "Gmail", "Android"),
    ("outlook", "windows", "Outlook", "classic Windows"),
    ("outlook", "outlook-com", "Outlook", "web"),
    ("outlook", "macos", "Outlook", "macOS"),
    ("outlook", "ios", "Outlook", "iOS"),
    ("outlook", "android", "Outlook", "Android"),
    ("yahoo", "desktop-webmail", "Yahoo Mail", "web"),
    ("yahoo", "ios", "Yahoo Mail", "iOS"),
    ("yahoo", "android", "Yahoo Mail", "Android"),
    ("samsung-email", "android", "Samsung Email", "Android"),
    # The one platform on which all features were tested.
    ("thunderbird", "macos", "Thunderbird", "desktop"),
    ("protonmail", "desktop-webmail", "Proton Mail", "web"),
    ("protonmail", "ios", "Proton Mail", "iOS"),
    ("protonmail", "android", "Proton Mail", "Android"),
)
_LETTERS: Final = "abcdefghijklmnopqr"
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}(?:-[0-9]{2}){0,2}")

_HEAD: Final = '''\
"""Which features of HTML and CSS mail programs lack: a table made by `tests/checks/caniemail.py`.

Source: caniemail.com, as of {date}, through version {version} of the npm package `caniemail`.
Copyright (c) 2019 HTeuMeuLeu, (c) Avi Goldman, (c) Andrew Powell; MIT licence, in the words of
this project's LICENSE. Of each program the newest version that was tested counts. Features that
all have in full are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["CLIENTS", "GAPS"]

# By the letter that stands for it: the family of a mail program, and where it runs.
CLIENTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {{
{clients}
    }}
)

# By the feature, named as caniemail.com does: who lacks it, and who has only part of it.
GAPS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {{
{gaps}
    }}
)
'''


def module_of(data: Path) -> str:
    """Give the text of the module for a data file; the same file gives the same text."""
    held = json.loads(data.read_text("utf-8"))
    package = json.loads((data.parent.parent / "package.json").read_text("utf-8"))
    clients = (
        f'        "{letter}": ("{family}", "{place}"),'
        for letter, (_, _, family, place) in zip(_LETTERS, _CLIENTS, strict=True)
    )
    rows = {feature["slug"]: _row(feature["stats"]) for feature in held["data"]}
    gaps = (
        f'        "{slug}": ("{lacking}", "{partly}"),'
        for slug, (lacking, partly) in sorted(rows.items())
        if lacking or partly
    )
    return _HEAD.format(
        date=held["last_update_date"][:10],
        version=package["version"],
        clients="\n".join(clients),
        gaps="\n".join(gaps),
    )


def _row(stats: Mapping[str, Any]) -> tuple[str, str]:
    """Give the letters of who lacks a feature, and of who has part of it."""
    lacking, partly = "", ""
    for letter, (family, platform, _, _) in zip(_LETTERS, _CLIENTS, strict=True):
        # Yes, no, almost or unknown, then the numbers of notes.
        answer = _newest(stats.get(family, {}).get(platform, {"": "u"}))[0]
        if answer not in "ynau":
            raise ValueError(f"{family} on {platform} answers {answer!r}")
        lacking += letter if answer == "n" else ""
        partly += letter if answer == "a" else ""
    return lacking, partly


def _newest(versions: Mapping[str, str]) -> str:
    """Give the answer of the newest version: the greatest where all are numbered alike.

    A program that once was numbered by years and now is not has them in the order of tests.
    """
    if len({bool(_YEAR.fullmatch(version)) for version in versions}) == 1:
        return versions[max(versions, key=_numbers)]
    return list(versions.values())[-1]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall("[0-9]+", version))


if __name__ == "__main__":
    MODULE.write_text(module_of(Path(sys.argv[1])), "utf-8")
