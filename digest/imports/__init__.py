"""Other tools' files in: summaries as files of the content folder, and lists of readers."""

from digest.imports.listing import Entry, Listing, parse_listing
from digest.imports.readers import LONGEST_NAME, STATUS_WORDS, ReaderList, ReaderRow, parse_readers
from digest.imports.report import Failure, Imported, ImportReport, Skipped
from digest.imports.write import import_listing

__all__ = [
    "LONGEST_NAME",
    "STATUS_WORDS",
    "Entry",
    "Failure",
    "ImportReport",
    "Imported",
    "Listing",
    "ReaderList",
    "ReaderRow",
    "Skipped",
    "import_listing",
    "parse_listing",
    "parse_readers",
]
