"""What a tester broke: each stays mended."""

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from cli.pictured import drawn

from digest.model import canonical_url

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2026-12-01T10:00:00+01:00")


def _item(title: str, more: str = "", body: str = "") -> str:
    text = body or f"A few words about {title.lower()}."
    return f"---\ntitle: {title}\ntheme: quay\ndate: 2026-11-20\n{more}---\n\n{text}\n"


_ITEMS = {f"content/{name}.md": _item(name.title()) for name in ("rope", "crane", "buoy")}


def _tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "cache" not in path.parts
    }


def test_embargo_holds_for_an_issue_published_early(digest: Digest, newsletter: Make) -> None:
    """What may go out on Thursday is not published on Tuesday, whatever the slot."""
    root = newsletter(
        {"content/a.md": _item("A", "not_before: 2026-12-03T12:00:00+01:00\n")},
        settings='[schedule]\nsend = "fri 15:00"\n',
    )
    digest("-C", root, "build", *_NOW)
    early = digest("-C", root, "publish", *_NOW)
    late = digest("-C", root, "publish", "--now", "2026-12-03T13:00:00+01:00")

    assert early[0] == 4
    assert "D121" in early[2]
    assert late[0] == 0


def test_what_lapsed_after_the_slot_is_not_published(digest: Digest, newsletter: Make) -> None:
    """An item whose time is over when the issue goes out late stops it."""
    root = newsletter({"content/a.md": _item("A", "not_after: 2026-12-02\n"), **_ITEMS})
    digest("-C", root, "build", *_NOW)
    code, _, err = digest("-C", root, "publish", "--now", "2026-12-05")

    assert code == 4
    assert "content/a.md" in err


@pytest.mark.parametrize(
    "name",
    [
        unicodedata.normalize("NFD", "caf\u00e9") + ".md",
        "two  blanks.md",
        " lead.md",
        "n\u00a0b.md",
    ],
)
def test_odd_file_names_build_twice_and_publish(
    digest: Digest, newsletter: Make, name: str
) -> None:
    """Decomposed letters and odd white space in a file name stop neither build nor proof."""
    root = newsletter({f"content/{name}": _item("Odd")})
    for command in ("build", "build", "verify", "publish"):
        code, _, err = digest("-C", root, command, *_NOW)
        assert code == 0, (command, err)


def test_file_without_a_text_is_passed_over(digest: Digest, newsletter: Make) -> None:
    """An empty file blocks no issue, and `why` says what is the matter with it."""
    root = newsletter({**_ITEMS, "content/_index.md": "---\ntitle: Section\n---\n"})
    built = json.loads(digest("-C", root, "build", "--json", *_NOW)[1])
    why = digest("-C", root, "why", "_index", *_NOW)[1]

    assert "Section" not in {item["title"] for item in built["items"]}
    assert "has no text" in why
    assert digest("-C", root, "publish", *_NOW)[0] == 0


def test_long_title_makes_a_short_subject(digest: Digest, newsletter: Make) -> None:
    """A subject that nobody wrote by hand is cut, so that an automatic issue goes out."""
    root = newsletter({"content/a.md": _item("Long " * 60)})
    digest("-C", root, "build", *_NOW)
    manifest = json.loads((root / "outbox/2026-w49/edition.json").read_text())

    assert len(manifest["subject"]) <= 150
    assert manifest["subject"].endswith("\u2026")
    assert digest("-C", root, "publish", *_NOW)[0] == 0


def test_new_summary_waits_for_its_author(digest: Digest, newsletter: Make) -> None:
    """What `new` writes goes into no issue until it is written."""
    root = newsletter(_ITEMS)
    digest("-C", root, "new", "Half done", *_NOW)
    built = json.loads(digest("-C", root, "build", "--json", *_NOW)[1])

    assert len(built["items"]) == 3
    assert "draft" in digest("-C", root, "why", "half-done", *_NOW)[1]


