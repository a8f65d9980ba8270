"""How much of a mail each item takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from digest.checks import Material
from digest.checks.sizes import introduction_size, item_sizes
from digest.files import read_templates
from digest.model import EditionItem, ThemeId
from digest.publish.editions import render
from digest.publish.specimen import specimens


def _item(name: str, *, title: str = "", url: str = "") -> EditionItem:
    return EditionItem(
        id=name,
        title=title or f"About {name}",
        url=url or f"https://papers.example/{name}",
        anchor=name,
        theme=ThemeId("water"),
    )


def _link(item: EditionItem) -> str:
    return f'<a href="{item.url}"><bdi>{item.title}</bdi></a>'


def test_the_largest_element_of_its_own() -> None:
    """An item's part reaches up to where another title, or that of the mail, stands too."""
    weir, lock = _item("weir"), _item("lock")
    html = (
        "<html><body><div><h1>River</h1></div><div>"
        f"<section><p><b>water</b></p><h2>{_link(weir)}</h2>é</section>"
        f"<section><h2>{_link(lock)}</h2></section></div></body></html>"
    )
    sizes = item_sizes(html, [weir, lock])

    first = f"<section><p><b>water</b></p><h2>{_link(weir)}</h2>é</section>"
    assert list(sizes.items()) == [
        ("weir", len(first.encode())),
        ("lock", len(f"<section><h2>{_link(lock)}</h2></section>")),
    ]


def test_comments_for_outlook_count() -> None:
    """They are octets of the mail like others."""
    weir, lock = _item("weir"), _item("lock")
    note = "<!--[if mso]><b>x</b><![endif]-->"
    html = f"<body><p>{_link(weir)}{note}</p><p>{_link(lock)}</p></body>"
    sizes = item_sizes(html, [weir, lock])

    assert sizes["weir"] - sizes["lock"] == len(note)


def test_a_single_item_takes_all_but_the_head_of_the_mail() -> None:
    """Its part does not reach over the title of the mail."""
    weir = _item("weir")
    html = f"<body><div><h1>R</h1><div><p>{_link(weir)}</p><p>x</p></div></div></body>"

    assert item_sizes(html, [weir]) == {"weir": len(f"<div><p>{_link(weir)}</p><p>x</p></div>")}
    assert item_sizes(f"<body>{_link(weir)}</body>", [weir]) == {"weir": len(_link(weir))}


def test_titles_are_found_in_their_order() -> None:
    """Words and address must both fit; of two alike each is found once; others are left out."""
    weir = _item("weir", title="Weir\u00a0 and  lock", url="https://papers.example/?a=1&b=2")
    again = _item("again", title="Weir and lock", url=weir.url)
    gone = _item("gone")
    html = (
        '<body><p><a href="https://papers.example/?a=1&amp;b=2">other words</a></p>'
        '<p><a href="#weir">Weir and lock</a></p>'
        '<p><a href="https://papers.example/?a=1&amp;b=2">Weir and\nlock</a></p>'
        '<div><a href="https://papers.example/?a=1&amp;b=2">Weir and lock</a></div></body>'
    )
    sizes = item_sizes(html, [gone, weir, again])

    assert list(sizes) == ["weir", "again"]
    assert sizes["again"] - sizes["weir"] == len("<div></div>") - len("<p></p>")


@pytest.mark.parametrize("html", ["", "<!-- -->", "<p>x</p>"])
def test_mail_without_items(html: str) -> None:
    """Nothing is found where no title link stands."""
    assert item_sizes(html, [_item("weir")]) == {}


def test_the_introduction_stands_before_the_first_item() -> None:
    """All between the title of the mail and the part of its first item counts, and nothing else."""
    weir, lock = _item("weir"), _item("lock")
    facts, words = "<p>No. 3</p>", "<table><tr><td><p>Dear é</p></td></tr></table>"
    items = "".join(f"<section><h2>{_link(item)}</h2>x</section>" for item in (weir, lock))
    html = f"<body><p>Preheader</p><div><h1>R <b>N</b></h1>{facts}</div>{words}{items}</body>"

    assert introduction_size(html, [weir, lock]) == len((facts + words).encode())
    assert introduction_size(html, [_item("gone")]) == 0
    assert introduction_size(html.replace("h1", "h3"), [weir, lock]) == 0
    assert introduction_size("", [weir]) == 0
    # Below the items it is none.
    assert introduction_size(f"<body>{items}<h1>R</h1>{words}</body>", [weir, lock]) == 0


@pytest.mark.parametrize("look", ["default", "compact"])
def test_items_of_a_shipped_look(
    look: str, material: Callable[..., Material], tmp_path: Path
) -> None:
    """Each item of every specimen has its part, and all parts together are less than the mail."""
    templates = read_templates(tmp_path, look)
    for specimen in specimens(material().newsletter):
        edition = render(specimen.material(templates))
        html = edition.files["issue.html"].decode()
        sizes = item_sizes(html, edition.items)

        assert list(sizes) == [item.id for item in edition.items], specimen.name
        assert all(size > 300 for size in sizes.values()), specimen.name
        assert sum(sizes.values()) < len(html.encode()), specimen.name
        before = introduction_size(html, edition.items)
        introduction = len(specimen.issue.introduction.encode())
        assert introduction < before < introduction + 2_500, specimen.name
