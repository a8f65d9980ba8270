"""Bad input: a clear message, the stated exit code, the neighbours done, nothing lost."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_GOOD = "---\ntitle: A good neighbour\ntheme: quay\ndate: 2026-11-20\n---\n\nIt is built.\n"


def _bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("data", "line", "word"),
    [
        (b"---\ntitle: Never closed\n\nText\n", 1, "no end"),
        (b"---\ntitle: Tab\ntags:\n\t- a\n---\n\nText\n", 4, "tab"),
        (b"---\ntitle: One\ndate: 2026-11-01\ntitle: Two\n---\n\nText\n", 4, "title"),
        ("---\ntitle: Caf\u00e9\n---\n\nText\n".encode("latin-1"), 2, "UTF-8"),
        (b"---\ntitle: Big\nx: " + b"y" * 5_000_000 + b"\n---\n\nText\n", 1, "header"),
        (f"---\ntitle: Bomb\n{_bomb()}\n---\n\nText\n".encode(), 0, ""),
        (b"---\ntitle: Day\ndate: 2026-02-30\n---\n\nText\n", 3, "2026-02-30"),
    ],
    ids=["unclosed", "tab", "twice", "latin-1", "5-MB", "bomb", "date"],
)
def test_unreadable_file_is_named_and_its_neighbour_built(
    digest: Digest, newsletter: Make, data: bytes, line: int, word: str
) -> None:
    """The complaint names file and line, exit 1, and the issue is built from the rest."""
    root = newsletter({"content/bad.md": data, "content/good.md": _GOOD})
    code, out, err = digest("-C", root, "build", *_NOW)

    assert code == 1
    assert f"content/bad.md:{line or ''}" in err
    assert word in err
    assert "Traceback" not in err
    assert "A good neighbour" in out
    assert (root / "content/bad.md").read_bytes() == data


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf---\ntitle: Marked\ntheme: quay\n---\n\nText\n",
        b"---\r\ntitle: Marked\r\ntheme: quay\r\n---\r\n\r\nText\r\n",
        b'---\ntitle: "Mar\\nked"\ntheme: quay\n---\n\nText\n',
    ],
    ids=["byte-order mark", "CRLF", "title with a line break"],
)
def test_odd_but_readable_file_is_read(digest: Digest, newsletter: Make, data: bytes) -> None:
    """A byte-order mark, Windows line ends or a broken title stop nothing."""
    root = newsletter({"content/odd.md": data, "content/good.md": _GOOD})
    code, out, _ = digest("-C", root, "build", "--json", *_NOW)
    titles = {item["title"] for item in json.loads(out)["items"]}

    assert code == 0
    assert titles in ({"Marked", "A good neighbour"}, {"Mar ked", "A good neighbour"})


def test_two_files_with_one_id(digest: Digest, newsletter: Make) -> None:
    """Both files are named; the first by path is kept."""
    root = newsletter(
        {
            "content/a.md": "---\ntitle: First\nid: same\ntheme: quay\n---\n\nText\n",
            "content/b.md": "---\ntitle: Second\nid: same\ntheme: quay\n---\n\nText\n",
        }
    )
    code, out, err = digest("-C", root, "build", *_NOW)

    assert code == 1
    assert "content/a.md" in err
    assert "content/b.md" in err
    assert "First" in out
    assert "Second" not in out


def test_unknown_setting_names_the_nearest(digest: Digest, newsletter: Make) -> None:
    """All unknown settings are named at once, each with the nearest known one."""
    root = newsletter({}, settings="[selection]\nmax_item = 3\n[sit]\nurl = 'x'\n")
    code, _, err = digest("-C", root, "build", *_NOW)

    assert code == 2
    assert "max_items" in err
    assert "site" in err
    assert "digest.toml" in err


def test_unknown_name_in_a_template(digest: Digest, newsletter: Make) -> None:
    """The template's file and line are named, and the edition that was there stays."""
    root = newsletter({"content/good.md": _GOOD})
    digest("-C", root, "build", *_NOW)
    before = (root / "outbox/2026-w49/issue.html").read_bytes()
    (root / "templates").mkdir()
    (root / "templates/entry.html.j2").write_text("<p>\n{{ nobody_knows }}</p>\n")
    code, _, err = digest("-C", root, "build", *_NOW)

    assert code == 2
    assert "templates/entry.html.j2:2" in err
    assert "nobody_knows" in err
    assert (root / "outbox/2026-w49/issue.html").read_bytes() == before


def test_outbox_that_cannot_be_written(digest: Digest, newsletter: Make) -> None:
    """A file where the outbox should be is named; no issue file is left behind."""
    root = newsletter({"content/good.md": _GOOD, "outbox": "not a folder"})
    code, _, err = digest("-C", root, "build", *_NOW)

    assert code == 6
    assert "outbox" in err
    assert not (root / "content/issues").exists()


