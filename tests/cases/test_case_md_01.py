r"""MD-01: maths, code and tables come through the Markdown step whole."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

from cases.forms import HTML, Form, Issue, tree_text
from cases.inputs import both, in_content

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_OURS = {
    "tides.md": r"""---
title: Heights and hours
theme: tables
url: https://tides.example/heights
date: 2027-01-12
---

A rise goes with \(H^2 = 4.2\), and \(a_{m} + b_{n} = c_{p}\) is the rule of thumb.

\[ \sum_{h=1}^{k} w_h t_h \]

Call `tides --port "low quay"` once -- then "quickly" call it again:

```sh
tides --year "next one" 'or so'   # ... all of it
grep -e '*_high_*' --count
```

| flag | what it does |
|------|--------------|
| `--low` | low water |
| `t_0` | the first hour |
""",
}
_FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FORMULA = re.compile(r"\\[(\[](.+?)\\[)\]]")
_RAISED = re.compile(r"[\^_](?:\{([^}]*)\}|(\w))")


def _source(files: dict[str, bytes]) -> str:
    [data] = files.values()
    return data.decode()


def _signs(formula: str) -> str:
    """Give the signs of a formula in their order, nothing of how they are set."""
    return re.sub(r"[\s^_{}]", "", formula.replace(r"\sum", "\u2211"))


def _squeezed(text: str) -> str:
    """Make letters of raised and lowered ones (NFKC) and drop the blanks."""
    return "".join(unicodedata.normalize("NFKC", text).split())


@both("MD-01", _OURS)
def test_md_01_formulas_keep_their_meaning(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Each formula is HTML or Unicode of the same meaning; none just lost its backslashes."""
    issue = publish(newsletter(in_content(files)))
    formulas = _FORMULA.findall(_source(files))
    raised = [one or other for one, other in _RAISED.findall("".join(formulas))]

    assert len(formulas) == 3
    for name, form in issue.forms.items():
        if name == "home":
            continue
        text = _squeezed(form.text)
        for formula in formulas:
            assert _signs(formula) in text, name
            assert formula.strip() not in form.line, name
        assert not re.search(r"[\\^]|\w_\{", _without_code(form.line, files)), name
    for name in HTML:
        assert _set_apart(issue.forms[name], on_page=name == "page") == raised, name


_SCRIPTED = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}


def _set_apart(form: Form, *, on_page: bool) -> list[str]:
    """Give what stands raised or lowered, in its order; the page says it in MathML."""
    if not on_page:
        return [text.strip() for text in form.texts("sub", "sup")]
    assert not form.elements("sub", "sup")
    elements = form.elements(*map(_in_mathml, _SCRIPTED))
    return ["".join(script.itertext()) for element in elements for script in element[1:]]


def _in_mathml(name: str) -> str:
    return f"{{http://www.w3.org/1998/Math/MathML}}{name}"


@both("MD-01", _OURS)
def test_md_01_formulas_can_be_read_out(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Each formula is said to be one, and its label has the signs that are shown."""
    issue = publish(newsletter(in_content(files)))
    formulas = _FORMULA.findall(_source(files))

    for name in HTML:
        form = issue.forms[name]
        if name == "page":
            math = form.elements(_in_mathml("math"))
            assert [element.get("alttext") for element in math] == [f.strip() for f in formulas]
            assert [element.get("display") for element in math] == [None, None, "block"]
            continue
        spans = [span for span in form.elements("span") if span.get("role") == "math"]
        assert [_squeezed(span.get("aria-label", "")) for span in spans] == [
            _squeezed("".join(span.itertext())) for span in spans
        ]
        # The library that stands for feed readers takes out attributes that it does not know.
        assert len(spans) == (0 if name in {"RSS", "Atom"} else 3), name


_IN_DOLLARS = {
    "prices.md": r"""---
title: Heights and prices
theme: tables
url: https://tides.example/prices
date: 2027-01-12
---

A gauge costs $5 and $10, and $H^2 = 4.2$ holds for both.

$$ a_{m} + b_{n} = c_{p} $$
""",
}


def test_md_01_dollars_are_prices_unless_switched_on(publish: Publish, newsletter: Make) -> None:
    """As set, dollars stay as typed; switched on, formulas are read and the prices stay."""
    files = in_content({name: text.encode() for name, text in _IN_DOLLARS.items()})
    plain = publish(newsletter(files, name="plain"))
    on = publish(newsletter(files, name="on", settings="\n[content]\ndollar_maths = true\n"))

    for name, form in plain.forms.items():
        if name != "home":
            assert "costs $5 and $10, and $H^2 = 4.2$ holds" in form.line, name
            assert "$$ a_{m} + b_{n} = c_{p} $$" in form.line, name
    for name, form in on.forms.items():
        if name != "home":
            assert "costs $5 and $10, and H" in form.line, name
            assert "am+bn=cp" in _squeezed(form.text), name
            assert "^" not in form.line, name


def _without_code(text: str, files: dict[str, bytes]) -> str:
    for line in "\n".join(_FENCE.findall(_source(files))).splitlines():
        text = text.replace(" ".join(line.split()), "")
    return text


@both("MD-01", _OURS)
def test_md_01_no_emphasis_is_made(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Neither underscores in formulas nor stars in code become emphasis."""
    issue = publish(newsletter(in_content(files)))
    [starred] = re.findall(r"\*_\w+_\*", _source(files))

    for name in HTML:
        assert not issue.forms[name].elements("em", "strong"), name
        assert starred in issue.forms[name].text, name
    assert starred in issue.forms["text"].text
    assert starred in issue.forms["mail text"].text


@both("MD-01", _OURS)
def test_md_01_code_is_as_typed(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Code keeps straight quotes, two hyphens, three dots and its blanks; prose is smartened."""
    issue = publish(newsletter(in_content(files)))
    [block] = _FENCE.findall(_source(files))
    [inline] = re.findall(r"`(\w+ --[^`]*)`", _source(files))

    for name in HTML:
        assert issue.forms[name].texts("pre") == [block], name
        assert inline in issue.forms[name].texts("code"), name
    for name in ("text", "mail text"):
        for line in block.splitlines():
            assert line in issue.forms[name].text, name
        assert inline in issue.forms[name].line, name
    for name, form in issue.forms.items():
        if name != "home":
            assert re.search("\u2013 then \u201c[a-z]+\u201d", form.line), name


@both("MD-01", _OURS)
def test_md_01_table_has_its_cells(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Two columns and two rows in HTML; the text shows both cells of each row on one line."""
    issue = publish(newsletter(in_content(files)))
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in _source(files).splitlines()
        if line.startswith("|") and "---" not in line
    ]

    assert [len(row) for row in rows] == [2, 2, 2]
    assert rows[1][0].startswith("--")
    for name in HTML:
        tables = [table for table in issue.forms[name].elements("table") if _is_ours(table)]
        assert [_cells(table) for table in tables] == [rows], name
    for name in ("text", "mail text"):
        lines = issue.forms[name].text.splitlines()
        for left, right in rows:
            assert [line for line in lines if re.search(rf"{re.escape(left)}\s+{right}", line)]


def _is_ours(table: ET.Element) -> bool:
    return any(True for _ in table.iter("th")) and not any(
        inner is not table for inner in table.iter("table")
    )


def _cells(table: ET.Element) -> list[list[str]]:
    return [
        [tree_text(cell).strip() for cell in row if cell.tag in {"th", "td"}]
        for row in table.iter("tr")
    ]
