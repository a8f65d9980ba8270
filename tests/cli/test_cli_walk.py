"""The walk from a folder of summaries to an issue, its feeds and its page."""

import json
import shutil
from collections.abc import Callable
from email import message_from_bytes, policy
from hashlib import sha256
from pathlib import Path
from typing import Any

import feedparser
import pytest
from lxml import html as lxml_html

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_THEMES = """
[[theme]]
id = "water"
label = "Water"

[[theme]]
id = "piers"
label = "Piers"
"""
_NOW = ("--now", "2026-12-01T10:00:00+01:00")


def _item(title: str, *, day: int = 1, more: str = "", body: str = "") -> str:
    text = body or f"{title} was looked at again this week, and a few words say what was found."
    return f"---\ntitle: {title}\ndate: 2026-11-{day:02d}\n{more}---\n\n{text}\n"


_ITEMS = {
    "content/mills.md": _item("Tide mills", more="url: https://a.example/m\ntheme: water\n"),
    "content/locks.md": _item("Old locks", day=2, more="theme: water\n"),
    "content/weirs.md": _item("R&D on <weirs>", day=3, more="theme: water\n"),
}


def _tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def _without_cache(tree: dict[str, str]) -> dict[str, str]:
    """Set the cache aside: a build may learn that a file has settled since."""
    return {name: value for name, value in tree.items() if not name.startswith("private/cache/")}


@pytest.fixture
def letter(newsletter: Make) -> Path:
    """Give a newsletter of three summaries."""
    return newsletter(_ITEMS, settings=_THEMES)


def _json(result: tuple[int, str, str]) -> dict[str, Any]:
    code, out, err = result
    assert code == 0, err
    value: dict[str, Any] = json.loads(out)
    assert value["schema"] == 1
    return value


def test_new_newsletter_builds_and_publishes_at_once(digest: Digest, tmp_path: Path) -> None:
    """Init, build, check, verify and publish follow each other without an edit in between."""
    root = tmp_path / "letter"
    assert digest("init", root, "--name", "Quay Letters", *_NOW)[0] == 0
    built = _json(digest("-C", root, "build", "--json", *_NOW))
    checked = _json(digest("-C", root, "check", "--json", *_NOW))
    published = _json(digest("-C", root, "publish", "--json", *_NOW))
    verified = _json(digest("-C", root, "verify", "--json", *_NOW))

    assert built["issue"] == "2026-w49"
    assert len(built["items"]) >= 3
    assert not [found for found in checked["findings"] if found["level"] == "error"]
    assert published["number"] == 1
    assert verified == {
        "schema": 1,
        "issue": "2026-w49",
        "identical": True,
        "differences": [],
        "tools": [],
    }
    assert (root / "private" / "key").stat().st_mode & 0o777 == 0o600
    assert (root / "private").stat().st_mode & 0o777 == 0o700
    settings = (root / "digest.toml").read_text()
    assert 'name = "Quay Letters"' in settings
    assert 'slug = "quay-letters"' in settings
    assert ',2026-12-01"' in settings


def test_init_overwrites_nothing(digest: Digest, tmp_path: Path) -> None:
    """A file that is there already stays as it is and is named."""
    (tmp_path / "digest.toml").write_text("mine")
    code, out, _ = digest("init", tmp_path, *_NOW)
    before = _tree(tmp_path)

    assert code == 0
    assert (tmp_path / "digest.toml").read_text() == "mine"
    assert "kept as it is: digest.toml" in out
    assert digest("init", tmp_path, *_NOW)[0] == 0
    assert _tree(tmp_path) == before


def test_nothing_is_public_before_publish(digest: Digest, letter: Path) -> None:
    """A build writes the edition and the issue file, and no public file."""
    built = _json(digest("-C", letter, "build", "--json", *_NOW))

    assert not (letter / "outbox" / "site").exists()
    assert (letter / "content" / "issues" / "2026-w49.md").is_file()
    assert set(built["files"]) == {
        "issue.html",
        "issue.txt",
        "issue.eml",
        "page.html",
        "entry.html",
    }
    for name, value in built["files"].items():
        data = (letter / built["folder"] / name).read_bytes()
        assert sha256(data).hexdigest() == value