@pytest.fixture
def two(digest: Digest, newsletter: Make) -> Path:
    """Give a newsletter with two published weeks and items left over."""
    items = {
        f"content/i{n}.md": _item(f"Item {n}", f"url: https://a.example/{n}\n") for n in range(12)
    }
    root = newsletter(items, settings="[selection]\nmax_items = 3\n")
    for week in ("2026-w49", "2026-w50"):
        digest("-C", root, "build", week, *_NOW)
        digest("-C", root, "publish", week, *_NOW)
    return root


def test_verify_knows_which_edition_was_published(digest: Digest, two: Path) -> None:
    """Another edition, whole in itself, is not the published one; a lost one is told."""
    other = two / "outbox/2026-w49/edition.json"
    kept = other.read_bytes()
    (two / "content/issues/2026-w49.md").write_text("---\nitems: [i7]\n---\n")
    database = (two / "private/digest.db").read_bytes()
    (two / "private/digest.db").unlink()
    digest("-C", two, "build", "2026-w49", *_NOW)
    (two / "private/digest.db").write_bytes(database)
    replaced = digest("-C", two, "verify", "2026-w49", *_NOW)

    assert other.read_bytes() != kept
    assert replaced[0] == 1
    assert "not the edition that was published" in replaced[1]


def test_verify_of_all_goes_on_after_damage(digest: Digest, two: Path) -> None:
    """A lost and a damaged edition are both told, and the exit code is the worse."""
    page = two / "outbox/2026-w49/page.html"
    page.write_bytes(page.read_bytes() + b" ")
    code, out, err = digest("-C", two, "verify", "--all", *_NOW)
    assert code == 6
    assert "page.html" in err
    assert "2026-w50: identical" in out

    for file in sorted((two / "outbox/2026-w50").rglob("*"), reverse=True):
        file.unlink() if file.is_file() else file.rmdir()
    (two / "outbox/2026-w50").rmdir()
    code, out, _ = digest("-C", two, "verify", "--all", *_NOW)
    assert code == 6
    assert "2026-w50: differs in its folder in the outbox is gone" in out


def test_renamed_item_stays_published_without_a_database(digest: Digest, two: Path) -> None:
    """The editions remember what was in them, also when content and database have gone."""
    titles = json.loads((two / "outbox/2026-w49/edition.json").read_text())["items"]
    first = two / f"content/{titles[0]['id']}.md"
    first.rename(two / "content/renamed.md")
    (two / "private/digest.db").unlink()
    built = json.loads(digest("-C", two, "build", "2026-w51", "--json", *_NOW)[1])

    assert titles[0]["title"] not in {item["title"] for item in built["items"]}


def test_seal_lost_in_a_crash_comes_with_the_next_publish(digest: Digest, two: Path) -> None:
    """An issue that is out and unsealed is told by status, and sealed by any later publish."""
    file = two / "content/issues/2026-w49.md"
    sealed = file.read_bytes()
    file.write_bytes(sealed[: sealed.index(b"published:")] + b"---\n")
    issues = json.loads(digest("-C", two, "status", "--json", *_NOW)[1])["issues"]
    digest("-C", two, "build", "2026-w51", *_NOW)
    digest("-C", two, "publish", "2026-w51", *_NOW)

    assert issues[0]["next"] == "digest publish 2026-w49"
    assert file.read_bytes() == sealed


def test_litter_of_killed_writers_is_swept(digest: Digest, newsletter: Make) -> None:
    """What a killed process left beside its files is gone after the next writing command."""
    root = newsletter(_ITEMS)
    places = [root / "outbox/site", root / "content/issues", root / "private"]
    for place in places:
        place.mkdir(parents=True)
        (place / ".x.html.4711.tmp").write_text("half")
    (root / "content/.mine").write_text("a file of somebody's own")
    digest("-C", root, "build", *_NOW)

    assert not [path for place in places for path in place.glob(".*tmp")]
    assert (root / "content/.mine").is_file()


