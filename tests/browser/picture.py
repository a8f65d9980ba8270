"""Take the pictures of README and manual anew: the sample's first issue, its looks, the desk."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from operator import itemgetter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from browser.chrome import screenshot, serving
from desk.visiting import TOKEN, visiting

from digest.cli.main import run
from digest.desk.copies import copy_of

_ROOT = Path(__file__).resolve().parent.parent.parent
_BOARD = """<!doctype html><meta charset="utf-8"><title>picture</title>
<style>
  body {{ margin: 0; background: #d9d6cf; display: flex; gap: 32px; padding: 32px; }}
  iframe {{ border: 0; border-radius: 12px; background: #f5f4f1; }}
</style>
<body>
<iframe src="{mail}" style="width:640px;height:836px"></iframe>
<iframe src="{mail}" style="width:375px;height:836px"></iframe>
<iframe src="{home}" style="width:460px;height:836px"></iframe>
"""
# A mail in a frame cannot be told which colours to take, so its copies have them decided.
_LOOKS = """<!doctype html><meta charset="utf-8"><title>looks</title>
<style>
  body {{ margin: 0; background: #d9d6cf; padding: 32px;
    display: grid; grid-template-columns: 600px 600px; gap: 24px; }}
  iframe {{ border: 0; border-radius: 12px; width: 600px; height: 640px; }}
</style>
<body>
{frames}
"""
_READERS = [
    ["readers", "add", f"reader{n}@reader.example", "--consent", "asked at the fair"]
    for n in range(1, 13)
]


def _picture_plan(chromium: str, folder: Path) -> None:
    """Picture the page of a plan, with a week that is skipped."""
    now = ("--now", "2026-12-01")
    with redirect_stdout(StringIO()) as page:
        codes = (
            run(["-C", str(folder), "skip", "2026-w53", "--reason", "between the years", *now]),
            page.truncate(page.seek(0)),
            run(["-C", str(folder), "plan", "--weeks", "12", "--html", *now]),
            run(["-C", str(folder), "-q", "skip", "2026-w53", "--release", *now]),
        )
    if any(codes):
        sys.exit("digest plan --html failed")
    shown = folder / "plan.html"
    shown.write_text(page.getvalue(), "utf-8")
    picture = _ROOT / "docs" / "plan.png"
    screenshot(chromium, shown.as_uri(), to=picture, width=1100, height=820)


def _picture_looks(chromium: str, folder: Path) -> None:
    """Picture the mail in both looks side by side, light above and dark below."""
    frames = []
    for look in ("default", "compact"):
        words = ["-C", str(folder), "build", f"--set=mail.look={look}", "-q", "--now", "2026-12-01"]
        if run(words):
            sys.exit(f"digest build failed with the look {look}")
        mail = (folder / "outbox/2026-w49/issue.html").read_bytes()
        for order, colour in enumerate(("light", "dark")):
            (folder / f"{look}-{colour}.html").write_bytes(copy_of(mail, colour=colour))
            frames.append((order, f'<iframe src="{look}-{colour}.html"></iframe>'))
    shown = "\n".join(frame for _, frame in sorted(frames, key=itemgetter(0)))
    (folder / "looks.html").write_text(_LOOKS.format(frames=shown), "utf-8")
    with serving(folder) as (address, _):
        picture = _ROOT / "docs" / "looks.png"
        screenshot(chromium, f"{address}/looks.html", to=picture, width=1288, height=1368)


def main() -> None:
    """Build the sample in a throw-away folder and picture it into docs/."""
    chromium = shutil.which("chromium") or sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as folder:
        now = ("-q", "--now", "2026-12-01")
        if run(["-C", folder, "init", *now]):
            sys.exit("digest init failed")
        _picture_looks(chromium, Path(folder))
        for command in (["build"], *_READERS):
            if run(["-C", folder, *command, *now]):
                sys.exit(f"digest {command[0]} failed")
        with visiting(Path(folder), now="2026-11-29T17:00:00+01:00") as visitor:
            desk = f"{visitor.address}issues/2026-w49?token={TOKEN}"
            picture = _ROOT / "docs" / "preview.png"
            screenshot(chromium, desk, to=picture, width=1400, height=1000)
        _picture_plan(chromium, Path(folder))
        if run(["-C", folder, "publish", *now]):
            sys.exit("digest publish failed")
        outbox = Path(folder) / "outbox"
        board = _BOARD.format(mail="2026-w49/issue.html", home="site/index.html")
        (outbox / "board.html").write_text(board, "utf-8")
        with serving(outbox) as (address, _):
            picture = _ROOT / "docs" / "picture.png"
            screenshot(chromium, f"{address}/board.html", to=picture, width=1603, height=900)


if __name__ == "__main__":
    main()