def _titles_and_links(site: Path, edition: Path) -> dict[str, str]:
    """Read each form of an issue by a parser of its own and give its text and links."""
    message = message_from_bytes((edition / "issue.eml").read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    assert body is not None
    forms = {"issue.txt": (edition / "issue.txt").read_text(), "issue.eml": body.get_content()}
    for file in (edition / "issue.html", site / "2026-w49.html", site / "index.html"):
        page = lxml_html.fromstring(file.read_bytes())
        forms[file.name] = page.text_content() + "\n".join(page.xpath("//@href"))
    for name in ("rss.xml", "atom.xml"):
        [entry] = feedparser.parse((site / name).read_bytes()).entries
        forms[name] = entry.content[0].value
    forms["feed.json"] = json.loads((site / "feed.json").read_text())["items"][0]["content_html"]
    for name in ("rss.xml", "atom.xml", "feed.json"):
        part = lxml_html.fromstring(f"<div>{forms[name]}</div>")
        forms[name] = part.text_content() + "\n".join(part.xpath("//@href"))
    return forms


def test_every_title_and_link_stands_in_every_form(digest: Digest, letter: Path) -> None:
    """HTML, text, mail, page, RSS, Atom and JSON Feed hold all picked titles and links."""
    built = _json(digest("-C", letter, "build", "--json", *_NOW))
    _json(digest("-C", letter, "publish", "--json", *_NOW))
    forms = _titles_and_links(letter / "outbox" / "site", letter / "outbox" / "2026-w49")

    assert len(built["items"]) == 3
    for name, text in forms.items():
        for item in built["items"]:
            assert item["title"] in " ".join(text.split()), name
            if name != "index.html":
                assert item["url"] in text, name


def test_item_without_a_link_leads_to_its_place_on_the_page(digest: Digest, letter: Path) -> None:
    """A summary without `url` links to its anchor on the issue's page."""
    built = _json(digest("-C", letter, "build", "--json", *_NOW))
    urls = {item["title"]: item["url"] for item in built["items"]}
    page = lxml_html.fromstring((letter / "outbox/2026-w49/page.html").read_bytes())

    assert urls["Tide mills"] == "https://a.example/m"
    assert urls["Old locks"] == "https://harbour.example/2026-w49.html#old-locks"
    assert page.get_element_by_id("old-locks") is not None


def test_second_publish_changes_nothing(digest: Digest, letter: Path) -> None:
    """Publishing again later only reports; the moment and all bytes stay."""
    digest("-C", letter, "build", *_NOW)
    digest("-C", letter, "publish", *_NOW)
    before = _tree(letter)
    again = _json(digest("-C", letter, "publish", "--json", "--now", "2026-12-02"))
    built = _json(digest("-C", letter, "build", "--json", "--now", "2026-12-02"))

    assert again["state"] == "unchanged"
    assert again["changed"] == []
    assert built["state"] == "published"
    assert _without_cache(_tree(letter)) == _without_cache(before)


def test_published_items_do_not_come_again(digest: Digest, newsletter: Make) -> None:
    """The next week picks other summaries, also when a published one was renamed."""
    root = newsletter({**_ITEMS, "content/quays.md": _item("Quays", day=4)}, settings=_THEMES)
    first = _json(digest("-C", root, "build", "2026-w49", "--json", *_NOW))
    digest("-C", root, "publish", "2026-w49", *_NOW)
    (root / "content/mills.md").rename(root / "content/renamed.md")
    second = _json(digest("-C", root, "build", "2026-w50", "--json", "--now", "2026-12-08"))

    assert {item["title"] for item in first["items"]} == {
        "Tide mills",
        "Old locks",
        "R&D on <weirs>",
    }
    assert [item["title"] for item in second["items"]] == ["Quays"]


def test_nothing_to_send_uses_no_number(digest: Digest, newsletter: Make) -> None:
    """A week without a summary is no issue: exit 0, or 3 where that was asked for."""
    root = newsletter({})
    code, out, _ = digest("-C", root, "build", *_NOW)

    assert code == 0
    assert "nothing to send" in out
    assert digest("-C", root, "build", "--fail-if-empty", *_NOW)[0] == 3
    assert not (root / "outbox").exists()
    assert not (root / "content" / "issues").exists()


def test_dry_runs_change_nothing(digest: Digest, letter: Path) -> None:
    """No byte changes, no file appears, before and after an issue is there."""
    before = _tree(letter)
    dry = _json(digest("-C", letter, "build", "--dry-run", "--json", *_NOW))
    assert _tree(letter) == before

    real = _json(digest("-C", letter, "build", "--json", *_NOW))
    assert {**dry, "changed": []} == {**real, "changed": []}
    assert dry["changed"] == real["changed"]

    before = _tree(letter)
    assert digest("-C", letter, "publish", "--dry-run", *_NOW)[0] == 0
    assert digest("-C", letter, "new", "A pier", "--dry-run", *_NOW)[0] == 0
    assert digest("init", letter, "--dry-run", *_NOW)[0] == 0
    assert _tree(letter) == before


@pytest.mark.parametrize("command", [["plan"], ["why", "mills"], ["status"], ["config"], ["check"]])
def test_looking_changes_nothing(digest: Digest, letter: Path, command: list[str]) -> None:
    """Commands that only look leave every byte, with and without a database."""
    digest("-C", letter, "build", *_NOW)
    before = _tree(letter)
    assert digest("-C", letter, *command, *_NOW)[0] == 0
    assert _tree(letter) == before

    digest("-C", letter, "publish", *_NOW)
    before = _tree(letter)
    assert digest("-C", letter, *command, *_NOW)[0] == 0
    assert _tree(letter) == before


def test_editor_decides_by_the_issue_file(digest: Digest, letter: Path) -> None:
    """What people write into the issue file is what the next build renders."""
    digest("-C", letter, "build", *_NOW)
    file = letter / "content/issues/2026-w49.md"
    file.write_text(
        "---\nsubject: By hand\nitems:\n  - locks\n  - mills\n---\n\nA word before.\n", "utf-8"
    )
    built = _json(digest("-C", letter, "build", "--json", *_NOW))
    text = (letter / "outbox/2026-w49/issue.txt").read_text()
    message = message_from_bytes((letter / "outbox/2026-w49/issue.eml").read_bytes())

    assert [item["title"] for item in built["items"]] == ["Old locks", "Tide mills"]
    assert "A word before." in text
    assert message["Subject"] == "By hand"


def test_issue_file_that_names_a_lost_summary_is_an_error(digest: Digest, letter: Path) -> None:
    """All ids that nobody has are named at once; the edition stays as it was."""
    digest("-C", letter, "build", *_NOW)
    before = _tree(letter / "outbox")
    (letter / "content/issues/2026-w49.md").write_text("---\nitems: [gone, locks, lost]\n---\n")
    code, _, err = digest("-C", letter, "build", *_NOW)

    assert code == 2
    assert "'gone'" in err
    assert "'lost'" in err
    assert _tree(letter / "outbox") == before


def test_held_issue_is_not_published(digest: Digest, letter: Path) -> None:
    """A `hold` in the issue file stops the publishing with its reason."""
    digest("-C", letter, "build", *_NOW)
    file = letter / "content/issues/2026-w49.md"
    file.write_text(file.read_text().replace("---\n", "---\nhold: Wait for Ada\n", 1))
    code, _, err = digest("-C", letter, "publish", *_NOW)

    assert code == 4
    assert "Wait for Ada" in err
    assert not (letter / "outbox/site").exists()
    assert json.loads(digest("-C", letter, "status", "--json", *_NOW)[1])["issues"][0]["state"] == (
        "held"
    )


def test_error_of_a_check_stops_the_publishing(digest: Digest, newsletter: Make) -> None:
    """An embargoed summary that an editor put in by hand is not published."""
    root = newsletter(
        {
            **_ITEMS,
            "content/secret.md": _item("A secret", more="draft: true\n"),
            "content/issues/2026-w49.md": "---\nitems: [mills, secret]\n---\n",
        }
    )
    digest("-C", root, "build", *_NOW)
    code, _, err = digest("-C", root, "publish", *_NOW)

    assert code == 4
    assert "D121" in err
    assert not (root / "outbox/site").exists()


def test_published_edition_never_changes(digest: Digest, letter: Path) -> None:
    """New content and a new look change the next issue, not the one that is out."""
    digest("-C", letter, "build", *_NOW)
    digest("-C", letter, "publish", *_NOW)
    edition, page = _tree(letter / "outbox/2026-w49"), letter / "outbox/site/2026-w49.html"
    before = page.read_bytes()
    (letter / "content/mills.md").write_text(_item("Mills, corrected"))
    (letter / "templates").mkdir()
    (letter / "templates/page.html.j2").write_text("<p>another look</p>")
    digest("-C", letter, "build", *_NOW)
    digest("-C", letter, "publish", *_NOW)
    code, out, _ = digest("-C", letter, "verify", *_NOW)

    assert _tree(letter / "outbox/2026-w49") == edition
    assert page.read_bytes() == before
    assert (code, out) == (0, "2026-w49: identical, every byte\n")


def test_changed_edition_is_found_out(digest: Digest, letter: Path) -> None:
    """A byte changed in a kept edition is an error for verify and for publish, and named."""
    digest("-C", letter, "build", *_NOW)
    file = letter / "outbox/2026-w49/issue.html"
    file.write_bytes(file.read_bytes() + b" ")

    for command in ("verify", "publish"):
        code, _, err = digest("-C", letter, command, *_NOW)
        assert code == 6
        assert "issue.html" in err
    assert not (letter / "outbox/site").exists()


def test_draft_gets_its_number_when_it_is_published(digest: Digest, newsletter: Make) -> None:
    """A draft built early is numbered anew, from its kept inputs, when another came first."""
    more = {f"content/x{n}.md": _item(f"Extra {n}", more="theme: piers\n") for n in range(3)}
    root = newsletter({**_ITEMS, **more}, settings=_THEMES)
    digest("-C", root, "build", "2026-w49", *_NOW)
    digest("-C", root, "build", "2026-w50", *_NOW)
    first = _json(digest("-C", root, "publish", "2026-w50", "--json", *_NOW))
    second = _json(digest("-C", root, "publish", "2026-w49", "--json", *_NOW))

    assert (first["number"], second["number"]) == (1, 2)
    assert "Issue 2" in (root / "outbox/2026-w49/issue.txt").read_text()
    assert digest("-C", root, "verify", "--all", *_NOW)[0] == 0


def test_clone_without_a_database_knows_what_is_out(digest: Digest, letter: Path) -> None:
    """The seal in the issue file stands in for a database that is not there."""
    digest("-C", letter, "build", *_NOW)
    digest("-C", letter, "publish", *_NOW)
    (letter / "private/digest.db").unlink()
    site = _tree(letter / "outbox/site")
    status = _json(digest("-C", letter, "status", "--json", *_NOW))
    again = _json(digest("-C", letter, "publish", "--json", "--now", "2026-12-03"))

    assert status["issues"][0]["state"] == "published"
    assert again["state"] == "unchanged"
    assert _tree(letter / "outbox/site") == site
    assert (letter / "private/digest.db").is_file()


def test_seal_and_site_are_mended_after_a_crash(digest: Digest, letter: Path) -> None:
    """Where only the commit had happened, the same command does the rest."""
    digest("-C", letter, "build", *_NOW)
    draft = (letter / "content/issues/2026-w49.md").read_bytes()
    digest("-C", letter, "publish", *_NOW)
    done = _tree(letter)
    (letter / "content/issues/2026-w49.md").write_bytes(draft)
    for file in (letter / "outbox/site").iterdir():
        file.unlink()
    digest("-C", letter, "publish", "--now", "2026-12-05")

    assert _tree(letter) == done


def test_second_issue_in_one_week(digest: Digest, letter: Path) -> None:
    """`--extra` makes an issue of its own name from what is left."""
    (letter / "content/pier.md").write_text(_item("A pier"))
    digest("-C", letter, "build", *_NOW)
    extra = _json(digest("-C", letter, "build", "--extra", "Late news", "--json", *_NOW))

    assert extra["issue"] == "2026-w49-late-news"
    assert [item["title"] for item in extra["items"]] == ["A pier"]


def test_theme_can_be_asked_for(digest: Digest, newsletter: Make) -> None:
    """`--theme` decides before the picking; afterwards the issue file does."""
    more = {f"content/x{n}.md": _item(f"Extra {n}", more="theme: piers\n") for n in range(3)}
    root = newsletter({**_ITEMS, **more}, settings=_THEMES)
    built = _json(digest("-C", root, "build", "--theme", "piers", "--json", *_NOW))
    code, _, err = digest("-C", root, "build", "--theme", "water", *_NOW)

    assert built["theme"] == "piers"
    assert code == 4
    assert "content/issues/2026-w49.md" in err
    assert digest("-C", root, "build", "2026-w50", "--theme", "peirs", *_NOW)[0] == 2


def test_new_starts_a_summary(digest: Digest, letter: Path) -> None:
    """A new summary is a file that the library reads; the same title again is refused."""
    code, out, _ = digest("-C", letter, "new", "Piers: old & new", *_NOW)
    assert (code, out) == (0, "content/piers-old-new.md\n")

    why = _json(digest("-C", letter, "why", "piers-old-new", "--json", *_NOW))
    assert why["id"] == "piers-old-new"
    assert digest("-C", letter, "new", "Piers: old & new", *_NOW)[0] == 2
    assert digest("-C", letter, "new", " ", *_NOW)[0] == 2


def test_plan_names_the_coming_issues(digest: Digest, letter: Path) -> None:
    """The plan starts with the present week and says why a week has nothing."""
    plan = _json(digest("-C", letter, "plan", "--weeks", "2", "--json", *_NOW))
    first, second = plan["issues"]

    assert (first["issue"], first["theme"]) == ("2026-w49", "water")
    assert {item["path"] for item in first["items"]} == {"mills.md", "locks.md", "weirs.md"}
    assert all(item["reason"] for item in first["items"])
    assert second["skipped"].startswith("nothing to send")


def test_why_explains_items_in_and_out(digest: Digest, newsletter: Make) -> None:
    """The answer agrees with the issue, and an unknown name gives the nearest ones."""
    root = newsletter({**_ITEMS, "content/old.md": _item("Old", more="not_after: 2026-11-20\n")})

    assert _json(digest("-C", root, "why", "content/mills.md", "--json", *_NOW))["in"] is True
    out = _json(digest("-C", root, "why", "old", "--json", *_NOW))
    assert out["in"] is False
    assert "2026-11-20" in " ".join(out["steps"])
    code, _, err = digest("-C", root, "why", "mils", *_NOW)
    assert code == 2
    assert "mills" in err


def test_output_holds_no_absolute_path(digest: Digest, letter: Path) -> None:
    """Neither what is printed nor what is written names the folder the newsletter lies in."""
    printed = "".join(
        "".join(digest("-C", letter, *command, *_NOW)[1:])
        for command in (["build", "-v"], ["check"], ["publish"], ["status"], ["config"], ["plan"])
    )
    files = b"".join(path.read_bytes() for path in (letter / "outbox").rglob("*") if path.is_file())

    assert str(letter.parent) not in printed
    assert str(letter.parent).encode() not in files


def test_why_agrees_with_an_issue_file_edited_by_hand(digest: Digest, letter: Path) -> None:
    """Once there is an issue file, it decides; the rules are told behind it."""
    (letter / "content/issues").mkdir()
    (letter / "content/issues/2026-w49.md").write_text("---\nitems: [locks]\n---\n")
    inside = _json(digest("-C", letter, "why", "locks", "--json", *_NOW))
    outside = _json(digest("-C", letter, "why", "mills", "--json", *_NOW))

    assert inside["in"] is True
    assert inside["steps"][0] == "in: content/issues/2026-w49.md lists it"
    assert outside["in"] is False
    assert "though the rules would take it" in outside["steps"][0]


def test_late_issue_takes_what_was_written_after_its_slot(digest: Digest, newsletter: Make) -> None:
    """On Wednesday a summary dated Tuesday can be in the issue that was due on Monday."""
    root = newsletter({"content/new.md": "---\ntitle: New\ndate: 2026-12-01\n---\n\nWords.\n"})
    wednesday = ("--now", "2026-12-02T12:00:00+01:00")
    early = _json(digest("-C", root, "build", "--json", "--dry-run", "--now", "2026-11-30T08:00"))
    late = _json(digest("-C", root, "build", "--json", *wednesday))
    issue = (root / "outbox/2026-w49/edition.json").read_text()

    assert early["items"] == []
    assert [item["title"] for item in late["items"]] == ["New"]
    assert json.loads(issue)["slot"] == "2026-11-30T09:00:00+01:00"
    assert _json(digest("-C", root, "why", "new", "--json", *wednesday))["in"] is True
    assert digest("-C", root, "publish", *wednesday)[0] == 0


def test_items_named_without_a_theme_get_their_own(digest: Digest, letter: Path) -> None:
    """An issue file may name bare ids: the rules say under which theme they stand."""
    (letter / "content/issues").mkdir()
    (letter / "content/issues/2026-w49.md").write_text("---\nitems: [locks]\n---\n")
    digest("-C", letter, "build", *_NOW)
    manifest = json.loads((letter / "outbox/2026-w49/edition.json").read_text())

    assert [item["theme"] for item in manifest["items"]] == ["water"]
    assert manifest["tags"] == ["Water"]


def test_edit_after_the_build_stops_the_publishing(digest: Digest, letter: Path) -> None:
    """An issue file that says other than the edition is built again before it goes out."""
    digest("-C", letter, "build", *_NOW)
    file = letter / "content/issues/2026-w49.md"
    file.write_text(file.read_text().replace("---\n", "---\nsubject: Changed\n", 1))
    code, _, err = digest("-C", letter, "publish", *_NOW)

    assert code == 4
    assert "digest build 2026-w49" in err
    assert not (letter / "outbox/site").exists()
    digest("-C", letter, "build", *_NOW)
    assert digest("-C", letter, "publish", *_NOW)[0] == 0


def test_summary_saved_after_the_build_is_told(digest: Digest, letter: Path) -> None:
    """The edition that was looked at goes out; what was saved since is named."""
    digest("-C", letter, "build", *_NOW)
    (letter / "content/mills.md").write_text(_item("Mills, mended"))
    code, _, err = digest("-C", letter, "publish", *_NOW)

    assert code == 0
    assert "content/mills.md: was saved after the build" in err
    assert "Mills, mended" not in (letter / "outbox/site/2026-w49.html").read_text()


def test_lost_issue_file_of_a_published_issue_is_made_anew(digest: Digest, letter: Path) -> None:
    """The edition remembers the issue; publishing again writes its file, seal and all."""
    digest("-C", letter, "build", *_NOW)
    digest("-C", letter, "publish", *_NOW)
    file = letter / "content/issues/2026-w49.md"
    before = file.read_bytes()
    file.unlink()
    built = _json(digest("-C", letter, "build", "--json", *_NOW))
    again = _json(digest("-C", letter, "publish", "--json", *_NOW))

    assert len(built["items"]) == 3
    assert again["state"] == "unchanged"
    assert file.read_bytes() == before


def test_lost_edition_is_built_again_if_nothing_changed(digest: Digest, letter: Path) -> None:
    """A clone without `outbox/` gets its published editions back, to the same bytes."""
    digest("-C", letter, "build", *_NOW)
    digest("-C", letter, "publish", *_NOW)
    before = _tree(letter / "outbox")
    shutil.rmtree(letter / "outbox")
    assert digest("-C", letter, "publish", *_NOW)[0] == 0
    assert _tree(letter / "outbox") == before

    shutil.rmtree(letter / "outbox")
    (letter / "content/mills.md").write_text(_item("Mills, mended"))
    code, _, err = digest("-C", letter, "publish", *_NOW)
    assert code == 6
    assert "outbox/2026-w49" in err
    assert "backup" in err
    assert not (letter / "outbox").exists()


def test_wrongly_named_issue_file_is_an_error(digest: Digest, letter: Path) -> None:
    """A file that would count for no issue is named: a `hold` in it must not be lost."""
    (letter / "content/issues").mkdir()
    (letter / "content/issues/2026-W49.md").write_text("---\nhold: Wait\nitems: [mills]\n---\n")
    code, _, err = digest("-C", letter, "build", *_NOW)

    assert code == 2
    assert "content/issues/2026-W49.md" in err


def test_publish_of_a_week_without_an_issue_is_nothing_to_do(digest: Digest, letter: Path) -> None:
    """In a script an empty week ends well, with a site that is up to date; one by name does not."""
    assert digest("-C", letter, "publish", "2026-w49", *_NOW)[0] == 2
    assert not (letter / "outbox").exists()
    told = _json(digest("-C", letter, "publish", "--json", *_NOW))

    assert told["state"] == "none"
    assert set(told["changed"]) == {
        f"outbox/site/{name}"
        for name in ("index.html", "404.html", "rss.xml", "atom.xml", "feed.json")
    }
    assert feedparser.parse((letter / "outbox/site/atom.xml").read_bytes()).entries == []


def test_strict_checks_hold_for_publishing_too(digest: Digest, letter: Path) -> None:
    """With `[checks] strict` a warning stops the publishing."""
    digest("-C", letter, "build", *_NOW)
    code, _, err = digest("-C", letter, "publish", "--set", "checks.strict=true", *_NOW)

    assert code == 4
    assert "D104" in err


def test_unknown_rule_to_ignore_is_an_error(digest: Digest, letter: Path) -> None:
    """A rule that is not there cannot be silenced."""
    digest("-C", letter, "build", *_NOW)
    code, _, err = digest("-C", letter, "check", "--set", "checks.ignore=['D999']", *_NOW)

    assert code == 2
    assert "D999" in err


def test_verify_of_all_is_one_answer(digest: Digest, letter: Path) -> None:
    """`verify --all --json` is one JSON value."""
    digest("-C", letter, "build", *_NOW)
    told = _json(digest("-C", letter, "verify", "--all", "--json", *_NOW))

    assert [one["issue"] for one in told["editions"]] == ["2026-w49"]


def test_init_leaves_somebodys_content_alone(digest: Digest, tmp_path: Path) -> None:
    """A folder with summaries of its own gets no samples among them."""
    (tmp_path / "content").mkdir()
    (tmp_path / "content/mine.md").write_text("# Mine\n\nWords.\n")
    digest("init", tmp_path, *_NOW)

    assert [path.name for path in (tmp_path / "content").iterdir()] == ["mine.md"]
    assert (tmp_path / "digest.toml").is_file()