def test_refused_publish_changes_nothing(digest: Digest, two: Path) -> None:
    """Exit 4 leaves the edition as it was, also where it would get another number."""
    digest("-C", two, "build", "2026-w51", *_NOW)
    digest("-C", two, "build", "2026-w52", *_NOW)
    digest("-C", two, "publish", "2026-w51", *_NOW)
    manifest = json.loads((two / "outbox/2026-w52/edition.json").read_text())
    source = two / f"content/{manifest['items'][0]['id']}.md"
    source.write_text(source.read_text().replace("---\n", "---\ndraft: true\n", 1))
    before = _tree(two)

    assert digest("-C", two, "publish", "2026-w52", *_NOW)[0] == 4
    assert _tree(two) == before


def test_database_may_not_lie_on_the_site(digest: Digest, newsletter: Make) -> None:
    """An absolute path into the outbox is refused like a relative one."""
    root = newsletter(_ITEMS)
    url = f"store.url=sqlite:///{root}/outbox/site/digest.db"
    code, _, err = digest("-C", root, "build", "--set", url, *_NOW)

    assert code == 2
    assert "outbox" in err


def test_seal_keeps_windows_line_ends(digest: Digest, newsletter: Make) -> None:
    """Publishing leaves the lines of an issue file as their editor's program wrote them."""
    root = newsletter({**_ITEMS, "content/issues/2026-w49.md": "---\r\nitems: [rope]\r\n---\r\n"})
    digest("-C", root, "build", *_NOW)
    digest("-C", root, "publish", *_NOW)
    data = (root / "content/issues/2026-w49.md").read_bytes()

    assert b"published:\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_places_of_an_application_are_pages() -> None:
    """`#/post/1` and `#/post/2` are two pages; `#part` is a place on one."""
    assert canonical_url("https://a.example/#/post/1") != canonical_url(
        "https://a.example/#/post/2"
    )
    assert canonical_url("https://a.example/x#part") == canonical_url("https://a.example/x")


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "--bogus"],
        ["plan", "--weeks", "0"],
        ["import", "nope", "x"],
        ["why"],
        ["bogus"],
        ["import", "listing", "gone.txt"],
    ],
)
def test_every_refusal_is_json_where_asked(
    digest: Digest, newsletter: Make, arguments: list[str]
) -> None:
    """Machines get one JSON value for each kind of wrong call."""
    code, out, _ = digest("-C", newsletter(_ITEMS), *arguments, "--json")
    told = json.loads(out)

    assert told["error"]["exit"] == code
    assert code in {2, 6}


def test_unreadable_files_stand_in_the_json(digest: Digest, newsletter: Make) -> None:
    """The problems of the content are part of the answer, not only of the exit code."""
    root = newsletter({**_ITEMS, "content/bad.md": "---\ntitle: Never closed\n\nText\n"})
    for command in (["build"], ["check"], ["plan"], ["status"]):
        code, out, _ = digest("-C", root, *command, "--json", *_NOW)
        assert code == 1
        assert json.loads(out)["problems"][0]["where"] == "content/bad.md:1"


@pytest.mark.parametrize("moment", ["9999-12-31", "0001-01-01T00:00:00+14:00", "", "soon"])
def test_moments_that_cannot_be_are_refused(digest: Digest, newsletter: Make, moment: str) -> None:
    """A moment out of range, and an empty one, is wrong use and no bug."""
    code, _, err = digest("-C", newsletter(_ITEMS), "plan", "--now", moment)

    assert code == 2
    assert "--now" in err


def test_weeks_at_the_end_of_time(digest: Digest, newsletter: Make) -> None:
    """The longest plan from the last moment works; a week of 9999 is no issue."""
    root = newsletter(_ITEMS)

    assert digest("-C", root, "plan", "--weeks", "520", "--now", "9979-12-01")[0] == 0
    assert digest("-C", root, "build", "9999-w52", *_NOW)[0] == 2


