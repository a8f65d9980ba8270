"""The settings of DKIM: which keys, whose domain, and where a key must not lie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from digest.config import DkimKey, DkimSettings, Settings, read_dkim_key
from digest.errors import ConfigError

Load = Callable[..., Settings]
Faults = Callable[..., list[str]]

_PRESENT = ("dkim.selector=s2", "dkim.key_file=private/s2.pem")
_PREVIOUS = ("dkim.previous_selector=s1", "dkim.previous_key_file=private/s1.pem")
_FIRST = DkimKey(selector="s2", key_file="private/s2.pem")


def _before(selector: str, file: str) -> tuple[str, str]:
    return f'previous_selector = "{selector}"', f'previous_key_file = "{file}"'


def test_nothing_is_signed_by_default(load: Load) -> None:
    """Without a key there are no settings of signing."""
    assert load().dkim is None


def test_the_domain_is_that_of_the_sender(load: Load, least: str) -> None:
    """A selector and a file are enough; the key of before comes second."""
    assert load(least, *_PRESENT).dkim == DkimSettings(domain="tide.example", keys=(_FIRST,))
    second = DkimKey(selector="s1", key_file="private/s1.pem", setting="dkim.previous_key_file")
    both = load(least, *_PRESENT, *_PREVIOUS).dkim
    assert both == DkimSettings(domain="tide.example", keys=(_FIRST, second))


@pytest.mark.parametrize(
    ("sender", "domain", "fits"),
    [
        ("post@letters.tide.example", "tide.example", True),
        ("post@letters.tide.example", "Letters.Tide.example", True),
        ("post@tide.example", "mail.tide.example", True),
        ("post@bücher.example", "bücher.example", True),
        ("post@tide.example", "example", False),
        ("post@tide.example", "e.example", False),
        ("post@tide.example", "low-tide.example", False),
        ("post@a.tide.example", "b.tide.example", False),
    ],
)
def test_the_domain_must_vouch_for_the_sender(
    load: Load, faults: Faults, least: str, *, sender: str, domain: str, fits: bool
) -> None:
    """The domain of mail.from passes, one above and one below it; another one helps no mail."""
    given = (f"mail.from={sender}", f"dkim.domain={domain}", *_PRESENT)
    if fits:
        assert load(least, *given).dkim is not None
    else:
        (fault,) = faults(least, *given)
        assert fault.startswith(f"--set: dkim.domain must be {sender[5:]}, the domain of mail.from")
        assert fault.endswith(f"\n  leave it out, or write {sender[5:]}")


@pytest.mark.parametrize(
    ("lines", "line", "words", "fix"),
    [
        (['selector = "s2"'], 11, "dkim.selector needs a key", "set dkim.key_file to the path"),
        (['key_file = "k"'], 11, "dkim.key_file needs a selector", "set dkim.selector to the name"),
        (
            ['selector = "s2"', 'key_file = "k"', 'previous_selector = "s1"'],
            13,
            "dkim.previous_selector needs a key",
            "set dkim.previous_key_file to the path",
        ),
        (
            ['selector = "s2"', 'key_file = "k"', 'previous_key_file = "p"'],
            13,
            "dkim.previous_key_file needs a selector",
            "set dkim.previous_selector to the name",
        ),
        (
            ['previous_selector = "s1"', 'previous_key_file = "p"'],
            12,
            "dkim.previous_key_file needs a present key beside it",
            "or take the previous ones out",
        ),
        (
            ['domain = "a.tide.example"'],
            11,
            "dkim.domain signs nothing without a key",
            "set dkim.selector and dkim.key_file too",
        ),
        (
            [
                'selector = "S1"',
                'key_file = "k"',
                'previous_selector = "s1"',
                'previous_key_file = "p"',
            ],
            13,
            "dkim.previous_selector is that of the present key",
            "give the new key a selector of its own",
        ),
        (
            [
                'selector = "s2"',
                'key_file = "k"',
                'previous_selector = "s1"',
                'previous_key_file = "k"',
            ],
            14,
            "dkim.previous_key_file is that of the present key",
            "make a new key",
        ),
        (['selector = "s_2"', 'key_file = "k"'], 11, "must be of a-z, 0-9 and hyphens", ""),
        (['selector = "schlüssel"', 'key_file = "k"'], 11, "must be of a-z, 0-9 and hyphens", ""),
        (['selector = "a..b"', 'key_file = "k"'], 11, "must be of a-z, 0-9 and hyphens", ""),
        (
            [f'selector = "{"a." * 118}b"', 'key_file = "k"'],
            11,
            "is too long for a name in DNS, with the domain",
            "choose a shorter one",
        ),
        (['selector = "s2"', 'key_file = "~/k"'], 12, "must be a full path, or one in the", ""),
        (['selector = "s2"', 'key_file = "k"', 'domain = "a b"'], 13, "holds no valid domain", ""),
    ],
)
def test_half_a_setting_is_told_once(
    faults: Faults, least: str, *, lines: list[str], line: int, words: str, fix: str
) -> None:
    """What is missing, doubled or no name in DNS is the one fault, with its line and the cure."""
    (fault,) = faults("\n".join([least + "[dkim]", *lines, ""]))
    assert fault.startswith(f"digest.toml:{line}: dkim.")
    assert words in fault
    assert fix in fault


def test_a_key_in_place_of_its_path_is_not_shown(faults: Faults, least: str) -> None:
    """Who puts the key itself where its path belongs is told so, without a letter of it."""
    (fault,) = faults(least, "dkim.selector=s2", 'dkim.key_file="-----BEGIN\\nxqzw"')
    assert fault == "--set: dkim.key_file must be the path of a file, on one line"


def test_a_sender_that_is_none_brings_no_second_fault(faults: Faults, least: str) -> None:
    """What follows from a wrong mail.from is not told of the domain that signs."""
    (fault,) = faults(least, "mail.from=tide", "dkim.domain=tide.example", *_PRESENT)
    assert fault.startswith("--set: mail.from ")


@pytest.mark.parametrize(
    ("place", "folder"),
    [
        ("outbox/k.pem", "outbox, which is published"),
        ("site/k.pem", "site, which is published"),
        ("templates/a/k.pem", "templates, whose files become mails and pages"),
        ("content/k.pem", "content, whose files become mails and pages"),
        ("private/../content/k.pem", "content, whose files become mails and pages"),
        ("{root}/outbox/site/k.pem", "outbox, which is published"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "previous_"])
def test_a_key_does_not_lie_where_it_gets_out(
    faults: Faults, least: str, tmp_path: Path, *, place: str, folder: str, prefix: str
) -> None:
    """A secret key in a folder that is published, or that mails are made from, is a fault."""
    path = place.format(root=tmp_path.resolve())
    keys = (*_PRESENT, *_PREVIOUS, f"dkim.{prefix}key_file={path}")
    (fault,) = faults(least, *keys)
    assert fault == (
        f"--set: dkim.{prefix}key_file must not lie in {folder}\n"
        "  keep it in private/, or outside the newsletter's folder"
    )


def test_a_link_leads_no_key_out(faults: Faults, least: str, tmp_path: Path) -> None:
    """Where a path leads counts, not how it is written."""
    (tmp_path / "outbox").mkdir()
    (tmp_path / "keys").symlink_to("outbox")
    (fault,) = faults(least, _PRESENT[0], "dkim.key_file=keys/s2.pem")
    assert "dkim.key_file must not lie in outbox" in fault


def test_the_content_folder_is_the_one_that_is_set(load: Load, faults: Faults, least: str) -> None:
    """A content folder of another name is closed to keys, and `content` open then."""
    key = ("dkim.selector=s2", "dkim.key_file=content/k.pem", "content.folder=content/texts")
    assert load(least, *key).dkim is not None
    (fault,) = faults(least, *key, "dkim.key_file=content/texts/k.pem")
    assert "must not lie in content/texts, whose files" in fault


def test_a_key_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    """The octets of the file are given; a file that group or others can open is refused."""
    file = tmp_path / "s2.pem"
    file.write_bytes(b"key")
    key = DkimKey(selector="s2", key_file="s2.pem")
    for mode in (0o640, 0o604, 0o620):
        file.chmod(mode)
        with pytest.raises(ConfigError) as caught:
            read_dkim_key(key, root=tmp_path)
        assert str(caught.value) == (
            'dkim.key_file: "s2.pem" is open to others on this machine\n'
            f"  close it with `chmod 600`, and make a new key: mode {mode:o}"
        )
    file.chmod(0o600)
    assert read_dkim_key(key, root=tmp_path) == b"key"
    assert read_dkim_key(DkimKey(selector="s2", key_file=str(file)), root=tmp_path / "a") == b"key"


def test_a_key_that_is_not_there_names_the_setting(tmp_path: Path) -> None:
    """A missing file is told with the path as it was written and the key that names it."""
    key = DkimKey(selector="s1", key_file="s1.pem", setting="dkim.previous_key_file")
    with pytest.raises(ConfigError) as caught:
        read_dkim_key(key, root=tmp_path)
    assert str(caught.value) == (
        'dkim.previous_key_file: "s1.pem" cannot be read: No such file or directory\n'
        "  name a file that can"
    )
