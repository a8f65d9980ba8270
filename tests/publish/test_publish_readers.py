"""The list of readers: who comes onto it, who leaves, and who never comes back unasked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from digest.config import load_settings
from digest.errors import FilesError, GuardError, UsageError
from digest.model import Consent, Reader, ReaderState
from digest.publish.project import Project
from digest.publish.readers import (
    Added,
    add_reader,
    import_readers,
    list_readers,
    remove_readers,
)
from digest.store import open_store

Make = Callable[..., Path]

_NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
_LATER = _NOW + timedelta(days=7)
_LIST = "email,name,status\nida@post.example,Ida,\njon@post.example,Jon,unsubscribed\n"


@pytest.fixture
def project(newsletter: Make) -> Project:
    """Give a newsletter that nobody reads yet."""
    return Project(settings=load_settings(newsletter({}), file=None, environ={}, overrides=()))


def _add(
    project: Project, address: str = "ida@post.example", *, consent: str = "asked", name: str = ""
) -> Added:
    return add_reader(project, address, name=name, consent=consent, now=_NOW)


def _put(project: Project, state: ReaderState) -> Reader:
    """Put one reader on the list, in a state."""
    reader = Reader(
        address="ida@post.example", name="Ida", state=state, reason="as told", since=_NOW
    )
    settings = project.settings
    with open_store(settings.store_url, create=True, shown=settings.store_name) as store:
        store.readers.add([reader], consent=Consent(source="asked", at=_NOW))
    return reader


def test_nobody_reads_a_new_newsletter(project: Project) -> None:
    """To look makes no database."""
    assert list_readers(project) == ()
    assert not (project.root / "private").exists()


def test_reader_is_added_cleaned(project: Project) -> None:
    """Address and name are those that mail can be sent to; the moment is kept."""
    added = _add(project, " ida@b\u00fccher.example ", name="Ida\r\nHolm ")

    assert added.done == "added"
    assert list_readers(project) == (added.reader,)
    assert added.reader == Reader(
        address="ida@xn--bcher-kva.example", name="Ida Holm", reason="added by hand", since=_NOW
    )


@pytest.mark.parametrize("consent", ["", " \n\t"])
def test_new_reader_needs_a_consent(project: Project, consent: str) -> None:
    """Without one nothing is made, and the message shows how to give it."""
    with pytest.raises(UsageError, match='such as --consent "'):
        _add(project, consent=consent)

    assert not (project.root / "private").exists()


@pytest.mark.parametrize("address", ["ida", "Ida <ida@post.example>", "=?utf-8?q?i?=@post.example"])
def test_address_that_is_none_is_refused(project: Project, address: str) -> None:
    """The same by add and by remove."""
    with pytest.raises(UsageError, match="is no mail address"):
        _add(project, address)
    with pytest.raises(UsageError, match="is no mail address"):
        remove_readers(project, ["jon@post.example", address], now=_NOW)


def test_name_beyond_measure_is_refused(project: Project) -> None:
    """No header is made of a page of text."""
    with pytest.raises(UsageError, match="200 characters"):
        _add(project, name="I" * 201)


def test_active_reader_may_be_renamed(project: Project) -> None:
    """To add a reader again needs no consent and changes the name at most."""
    before = _add(project).reader
    again = add_reader(project, "IDA@post.example", name="", consent="", now=_LATER)
    renamed = add_reader(project, "ida@post.example", name="Ida", consent="", now=_LATER)

    assert (again.done, again.reader) == ("nothing", before)
    assert (renamed.done, renamed.reader.name, renamed.reader.since) == ("renamed", "Ida", _NOW)
    assert list_readers(project) == (renamed.reader,)


@pytest.mark.parametrize(("state", "done"), [("left", "back"), ("pending", "confirmed")])
def test_who_left_or_never_confirmed_comes_by_their_own_word(
    project: Project, state: ReaderState, done: str
) -> None:
    """Only a consent makes them active, from that moment on."""
    before = _put(project, state)
    with pytest.raises(UsageError, match=r"ida@post\.example has "):
        _add(project, consent="")
    assert list_readers(project) == (before,)

    back = add_reader(project, "Ida@post.example", name="", consent="wrote again", now=_LATER)

    assert back.done == done
    assert list_readers(project, "active") == (back.reader,)
    assert (back.reader.address, back.reader.name) == (before.address, "Ida")
    assert (back.reader.reason, back.reader.since) == ("added by hand", _LATER)


def test_suppressed_reader_is_not_added(project: Project) -> None:
    """Not even with a consent, and the reason is told."""
    before = _put(project, "suppressed")
    with pytest.raises(GuardError, match="suppressed and gets no mail: as told"):
        _add(project)

    assert list_readers(project) == (before,)


def test_quicker_process_is_no_error(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was added between the look and the writing stays as they were added."""
    before = _put(project, "left")
    monkeypatch.setattr("digest.publish.readers._known", lambda *_: {})
    added = _add(project)

    assert (added.done, added.reader) == ("nothing", before)


