"""Editions that an earlier version kept are read, checked, published and proved as they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from digest import __version__
from digest.publish.editions import material_from, read_kept

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Run = Callable[..., tuple[int, dict[str, Any]]]

_NOW = ("--now", "2026-11-30T10:00:00+01:00")
_KEY = "2026-w49"
_NEW_SETTINGS = ("images", "budget", "dollar_maths", "source_url")
_NEW_OF_ITEMS = ("path", "shortened")
_ITEM = "---\ntitle: Mills {0}\nurl: https://mills.example/{0}\n---\n\nThey ground {0}.\n"


def _digest_of(value: bytes) -> str:
    return sha256(value).hexdigest()


def _make_older(folder: Path) -> str:
    """Take out of an edition what earlier versions did not keep, and give its hash of then."""
    manifest = json.loads((folder / "edition.json").read_text("utf-8"))
    context = json.loads((folder / "inputs/context.json").read_text("utf-8"))
    (folder / "inputs/templates/support.json").unlink()
    del manifest["inputs"]["templates/support.json"], manifest["commits"], context["pictures"]
    for name in _NEW_SETTINGS:
        del context["settings"]["newsletter"][name]
    for item in manifest["items"]:
        for name in _NEW_OF_ITEMS:
            del item[name]
    text = json.dumps(context, ensure_ascii=False, indent=2) + "\n"
    (folder / "inputs/context.json").write_text(text, "utf-8")
    manifest["inputs"]["context.json"] = _digest_of(text.encode())
    told = {name: value for name, value in manifest.items() if name not in {"edition", "tools"}}
    whole = json.dumps(told, sort_keys=True, ensure_ascii=False)
    manifest["edition"] = _digest_of(whole.encode())
    manifest["tools"]["digest"] = "0.0.9"
    (folder / "edition.json").write_text(json.dumps(manifest), "utf-8")
    return str(manifest["edition"])


@pytest.fixture
def letter(newsletter: Make, digest: Digest) -> Path:
    """Give a newsletter with a draft that an earlier version kept."""
    root = newsletter({f"content/m{n}.md": _ITEM.format(n) for n in range(2)})
    assert digest("-C", root, "build", *_NOW)[0] == 0
    _make_older(root / "outbox" / _KEY)
    return root


@pytest.fixture
def run(digest: Digest, letter: Path) -> Run:
    """Give a function that runs a command on it: exit code and JSON."""

    def call(*words: str) -> tuple[int, dict[str, Any]]:
        code, out, err = digest("-C", letter, *words, "--json", *_NOW)
        assert "Traceback" not in err
        return code, json.loads(out)

    return call


def test_what_was_not_kept_is_not_known(letter: Path) -> None:
    """Items without path and commit; the settings of then are today's defaults."""
    kept = read_kept(letter / "outbox" / _KEY, root=letter)
    made = material_from(kept)

    assert {(item.path, item.commit, item.shortened) for item in kept.edition.items} == {
        ("", "", False)
    }
    assert (made.pictures, made.commits) == ({}, {})
    assert "support.json" not in made.templates.texts
    newsletter = made.newsletter
    assert (newsletter.images, newsletter.budget) == ("link", 80_000)
    assert (newsletter.dollar_maths, newsletter.source_url) == (False, "")


def test_it_is_checked_by_the_look_of_today(run: Run) -> None:
    """What a look accepts was not kept, so the shipped list counts: nothing is found by it."""
    code, told = run("check")
    assert code == 0
    assert "D118" not in {one["rule"] for one in told["findings"]}
    assert len(told["sizes"]["items"]) == 2


def test_it_is_not_told_to_differ(run: Run) -> None:
    """Verify compares what it can: other versions made it, so it is no proof against it."""
    code, told = run("verify")
    assert (code, told["identical"]) == (0, None)
    assert told["differences"] == ["edition.json"]
    assert told["tools"] == [{"name": "digest", "then": "0.0.9", "now": __version__}]


def test_damage_is_found_all_the_same(letter: Path, run: Run) -> None:
    """Its hashes hold it: a changed file is exit 6."""
    (letter / f"outbox/{_KEY}/inputs/context.json").write_text("{}", "utf-8")
    code, told = run("verify")
    assert code == 6
    assert "inputs/context.json" in told["error"]["problems"][0]["what"]


def test_what_was_drafted_then_goes_out_as_it_is(letter: Path, run: Run) -> None:
    """Publishing takes the edition that was looked at, byte for byte, and once."""
    kept = read_kept(letter / "outbox" / _KEY, root=letter)
    code, told = run("publish")
    assert (code, told["state"]) == (0, "published")
    again = read_kept(letter / "outbox" / _KEY, root=letter)
    assert again.fingerprint == kept.fingerprint
    assert again.files == kept.files
    assert (letter / f"outbox/site/{_KEY}.html").read_bytes() == kept.files["page.html"]
    assert run("publish")[1]["changed"] == []


def test_its_mail_is_proved(letter: Path, run: Run) -> None:
    """A mail of its edition is, with the header field that mails of then lack and without it."""
    assert run("publish")[0] == 0
    mail = (letter / f"outbox/{_KEY}/issue.eml").read_bytes()
    lines = mail.split(b"\r\n")
    start = next(n for n, line in enumerate(lines) if line.startswith(b"X-Digest-Edition:"))
    end = next(n for n, line in enumerate(lines) if n > start and not line.startswith(b" "))
    for data in (mail, b"\r\n".join(lines[:start] + lines[end:])):
        (letter.parent / "m.eml").write_bytes(data)
        code, told = run("verify-mail", str(letter.parent / "m.eml"))
        assert (code, told["state"], told["identical"]) == (0, "published", True)


def test_a_build_keeps_it_anew(letter: Path, run: Run) -> None:
    """A draft of then becomes one of today with the next build."""
    assert run("build")[0] == 0
    kept = read_kept(letter / "outbox" / _KEY, root=letter)
    assert {item.path for item in kept.edition.items} == {"m0.md", "m1.md"}
    assert run("verify")[1]["identical"] is True
