"""The listings that the project was given, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from digest.imports import ImportReport, import_listing

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "listings"
NAMES = ("icml-2025-page-1.txt", "icml-2025-page-2.txt")


def _import(known: dict[str, str], taken: frozenset[str]) -> list[ImportReport]:
    reports: list[ImportReport] = []
    for name in NAMES:
        report = import_listing(
            (FOLDER / name).read_bytes(),
            name=name,
            known=known,
            taken=taken,
            date=None,
            folder="content",
        )
        reports.append(report)
        taken |= {path.rpartition("/")[2].lower() for path in report.files}
    return reports


@pytest.mark.skipif(
    not all((FOLDER / name).is_file() for name in NAMES), reason="the listings are not at hand"
)
def test_all_forty_are_imported_once() -> None:
    """Both listings come in whole, six with the titles glued to them; again, nothing does."""
    reports = _import({}, frozenset())
    imported = [one for report in reports for one in report.imported]
    files = {path: data for report in reports for path, data in report.files.items()}
    assert len(imported) == len(files) == len({one.id for one in imported}) == 40
    assert len({one.title for one in imported}) >= 39
    assert not any(report.failed or report.skipped or report.notices for report in reports)
    assert sum(not one.title_derived for one in imported) == 6
    for data in files.values():
        body = data.decode().rpartition("---\n\n")[2]
        assert not body.startswith("Introduction")
        assert body.endswith("…\n")
        assert "source: ICML 2025\n" in data.decode()
    known = {one.id: one.path for one in imported}
    again = _import(known, frozenset())
    assert sum(len(report.skipped) for report in again) == 40
    assert not any(report.imported or report.failed or report.files for report in again)
