"""Looks listed, copied to be changed, and tried on specimen issues."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cases.forms import tree

from digest.config import load_settings
from digest.errors import ConfigError, FilesError, TemplateError, UsageError
from digest.files.shipped import LookFile, read_templates, shipped_templates
from digest.publish.look_trial import Checked, check_look
from digest.publish.looks import Look, export_look, looks
from digest.publish.project import Project
from digest.publish.specimen import specimens

Make = Callable[..., Path]

ROOT = Path(__file__).resolve().parent.parent.parent


def _project(root: Path, *overrides: str) -> Project:
    return Project(settings=load_settings(root, file=None, environ={}, overrides=overrides))


def _shipped(name: str, look: str = "default") -> str:
    return shipped_templates(look)[name].decode()


def _changed(name: str, old: str, new: str) -> str:
    """Give a shipped template with one thing changed."""
    text = _shipped(name)
    assert old in text, (name, old)
    return text.replace(old, new)


def _told(checked: Checked) -> list[tuple[str, str]]:
    return [(problem.where, problem.what) for problem in checked.problems]


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try on one specimen only, where the others have nothing to add."""
    monkeypatch.setattr(
        "digest.publish.look_trial.specimens", lambda letter: specimens(letter)[1:2]
    )


def test_looks_are_listed_with_own_files(newsletter: Make) -> None:
    """Each look tells where it comes from, whether it is in use, and what is the newsletter's."""
    root = newsletter(
        {"templates/brand/letter.css.j2": "", "templates/words.txt.j2": ""},
        settings='look = "brand"\n',
    )
    words = LookFile(
        name="words.txt.j2",
        place="templates/words.txt.j2",
        shipped=False,
        replaces="templates/words.txt.j2",
    )
    style = LookFile(
        name="letter.css.j2",
        place="templates/brand/letter.css.j2",
        shipped=False,
        replaces="templates/letter.css.j2",
    )

    assert looks(_project(root)) == (
        Look(name="default", shipped=True, used=False, own=(words,)),
        Look(name="compact", shipped=True, used=False, own=(words,)),
        Look(name="brand", shipped=False, used=True, own=(style, words)),
    )


def test_unknown_look_in_the_settings_is_refused(newsletter: Make) -> None:
    """A setting that names no look is wrong for every command of looks."""
    project = _project(newsletter({}), "mail.look=brand")

    for ask in (lambda: looks(project), lambda: check_look(project)):
        with pytest.raises(ConfigError, match="there is no look 'brand'"):
            ask()
    with pytest.raises(ConfigError, match="there is no look 'brand'"):
        export_look(project, (), dry_run=True)


def test_export_writes_the_files_of_the_look_in_use(newsletter: Make) -> None:
    """Without words all templates of the look are written, byte for byte, and nothing else."""
    root = newsletter({})

    done = export_look(_project(root), (), dry_run=False)

    names = [name for name in sorted(shipped_templates("default")) if name.endswith(".j2")]
    assert done.look == "default"
    assert done.written == tuple(f"templates/{name}" for name in names)
    assert {path.name for path in (root / "templates").iterdir()} == set(names)
    assert (root / "templates/words.txt.j2").read_text("utf-8") == _shipped("words.txt.j2")


def test_export_of_another_look_goes_into_its_folder(newsletter: Make) -> None:
    """The compact look's own files go to its folder; one of the default look can be asked for."""
    project = _project(newsletter({}))

    whole = export_look(project, ("compact",), dry_run=False)
    style = export_look(project, ("compact", "letter.css.j2", "items.mjml.j2"), dry_run=False)

    assert "templates/compact/items.mjml.j2" in whole.written
    assert style.written == ("templates/compact/letter.css.j2",)
    assert style.there == ("templates/compact/items.mjml.j2",)
    exported = (project.root / "templates/compact/items.mjml.j2").read_text("utf-8")
    assert exported == _shipped("items.mjml.j2", "compact")


def test_export_never_overwrites(newsletter: Make) -> None:
    """What is there stays, a link too; the rest is written."""
    root = newsletter({"templates/words.txt.j2": "mine", "elsewhere": "x"})
    (root / "templates/letter.css.j2").symlink_to(root / "gone")
    words = ("words.txt.j2", "letter.css.j2", "page.css.j2", "words.txt.j2")

    done = export_look(_project(root), words, dry_run=False)

    assert done.there == ("templates/words.txt.j2", "templates/letter.css.j2")
    assert done.written == ("templates/page.css.j2",)
    assert (root / "templates/words.txt.j2").read_text("utf-8") == "mine"
    assert (root / "templates/letter.css.j2").is_symlink()


def test_dry_run_of_export_writes_nothing(newsletter: Make) -> None:
    """A dry run tells the same and leaves the folder as it is."""
    root = newsletter({})
    before = tree(root)

    done = export_look(_project(root), ("letter.css.j2",), dry_run=True)

    assert done.written == ("templates/letter.css.j2",)
    assert tree(root) == before


