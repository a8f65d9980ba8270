"""Lists of readers: whatever saved them, nobody gets mail whom the file does not clearly name."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.imports import LONGEST_NAME, STATUS_WORDS, ReaderList, parse_readers
from digest.model import READER_STATES, reader_key

_PLAIN = "email,name,status\n"


def _read(text: str | bytes) -> ReaderList:
    data = text if isinstance(text, bytes) else text.encode()
    return parse_readers(data, name="list.csv")


def _people(found: ReaderList) -> list[tuple[str, str, str]]:
    return [(row.address, row.name, row.state) for row in found.rows]


def _failed(found: ReaderList) -> list[tuple[str, str]]:
    return [(failure.place, failure.reason) for failure in found.failures]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "marked"])
def test_all_ways_to_save_a_table_give_the_same_readers(
    delimiter: str, ends: str, mark: str
) -> None:
    """Delimiter, line ends and byte-order mark change nothing."""
    rows = [
        ("email", "name", "status"),
        ("ida@post.example", '"Holm; Ida, ""I"""', "active"),
        ("jon@post.example", "", ""),
        ("", "", ""),
        (" kim@post.example ", " Kim  Ek ", " Left "),
    ]
    found = _read(mark + ends.join(delimiter.join(row) for row in rows))

    assert _people(found) == [
        ("ida@post.example", 'Holm; Ida, "I"', "active"),
        ("jon@post.example", "", "active"),
        ("kim@post.example", "Kim Ek", "left"),
    ]
    assert [row.line for row in found.rows] == [2, 3, 5]
    assert found.columns == ("email", "name", "status")
    assert not found.failures
    assert not found.skipped
    assert not found.notices


@pytest.mark.parametrize(
    "column", ["email", "E-Mail", "e_mail", "EMAIL ADDRESS", "mail", "Mail address", "Address"]
)
def test_column_of_addresses_has_many_names(column: str) -> None:
    """Letter case, hyphens, blanks and underscores of its name do not count."""
    found = _read(f"Name;{column}\nIda;ida@post.example\n")

    assert _people(found) == [("ida@post.example", "Ida", "active")]
    assert found.columns == ("Name", column)


def test_mail_column_goes_before_a_postal_one() -> None:
    """`address` means a mail address only where no other column does; the rest is noticed."""
    found = _read("Address,Name,Email,\n1 Mill Lane,Ida,ida@post.example,\n")

    assert _people(found) == [("ida@post.example", "Ida", "active")]
    assert [(note.place, note.text) for note in found.notices] == [
        ("list.csv:1", "columns left out: Address")
    ]


def test_list_without_a_header_holds_one_address_a_line() -> None:
    """Empty lines and blanks are passed over; the last line needs no end."""
    found = _read("\n ida@post.example\n\n\njon@post.example")

    assert _people(found) == [
        ("ida@post.example", "", "active"),
        ("jon@post.example", "", "active"),
    ]
    assert [row.line for row in found.rows] == [2, 5]
    assert found.columns == ()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_more_than_addresses_needs_a_header(delimiter: str) -> None:
    """Without a header nobody knows what a second field means."""
    found = _read(f"ida@post.example\njon@post.example{delimiter}Jon\n")

    if delimiter == ",":
        assert _people(found) == [("ida@post.example", "", "active")]
    assert found.failures[-1].place == "list.csv:2"
    first = _read(f"jon@post.example{delimiter}Jon\n")
    assert "begin the file with a header" in first.failures[0].reason


@pytest.mark.parametrize(
    ("state", "word"), [(state, word) for state in READER_STATES for word in STATUS_WORDS[state]]
)
def test_words_of_other_programs_mean_a_state(state: str, word: str) -> None:
    """Each documented word is understood in any letter case, with hyphens or blanks."""
    typed = word.upper().replace(" ", "-")
    found = _read(f"{_PLAIN}ida@post.example,Ida,{word}\njon@post.example,Jon,{typed}\n")

    assert [row.state for row in found.rows] == [state, state]
    assert [row.status for row in found.rows] == [word, typed]


@pytest.mark.parametrize("status", ["frozen", "true", "0", "-", "act\x00ive", "\x1b"])
def test_status_nobody_knows_fails_its_row(status: str) -> None:
    """It never becomes active; the neighbours come in."""
    found = _read(f"{_PLAIN}ida@post.example,,{status}\njon@post.example,,active\n")

    assert _people(found) == [("jon@post.example", "", "active")]
    [(place, reason)] = _failed(found)
    assert place == "list.csv:2"
    assert f"the status {status!r} is not known" in reason


