"""From a listing of somebody else's paragraphs to a published issue, by the command line."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases.forms import Form, read_forms, tree

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "listings"
_NOW = ("--now", "2026-11-30T12:00:00+01:00")
_KEY = "2026-w49"
_PLENTY = "[selection]\nmax_items = 40\n"

# With CRLF below; an empty line too many, and a paragraph without an end.
_HIVES = """\
Hive Meeting 2031

Few sounds are as old as the hum of a hive in June. \u201cListen first, open second,\u201d say \
the keepers of the valley\u2014and most stings of the year go to those who did not listen. ...

Introduction Swarms leave in the late morning, when the air is still. A scout looks at forty \
holes before she dances for one. Nobody has seen a swarm change its mind after the third dance ...


Why Drones Fly High: A Summer with a Balloon If you ever held a queen on a string below a \
balloon, you know how fast a comet of drones can form. We did it on thirty days and counted. ...

In the long history of wax, candles came late. Bees build with it at 35 degrees, and a comb of \
one kilogram holds 22 kilograms of honey. Its walls are thinner than a hair, yet nobody has ever \
seen one fail on a cool day

The weight of a colony grows with \\(n^2\\) for a month & then with *n* alone, or so <the> old \
ledger says. It was kept from 1911 to 1954, cost $3 a year, and $9 in the last one. \u2026

Introduction: The Winter Ball Imagine you are one of nine thousand bees in a ball the size of a \
cabbage. Outside it is freezing. Your turn at the rim comes every half hour, and you hum. ...
"""

_LOOMS = """\
Letters on Weaving

In the world of hand looms, there is a quarrel that will not end: should the reed be of steel or \
of cane? "Cane," say those who weave silk. "Steel," say those who must eat. We asked 112 weavers. \
[...]

Warp and Weft of a Small Town In 1840 every third house had a loom below the roof. The noise \
stopped at nine in the evening, by law. In May 1871 it stopped for good, and the town wrote \
down why. ...

Introduction Madder, weld and woad gave red, yellow and blue for two thousand years. A vat of woad \
smells so badly that a queen forbade it within five miles of her houses. Cloth does not mind. ...

A heddle made of string lasts for a year, one of wire for a life, and the cloth does not know the \
difference. Why, then, do weavers keep on tying string? The answer has to do with sound. ...

If you have ever walked past a mill, you have felt it before you heard it. Two hundred looms \
started within a second of each other shake a street. The engineers\u2019 cure was a rule of \
four pages...

If you have ever walked past a mill, you have felt it before you heard it. This one is of the \
water wheel, and of the boy who was paid to sleep beside it. ...

