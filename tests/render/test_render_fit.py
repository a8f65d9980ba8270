"""A letter fitted into the octets that mail programs show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from render.letters import PAGE, item_of, letter_of

from digest.model import Edition, Newsletter, Summary
from digest.render.fit import fit
from digest.render.letter import Letter

Build = Callable[..., Edition]
MakeSummary = Callable[..., Summary]

_SHOWN = 90_000
_BRIEF = "Low water came twice…"
_WORDS = "Low water came twice and the boats lay on the sand until the moon rose. "


def _letter(*htmls: str, brief: str = _BRIEF) -> Letter:
    """Make a letter of one section with an item for each fragment."""
    numbered = enumerate(htmls, start=1)
    return letter_of(tuple(item_of(number, html=html, brief=brief) for number, html in numbered))


class _Look:
    """A look that shows items with a style on each paragraph, and counts its renderings."""

    def __init__(self, *, head: int = 2_000, bodies: bool = True) -> None:
        self.head = head
        self.bodies = bodies
        self.rendered = 0

    def __call__(self, letter: Letter) -> str:
        self.rendered += 1
        parts = ["x" * self.head, '<a href="#leave">leave</a>' if letter.long else ""]
        for item in letter.items:
            parts.append(f'<h2><a href="{item.url}">{escape(item.title)}</a></h2>')
            if self.bodies:
                parts.append(str(item.html).replace("<p>", '<p style="margin:0 0 12px">'))
            if item.rest:
                parts.append(f'<p><a href="{item.rest}">All of it: {escape(item.title)}</a></p>')
        return "\n".join([*parts, '<a href="#leave">leave</a>'])


def _paragraphs(*octets: int) -> str:
    """Write paragraphs of so many octets, a few more or less."""
    return "\n".join(f"<p>{(_WORDS * (count // 70 + 1))[:count].rstrip()}</p>" for count in octets)


def _octets(html: str) -> int:
    return len(html.encode())


def _measures(letter: Letter) -> list[int]:
    return [_octets(str(item.html)) for item in letter.items]


_HTML = st.lists(
    st.one_of(
        st.integers(5, 4_000).map(_paragraphs),
        st.integers(1, 40).map(lambda n: f"<ul>{'<li>low water at the quay</li>' * n}</ul>"),
        st.integers(1, 30).map(lambda n: f"<table>{'<tr><td>1</td></tr>' * n}</table>"),
        st.just("<h4>And then</h4>"),
        st.integers(1, 300).map(lambda n: f"<p>{'港口的灯亮了、' * n}</p>"),
    ),
    max_size=6,
).map("\n".join)


@given(st.lists(_HTML, max_size=8), st.integers(0, 30_000), st.integers(0, 3_000))
@settings(deadline=None, max_examples=100)
def test_a_letter_fits_or_says_that_it_is_long(htmls: list[str], budget: int, head: int) -> None:
    """Whatever the items: within the budget, or all whole with the way to leave at the head."""
    letter, look = _letter(*htmls), _Look(head=head)
    fitted, html = fit(letter, html_of=look, budget=budget)
    assert look.rendered <= 6
    assert html == look(fitted)
    if budget and _octets(html) > budget:
        assert fitted == replace(letter, long=True)
    assert fitted.long <= (_octets(look(letter)) > min(budget or _SHOWN, _SHOWN))
    again, _ = fit(letter, html_of=look, budget=budget)
    assert again == fitted


@given(st.lists(_HTML, max_size=8), st.integers(1, 30_000))
@settings(deadline=None, max_examples=100)
def test_only_the_text_of_the_mail_is_shortened(htmls: list[str], budget: int) -> None:
    """No item goes, and of each only `html` and `rest` are others, and only together."""
    letter = _letter(*htmls)
    fitted, _ = fit(letter, html_of=_Look(), budget=budget)
    assert len(fitted.items) == len(letter.items)
    for before, after in zip(letter.items, fitted.items, strict=True):
        assert replace(after, html=before.html, rest="") == before
        assert bool(after.rest) == (after.html != before.html)
        if after.rest:
            assert after.rest == f"{PAGE}#{before.anchor}"
            assert _octets(str(after.html)) < _octets(str(before.html))


@given(
    st.lists(st.integers(1, 12).map(lambda n: _paragraphs(*[300] * n)), min_size=2, max_size=8),
    st.integers(3_000, 20_000),
)
@settings(deadline=None, max_examples=60)
def test_the_longest_items_are_shortened_first(htmls: list[str], budget: int) -> None:
    """An item is shortened to no less than the length of those that stay whole."""
    letter = _letter(*htmls)
    fitted, html = fit(letter, html_of=_Look(), budget=budget)
    whole = [_octets(str(item.html)) for item in fitted.items if not item.rest]
    was = [
        size
        for size, item in zip(_measures(letter), fitted.items, strict=True)
        if item.rest and _octets(html) <= budget
    ]
    assert max(whole, default=0) <= min(was, default=max(whole, default=0))


def test_a_letter_that_fits_is_rendered_once() -> None:
    """Nothing is shortened and nothing is said without need, at the very bound."""
    letter, look = _letter(_paragraphs(400, 400)), _Look()
    size = _octets(look(letter))
    assert fit(letter, html_of=look, budget=size) == (letter, look(letter))
    assert look.rendered == 3
    assert fit(letter, html_of=_Look(), budget=size - 1)[0].items[0].rest


@pytest.mark.parametrize("budget", [8_000, 15_000, 30_000, 60_000, 89_000])
def test_the_room_is_used(budget: int) -> None:
    """With items of many small blocks the HTML fills nearly all of the budget."""
    letter = _letter(*[_paragraphs(*[150] * (20 * place)) for place in range(1, 8)])
    fitted, html = fit(letter, html_of=_Look(), budget=budget)
    assert 0.9 * budget < _octets(html) <= budget
    assert not fitted.long


def test_equals_are_not_shortened_alike() -> None:
    """Of items of one length the first ones keep a block more, where there is room for it."""
    letter = _letter(*[_paragraphs(*[1_000] * 5)] * 10)
    fitted, html = fit(letter, html_of=_Look(), budget=37_000)
    measures = _measures(fitted)
    assert measures == sorted(measures, reverse=True)
    assert len(set(measures)) == 2
    assert 36_000 < _octets(html) <= 37_000


def test_a_block_is_never_parted() -> None:
    """The longest item ends after a whole paragraph; the others stay whole."""
    one, two, three = _paragraphs(600, 600, 600), _paragraphs(500), _paragraphs(700)
    items = [item_of(number, html=html) for number, html in enumerate((one, two, three), start=1)]
    letter = letter_of((items[0], items[2]), (items[1],))
    bare = _octets(_Look()(letter))
    fitted, _ = fit(letter, html_of=_Look(), budget=bare - 200)
    kept = {item.number: str(item.html) for item in fitted.items}
    assert kept == {1: "\n".join(one.split("\n")[:2]), 2: two, 3: three}
    assert [len(section.items) for section in fitted.sections] == [2, 1]


def test_a_long_first_paragraph_ends_after_a_word() -> None:
    """It is cut where the measure says, with an ellipsis."""
    letter = _letter(_paragraphs(9_000, 9_000))
    fitted, html = fit(letter, html_of=_Look(), budget=6_000)
    kept = str(fitted.items[0].html)
    assert kept.endswith("…</p>")
    assert letter.items[0].html.startswith(kept.removesuffix("…</p>"))
    assert 5_900 < _octets(html) <= 6_000


def test_without_a_place_to_end_the_first_words_stand() -> None:
    """A table is not parted: in its place stand the words that a list of links would show."""
    table = f"<table>{'<tr><td>1</td></tr>' * 500}</table>"
    letter = _letter(table, brief="Low & high water…")
    fitted, _ = fit(letter, html_of=_Look(), budget=4_000)
    assert fitted.items[0].html == "<p>Low &amp; high water…</p>"


def test_an_item_without_words_leads_to_the_page() -> None:
    """What has no first words, as a picture, leaves only the link."""
    letter = _letter(f"<pre>{' ' * 5_000}</pre>", brief="")
    fitted, _ = fit(letter, html_of=_Look(), budget=4_000)
    assert fitted.items[0].html == ""
    assert fitted.items[0].rest == f"{PAGE}#place-1"


def test_short_items_stay_whole() -> None:
    """A link to the rest would take more octets than the rest."""
    letter = _letter(*[_paragraphs(100, 100)] * 30)
    fitted, html = fit(letter, html_of=_Look(), budget=3_000)
    assert fitted == replace(letter, long=True)
    assert html.count("leave</a>") == 2


def test_a_look_without_bodies_shortens_nothing() -> None:
    """Where items show no text, a link to the rest would only add to the mail."""
    letter, look = _letter(_paragraphs(2_000, 2_000)), _Look(bodies=False)
    fitted, html = fit(letter, html_of=look, budget=1_500)
    assert fitted == replace(letter, long=True)
    assert html == look(fitted)


@pytest.mark.parametrize(
    ("head", "items", "budget"), [(5_000, 5, 4_000), (98_600, 5, 80_000), (99_001, 1, 80_000)]
)
def test_nothing_is_shortened_in_vain(head: int, items: int, budget: int) -> None:
    """Where even the shortest does not fit, as with a long introduction, all items stay whole."""
    letter, look = _letter(*[_paragraphs(3_000)] * items), _Look(head=head)
    fitted, html = fit(letter, html_of=look, budget=budget)
    assert fitted == replace(letter, long=True)
    assert html == look(fitted)
    assert look.rendered <= 6


@pytest.mark.parametrize(("items", "budget"), [(40, 4_000), (400, 80_000)])
def test_the_shortest_stands_where_the_whole_could_not_go_out(items: int, budget: int) -> None:
    """A mail over its budget is better than one of more than 100 kB, which nothing may send."""
    letter, look = _letter(*[_paragraphs(600, 3_000)] * items), _Look()
    fitted, html = fit(letter, html_of=look, budget=budget)
    assert budget < _octets(html) < 100_000 < _octets(look(letter))
    assert fitted.long
    assert all(item.html == f"<p>{_BRIEF}</p>" for item in fitted.items)
    assert html == look(fitted)


@pytest.mark.parametrize("budget", [0, 120_000])
def test_what_may_be_cut_off_is_said(budget: int) -> None:
    """A letter of more than 90,000 octets is long even where it may have them."""
    letter, look = _letter(*[_paragraphs(*[1_000] * 9)] * 11), _Look()
    fitted, html = fit(letter, html_of=look, budget=budget)
    assert _octets(html) > _SHOWN
    assert fitted == replace(letter, long=True)
    assert look.rendered == 2


def test_a_large_budget_is_kept_with_the_way_to_leave() -> None:
    """A letter shortened to a budget above 90,000 octets leads away at its head, too."""
    letter, look = _letter(*[_paragraphs(*[1_000] * 9)] * 15), _Look()
    fitted, html = fit(letter, html_of=look, budget=100_000)
    assert _SHOWN < _octets(html) <= 100_000
    assert fitted.long
    assert any(item.rest for item in fitted.items)
    assert look.rendered <= 6


def test_uneven_growth_is_met_with_care() -> None:
    """Where the long items grow more in the mail than the others, the letter still fits."""
    heavy = "\n".join(["<p>a b c d e f g</p>"] * 400)
    letter = _letter(heavy, _paragraphs(*[900] * 9), _paragraphs(*[700] * 9))
    for budget in range(6_000, 30_000, 4_000):
        fitted, html = fit(letter, html_of=_Look(), budget=budget)
        assert 0.5 * budget < _octets(html) <= budget
        assert not fitted.long


def test_only_the_mail_is_shortened(
    build: Build, make_summary: MakeSummary, paper: Newsletter
) -> None:
    """Text part, page and feed hold the words that the HTML of the mail leaves out."""
    body = "\n\n".join(f"Paragraph {number} of many. {_WORDS * 5}" for number in range(1, 60))
    link = "[the very end](https://journal.example/end)"
    summaries = [make_summary(1), make_summary(2, body=f"{body}\n\nSee {link}.")]
    edition = build(summaries=summaries, newsletter=replace(paper, budget=20_000))
    page = "https://notes.example/2026-w49.html#finding-number-2"
    assert [item.shortened for item in edition.items] == [False, True]
    assert len(edition.files["issue.html"]) <= 20_000 + 200  # once the way to leave is filled in
    for name in ("issue.txt", "page.html", "entry.html"):
        assert b"https://journal.example/end" in edition.files[name]
        assert b"Paragraph 59" in edition.files[name]
    mail = edition.files["issue.html"].decode()
    assert "journal.example/end" not in mail
    assert "Paragraph 59" not in mail
    assert mail.count(f'href="{page}"') == 1
    assert mail.index("Paragraph 1 ") < mail.index(page)


def test_what_stays_is_a_beginning_and_no_choice_of_words() -> None:
    """A short first block before a long table stays by itself: nothing behind the table does."""
    table = f"<table>{'<tr><td>level</td></tr>' * 400}</table>"
    html = f"<p>What was read.</p>\n{table}\n<p>As the table shows, all is well.</p>"
    letter, look = _letter(html, html), _Look()

    fitted, shown = fit(letter, html_of=look, budget=4_000)

    assert [item.html for item in fitted.items] == ["<p>What was read.</p>"] * 2
    assert "As the table shows" not in shown