@pytest.mark.parametrize("damage", [b"", b"not a database at all, but some text" * 50])
def test_corrupt_database_stops_and_is_kept(
    digest: Digest, newsletter: Make, damage: bytes
) -> None:
    """A database that cannot be read is an error that says what to do; its bytes stay."""
    root = newsletter({"content/good.md": _GOOD})
    digest("-C", root, "build", *_NOW)
    digest("-C", root, "publish", *_NOW)
    database = root / "private/digest.db"
    broken = damage or database.read_bytes()[:5000]
    database.write_bytes(broken)
    for command in ("build", "publish", "plan", "status"):
        code, _, err = digest("-C", root, command, *_NOW)
        assert code == 6, command
        assert "private/digest.db" in err
        assert "Traceback" not in err
    assert database.read_bytes() == broken


def test_folder_without_settings(digest: Digest, tmp_path: Path) -> None:
    """Outside a newsletter the message names `digest init`."""
    code, _, err = digest("-C", tmp_path, "build")

    assert code == 2
    assert "digest init" in err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["biuld"], "build"),
        (["build", "2026-w60"], "2026-w49"),
        (["build", "--now", "yesterday"], "--now"),
        (["build", "--no-such"], "--no-such"),
        (["check", "--explain", "D999"], "D1"),
        (["publish", "2026-w40"], "digest build 2026-w40"),
        (["verify", "2026-w40"], "digest build 2026-w40"),
        (["check", "2026-w40"], "digest build 2026-w40"),
    ],
)
def test_wrong_use_says_the_next_step(
    digest: Digest, newsletter: Make, arguments: list[str], word: str
) -> None:
    """Wrong words exit with 2 and name what would be right."""
    root = newsletter({"content/good.md": _GOOD})
    moment = () if "--now" in arguments else _NOW
    code, _, err = digest("-C", root, *arguments, *moment)

    assert code == 2
    assert word in err
    assert "Traceback" not in err


def test_error_as_json(digest: Digest, newsletter: Make) -> None:
    """A machine that asked for JSON gets the problems as JSON too."""
    root = newsletter({}, settings="[selection]\nmax_item = 3\n")
    code, out, _ = digest("-C", root, "build", "--json", *_NOW)
    told = json.loads(out)

    assert code == 2
    assert told["error"]["exit"] == 2
    assert "max_items" in json.dumps(told["error"]["problems"])


def test_wrong_option_as_json(digest: Digest, newsletter: Make) -> None:
    """Wrong words of a call are JSON too, where that was asked for."""
    code, out, err = digest("-C", newsletter({}), "build", "--json", "--no-such")

    assert code == 2
    assert "--no-such" in json.loads(out)["error"]["problems"][0]["what"]
    assert "digest build --help" in err


def test_bug_is_a_sentence_and_a_trace_only_when_asked(
    digest: Digest, newsletter: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unforeseen error exits with 70 and shows its trace only with `-v`."""
    root = newsletter({"content/good.md": _GOOD})

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the sea is rough")

    monkeypatch.setattr("digest.cli.state.status", broken)
    code, _, err = digest("-C", root, "status")
    loud = digest("-C", root, "status", "-v")[2]

    assert code == 70
    assert "the sea is rough" in err
    assert "Traceback" not in err
    assert "Traceback" in loud


def test_global_options_stand_before_and_after(digest: Digest, newsletter: Make) -> None:
    """An option means the same on either side of the command; the later one wins."""
    root = newsletter({"content/good.md": _GOOD})
    before = digest("-C", root, "--json", "--now", "2026-12-01", "plan", "--weeks", "1")
    after = digest("plan", "--weeks", "1", "-C", root, "--json", "--now", "2026-12-01")
    both = digest("--now", "2020-01-01", "plan", "--weeks", "1", "-C", root, "--json", *_NOW)

    assert before == after == both


def test_settings_by_flag_and_environment(
    digest: Digest, newsletter: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flag wins over the environment, the environment over the file, and both are named."""
    root = newsletter({})
    monkeypatch.setenv("DIGEST_SELECTION__MAX_ITEMS", "9")
    by_environment = digest("-C", root, "config")[1]
    by_flag = digest("-C", root, "config", "--set", "selection.max_items=8")[1]

    assert "9  (DIGEST_SELECTION__MAX_ITEMS)" in by_environment
    assert "8  (--set)" in by_flag


def test_second_digest_is_told_to_wait(digest: Digest, newsletter: Make) -> None:
    """While another process holds the lock, a writing command exits with 7 and changes nothing."""
    from filelock import FileLock  # noqa: PLC0415 - used by this test alone

    root = newsletter({"content/good.md": _GOOD})
    (root / "private").mkdir(mode=0o700)
    with FileLock(root / "private/lock"):
        code, _, err = digest("-C", root, "build", *_NOW)
        assert digest("-C", root, "plan", *_NOW)[0] == 0

    assert code == 7
    assert "private/lock" in err
    assert not (root / "outbox").exists()
    assert digest("-C", root, "build", *_NOW)[0] == 0
