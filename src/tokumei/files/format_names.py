"""Names the file formats, their suffixes and the first bytes of their files."""

from __future__ import annotations

from enum import StrEnum

from tokumei.core.messages import Message


class FileFormat(StrEnum):
    """How a file is laid out."""

    CSV = "CSV"
    CSV_GZ = "gzip"
    PARQUET = "Parquet"
    XLSX = "Excel (.xlsx)"
    ARROW = "Arrow"
    JSON_LINES = "JSON lines"
    SPSS = "SPSS"
    STATA = "Stata"
    SAS = "SAS"
    SAS_TRANSPORT = "SAS transport (.xpt)"

    @property
    def has_types(self) -> bool:
        """Whether the file declares the types of its columns and has no lines of text."""
        return self not in _TEXT_FORMATS and self is not FileFormat.XLSX

    @property
    def has_records(self) -> bool:
        """Whether a row is one whatever it holds, and names stand with the cells."""
        return self.has_types or self is FileFormat.JSON_LINES

    @property
    def is_statistical(self) -> bool:
        """Whether pyreadstat reads it."""
        return self in _STATISTICAL_FORMATS


_TEXT_FORMATS = (FileFormat.CSV, FileFormat.CSV_GZ, FileFormat.JSON_LINES)
_STATISTICAL_FORMATS = (
    FileFormat.SPSS,
    FileFormat.STATA,
    FileFormat.SAS,
    FileFormat.SAS_TRANSPORT,
)

FORMAT_BY_SUFFIX = {
    ".csv": FileFormat.CSV,
    ".csv.gz": FileFormat.CSV_GZ,
    ".tsv": FileFormat.CSV,
    ".tsv.gz": FileFormat.CSV_GZ,
    ".txt": FileFormat.CSV,
    ".txt.gz": FileFormat.CSV_GZ,
    ".parquet": FileFormat.PARQUET,
    ".xlsx": FileFormat.XLSX,
    ".arrow": FileFormat.ARROW,
    ".feather": FileFormat.ARROW,
    ".jsonl": FileFormat.JSON_LINES,
    ".ndjson": FileFormat.JSON_LINES,
    ".sav": FileFormat.SPSS,
    ".zsav": FileFormat.SPSS,
    ".dta": FileFormat.STATA,
    ".sas7bdat": FileFormat.SAS,
    ".xpt": FileFormat.SAS_TRANSPORT,
}

SIGNATURES = {
    b"PAR1": Message.verbatim("Parquet"),
    b"PK\x03\x04": Message("a zip archive"),
    b"PK\x05\x06": Message("a zip archive"),
    b"\x1f\x8b": Message.verbatim("gzip"),
    b"%PDF-": Message.verbatim("PDF"),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": Message("an old or password-protected Office file"),
    b"\x89PNG\r\n\x1a\n": Message.verbatim("PNG"),
    b"\xff\xd8\xff": Message.verbatim("JPEG"),
    b"\x28\xb5\x2f\xfd": Message.verbatim("zstd"),
    b"\xfd7zXZ\x00": Message.verbatim("xz"),
    b"7z\xbc\xaf\x27\x1c": Message.verbatim("7-Zip"),
    b"\x7fELF": Message("a program"),
    b"SQLite format 3\x00": Message.verbatim("SQLite"),
    b"ARROW1": Message.verbatim("Arrow"),
    b"FEA1": Message("an old Feather file (save it as Arrow)"),
    b"$FL2": Message.verbatim("SPSS"),
    b"$FL3": Message.verbatim("SPSS"),
    b"HEADER RECORD*******LIB": Message.verbatim("SAS"),
}
EXPECTED_SIGNATURES = {
    FileFormat.CSV_GZ: b"\x1f\x8b",
    FileFormat.PARQUET: b"PAR1",
    FileFormat.XLSX: b"PK\x03\x04",
    FileFormat.ARROW: b"ARROW1",
    FileFormat.SPSS: b"$FL",
    FileFormat.SAS: b"\x00" * 12,
    FileFormat.SAS_TRANSPORT: b"HEADER RECORD*******LIB",
}


UNSUPPORTED_SUFFIXES = {
    ".xls": Message("an old Excel workbook (save it as .xlsx)"),
    ".xlsb": Message("a binary Excel workbook (save it as .xlsx)"),
    ".ods": Message("an OpenDocument sheet (save it as .xlsx)"),
    ".numbers": Message("an Apple Numbers sheet (export it as CSV)"),
    ".pdf": Message("PDF, which holds no table that could be read"),
}
"""Formats of other suffixes, which we do not read, and how to convert them."""
