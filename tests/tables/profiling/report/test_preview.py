"""First rows and frequent values: what may be shown is shown, what is private is a shape."""

from __future__ import annotations

from collections import Counter

import polars as pl

from tokumei.tables.profiling.profiler import look
from tokumei.tables.profiling.report.preview import MAX_CELL_LENGTH, build_preview
from tokumei.tables.profiling.value_shapes import cell_shape


def people(rows: int = 40) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "name": [f"Ann Smith{i}" for i in range(rows)],
            "email": [f"ann{i}@example.org" for i in range(rows)],
            "sex": ["F" if i % 3 else "M" for i in range(rows)],
            "city": [None if i % 7 == 0 else "x" * (i % 60 + 1) for i in range(rows)],
        }
    )


def test_private_cells_are_shapes_and_the_others_themselves() -> None:
    frame = people()
    found = look(frame)
    shown = build_preview(found, rows=10)
    private = {column.name for column in found.columns if not column.shows_values}
    assert {"name", "email"} <= private
    assert "sex" not in private
    for row, given in zip(shown.rows, frame.head(10).iter_rows(named=True), strict=True):
        for name, cell in zip(shown.names, row, strict=True):
            if given[name] is None:
                assert cell.text is None
            elif name in private:
                assert cell.masked
                assert cell.text == cell_shape(given[name])[:MAX_CELL_LENGTH]
            else:
                assert not cell.masked
                assert given[name].startswith(str(cell.text).rstrip("…"))


def test_frequent_values_are_counted_and_private_ones_left_out() -> None:
    frame = people()
    found = build_preview(look(frame), values=3)
    counted = Counter(frame["sex"].to_list())
    assert dict(found.frequent["sex"]) == dict(counted)
    assert [n for _, n in found.frequent["sex"]] == sorted(counted.values(), reverse=True)
    assert "name" not in found.frequent
    assert "Smith" not in repr(found)
