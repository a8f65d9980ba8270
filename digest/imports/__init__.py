"""Other tools' files in: what they hold, as files of the content folder."""

from digest.imports.listing import Entry, Listing, parse_listing
from digest.imports.report import Failure, Imported, ImportReport, Skipped
from digest.imports.write import import_listing

__all__ = [
    "Entry",
    "Failure",
    "ImportReport",
    "Imported",
    "Listing",
    "Skipped",
    "import_listing",
    "parse_listing",
]
