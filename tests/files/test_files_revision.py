"""Files read at a git revision, and a repository that stays as it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from files.repository import ENVIRON, commit, run

from digest.errors import FilesError, UsageError
from digest.files.revision import find_commit, read_revision


def read(
    root: Path, revision: str, *folders: str, endings: tuple[str, ...] = ("",)
) -> dict[str, bytes]:
    """Read a revision whole, the top folder where none is named."""
    places = folders or (".",)
    return dict(read_revision(root, revision, places, environ=ENVIRON, endings=endings))


def taken(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Take down all files, those of git among them: hash, time and mode."""
    return {
        path.relative_to(folder).as_posix(): (
            sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.lstat().st_mtime_ns,
            path.lstat().st_mode,
        )
        for path in sorted(folder.rglob("*"))
    }


def test_each_name_of_a_revision_is_understood(root: Path) -> None:
    """A hash, its beginning, a branch, a tag, a step back and a search all name commits."""
    old = commit(root, {"a.md": b"old"}, "Set sail")
    run(root, "tag", "-a", "v1", "-m", "first")
    run(root, "branch", "side")
    new = commit(root, {"a.md": b"new"}, "Come home")
    for name in (old, old[:9], "HEAD~1", "v1", "side", ":/Set", "main^", "refs/tags/v1"):
        assert find_commit(root, name, environ=ENVIRON) == old
        assert read(root, name) == {"a.md": b"old"}
    assert find_commit(root, "HEAD", environ=ENVIRON) == new
    assert read(root, "HEAD") == {"a.md": b"new"}


@pytest.mark.parametrize(
    "name",
    ["a b.md", "möwe.md", "mo\u0308we.md", "new\nline.md", 'quo"te\\.md', "-dash.md", "*.md", ":x"],
)
def test_names_come_as_they_are(root: Path, name: str) -> None:
    """No sign of a name is quoted, taken for a pattern or put into another form."""
    commit(root, {name: b"1", f"deep/{name}/x": b"2", "other.md": b"3"})
    assert read(root, "HEAD", name, "deep") == {name: b"1", f"deep/{name}/x": b"2"}


def test_a_name_that_is_not_utf_8_leads_to_its_file(root: Path, tmp_path: Path) -> None:
    """Such a name can be written to disk again as the same octets."""
    (root / os.fsdecode(b"caf\xe9.md")).write_bytes(b"1")
    commit(root, {})
    ((name, data),) = read(root, "HEAD").items()
    (tmp_path / name).write_bytes(data)
    assert os.path.exists(os.fsencode(tmp_path) + b"/caf\xe9.md")  # noqa: PTH110 - Path takes no octets


def test_octets_come_as_they_were_committed(root: Path) -> None:
    """Neither ends of lines nor filters change them, and no filter runs."""
    data = b"\xef\xbb\xbfa\r\nb\n\x00\xff\n\n"
    attributes = b"*.md text eol=crlf ident filter=mark working-tree-encoding=UTF-16\n"
    commit(root, {"a.md": data, "empty.md": b"", "big.md": b"x" * 3_000_000})
    (root / ".git" / "info" / "attributes").write_bytes(attributes)
    run(root, "config", "filter.mark.smudge", "touch smudged")
    found = read(root, "HEAD", "a.md", "empty.md", "big.md")
    assert found == {"a.md": data, "big.md": b"x" * 3_000_000, "empty.md": b""}
    assert not (root / "smudged").exists()


