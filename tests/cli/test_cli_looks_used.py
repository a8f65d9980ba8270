"""The look of the mail: by the settings, by `--set`, overlaid by the newsletter's own templates."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.mailing import ITEM, KEY, NOW, tree

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_LOOK = '\n[mail]\nlook = "{0}"\n'
_COMPACT = "--set=mail.look=compact"
# Each look has a list only where it is one: how compact is told from default.
_LIST = '<ol class="list"'
_WORDS = "Mill 2 ground corn."


@pytest.fixture
def make(newsletter: Make) -> Callable[..., Path]:
    """Give a function that makes a newsletter of three items, with a look and more files."""

    def call(look: str = "", **files: str) -> Path:
        items = {f"content/m{n}.md": ITEM.format(n) for n in range(3)}
        # `[mail]` is the last section of its settings.
        settings = f'look = "{look}"\n' if look else ""
        return newsletter({**items, **files}, settings=settings)

    return call


@pytest.fixture
def built(digest: Digest) -> Callable[..., str]:
    """Give a function that builds this week's issue and gives the HTML of the mail."""

    def call(root: Path, *words: str) -> str:
        code, _, err = digest("-C", root, "build", *words, *NOW)
        assert code == 0, err
        return (root / f"outbox/{KEY}/issue.html").read_text("utf-8")

    return call


Built = Callable[..., str]


def _file(root: Path, name: str) -> str:
    return (root / f"outbox/{KEY}" / name).read_text("utf-8")


def test_default_is_used_where_nothing_is_said(make: Make, built: Built) -> None:
    """And `default` may be said."""
    html = built(make())
    assert _LIST not in html
    assert html.count(_WORDS) == 1


def test_settings_and_the_command_line_choose_alike(
    make: Make, built: Built, digest: Digest
) -> None:
    """The same edition comes of both; the command line wins over the file."""
    root = make("compact")
    told = built(root)
    edition = json.loads(_file(root, "edition.json"))["edition"]
    plain = built(root, "--set=mail.look=default")
    assert _LIST in told
    assert _LIST not in plain

    (root / "digest.toml").write_text((root / "digest.toml").read_text().replace("look =", "#"))
    assert built(root, _COMPACT) == told
    assert json.loads(_file(root, "edition.json"))["edition"] == edition
    assert digest("-C", root, "verify", *NOW)[0] == 0


def test_compact_lists_links_and_leaves_the_page_whole(make: Make, built: Built) -> None:
    """The mail is shorter; titles and links are all there; page and entry are as in default."""
    root = make()
    default = built(root)
    page, entry = _file(root, "page.html"), _file(root, "entry.html")
    compact = built(root, _COMPACT)

    assert len(compact) < len(default)
    assert all(f"https://mills.example/{n}" in compact for n in range(3))
    assert _WORDS in compact
    assert _file(root, "entry.html") == entry
    # The page names the edition that it belongs to, and nothing else is another.
    assert len(_file(root, "page.html")) == len(page)
    lines = zip(page.splitlines(), _file(root, "page.html").splitlines(), strict=True)
    [(changed, _)] = [(one, other) for one, other in lines if one != other]
    assert 'name="digest-edition"' in changed


def test_look_is_kept_with_the_edition(make: Make, built: Built, digest: Digest) -> None:
    """What was built is proved by its own templates, whatever the settings say later."""
    root = make("compact")
    built(root)
    digest("-C", root, "publish", *NOW)
    settings = root / "digest.toml"
    settings.write_text(settings.read_text().replace('"compact"', '"default"'))

    assert (root / f"outbox/{KEY}/inputs/templates/support.json").is_file()
    assert digest("-C", root, "verify", *NOW)[1].endswith("identical, every byte\n")
    before = tree(root / f"outbox/{KEY}")
    assert digest("-C", root, "build", *NOW)[0] == 0
    assert tree(root / f"outbox/{KEY}") == before


_OWN = "{% for item in letter.items %}\n{{ item.number }}. {{ item.title }} {{ item.url }}\n"
_OWN_TEXT = f"{{{{ letter.heading }}}}\n{_OWN}{{% endfor %}}\n[[leave_url]]\n"


