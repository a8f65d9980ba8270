"""The colours of every text are those that a real browser works out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from browser.chrome import dom_of, serving

from digest.checks import Material
from digest.checks.contrast import seen_texts
from digest.files import read_templates
from digest.publish.editions import render
from digest.publish.specimen import specimens

pytestmark = pytest.mark.real

# For each text that is seen: its colour and the colour behind it, as the browser computed them.
# What stands behind is laid together from the outermost element inwards.
_ASK = """
<script>
const parts = colour => {
  const found = colour.match(/[\\d.]+/g).map(Number);
  return [found[0], found[1], found[2], found.length > 3 ? found[3] : 1];
};
const over = (top, under, opacity) =>
  [0, 1, 2].map(i => top[i] * top[3] * opacity + under[i] * (1 - top[3] * opacity)).concat(1);
const system = name => {
  document.body.style.outlineColor = name;
  return parts(getComputedStyle(document.body).outlineColor);
};
const canvas = system("Canvas");
document.body.style.outlineColor = "";
const shaped = /[^\\s\\u034f\\u200b-\\u200f\\u2060-\\u206f\\ufeff]/;
const told = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const owner = walk.currentNode.parentElement;
  const text = walk.currentNode.data;
  if (!shaped.test(text) || ["SCRIPT", "STYLE"].includes(owner.tagName)) continue;
  if (!owner.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
  if (parseFloat(getComputedStyle(owner).fontSize) <= 1) continue;
  const chain = [];
  for (let one = owner; one; one = one.parentElement) chain.unshift(getComputedStyle(one));
  let ground = canvas;
  const faded = [];
  for (const style of chain) {
    if (style.opacity < 1) faded.unshift([Number(style.opacity), ground]);
    ground = over(parts(style.backgroundColor), ground, 1);
  }
  let colour = over(parts(chain.at(-1).color), ground, 1);
  for (const [opacity, under] of faded) {
    colour = over(colour, under, opacity);
    ground = over(ground, under, opacity);
  }
  told.push([text.trim().split(/\\s+/).join(" "), colour.slice(0, 3), ground.slice(0, 3)]);
}
const pre = document.createElement("pre");
pre.id = "told";
pre.textContent = JSON.stringify(told);
document.body.append(pre);
</script>
"""

_HARD = """<!doctype html>
<html><head>
<meta name="color-scheme" content="light dark">
<style>
p{color:#444}
.a .b>i{color:teal!important}
#c{color:rgb(20% 40% 60% / 20%)}
p.a{color:hsl(200,50%,40%)}
[lang|=de]{color:#00f8}
p:first-child{background:#eee url(x.png) repeat}
.none{background:none;color:inherit}
.half{opacity:.5;background:#ff0}
.gone{display:none}
.hid{visibility:hidden}.back{visibility:visible}
li:nth-child(2n){color:maroon}
h2+p{color:purple}
.cur{color:#123456}.cur b{background-color:currentcolor;color:white}
.bad{color:#12;color:rgb(1,2);background:#fffff}
@media (max-width:100px){p{color:red}}
@media screen and (min-width:300px){.wide{color:#0a0a99}}
@media print{p{color:red}}
@media (prefers-color-scheme:dark){p{color:#ddd}.dark{background:#222!important}}
@supports (not-a-thing:x){p{color:red}}
</style></head>
<body bgcolor="#fafafa" text="#202020">
<p>first</p>
<div class="a">plain<span class="b"><i style="color:red">teal wins</i></span></div>
<p class="a">by hue</p>
<p id="c">half seen</p>
<p lang="de-AT">german</p>
<div class="half">faded <b style="opacity:.5;background:#00f;color:#fff">twice</b></div>
<p class="gone">never</p>
<p class="hid">never <b class="back">again</b></p>
<ol><li>one</li><li>two</li></ol>
<h2>head</h2><p>next</p>
<p class="cur">base <b>turned</b></p>
<p class="bad">unread</p>
<p class="wide">wide</p>
<p class="dark none">none</p>
<table bgcolor="336699"><tr><td style="color:white !important">cell</td></tr></table>
<font color="#c00">font</font> <a href="https://x.example/">link</a> <mark>marked</mark>
<div style="background-color:rgba(0,0,0,.2)">veil <em style="color:#fffc">thin</em></div>
<div style="font:bold 20px/1.2 serif;color:initial">start</div>
</body></html>
"""


def _asked(chromium: str, html: str, *, folder: Path, dark: bool) -> list[tuple[str, str, str]]:
    """Give text, colour and ground of all texts as the browser has them."""
    (folder / "mail.html").write_text(html.replace("</body>", f"{_ASK}</body>"), "utf-8")
    with serving(folder) as (address, _):
        dom = dom_of(chromium, f"{address}/mail.html", width=600, height=900, dark=dark)
    found = re.search(r'<pre id="told">(.*?)</pre>', dom, re.DOTALL)
    assert found is not None
    return [
        (text, _written(colour), _written(ground))
        for text, colour, ground in json.loads(unescape(found[1]))
    ]


def _written(parts: list[float]) -> str:
    return "#" + "".join(f"{round(part):02X}" for part in parts)


@pytest.mark.parametrize("dark", [False, True])
def test_a_page_full_of_traps(chromium: str, tmp_path: Path, *, dark: bool) -> None:
    """Selectors, media, order, importance, opacity and old attributes count as in a browser."""
    scheme = "dark" if dark else "light"
    expected = {pair[1:] for pair in _asked(chromium, _HARD, folder=tmp_path, dark=dark)}

    found = {(str(one.colour), str(one.ground)) for one in seen_texts(_HARD, schemes=[scheme])}

    assert found == expected


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("look", ["default", "compact"])
def test_specimens_of_a_shipped_look(
    chromium: str, material: Callable[..., Material], tmp_path: Path, *, look: str, dark: bool
) -> None:
    """Each text of a shipped look has the colours that a browser gives it."""
    scheme = "dark" if dark else "light"
    templates = read_templates(tmp_path, look)
    named = {one.name: one for one in specimens(material().newsletter)}
    html = render(named["mixed"].material(templates)).files["issue.html"].decode()
    expected = {pair[1:] for pair in _asked(chromium, html, folder=tmp_path, dark=dark)}

    found = {(str(one.colour), str(one.ground)) for one in seen_texts(html, schemes=[scheme])}

    assert found == expected
