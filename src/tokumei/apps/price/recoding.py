"""Recodes people as an answer says, and makes a release with its claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import polars as pl

from tokumei.apps.price.price_list import ORIGINAL_PATTERN
from tokumei.apps.price.problem import DELETE_INDEX, PriceProblem, RecodingAnswer
from tokumei.core.errors import ClaimError
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim, Provenance
from tokumei.core.randomness import Randomness, content_digest
from tokumei.tables.data.table import Release, Table
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.protocol import RecodedCells, TupleCounts

if TYPE_CHECKING:
    from tokumei.apps.price.session import PriceAnswer

ALL_DELETED = Message("every attribute would be deleted, so there is nothing to write")


@dataclass(frozen=True, eq=False)
class RecodedTuples:
    """An answer's words for distinct tuples whose rows are elsewhere.

    `kept` are the places of the tuples that are released, `cells` their new cells; a column that is
    `released` but has no cells stays as it is. `step` describes the answer.
    """

    kept: np.ndarray
    cells: Mapping[str, pl.Series]
    released: Sequence[str]
    step: Mapping[str, object]


def recode_tuples(
    frequencies: TupleCounts,
    price_answer: PriceAnswer,
    answer: RecodingAnswer,
    *,
    starred: bool = False,
) -> RecodedTuples:
    """The recoded cells of each distinct tuple under an answer."""
    kept = _kept_rows(frequencies, price_answer.problem, answer, price_answer.question.k)
    words = _recoded_cells(price_answer.problem, answer, starred=starred)
    kept_tuples = pl.Series(tuple_by_row(frequencies)[kept])
    cells = {name: cell.gather(kept_tuples) for name, cell in words.items() if cell is not None}
    return RecodedTuples(kept, cells, list(words), _provenance_step(price_answer, answer))


class RecodingOptions(TypedDict, total=False):
    """The options of `recode_frame`."""

    seed: int | None
    keep: Sequence[str]
    keep_order: bool
    starred: bool
    sha256: str | None


def recode_frame(
    frame: pl.DataFrame,
    frequencies: TupleCounts,
    price_answer: PriceAnswer,
    answer: RecodingAnswer,
    *,
    seed: int | None = None,
    keep: Sequence[str] = (),
    keep_order: bool = False,
    starred: bool = False,
    sha256: str | None = None,
) -> Release:
    """A release of the attributes that were not deleted, and of the columns to `keep` as they are.

    Rows in too small groups are left out; the others are shuffled unless `keep_order`. With
    `starred`, deleted attributes stay as columns of `*`. The manifest tells the choice, and hash
    and date of the prices.
    """
    problem, k = price_answer.problem, price_answer.question.k
    rows = _kept_rows(frequencies, problem, answer, k)
    if not keep_order:
        rows = rows[
            _shuffled_order(
                frame, len(rows), seed, [_provenance_step(price_answer, answer), *keep, starred]
            )
        ]
    cells = _recoded_cells(problem, answer, starred=starred)
    names = list(cells)
    released_columns = frame.select(name for name in frame.columns if name in cells or name in keep)
    changed_cells = {name: cell for name, cell in cells.items() if cell is not None}
    public = (
        LocalEngine(released_columns)
        .give(RecodedCells(frequencies, changed_cells))
        .frame.rechunk()[rows]
    )
    claims = (Claim("k-anonymity", {"k": k, "columns": names}),) if k >= 2 else ()
    table = Table.of(public, qi=names, sa=[], ids=[])
    return Release(
        table, rows, claims, Provenance((_provenance_step(price_answer, answer),), sha256, seed)
    )


def _shuffled_order(
    frame: pl.DataFrame, rows: int, seed: int | None, digest_parts: Sequence[object]
) -> np.ndarray:
    rng = Randomness(seed)
    if rng.seeded:
        rng = rng.bound_to(content_digest(frame), *digest_parts)
    return rng.child("shuffle").permutation(rows)


def _recoded_cells(
    problem: PriceProblem, answer: RecodingAnswer, *, starred: bool
) -> dict[str, pl.Series | None]:
    """Every tuple's word in the attributes that are released; None: they stay as they are."""
    cells: dict[str, pl.Series | None] = {}
    for attribute_index, (attribute, pattern_index) in enumerate(
        zip(problem.attributes, answer.candidate, strict=True)
    ):
        if pattern_index != DELETE_INDEX:
            pattern = attribute.patterns[pattern_index]
            words = pattern.words.gather(pl.Series(pattern.up[problem.codes[:, attribute_index]]))
            cells[attribute.name] = None if pattern.name == ORIGINAL_PATTERN else words
        elif starred:
            cells[attribute.name] = pl.repeat("*", len(problem.counts), eager=True)
    if not cells:
        raise ClaimError(ALL_DELETED)
    return cells


def _kept_rows(
    frequencies: TupleCounts, problem: PriceProblem, answer: RecodingAnswer, k: int
) -> np.ndarray:
    rows = tuple_by_row(frequencies)
    if not answer.suppressed:
        return np.arange(len(rows))
    choices = enumerate(zip(problem.attributes, answer.candidate, strict=True))
    words = pl.DataFrame(
        {
            str(attribute_index): attribute.patterns[pattern_index].up[
                problem.codes[:, attribute_index]
            ]
            for attribute_index, (attribute, pattern_index) in choices
            if pattern_index != DELETE_INDEX
        }
    )
    people = words.with_columns(people=pl.Series(problem.counts))
    size = people.select(pl.col("people").sum().over(words.columns)).to_series().to_numpy()
    return np.flatnonzero((size >= k)[rows])


def tuple_by_row(frequencies: TupleCounts) -> np.ndarray:
    """The tuple of every row."""
    if frequencies.rows is None:
        raise ValueError("this engine does not know the rows")
    return frequencies.rows


def _provenance_step(price_answer: PriceAnswer, answer: RecodingAnswer) -> dict[str, object]:
    record = answer.as_json(price_answer.problem, price_answer.question)
    recorded = {
        name: figure for name, figure in record.items() if name not in ("values", "bound", "gap")
    }
    return {"method": "price", **recorded, "prices": price_answer.prices.record()}
