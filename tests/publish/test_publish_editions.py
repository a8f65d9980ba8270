"""An edition knows where its merge fields stand, and proves it when it is read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from digest.errors import FilesError
from digest.publish.editions import keep, material_from, read_kept

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2026-11-30T08:00:00+01:00")
_LEAVE = b"mailto:letter@harbour.example?subject=unsubscribe%20harbour-notes"
_TEXT = (
    "{{ letter.heading }}\nDear [[name|é reader]] [[address|]]\n{% for item in letter.items %}\n"
    "{{ item.title }} {{ item.url }}\n{% endfor %}\n[[leave_url]]\n"
)


@pytest.fixture
def edition(digest: Digest, newsletter: Make) -> Path:
    """Give the folder of an edition whose text greets its reader."""
    root = newsletter(
        {
            "content/mills.md": "---\ntitle: Mills\nurl: https://m.example/\n---\n\nThey grind.\n",
            "templates/letter.txt.j2": _TEXT,
        }
    )
    code, _, err = digest("-C", root, "build", *_NOW)
    assert code == 0, err
    return root / "outbox/2026-w49"


def _rewrite(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a manifest and hash it anew, as somebody would who means to deceive."""
    file = folder / "edition.json"
    manifest = json.loads(file.read_text("utf-8"))
    change(manifest)
    beside = {"edition", "tools", "commits"}
    told = {name: value for name, value in manifest.items() if name not in beside}
    text = json.dumps(told, sort_keys=True, ensure_ascii=False)
    manifest["edition"] = sha256(text.encode()).hexdigest()
    file.write_text(json.dumps(manifest), "utf-8")


def test_manifest_tells_where_the_fields_stand(edition: Path) -> None:
    """It names field, default and octets; what is read back is what was built."""
    told = json.loads((edition / "edition.json").read_text("utf-8"))["fields"]
    kept = read_kept(edition, root=edition.parent.parent)
    text = (edition / "issue.txt").read_bytes()

    assert [place["name"] for place in told["issue.txt"]] == ["name", "address", "leave_url"]
    assert [text[place["start"] : place["end"]] for place in told["issue.txt"]] == [
        "é reader".encode(),
        b"",
        _LEAVE,
    ]
    assert [place["default"] for place in told["issue.txt"]] == ["é reader", "", ""]
    assert [place["name"] for place in told["issue.html"]] == ["leave_url"]
    again = keep(material_from(kept))
    assert kept.edition.fields == again.edition.fields
    assert kept.fingerprint == again.fingerprint


def test_other_places_make_another_edition(edition: Path) -> None:
    """What stands where is part of what was approved: its hash holds it."""
    before = read_kept(edition, root=edition.parent.parent).fingerprint
    _rewrite(edition, lambda manifest: manifest["fields"].update({"issue.txt": []}))
    after = read_kept(edition, root=edition.parent.parent)

    assert after.edition.fields["issue.txt"] == ()
    assert after.fingerprint != before


def test_edition_of_before_the_places_has_none(edition: Path) -> None:
    """An edition kept by an earlier version is read, and is the same for all readers."""
    _rewrite(edition, lambda manifest: manifest.pop("fields"))

    assert read_kept(edition, root=edition.parent.parent).edition.fields == {}


@pytest.mark.parametrize(
    "places",
    [
        [{"name": "name", "default": "", "start": 9, "end": 3}],
        [{"name": "name", "default": "", "start": 0, "end": 10**9}],
        [{"name": "nick", "default": "", "start": 0, "end": 1}],
        [{"name": "name", "default": "", "start": "0", "end": 1}],
        [{"name": "name", "start": 0, "end": 1}],
        [{"name": "name", "default": "", "start": 0, "end": 1, "more": 2}],
        ["name"],
        7,
    ],
)
def test_places_that_do_not_fit_are_refused(edition: Path, places: object) -> None:
    """Whatever a manifest says, nothing is read that could not be filled in."""
    _rewrite(edition, lambda manifest: manifest["fields"].update({"issue.txt": places}))

    with pytest.raises(FilesError, match=r"edition\.json"):
        read_kept(edition, root=edition.parent.parent)


def test_places_in_a_file_that_is_not_there_are_refused(edition: Path) -> None:
    """A place needs a file that the edition has."""
    place = {"name": "name", "default": "", "start": 0, "end": 1}
    _rewrite(edition, lambda manifest: manifest["fields"].update({"other.txt": [place]}))

    with pytest.raises(FilesError, match=r"edition\.json"):
        read_kept(edition, root=edition.parent.parent)


def test_shortened_file_is_named_and_not_the_manifest(edition: Path) -> None:
    """Who cut a file hears of that file alone, though its places no longer fit."""
    (edition / "issue.txt").write_bytes(b"cut\n")

    with pytest.raises(FilesError, match=r"its manifest says: issue\.txt\n") as caught:
        read_kept(edition, root=edition.parent.parent)
    assert "edition.json" not in caught.value.problems[0].what


def test_field_without_words_for_those_who_have_none_stops_the_build(
    digest: Digest, newsletter: Make
) -> None:
    """The build names the template and its line, and writes nothing."""
    root = newsletter(
        {
            "content/mills.md": "# Mills\n\nThey grind.\n",
            "templates/letter.txt.j2": "Dear reader\nDear [[name]]\n",
        }
    )
    code, _, err = digest("-C", root, "build", *_NOW)

    assert code == 2
    assert "templates/letter.txt.j2:2: " in err
    assert "[[name|reader]]" in err
    assert not (root / "outbox/2026-w49").exists()
