"""Measure speed beside a peer, in one interleaved run, as medians and ratios.

A figure depends on the machine, a ratio less so: those of the plan have limits, and above one the
run fails. The peer is Pelican, which reads the same folder of Markdown and writes its feeds, with
pages switched off. Sending has peers and goals of its own: see `sending.py`.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from measuring import interleaved, timed
from planning import plan_jobs
from rendering import RENDERING, render_jobs
from sending import Sending, measure_sending

# Ten times the summaries may take this many times as long; a footer that all share this many.
_LARGER = 14
_FOOTER = 5
_LIMITS = {
    "digest plan, 52 weeks, 50,000 / 5,000": _LARGER,
    "plan alone, 52 weeks, 50,000 / 5,000": _LARGER,
    "digest plan, 52 weeks, 2,000 with a footer / without": _FOOTER,
    # Of the plan alone the ratio is only told: there most of the time goes by comparing the texts.
}
_WORDS = ("tide", "mill", "lock", "weir", "quay", "pier", "stone", "water", "gate", "wheel")
_LOAD = """
import sys
from pathlib import Path
from zoneinfo import ZoneInfo
from digest.content import ContentOptions, load_library
root = Path(sys.argv[1])
cache = root / "cache.json" if sys.argv[2] == "warm" else None
library = load_library(root / "content", root=root, zone=ZoneInfo("Europe/Berlin"),
                       options=ContentOptions(), cache=cache, write_cache=cache is not None)
assert len(library.summaries) == int(sys.argv[3]), library.problems[:3]
"""
_PELICAN = """
PATH = {content!r}
OUTPUT_PATH = {output!r}
SITEURL = "https://papers.example"
TIMEZONE = "Europe/Berlin"
DEFAULT_LANG = "en"
FEED_ALL_ATOM = "feeds/all.atom.xml"
FEED_ALL_RSS = "feeds/all.rss.xml"
FEED_MAX_ITEMS = 30
CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
ARTICLE_SAVE_AS = PAGE_SAVE_AS = CATEGORY_SAVE_AS = TAG_SAVE_AS = AUTHOR_SAVE_AS = ""
DIRECT_TEMPLATES = []
CACHE_CONTENT = LOAD_CONTENT_CACHE = {cache}
CACHE_PATH = {folder!r}
LOG_LEVEL = "CRITICAL"
"""


def write_summaries(folder: Path, count: int) -> None:
    """Write summaries of about 120 words with six header keys; the same ones each time."""
    words = random.Random(count)  # noqa: S311 - sample text, always the same
    folder.mkdir(parents=True)
    for number in range(count):
        text = " ".join(words.choice(_WORDS) for _ in range(120))
        day = f"20{10 + number % 15:02d}-{1 + number % 12:02d}-{1 + number % 28:02d}"
        (folder / f"item-{number:05d}.md").write_text(
            f"---\ntitle: Item {number} of the survey\ndate: {day}\n"
            f"url: https://a.example/{number}\nsource: Survey\ntags: water, stone\n"
            f"authors: A. Writer\n---\n\n{text.capitalize()}.\n",
            "utf-8",
        )


def jobs_for(root: Path, count: int, *, peer: bool) -> dict[str, Callable[[], float]]:
    """Name the loads of one folder: ours cold and warm, and the peer's."""
    write_summaries(root / "content", count)
    load = [sys.executable, "-c", _LOAD, str(root)]
    jobs: dict[str, Callable[[], float]] = {
        f"digest load {count} cold": lambda: timed([*load, "cold", str(count)]),
        f"digest load {count} warm": lambda: timed([*load, "warm", str(count)]),
    }
    timed([*load, "warm", str(count)])  # fills the cache
    for cache in (False, True) if peer else ():
        settings = root / f"pelican-{cache}.py"
        settings.write_text(
            _PELICAN.format(
                content=str(root / "content"),
                output=str(root / f"output-{cache}"),
                cache=cache,
                folder=str(root / "pelican-cache"),
            )
        )
        command = [sys.executable, "-m", "pelican", "-q", "-s", str(settings)]
        if cache:
            timed(command)
        name = "warm" if cache else "cold"
        jobs[f"pelican {count} {name}"] = lambda command=command: timed(command)  # type: ignore[misc] # bound now
    return jobs


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        jobs = jobs_for(base / "five", 5_000, peer=True)
        taken = interleaved(jobs, options.runs)
        taken |= interleaved(jobs_for(base / "fifty", 50_000, peer=False), options.runs)
        peaks: dict[str, list[int]] = {}
        plans = [plan_jobs(base / f"plan-{count}", count, peaks) for count in (5_000, 50_000)]
        taken |= interleaved({**plans[0], **plans[1]}, options.runs)
        plain = plan_jobs(base / "plain", 2_000, peaks)
        footed = plan_jobs(base / "footer", 2_000, peaks, footer=True)
        taken |= interleaved({**plain, **footed}, options.runs)
        taken |= interleaved(render_jobs(base / "mjml"), options.runs * 3)
        sending = measure_sending(base / "sending", runs=options.runs)
    digest = [sys.executable, "-m", "digest"]
    taken |= interleaved(
        {
            "python -c pass": lambda: timed([sys.executable, "-c", "pass"]),
            "digest --version": lambda: timed([*digest, "--version"]),
            "digest plan": lambda: timed([*digest, "plan", "--now", "2026-12-01"]),
        },
        options.runs * 3,
    )
    ratios = report(taken, peaks, sending, as_json=options.json)
    over = [
        f"{name}: {ratios[name]:.1f} is above {most}"
        for name, most in _LIMITS.items()
        if ratios[name] > most
    ]
    over += [] if isinstance(sending, str) else sending.missed()
    if over:
        sys.exit("\n".join(over))


