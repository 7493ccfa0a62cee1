"""Every format is of exactly one sort."""

from __future__ import annotations

from tokumei.files.format_names import FORMAT_BY_SUFFIX, FileFormat


def test_formats_are_text_sheet_or_typed() -> None:
    assert {form for form in FileFormat if not form.has_types} == {
        FileFormat.CSV,
        FileFormat.CSV_GZ,
        FileFormat.JSON_LINES,
        FileFormat.XLSX,
    }
    assert {form for form in FileFormat if form.has_records and not form.has_types} == {
        FileFormat.JSON_LINES
    }
    assert all(form.has_types for form in FileFormat if form.is_statistical)
    assert set(FORMAT_BY_SUFFIX.values()) == set(FileFormat)
