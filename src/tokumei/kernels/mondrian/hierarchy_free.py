"""Hierarchy-free Mondrian on code arrays: cuts until no cut leaves k rows on both sides.

With `checks` (see conditions), both sides must fulfil them too.

    columns = CutColumns.of([CutColumn(positions), CutColumn(positions, values=5)])
    pieces = cut_up(codes, counts, columns, k=5, cut="gain")
    pieces.classes                      # the class of each piece; strict: a piece is a tuple

Codes stand in the order along which a column is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import numpy as np

from tokumei.kernels.condition_checks import NO_CHECKS, Checks, to_compiled_checks
from tokumei.kernels.loading import load
from tokumei.kernels.validation import require_array, require_arrays, require_that

if TYPE_CHECKING:
    from tokumei.kernels.equivalence_classes.mondrian_cuts import Cutting

CutChoice = Literal["gain", "median", "relaxed"]
CUT_CHOICES: tuple[CutChoice, ...] = ("gain", "median", "relaxed")
TUPLES_PER_STRETCH = 1_000_000
"""Tuples looked at at a stretch: in between, Ctrl-C is heard."""


@dataclass(frozen=True, eq=False)
class CutColumn:
    """A column: where each code lies between 0 and 1.

    `values`: how many a set can have, 0 for numbers; `gap`: what the missing value, code 0, adds to
    the width of a cell of known ones, 0 if there is none.
    """

    positions: np.ndarray
    values: int = 0
    gap: float = 0.0


class CutColumns(NamedTuple):
    """All lines as arrays; the positions of column j begin at `starts[j]`."""

    positions: Annotated[np.ndarray, "float64[places]"]
    starts: Annotated[np.ndarray, "int64[j] 0..places"]
    values: Annotated[np.ndarray, "int64[j] 0.."]
    gaps: Annotated[np.ndarray, "float64[j]"]

    @classmethod
    def of(cls, lines: Sequence[CutColumn]) -> CutColumns:
        """The lines one after the other."""
        sizes = [len(line.positions) for line in lines]
        return cls(
            np.concatenate([line.positions for line in lines]).astype(np.float64),
            np.cumsum([0, *sizes[:-1]]),
            np.array([line.values for line in lines], dtype=np.int64),
            np.array([line.gap for line in lines], dtype=np.float64),
        )


class ClassPieces(NamedTuple):
    """Parts of tuples, in the order of the tuples: which tuple, how many rows, which class."""

    tuples: np.ndarray
    counts: np.ndarray
    classes: np.ndarray


def cut_up(
    codes: np.ndarray,
    counts: np.ndarray,
    columns: CutColumns,
    *,
    k: int,
    cut: CutChoice,
    checks: Checks = NO_CHECKS,
) -> ClassPieces:
    """The classes of the tuples.

    `gain` cuts where the cells get narrower by most in all; `median` cuts the widest column at
    its median (LeFevre et al. 2006, strict); `relaxed` does so through the median value itself,
    whose rows go to both sides; it knows no checks.
    """
    # A relaxed cut splits at most one tuple, and makes one class more.
    extra_pieces = int(counts.sum()) // k if cut == "relaxed" else 0
    pieces = ClassPieces(
        *(np.empty(len(codes) + extra_pieces, np.int64) for _ in ClassPieces._fields)
    )
    compiled_checks = to_compiled_checks(checks, len(codes))
    cutting = _to_compiled(codes, counts, columns, compiled_checks, k, cut, pieces)
    while cutting.waiting:
        load("equivalence_classes").cut_up(cutting, TUPLES_PER_STRETCH)
    tuples, rows, classes = (array[: cutting.done] for array in pieces)
    order = np.lexsort((classes, tuples))
    return ClassPieces(tuples[order], rows[order], classes[order])


def best_cut(
    codes: np.ndarray, counts: np.ndarray, columns: CutColumns, *, k: int, cut: CutChoice
) -> tuple[int, int] | None:
    """The first cut that `cut_up` would make: a column, and the last code below; None: none.

    A relaxed cut is taken as a median one.
    """
    pieces = ClassPieces(*(np.empty(len(codes), np.int64) for _ in ClassPieces._fields))
    how: CutChoice = "gain" if cut == "gain" else "median"
    compiled_checks = to_compiled_checks(NO_CHECKS, len(codes))
    cutting = _to_compiled(codes, counts, columns, compiled_checks, k, how, pieces)
    column, border = load("equivalence_classes").best_cut(cutting)
    return None if column < 0 else (column, border)


def _to_compiled(
    codes: np.ndarray,
    counts: np.ndarray,
    columns: CutColumns,
    compiled_checks: object,
    k: int,
    cut: CutChoice,
    pieces: ClassPieces,
) -> Cutting:
    """The arguments as compiled code takes them, all tuples as the group at hand and as open."""
    codes, counts = np.ascontiguousarray(codes, np.int32), counts.astype(np.int64)
    require_that(k >= 1, "k: at least 1")
    sizes = require_arrays(columns)
    require_array("codes", codes, "int32[t, j] 0..", sizes)
    require_array("counts", counts, "int64[t] 1..", sizes)
    ends = np.append(columns.starts[1:], sizes["places"]) - columns.starts
    require_that((codes < ends).all(), "codes: no such code")
    most, tuples = len(pieces.tuples), len(codes)
    opened = np.zeros((5, most + 2), np.int64)
    opened[[0, 3], :tuples], opened[[1, 4], :tuples] = np.arange(tuples), counts
    room = np.zeros((3, most), np.int64)
    table = np.zeros(sizes["places"], np.int64)
    compiled: Cutting = load("equivalence_classes").Cutting(
        codes,
        *columns,
        compiled_checks,
        *pieces,
        *opened,
        *room,
        table,
        k,
        CUT_CHOICES.index(cut),
        size=tuples,
        end=tuples,
    )
    return compiled
