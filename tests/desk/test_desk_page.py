"""What the page of an issue shows, whatever people have written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import html5lib
import pytest
from desk.visiting import Answer, Visitor, visiting

from digest.store import open_store

if TYPE_CHECKING:
    from digest.store.ledger import Store

_PAGE = "/issues/2027-w03"
_FORMS = ("desktop", "phone", "text", "source", "headers", "page", "feed")
_NOW = ("--now", "2027-01-18T10:00:00+01:00")


def _tree(answer: Answer) -> ET.Element:
    tree = html5lib.parse(answer.text, namespaceHTMLElements=False)
    assert isinstance(tree, ET.Element)
    return tree


def _line(element: ET.Element | None) -> str:
    assert element is not None
    return " ".join("".join(element.itertext()).split())


def _id(tree: ET.Element, name: str) -> ET.Element | None:
    return tree.find(f".//*[@id='{name}']")


def _bar(tree: ET.Element) -> dict[str, str]:
    return {_line(one.find("dt")): _line(one.find("dd")) for one in tree.findall(".//dl[1]/div")}


def _section(tree: ET.Element, name: str) -> str:
    return _line(tree.find(f".//section[@aria-labelledby='{name}']"))


def _digest(root: Path, *words: str) -> None:
    from digest.cli.main import run  # noqa: PLC0415 - few tests run a command

    assert run(["-C", str(root), *words]) == 0


def _with_header(root: Path, *lines: str) -> None:
    file = root / "content/issues/2027-w03.md"
    text = file.read_text("utf-8").replace("---\n", "\n".join(["---", *lines, ""]), 1)
    file.write_text(text, "utf-8")


def test_the_bar_tells_where_the_issue_stands(visitor: Visitor) -> None:
    """State, moment with zone and how far off it is, readers, transport, what comes next."""
    tree = _tree(visitor.get(_PAGE))
    bar = _bar(tree)

    assert bar["Due"] == "Mon 18 Jan 2027 09:00 Europe/Berlin (UTC+01:00) in 2 days 4 h"
    assert bar["To"] == "no readers yet"
    assert bar["Sent by"] == "the outbox, as files"
    assert bar["Checks"] == "nothing found"
    assert bar["Next"] == "digest publish 2027-w03"
    assert "2027-w03 · Issue 1 Draft" in _line(tree.find(".//main"))


def test_the_bar_counts_readers_and_names_the_relay(drafted: Path) -> None:
    """Active readers are counted, none is named; under SMTP the relay is."""
    people = drafted / "people.csv"
    people.write_text("email,name,status\na@x.example,Ann Ode,active\nb@x.example,,left\n")
    _digest(drafted, "readers", "import", str(people), "--consent", "asked at the fair")
    with (drafted / "digest.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[transport]\nkind = "smtp"\n[transport.smtp]\nhost = "mx.example"\n')
    with visiting(drafted) as visitor:
        page = visitor.get(_PAGE).text

    assert "<dd>1 reader</dd>" in page
    assert "mx.example:587" in page
    assert "x.example<" not in page
    assert "Ann Ode" not in page


@pytest.mark.parametrize("path", ["/", _PAGE])
def test_a_page_opens_the_database_once(
    drafted: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """What a page tells of the database is of one moment."""
    _digest(drafted, "readers", "add", "ann@x.example", "--consent", "asked at the fair")
    opened: list[str] = []

    def noted(url: str, **how: Any) -> Store:  # noqa: ANN401 - the store's own arguments
        opened.append(url)
        return open_store(url, **how)

    monkeypatch.setattr("digest.publish.project.open_store", noted)
    with visiting(drafted) as visitor:
        assert visitor.get(path).status == 200

    assert len(opened) == 1


def test_a_published_issue_tells_since_when(drafted: Path) -> None:
    """Once out, the moment is that of publishing, and its checks are of then."""
    _digest(drafted, "publish", "2027-w03", "-q", *_NOW)
    with visiting(drafted, now="2027-01-18T12:30:00+01:00") as visitor:
        tree = _tree(visitor.get(_PAGE))

    assert "2027-w03 · Issue 1 Published" in _line(tree.find(".//main"))
    assert _bar(tree)["Since"] == "Mon 18 Jan 2027 10:00 Europe/Berlin (UTC+01:00) 2 h 30 min ago"
    assert "Next" not in _bar(tree)


def test_a_published_issue_whose_file_is_gone_is_still_shown(drafted: Path) -> None:
    """The edition remembers what the lost issue file said."""
    _digest(drafted, "publish", "2027-w03", "-q", *_NOW)
    (drafted / "content/issues/2027-w03.md").unlink()
    with visiting(drafted) as visitor:
        answer = visitor.get(_PAGE)

    assert answer.status == 200
    assert "Published" in answer.text


def test_size_and_length_stand_in_one_line(visitor: Visitor) -> None:
    """Items, words, minutes, links, size, and the part of what Gmail shows."""
    html = visitor.get(f"{_PAGE}/issue.html").text
    size, links = len(html.encode()), len(re.findall(r"<a\b[^>]* href=", html))
    facts = _tree(visitor.get(_PAGE)).find(".//p[@class='facts quiet']")

    assert _line(facts) == (
        f"3 items · 54 words · 1 min to read · {links} links · {-(-size // 1000)} kB · "
        f"{-(-size // 1020)} % of what Gmail shows"
    )


def test_minutes_are_those_of_the_mail(drafted: Path) -> None:
    """The reading time is the one that the mail itself tells."""
    summary = drafted / "content/west.md"
    summary.write_text(summary.read_text("utf-8") + "\n" + "word and word. " * 300, "utf-8")
    _digest(drafted, "build", "2027-w03", "-q", *_NOW)
    with visiting(drafted) as visitor:
        told = re.search(r"([0-9]+) min to read", visitor.get(_PAGE).text)
        mail = re.search(r"([0-9]+) min read", visitor.get(f"{_PAGE}/issue.txt").text)

    assert told
    assert mail
    assert told[1] == mail[1] == "5"


def test_what_gmail_would_cut_is_told(drafted: Path) -> None:
    """A mail over 102 kB, as one without a budget can be, says how much of it is hidden."""
    settings = drafted / "digest.toml"
    told = settings.read_text("utf-8").replace("[mail]\n", "[mail]\nbudget = 0\n")
    settings.write_text(told, "utf-8")
    summary = drafted / "content/west.md"
    summary.write_text(summary.read_text("utf-8") + "\n" + "tide and mill " * 9000, "utf-8")
    _digest(drafted, "build", "2027-w03", "-q", *_NOW)
    with visiting(drafted) as visitor:
        size = len(visitor.get(f"{_PAGE}/issue.html").body)
        text = _line(_tree(visitor.get(_PAGE)).find(".//main"))

    assert f"its last {-(-(size - 102_000) // 1000)} kB" in text
    assert "1 error" in text


def test_items_stand_with_reason_and_file(visitor: Visitor) -> None:
    """Each item shows its title, the path of its summary, and why it is in."""
    items = _tree(visitor.get(_PAGE)).findall(".//ol/li")

    assert [_line(item.find("p/a")) for item in items] == [
        f"{name} <mill> & tide" for name in ("west", "south", "north")
    ]
    assert [item.get("id") for item in items] == ["item-1", "item-2", "item-3"]
    assert "content/west.md" in _line(items[0])
    assert "mills by tag:mill" in _line(items[0].find("details"))


def test_a_mixed_issue_shows_each_items_theme(drafted: Path) -> None:
    """Where the issue has no theme of its own, every item has a badge."""
    file = drafted / "content/issues/2027-w03.md"
    text = re.sub(r"^theme: mills\n", "", file.read_text("utf-8"), flags=re.MULTILINE)
    file.write_text(text, "utf-8")
    _digest(drafted, "build", "2027-w03", "-q", *_NOW)
    with visiting(drafted) as visitor:
        items = _tree(visitor.get(_PAGE)).findall(".//ol/li")

    badges = [item.find(".//span") for item in items]
    assert [badge.get("class") for badge in badges if badge is not None] == ["badge teal"] * 3
    assert [_line(badge) for badge in badges] == ["Mills & tides"] * 3


def test_findings_stand_by_level_with_a_way_to_their_place(drafted: Path) -> None:
    """Each finding has level in words, rule, place with a link into the page, and a cure."""
    west = drafted / "content/west.md"
    west.write_text(west.read_text("utf-8").replace("https:", "http:"), "utf-8")
    _with_header(drafted, f"subject: {'long ' * 14}", "preheader: also long")
    with (drafted / "digest.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[checks]\nignore = ["D112"]\n')
    _digest(drafted, "build", "2027-w03", "-q", *_NOW)
    with visiting(drafted) as visitor:
        tree = _tree(visitor.get(_PAGE))
    checks = tree.find(".//section[@aria-labelledby='checks']")

    assert checks is not None
    assert [_line(heading) for heading in checks.findall("h3")] == ["2 warnings"]
    found = checks.findall("ul/li")
    assert [_line(one.find("p/span")) for one in found] == ["D102", "D111"]
    places = [one.find("p/a") for one in found]
    assert [place.get("href") for place in places if place is not None] == ["#subject", "#item-1"]
    for place in places:
        assert place is not None
        assert _id(tree, place.get("href", "#")[1:]) is not None
    assert 'ignore = ["D111"]' in _line(found[1].find("details"))
    assert "Not checked (1) left out by `ignore` under [checks] in digest.toml D112" in _line(
        checks
    )
    assert "D101 no subject" in _line(checks)


def test_checks_that_cannot_be_made_stop_nothing(drafted: Path) -> None:
    """A wrong setting of the checks is told beside an issue that is shown all the same."""
    with (drafted / "digest.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[checks]\nignore = ["D999"]\n')
    with visiting(drafted) as visitor:
        tree = _tree(visitor.get(_PAGE))

    assert "there is no check D999" in _section(tree, "checks")
    assert "not made" in _line(tree.find(".//dl"))
    assert tree.find(".//iframe") is not None


def test_a_held_issue_says_why(drafted: Path) -> None:
    """The reason of a hold stands above all."""
    _with_header(drafted, "hold: <b>wait</b> for Ann")
    with visiting(drafted) as visitor:
        tree = _tree(visitor.get(_PAGE))

    assert "Held: <b>wait</b> for Ann" in _line(tree.find(".//main"))
    assert "digest hold 2027-w03 --release" in _line(tree.find(".//dl"))


def test_a_skipped_issue_says_why(drafted: Path) -> None:
    """A draft whose file wants no issue that week says so above all."""
    _with_header(drafted, "skip: <b>nobody</b> is there")
    with visiting(drafted) as visitor:
        tree = _tree(visitor.get(_PAGE))

    assert "No issue, skipped by hand: <b>nobody</b> is there" in _line(tree.find(".//main"))


def test_what_was_saved_since_the_build_is_told(drafted: Path) -> None:
    """A changed, a lost summary and an edited issue file are named, with the command to build."""
    west = drafted / "content/west.md"
    west.write_text(west.read_text("utf-8") + "\nMore.\n", "utf-8")
    (drafted / "content/south.md").unlink()
    _with_header(drafted, "subject: Another")
    with visiting(drafted) as visitor:
        text = _line(_tree(visitor.get(_PAGE)).find(".//main"))

    assert (
        "What was saved since is not in this edition: content/issues/2027-w03.md, "
        "content/west.md, content/south.md. digest build 2027-w03"
    ) in text


@pytest.mark.parametrize("form", _FORMS)
def test_every_form_is_a_link_away(visitor: Visitor, form: str) -> None:
    """The address says which form and colour is shown; the chosen one is marked."""
    tree = _tree(visitor.get(f"{_PAGE}?view={form}&colour=dark"))
    views, colours = (tree.find(f".//nav[@aria-label='{name}']") for name in ("Views", "Colours"))

    assert views is not None
    links = {_line(link): link.get("href", "") for link in views.iter("a")}
    assert len(links) == 7
    chosen = [link for link in views.iter("a") if link.get("aria-current") == "page"]
    assert [("view=" + form in link.get("href", "")) or form == "desktop" for link in chosen] == [
        True
    ]
    for target in links.values():
        assert "colour=dark" in target
        assert visitor.get(_PAGE + target).status == 200
    frame = tree.find(".//iframe")
    assert (frame is None) == (colours is None) == (form in {"text", "source", "headers"})
    if frame is not None:
        assert frame.get("src", "").endswith("?colour=dark")
        assert visitor.get(frame.get("src", "")).status == 200
        assert frame.get("sandbox") == "allow-popups allow-popups-to-escape-sandbox"
        assert frame.get("title")


@pytest.mark.parametrize("query", ["?view=x", "?view=", "?colour=red", "?pictures=1", "?view=a&b"])
def test_an_address_that_says_nothing_known_shows_the_usual(visitor: Visitor, query: str) -> None:
    """An unknown view, colour or further word changes nothing."""
    assert visitor.get(_PAGE + query).body == visitor.get(_PAGE).body


def test_text_and_source_are_shown_as_they_stand(visitor: Visitor) -> None:
    """What the browser shows of them is the file, character for character."""
    for form, name in (("text", "issue.txt"), ("source", "issue.html")):
        shown = _tree(visitor.get(f"{_PAGE}?view={form}")).find(".//pre")

        assert shown is not None
        assert "".join(shown.itertext()) == visitor.get(f"{_PAGE}/{name}").text


def test_headers_are_decoded_and_shown_raw(drafted: Path) -> None:
    """Every field of the general copy, decoded; folded away, the lines as they stand."""
    _with_header(drafted, "subject: Ebbe, Flut & Mühlen")
    _digest(drafted, "build", "2027-w03", "-q", *_NOW)
    with visiting(drafted) as visitor:
        tree = _tree(visitor.get(f"{_PAGE}?view=headers"))
        head = visitor.get(f"{_PAGE}/issue.eml").body.partition(b"\r\n\r\n")[0]
    fields = tree.find(".//dl[@class='headers']")
    raw = tree.find(".//pre")

    assert fields is not None
    told = {_line(field.find("dt")): _line(field.find("dd")) for field in fields}
    assert told["Subject"] == "Ebbe, Flut & Mühlen"
    assert told["From"] == "Harbour & Sons <letter@harbour.example>"
    assert raw is not None
    assert "".join(raw.itertext()).encode() == head.replace(b"\r\n", b"\n")


def test_the_inbox_cuts_where_a_phone_does(drafted: Path) -> None:
    """Sender, 40 characters of the subject and 90 of the preheader, light and dark."""
    _with_header(drafted, f"subject: {'s' * 50}", f"preheader: {'p' * 100}")
    _digest(drafted, "build", "2027-w03", "-q", *_NOW)
    with visiting(drafted) as visitor:
        inbox = _tree(visitor.get(f"{_PAGE}?view=phone")).find(".//div[@class='inbox']")

    assert inbox is not None
    assert [mail.get("class") for mail in inbox] == ["mail light", "mail dark"]
    for mail in inbox:
        assert [_line(line) for line in mail] == ["Harbour & Sons", "s" * 39 + "…", "p" * 89 + "…"]


def test_remote_pictures_wait_to_be_asked_for(drafted: Path) -> None:
    """A count, and a link that loads them; without pictures there is neither."""
    west = drafted / "content/west.md"
    west.write_text(west.read_text("utf-8") + "\n![A wheel](https://p.example/w.png)\n", "utf-8")
    _digest(drafted, "build", "2027-w03", "-q", *_NOW)
    with visiting(drafted) as visitor:
        off = visitor.get(f"{_PAGE}?view=feed").text
        on = visitor.get(f"{_PAGE}?view=feed&pictures=on").text
        mail = visitor.get(_PAGE).text

    assert "Not loaded: 1 remote picture." in off
    assert 'href="?view=feed&amp;pictures=on"' in off
    assert "frame/entry.html?pictures=on" in on
    assert "Hide them again" in on
    assert "remote picture" not in mail


def test_a_script_of_the_content_reaches_no_page(drafted: Path) -> None:
    """Markup in titles, reasons and names is text on every page, and no page has a script."""
    hostile = "</dd><script>alert(1)</script><img src=x onerror=alert(1)>"
    west = drafted / "content/west.md"
    west.write_text(west.read_text("utf-8").replace("west <mill>", hostile), "utf-8")
    _with_header(drafted, f"subject: 'S {hostile}'", f"preheader: 'P {hostile}'")
    _digest(drafted, "build", "2027-w03", "-q", *_NOW)
    _with_header(drafted, f"hold: 'H {hostile}'")
    with visiting(drafted) as visitor:
        pages = [visitor.get(f"{_PAGE}?view={form}") for form in _FORMS] + [visitor.get("/")]

    for page in pages:
        tree = _tree(page)
        assert hostile in _line(tree)
        assert tree.findall(".//script") == []
        assert tree.findall(".//img") == []
        assert not [one for one in tree.iter() for name in one.keys() if name.startswith("on")]  # noqa: SIM118 - keys of an element
        assert not [one for one in tree.iter() if one.get("style")]
