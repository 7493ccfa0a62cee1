"""People recoded as an answer says: a release with its claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError
from tokumei.core.randomness import Randomness, content_digest
from tokumei.core.release import Claim, Provenance
from tokumei.core.text import Text
from tokumei.price.dictionary import ORIGINAL
from tokumei.price.problem import DELETE, Answer, PriceProblem
from tokumei.tables.data.table import Release, Table
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.engines.protocol import Frequencies, NewCells

if TYPE_CHECKING:
    from tokumei.price.session import PriceAnswer

NOTHING_LEFT = Text(
    "every attribute would be deleted, so there is nothing to write",
    "すべての属性が削除されるため、書き出すものがありません",
)


@dataclass(frozen=True, eq=False)
class RecodedTuples:
    """An answer's words for distinct tuples whose rows are elsewhere.

    `kept` are the places of the tuples that are released, `cells` their new cells; a column that is
    `released` but has no cells stays as it is. `step` describes the answer.
    """

    kept: np.ndarray
    cells: Mapping[str, pl.Series]
    released: Sequence[str]
    step: Mapping[str, Any]


def recoded_tuples(
    frequencies: Frequencies, asked: PriceAnswer, answer: Answer, *, starred: bool = False
) -> RecodedTuples:
    """What an answer makes of the tuples of counted rows."""
    kept = _kept_rows(frequencies, asked.problem, answer, asked.question.k)
    words = _cells(asked.problem, answer, starred=starred)
    places = pl.Series(tuple_numbers(frequencies)[kept])
    cells = {name: cell.gather(places) for name, cell in words.items() if cell is not None}
    return RecodedTuples(kept, cells, list(words), _step(asked, answer))


def recoded(
    frame: pl.DataFrame,
    frequencies: Frequencies,
    asked: PriceAnswer,
    answer: Answer,
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
    problem, k = asked.problem, asked.question.k
    rows = _kept_rows(frequencies, problem, answer, k)
    if not keep_order:
        rows = rows[_order(frame, len(rows), seed, [_step(asked, answer), *keep, starred])]
    cells = _cells(problem, answer, starred=starred)
    names = list(cells)
    chosen = frame.select(name for name in frame.columns if name in cells or name in keep)
    changed = {name: cell for name, cell in cells.items() if cell is not None}
    public = LocalEngine(chosen).give(NewCells(frequencies, changed)).frame.rechunk()[rows]
    claims = (Claim("k-anonymity", {"k": k, "columns": names}),) if k >= 2 else ()
    table = Table.of(public, qi=names, sa=[], ids=[])
    return Release(table, rows, claims, Provenance((_step(asked, answer),), sha256, seed))


def _order(frame: pl.DataFrame, rows: int, seed: int | None, made: Sequence[Any]) -> np.ndarray:
    rng = Randomness(seed)
    if rng.seeded:
        rng = rng.bound_to(content_digest(frame), *made)
    return rng.child("shuffle").permutation(rows)


def _cells(problem: PriceProblem, answer: Answer, *, starred: bool) -> dict[str, pl.Series | None]:
    """Every tuple's word in the attributes that are released; None: they stay as they are."""
    cells: dict[str, pl.Series | None] = {}
    for j, (one, place) in enumerate(zip(problem.attributes, answer.candidate, strict=True)):
        if place != DELETE:
            pattern = one.patterns[place]
            words = pattern.words.gather(pl.Series(pattern.up[problem.codes[:, j]]))
            cells[one.name] = None if pattern.name == ORIGINAL else words
        elif starred:
            cells[one.name] = pl.repeat("*", len(problem.counts), eager=True)
    if not cells:
        raise ClaimError(NOTHING_LEFT)
    return cells


def _kept_rows(
    frequencies: Frequencies, problem: PriceProblem, answer: Answer, k: int
) -> np.ndarray:
    rows = tuple_numbers(frequencies)
    if not answer.suppressed:
        return np.arange(len(rows))
    chosen = enumerate(zip(problem.attributes, answer.candidate, strict=True))
    words = pl.DataFrame(
        {
            str(j): one.patterns[place].up[problem.codes[:, j]]
            for j, (one, place) in chosen
            if place != DELETE
        }
    )
    people = words.with_columns(people=pl.Series(problem.counts))
    size = people.select(pl.col("people").sum().over(words.columns)).to_series().to_numpy()
    return np.flatnonzero((size >= k)[rows])


def tuple_numbers(frequencies: Frequencies) -> np.ndarray:
    """The tuple of every row."""
    if frequencies.rows is None:
        raise ValueError("this engine does not know the rows")
    return frequencies.rows


def _step(asked: PriceAnswer, answer: Answer) -> dict[str, Any]:
    found = answer.as_json(asked.problem, asked.question)
    told = ("value", "original_value", "ratio", "choice", "k", "suppressed", "optimal", "currency")
    kept = {name: found[name] for name in told}
    return {"method": "price", **kept, "prices": asked.prices.record()}
