"""Same inputs, same bytes: whatever the surroundings of the process are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from cases.forms import tree
from cases.processes import run_lines

Digest = Callable[..., tuple[int, str, str]]

_ROOT = Path(__file__).resolve().parents[2]
_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_KEY = "2026-w49"
_SETTINGS = """\
[newsletter]
name = "Notes from the quay"
slug = "quay-notes"
timezone = "Europe/Lisbon"
tag = "notes.example,2026-01-01"
postal_address = "Quay Notes, 3 Slip, 00000 Haven"

[site]
url = "https://notes.example/letter/"

[mail]
from = "Quay Notes <letter@notes.example>"

[selection]
mode = "mixed"
max_items = 20

[[theme]]
id = "water"
label = "Water"
colour = "teal"
match = ["tag:water", "word:tide"]

[[theme]]
id = "stone"
label = "Stone & slate"
colour = "slate"
match = ["folder:stone"]

[[theme]]
id = "crafts"
match = ["tag:crafts"]
"""


def _item(title: str, day: int, header: str, body: str) -> str:
    return f"---\ntitle: {title}\ndate: 2026-11-{day:02d}\n{header}\n---\n\n{body}\n"


_FILES: Mapping[str, str] = {
    "content/height.md": _item(
        "How high the spring tide runs",
        3,
        "url: https://notes.example/height?a=1&b=2\nauthors: [Ada Quay, Bo Pier]",
        "The rise is \\(h = a \\cos(\\omega t)\\), and over a month\n\n"
        "\\[ \\int_0^T h^2 \\, dt = \\frac{a^2 T}{2} \\]\n\nso half of it is lost.",
    ),
    "content/tables.md": _item(
        "Tables of the old gauge",
        4,
        "tags: [water, tables]\nurl: https://notes.example/tables",
        "| year | low | high |\n|---|---:|:-:|\n| 1901 | 0.2 | **4.1** |\n| 1902 | 0.3 | 4.4 |",
    ),
    "content/stone/cut.md": _item(
        "A program that cuts slate",
        5,
        "url: https://notes.example/cut\nlinks:\n  - label: Its source\n"
        "    url: https://notes.example/cut/source",
        "It is short:\n\n```python\nfor plank in sorted({'b', 'a'}):\n    print(f\"{plank!r}\")\n"
        "```\n\n1. Measure `twice`.\n2. Cut once.",
    ),
    "content/stone/wall.md": _item(
        "\u062c\u062f\u0627\u0631 \u0627\u0644\u0645\u064a\u0646\u0627\u0621",
        6,
        "lang: ar\nurl: https://notes.example/wall",
        "\u0628\u064f\u0646\u064a \u0627\u0644\u062c\u062f\u0627\u0631 "
        "\u0639\u0627\u0645 1880 (harbour wall).",
    ),
    "content/lamp.md": _item(
        "\u706f\u53f0\u306e\u591c",
        7,
        "tags: [crafts]\nlang: ja",
        "\u706f\u53f0\u306f\u4eca\u3082\u4eba\u304c"
        "\u5b88\u3063\u3066\u3044\u307e\u3059\u3002 \U0001f6a2",
    ),
    "content/rope.md": _item(
        "E\u0301pisser & nouer: l\u2019art du cordage",
        7,
        "tags: [crafts, ropes]\nurl: https://notes.example/rope\nimage:\n"
        "  url: https://notes.example/rope.png\n  alt: A bowline in red rope",
        '> "Never by halves" -- so says the rigger...\n\nA <b>raw</b> tag and a [link](/rel).',
    ),
    "content/twin-a.md": _item("Twins", 8, "theme: piers\ntags: [b, a]", "The one of the two."),
    "content/twin-b.md": _item("Twins", 8, "theme: quays\ntags: [a, b]", "The other of the two."),
    "content/plain.md": _item(
        "ILI\u0130 \u0131sland", 8, "theme: isles", "Neither here nor there."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """How a process differs from the plain one; `seat` is its current folder in the newsletter."""

    environ: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    name: str = "letter"
    reverse: bool = False
    seat: str | None = None
    umask: int = 0o022


_PLAIN = Surroundings(environ={"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"})
_OTHERS = {
    "east": Surroundings(environ={"TZ": "Pacific/Kiritimati"}),
    "west": Surroundings(environ={"TZ": "America/Los_Angeles"}),
    "Turkish, seed 1": Surroundings(environ={"LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "1"}),
    "German, any seed": Surroundings(
        environ={"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "PYTHONHASHSEED": "random"}
    ),
    "ASCII": Surroundings(
        environ={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, umask=0o077
    ),
    "folder": Surroundings(name="Brief f\u00fcr M\u00e4rz 2", seat="content/stone"),
    "order": Surroundings(reverse=True, seat="."),
    "optimised": Surroundings(flags=("-O",)),
}


def _make(folder: Path, surroundings: Surroundings) -> Path:
    """Make the newsletter's folder; its files are written in the order asked for."""
    root = folder / surroundings.name
    files = {**_FILES, "digest.toml": _SETTINGS}
    for place, (name, text) in enumerate(sorted(files.items(), reverse=surroundings.reverse)):
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        os.utime(file, (1_000_000_000 + place, 1_000_000_000 + place))
    return root


def _publish(folder: Path, surroundings: Surroundings) -> dict[str, str]:
    """Build and publish in a new process; give the hashes of all that was made."""
    root = _make(folder, surroundings)
    place = ["-C", root.name] if surroundings.seat is None else []
    before = os.umask(surroundings.umask)
    try:
        done = run_lines(
            [[*place, command, *_NOW] for command in ("build", "publish")],
            environ=surroundings.environ,
            folder=root / (surroundings.seat or ".."),
            flags=surroundings.flags,
        )
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    return _made(root)