def test_init_where_no_folder_can_be(digest: Digest, tmp_path: Path) -> None:
    """A file in the way, and a zone that is not there, are told before anything is made."""
    (tmp_path / "file").write_text("x")

    assert digest("init", tmp_path / "file" / "sub", *_NOW)[0] == 6
    code, _, err = digest("init", tmp_path / "new", "--timezone", "Mars/X", *_NOW)
    assert code == 2
    assert "Mars/X" in err
    assert not (tmp_path / "new").exists()


def test_pipes_are_not_waited_for(digest: Digest, newsletter: Make) -> None:
    """A named pipe among the templates, or as a listing, is refused at once."""
    root = newsletter(_ITEMS)
    (root / "templates").mkdir()
    os.mkfifo(root / "templates/page.html.j2")

    assert digest("-C", root, "build", *_NOW)[0] == 2
    assert digest("-C", root, "import", "listing", root / "templates/page.html.j2", *_NOW)[0] == 6


def test_template_that_leads_elsewhere_is_not_read(
    digest: Digest, newsletter: Make, tmp_path: Path
) -> None:
    """A link out of `templates/` is refused; its target enters no edition."""
    (tmp_path / "secret").write_text("secret words")
    root = newsletter(_ITEMS)
    (root / "templates").mkdir()
    (root / "templates/x.html.j2").symlink_to(tmp_path / "secret")
    code, _, err = digest("-C", root, "build", *_NOW)

    assert code == 2
    assert "templates/x.html.j2" in err
    assert not (root / "outbox").exists()


def test_names_of_files_do_not_reach_the_terminal_raw(digest: Digest, newsletter: Make) -> None:
    """An escape sequence in a file's name is shown, not obeyed."""
    root = newsletter(_ITEMS)
    listing = root / "l\x1b]0;x\x07.txt"
    listing.write_text("")
    _, out, err = digest("-C", root, "import", "listing", listing, *_NOW)

    assert "\x1b]" not in out + err
    assert "\x07" not in out + err


def test_full_disk_behind_stdout_is_no_bug(newsletter: Make) -> None:
    """Where the output cannot be written, the program says so with exit 6."""
    root = newsletter(_ITEMS)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "digest", "-C", str(root), "config"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 6
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr


def test_content_without_themes_wears_no_badge(digest: Digest, newsletter: Make) -> None:
    """Where nobody speaks of themes, the issue does not either."""
    root = newsletter({f"content/{n}.md": f"# Walk {n}\n\nA few words.\n" for n in range(3)})
    digest("-C", root, "build", *_NOW)
    html = (root / "outbox/2026-w49/issue.html").read_text()
    page = (root / "outbox/2026-w49/page.html").read_text()

    assert ">Other<" not in html + page
    assert "Walk 1" in html


def test_issue_of_what_fits_no_theme_is_known_by_its_title(
    digest: Digest, newsletter: Make
) -> None:
    """Where themes are declared and none fits, mail, page and home are not headed `Other`."""
    items = {f"content/{n}.md": f"# Walk {n}\n\nA few words.\n" for n in range(3)}
    root = newsletter(items, settings='[[theme]]\nid = "water"\n')
    _, out, _ = digest("-C", root, "build", *_NOW)
    digest("-C", root, "publish", *_NOW)
    files = ("2026-w49/issue.html", "site/2026-w49.html", "site/index.html")
    shown = "".join((root / "outbox" / file).read_text() for file in files)

    assert "  other  subject: Walk" in out
    assert ">Other<" not in shown


@pytest.mark.parametrize(
    ("moment", "weeks"),
    [
        ("2026-10-18T22:30:00+00:00", ["2026-w43", "2026-w44", "2026-w45"]),
        ("2027-03-21T22:30:00+00:00", ["2027-w11", "2027-w12", "2027-w13"]),
    ],
)
def test_plan_has_each_week_once_over_clock_changes(
    digest: Digest, newsletter: Make, moment: str, weeks: list[str]
) -> None:
    """Late on a Sunday evening no week comes twice and none is left out."""
    _, out, _ = digest("-C", newsletter(_ITEMS), "plan", "--weeks", "3", "--json", "--now", moment)

    assert [issue["issue"] for issue in json.loads(out)["issues"]] == weeks


