"""Tests of tokumei.tables.profiling.detection.cell_patterns."""

from __future__ import annotations

import polars as pl

from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.cell_patterns import CELL_PATTERNS


def test_a_form_is_never_missed_for_want_of_its_signs() -> None:
    cells = [
        "a@b.jp",
        "10.0.0.1",
        "::1",
        "a:::",
        "12-34",
        "〒100-0001",
        "007",
        "9:30",
        "20代",
        "60+",
    ]
    cells += [
        "10-20万円",
        "超えて円",
        "#12",
        "A-12",
        "/x/y",
        "/1/2",
        "Mozilla/5.0",
        "J18.9",
        "3丁目",
    ]
    cells += ["午前", "DE12 3456 7890", "です。", "what?", "550e8400-e29b-41d4-a716-446655440000"]
    cells += ["00:1A:2B:3C:4D:5E", "09 0-000", "03-1234-5678", "٠٣-١٢٣٤-٥٦٧٨", "123-45-6789"]
    cells += [
        "東京都千代田区丸の内",
        "横浜市",
        "渋谷区1-2",
        "H1 2AB",
        "1234 AB",
        "平成",
        "R3",
        "2020-01",
    ]
    cells += [
        "abcdef-abcd",
        "www.a",
        "ftp://a",
        "ヤマダ",
        "やまだ",
        "(株)",
        "Co.",
        "12 Hill Road",
        "٣",
    ]
    cells += [
        "Hauptstr. 5",
        "Rue 1",
        "20200101",
        "a b c",
        "日本語日本語日本",
        "$1-2",
        "<50K",
        "¥1以上",
    ]
    all_forms = pl.DataFrame({"cell": cells}).select(
        pl.col("cell").str.contains(pattern).alias(form) for form, pattern in CELL_PATTERNS.items()
    )
    for cell, forms in zip(cells, all_forms.rows(named=True), strict=True):
        column = ColumnCells.of(pl.Series("c", [cell]))
        assert {form: column.share(form) > 0 for form in CELL_PATTERNS} == forms, cell
    assert all(found.any() for found in all_forms)
