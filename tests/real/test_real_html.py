"""html-validate and axe-core find nothing serious in mail and pages of either look."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from browser.chrome import dom_of, serving
from real.nodes import ask_node, node_module
from real.samples import build, content

from digest.checks.recolour import force_dark

pytestmark = pytest.mark.real

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_SCRIPT = Path(__file__).with_name("html_validate.cjs")
# Mail programs need what HTML gave up: tables for layout and their attributes; and they take off
# elements such as article, so the role stands on a div.
_MAIL_RULES = {"no-deprecated-attr": "off", "prefer-native-element": "off"}
_RICH = {
    "content/rich.md": "---\ntitle: All that a text may hold\ntheme: tides\n"
    "url: https://gauge.example/rich\ndate: 2026-11-30\nauthors: [Ada, Bo]\nsource: Gauge\n"
    "links:\n  - {label: Readings, url: https://gauge.example/table}\n---\n\n"
    "A paragraph with *stress*, `code`, [a link](https://gauge.example/a) and \\(R^2 \\le 1\\).\n\n"
    "## A heading\n\n- one\n- two\n\n1. first\n2. second\n\n> quoted\n\n"
    "| year | level |\n|---|---|\n| 1901 | 3 |\n\n```\ncode\n```\n\nterm\n: its meaning\n\n"
    "A note.[^1]\n\n---\n\n\\[ \\sum_{i=1}^{n} a_i \\]\n\n[^1]: The note.\n",
    "content/arabic.md": "---\ntitle: مقياس المد\ntheme: kites\nlang: ar\n"
    "url: https://gauge.example/ar\ndate: 2026-11-29\n---\n\nقرأ الحارس المقياس كل صباح.\n",
}
_SIGNS = "Element content contains only non-text characters"
_AXE = """
<script src="/axe.min.js"></script>
<script>
axe.run(document, {resultTypes: ["violations", "incomplete"]}).then(found => {
  const told = kind => found[kind].map(rule => ({
    id: rule.id, impact: rule.impact,
    nodes: rule.nodes.map(node => node.html.slice(0, 300) + " " + (node.failureSummary || "")),
  }));
  document.body.innerHTML = "<pre id=told></pre>";
  document.getElementById("told").textContent =
    JSON.stringify({violations: told("violations"), incomplete: told("incomplete"),
      passes: found.passes.map(rule => rule.id)});
});
</script>
"""


@pytest.fixture(params=["default", "compact"])
def outbox(request: pytest.FixtureRequest, digest: Digest, newsletter: Make) -> Path:
    """Give what a newsletter publishes in one of the looks, items of all kinds in it."""
    root = newsletter({**content("en", 4), **_RICH})
    mixed = ('selection.mode="mixed"', "selection.max_items=6")
    return build(digest, root, f"mail.look={request.param}", *mixed)


def test_html_is_valid(outbox: Path) -> None:
    """html-validate, with its rules for accessibility, has nothing to say."""
    node_module("html-validate")
    pages = [outbox / f"site/{name}.html" for name in ("2026-w49", "index", "404")]
    mail = outbox / "2026-w49/issue.html"

    told = ask_node(_SCRIPT, "{}", *map(str, pages))
    told |= ask_node(_SCRIPT, json.dumps(_MAIL_RULES), str(mail))

    assert told == {str(file): [] for file in (*pages, mail)}


def _axe(chromium: str, folder: Path, html: str, *, dark: bool) -> dict[str, Any]:
    """Let axe-core look at a page as a browser shows it, in light or in dark colours."""
    (folder / "axe.min.js").write_bytes((node_module("axe-core") / "axe.min.js").read_bytes())
    # The policy of our pages allows no script; that is what is under test elsewhere.
    free = re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", html)
    (folder / "page.html").write_text(free.replace("</body>", f"{_AXE}</body>"), "utf-8")
    with serving(folder) as (address, _):
        dom = dom_of(chromium, f"{address}/page.html", width=800, height=3000, dark=dark)
    found = re.search(r'<pre id="told">(.*?)</pre>', dom, re.DOTALL)
    assert found, dom[:500]
    told: dict[str, Any] = json.loads(unescape(found[1]))
    assert "color-contrast" in told["passes"]  # it did look at colours
    return told


@pytest.mark.parametrize("colours", ["light", "dark", "forced"])
@pytest.mark.parametrize("page", ["2026-w49/issue.html", "site/2026-w49.html", "site/index.html"])
def test_page_is_accessible(
    chromium: str, outbox: Path, tmp_path: Path, page: str, colours: str
) -> None:
    """axe-core finds nothing serious or critical, and no text without contrast, in any colours."""
    folder = tmp_path / "axe"
    folder.mkdir()
    html = (outbox / page).read_text("utf-8")
    html = force_dark(html) if colours == "forced" else html

    told = _axe(chromium, folder, html, dark=colours == "dark")

    grave = [one for one in told["violations"] if one["impact"] in {"serious", "critical"}]
    assert grave == []
    undecided = [one["nodes"] for one in told["incomplete"] if one["id"] == "color-contrast"]
    # Of a sign that is no letter, such as one of mathematics, it does not judge the colour.
    assert [node for nodes in undecided for node in nodes if _SIGNS not in node] == []
