"""What changed in the plan since a git revision."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from digest.config import load_settings
from digest.content import seal_text
from digest.errors import ConfigError, FilesError, IssueFileError, UsageError
from digest.model import IssueKey, PastIssue, PastItem, Seal, ThemeId
from digest.publish.against import Against, plan_against
from digest.publish.project import Project

Make = Callable[..., Path]
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
ENVIRON = {"PATH": os.environ["PATH"], "HOME": "nowhere", "GIT_CONFIG_NOSYSTEM": "1"}
PAIRS = "\n[selection]\nmin_items = 1\nmax_items = 2\n"
W49, W50, W51 = (IssueKey(f"2026-w{week}") for week in (49, 50, 51))


def git(folder: Path, *words: str) -> None:
    """Run git under a name to commit with."""
    subprocess.run(  # noqa: S603 - words of these tests
        ["git", "-c", "user.name=Ana", "-c", "user.email=ana@sea.example", *words],  # noqa: S607 - the git of whoever runs the tests
        cwd=folder,
        env=ENVIRON,
        check=True,
        capture_output=True,
    )


def commit(folder: Path) -> None:
    """Commit all that is there."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Change")


def item(day: int, extra: str = "") -> str:
    """Write a summary that is picked the later, the later its day; its words are its own."""
    words = " ".join(f"w{day}n{place}" for place in range(25))
    return f"---\ntitle: Item {day}\ndate: 2026-11-{day:02d}\n{extra}---\n\n{words}.\n"


@pytest.fixture
def root(newsletter: Make) -> Path:
    """Give a newsletter of four items, two an issue, committed."""
    folder = newsletter({f"content/i{day}.md": item(day) for day in (1, 2, 3, 4)}, settings=PAIRS)
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    return folder


def project(root: Path, *overrides: str, file: str = "digest.toml", **environ: str) -> Project:
    """Open a newsletter as a call with these words would."""
    settings = load_settings(
        root, file=Path(file), environ={**ENVIRON, **environ}, overrides=overrides
    )
    return Project(settings=settings)


def compared(
    root: Path, revision: str = "HEAD", *overrides: str, file: str = "digest.toml", **environ: str
) -> Against:
    """Compare the next three weeks of a newsletter."""
    return plan_against(
        project(root, *overrides, file=file, **environ),
        revision,
        now=NOW,
        weeks=3,
        environ={**ENVIRON, **environ},
        overrides=overrides,
    )


def told(against: Against) -> dict[str, tuple[list[str], list[str]]]:
    """Give the ids that came and went, by issue."""
    return {
        change.key: ([pick.id for pick in change.came], [pick.id for pick in change.went])
        for change in against.changes
    }


