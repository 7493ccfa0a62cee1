"""Tests of tokumei.tables.profiling.value_shapes."""

from __future__ import annotations

from tables.anonymization.before_after_helpers import released
from tokumei.tables.anonymization.before_after import rows_before_after
from tokumei.tables.profiling.value_shapes import cell_shape


def test_rows_are_those_of_the_link_and_private_cells_are_shapes() -> None:
    table, release = released()
    found = rows_before_after(table, release, masked=["region"], rows=5)
    places = sorted(range(len(release.link)), key=lambda row: release.link[row])[:5]
    public = release.written.frame
    for before, after, place in zip(found.before, found.after, places, strict=True):
        original = table.frame.row(int(release.link[place]), named=True)
        for name, cell, changed in zip(found.columns, before, after, strict=True):
            private = name in ("region", "occupation")
            told = str(original[name])
            assert cell == ((cell_shape(told), True) if private else (told, False))
            if name == "occupation":
                assert changed is None
            elif not private:
                assert changed == (str(public[name][place]), False)
    assert found.left_out == table.rows - len(set(release.link.tolist()))