\u7e54\u6a5f\u306e\u97f3\u306f\u3001\u6751\u306e\u671d\u306e\u97f3\u3060\u3063\u305f\u3002\
\u796d\u308a\u306e\u65e5\u3060\u3051\u3001\u97f3\u306f\u6b62\u307e\u3063\u305f\u3002 ...
"""
_LISTINGS = {
    "hives.txt": ("Hive Meeting 2031", _HIVES.replace("\n", "\r\n").encode()),
    "looms.txt": ("Letters on Weaving", _LOOMS.encode()),
}


def _paragraphs(name: str) -> list[str]:
    """Give the paragraphs of a listing, its heading left out."""
    text = _LISTINGS[name][1].decode().replace("\r\n", "\n")
    return [part.strip() for part in re.split(r"\n{2,}", text)][1:]


@pytest.fixture
def listings(tmp_path: Path) -> Path:
    """Give a folder with the two listings, outside of any newsletter."""
    folder = tmp_path / "listings"
    folder.mkdir()
    for name, (_, data) in _LISTINGS.items():
        (folder / name).write_bytes(data)
    return folder


def _import(digest: Digest, root: Path, file: Path, *arguments: str) -> dict[str, Any]:
    code, out, err = digest("-C", root, "import", "listing", file, "--json", *_NOW, *arguments)
    assert code == 0, err
    told: dict[str, Any] = json.loads(out)
    return told


@pytest.fixture
def imported(digest: Digest, newsletter: Make, listings: Path) -> Callable[[str], Path]:
    """Give a function that makes a newsletter which holds the two listings and nothing else."""

    def make(settings: str) -> Path:
        root = newsletter({}, settings=settings)
        for name in _LISTINGS:
            _import(digest, root, listings / name)
        return root

    return make


@pytest.mark.parametrize("name", _LISTINGS)
def test_every_paragraph_becomes_a_summary_once(
    digest: Digest, newsletter: Make, listings: Path, name: str
) -> None:
    """All paragraphs come in, none fails; again, all are skipped as already there."""
    root = newsletter({})
    first = _import(digest, root, listings / name)
    before = tree(root / "content")
    second = _import(digest, root, listings / name)
    count = len(_paragraphs(name))
    assert first["schema"] == 1
    assert len(first["imported"]) == count
    assert first["skipped"] == first["failed"] == []
    assert {item["path"] for item in first["imported"]} == {f"content/{file}" for file in before}
    assert len({item["id"] for item in first["imported"]}) == count
    assert second["imported"] == second["failed"] == []
    assert len(second["skipped"]) == count
    for skipped, item in zip(second["skipped"], first["imported"], strict=True):
        assert re.fullmatch(rf"{name}:\d+", skipped["place"])
        assert "already" in skipped["reason"]
        assert item["path"] in skipped["reason"]
    assert tree(root / "content") == before


def test_headings_are_titles_and_no_part_of_the_text(
    digest: Digest, newsletter: Make, listings: Path
) -> None:
    """A heading glued to its paragraph becomes the title; `Introduction` is dropped."""
    root = newsletter({})
    titles = {
        item["title"]: item
        for name in _LISTINGS
        for item in _import(digest, root, listings / name)["imported"]
    }

    for title in (
        "Why Drones Fly High: A Summer with a Balloon",
        "The Winter Ball",
        "Warp and Weft of a Small Town",
    ):
        item = titles[title]
        body = (root / item["path"]).read_text("utf-8").rpartition("---\n\n")[2]
        assert item["title_derived"] is False
        assert title not in body
    assert all(0 < len(title) <= 120 for title in titles)
    for item in titles.values():
        text = (root / item["path"]).read_text("utf-8")
        assert not re.search(r"Introduction|\.\.\.|\r", text)
        assert f"source: {_LISTINGS['hives.txt'][0]}" in text or _LISTINGS["looms.txt"][0] in text


def test_mended_and_renamed_summaries_do_not_come_again(
    digest: Digest, newsletter: Make, listings: Path
) -> None:
    """After a file got another name, folder and title, and one a longer body, nothing is new."""
    root = newsletter({})
    first, second, *_ = _import(digest, root, listings / "looms.txt")["imported"]
    old = root / first["path"]
    text = old.read_text("utf-8")
    new = root / "content/crafts/reeds.md"
    new.parent.mkdir()
    new.write_text(
        re.sub(r"^title: .*$", "title: Steel or cane", text, flags=re.MULTILINE), "utf-8"
    )
    old.unlink()
    with (root / second["path"]).open("a", encoding="utf-8") as file:
        file.write("\nA line of ours.\n")
    (listings / "looms.txt").rename(listings / "weaving of May.txt")
    before = tree(root / "content")
    again = _import(digest, root, listings / "weaving of May.txt")

    assert again["imported"] == again["failed"] == []
    assert len(again["skipped"]) == len(_paragraphs("looms.txt"))
    assert "content/crafts/reeds.md" in json.dumps(again["skipped"])
    assert tree(root / "content") == before


def test_imported_file_that_cannot_be_read_does_not_come_again(
    digest: Digest, newsletter: Make, listings: Path
) -> None:
    """A summary whose header was torn in mending is still there, and is not imported beside it."""
    root = newsletter({})
    first, *_ = _import(digest, root, listings / "looms.txt")["imported"]
    file = root / first["path"]
    text = file.read_text("utf-8")
    file.write_text(re.sub("^title: .*$", 'title: "Steel', text, flags=re.MULTILINE), "utf-8")
    before = tree(root / "content")
    code, out, err = digest("-C", root, "import", "listing", listings / "looms.txt", "--json")
    again = json.loads(out)

    assert code == 1
    assert f"{first['path']}:3" in err
    assert again["imported"] == again["failed"] == []
    assert first["path"] in json.dumps(again["skipped"])
    assert tree(root / "content") == before


def test_a_longer_listing_brings_only_what_is_new(
    digest: Digest, newsletter: Make, listings: Path
) -> None:
    """Of a listing that got one more paragraph, only that one is imported."""
    root = newsletter({})
    _import(digest, root, listings / "looms.txt")
    with (listings / "looms.txt").open("a", encoding="utf-8") as file:
        file.write(
            "\nFelt needs no loom at all, only wool, soap and a long walk up and down. ...\n"
        )
    again = _import(digest, root, listings / "looms.txt")

    assert [item["title"] for item in again["imported"]] == [
        "Felt needs no loom at all, only wool, soap and a long walk up and down"
    ]
    assert len(again["skipped"]) == len(_paragraphs("looms.txt"))


def test_dry_run_writes_nothing(digest: Digest, newsletter: Make, listings: Path) -> None:
    """A dry run tells what the import then does, and leaves no file, not even a lock."""
    root = newsletter({})
    before = tree(root)
    dry = _import(digest, root, listings / "hives.txt", "--dry-run")
    assert tree(root) == before
    assert not (root / "private").exists()

    assert _import(digest, root, listings / "hives.txt") == dry


def test_bad_paragraphs_are_named_and_the_rest_is_imported(
    digest: Digest, newsletter: Make, tmp_path: Path
) -> None:
    """Exit 1, each bad paragraph with file and line, and the good ones come in."""
    root = newsletter({})
    file = tmp_path / "torn.txt"
    good = "Ropes of hemp were walked, not woven, in houses a quarter of a mile long. ...\n"
    also = "Tar keeps water out of a rope and smells of the yard for a lifetime. ...\n"
    file.write_bytes(
        f"Rope Walks 2030\n\n{good}\nToo short.\n\n".encode()
        + b"Caf\xe9 owners on the quay sold coffee to the spinners before the sun was up. ...\n\n"
        + f"{also}\nKnots and Splices 2031\n".encode()
    )
    code, out, err = digest("-C", root, "import", "listing", file, "--json", *_NOW)
    told = json.loads(out)

    assert code == 1
    assert [failure["place"] for failure in told["failed"]] == [
        "torn.txt:5",
        "torn.txt:7",
        "torn.txt:11",
    ]
    for failure in told["failed"]:
        assert f"{failure['place']}: " in err
    assert len(told["imported"]) == 2
    assert len(list((root / "content").glob("*.md"))) == 2
    assert str(tmp_path) not in out + err


@pytest.mark.parametrize(
    "data", [b"", b"\r\n \r\n", b"\xef\xbb\xbf\n"], ids=["none", "blank", "mark"]
)
def test_empty_listing_is_an_error(
    digest: Digest, newsletter: Make, tmp_path: Path, data: bytes
) -> None:
    """A file without a paragraph exits with 1 and is named with its line."""
    root = newsletter({})
    file = tmp_path / "empty.txt"
    file.write_bytes(data)
    code, _, err = digest("-C", root, "import", "listing", file, *_NOW)

    assert code == 1
    assert "empty.txt:1" in err
    assert not list((root / "content").glob("*.md"))


def test_listing_that_is_not_there(digest: Digest, newsletter: Make, tmp_path: Path) -> None:
    """A name that leads nowhere is named; nothing is written."""
    root = newsletter({})
    code, _, err = digest("-C", root, "import", "listing", tmp_path / "gone.txt", *_NOW)

    assert code == 6
    assert "gone.txt" in err
    assert str(tmp_path) not in err


def _signs(text: str) -> str:
    """Give the letters and digits of a text, raised and lowered ones as plain ones."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if sign.isalnum())


