"""Small random tables whose sensitive cells are missing or texts, as lists of rows."""

from __future__ import annotations

import random
from typing import Any

import polars as pl

from support.small_tables import Small
from tokumei.tables.data.table import Table

NUMBERS = [0, 1, 2, 3, 7, None]
TEXTS = ["a", "b", "c", None]
WORDS = {"a", "b", "c", "{a;b}"}
KINDS = {"n": (NUMBERS, [*NUMBERS, "[1;3]", "*"]), "t": (TEXTS, [*TEXTS, "{a;b}", "*"])}


def gappy(seed: int, sa: str) -> Small:
    """Originals and releases with gaps and texts; `sa` says what each SA is: n or t."""
    chance = random.Random(seed)
    size = chance.randint(1, 7)
    plain = [[1, 2, None], *(KINDS[one][0] for one in sa)]
    other = [[1, 2, None], *(KINDS[one][1] for one in sa)]
    original = [[chance.choice(cells) for cells in plain] for _ in range(size)]
    link = chance.sample(range(size), chance.randint(1, size))
    released = [list(original[i]) for i in link]
    for row in released:
        for j in range(len(row)):
            if chance.random() < 0.4:
                row[j] = chance.choice(other[j])
    for j, one in enumerate(sa, start=1):
        if one == "t":
            _explain(j, original, released)
    return Small(["q0"], [f"s{j}" for j in range(len(sa))], original, released, link)


def _explain(j: int, original: list[list[Any]], released: list[list[Any]]) -> None:
    """A set that nothing explains has no reference, nor has a column that was emptied."""
    known = {row[j] for row in original}
    for row in released:
        if row[j] == "{a;b}" and not {"a", "b"} & known:
            row[j] = "*"
    before, after = (sum(row[j] is None for row in rows) for rows in (original, released))
    if after > before or len({row[j] for row in released}) == 1:
        for row in released:
            row[j] = original[0][j]


def is_number(case: Small, j: int) -> bool:
    """Whether a column has numbers and gaps only, and a number in the original."""
    before, after = (
        [case.sa_of(row)[j] for row in rows] for rows in (case.original, case.released)
    )
    cells = [cell for cell in before if cell is not None]
    return bool(cells) and not WORDS & {*cells, *after}


def table_of(rows: list[list[Any]], case: Small) -> Table:
    """The rows as a table; one text makes a column text, as in a file."""
    columns = {}
    for j, name in enumerate([*case.qi, *case.sa]):
        cells = [row[j] for row in rows]
        mixed = any(isinstance(cell, str) for cell in cells)
        columns[name] = [None if c is None else str(c) for c in cells] if mixed else cells
    dtypes = {n: pl.String for n, c in columns.items() if all(x is None for x in c)}
    return Table.of(pl.DataFrame(columns, schema_overrides=dtypes), qi=case.qi, sa=case.sa)
