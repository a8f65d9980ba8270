"""Looks on disk: which there are, and which file of them counts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from digest.errors import ConfigError, DigestError, TemplateError
from digest.files import shipped
from digest.files.shipped import (
    SUPPORT,
    LookFile,
    known_looks,
    look_files,
    own_files,
    own_place,
    read_templates,
    require_look,
    shipped_content,
    shipped_looks,
    shipped_names,
    shipped_settings,
    shipped_templates,
)

Make = Callable[..., Path]

ROOT = Path(__file__).resolve().parent.parent.parent


def test_shipped_look_is_read_where_there_is_no_folder(tmp_path: Path) -> None:
    """Without templates of its own a newsletter has the shipped ones, its baseline with them."""
    found = read_templates(tmp_path)

    assert found.texts["letter.mjml.j2"] == (ROOT / "templates/letter.mjml.j2").read_text("utf-8")
    assert found.place("letter.mjml.j2") == "templates/letter.mjml.j2"
    assert "accepted" in found.texts[SUPPORT]


def test_shipped_look_lays_its_files_over_the_default(tmp_path: Path) -> None:
    """The compact look has items of its own, and all else from the default one."""
    default, compact = read_templates(tmp_path), read_templates(tmp_path, "compact")

    changed = {name for name, text in compact.texts.items() if default.texts.get(name) != text}
    assert changed - {SUPPORT} == set(shipped_names("compact"))
    assert compact.place("items.mjml.j2") == "templates/compact/items.mjml.j2"
    assert compact.place("letter.mjml.j2") == "templates/letter.mjml.j2"


def test_own_files_go_before_shipped_ones_and_those_of_the_look_before_all(
    newsletter: Make,
) -> None:
    """The order is: shipped, own, shipped look, own look; the last one wins."""
    root = newsletter(
        {
            "templates/words.txt.j2": "own",
            "templates/items.mjml.j2": "own",
            "templates/items.txt.j2": "own",
            "templates/compact/items.mjml.j2": "own compact",
            "templates/compact/support.json": "{}",
        }
    )

    found = read_templates(root, "compact")

    assert found.texts["words.txt.j2"] == "own"
    assert found.texts["items.txt.j2"] == shipped_templates("compact")["items.txt.j2"].decode()
    assert found.texts["items.mjml.j2"] == "own compact"
    assert found.texts[SUPPORT] == "{}"
    assert found.place(SUPPORT) == "templates/compact/support.json"
    assert read_templates(root).texts["items.mjml.j2"] == "own"
    assert read_templates(root).texts[SUPPORT] != "{}"


def test_other_names_are_not_read(newsletter: Make) -> None:
    """Hidden files, and those that end in anything but .j2, are no templates."""
    root = newsletter({"templates/.words.txt.j2": "x", "templates/notes.txt": "x"})

    assert not {".words.txt.j2", "notes.txt"} & read_templates(root).texts.keys()


def test_own_look_is_a_folder_with_a_template(newsletter: Make) -> None:
    """A folder of templates is a look; one that is empty, hidden, or a link to elsewhere is not."""
    root = newsletter(
        {
            "templates/brand/letter.css.j2": "",
            "templates/.old/letter.css.j2": "",
            "templates/compact/support.json": "{}",
            "templates/notes/read.me": "",
        }
    )
    (root / "templates" / "linked").symlink_to(root / "templates" / "brand")

    assert known_looks(root) == (*shipped_looks(), "brand")
    assert shipped_looks() == ("default", "compact")
    assert shipped_names("brand") == ()
    assert shipped_templates("brand") == shipped_templates("default")


def test_unknown_look_names_the_nearest(newsletter: Make) -> None:
    """A look that is not there is refused with those that are, before any file is read."""
    root = newsletter({"templates/brand/letter.css.j2": b"\xff"})

    with pytest.raises(ConfigError) as near:
        read_templates(root, "compct")
    with pytest.raises(ConfigError) as far:
        require_look(root, "../x", where="")

    assert str(near.value).startswith(
        "mail.look: there is no look 'compct'\n  did you mean compact?"
    )
    assert "There are default, compact, brand;" in str(far.value)
    assert str(far.value).startswith("there is no look '../x'\n  There are")


def test_files_that_cannot_be_read_are_named_all_at_once(newsletter: Make) -> None:
    """No UTF-8, a folder, a pipe and a link out of the folder are told in one error."""
    root = newsletter({"templates/a.j2": b"\xff", "templates/b.j2/x": "", "secret.j2": "x"})
    os.mkfifo(root / "templates" / "c.j2")
    (root / "templates" / "d.j2").symlink_to(root / "secret.j2")

    with pytest.raises(TemplateError) as caught:
        read_templates(root)

    assert [one.where for one in caught.value.problems] == [f"templates/{n}.j2" for n in "abcd"]
    assert {one.fix for one in caught.value.problems} == {"put a UTF-8 text in its place"}


def test_each_file_of_a_look_tells_what_it_stands_before(newsletter: Make) -> None:
    """An own file names the shipped one that it is taken for, also over two own ones."""
    root = newsletter(
        {
            "templates/items.txt.j2": "own",
            "templates/compact/items.txt.j2": "own compact",
            "templates/extra.txt.j2": "",
            "templates/letter.css.j2": "",
        }
    )

    found = {file.name: file for file in look_files(root, "compact")}

    assert list(found) == sorted(found)
    assert found["items.txt.j2"] == LookFile(
        name="items.txt.j2",
        place="templates/compact/items.txt.j2",
        shipped=False,
        replaces="templates/compact/items.txt.j2",
    )
    assert found["extra.txt.j2"].replaces == ""
    assert found["letter.css.j2"].replaces == "templates/letter.css.j2"
    assert found["items.mjml.j2"].shipped
    assert found["items.mjml.j2"].replaces == ""


def test_own_files_are_all_that_lie_there(newsletter: Make) -> None:
    """Files of any name are told, but for hidden ones; those of other looks are not."""
    root = newsletter(
        {
            "templates/notes.md": "",
            "templates/.hidden": "",
            "templates/brand/a.j2": "",
            "templates/compact/b.j2": "",
        }
    )

    assert own_files(root, "compact") == ("templates/notes.md", "templates/compact/b.j2")
    assert own_files(root, "default") == ("templates/notes.md",)


def test_checkout_has_no_files_of_its_own() -> None:
    """Where the newsletter's folder is the program's, its templates are the shipped ones."""
    assert own_files(ROOT, "compact") == ()
    assert all(file.shipped for file in look_files(ROOT, "compact"))
    assert known_looks(ROOT) == shipped_looks()


def test_own_place_is_the_folder_of_the_look() -> None:
    """The default look has the folder itself, any other one a folder inside."""
    assert own_place("default") == "templates"
    assert own_place("compact") == "templates/compact"


def test_starter_content_and_settings_travel_along() -> None:
    """The sample's summaries and settings are those of the checkout."""
    assert set(shipped_content()) == {file.name for file in (ROOT / "content").glob("*.md")}
    assert shipped_settings() == (ROOT / "digest.toml").read_text("utf-8")


def test_installation_without_its_files_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A program whose own files are gone names what is missing."""
    monkeypatch.setattr(shipped, "__file__", str(tmp_path / "digest" / "files" / "shipped.py"))

    with pytest.raises(DigestError, match="the program's own templates is missing"):
        read_templates(tmp_path)