def test_export_refuses_names_that_are_none(newsletter: Make) -> None:
    """A wrong look, a wrong file, and an own look without files are refused before a write."""
    project = _project(newsletter({"templates/my.brand/letter.css.j2": ""}))

    for words, told in (
        (("compct",), "there is no look 'compct'\n  did you mean compact?"),
        (("letter.cs.j2",), "no look has a file 'letter.cs.j2'\n  did you mean letter.css.j2?"),
        (("default", "x"), "no look has a file 'x'\n  the files are entry.html.j2, "),
        (("my.brand",), "my.brand is a look of your own, so no file of it is shipped"),
    ):
        with pytest.raises(UsageError) as caught:
            export_look(project, words, dry_run=False)
        assert str(caught.value).startswith(told)

    began = export_look(project, ("my.brand", "words.txt.j2"), dry_run=False)
    assert began.written == ("templates/my.brand/words.txt.j2",)


@pytest.mark.parametrize("look", ["default", "compact"])
def test_shipped_looks_have_no_fault(newsletter: Make, look: str) -> None:
    """A shipped look makes every specimen, and no check has anything to say."""
    checked = check_look(_project(newsletter({}), "checks.strict=true"), look)

    assert checked.look == look
    assert (checked.problems, checked.notes, checked.flaws) == ((), (), ())
    assert not checked.stops
    assert all(tried.sizes["issue.html"] for tried in checked.tried)
    assert (checked.accepted, checked.written) == (None, False)


def test_faults_of_all_files_are_told_in_one_run(newsletter: Make) -> None:
    """Each wrong file is told with its line, what the mail lacks too; the trial goes on."""
    faults = {
        "entry.html.j2": _changed("entry.html.j2", "{{ item.title }}", ""),
        "letter.mjml.j2": _changed("letter.mjml.j2", "[[leave_url]]", "https://a.example/")
        .replace("letter.postal_address", "letter.sender")
        .replace("{{ letter.page_url }}", "https://a.example/"),
        "letter.txt.j2": "{{ letter.nonsense }}\n",
        "page.html.j2": _changed("page.html.j2", "{% endfor %}", "{% endfr %}"),
        "missing.html.j2": "{{ nonsense }}\n",
        "strip.txt.j2": "\n{{ strip.nonsense }}\n",
        "alone.txt.j2": "{% if %}",
        "word.txt.j2": "",
    }
    root = newsletter({f"templates/{name}": text for name, text in faults.items()})

    checked = check_look(_project(root))

    told = _told(checked)
    assert checked.stops
    assert [where for where, _ in told] == [
        "templates/alone.txt.j2:1",
        "templates/entry.html.j2",
        *["templates/letter.mjml.j2"] * 4,
        "templates/letter.txt.j2:1",
        "templates/missing.html.j2:1",
        *[where for where, _ in told if where.startswith("templates/page.html.j2:")],
        "templates/strip.txt.j2:2",
        "templates/word.txt.j2",
    ]
    mail = [what for where, what in told if where == "templates/letter.mjml.j2"]
    assert mail == [
        "does not show the postal address",
        "has no [[leave_url]], so nobody can leave",
        "has no link to [[leave_url]] before the items, where letter.long asks for it",
        "has no link to letter.page_url before the items, where letter.long asks for it",
    ]
    assert "does not show the title" in told[1][1]
    assert checked.problems[-1].fix == "did you mean words.txt.j2?"
    assert [note.where for note in checked.notes] == ["templates/alone.txt.j2"]
    assert all(tried.sizes for tried in checked.tried)


@pytest.mark.usefixtures("brief")
def test_fault_in_an_included_file_is_mended_for_the_trial(newsletter: Make) -> None:
    """Where the template named is not the wrong one, all own files are set aside to go on."""
    items = _changed("items.mjml.j2", "{{ item.title }}", "")
    wrong = {"templates/items.mjml.j2": items, "templates/page.css.j2": "{{ nonsense }}"}

    checked = check_look(_project(newsletter(wrong)))

    assert {where for where, _ in _told(checked)} == {
        "templates/letter.mjml.j2",
        "templates/page.css.j2:1",
    }
    assert all(tried.sizes for tried in checked.tried)


