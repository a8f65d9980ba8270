"""Language tags: language, script, and the side to which a text runs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import RIGHT_TO_LEFT, direction, language_and_script


@pytest.mark.parametrize(
    ("tag", "side"),
    [
        *[("en", "ltr"), ("ar", "rtl"), ("he-IL", "rtl"), ("FA", "rtl"), ("ur_PK", "rtl")],
        *[("az-Arab", "rtl"), ("az", "ltr"), ("ks-Deva", "ltr"), ("pa-Arab-PK", "rtl")],
        *[("", "ltr"), ("ckb", "rtl"), ("arc", "rtl"), ("iw", "rtl"), ("lrc-IR", "rtl")],
        *[("ff-Adlm", "rtl"), ("rhg-ROHG", "rtl"), ("sam-Samr", "rtl"), ("mid-mand", "rtl")],
        *[("zh-yue-Hant", "ltr"), ("ar-x-latn", "rtl"), ("en-x-arab", "ltr"), ("x-arab", "ltr")],
    ],
)
def test_direction_follows_script_and_language(tag: str, side: str) -> None:
    """A script in the tag wins over the language; what is private names neither."""
    assert direction(tag) == side


def test_a_tag_is_taken_apart() -> None:
    """Letter case and underscores do not matter; years, regions and extensions are no scripts."""
    told = {
        "ZH_hant_TW": ("zh", "Hant"),
        "de-1996": ("de", ""),
        "sl-rozaj-biske": ("sl", ""),
        "zh-cmn-Hans-CN": ("zh", "Hans"),
        "ar-u-nu-latn": ("ar", ""),
        "": ("", ""),
    }
    assert {tag: language_and_script(tag) for tag in told} == told


@given(st.from_regex(r"[a-z]{2,3}\Z"), st.sampled_from(sorted(RIGHT_TO_LEFT)))
@settings(deadline=None, max_examples=60)
def test_any_language_in_such_a_script_runs_from_right_to_left(language: str, script: str) -> None:
    """Whatever the language usually does; in Latin letters none does."""
    assert direction(f"{language}-{script}") == "rtl"
    assert direction(f"{language}-Latn") == "ltr"
