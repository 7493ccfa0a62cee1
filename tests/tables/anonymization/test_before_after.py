"""Rows beside what became of them, against a plain loop over the link."""

from __future__ import annotations

from collections import Counter

import numpy as np

import tokumei as tk
from tokumei.tables.anonymization.before_after import (
    SIZE_STEPS,
    class_size_histogram,
    rows_before_after,
)
from tokumei.tables.profiling.value_shapes import cell_shape


def released() -> tuple[tk.Table, tk.Release]:
    people = tk.sample_table(80, seed=2)
    table = tk.Table.of(people, qi=["household_size", "region"], sa=["food"], ids=["occupation"])
    return table, tk.anonymize(table, "mondrian", k=3, seed=1)


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


def test_sizes_count_every_row_once() -> None:
    _, release = released()
    rows = release.public.frame.select(release.public.schema.qi).rows()
    counts = Counter(rows)
    wanted = np.zeros(len(SIZE_STEPS), dtype=int)
    for row in rows:
        wanted[max(i for i, low in enumerate(SIZE_STEPS) if counts[row] >= low)] += 1
    assert [n for _, n in class_size_histogram(release)] == wanted.tolist()