def test_only_regular_files_are_read(root: Path) -> None:
    """Links to files and folders and other repositories are passed over, programs are not."""
    (root / "run.md").write_bytes(b"#!")
    (root / "run.md").chmod(0o755)
    (root / "link.md").symlink_to("run.md")
    (root / "linked").symlink_to("..")
    commit(root, {"a.md": b"a"})
    run(root, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    run(root, "commit", "-q", "-m", "Module")
    assert read(root, "HEAD") == {"a.md": b"a", "run.md": b"#!"}
    assert read(root, "HEAD", "linked", "module", "link.md") == {}


def test_a_newsletter_inside_a_repository_is_read_alone(root: Path) -> None:
    """Paths count from the newsletter's folder, and nothing beside it is read."""
    files = {"n/b c/digest.toml": b"t", "n/b c/in/x.md": b"x", "n/in/y.md": b"y", "in/z.md": b"z"}
    commit(root, files)
    inside = root / "n" / "b c"
    assert read(inside, "HEAD") == {"digest.toml": b"t", "in/x.md": b"x"}
    assert read(inside, "HEAD", "in") == {"in/x.md": b"x"}
    assert read(inside, "HEAD", "digest.toml", "out") == {"digest.toml": b"t"}
    assert read(root, "HEAD", "in", ".") == files


def test_only_names_with_one_of_the_endings_are_read(root: Path) -> None:
    """Endings are compared in NFC, so that they fit names of whatever system."""
    commit(root, {"a.md": b"1", "a.txt": b"2", "a.jpg": b"3", "x/mo\u0308we": b"4"})
    assert read(root, "HEAD", endings=(".md", "möwe")) == {"a.md": b"1", "x/mo\u0308we": b"4"}
    assert read(root, "HEAD", endings=()) == {}


def test_many_files_are_read_in_several_goes(root: Path) -> None:
    """More files than are asked for at once come whole and in order, equal ones too."""
    files = {f"{number:04}.md": b"same" if number % 2 else b"%d" % number for number in range(1201)}
    commit(root, files)
    assert list(read(root, "HEAD").items()) == list(files.items())


def test_a_repository_of_longer_hashes_is_read(tmp_path: Path) -> None:
    """Hashes of SHA-256 are hashes too."""
    run(tmp_path, "init", "-q", "--object-format=sha256")
    assert len(commit(tmp_path, {"a.md": b"a"})) == 64
    assert read(tmp_path, "HEAD") == {"a.md": b"a"}


def test_nothing_in_the_repository_changes(root: Path) -> None:
    """Neither index nor any other file is touched, whatever lies changed or staged."""
    commit(root, {"a.md": b"a", "b.md": b"b"})
    (root / "a.md").write_bytes(b"changed")
    (root / "new.md").write_bytes(b"new")
    run(root, "add", "new.md")
    (root / "b.md").touch()  # an index that git would like to refresh
    for hook in ("post-index-change", "post-checkout", "reference-transaction"):
        (root / ".git" / "hooks" / hook).write_text("#!/bin/sh\ntouch hooked\n")
        (root / ".git" / "hooks" / hook).chmod(0o755)
    before = taken(root)
    assert read(root, "HEAD") == {"a.md": b"a", "b.md": b"b"}
    assert taken(root) == before


def test_variables_do_not_lead_to_another_repository(root: Path, tmp_path: Path) -> None:
    """What a hook or an alias of git sets is set aside; nothing is traced into a file."""
    commit(root, {"a.md": b"a"})
    (tmp_path / "other").mkdir()
    run(tmp_path / "other", "init", "-q")
    environ = {
        **ENVIRON,
        "GIT_DIR": str(tmp_path / "other" / ".git"),
        "GIT_INDEX_FILE": "nowhere",
        "GIT_OBJECT_DIRECTORY": "nowhere",
        "GIT_PREFIX": "deep/",
        "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_PAGER": "false",
    }
    assert dict(read_revision(root, "HEAD", (".",), environ=environ)) == {"a.md": b"a"}
    assert not (tmp_path / "trace").exists()


def test_settings_of_git_from_the_environment_count(root: Path) -> None:
    """A workflow may say in this way that it trusts a folder."""
    commit(root, {"a.md": b"a"})
    assert find_commit(root, "HEAD", environ={**ENVIRON, "GIT_CONFIG_COUNT": "0"})
    with pytest.raises(FilesError, match="bogus count in GIT_CONFIG_COUNT"):
        find_commit(root, "HEAD", environ={**ENVIRON, "GIT_CONFIG_COUNT": "many"})


@pytest.mark.parametrize(
    "name",
    [
        *("", "-h", "--all", "--output=x", "no-such", "HEAD~9", "HEAD..HEAD", "^HEAD", "HEAD:a.md"),
        *("HEAD:deep", "a\nb", "a\x00b", "HEAD\n", "HEAD HEAD", "@{u}", ":/nobody wrote this"),
    ],
)
def test_what_names_no_commit_is_refused(root: Path, name: str) -> None:
    """Options, ranges, files, several names and unknown ones are wrong use; nothing is made."""
    commit(root, {"a.md": b"a", "deep/b.md": b"b"})
    before = taken(root)
    with pytest.raises(UsageError) as caught:
        read(root, name)
    (problem,) = caught.value.problems
    assert problem.what == f"there is no revision {name!r} here"
    assert (problem.where, "`git fetch` brings new ones" in problem.fix) == ("--against", True)
    assert taken(root) == before


def test_a_repository_without_commits_has_no_revision(root: Path) -> None:
    """The branch of a new repository leads nowhere yet."""
    with pytest.raises(UsageError, match="there is no revision 'HEAD' here"):
        find_commit(root, "HEAD", environ=ENVIRON)


def test_a_shallow_clone_says_how_to_get_the_rest(root: Path, tmp_path: Path) -> None:
    """What a workflow did not fetch is told apart from what nobody knows."""
    commit(root, {"a.md": b"old"})
    commit(root, {"a.md": b"new"})
    run(tmp_path, "clone", "-q", "--depth=1", root.as_uri(), "shallow")
    assert read(tmp_path / "shallow", "HEAD") == {"a.md": b"new"}
    with pytest.raises(UsageError) as caught:
        find_commit(tmp_path / "shallow", "HEAD~1", environ=ENVIRON)
    assert caught.value.problems[0].fix == (
        "the clone is shallow: `git fetch --unshallow`, in a workflow `fetch-depth: 0`"
    )


def test_a_partial_clone_is_not_filled(root: Path, tmp_path: Path) -> None:
    """Files that a clone without them would fetch are told to be lacking; it stays as it is."""
    commit(root, {"a.md": b"old"})
    commit(root, {"a.md": b"new"})
    run(root, "config", "uploadpack.allowFilter", "true")
    run(tmp_path, "clone", "-q", "--filter=blob:none", root.as_uri(), "partial")
    clone = tmp_path / "partial"
    before = taken(clone)
    assert read(clone, "HEAD") == {"a.md": b"new"}
    with pytest.raises(FilesError, match="the clone lacks files of that revision"):
        read(clone, "HEAD~1")
    assert taken(clone) == before


def test_a_folder_in_no_repository_is_wrong_use(tmp_path: Path) -> None:
    """There is nothing to compare with, and the error says where there would be."""
    environ = {**ENVIRON, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    with pytest.raises(UsageError) as caught:
        find_commit(tmp_path, "HEAD", environ=environ)
    assert str(caught.value) == (
        "--against: the newsletter is in no git repository\n"
        "  run it in a clone of the newsletter's repository"
    )


def test_without_git_the_error_says_so(root: Path) -> None:
    """A machine without git can be mended."""
    with pytest.raises(FilesError, match="git cannot be run: No such file or directory") as caught:
        find_commit(root, "HEAD", environ={"PATH": str(root)})
    assert caught.value.problems[0].fix == "install git, and have PATH lead to it"


def test_a_repository_of_somebody_else_says_what_to_do(
    root: Path, fake: Callable[[str], Mapping[str, str]]
) -> None:
    """Git refuses the folders of others, as containers often have them."""
    environ = fake(
        "echo \"fatal: detected dubious ownership in repository at '$PWD'\" >&2; exit 128"
    )
    with pytest.raises(FilesError, match="git does not trust the repository") as caught:
        find_commit(root, "HEAD", environ=environ)
    assert "safe.directory" in caught.value.problems[0].fix
    assert str(root) not in str(caught.value)


def test_what_git_complains_of_is_told_without_the_path_of_the_machine(
    root: Path, fake: Callable[[str], Mapping[str, str]]
) -> None:
    """The first line of git's own words is shown, with the folder as a dot."""
    environ = fake('printf "fatal: $PWD/.git/config is bad\\nmore\\n" >&2; exit 128')
    with pytest.raises(FilesError) as caught:
        find_commit(root, "HEAD", environ=environ)
    assert caught.value.problems[0].what == "git cannot read the repository: ./.git/config is bad"


def test_a_list_of_files_that_cannot_be_read_is_an_error(root: Path) -> None:
    """A commit whose folders are lost is told, and so is a file that is lost."""
    commit(root, {"a.md": b"a", "deep/b.md": b"b"})
    blob = run(root, "rev-parse", "HEAD:a.md")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert read(root, "HEAD", "deep") == {"deep/b.md": b"b"}
    with pytest.raises(FilesError, match="the clone lacks files of that revision"):
        read(root, "HEAD")
    tree = run(root, "rev-parse", "HEAD:deep")
    (root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(FilesError, match="git cannot read the repository: "):
        read(root, "HEAD")


@pytest.mark.parametrize("bad", [b"..", b"."])
def test_a_name_that_leads_outside_is_refused(root: Path, bad: bytes) -> None:
    """A repository made by hand may hold names that no checkout makes."""
    blob = run(root, "hash-object", "-w", "--stdin", told=b"evil")
    inner = b"100644 a.md\x00" + bytes.fromhex(blob)
    words = ("hash-object", "-w", "-t", "tree", "--literally", "--stdin")
    deep = run(root, *words, told=inner)
    top = run(root, *words, told=b"40000 " + bad + b"\x00" + bytes.fromhex(deep))
    made = run(root, "commit-tree", top, "-m", "evil")
    with pytest.raises(FilesError, match="a file of that revision is named"):
        read(root, made)