def test_list_is_taken_in(project: Project) -> None:
    """Rows become readers with a reason; a second time nothing changes."""
    file = project.root / "list.csv"
    file.write_text(_LIST)
    taken = import_readers(project, file, consent="old list", now=_NOW)
    again = import_readers(project, file, consent="old list", now=_LATER)

    assert [(one.address, one.state, one.reason) for one in taken.imported] == [
        ("ida@post.example", "active", "imported from list.csv"),
        ("jon@post.example", "left", "imported from list.csv as unsubscribed"),
    ]
    assert list_readers(project) == taken.imported == again.known
    assert again.imported == ()
    assert [(one.place, one.reason) for one in again.skipped] == [
        ("list.csv:2", "ida@post.example is on the list already and stays active"),
        ("list.csv:3", "jon@post.example is on the list already and stays left"),
    ]
    assert again.notices == ()


@pytest.mark.parametrize("state", ["pending", "active", "left", "suppressed"])
@pytest.mark.parametrize("says", ["", "active", "left", "bounced"])
def test_import_changes_nobody(project: Project, state: ReaderState, says: str) -> None:
    """Whatever a list says of a known reader; where it says that they left, that is noticed."""
    before = _put(project, state)
    file = project.root / "list.csv"
    file.write_text(f"email,name,status\nIDA@post.example,Other,{says}\n")
    taken = import_readers(project, file, consent="old list", now=_LATER)

    assert list_readers(project) == taken.known == (before,)
    assert f"stays {state}" in taken.skipped[0].reason
    left = says in {"left", "bounced"} and state in {"pending", "active"}
    assert len(taken.notices) == left
    if left:
        assert "`digest readers remove ida@post.example`" in taken.notices[0].text


def test_import_needs_a_consent(project: Project) -> None:
    """Without one the file is not even read."""
    with pytest.raises(UsageError, match='such as --consent "'):
        import_readers(project, project.root / "none.csv", consent="", now=_NOW)
    with pytest.raises(FilesError, match=r"none\.csv: cannot be read"):
        import_readers(project, project.root / "none.csv", consent="asked", now=_NOW)


def test_list_without_a_good_row_makes_no_database(project: Project) -> None:
    """What failed is told with the columns that were found."""
    file = project.root / "list.csv"
    file.write_text("who,where\nIda,Haven\n")
    taken = import_readers(project, file, consent="asked", now=_NOW)

    assert taken.imported == taken.known == ()
    assert taken.columns == ("who", "where")
    assert [one.place for one in taken.failed] == ["list.csv:1"]
    assert not (project.root / "private").exists()


def test_skipped_and_noticed_rows_stand_in_the_order_of_lines(project: Project) -> None:
    """Rows of known readers and doubled rows are told as one reads the file."""
    _put(project, "active")
    file = project.root / "list.csv"
    file.write_text(
        'email,status,name\nkim@post.example,,"K\nim"\nkim@post.example,,\n'
        'ida@post.example,left,\nkim@post.example,left,\nlea@post.example,,"L\nea"\n'
    )
    taken = import_readers(project, file, consent="asked", now=_NOW)

    assert [one.place for one in taken.skipped] == ["list.csv:4", "list.csv:5", "list.csv:6"]
    assert [one.place for one in taken.notices] == [
        *("list.csv:2", "list.csv:5", "list.csv:6", "list.csv:7"),
    ]
    assert [(one.address, one.state) for one in taken.imported] == [
        ("kim@post.example", "left"),
        ("lea@post.example", "active"),
    ]


def test_removed_reader_stays_on_the_list_as_left(project: Project) -> None:
    """Others are told apart: who got no mail before, and who is unknown."""
    _put(project, "pending")
    _add(project, "jon@post.example", name="Jon")
    gone = remove_readers(
        project,
        ["jon@post.example", "kim@post.example", "JON@post.example", "ida@post.example"],
        now=_LATER,
    )
    again = remove_readers(project, ["jon@post.example"], now=_LATER + timedelta(days=1))

    assert [one.address for one in gone.removed] == ["jon@post.example", "ida@post.example"]
    assert (gone.kept, gone.unknown) == ((), ("kim@post.example",))
    assert {(one.state, one.reason, one.since) for one in list_readers(project)} == {
        ("left", "removed by hand", _LATER)
    }
    assert [one.name for one in list_readers(project)] == ["Ida", "Jon"]
    assert (again.removed, again.kept) == ((), (gone.removed[0],))


def test_suppressed_reader_stays_so_when_removed(project: Project) -> None:
    """The stronger state is not lost."""
    before = _put(project, "suppressed")
    gone = remove_readers(project, ["ida@post.example"], now=_LATER)

    assert gone.kept == list_readers(project) == (before,)


def test_dry_run_tells_the_same_and_changes_nothing(project: Project) -> None:
    """No byte of the database changes, and none is made."""
    file = project.root / "list.csv"
    file.write_text(_LIST)
    database = project.private / "digest.db"

    def all_of_them() -> list[object]:
        return [
            import_readers(project, file, consent="old", now=_LATER, dry_run=True),
            add_reader(project, "kim@post.example", name="", consent="a", now=_LATER, dry_run=True),
            add_reader(
                project, "ida@post.example", name="I", consent="a", now=_LATER, dry_run=True
            ),
            remove_readers(project, ["ida@post.example"], now=_LATER, dry_run=True),
        ]

    fresh = all_of_them()
    assert not database.exists()
    _put(project, "active")
    before = database.read_bytes()
    known = all_of_them()

    assert database.read_bytes() == before
    taken = import_readers(project, file, consent="old", now=_LATER)
    assert taken == known[0] != fresh[0]
    assert add_reader(project, "ida@post.example", name="I", consent="", now=_LATER) == known[2]