def test_own_files_of_a_look_win(make: Make, built: Built) -> None:
    """In the look's folder they count for that look alone, beside it for all looks."""
    root = make(
        **{
            "templates/compact/letter.txt.j2": f"COMPACT {_OWN_TEXT}",
            "templates/letter.txt.j2": f"ANY {_OWN_TEXT}",
        }
    )
    built(root)
    assert _file(root, "issue.txt").startswith("ANY ")
    html = built(root, _COMPACT)
    assert _file(root, "issue.txt").startswith("COMPACT ")
    assert _LIST in html


def test_what_is_a_looks_own_wins_over_what_is_for_all(make: Make, built: Built) -> None:
    """In `templates/` itself a file counts where the shipped look has none of that name."""
    whole = "{% for item in letter.items %}<mj-text><p>OWN {{ item.title }}</p><p>"
    link = '<a href="{{ item.url }}">{{ item.title }}</a></p></mj-text>{% endfor %}'
    root = make(**{"templates/items.mjml.j2": whole + link, "templates/letter.txt.j2": _OWN_TEXT})
    assert built(root).count("OWN Tide mills") == 3
    html = built(root, _COMPACT)
    assert _LIST in html
    assert "OWN" not in html
    assert _file(root, "issue.txt").startswith("Tide mills")

    (root / "templates/compact").mkdir()
    (root / "templates/compact/items.mjml.j2").write_text(whole.replace("OWN", "MINE") + link)
    assert built(root, _COMPACT).count("MINE Tide mills") == 3


def test_a_look_of_ones_own(make: Make, built: Built, digest: Digest) -> None:
    """A folder of templates is one more look: all that it lacks is the shipped default's."""
    root = make("brand", **{"templates/brand/letter.txt.j2": f"BRAND {_OWN_TEXT}"})
    built(root)
    text = _file(root, "issue.txt")

    assert text.startswith("BRAND ")
    assert "1. Tide mills" in text
    assert digest("-C", root, "publish", *NOW)[0] == 0
    assert digest("-C", root, "verify", *NOW)[0] == 0


def test_a_fault_in_an_own_look_is_named_with_its_folder(make: Make, digest: Digest) -> None:
    """File and line are those of the newsletter's own file."""
    root = make("brand", **{"templates/brand/letter.txt.j2": "Hello\n{{ letter.nothing }}\n"})
    code, _, err = digest("-C", root, "build", *NOW)
    assert code == 2
    assert "templates/brand/letter.txt.j2:2: " in err
    assert not (root / f"outbox/{KEY}").exists()


@pytest.mark.parametrize(
    ("look", "near"),
    [
        ("compcat", "did you mean compact? "),
        ("Default", "did you mean default? "),
        ("brant", "did you mean brand? "),
        ("xyz", "xyz'\n  There are"),
    ],
)
def test_an_unknown_look_is_refused(make: Make, digest: Digest, look: str, near: str) -> None:
    """Exit 2 names the looks there are, the newsletter's own among them; no edition is written."""
    root = make(look, **{"templates/brand/letter.txt.j2": _OWN_TEXT})
    code, _, err = digest("-C", root, "build", *NOW)

    assert code == 2
    assert f"mail.look: there is no look '{look}'" in err
    assert near in err
    assert "There are default, compact, brand; " in err
    assert not (root / "outbox").exists()
    assert not (root / "content/issues").exists()


def test_an_unknown_look_is_refused_before_anything_is_published(
    make: Make, built: Built, digest: Digest
) -> None:
    """Site and pages have their templates of it, too: the draft stays a draft."""
    root = make()
    built(root)
    before = tree(root)
    code, _, err = digest("-C", root, "publish", "--set=mail.look=compcat", *NOW)

    assert code == 2
    assert "there is no look 'compcat'" in err
    assert tree(root) == before


@pytest.mark.parametrize("command", ["status", "plan", "config"])
def test_what_renders_nothing_asks_for_no_look(make: Make, digest: Digest, command: str) -> None:
    """Who looks around is not kept from it."""
    assert digest("-C", make("compcat"), command, *NOW)[0] == 0


@pytest.mark.parametrize("look", ["../templates", "a/b", ".git", ""])
def test_a_look_is_a_plain_name(make: Make, digest: Digest, look: str) -> None:
    """No look lies outside the templates."""
    code, _, err = digest("-C", make(), "build", f"--set=mail.look={look}", *NOW)
    assert code == 2
    assert "mail.look" in err
