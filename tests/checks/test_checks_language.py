"""The rule on languages, and the scripts that it knows."""

# ruff: noqa: RUF001 - letters of many scripts are meant
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.checks import Finding
from digest.checks.writing import SCRIPTS, script_shares, scripts_of
from digest.model import Summary

Findings = Callable[..., list[Finding]]
Make = Callable[..., Summary]

_ARABIC = "النهر يرتفع في الربيع بعد ذوبان الثلج"
_PERSIAN = "رودخانه در بهار بالا می‌آید"
_HEBREW = "הנהר עולה באביב אחרי הפשרת השלג"
_RUSSIAN = "Река поднимается весной после таяния снега"
_GREEK = "Το ποτάμι ανεβαίνει την άνοιξη"
_CHINESE = "春天雪融化后河水上涨，水闸全部打开"
_JAPANESE = "春になると雪がとけて川の水がふえる"
_KOREAN = "봄이 되면 눈이 녹아 강물이 불어난다"
_ENGLISH = "The river rises in spring when the snow has gone"


def _item(summary: Make, text: str, *, lang: str = "", dir: str = "") -> Summary:  # noqa: A002 - the name in the header
    return summary("weir", title=text, body=text, lang=lang, dir=dir)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        (_ARABIC, "Arabic script (ar, fa, ur)"),
        (_HEBREW, "Hebrew script (he, yi, iw)"),
        (_RUSSIAN, "Cyrillic script (ru, uk, bg)"),
        (_GREEK, "Greek script (el)"),
        (_CHINESE, "Chinese script (zh, yue, wuu)"),
        (_JAPANESE, "Japanese script (ja)"),
        (_KOREAN, "Korean script (ko)"),
    ],
)
def test_script_without_its_language(
    findings: Findings, summary: Make, *, text: str, script: str
) -> None:
    """D122 warns at the summary, names the script and some languages, and the one it is taken for.

    Whether the language was given or is the newsletter's is said too.
    """
    for lang, whose in (("", "it has no `lang`, so en is taken"), ("de", "its `lang` is de")):
        found = findings(_item(summary, text, lang=lang))

        assert [(one.rule, one.level, one.place) for one in found] == [
            ("D122", "warning", "content/weir.md:1")
        ]
        assert found[0].message == f"is written in {script}, but {whose}"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        (_ARABIC, "ar-EG"),
        (_PERSIAN, "FA"),
        (_HEBREW, "he"),
        (_RUSSIAN, "uk"),
        (_GREEK, "el"),
        (_CHINESE, "zh_Hant_TW"),
        (_CHINESE, "ja"),
        (_JAPANESE, "ja"),
        (_KOREAN, "ko-Kore"),
        (_ENGLISH, "en"),
        (_ENGLISH, "sr-Latn"),
        (_RUSSIAN, "sr"),
        (_ARABIC, "ks"),
        (_ENGLISH, "tlh"),
        (_RUSSIAN, "x-own"),
    ],
)
def test_script_that_fits_its_language(
    findings: Findings, summary: Make, *, text: str, lang: str
) -> None:
    """D122 is silent where one script of the language is used, and where none is known."""
    assert findings(_item(summary, text, lang=lang)) == []


def test_latin_words_in_other_languages(findings: Findings, summary: Make) -> None:
    """D122 allows Latin names and terms in any number, but no text of nothing else."""
    mixed = f"{_ENGLISH} {_ENGLISH} 河水上涨，水闸全部打开"

    assert findings(_item(summary, mixed, lang="zh")) == []
    found = findings(_item(summary, _ENGLISH, lang="zh"))
    assert [one.message for one in found] == [
        "is written in Latin script (en, de, fr), but its `lang` is zh"
    ]


def test_foreign_words_in_latin_texts(findings: Findings, summary: Make) -> None:
    """D122 allows a quotation in another script."""
    assert findings(_item(summary, f"{_ENGLISH}: {_RUSSIAN[:20]}")) == []
    assert findings(_item(summary, "Река")) == []  # too short to tell


@pytest.mark.parametrize(
    "aside",
    [
        "```\nprint(river.rises(spring=True), snow.gone(), everything.else_())\n```",
        "`the_name_of_a_variable_that_is_long_and_of_another_one_as_long`",
        "\\(\\mathrm{flow} = \\mathrm{height} \\times \\mathrm{width} \\times \\mathrm{speed}\\)",
        "[сайт](https://a.example/the/long/address/of/a/page/about/rivers/and/weirs)",
        "<https://a.example/the/long/address/of/a/page/about/rivers/and/weirs/again>",
    ],
)
def test_what_is_latin_in_every_language(findings: Findings, summary: Make, aside: str) -> None:
    """D122 sets aside code, formulas, addresses and tags."""
    item = summary("weir", title="Река", body=f"{_RUSSIAN[:30]} {aside}")

    assert [one.rule for one in findings(item)] == ["D122"]


def test_direction_that_does_not_fit(findings: Findings, summary: Make) -> None:
    """D122 warns where a text runs against its `dir`, also where no language is known."""
    backward = findings(_item(summary, _ARABIC, lang="ar", dir="ltr"))
    unknown = findings(_item(summary, _ARABIC, lang="tlh"))
    forward = findings(_item(summary, _ENGLISH, dir="rtl"))

    assert [one.message for one in (*backward, *unknown, *forward)] == [
        "runs from right to left, but its direction is ltr",
        "runs from right to left, but its direction is ltr",
        "runs from left to right, but its `dir` is rtl",
    ]
    assert findings(_item(summary, _ARABIC, lang="tlh", dir="rtl")) == []
    assert findings(_item(summary, _ARABIC, lang="ku-Arab")) == []


def test_the_summary_is_what_readers_get(findings: Findings, summary: Make) -> None:
    """D122 looks at the summary text where there is one, not at the body."""
    item = summary("weir", title="Nothing", body=_RUSSIAN, summary=_ENGLISH)

    assert findings(item) == []


def test_scripts_of_a_language() -> None:
    """A script in the tag wins; letter case and underscores do not matter."""
    assert scripts_of("EN-gb") == {"Latn"}
    assert scripts_of("ja") == {"Kana", "Hani"}
    assert scripts_of("ko_kore_KR") == {"Hang", "Hani"}
    assert scripts_of("zh-Hans") == {"Hani"}
    assert scripts_of("sr-Latn-RS") == {"Latn"}
    assert scripts_of("en-Zzzz") == scripts_of("en-1994") - {"Latn"} == frozenset()


def test_shares_of_scripts() -> None:
    """Only letters count; wide and half-wide ones too; the largest share comes first."""
    assert script_shares("a1-б … 👍") == {"Cyrl": 0.5, "Latn": 0.5}
    assert script_shares("ＡＢｱ漢") == {"Latn": 0.5, "Hani": 0.25, "Kana": 0.25}
    assert list(script_shares("aбб")) == ["Cyrl", "Latn"]
    assert script_shares("12 ☂ ᚠ") == {}


@given(st.text(max_size=60))
@settings(deadline=None, max_examples=80)
def test_shares_add_up(text: str) -> None:
    """The shares of any text make one whole, or there are none."""
    shares = script_shares(text)

    assert sum(shares.values()) == pytest.approx(1 if shares else 0)
    assert set(shares) <= set(SCRIPTS)
