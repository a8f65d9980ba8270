"""What is installed holds all that the program needs."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent.parent


def test_wheel_starts_a_newsletter_without_the_checkout(tmp_path: Path) -> None:
    """A built wheel carries the looks and the starter content: init, build and publish work."""
    wheel = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    package = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(package)
        names = archive.namelist()
    letter = tmp_path / "letter"
    environ = {**os.environ, "PYTHONPATH": str(package)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own program, fixed words
            [sys.executable, "-m", "digest", *arguments],
            env=environ,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )

    run("init", str(letter))
    built = json.loads(run("-C", str(letter), "build", "--json", "--now", "2026-12-01").stdout)
    run("-C", str(letter), "publish", "--now", "2026-12-01")
    run("-C", str(letter), "build", "2026-w50", "--set", "mail.look=compact", "--now", "2026-12-01")

    shipped = {name.removeprefix("digest/_shipped/") for name in names if "_shipped/" in name}
    assert shipped == {
        "digest.toml",
        *(
            file.relative_to(ROOT).as_posix()
            for file in (ROOT / "templates").rglob("*")
            if file.is_file()
        ),
        *(f"content/{file.name}" for file in (ROOT / "content").glob("*.md")),
    }
    assert "templates/compact/support.json" in shipped
    assert "digest/py.typed" in names
    assert built["issue"] == "2026-w49"
    assert (letter / "outbox" / "site" / "rss.xml").is_file()
