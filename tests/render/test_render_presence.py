"""The proof that each form of an issue holds the same items, with their links, in one order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from html import escape
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from render.letters import PAGE, item_of, letter_of

from digest.errors import TemplateError
from digest.render.letter import Figure, Further, Item, Letter
from digest.render.presence import prove_html, prove_text

Prove = Callable[..., None]

_PLACE = "templates/form.j2"


def _letter(*items: Item) -> Letter:
    return letter_of(*[(item,) for item in items])


_ONE, _TWO, _THREE = (
    item_of(1, "Low water"),
    item_of(2, "High & dry"),
    item_of(3, "Low water again"),
)
_LETTER = _letter(_ONE, _TWO, _THREE)


def _html(*items: Item) -> str:
    return "\n".join(
        f'<h2><a href="{escape(item.url)}"><bdi>{escape(item.title)}</bdi></a></h2>'
        for item in items
    )


def _text(*items: Item) -> str:
    return "\n".join(f"{item.number}. {item.title}\n\n   {item.url}\n" for item in items)


def _problems(prove: Prove, form: str, letter: Letter, **options: bool) -> list[str]:
    """Give what a form is refused for, without the words that each complaint begins with."""
    with pytest.raises(TemplateError) as caught:
        prove(form, letter, place=_PLACE, **options)
    for problem in caught.value.problems:
        assert problem.where == _PLACE
        assert problem.fix
    begin = "the template does not show "
    assert all(problem.what.startswith(begin) for problem in caught.value.problems)
    return [problem.what.removeprefix(begin) for problem in caught.value.problems]


_FORMS = pytest.mark.parametrize(("prove", "form"), [(prove_html, _html), (prove_text, _text)])


@_FORMS
def test_items_in_their_order_pass(prove: Prove, form: Callable[..., str]) -> None:
    """All titles with their links; an issue without items has nothing to show."""
    prove(form(_ONE, _TWO, _THREE), _LETTER, place=_PLACE)
    prove(form(), _letter(), place=_PLACE)


@_FORMS
def test_what_is_lost_is_named(prove: Prove, form: Callable[..., str]) -> None:
    """Title and link of each item that is not there, all at once."""
    assert _problems(prove, form(_THREE), _LETTER) == [
        "the link https://journal.example/1",
        "the title 'High & dry'",
        "the link https://journal.example/2",
    ]


@_FORMS
def test_another_order_is_refused(prove: Prove, form: Callable[..., str]) -> None:
    """Each title that comes too early is named with the one that it should follow."""
    assert _problems(prove, form(_TWO, _ONE, _THREE), _LETTER) == [
        "the title 'High & dry' after 'Low water'"
    ]
    assert _problems(prove, form(_THREE, _TWO, _ONE), _LETTER) == [
        "the title 'High & dry' after 'Low water'",
        "the title 'Low water again' after 'Low water'",
    ]


@_FORMS
def test_twins_are_both_wanted(prove: Prove, form: Callable[..., str]) -> None:
    """Two items of one title and one address must stand there twice."""
    twin = replace(_ONE, id="s4", anchor="place-4")
    prove(form(_ONE, twin), _letter(_ONE, twin), place=_PLACE)
    assert _problems(prove, form(_ONE), _letter(_ONE, twin)) == [
        "the title 'Low water' after 'Low water'"
    ]


def test_a_title_stands_in_its_link() -> None:
    """Beside its link, or in that of another item, it does not count."""
    apart = f'<h2>{_ONE.title}</h2><a href="{_ONE.url}">read</a>'
    crossed = _html(replace(_ONE, url=_TWO.url), replace(_TWO, url=_ONE.url))
    letter = _letter(_ONE, _TWO)
    assert _problems(prove_html, apart + _html(_TWO), letter) == [
        "the title 'Low water' in a link to https://journal.example/1"
    ]
    assert _problems(prove_html, crossed, letter) == [
        "the title 'Low water' in a link to https://journal.example/1",
        "the title 'High & dry' in a link to https://journal.example/2",
    ]


def test_a_title_may_stand_elsewhere_too() -> None:
    """A table of contents, a summary in the head, other words in the link and more links pass."""
    contents = "".join(f'<a href="#{item.anchor}">{item.title}</a>' for item in (_THREE, _ONE))
    items = "".join(
        f'<p><a href="{item.url}"><img src="/x.png" alt=""></a><a href="{item.url}">'
        f"{item.number}. {item.title.replace(' ', chr(10) + ' ')}, <i>read it</i></a></p>"
        for item in (_ONE, _THREE)
    )
    prove_html(f"{contents}<p>Low water again</p>{items}", _letter(_ONE, _THREE), place=_PLACE)


def test_what_is_not_shown_does_not_count() -> None:
    """The title of the document, a style sheet and a comment show nothing."""
    for unseen in (f"<title>{_ONE.title}</title>", f"<style>{_ONE.title}</style>"):
        form = f'{unseen}<a href="{_ONE.url}"><!--{_ONE.title}--></a>'
        assert _problems(prove_html, form, _letter(_ONE)) == ["the title 'Low water'"]


def test_the_address_follows_its_title() -> None:
    """In plain text the address of one item does not stand for that of another."""
    titles, addresses = f"{_ONE.title}\n{_TWO.title}\n", f"{_ONE.url}\n{_TWO.url}\n"
    letter = _letter(_ONE, _TWO)
    assert _problems(prove_text, titles + addresses, letter) == [
        "the title 'High & dry' after 'Low water'"
    ]
    assert _problems(prove_text, addresses + titles, letter) == [
        "the title 'Low water' followed by https://journal.example/1",
        "the title 'High & dry' followed by https://journal.example/2",
    ]


def test_a_text_may_say_titles_before() -> None:
    """In the line that begins it, and in its heading; lines break anywhere; brackets are fine."""
    before = f"{_TWO.title} · {_THREE.title}.\n\n{_ONE.title}\n\n"
    items = "".join(f"{item.title.replace(' ', chr(10))}\n<{item.url}>\n" for item in _LETTER.items)
    prove_text(before + items, _LETTER, place=_PLACE)


def test_an_address_counts_as_a_whole() -> None:
    """One that another begins with is not there because of that one."""
    ten = item_of(10, "Ten")
    form = _text(replace(_ONE, url=ten.url), ten)
    assert _problems(prove_text, form, _letter(_ONE, ten)) == ["the link https://journal.example/1"]


@_FORMS
def test_further_links_and_repeats_are_wanted(prove: Prove, form: Callable[..., str]) -> None:
    """What belongs to an item besides its title may stand anywhere in the form."""
    link = Further(label="Data", url="https://data.example/1")
    item = replace(_ONE, repeat="Sent before, in week 3", links=(link,))
    assert _problems(prove, form(item), _letter(item)) == [
        "that 'Low water' was sent before",
        "the link https://data.example/1",
    ]
    extra = f'Sent  before, in week 3\n<a href="{link.url}">Data</a>'
    if prove is prove_text:
        extra = f"Sent before,\nin week 3\n{link.url}"
    prove(f"{form(item)}\n{extra}", _letter(item), place=_PLACE)


@pytest.mark.parametrize("source", ["url", "src", "page_src", "entry_src"])
def test_a_picture_is_shown_or_led_to(source: str) -> None:
    """Each address from which a form may load it will do; one of them must be there."""
    figure = Figure(
        label="A chart",
        url="https://notes.example/chart.png",
        src="cid:chart@notes.example",
        page_src="pictures/chart.png",
        entry_src="https://notes.example/pictures/chart.png",
    )
    item = replace(_ONE, image=figure)
    prove_html(_html(item) + f'<img src="{getattr(figure, source)}">', _letter(item), place=_PLACE)
    for lost in (item, replace(item, image=replace(figure, src="", page_src="", entry_src=""))):
        assert _problems(prove_html, _html(lost) + '<img src="">', _letter(lost)) == [
            "the link https://notes.example/chart.png"
        ]


def test_a_shortened_item_leads_to_its_rest() -> None:
    """In the mail only, and apart from the title of an item that has no other address."""
    rest = f"{PAGE}#place-1"
    for item in (replace(_ONE, rest=rest), replace(_ONE, rest=rest, url=rest)):
        prove_html(_html(item), _letter(item), place=_PLACE)
        more = f'{_html(item)}<p><a href="{rest}">All of it</a></p>'
        prove_html(more, _letter(item), place=_PLACE, rests=True)
        assert _problems(prove_html, _html(item), _letter(item), rests=True) == [
            "the link to the rest of 'Low water'"
        ]


_TITLES = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=30
).filter(lambda title: title.strip() and title.split() == title.strip().split(" "))


@given(st.lists(_TITLES, min_size=1, max_size=6), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=80)
def test_any_titles_pass_in_order_and_none_may_lack(titles: list[str], chance: Random) -> None:
    """Whatever titles hold; and without any one of the items the form is refused."""
    items = [item_of(number, title) for number, title in enumerate(titles, start=1)]
    letter = _letter(*items)
    prove_html(_html(*items), letter, place=_PLACE)
    prove_text(_text(*items), letter, place=_PLACE)
    left_out = chance.choice(items)
    rest = [item for item in items if item is not left_out]
    for prove, form in ((prove_html, _html), (prove_text, _text)):
        assert f"the link {left_out.url}" in _problems(prove, form(*rest), letter)