def test_pictures_inside_the_text_are_no_files(digest: Digest, newsletter: Make) -> None:
    """A `data:` picture of any length is not looked for on disk."""
    picture = f"![alt](data:image/png;base64,{'A' * 5000})"
    root = newsletter({"content/a.md": _item("A", body=f"Words. {picture}")})
    digest("-C", root, "build", *_NOW)

    assert digest("-C", root, "check", *_NOW)[0] == 0
    assert digest("-C", root, "publish", *_NOW)[0] == 0


def test_pictures_of_one_name_are_told_apart(digest: Digest, newsletter: Make) -> None:
    """The heavy one of two pictures of one name is found, at the summary that shows it."""
    root = newsletter(
        {
            "content/p/a.md": _item("A", body="See ![a](my%20wheel.png)"),
            "content/p/my wheel.png": drawn("PNG") + bytes(300_000),
            "content/q/b.md": _item("B", body="See ![b](my%20wheel.png)"),
            "content/q/my wheel.png": drawn("PNG"),
        }
    )
    digest("-C", root, "build", *_NOW)
    _, out, _ = digest("-C", root, "check", *_NOW)

    assert "content/p/a.md:1: warning D110" in out
    assert "content/q/b.md:1: warning D110" not in out


def test_two_clones_that_published_meet(digest: Digest, newsletter: Make) -> None:
    """Two issues that got one number in two places are both out, and publishing goes on."""
    one = newsletter(_ITEMS, settings="[selection]\nmax_items = 1\nmin_items = 1\n", name="one")
    two = newsletter(_ITEMS, settings="[selection]\nmax_items = 1\nmin_items = 1\n", name="two")
    for root, week in ((one, "2026-w49"), (two, "2026-w50")):
        digest("-C", root, "build", week, *_NOW)
        digest("-C", root, "publish", week, *_NOW)
    shutil.copytree(two / "outbox/2026-w50", one / "outbox/2026-w50")
    shutil.copy(two / "content/issues/2026-w50.md", one / "content/issues")
    digest("-C", one, "build", "2026-w51", *_NOW)
    code, out, err = digest("-C", one, "publish", "2026-w51", "--json", *_NOW)
    issues = json.loads(digest("-C", one, "status", "--json", *_NOW)[1])["issues"]

    assert code == 0, err
    assert [issue["number"] for issue in issues] == [1, 1, json.loads(out)["number"]]
    assert json.loads(out)["number"] == 3


def test_numbers_begin_where_the_settings_say(digest: Digest, newsletter: Make) -> None:
    """`first_number` is the first issue's, and the next goes on from it."""
    root = newsletter(_ITEMS, settings="[selection]\nmax_items = 1\nmin_items = 1\n")
    first = ("--set", "newsletter.first_number=40")
    numbers = []
    for week in ("2026-w49", "2026-w50"):
        digest("-C", root, "build", week, *first, *_NOW)
        numbers.append(json.loads(digest("-C", root, "publish", week, "--json", *first, *_NOW)[1]))

    assert [told["number"] for told in numbers] == [40, 41]


def test_foreign_things_in_the_outbox_are_left_alone(digest: Digest, newsletter: Make) -> None:
    """Other folders, a file of the system's and a stray file in an edition disturb no proof."""
    root = newsletter(_ITEMS)
    (root / "outbox/my-wiki").mkdir(parents=True)
    (root / "outbox/my-wiki/note.txt").write_text("mine")
    digest("-C", root, "build", *_NOW)
    (root / "outbox/2026-w49/.DS_Store").write_bytes(b"x")
    (root / "outbox/2026-w49/inputs/templates/stray.html.j2").write_text("x")
    code, out, _ = digest("-C", root, "verify", "--all", *_NOW)

    assert (code, out) == (0, "2026-w49: identical, every byte\n")
    assert (root / "outbox/my-wiki/note.txt").is_file()


