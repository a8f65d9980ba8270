"""The page of settings names every key, with its default and an example that loads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.pages import ROOT, blocks, page, rows

from digest.config import Effective, Settings, effective, load_settings

_PAGE = page("settings.md")
_NEEDED = {"newsletter.name", "newsletter.tag", "site.url", "mail.from", "theme.id"}
# Their defaults follow from other settings, so the page says how.
_DERIVED = {
    "newsletter.slug",
    "mail.leave",
    "mail.list_id",
    "dkim.domain",
    "theme.label",
    "transport.smtp.port",
}
# A password has one place; the page gives the other ones as comments.
_OTHER_PLACES = {
    f"{table}.password_{kind}"
    for table in ("transport.smtp", "store")
    for kind in ("file", "command")
}
_EXAMPLES = "\n".join(block.text for block in blocks(_PAGE) if block.kind == "toml")
_LEAST = """\
[newsletter]
name = "A"
tag = "a.example,2026"
[site]
url = "https://a.example/"
[mail]
from = "a@a.example"
[[theme]]
id = "a"
"""


def _load(folder: Path, text: str) -> Settings:
    (folder / "digest.toml").write_text(text, "utf-8")
    return load_settings(folder, file=None, environ={}, overrides=())


def _key(value: Effective) -> str:
    return re.sub(r"\[\d+\]", "", value.key)


def _documented() -> dict[str, str]:
    cells = [row for row in rows(_PAGE) if "." in row[0]]
    return {row[0].strip("`"): row[1] for row in cells}


def test_every_key_is_documented_with_its_default(tmp_path: Path) -> None:
    """The tables hold the keys that the program asks for, no other, and their defaults."""
    settings = effective(_load(tmp_path, _LEAST))
    defaults = {
        _key(value): f"`{value.value}`"
        for value in settings
        if _key(value) not in _NEEDED | _DERIVED
    }
    documented = _documented()

    assert set(documented) == {_key(value) for value in settings}
    assert {key: documented[key] for key in defaults} == defaults
    assert all(value.origin == "default" for value in settings if _key(value) not in _NEEDED)


def test_needed_keys_are_called_so(tmp_path: Path) -> None:
    """Keys without a default say that they are needed; each is, and no other."""
    documented = _documented()

    assert {key for key, default in documented.items() if default == "needed"} == _NEEDED
    assert all(not re.fullmatch("`.*`", documented[key]) for key in _DERIVED)
    assert {_key(value) for value in effective(_load(tmp_path, _LEAST))} >= _NEEDED


def test_examples_together_set_every_key(tmp_path: Path) -> None:
    """The examples load as one file, and show each key once."""
    settings = effective(_load(tmp_path, _EXAMPLES))

    assert {value.key for value in settings if value.origin == "default"} == _OTHER_PLACES
    assert {_key(value) for value in settings} == set(_documented())


@pytest.mark.parametrize("key", sorted(_OTHER_PLACES))
def test_each_place_of_the_password_can_be_the_one(tmp_path: Path, key: str) -> None:
    """The example loads with another place for the password, as its comments give them."""
    name = key.rpartition(".")[2]
    text = re.sub(r"^password_env = .*\n", "", _EXAMPLES, flags=re.MULTILINE)
    text = text.replace(f"# or: {name} = ", f"{name} = ")
    told = {value.key: value.origin for value in effective(_load(tmp_path, text))}

    assert told[key].startswith("digest.toml:")


def test_the_commented_lines_of_the_sample_load(tmp_path: Path) -> None:
    """Whoever drops the comment signs in the sample's settings gets settings that load."""
    sample = (ROOT / "digest.toml").read_text("utf-8")
    text = re.sub(r"^# ?(\[|\w+ = |$)", r"\1", sample, flags=re.MULTILINE)
    settings = _load(tmp_path, text)

    assert settings.transport.kind == "smtp"
    assert settings.transport.smtp is not None
    assert len(settings.editors) == 1


def test_examples_stand_under_their_own_section() -> None:
    """An example begins with the table that its section is about, named as the heading is."""
    for block in blocks(_PAGE):
        if block.kind == "toml":
            assert block.text.split("\n")[0] == block.section.strip("`")