def _assert_shown(forms: dict[str, Form], items: list[dict[str, str]], texts: list[str]) -> None:
    """Find every title, link and text in every form; the home page has titles and its own links."""
    for name, form in forms.items():
        for item in items:
            assert item["title"] in form.line, name
            if name == "home":
                assert item["url"].rpartition("/")[2] in form.links
            else:
                assert item["url"] in form.links, name
        if name != "home":
            shown = _signs(form.text)
            assert all(_signs(text) in shown for text in texts), name


def _publish(digest: Digest, root: Path, *arguments: str) -> dict[str, Any]:
    code, out, err = digest("-C", root, "build", "--json", *_NOW, *arguments)
    assert code == 0, err
    assert not (root / "outbox/site").exists()
    assert {path.name for path in (root / "outbox").iterdir()} == {_KEY}
    code, _, err = digest("-C", root, "publish", *_NOW)
    assert code == 0, err
    built: dict[str, Any] = json.loads(out)
    return built


def test_issue_of_imported_summaries_alone(digest: Digest, imported: Callable[[str], Path]) -> None:
    """Without a theme declared, all that was imported is in an issue and stands in every form."""
    root = imported(_PLENTY)
    built = _publish(digest, root)
    paragraphs = [text for name in _LISTINGS for text in _paragraphs(name)]
    # What was a heading stands above its text now: the end of each paragraph is enough.
    ends = [re.sub(r"\W*(?:\[?\.\.\.\]?|\u2026)?$", "", text)[-60:] for text in paragraphs]

    assert len(built["items"]) == len(paragraphs)
    assert len({item["url"] for item in built["items"]}) == len(paragraphs)
    _assert_shown(read_forms(root, _KEY), built["items"], ends)
    assert digest("-C", root, "verify", *_NOW)[0] == 0
    assert digest("-C", root, "check", *_NOW)[0] == 0


