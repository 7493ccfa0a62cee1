"""Tests of tokumei.tables.profiling.reading.workbook."""

from __future__ import annotations

import pytest
import xlsxwriter

from tables.profiling.reading_helpers import ROWS
from tokumei.core.errors import UnknownNameError
from tokumei.tables.profiling.profiler import look


def test_workbooks_with_two_tables_and_several_sheets(tmp_path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet("表紙").write(0, 0, "案内")
        sheet = book.add_worksheet("名簿")
        for y, row in enumerate([["氏名", "性別", "生年月日"], *ROWS * 3], 2):
            sheet.write_row(y, 1, row)
        for y, row in enumerate([["区", "数"], ["a", "1"], ["b", "2"]], 2):
            sheet.write_row(y, 6, row)
    found = look(str(path))
    assert (found.source.sheet, found.source.header_row, found.rows) == ("名簿", 3, 9)
    assert [c.name for c in found.columns] == ["氏名", "性別", "生年月日"]
    assert "two-tables" in [fault.rule for fault in found.warnings]
    with pytest.raises(UnknownNameError, match="名簿"):
        look(str(path), sheet="名薄")
