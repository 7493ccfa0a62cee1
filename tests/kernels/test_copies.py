"""Released rows as copies of people, against a loop over all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.kernels.loading import load_uncompiled
from tokumei.kernels.nearest import PersonCells, ReleasedCells, copy_log_likelihoods


def drawn(rows: int, people: int, columns: int, axes: int) -> tuple[ReleasedCells, PersonCells]:
    """Few codes, −1 among those of cells, and numbers that are not always told."""
    rng = np.random.default_rng(rows + people)
    cells = ReleasedCells(
        rng.integers(-1, 3, (rows, columns)).astype(np.int32),
        rng.random((rows, columns)).astype(np.float32),
        rng.normal(size=(rows, axes)).astype(np.float32),
        rng.integers(0, 2, (rows, axes)).astype(np.float32),
    )
    codes = rng.integers(0, 3, (columns, people)).astype(np.int32)
    return cells, PersonCells(codes, rng.normal(size=(axes, people)).astype(np.float32))


def pair(cells: ReleasedCells, owners: PersonCells, row: int, person: int) -> float:
    """What one row says of one person."""
    found = 0.0
    for column, code in enumerate(cells.codes[row]):
        if code == owners.codes[column, person]:
            found += float(cells.gains[row, column])
    for axis, number in enumerate(cells.numbers[row]):
        if cells.told[row, axis]:
            found -= float(number - owners.numbers[axis, person]) ** 2
    return found


@pytest.mark.parametrize(
    ("rows", "people", "columns", "axes"),
    [(1, 1, 1, 1), (7, 33, 5, 2), (3, 5000, 2, 1), (4, 9, 0, 2), (4, 9, 3, 0), (2, 3, 0, 0)],
)
def test_every_pair_has_its_sum(rows: int, people: int, columns: int, axes: int) -> None:
    cells, owners = drawn(rows, people, columns, axes)
    found = copy_log_likelihoods(cells, owners)
    for row in range(rows):
        for person in range(0, people, 1 + people // 40):
            assert found[row, person] == pytest.approx(pair(cells, owners, row, person), abs=1e-5)


def test_the_source_as_python_gives_the_same() -> None:
    (codes, gains, numbers, told), owners = drawn(5, 20, 3, 2)
    logs = np.empty((5, 20), np.float32)
    load_uncompiled("nearest").fill_copy_likelihoods(
        codes, gains, owners.codes, numbers, told, owners.numbers, logs
    )
    assert logs == pytest.approx(
        copy_log_likelihoods(ReleasedCells(codes, gains, numbers, told), owners), abs=1e-6
    )


def test_wrong_arrays_are_refused() -> None:
    cells, owners = drawn(5, 20, 3, 2)
    with pytest.raises(ValueError, match="columns"):
        copy_log_likelihoods(cells, owners._replace(codes=owners.codes[:2].copy()))
    with pytest.raises(ValueError, match="float32"):
        copy_log_likelihoods(cells._replace(gains=cells.gains.astype(np.float64)), owners)