def test_issue_of_a_theme_found_by_its_words(
    digest: Digest, imported: Callable[[str], Path]
) -> None:
    """Themes that ask for words take the imported summaries that hold them, and no others."""
    themes = {
        "bees": ["word:bees", "word:hive", "word:swarms", "word:drones", "word:colony"],
        "cloth": ["word:loom", "word:looms", "word:weavers", "word:cloth", "word:heddle"],
    }
    tables = "".join(
        f'[[theme]]\nid = "{theme}"\nmatch = {json.dumps(rules)}\n'
        for theme, rules in themes.items()
    )
    root = imported(_PLENTY + tables)
    built = _publish(digest, root)
    wanted = "|".join(rule.partition(":")[2] for rule in themes[built["theme"]])

    assert len(built["items"]) >= 3
    for item in built["items"]:
        _, out, _ = digest("-C", root, "why", item["id"], "--json", *_NOW)
        assert built["theme"] in json.dumps(json.loads(out)["steps"])
        [file] = [
            path for path in (root / "content").glob("*.md") if item["id"] in path.read_text()
        ]
        assert re.search(rf"\b(?:{wanted})\b", file.read_text("utf-8"), re.IGNORECASE)
    _assert_shown(read_forms(root, _KEY), built["items"], [])


@pytest.mark.parametrize("moment", ["2026-12-07T08:00:00+01:00", "2026-12-09T16:00:00+01:00"])
def test_what_was_imported_can_be_built_at_once(
    digest: Digest, newsletter: Make, listings: Path, moment: str
) -> None:
    """On whatever day of a week a listing is imported, that week's issue can take it."""
    root = newsletter({})
    now = ("--now", moment)
    assert digest("-C", root, "import", "listing", listings / "looms.txt", *now)[0] == 0
    code, out, _ = digest("-C", root, "build", "--json", *now)

    assert code == 0
    assert len(json.loads(out)["items"]) >= 3


@pytest.mark.skipif(not _REAL.is_dir(), reason="the real listings do not lie beside the repository")
def test_real_listings_make_an_issue(digest: Digest, newsletter: Make) -> None:
    """Forty summaries come in once, none fails, and an issue of them is built and published."""
    root = newsletter(
        {}, settings='[[theme]]\nid = "graphs"\nmatch = ["word:graph", "word:graphs"]\n'
    )
    files = sorted(_REAL.glob("*.txt"))
    first = [_import(digest, root, file) for file in files]
    again = [_import(digest, root, file) for file in files]
    built = _publish(digest, root)

    assert sum(len(told["imported"]) for told in first) == 40
    assert not any(told["failed"] or told["skipped"] for told in first)
    assert sum(len(told["skipped"]) for told in again) == 40
    assert not any(told["failed"] or told["imported"] for told in again)
    assert len(built["items"]) >= 3
    _assert_shown(read_forms(root, _KEY), built["items"], [])
