"""A released table is put back into the order of its original."""

import numpy as np
import polars as pl

from tokumei.tables.judge.link import deleted_mark_violations, restore_original_order

RELEASED = pl.DataFrame({"age": ["30", "10"], "pay": ["c", "a"]})


def test_rows_return_to_their_places_and_deleted_ones_are_marked() -> None:
    restored = restore_original_order(RELEASED, np.array([2, 0]), rows=3)
    assert restored.rows() == [("10", "a"), ("DEL", ""), ("30", "c")]


def test_marks_of_deleted_rows_are_refused_beside_a_link() -> None:
    assert deleted_mark_violations(RELEASED) == []
    marked = RELEASED.with_columns(age=pl.Series(["DEL", "10"]))
    (violation,) = deleted_mark_violations(marked)
    assert violation.rule == "deleted-row"
    assert violation.message.show("en").startswith("1 row is marked DEL")
