"""How alike two texts are, and how seldom two that are alike are not found."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import Summary, handles, likeness, sketch

_WORDS = [
    first + last
    for first in ("bra", "cle", "dri", "flo", "gru", "pha", "ske", "tri", "vlo", "wre")
    for last in ("bast", "dern", "fing", "gost", "hull", "kirm", "lond", "mest", "pind", "rusk")
]


def _sketch(body: str, *, title: str = "", summary: str = "") -> bytes:
    return sketch(
        Summary(id="a", path="a.md", title=title, summary=summary, body=body, fingerprint="")
    )


def _alike(one: str, other: str) -> float:
    return likeness(_sketch(one), _sketch(other))


def _dice(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - words, always the same


def _words(dice: Random, count: int) -> list[str]:
    return dice.choices(_WORDS, k=count)


def _mended(words: Sequence[str], dice: Random, count: int) -> list[str]:
    """Put new words in the place of some."""
    mended = list(words)
    for place in dice.sample(range(len(words)), count):
        mended[place] = f"new{place}"
    return mended


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    """Give the share of the words and pairs of both texts that is in each, counted one by one."""
    first, second = (
        {*words, *(f"{left} {right}" for left, right in pairwise(words))} for words in (one, other)
    )
    return len(first & second) / len(first | second)


def test_texts_of_other_words_are_not_alike() -> None:
    """Nothing shared is nought."""
    one = " ".join(f"left{number}" for number in range(50))
    other = " ".join(f"right{number}" for number in range(50))

    assert _alike(one, other) == 0.0
    assert not set(handles(_sketch(one))) & set(handles(_sketch(other)))


def test_equal_texts_are_wholly_alike() -> None:
    """Wherever the words stand: title, summary text and body are one text."""
    words = _words(_dice(1), 80)
    whole = _sketch("\n\n".join(words))

    assert _sketch(" ".join(words[5:]), title=" ".join(words[:5])) == whole
    assert (
        _sketch(" ".join(words[9:]), title=" ".join(words[:5]), summary=" ".join(words[5:9]))
        == whole
    )
    assert likeness(whole, whole) == 1.0


def test_a_mended_text_stays_alike() -> None:
    """A few new words in a hundred leave most of it; with half of them new it is another text."""
    words = _words(_dice(2), 100)
    text = " ".join(words)

    assert _alike(text, " ".join(_mended(words, _dice(3), 2))) > 0.8
    assert _alike(text, " ".join([*words, "and", "more"])) > 0.85
    assert _alike(text, " ".join(words[3:])) > 0.85
    assert _alike(text, " ".join(_mended(words, _dice(4), 50))) < 0.5


@pytest.mark.parametrize(("count", "least"), [(19, 0.0), (30, 0.6)])
def test_short_texts_are_alike_only_where_they_are_equal(count: int, least: float) -> None:
    """What fewer than twenty words say can be said of two things; of thirty it tells."""
    words = [f"word{number}" for number in range(count)]
    text, mended = " ".join(words), " ".join([*words[:-1], "other"])

    assert _alike(text, text) == 1.0
    assert (_alike(text, mended) == 0.0) is (least == 0.0)
    assert _alike(text, mended) >= least


def test_a_short_text_is_not_alike_to_a_long_one() -> None:
    """Also where all of it stands there."""
    words = [f"word{number}" for number in range(60)]

    assert _alike(" ".join(words[:10]), " ".join(words)) == 0.0


def test_case_signs_and_unicode_form_do_not_count() -> None:
    """What a reader takes for the same text is the same."""
    text = "Über die Straße, zum Café: ἀλφα ΟΔΟΣ — İstanbul-da."
    marked = "** über ** die STRASSE zum\n\n> CAFÉ; ἀλφα οδοσ … i̇stanbul da"

    assert _sketch(unicodedata.normalize("NFD", text)) == _sketch(text)
    assert _sketch(marked) == _sketch(text)
    assert _sketch("GATES & Sluices") == _sketch("gates, sluices!")


@pytest.mark.parametrize(
    ("text", "mended", "other"),
    [
        (
            "ประตูน้ำเปิดในตอนเช้าและปิดในตอนเย็นทุกวันตลอดทั้งปี",
            "ประตูน้ำเปิดในตอนเช้าและปิดในตอนค่ำทุกวันตลอดทั้งปี",
            "กังหันลมเก่าบนเนินเขาถูกซ่อมแซมโดยชาวบ้านเมื่อสองปีก่อน",
        ),
        (
            "运河上的水闸每天清晨打开傍晚关闭船只在两岸之间等待水位升高",
            "运河上的水闸每天清晨打开夜里关闭船只在两岸之间等待水位升高",
            "山顶那座旧风车由村民集资重修如今孩子们常去听老磨坊主讲故事",
        ),
        (
            "運河の水門は毎朝ひらき夕方にとじる。船は水がたまるのを静かに待っている。",
            "運河の水門は毎朝ひらき夜中にとじる。船は水がたまるのを静かに待っている。",
            "丘のうえの古い風車は、村びとがお金を出しあって二年まえになおしたものだ。",
        ),
    ],
)
def test_scripts_without_blanks_are_read_sign_by_sign(text: str, mended: str, other: str) -> None:
    """Thai, Chinese and Japanese texts are alike by their signs; a mended one stays alike."""
    assert _alike(text, text) == 1.0
    assert 0.7 < _alike(text, mended) < 1.0
    assert _alike(text, other) < 0.4


def test_scripts_may_be_mixed() -> None:
    """Words of letters among signs stay whole words; digits count as words."""
    assert _sketch("水闸Gate水闸") == _sketch("水 闸 gate 水 闸")
    assert _sketch("水闸Gate 12") != _sketch("水闸G ate 12")
    assert _sketch("เปิด 24 ชั่วโมง") == _sketch("เปิด24ชั่วโมง")


@pytest.mark.parametrize("text", ["", " \n", "…!?", "**—**"])
def test_a_text_without_words_is_like_none(text: str) -> None:
    """Its sketch is empty, and it is not even like itself."""
    assert _sketch(text) == b""
    assert handles(b"") == ()
    assert likeness(b"", b"") == likeness(b"", _sketch("word")) == 0.0


def test_texts_of_a_word_or_two_have_no_handle() -> None:
    """They are found by their whole sketch alone."""
    for text in ("one", "one two"):
        assert handles(_sketch(text)) == ()
        assert _alike(text, text) == 1.0
    assert len(handles(_sketch("one two three"))) == 1


def test_a_sketch_is_small_and_stays_the_same() -> None:
    """At most 8 + 64 hashes of four octets; databases keep it, so its octets may not change."""
    whole = _sketch(" ".join(_words(_dice(5), 3000)))

    assert len(whole) == 1 + 4 * (8 + 64)
    assert (
        _sketch("Gates and sluices").hex() == "017ed084ae07f59b6d64a0456983b76695d3d1c7c2ecd4b3ce"
    )


@given(
    st.lists(st.sampled_from(_WORDS), max_size=90),
    st.lists(st.sampled_from(_WORDS), max_size=90),
)
@settings(deadline=None, max_examples=100)
def test_likeness_is_a_share(one: list[str], other: list[str]) -> None:
    """It is from 0 to 1, the same both ways, and 1 for a text and itself."""
    first, second = _sketch(" ".join(one)), _sketch(" ".join(other))

    assert 0.0 <= likeness(first, second) <= 1.0
    assert likeness(first, second) == likeness(second, first)
    assert likeness(first, first) == (1.0 if one else 0.0)


@given(st.text(max_size=60))
@settings(deadline=None, max_examples=100)
def test_any_text_has_a_sketch_that_can_be_read(text: str) -> None:
    """Whatever characters it holds, its own sketch is its twin, unless it has no word."""
    found = _sketch(text)

    assert likeness(found, found) == float(bool(found))
    assert len(handles(found)) <= 8
    assert (len(found) - 1) % 4 == 0 or not found


@given(
    words=st.lists(st.sampled_from(_WORDS), min_size=21, max_size=26),
    count=st.integers(0, 3),
    seed=st.integers(0, 99),
)
@settings(deadline=None, max_examples=100)
def test_likeness_of_small_texts_is_exact(words: list[str], count: int, seed: int) -> None:
    """Where all words and pairs of both fit into a sketch it is the share of them."""
    mended = _mended(words, _dice(seed), count)
    found = _alike(" ".join(words), " ".join(mended))

    assert found == pytest.approx(_shared(words, mended)) or found == 0.0


def _measured(length: int, share: float, *, texts: int = 150) -> tuple[int, int, list[float]]:
    """Mend texts until a share of words is new: give those alike, those missed, and the errors."""
    dice = _dice(length)
    alike, missed, errors = 0, 0, []
    for _ in range(texts):
        words = _words(dice, length)
        mended = _mended(words, dice, round(share * length))
        one, other = _sketch(" ".join(words)), _sketch(" ".join(mended))
        errors.append(abs(likeness(one, other) - _shared(words, mended)))
        if likeness(one, other) >= 0.7:
            alike += 1
            missed += one != other and set(handles(one)).isdisjoint(handles(other))
    return alike, missed, errors


@pytest.mark.parametrize("length", [40, 120, 400])
def test_hardly_any_text_that_is_alike_is_missed(length: int) -> None:
    """Of texts that are 0.7 alike or more fewer than one in a hundred share no handle."""
    alike, missed = 0, 0
    for share in (0.02, 0.05, 0.08, 0.1):
        found = _measured(length, share)
        alike, missed = alike + found[0], missed + found[1]

    assert alike > 200
    assert missed < alike / 100


@pytest.mark.parametrize("length", [60, 400])
def test_likeness_of_long_texts_is_near_the_share(length: int) -> None:
    """Two in three are within 0.06 of the share counted one by one, and all within a quarter."""
    errors = sorted(_measured(length, 0.1)[2])

    assert errors[len(errors) * 2 // 3] < 0.06
    assert errors[-1] < 0.25