def report(
    taken: dict[str, list[float]],
    peaks: dict[str, list[int]],
    sending: Sending | str,
    *,
    as_json: bool,
) -> dict[str, float]:
    """Print medians with their spread, the peaks of memory, then the ratios, and give these."""
    most = {name: max(found) for name, found in peaks.items()}
    median = {name: statistics.median(seconds) for name, seconds in taken.items()}
    ratios = {
        "pelican cold / digest cold, 5,000": median["pelican 5000 cold"]
        / median["digest load 5000 cold"],
        "pelican cold / digest warm, 5,000": median["pelican 5000 cold"]
        / median["digest load 5000 warm"],
        "pelican warm / digest warm, 5,000": median["pelican 5000 warm"]
        / median["digest load 5000 warm"],
        "digest cold, 50,000 / 5,000": median["digest load 50000 cold"]
        / median["digest load 5000 cold"],
        "digest warm, 50,000 / 5,000": median["digest load 50000 warm"]
        / median["digest load 5000 warm"],
        "digest plan, 52 weeks, 50,000 / 5,000": median["digest plan 50000, 52 weeks"]
        / median["digest plan 5000, 52 weeks"],
        "plan alone, 52 weeks, 50,000 / 5,000": median["plan alone 50000, 52 weeks"]
        / median["plan alone 5000, 52 weeks"],
        "digest plan, 52 weeks, 2,000 with a footer / without": median[
            "digest plan 2000 with a footer, 52 weeks"
        ]
        / median["digest plan 2000, 52 weeks"],
        "plan alone, 52 weeks, 2,000 with a footer / without": median[
            "plan alone 2000 with a footer, 52 weeks"
        ]
        / median["plan alone 2000, 52 weeks"],
        "peak memory of digest plan, 50,000 / 5,000": most["digest plan 50000, 52 weeks"]
        / most["digest plan 5000, 52 weeks"],
        "digest --version / python": median["digest --version"] / median["python -c pass"],
        "digest plan / python": median["digest plan"] / median["python -c pass"],
        **{
            name: median[one] / median[other]
            for name, (one, other) in RENDERING.items()
            if one in median
        },
    }
    if as_json:
        sent = sending if isinstance(sending, str) else sending.told()
        told = {
            "schema": 1,
            "median_s": median,
            "peak_octets": most,
            "ratios": ratios,
            "sending": sent,
        }
        print(json.dumps(told, indent=2))
        return ratios
    for name, seconds in taken.items():
        low, high = min(seconds) * 1000, max(seconds) * 1000
        print(f"{name:<42} {median[name] * 1000:9.0f} ms   ({low:.0f} to {high:.0f})")
    for name, octets in most.items():
        print(f"{name:<42} {octets / 2**20:9.0f} MB at its peak")
    for name, ratio in ratios.items():
        print(f"{name:<54} {ratio:7.1f}")
    if isinstance(sending, str):
        print(f"left out: sending: {sending}")
    else:
        sending.report()
    return ratios


if __name__ == "__main__":
    main()