@pytest.mark.parametrize("bad", [",,frozen", ",Ida, Holm,left", ""])
def test_row_that_failed_spoils_its_address(bad: str) -> None:
    """Another row of the same address, before or after, does not make it active."""
    rows = [f"ida@post.example{bad}\n", "Ida@post.example,,active\n"]
    for lines in (rows, rows[::-1]):
        found = _read(f"{_PLAIN}{''.join(lines)}jon@post.example,,\n")

        assert _people(found) == [("jon@post.example", "", "active")]
        assert [place for place, _ in _failed(found)] == ["list.csv:2", "list.csv:3"]


@pytest.mark.parametrize(
    ("states", "counts", "noticed"),
    [
        (("active", "active"), "active", False),
        (("active", "unsubscribed"), "left", True),
        (("bounced", "active"), "suppressed", False),
        (("left", "pending"), "left", False),
    ],
)
def test_address_that_stands_twice_is_one_reader(
    states: tuple[str, str], counts: str, *, noticed: bool
) -> None:
    """The second row is skipped; of two states the more careful one counts."""
    first, second = states
    found = _read(f"{_PLAIN}ida@post.example,Ida,{first}\nIDA@Post.example,Ada,{second}\n")

    [row] = found.rows
    assert (row.address, row.name, row.state) == ("ida@post.example", "Ida", counts)
    [skipped] = found.skipped
    assert skipped.place == "list.csv:3"
    assert "line 2" in skipped.reason
    assert bool(found.notices) == noticed


def test_line_break_in_a_name_is_mended_with_a_notice() -> None:
    """The name becomes one line, and the line where the row begins is named."""
    found = _read(f'{_PLAIN}ida@post.example,"Ida\r\nX-Odd: 1",active\njon@post.example,Jon,\n')

    assert _people(found) == [
        ("ida@post.example", "Ida X-Odd: 1", "active"),
        ("jon@post.example", "Jon", "active"),
    ]
    assert [row.line for row in found.rows] == [2, 4]
    assert [note.place for note in found.notices] == ["list.csv:2"]


@pytest.mark.parametrize("sign", ["\n", "\r", "\r\n", "\v", "\f", "\x1e", "\x85", "\u2028"])
def test_line_break_in_an_address_fails_its_row(sign: str) -> None:
    """Neither half of such an address is anybody's."""
    found = _read(
        f'{_PLAIN}ida@post.example,,\n"jon@post.example{sign}kim@post.example",,\n'
        f'"lea@post.example{sign}",,\n'
    )

    assert [row.address for row in found.rows] == ["ida@post.example"]
    assert len(found.failures) == 2
    assert all("line break" in failure.reason for failure in found.failures)


def test_row_is_named_where_its_number_is_not_the_line() -> None:
    """A table program counts rows, an editor lines; the complaint gives both."""
    found = _read(f'{_PLAIN}ida@post.example,"I\nda",\nnobody,,\n')

    [(place, reason)] = _failed(found)
    assert place == "list.csv:4"
    assert reason.startswith("row 3: 'nobody' is no mail address: ")


@pytest.mark.parametrize(
    "typed",
    [
        "nobody",
        "Ida <ida@post.example>",
        "=?utf-8?q?ida=40elsewhere=2Eexample?=@post.example",
        '"ida holm"@post.example',
        "ida@post",
        "ida@post.example kim@post.example",
        "ida@post.exa\x00mple",
    ],
)
def test_address_that_is_none_fails_its_row(typed: str) -> None:
    """The neighbours come in."""
    field = typed.replace('"', '""')
    found = _read(f'{_PLAIN}"{field}",Ida,\njon@post.example,Jon,\n')

    assert [row.address for row in found.rows] == ["jon@post.example"]
    assert [failure.place for failure in found.failures] == ["list.csv:2"]


def test_addresses_beyond_ascii_are_kept() -> None:
    """The domain is written with A-labels, the local part stays."""
    found = _read("mail\nj\u00f6rg@b\u00fccher.example\n")

    assert [row.address for row in found.rows] == ["j\u00f6rg@xn--bcher-kva.example"]


@pytest.mark.parametrize(
    ("row", "word"),
    [
        (",Ida,active", "no address"),
        ("ida@post.example,Holm, Ida,active", "4 fields"),
        ("ida@post.example,Ida", "before its status"),
        (f"ida@post.example,{'a' * (LONGEST_NAME + 1)},", "longer than"),
    ],
    ids=["no address", "too wide", "torn", "long name"],
)
def test_row_that_may_mean_something_else_fails(row: str, word: str) -> None:
    """What is too wide, torn off or has no address is named and left out."""
    found = _read(f"{_PLAIN}{row}\njon@post.example,Jon,,,\n")

    assert [one.address for one in found.rows] == ["jon@post.example"]
    [(place, reason)] = _failed(found)
    assert place == "list.csv:2"
    assert word in reason


