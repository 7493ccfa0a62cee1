"""Texts of columns that do not leave are found among others, common ones are nobody's."""

from __future__ import annotations

import polars as pl

from tokumei.core.release_terms import WithheldColumns, WithheldScan

NAMES = [f"Person {number}" for number in range(150)]


def found(column: list[str | None], texts: list[str]) -> list[str]:
    """What both forms find; they must agree."""
    cells = pl.Series("name", column)
    in_memory = WithheldColumns((cells,)).find_among(pl.Series(texts))
    scanned = WithheldScan(cells.to_frame().lazy(), ("name",)).find_among(pl.Series(texts))
    assert sorted(in_memory) == sorted(scanned)
    return sorted(in_memory)


def test_a_value_of_a_withheld_column_is_found_in_its_plain_spelling() -> None:
    assert found(NAMES, ["person7", "person7000", "osaka"]) == ["person7"]
    assert found([*NAMES, None], ["person149"]) == ["person149"]


def test_a_value_that_many_rows_have_is_nobodys() -> None:
    assert found([*NAMES, *["none"] * 40], ["none", "person3"]) == ["person3"]


def test_a_column_of_few_shared_values_tells_nobody_apart() -> None:
    assert found(["Osaka", "Kyoto"] * 50, ["osaka"]) == []


def test_without_columns_nothing_is_found() -> None:
    assert WithheldColumns().find_among(pl.Series(["person7"])).to_list() == []


def test_no_value_stands_in_a_repr() -> None:
    rows = pl.DataFrame({"name": NAMES})
    assert "Person" not in repr(WithheldColumns((rows["name"],)))
    assert "Person" not in repr(WithheldScan(rows.lazy(), ("name",)))