def taken(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Take down all files, those of git and the database among them: hash, time and mode."""
    return {
        path.relative_to(folder).as_posix(): (
            sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.lstat().st_mtime_ns,
            path.lstat().st_mode,
        )
        for path in sorted(folder.rglob("*"))
    }


def test_without_a_change_nothing_changes(root: Path) -> None:
    """The same files make the same plan, whichever revision they are of."""
    (root / "notes.txt").write_text("not of the newsletter")
    against = compared(root)
    assert (against.changes, against.new, against.gone) == ((), (), ())
    assert (against.revision, against.issues) == ("HEAD", (W49, W50, W51))


def test_what_comes_and_goes_is_told_item_by_item(root: Path) -> None:
    """A new file pushes others back, one that is gone lets others move up."""
    (root / "content" / "new.md").write_text(item(9, "pin: true\n"))
    (root / "content" / "i2.md").unlink()
    against = compared(root)
    assert told(against) == {W49: (["new"], ["i2"])}
    assert against.before.summaries["i2"].title == "Item 2"
    assert against.after.summaries["new"].title == "Item 9"
    assert "new" not in against.before.summaries
    (root / "content" / "i2.md").write_text(item(2))
    assert told(compared(root)) == {
        W49: (["new"], ["i2"]),
        W50: (["i2"], ["i4"]),
        W51: (["i4"], []),
    }


def test_an_earlier_revision_can_be_named(root: Path) -> None:
    """Changes since a branch are those of all commits on top of it."""
    git(root, "branch", "before")
    (root / "content" / "new.md").write_text(item(9, "pin: true\n"))
    commit(root)
    assert told(compared(root)) == {}
    assert told(compared(root, "before"))[W49] == (["new"], ["i2"])


def test_settings_are_those_of_each_side(root: Path) -> None:
    """A change of a setting shows in the plan like one of a file."""
    file = root / "digest.toml"
    file.write_text(file.read_text().replace("max_items = 2", "max_items = 1"))
    assert told(compared(root)) == {
        W49: ([], ["i2"]),
        W50: (["i2"], ["i4", "i3"]),
        W51: (["i3"], []),
    }


def test_options_and_environment_count_for_both_sides(root: Path) -> None:
    """What the present call sets hides what the files say of it."""
    file = root / "digest.toml"
    file.write_text(file.read_text().replace("max_items = 2", "max_items = 1"))
    assert told(compared(root, "HEAD", "selection.max_items=3")) == {}
    assert told(compared(root, DIGEST_SELECTION__MAX_ITEMS="3")) == {}


def test_what_was_published_is_out_at_both_sides(root: Path) -> None:
    """An issue that the database knows is in neither plan, and its items are taken in both."""
    with project(root).opened() as store:
        store.record(
            PastIssue(
                key=W49,
                at=NOW,
                theme=ThemeId("other"),
                items=tuple(PastItem(id=name, url="") for name in ("i1", "i2")),
                published=True,
                number=1,
                edition="e" * 64,
            )
        )
    (root / "content" / "new.md").write_text(item(9, "pin: true\n"))
    against = compared(root)
    assert against.issues == (W50, W51, "2026-w52")
    assert told(against) == {W50: (["new"], ["i4"]), W51: (["i4"], [])}


def test_a_seal_that_came_since_counts_for_both_sides(root: Path) -> None:
    """Without a database, as in a workflow, what is out is read from the issue files."""
    issue = root / "content" / "issues" / "2026-w49.md"
    issue.parent.mkdir()
    issue.write_text("---\nissue: 2026-w49\nitems: [i1, i2]\n---\n")
    commit(root)
    seal = Seal(at=NOW - timedelta(hours=1), number=1, edition="e" * 64)
    issue.write_text(seal_text(issue.read_text(), seal))
    against = compared(root)
    assert against.issues == (W50, W51, "2026-w52")
    assert told(against) == {}


def test_an_issue_that_only_the_revision_calls_published_is_not_compared(root: Path) -> None:
    """A file that was taken away says nothing any more; its items are free, and that shows."""
    issue = root / "content" / "issues" / "2026-w49.md"
    issue.parent.mkdir()
    seal = Seal(at=NOW - timedelta(hours=1), number=1, edition="e" * 64)
    text = "---\nissue: 2026-w49\nitems: [i4]\n---\n"
    issue.write_text(seal_text(text, seal))
    commit(root)
    issue.unlink()
    against = compared(root)
    assert against.issues == (W50, W51)
    assert told(against) == {W50: (["i4", "i3"], ["i2", "i1"]), W51: ([], ["i3"])}


def test_issue_files_of_each_side_reserve_their_items(root: Path) -> None:
    """What an issue file lists is in that issue, at the side where it does."""
    issue = root / "content" / "issues" / "2026-w50.md"
    issue.parent.mkdir()
    issue.write_text("---\nissue: 2026-w50\nitems: [i1]\n---\n")
    assert told(compared(root)) == {
        W49: (["i3"], ["i1"]),
        W50: (["i1"], ["i4", "i3"]),
        W51: (["i4"], []),
    }


def test_shortages_come_and_go(root: Path) -> None:
    """What runs short on one side only is told."""
    file = root / "digest.toml"
    file.write_text(file.read_text().replace("min_items = 1", "min_items = 2"))
    commit(root)
    (root / "content" / "i4.md").unlink()
    against = compared(root)
    assert against.new
    assert not set(against.new) & set(against.before.shortages)
    commit(root)
    (root / "content" / "i4.md").write_text(item(4))
    back = compared(root)
    assert (back.gone, back.new) == (against.new, against.gone)


def test_files_that_cannot_be_read_are_told_of_each_side(root: Path) -> None:
    """Those of the revision have its name before theirs, as git writes it."""
    (root / "content" / "bad.md").write_bytes(b"---\ntitle: [\n---\n")
    commit(root)
    (root / "content" / "bad.md").write_text(item(5))
    (root / "content" / "worse.md").write_bytes(b"\xff\xfe")
    against = compared(root)
    (before,), (after,) = against.before.problems, against.after.problems
    assert before.where.startswith("HEAD:content/bad.md")
    assert after.where.startswith("content/worse.md")
    assert told(against) == {W51: (["bad"], [])}


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("content/issues/2026-w49.md", "---\nitems: [\n---\n", IssueFileError),
        ("content/issues/soon.md", "---\nitems: []\n---\n", IssueFileError),
        ("digest.toml", "[selection]\nmax_items = none\n", ConfigError),
    ],
)
def test_what_is_wrong_at_the_revision_is_told_with_its_name(
    root: Path, path: str, *, text: str, kind: type[UsageError]
) -> None:
    """Without settings or an issue file nobody knows the plan; the place is `REV:file`."""
    before = (root / path).read_text() if (root / path).exists() else ""
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text(text)
    commit(root)
    if before:
        (root / path).write_text(before)
    else:
        (root / path).unlink()
    with pytest.raises(kind) as caught:
        compared(root)
    assert all(problem.where.startswith(f"HEAD:{path}") for problem in caught.value.problems)


def test_a_revision_without_the_newsletter_is_wrong_use(root: Path) -> None:
    """Where the settings came later there is nothing to compare with."""
    git(root, "rm", "-q", "--cached", "digest.toml")
    git(root, "commit", "-q", "-m", "Nothing yet")
    with pytest.raises(UsageError) as caught:
        compared(root)
    assert str(caught.value) == "HEAD:digest.toml: is not there\n  compare with a later revision"
    with pytest.raises(UsageError, match="there is no revision 'nowhere' here"):
        compared(root, "nowhere")


def test_a_revision_without_content_has_an_empty_plan(newsletter: Make) -> None:
    """All that is there now is new."""
    folder = newsletter({}, settings=PAIRS)
    git(folder, "init", "-q")
    commit(folder)
    (folder / "content" / "i1.md").write_text(item(1))
    assert told(compared(folder)) == {W49: (["i1"], [])}


@pytest.mark.parametrize("name", ["texts", "content/deep"])
def test_a_folder_of_content_may_have_moved(root: Path, name: str) -> None:
    """Each side reads the folder that its own settings name."""
    (root / name).mkdir(parents=True, exist_ok=True)
    for file in (root / "content").glob("*.md"):
        file.rename(root / name / file.name)
    settings = root / "digest.toml"
    settings.write_text(f'{settings.read_text()}\n[content]\nfolder = "{name}"\n')
    assert told(compared(root)) == {}
    commit(root)
    (root / name / "i1.md").unlink()
    assert told(compared(root))[W49] == (["i3"], ["i1"])


def test_a_newsletter_may_be_part_of_a_repository(tmp_path: Path, newsletter: Make) -> None:
    """Paths count from the newsletter's folder, and another name of its settings is kept."""
    folder = newsletter({"content/i1.md": item(1), "content/pic.jpg": "x"}, settings=PAIRS)
    (folder / "digest.toml").rename(folder / "letter.toml")
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "beside.md").write_text(item(2))
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    assert told(compared(folder, file="letter.toml")) == {}
    (folder / "content" / "i3.md").write_text(item(3))
    assert told(compared(folder, file="letter.toml")) == {W49: (["i3"], [])}


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder of temporary files with nothing else in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_nothing_is_written(root: Path, temporary: Path) -> None:
    """Tree, index and objects of git and the database stay as they are, to the byte and time."""
    with project(root).opened():
        pass
    (root / "content" / "new.md").write_text(item(9, "pin: true\n"))
    git(root, "add", "content/new.md")
    (root / "content" / "i1.md").touch()
    before = taken(root)
    assert told(compared(root))
    assert taken(root) == before
    assert list(temporary.iterdir()) == []


def test_nothing_stays_where_it_fails(
    root: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The temporary folder goes away with an error too, here that of a full disk."""
    before = taken(root)

    def refuse(*_: Any) -> int:  # noqa: ANN401 - whatever is to be written
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_bytes", refuse)
        with pytest.raises(FilesError, match="cannot be laid down: No space left on device"):
            compared(root)
    assert list(temporary.iterdir()) == []
    assert taken(root) == before