@pytest.mark.parametrize(
    ("data", "line", "word"),
    [
        (b"", 1, "empty"),
        (b"\xef\xbb\xbf\r\n \r\n", 1, "empty"),
        (b"email,name\r\n", 1, "no row"),
        (b"\nWho,Where\nIda,Haven\n", 2, "`email`"),
        (b"email\nida@post.example\n\nj\xf6n@post.example\n", 4, "0xF6"),
        ("email\nida@post.example\n".encode("utf-16"), 1, "UTF-8"),
        (b'email,name\nida@post.example,\njon@post.example,"Jon\nkim@post.example,\n', 3, "quotes"),
        (b'email,name\njon@post.example,"Jon" Ek\nkim@post.example,Kim\n', 2, "quotes"),
        (b'"email","name\nida@post.example,Ida\n', 1, "quotes"),
        (b"email\n" + b"x" * 200_000 + b"\n", 2, "quotes"),
        (b"email,status,state\nida@post.example,active,left\n", 1, "status, state"),
    ],
    ids=[
        *("empty", "blank", "header alone", "no addresses", "latin-1", "utf-16"),
        *("open quote", "text after a quote", "open header", "endless field", "two states"),
    ],
)
def test_file_that_is_not_clear_gives_nobody(data: bytes, line: int, word: str) -> None:
    """Nothing is taken from it, and the line is named."""
    found = _read(data)

    assert found.rows == ()
    [(place, reason)] = _failed(found)
    assert place == f"list.csv:{line}"
    assert word in reason


@pytest.mark.parametrize(
    "column",
    [
        *("unsubscribed_at", "Unsub time", "Opt-out", "CLEAN_TIME", "bounces", "deleted_at"),
        *("suppressed", "Blocklisted", "reason", "subscribed_to_emails", "subscriber_type"),
        *("Subscription type", "Receiving emails for", "member status", "state of the mailbox"),
        *("subscribed", "Active", "is active", "opt-in", "Opted in", "consent", "Confirmed"),
        *("enabled", "disabled", "verified", "valid", "newsletter", "accepts marketing"),
    ],
)
def test_column_that_may_tell_who_left_is_not_passed_over(column: str) -> None:
    """Without a column of statuses the file is refused; with one the status counts."""
    refused = _read(f"email,{column}\nida@post.example,x\n")
    taken = _read(f"email,{column},status\nida@post.example,x,unsubscribed\n")

    assert refused.rows == ()
    assert column in refused.failures[0].reason
    assert [row.state for row in taken.rows] == ["left"]


_FIELD = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)


@settings(deadline=None, max_examples=100)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["ida@post.example", "jon@post.example", "kim@post.example"]) | _FIELD,
            _FIELD,
            st.sampled_from(["active", "left", "frozen", ""]) | _FIELD,
        ),
        max_size=8,
    ),
    delimiter=st.sampled_from(",;\t"),
)
def test_every_row_is_taken_skipped_or_named(
    rows: list[tuple[str, str, str]], delimiter: str
) -> None:
    """Whatever a table holds, no row vanishes, and only a clear status makes an active reader."""
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter).writerows([("email", "name", "status"), *rows])
    found = _read(written.getvalue())
    full = [row for row in rows if any(one.strip() for one in row)]

    if full:
        assert len(found.rows) + len(found.skipped) + len(found.failures) == len(full)
    else:
        assert len(found.failures) == 1
    for one in found.rows:
        said = {row[2].strip() for row in rows if reader_key(row[0].strip()) == one.key}
        if one.state == "active":
            assert said <= {"", *STATUS_WORDS["active"]}
        assert "\n" not in one.name


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=200) | st.text(alphabet='ab@.,;"\t\r\n ', max_size=60).map(str.encode))
def test_no_bytes_stop_it(data: bytes) -> None:
    """It never raises; nobody is found where nothing holds an at sign."""
    found = _read(data)

    assert found.rows or found.failures
    assert not found.rows or b"@" in data


@pytest.mark.parametrize(
    "column", ["created_at", "OPTIN_TIME", "CONFIRM_TIME", "subscribed at", "city", "Language"]
)
def test_column_that_tells_only_when_or_where_is_left_out(column: str) -> None:
    """What says nothing against a reader keeps nobody off the list."""
    taken = _read(f"email,{column}\nida@post.example,in the harbour\n")

    assert [row.state for row in taken.rows] == ["active"]


@pytest.mark.parametrize("value", ["yes", "No", "0", "TRUE", "ja", "unsubscribed", "x"])
@pytest.mark.parametrize("column", ["Abgemeldet", "left", "sub", "whatever"])
def test_column_of_yes_and_no_is_not_passed_over(column: str, value: str) -> None:
    """Whatever it is called: a no there may be against mailing, so a status must say it."""
    refused = _read(f"email,{column}\nida@post.example,{value}\njon@post.example,\n")
    taken = _read(f"email,{column},status\nida@post.example,{value},active\n")

    assert refused.rows == ()
    assert column in refused.failures[0].reason
    assert [row.state for row in taken.rows] == ["active"]
