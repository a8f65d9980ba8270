"""The reader of YAML: every scalar a text, every complaint a line, every size bounded."""

from __future__ import annotations

import pytest
import yaml

from digest.content import nodes
from digest.content.nodes import Listing, Node, Scalar, Table, read_yaml
from digest.errors import ContentError


@pytest.fixture(params=["c", "python"], autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test with both parsers that PyYAML may have."""
    if request.param == "python":
        monkeypatch.setattr(nodes, "_LOADER", yaml.BaseLoader)


def plain(node: Node) -> object:
    """Turn nodes into lists, dictionaries and texts."""
    if isinstance(node, Table):
        return {key: plain(value) for key, value in node.values.items()}
    return [plain(one) for one in node.values] if isinstance(node, Listing) else node.text


def read(text: str) -> object:
    """Read a header that begins on line 2, and expect no problem."""
    table, problems = read_yaml(text, first=2, where="a.md")
    assert problems == ()
    return plain(table)


def complaint(text: str) -> str:
    """Give the only complaint about a header that begins on line 2."""
    with pytest.raises(ContentError) as caught:
        read_yaml(text, first=2, where="a.md")
    [problem] = caught.value.problems
    return str(problem)


def test_scalars_stay_as_typed() -> None:
    """Nothing is turned into a boolean, a number or a date."""
    text = "tags: [no, On, 2024, 1.10]\nlast:\n  - yes\n  - no\nday: 2027-01-15\nvoid: null\n"
    assert read(text) == {
        "tags": ["no", "On", "2024", "1.10"],
        "last": ["yes", "no"],
        "day": "2027-01-15",
        "void": "null",
    }


def test_quotes_are_told_from_bare_texts() -> None:
    """A reader can tell `null` from a quoted "null"."""
    table, _ = read_yaml("a: null\nb: 'null'\nc: \"null\"\n", first=2, where="a.md")
    assert [isinstance(x, Scalar) and x.bare for x in table.values.values()] == [True, False, False]


def test_lines_are_those_of_the_file() -> None:
    """Each value and each key knows its line."""
    table, _ = read_yaml("a: 1\nlist:\n  - x\n  - {y: z}\n", first=2, where="a.md")
    listed = table.values["list"]
    assert isinstance(listed, Listing)
    assert (table.lines["list"], [one.line for one in listed.values]) == (3, [4, 5])


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n"])
def test_header_may_be_empty(text: str) -> None:
    """No key at all is no fault."""
    assert read(text) == {}


def test_tags_are_not_obeyed() -> None:
    """A tag of Python makes no object: the text stays a text."""
    assert read("a: !!python/object/apply:os.getcwd [x]\nb: !!int 3\n") == {"a": ["x"], "b": "3"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: c: d\n", "a.md:3: a colon and a space inside a bare text"),
        ("tags:\n\t- a\n", "a.md:3: a tab where YAML wants spaces\n  put spaces"),
        ("a: b\n\tc: d\n", "a.md:3: a tab where YAML wants spaces"),
        ("a:\n  - b\n  \t- c: d: e\n", "a.md:4: a tab where YAML wants spaces"),
        ("a:\n  - \tb: c\n  - \t- d\n", "a.md:"),
        ("list:\n  - \t\n", "a.md:3: a tab where YAML wants spaces"),
        ("a: 'b\nc: d\n", "a.md:2: a quote begins here"),
        ('a: 1\nb: "c\nd: e\n', "a.md:3: a quote begins here"),
        ('a: "b" c\n', "a.md:2: a text stands behind the end of a value"),
        ('a: "\\q"\n', "a.md:2: a backslash in double quotes that means nothing"),
        ("a: b\nc\nd: e\n", "a.md:3: this line is not `key: value`"),
        ("a: [b, c\nd: e\n", "a.md:2: a bracket is not closed rightly"),
        ("a: {b: c\nd: e\n", "a.md:2: a bracket is not closed rightly"),
        ("a: @b\n", "a.md:2: a bare text may not begin like this"),
        ("a: ]\n", "a.md:2: a bare text may not begin like this"),
        ("a: *b\n", "a.md:2: `*b` means nothing here"),
        ("a: * b\n", "a.md:2: a bare text may not begin with `*`"),
        ("a: & b\n", "a.md:2: a bare text may not begin with `&`"),
        ("a: !<b c\n", "a.md:2: a bare text may not begin with `!`"),
        ("a: > b\n", "a.md:2: a bare text may not begin with `>` or `|`"),
        ("a: - b\n", "a.md:2: a list may not begin on the line of its key"),
        ("a:\n  - b\n c: d\n", "a.md:4: this line does not fit the lines before"),
        ("- a\nb: c\n", "a.md:3: this line does not fit the list before"),
        ("%YAML 1.2\n", "a.md:"),
        ("a: 1\n---\nb: 2\n", "a.md:3: a second YAML document begins here"),
        ("? [a, b]\n: c\n", "a.md:2: a list or mapping as a key"),
        ("- a\n- b\n", "a.md:2: the header is not made of lines `key: value`"),
        ("words\n", "a.md:2: the header is not made of lines `key: value`"),
    ],
)
def test_complaint_names_line_and_fault(text: str, said: str) -> None:
    """Whatever is wrong with the YAML is said in plain words, with the line."""
    assert complaint(text).startswith(said)


def test_text_that_no_parser_takes_is_a_complaint() -> None:
    """A character outside YAML's set is refused with the place of the header."""
    assert complaint("a: '\x01'\n").startswith("a.md:2: this is not YAML: ")


def test_keys_that_stand_twice_are_all_named() -> None:
    """Each double key names both of its lines, and the first value is kept."""
    table, problems = read_yaml("a: 1\nb: {c: 1, c: 2}\na: 3\na: [4]\n", first=2, where="a.md")
    assert plain(table) == {"a": "1", "b": {"c": "1"}}
    assert [problem.what for problem in problems] == [
        "`c` stands twice, on the lines 3 and 3",
        "`a` stands twice, on the lines 2 and 4",
        "`a` stands twice, on the lines 2 and 5",
    ]


def test_double_key_is_told_beside_a_fault_of_the_yaml() -> None:
    """What was found before the parser gave up is told as well."""
    with pytest.raises(ContentError) as caught:
        read_yaml("a: 1\na: 2\nb: 'c\n", first=2, where="a.md")
    assert [problem.where for problem in caught.value.problems] == ["a.md:3", "a.md:4"]


def test_aliases_stand_for_their_values() -> None:
    """An alias gives the value of its anchor."""
    assert read("a: &x [1, 2]\nb: *x\nc: &y z\nd: *y\n") == {
        "a": ["1", "2"],
        "b": ["1", "2"],
        "c": "z",
        "d": "z",
    }


def test_alias_inside_its_own_anchor_is_refused() -> None:
    """A value that holds itself would have no end."""
    assert complaint("a: &x [*x]\n").startswith("a.md:2: `*x` means nothing here")


def test_alias_bomb_ends_with_a_complaint() -> None:
    """Nine lines that stand for 9 to the 9th values are refused at once."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert complaint("\n".join(lines)).startswith("a.md:6: more than 10000 values")


def test_long_texts_count_for_more_than_one_value() -> None:
    """Aliases of a long text cannot fill the memory either."""
    lines = [f"a: &a {'x' * 30_000}", f"b: &b [{', '.join(['*a'] * 40)}]", "c: [*b, *b, *b]"]
    assert complaint("\n".join(lines)).startswith("a.md:4: more than 10000 values")


def test_number_of_aliases_is_bounded() -> None:
    """The hundred and first alias is refused."""
    assert complaint(f"a: &x 1\nb: [{'*x, ' * 101}]\n").startswith("a.md:3: more than 100 aliases")


def test_number_of_values_is_bounded() -> None:
    """The limit of values is that of the caller."""
    with pytest.raises(ContentError, match="more than 20 values"):
        read_yaml(f"a: [{'x, ' * 30}]\n", first=2, where="a.md", limit=20)


def test_depth_is_bounded() -> None:
    """Sixteen levels are read, seventeen are refused."""
    assert read(f"a: {'[' * 15}{']' * 15}\n")
    assert complaint(f"a: {'[' * 16}{']' * 16}\n").startswith("a.md:2: more than 16 levels")