def test_dry_run_tells_what_would_be_removed(digest: Digest, newsletter: Make) -> None:
    """A build that takes a stray file away says so beforehand, too."""
    root = newsletter(_ITEMS)
    digest("-C", root, "build", *_NOW)
    (root / "outbox/2026-w49/old.txt").write_text("x")
    dry = json.loads(digest("-C", root, "build", "--dry-run", "--json", *_NOW)[1])
    real = json.loads(digest("-C", root, "build", "--json", *_NOW)[1])

    assert dry["changed"] == real["changed"] == ["outbox/2026-w49/old.txt"]
    assert not (root / "outbox/2026-w49/old.txt").exists()


def test_hidden_issue_files_are_passed_over(digest: Digest, newsletter: Make) -> None:
    """What a system puts beside an issue file, with a dot before its name, counts for nothing."""
    root = newsletter({**_ITEMS, "content/issues/._2026-w49.md": b"\0\5\x16\7"})

    assert digest("-C", root, "build", *_NOW)[0] == 0


def test_changed_theme_of_a_summary_is_no_edit_of_the_issue(
    digest: Digest, newsletter: Make
) -> None:
    """Where the issue file names bare ids, a tag changed since the build stops nothing."""
    themes = '[[theme]]\nid = "a"\nmatch = ["tag:a"]\n[[theme]]\nid = "b"\nmatch = ["tag:b"]\n'
    root = newsletter(
        {
            "content/x.md": "---\ntitle: X\ntags: [a]\n---\n\nWords.\n",
            "content/issues/2026-w49.md": "---\nitems: [x]\n---\n",
        },
        settings=themes,
    )
    digest("-C", root, "build", *_NOW)
    (root / "content/x.md").write_text("---\ntitle: X\ntags: [b]\n---\n\nWords.\n")
    code, _, err = digest("-C", root, "publish", *_NOW)

    assert code == 0
    assert "saved after the build" in err


def test_init_goes_on_after_a_crash(digest: Digest, tmp_path: Path) -> None:
    """Samples that are there already are no content of somebody's own."""
    digest("init", tmp_path, *_NOW)
    samples = sorted((tmp_path / "content").glob("*.md"))
    for file in samples[5:]:
        file.unlink()
    digest("init", tmp_path, *_NOW)

    assert sorted((tmp_path / "content").glob("*.md")) == samples


def test_init_with_a_site_has_ids_of_its_own(digest: Digest, tmp_path: Path) -> None:
    """The site's host becomes the authority of the feed ids; words that cannot be are refused."""
    site = "https://letters.example.org/weekly/"
    assert digest("init", tmp_path / "a", "--site", site, *_NOW)[0] == 0
    settings = (tmp_path / "a/digest.toml").read_text()

    assert f'url = "{site}"' in settings
    assert 'tag = "letters.example.org,2026-12-01"' in settings
    assert digest("-C", tmp_path / "a", "build", *_NOW)[0] == 0
    assert digest("init", tmp_path / "b", "--site", "letters", *_NOW)[0] == 2
    assert digest("init", tmp_path / "b", "--name", "  ", *_NOW)[0] == 2


def test_very_long_names_of_issues_are_refused(digest: Digest, newsletter: Make) -> None:
    """A name that no file could have is wrong use."""
    assert digest("-C", newsletter(_ITEMS), "build", f"2026-w49-{'a' * 300}", *_NOW)[0] == 2


def test_closed_stdout_is_no_bug() -> None:
    """A caller that closed the output gets the exit code and no trace."""
    done = subprocess.run(  # noqa: S603 - our own program
        ["/bin/sh", "-c", f"'{sys.executable}' -m digest --version >&-"],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )

    assert "Traceback" not in done.stderr


