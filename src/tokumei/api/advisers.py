"""Implements `tk.advise`: searches candidate releases for a purpose within a budget.

purpose = tk.advice.Purpose("partner", known=("age", "sex", "zip"))
advice = tk.advise("people.csv", purpose, seconds=60)
for candidate in advice.front:
    print(candidate.title, candidate.reason, candidate.risk.people, candidate.figures.loss)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tokumei.core.advice.advice import Advice, Wish
from tokumei.core.advice.adviser import Adviser
from tokumei.core.advice.candidate import Candidate
from tokumei.core.advice.purpose import Purpose
from tokumei.kinds import kind_of

if TYPE_CHECKING:
    from tokumei.api.types import OtherData, TableSource
    from tokumei.histories.data.history import History
    from tokumei.pseudonyms.data.period_history import PeriodHistory

    Source = TableSource | History | PeriodHistory | OtherData

SECONDS = 60.0


def adviser(
    source: Source, purpose: Purpose | None = None, *, seed: int | None = 1, **options: object
) -> Adviser:
    """The adviser of a source, with the methods `steps`, `near`, `advice` and `release`.

    Tables (a path, a frame, a Table): `fates` by column (generalize, protect, pass, drop) over
    those that the look proposes, `person`, `hierarchies`, and how a file is read (`sep`,
    `encoding`, `sheet`, `header_row`). Histories: `methods`. With `seed` None nothing can be
    repeated.
    """
    return kind_of(source).adviser(source, purpose or Purpose(), seed=seed, **options)


def advise_steps(
    source: Source,
    purpose: Purpose | None = None,
    *,
    seconds: float | None = SECONDS,
    steps: int | None = None,
    seed: int | None = 1,
    **options: object,
) -> Iterator[Candidate]:
    """Candidates as they finish, each measured first and then attacked; close it to cancel."""
    return adviser(source, purpose, seed=seed, **options).steps(seconds=seconds, steps=steps)


def advise(
    source: Source,
    purpose: Purpose | None = None,
    *,
    seconds: float | None = SECONDS,
    steps: int | None = None,
    seed: int | None = 1,
    **options: object,
) -> Advice:
    """Search candidate releases for a purpose; the result has their Pareto front.

    The same seed and `steps` give the same advice; `seconds` only stop the search earlier.
    """
    chosen = adviser(source, purpose, seed=seed, **options)
    for _ in chosen.steps(seconds=seconds, steps=steps):
        pass
    return chosen.advice()


def near(
    source: Source,
    candidate: Candidate,
    wish: Wish,
    purpose: Purpose | None = None,
    *,
    column: str | None = None,
    seconds: float | None = SECONDS,
    seed: int | None = 1,
    **options: object,
) -> Iterator[Candidate]:
    """New candidates near another: safer, more detail, a column dropped, no rows left out."""
    chosen = adviser(source, purpose, seed=seed, **options)
    return chosen.near(candidate, wish, column=column, seconds=seconds)
