"""What one build costs: in all, in its Jinja templates alone, and in the official MJML engine.

The build is that of an issue in memory, twenty items, after a first one that loads and compiles
everything. The official engine is given the very MJML that our template makes, in a subprocess,
as a Python program would have to run it; and once more in a process that is already there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from measuring import ROOT

__all__ = ["RENDERING", "render_jobs"]

_ITEMS = 20
_TEMPLATES = ("letter.mjml.j2", "page.html.j2", "entry.html.j2")
_WARM = """
const mjml = require("mjml");
const source = require("fs").readFileSync(process.argv[2], "utf8");
(async () => {
  await mjml(source);
  const start = process.hrtime.bigint();
  await mjml(source);
  console.log(Number(process.hrtime.bigint() - start) / 1e9);
})();
"""
_COLD = """
const mjml = require("mjml");
const source = require("fs").readFileSync(process.argv[2], "utf8");
(async () => { process.stdout.write((await mjml(source)).html); })();
"""
# Names of the figures, and of which two a ratio is told.
RENDERING = {
    "one build, 20 items / its Jinja render": ("build, 20 items", "Jinja render, 20 items"),
    "npm mjml in a subprocess / its Jinja render": ("npm mjml, cold", "Jinja render, 20 items"),
    "npm mjml already loaded / its Jinja render": ("npm mjml, warm", "Jinja render, 20 items"),
    "npm mjml in a subprocess / one build": ("npm mjml, cold", "build, 20 items"),
}


def render_jobs(folder: Path) -> dict[str, Callable[[], float]]:
    """Name the jobs; those of the official engine only where `.ci/node` is installed."""
    sys.path.insert(0, str(ROOT))
    build, jinja, source = _ours()
    jobs = {"build, 20 items": _seconds(build), "Jinja render, 20 items": _seconds(jinja)}
    modules = os.environ.get("DIGEST_NODE_MODULES", "")
    node = shutil.which("node")
    if not (node and (Path(modules) / "mjml").is_dir()):
        print("npm mjml is not in DIGEST_NODE_MODULES: its figures are left out", file=sys.stderr)
        return jobs
    folder.mkdir()
    (folder / "letter.mjml").write_text(source, "utf-8")
    for name, script in (("cold", _COLD), ("warm", _WARM)):
        (folder / f"{name}.cjs").write_text(script, "utf-8")
    ask = [node, "{script}", str(folder / "letter.mjml")]

    def run(script: str) -> subprocess.CompletedProcess[str]:
        command = [part.format(script=folder / script) for part in ask]
        return subprocess.run(  # noqa: S603 - fixed commands
            command,
            env={**os.environ, "NODE_PATH": modules},
            capture_output=True,
            text=True,
            check=True,
        )

    jobs["npm mjml, cold"] = _seconds(lambda: run("cold.cjs"))
    jobs["npm mjml, warm"] = lambda: float(run("warm.cjs").stdout)
    return jobs


def _seconds(job: Callable[[], object]) -> Callable[[], float]:
    def timed() -> float:
        start = time.perf_counter()
        job()
        return time.perf_counter() - start

    job()  # loads and compiles what only the first time needs
    return timed


def _ours() -> tuple[Callable[[], object], Callable[[], object], str]:
    """Give a build of the sample's first summaries, its Jinja renders, and its MJML."""
    from digest.config import load_settings  # noqa: PLC0415 - after the path is set
    from digest.content import ContentOptions, load_library  # noqa: PLC0415 - as above
    from digest.files import read_templates  # noqa: PLC0415 - as above
    from digest.model import Issue, IssueKey, Pick, ThemeId  # noqa: PLC0415 - as above
    from digest.render.compose import compose  # noqa: PLC0415 - as above
    from digest.render.edition import render  # noqa: PLC0415 - as above
    from digest.render.sections import Material  # noqa: PLC0415 - as above
    from digest.render.templates import environment, render_template  # noqa: PLC0415 - as above
    from digest.render.text import render_text  # noqa: PLC0415 - as above
    from digest.render.words import WORDS, read_words  # noqa: PLC0415 - as above

    newsletter = load_settings(ROOT, file=None, environ={}, overrides=()).newsletter
    library = load_library(
        ROOT / "content", root=ROOT, zone=newsletter.zone, options=ContentOptions()
    )
    picked = library.summaries[:_ITEMS]
    items = tuple(Pick(id=summary.id, theme=ThemeId("lock"), reason="") for summary in picked)
    slot = newsletter.send.slot(IssueKey("2026-w49"), newsletter.zone)
    templates = read_templates(ROOT / "no-such-newsletter")
    engine = environment(templates)
    given = {
        "issue": Issue(slot=slot, theme=ThemeId("lock"), items=items),
        "number": 1,
        "summaries": {summary.id: summary for summary in picked},
        "newsletter": newsletter,
        "themes": (),
        "pictures": {},
        "commits": {},
    }
    words = read_words(engine, place=WORDS)
    values = {"letter": compose(Material(**given, words=words)), "words": words, "imprint": "0"}
    return (
        lambda: render(**given, templates=templates),
        lambda: [
            render_text(engine, values),
            *(render_template(engine, name, values) for name in _TEMPLATES),
        ],
        render_template(engine, _TEMPLATES[0], values),
    )
