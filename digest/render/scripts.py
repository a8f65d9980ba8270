"""Small raised and lowered characters of Unicode, for text that has no markup."""

# ruff: noqa: RUF001 - the signs of mathematics are meant
from __future__ import annotations

from typing import Final

__all__ = ["lowered", "raised"]

_RAISED: Final = str.maketrans(
    "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφϕχ′″‴*∗∘†⊤",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵠᵡ′″‴**°†ᵀ",
)
_LOWERED: Final = str.maketrans(
    "0123456789+-−=()aehijklmnoprstuvxβγρφϕχ",
    "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵩᵪ",
)


def raised(text: str) -> str:
    """Write a text as superscript: `2` gives `²`; one that Unicode has not, `q`, gives `^(q)`."""
    return _moved(text, _RAISED, "^")


def lowered(text: str) -> str:
    """Write a text as subscript: `ij` gives `ᵢⱼ`; one that Unicode has not, `q`, gives `_(q)`."""
    return _moved(text, _LOWERED, "_")


def _moved(text: str, table: dict[int, int], sign: str) -> str:
    if not text:
        return ""
    if all(ord(character) in table for character in text):
        return text.translate(table)
    return f"{sign}({text})"
