"""The commits that made files what they are, as far as git can tell."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread

import pytest
from files.repository import ENVIRON, commit, run

from digest.files import revision
from digest.files.revision import last_commits


def last(root: Path, *paths: str, environ: Mapping[str, str] = ENVIRON) -> dict[str, str]:
    """Ask for some paths, those of the usual two files where none is named."""
    return last_commits(root, paths or ("in/a.md", "in/b.md"), environ=environ)


def test_each_file_has_the_commit_that_changed_it_last(root: Path) -> None:
    """Commits that changed other files do not count, the first one does."""
    first = commit(root, {"in/a.md": b"1", "in/b.md": b"1"})
    second = commit(root, {"in/b.md": b"2"})
    commit(root, {"c.md": b"3"})
    assert last(root) == {"in/a.md": first, "in/b.md": second}


def test_what_was_put_back_has_the_commit_that_did_so(root: Path) -> None:
    """An earlier commit that made the same file is not the last."""
    for text in (b"1", b"2", b"1"):
        latest = commit(root, {"in/a.md": text})
    assert last(root) == {"in/a.md": latest}


def test_files_that_are_not_as_at_head_have_none(root: Path) -> None:
    """Changed, removed, new, ignored, staged and unnamed ones are left out, beside one that is."""
    kept = commit(root, dict.fromkeys(("a.md", "b.md", "c.md", "d.md"), b"1"))
    (root / "b.md").write_bytes(b"2")
    (root / "c.md").unlink()
    (root / "d.md").unlink()
    (root / "d.md").mkdir()
    (root / "e.md").write_bytes(b"1")
    run(root, "add", "e.md")
    names = ("a.md", "b.md", "c.md", "d.md", "e.md", "no/f.md", ".", "")
    assert last(root, *names) == {"a.md": kept}


def test_what_is_staged_does_not_count(root: Path) -> None:
    """A file that is as at HEAD has its commit, whatever the index says."""
    kept = commit(root, {"a.md": b"1"})
    (root / "a.md").write_bytes(b"2")
    run(root, "add", "a.md")
    (root / "a.md").write_bytes(b"1")
    assert last(root, "a.md") == {"a.md": kept}


def test_ends_of_lines_do_not_count(root: Path) -> None:
    """A checkout may have made them CRLF; those that were committed so are the file's own."""
    kept = commit(root, {"a.md": b"1\n2\n", "b.md": b"1\r\n2\r\n"})
    (root / "a.md").write_bytes(b"1\r\n2\r\n")
    assert last(root, "a.md", "b.md") == {"a.md": kept, "b.md": kept}


def test_the_side_of_a_merge_that_won_is_named(root: Path) -> None:
    """A later commit on a branch whose text was not taken is not what made the file."""
    base = commit(root, {"a.md": b"1", "b.md": b"1", "c.md": b"1"})
    run(root, "checkout", "-q", "-b", "side")
    commit(root, {"a.md": b"lost", "c.md": b"side"})
    side = commit(root, {"b.md": b"2"})
    run(root, "checkout", "-q", "main")
    won = commit(root, {"a.md": b"won", "c.md": b"main"})
    run(root, "merge", "-q", "-s", "ours", "--no-commit", "side")
    run(root, "checkout", "side", "--", "b.md")
    merged = commit(root, {"c.md": b"both"}, "Merge")
    assert base not in {side, won, merged}
    assert last(root, "a.md", "b.md", "c.md") == {"a.md": won, "b.md": side, "c.md": merged}


def test_a_newsletter_inside_a_repository_counts_from_its_folder(root: Path) -> None:
    """Files of one name beside it are others; paths that lead out of it are left out."""
    inner = commit(root, {"n/b c/in/a.md": b"1"})
    outer = commit(root, {"in/a.md": b"1", "n/x.md": b"1"})
    inside = root / "n" / "b c"
    assert last(inside) == {"in/a.md": inner}
    assert last(inside, "../x.md", "/in/a.md", "in/a.md") == {"in/a.md": inner}
    assert last(root) == {"in/a.md": outer}


@pytest.mark.parametrize(
    "name", ["a b.md", "*.md", "-dash.md", ":x", "new\nline.md", "HEAD", "0" * 40]
)
def test_names_of_all_kinds_are_found(root: Path, name: str) -> None:
    """No sign of a name is quoted or taken for a pattern or for a hash."""
    kept = commit(root, {name: b"1", "other.md": b"1"})
    commit(root, {"other.md": b"2"})
    assert last(root, name) == {name: kept}


def test_names_are_found_in_whatever_form_they_are_on_disk(root: Path) -> None:
    """A path in NFC leads to a file whose name is not, and is what the answer has."""
    kept = commit(root, {unicodedata.normalize("NFD", "möwe/é.md"): b"1"})
    assert last(root, "möwe/é.md") == {"möwe/é.md": kept}


def test_links_are_not_followed_by_git(root: Path) -> None:
    """What a link leads to is another file: nothing is known of the link's text."""
    (root / "link.md").symlink_to("a.md")
    kept = commit(root, {"a.md": b"a.md"})
    assert last(root, "a.md", "link.md") == {"a.md": kept}