def _made(root: Path) -> dict[str, str]:
    """Give the hash of every file of the outbox and of the issue files."""
    outbox = {f"outbox/{name}": value for name, value in tree(root / "outbox").items()}
    issues = {f"issues/{name}": value for name, value in tree(root / "content/issues").items()}
    return {**outbox, **issues}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Give the hashes of all files made in plain surroundings."""
    return _publish(tmp_path_factory.mktemp("plain"), _PLAIN)


def test_what_is_compared_is_a_whole_issue(plain: dict[str, str]) -> None:
    """The issue that the other tests compare has all summaries, its forms and its feeds."""
    names = plain.keys()

    assert sum("/inputs/summaries/" in name for name in names) == len(_FILES)
    assert {f"issues/{_KEY}.md", "outbox/site/rss.xml", f"outbox/{_KEY}/issue.eml"} <= names


@pytest.mark.parametrize("surroundings", _OTHERS.values(), ids=_OTHERS.keys())
def test_other_surroundings_give_the_same_bytes(
    plain: dict[str, str], tmp_path: Path, surroundings: Surroundings
) -> None:
    """Time zone, locale, hash seed, folders, order of files and `-O` change no byte."""
    made = _publish(tmp_path, surroundings)

    assert {name for name in made.keys() | plain.keys() if made.get(name) != plain.get(name)} == (
        set()
    )


def test_built_in_this_process_is_the_same_too(
    digest: Digest, plain: dict[str, str], tmp_path: Path
) -> None:
    """With all modules loaded, built twice and dry before, the bytes are those of a new process."""
    root = _make(tmp_path, _PLAIN)
    for command in (["build", "--dry-run"], ["build"], ["build"], ["publish"], ["publish"]):
        assert digest("-C", root, *command, *_NOW)[0] == 0

    assert _made(root) == plain


def _verified(result: tuple[int, str, str]) -> dict[str, Any]:
    code, out, err = result
    assert code == 0, err
    told: dict[str, Any] = json.loads(out)
    return told


@pytest.mark.parametrize("published", [True, False], ids=["published", "draft"])
def test_verify_says_identical_whatever_the_look_is_now(
    digest: Digest, tmp_path: Path, *, published: bool
) -> None:
    """Verify builds from the kept inputs: a template added or changed since makes no difference."""
    root = _make(tmp_path, _PLAIN)
    for command in ("build", "publish") if published else ("build",):
        assert digest("-C", root, command, *_NOW)[0] == 0
    before = tree(root / "outbox")
    expected = {"issue": _KEY, "identical": True, "differences": [], "tools": []}
    assert _verified(digest("-C", root, "verify", "--json", *_NOW)).items() >= expected.items()

    own = root / "templates"
    own.mkdir()
    shipped = (_ROOT / "templates/letter.txt.j2").read_text("utf-8")
    for text in (f"{shipped}\nSet by hand.\n", "nothing is left", "{{ nobody_knows_this }}"):
        (own / "letter.txt.j2").write_text(text, "utf-8")
        told = _verified(digest("-C", root, "verify", "--json", *_NOW))
        assert told.items() >= expected.items()
    assert tree(root / "outbox") == before

    line = ["-C", str(root), "verify", _KEY]
    done = run_lines([line], environ={"TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "7"})
    assert done.returncode == 0
    assert done.stdout == f"{_KEY}: identical, every byte\n"


def test_next_build_takes_the_new_look_and_the_published_one_stays(
    digest: Digest, tmp_path: Path
) -> None:
    """A draft built again and a later issue have the new look; what is out keeps the old one."""
    root = _make(tmp_path, _PLAIN)
    few = ("--set", "selection.max_items=3")
    for command in ("build", "publish"):
        assert digest("-C", root, command, *few, *_NOW)[0] == 0
    frozen = tree(root / f"outbox/{_KEY}")
    page = (root / f"outbox/site/{_KEY}.html").read_bytes()
    later = ("--now", "2026-12-08T10:00:00+01:00")
    assert digest("-C", root, "build", *few, *later)[0] == 0
    draft = root / "outbox/2026-w50"
    assert "Set by hand." not in (draft / "issue.txt").read_text("utf-8")

    (root / "templates").mkdir()
    for name in ("letter.txt.j2", "page.html.j2"):
        shipped = (_ROOT / "templates" / name).read_text("utf-8")
        (root / "templates" / name).write_text(f"{shipped}\nSet by hand.\n", "utf-8")
    assert digest("-C", root, "build", *few, *later)[0] == 0
    assert digest("-C", root, "publish", *few, *later)[0] == 0

    for name in ("issue.txt", "page.html", "inputs/templates/page.html.j2"):
        assert "Set by hand." in (draft / name).read_text("utf-8"), name
    assert "Set by hand." in (root / "outbox/site/2026-w50.html").read_text("utf-8")
    assert tree(root / f"outbox/{_KEY}") == frozen
    assert (root / f"outbox/site/{_KEY}.html").read_bytes() == page
    code, out, _ = digest("-C", root, "verify", "--all", *later)
    assert code == 0
    assert out.count("identical, every byte") == 2


def test_terminal_without_the_letters_stops_nothing(tmp_path: Path) -> None:
    """Where the terminal's encoding lacks a title's letters, their numbers are printed."""
    root = _make(tmp_path, _PLAIN)
    done = subprocess.run(  # noqa: S603 - our own program, fixed words
        [sys.executable, "-m", "digest", "-C", str(root), "build", *_NOW],
        env={**os.environ, "PYTHONPATH": str(_ROOT), "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert b"\\u706f" in done.stdout
    assert b"\xc9pisser & nouer" in done.stdout
