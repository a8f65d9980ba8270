"""A policy file: what it may hold, and what the settings lend to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from digest.config import Settings, load_policy
from digest.errors import ConfigError
from digest.model import Theme, ThemeId
from digest.picking.policy import Policy

BASE = """\
[[theme]]
id = "moons"
weight = 2

[selection]
min_items = 2
max_items = 4
max_per_source = 1
max_age = 30
"""


@pytest.fixture
def base(load: Callable[..., Settings], least: str) -> Settings:
    """Give the settings of a newsletter with one theme and a policy of its own."""
    return load(least + BASE)


def write(base: Settings, text: str) -> Path:
    """Write a policy file below the newsletter's folder."""
    file = base.root / "trials" / "fewer.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


def faults(base: Settings, text: str) -> list[str]:
    """Give the complaints about a policy file."""
    with pytest.raises(ConfigError) as caught:
        load_policy(write(base, text), root=base.root, base=base)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("text", ["", "[selection]\n", "# nothing yet\n"])
def test_what_is_not_said_is_as_in_the_settings(base: Settings, text: str) -> None:
    """An empty file is the policy that is in force."""
    found = load_policy(write(base, text), root=base.root, base=base)
    assert found == (base.policy, base.themes)


def test_selection_is_read_key_by_key(base: Settings) -> None:
    """A key that is given counts, false for no limit too; the others and the themes stay."""
    text = "[selection]\nmax_items = 9\nmax_age = false\nmax_per_source = false\n"
    picking, themes = load_policy(write(base, text), root=base.root, base=base)
    assert picking == replace(base.policy, max_items=9, max_age=None, max_per_source=None)
    assert picking == Policy(min_items=2, max_items=9)
    assert themes == base.themes


def test_themes_are_read_as_a_whole(base: Settings) -> None:
    """One theme in the file is the only one; nothing of a theme of that id is lent."""
    text = '[[theme]]\nid = "moons"\nmatch = ["word:moon"]\n'
    picking, themes = load_policy(write(base, text), root=base.root, base=base)
    assert themes == (Theme(id=ThemeId("moons"), label="Moons", match=("word:moon",)),)
    assert picking == base.policy
    assert load_policy(write(base, "theme = []\n"), root=base.root, base=base)[1] == ()


def test_all_faults_of_a_policy_come_at_once(base: Settings) -> None:
    """Each is told with file and line below the project, in the words of the settings."""
    text = (
        '[selection]\nmin_items = 7\nrepeat = "fill"\nmode = "mixd"\n[[theme]]\nweight = 0\n'
        '[site]\nurl = "https://tide.example"\nname = 3\n[themes]\n[schedule]\n'
    )
    where = "trials/fewer.toml"
    both, near = "\n  set both, the smaller one first", '\n  did you mean "mixed"?'
    cure = "\n  leave [selection] and [[theme]] in it, and take out the rest"
    assert faults(base, text) == [
        f"{where}:2: selection.min_items does not fit: min_items is 7 and max_items is 4{both}",
        f"{where}:3: selection.repeat is no setting\n  did you mean selection.repeats?",
        f'{where}:4: selection.mode must be one of theme, mixed; it is "mixd"{near}',
        f'{where}:5: theme[1].id is missing\n  add `id = "theme-1"` below [[theme]]',
        f"{where}:6: theme[1].weight must be a number above 0 and at most 100; it is 0",
        f"{where}:8: site.url has no place in a policy file{cure}",
        f"{where}:10: themes is no setting\n  did you mean [theme]?",
        f"{where}:11: schedule has no place in a policy file{cure}",
    ]


def test_key_without_its_table_is_led_there(base: Settings) -> None:
    """Who leaves the line `[selection]` out is told the whole name of the key."""
    assert faults(base, "max_items = 3\n") == [
        "trials/fewer.toml:1: max_items is no setting\n  did you mean selection.max_items?"
    ]


def test_policy_file_that_cannot_be_read_is_an_error(base: Settings, tmp_path: Path) -> None:
    """A file that is missing, or is no TOML, is told by its name, never by an absolute path."""
    other = tmp_path.parent / f"{tmp_path.name}-other.toml"
    with pytest.raises(ConfigError) as caught:
        load_policy(other, root=base.root, base=base)
    assert str(caught.value) == (
        f"{other.name}: cannot be read: No such file or directory\n  name another with --policy"
    )
    (fault,) = faults(base, "[selection]\nmin_items = \n")
    assert fault.startswith("trials/fewer.toml:2: is no TOML")


def test_relative_path_is_one_of_the_working_directory(
    base: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the file's folder its name will do; complaints still show the path in the project."""
    file = write(base, "[selection]\nmax_wait = 5\n")
    monkeypatch.chdir(file.parent)
    picking, _ = load_policy(Path(file.name), root=base.root, base=base)
    assert picking.max_wait == 5
    assert faults(base, "[selection]\nmax_wait = 0\n")[0].startswith("trials/fewer.toml:2: ")