def test_settings_of_git_do_not_change_the_answer(root: Path) -> None:
    """Neither following renames nor relative names, colours, signatures or other diffs count."""
    commit(root, {"n/a.md": b"1\n" * 40})
    run(root, "mv", "n/a.md", "n/b.md")
    kept = commit(root, {}, "Move")
    switches = ("log.follow", "diff.relative", "diff.renames", "log.showSignature")
    settings = {**dict.fromkeys(switches, "true"), "color.ui": "always", "diff.external": "false"}
    for name, value in settings.items():
        run(root, "config", name, value)
    assert last(root, "n/b.md") == {"n/b.md": kept}
    assert last(root / "n", "b.md") == {"b.md": kept}


def test_a_repository_of_longer_hashes_is_asked_too(tmp_path: Path) -> None:
    """Hashes of SHA-256 are compared as such."""
    run(tmp_path, "init", "-q", "--object-format=sha256")
    kept = commit(tmp_path, {"in/a.md": b"1"})
    assert last(tmp_path) == {"in/a.md": kept}
    assert len(kept) == 64


def test_a_shallow_clone_tells_only_what_it_knows(root: Path, tmp_path: Path) -> None:
    """Where its history ends a file seems new: that commit is not named."""
    commit(root, {"in/a.md": b"1"})
    commit(root, {"c.md": b"1"})
    known = commit(root, {"in/b.md": b"1"})
    run(tmp_path, "clone", "-q", "--depth=2", root.as_uri(), "shallow")
    assert last(tmp_path / "shallow") == {"in/b.md": known}
    run(tmp_path, "clone", "-q", root.as_uri(), "whole")
    assert set(last(tmp_path / "whole")) == {"in/a.md", "in/b.md"}


def test_a_shallow_clone_that_does_not_say_where_it_ends_tells_nothing(
    root: Path, tmp_path: Path, fake: Callable[[str], Mapping[str, str]]
) -> None:
    """A file of git's that cannot be read is no reason to guess."""
    commit(root, {"in/a.md": b"1"})
    commit(root, {"in/a.md": b"2"})
    run(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "shallow")
    environ = fake(_unless("--git-path", "echo nowhere"))
    assert last(tmp_path / "shallow", environ=environ) == {}


def test_where_git_cannot_tell_there_is_no_error(
    root: Path, tmp_path: Path, fake: Callable[[str], Mapping[str, str]]
) -> None:
    """No git, no repository, no commit, a broken one: nothing is known, and nothing is raised."""
    (root / "in").mkdir()
    (root / "in" / "a.md").write_bytes(b"1")
    assert last(root) == {}
    commit(root, {})
    assert last(root, environ={"PATH": str(root)}) == {}
    assert last(root, environ={}) == {}
    assert last(root, environ=fake("echo 'fatal: odd' >&2; exit 128")) == {}
    assert last(root, "a\0b.md") == {}
    (tmp_path / "plain").mkdir()
    environ = {**ENVIRON, "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    assert last(tmp_path / "plain", environ=environ) == {}


def test_nothing_is_asked_for_no_path(root: Path) -> None:
    """An empty question has an empty answer."""
    commit(root, {"in/a.md": b"1"})
    assert last_commits(root, (), environ=ENVIRON) == {}


def test_a_walk_that_takes_too_long_is_stopped(
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fake: Callable[[str], Mapping[str, str]],
) -> None:
    """What was found until then is told; the rest is left out."""
    kept = commit(root, {"in/a.md": b"1", "in/b.md": b"2"})
    told = tmp_path / "told"
    os.mkfifo(told)
    patience: list[float] = []

    class Timer(Thread):
        """Has the time run out as soon as git has told what it knows."""

        def __init__(self, seconds: float, call: Callable[[], None]) -> None:
            super().__init__(daemon=True)
            patience.append(seconds)
            self._call = call

        def run(self) -> None:
            told.read_bytes()  # waits until git has opened and closed it
            self._call()

        def cancel(self) -> None:
            """Do nothing: it has run out."""

    monkeypatch.setattr(revision, "Timer", Timer)
    environ = fake(_endless(root, kept, then=f"; : >'{told}'"))
    assert last(root, environ=environ) == {"in/a.md": kept}
    assert patience == [10.0]


def test_the_walk_ends_when_all_is_found(
    root: Path, fake: Callable[[str], Mapping[str, str]]
) -> None:
    """Git is stopped at the last change of the last file, however much history there is left."""
    kept = commit(root, {"in/a.md": b"1"})
    assert last(root, environ=fake(_endless(root, kept))) == {"in/a.md": kept}


def _endless(root: Path, kept: str, *, then: str = "") -> str:
    """Write a git that names the commit of one file, does what is told, and keeps looking."""
    blob = run(root, "rev-parse", "HEAD:in/a.md")
    told = f'printf "%s\\0\\n:1 1 x {blob} M\\0in/a.md\\0" {kept}'
    return _unless("--raw", f"{told}{then}; exec tail -f /dev/null")


def _unless(word: str, script: str) -> str:
    """Write a git that is the true one but where it is called with a word."""
    path = ENVIRON["PATH"]
    return f'PATH="{path}"\ncase "$*" in *{word}*) {script};; *) exec git "$@";; esac'


def test_the_repository_stays_as_it_is(root: Path) -> None:
    """Not even the index is refreshed."""
    commit(root, {"in/a.md": b"1"})
    (root / "in/a.md").touch()
    index = (root / ".git/index").read_bytes()
    names = sorted(path.as_posix() for path in (root / ".git").rglob("*"))
    assert last(root)
    assert (root / ".git/index").read_bytes() == index
    assert sorted(path.as_posix() for path in (root / ".git").rglob("*")) == names