@pytest.mark.usefixtures("brief")
def test_specimen_that_cannot_be_made_has_no_sizes(
    newsletter: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no shipped file helps, the trial tells the fault and ends for that specimen."""
    monkeypatch.setattr("digest.publish.look_trial.shipped_templates", lambda _: {})
    root = newsletter({"templates/letter.txt.j2": "{{ nonsense }}"})

    checked = check_look(_project(root))

    assert ("templates/letter.txt.j2:1", "'nonsense' is undefined") in _told(checked)
    assert all(tried.sizes == {} for tried in checked.tried)


@pytest.mark.usefixtures("brief")
def test_findings_of_checks_are_told_once_with_their_template(newsletter: Make) -> None:
    """A faint colour is found in the mail and told of the template, with all its specimens."""
    style = _shipped("letter.css.j2") + "\n.meta { color: #EEEEEE; }\n"
    root = newsletter({"templates/letter.css.j2": style})

    mild = check_look(_project(root))
    strict = check_look(_project(root, "checks.strict=true"))
    silent = check_look(_project(root, 'checks.ignore=["D117"]'))

    (faint, *_) = [flaw for flaw in mild.flaws if flaw.finding.rule == "D117"]
    assert faint.finding.path == "templates/letter.mjml.j2"
    assert set(faint.specimens) == {tried.name for tried in mild.tried}
    assert not mild.problems
    assert not mild.stops
    assert strict.stops
    assert silent.flaws == ()


@pytest.mark.usefixtures("brief")
def test_files_that_nothing_reads_are_told(newsletter: Make) -> None:
    """A misspelt name is an error; a copy put aside, or any other file, is only noted."""
    root = newsletter(
        {
            "templates/wordz.txt.j2": "",
            "templates/compact/letter.mjml": "",
            "templates/compact/items.txt.j2": _shipped("items.txt.j2", "compact"),
            "templates/words.txt.j2.bak": "",
            "templates/notes.md": "",
            "templates/mine.html.j2": "",
            "templates/used.html.j2": "",
            "templates/page.css.j2": _shipped("page.css.j2") + "{% include 'used.html.j2' %}",
        }
    )

    checked = check_look(_project(root), "compact")

    assert [(problem.where, problem.fix) for problem in checked.problems] == [
        ("templates/wordz.txt.j2", "did you mean words.txt.j2?"),
        ("templates/compact/letter.mjml", "did you mean letter.mjml.j2?"),
    ]
    assert [note.where for note in checked.notes] == [
        "templates/mine.html.j2",
        "templates/notes.md",
        "templates/words.txt.j2.bak",
    ]
    assert checked.stops


@pytest.mark.usefixtures("brief")
def test_any_template_may_be_read_where_a_name_is_made_up(newsletter: Make) -> None:
    """A template that includes what only it knows may read each of them."""
    style = _shipped("page.css.j2") + "{% set part = 'us' ~ 'ed.txt.j2' %}{% include part %}"
    root = newsletter({"templates/used.txt.j2": "", "templates/page.css.j2": style})

    assert check_look(_project(root)).notes == ()


@pytest.mark.usefixtures("brief")
def test_accept_writes_the_baseline(newsletter: Make) -> None:
    """What the look uses and a program lacks is written once, sorted, and told no more."""
    style = _shipped("letter.css.j2") + "\n.meta { display: grid; }\n"
    root = newsletter({"templates/letter.css.j2": style})
    project = _project(root)

    first = check_look(project, accept=True)
    again = check_look(project, accept=True)

    held = json.loads((root / "templates/support.json").read_text("utf-8"))["accepted"]
    assert held == sorted(held)
    assert set(held) > {"css-display-grid"}
    assert first.accepted == tuple(held)
    assert (first.written, again.written) == (True, False)
    assert first.place == "templates/support.json"
    assert not [flaw for flaw in check_look(project).flaws if flaw.finding.rule == "D118"]


def test_accept_keeps_the_baseline_of_another_look_apart(newsletter: Make) -> None:
    """The baseline of the compact look goes into its folder, and is that of the shipped one."""
    project = _project(newsletter({}))

    done = check_look(project, "compact", accept=True)

    assert done.place == "templates/compact/support.json"
    written = read_templates(project.root, "compact").texts["support.json"]
    assert written == _shipped("support.json", "compact")


@pytest.mark.usefixtures("brief")
def test_nothing_is_accepted_of_a_look_with_problems(newsletter: Make) -> None:
    """Where a template fails, what the look uses is not known, and the file stays as it is."""
    root = newsletter({"templates/letter.txt.j2": "{{ x }}", "templates/support.json": "{"})

    checked = check_look(_project(root), accept=True)

    assert (checked.accepted, checked.written) == (None, False)
    assert (root / "templates/support.json").read_text("utf-8") == "{"


@pytest.mark.usefixtures("brief")
def test_broken_baseline_is_told_and_mended_by_accept(newsletter: Make) -> None:
    """A baseline that cannot be read is an error; accepting writes it anew."""
    root = newsletter({"templates/support.json": "{"})
    project = _project(root)

    assert [where for where, _ in _told(check_look(project))] == ["templates/support.json"]
    assert check_look(project, accept=True).written
    assert not check_look(project).stops


def test_templates_that_are_no_text_stop_the_trial(newsletter: Make) -> None:
    """A file that is no UTF-8 ends the command: no look can be read from it."""
    project = _project(newsletter({"templates/letter.css.j2": b"\xff"}))

    with pytest.raises(TemplateError, match="cannot be read"):
        check_look(project)


@pytest.mark.usefixtures("brief")
def test_baseline_is_not_written_through_a_link(newsletter: Make, tmp_path: Path) -> None:
    """A folder of templates that is a link out of the newsletter is not written to."""
    root = newsletter({})
    (tmp_path / "elsewhere").mkdir()
    (root / "templates").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FilesError, match="symbolic link"):
        check_look(_project(root), accept=True)
