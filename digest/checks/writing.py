"""Which script a text is written in, and in which scripts a language is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final
from unicodedata import name

from digest.model import language_and_script

__all__ = ["SCRIPTS", "Script", "script_shares", "scripts_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A script: its English name, and the languages that are written in it (ISO 639).

    The best known of them come first.
    """

    name: str
    languages: tuple[str, ...]


# By code (ISO 15924). A language that people write in several scripts stands in each.
_TABLE: Final = """
Latn | Latin | en de fr es it pt nl sv da nb nn no fi pl cs sk sl hr bs sr hu ro sq et lv lt is ga
  gd gv cy br eu ca gl oc rm fy lb af mt tr az uz tk ku vi id ms jv su tl fil ceb mg sw ha ig yo rw
  rn sn so st tn ts xh zu om eo ia la haw mi sm to
Grek | Greek | el
Cyrl | Cyrillic | ru uk bg sr be mk kk ky mn tg tt ba cv ce os sah az uz
Armn | Armenian | hy
Geor | Georgian | ka
Hebr | Hebrew | he yi iw
Arab | Arabic | ar fa ur ps ckb ug sd ks ku az lrc mzn sdh pa ms
Syrc | Syriac | syr arc
Thaa | Thaana | dv
Nkoo | N'Ko | nqo
Deva | Devanagari | hi mr ne sa mai kok ks sd
Beng | Bengali | bn as
Guru | Gurmukhi | pa
Gujr | Gujarati | gu
Orya | Odia | or
Taml | Tamil | ta
Telu | Telugu | te
Knda | Kannada | kn
Mlym | Malayalam | ml
Sinh | Sinhala | si
Thai | Thai | th
Laoo | Lao | lo
Tibt | Tibetan | bo dz
Mymr | Burmese | my
Khmr | Khmer | km
Ethi | Ethiopic | am ti
Kana | Japanese | ja
Hang | Korean | ko
Hani | Chinese | zh yue wuu lzh ja ko
"""
# The first word of the Unicode names of a script's letters, where it is not the script's own.
_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {"CJK": "Hani", "HIRAGANA": "Kana", "KATAKANA": "Kana", "HANGUL": "Hang", "MYANMAR": "Mymr"}
    | {"NKO": "Nkoo", "ORIYA": "Orya"}
)
# Codes for several scripts at once, or for a way to write one (RFC 5646 §2.2.3).
_WAYS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "Hans": frozenset({"Hani"}),
        "Hant": frozenset({"Hani"}),
        "Jpan": frozenset({"Hani", "Kana"}),
        "Hrkt": frozenset({"Kana"}),
        "Kore": frozenset({"Hang", "Hani"}),
    }
)


def _read() -> dict[str, Script]:
    found = {}
    for line in _TABLE.replace("\n  ", " ").strip().split("\n"):
        code, title, languages = line.split(" | ")
        found[code] = Script(name=title, languages=tuple(languages.split()))
    return found


SCRIPTS: Final[Mapping[str, Script]] = MappingProxyType(_read())
_BY_WORD: Final = {script.name.upper(): code for code, script in SCRIPTS.items()} | {**_WORDS}


def scripts_of(language: str) -> frozenset[str]:
    """Give the scripts of a language tag (RFC 5646), as `zh-Hant`; empty where none is known."""
    first, script = language_and_script(language)
    if script:
        return _WAYS.get(script, frozenset({script} & SCRIPTS.keys()))
    return frozenset(code for code, one in SCRIPTS.items() if first in one.languages)


def script_shares(text: str) -> dict[str, float]:
    """Give the share of each script among the letters of a text, the largest first.

    Signs that any script uses, and letters of a script that is not known here, do not count.
    """
    found: Counter[str] = Counter()
    for character, count in Counter(text).items():
        if script := _script(character):
            found[script] += count
    whole = sum(found.values())
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return {script: count / whole for script, count in ordered}


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    if not character.isalpha():
        return ""
    words = name(character, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ").split()
    return _BY_WORD.get(words[0], "") if words else ""