def test_publish_without_an_issue_restores_the_database(digest: Digest, two: Path) -> None:
    """A site that is brought up to date puts what the seals say into a new database."""
    (two / "private/digest.db").unlink()
    assert digest("-C", two, "publish", "--now", "2027-03-01")[0] == 0
    (two / "content/issues/2026-w49.md").unlink()
    assert digest("-C", two, "publish", "--now", "2027-03-01")[0] == 0
    page = (two / "outbox/site/index.html").read_text()

    assert (two / "private/digest.db").is_file()
    assert (two / "content/issues/2026-w49.md").is_file()
    assert "2026-w49.html" in page


def test_issue_that_was_never_built_is_not_published(digest: Digest, newsletter: Make) -> None:
    """An issue file alone, which nobody has looked at rendered, is not put out."""
    root = newsletter({**_ITEMS, "content/issues/2026-w49.md": "---\nitems: [rope]\n---\n"})
    code, _, err = digest("-C", root, "publish", *_NOW)

    assert code == 2
    assert "digest build 2026-w49" in err
    assert not (root / "outbox/site").exists()


def test_issue_without_items_goes_to_nobody(digest: Digest, newsletter: Make) -> None:
    """An emptied issue is nothing to send, and publishing refuses it."""
    issue = "---\nsubject: Hello\npreheader: P\nitems: []\n---\n"
    root = newsletter({**_ITEMS, "content/issues/2026-w49.md": issue})

    assert digest("-C", root, "build", "--fail-if-empty", *_NOW)[0] == 3
    code, _, err = digest("-C", root, "publish", *_NOW)
    assert code == 4
    assert "no items" in err


@pytest.mark.parametrize(
    "site", ["https://u:p@e.example/x", "https://e.example/?y", "ftp://e.example/"]
)
def test_init_refuses_a_site_that_cannot_be(digest: Digest, tmp_path: Path, site: str) -> None:
    """What the settings would refuse, `init` refuses."""
    assert digest("init", tmp_path / "a", "--site", site, *_NOW)[0] == 2
    assert not (tmp_path / "a").exists()


def test_init_with_letters_beyond_ascii(digest: Digest, tmp_path: Path) -> None:
    """A host of other letters gives a folder that builds."""
    digest("init", tmp_path / "a", "--site", "https://ex\u00e4mple.example/", *_NOW)

    assert digest("-C", tmp_path / "a", "build", *_NOW)[0] == 0


def test_published_issue_is_judged_as_of_its_moment(digest: Digest, newsletter: Make) -> None:
    """What lapses after an issue is out does not make its check red."""
    root = newsletter({"content/a.md": _item("A", "not_after: 2026-12-03\n")})
    digest("-C", root, "build", *_NOW)
    digest("-C", root, "publish", *_NOW)

    assert digest("-C", root, "check", "2026-w49", "--now", "2026-12-05")[0] == 0


@pytest.mark.parametrize("tools", [None, [], "x"])
def test_odd_tools_in_a_manifest_are_damage(
    digest: Digest, newsletter: Make, tools: object
) -> None:
    """A manifest whose tools are no table is a damaged one, not a bug."""
    root = newsletter(_ITEMS)
    digest("-C", root, "build", *_NOW)
    file = root / "outbox/2026-w49/edition.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "tools": tools}))

    assert digest("-C", root, "verify", *_NOW)[0] == 6


def test_only_leftovers_of_editions_are_cleared(digest: Digest, newsletter: Make) -> None:
    """Hidden folders of somebody's own in the outbox are left alone, also alike named ones."""
    root = newsletter(_ITEMS)
    for name in (".keep.new", ".notes.before", ".2026-w40.new"):
        (root / "outbox" / name).mkdir(parents=True)
        (root / "outbox" / name / "f").write_text("x")
    digest("-C", root, "build", *_NOW)

    assert (root / "outbox/.keep.new/f").is_file()
    assert (root / "outbox/.notes.before/f").is_file()
    assert not (root / "outbox/.2026-w40.new").exists()
