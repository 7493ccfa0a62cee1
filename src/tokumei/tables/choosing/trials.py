"""One release for each k: what it loses, column by column, and whom two attackers find in it.

trials = Trials(table, method, seed=1)
trials.at(10).by_all.rate
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import polars as pl

from tokumei.core.cells import class_codes
from tokumei.core.context_threads import ContextThreadPool
from tokumei.core.progress import meter, threads
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numbers import spannable
from tokumei.tables.data.person_values import number_persons
from tokumei.tables.data.table import Table
from tokumei.tables.measures.cell_width import column_width
from tokumei.tables.registry import chosen_attacks
from tokumei.tables.services.anonymize import try_method
from tokumei.tables.services.comparison_requests import EVERYTHING, ComparisonRequest
from tokumei.tables.services.open_comparison import open_comparison
from tokumei.tables.suite import Strongest, attack_suite, strongest


@dataclass(frozen=True)
class KPoint:
    """The release of one k: class sizes, loss, and the strongest attack of either attacker.

    `by_qi` is somebody who knows the quasi-identifiers of all people, `by_all` everything that
    is public. `losses`: by column, the share of what its cells told.
    """

    k: int
    smallest: int
    rows_kept: float
    by_qi: Strongest
    by_all: Strongest
    losses: Mapping[str, float]

    @property
    def loss(self) -> float:
        """The mean over the columns that could be released."""
        return float(np.mean(list(self.losses.values()))) if self.losses else 0.0

    @property
    def heaviest(self) -> tuple[str, float]:
        """The column that loses most, and its share of all that is lost."""
        name = max(self.losses, key=lambda one: self.losses[one])
        total = sum(self.losses.values())
        return name, self.losses[name] / total if total else 0.0

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "k": self.k,
            "smallest_class": self.smallest,
            "loss": self.loss,
            "rows_kept": self.rows_kept,
            "knows_qi": dict(vars(self.by_qi)),
            "knows_everything": dict(vars(self.by_all)),
            "losses": dict(self.losses),
        }


@dataclass(frozen=True, eq=False)
class Trials:
    """A table, a method whose k is varied, and what comes after it."""

    table: Table
    method: TableMethod
    after: tuple[TableMethod, ...] = ()
    columns: tuple[str, ...] = ()
    """The columns over which the loss is taken: those that could be released."""
    attacks: tuple[str, ...] = ()
    seed: int | None = None
    made: dict[int, Comparison] = field(default_factory=dict, repr=False)

    @property
    def person(self) -> str | None:
        """The column by which people are counted; None: rows are."""
        return getattr(self.method, "person", "") or None

    @property
    def _fitting(self) -> TableMethod:
        """The method with hierarchies of this table's quasi-identifiers alone."""
        given = getattr(self.method, "hierarchies", None)
        if not isinstance(given, Mapping):
            return self.method
        kept = {name: one for name, one in given.items() if name in self.table.schema.qi}
        return cast(TableMethod, replace(cast(Any, self.method), hierarchies=kept))

    @property
    def people(self) -> int:
        """How many people there are (or rows)."""
        if self.person is None:
            return self.table.rows
        return len(np.unique(number_persons(self.table.frame[self.person])))

    def all_at(self, values: Sequence[int]) -> tuple[KPoint, ...]:
        """The releases of several k, at once where there are cores."""
        title = Text("releases", "匿名加工")
        with meter(title, len(values)) as advance, ContextThreadPool(threads()) as pool:
            found = []
            for point in pool.map(self.at, values):
                found.append(point)
                advance(1)
        return tuple(found)

    def at(self, k: int) -> KPoint:
        """The release of one k, attacked and measured."""
        case = self.case(k)
        by_qi = self._attacked(case, [EVERYTHING], tuple(case.qi))
        wanted = chosen_attacks(self.attacks)
        by_all = self._attacked(case, [*dict.fromkeys((*wanted, EVERYTHING))])
        losses = {name: column_loss(case, name) for name in self.columns}
        kept = case.released.rows / case.original.rows
        # Who knows everything also knows the QI, though a further column may mislead.
        most = {**by_all, f"{EVERYTHING} (QI)": by_qi[EVERYTHING]}
        return KPoint(k, smallest_class(case), kept, strongest(by_qi), strongest(most), losses)

    def case(self, k: int) -> Comparison:
        """The original beside the verified release of one k."""
        if k not in self.made:
            method = cast(TableMethod, replace(cast(Any, self._fitting), k=k))
            whole = Pipeline((method, *self.after)) if self.after else method
            release = try_method(self.table, whole, seed=self.seed)
            compared = ComparisonRequest(original=self.table, release=release, person=self.person)
            self.made[k] = open_comparison(compared).case
        return self.made[k]

    def found_by(self, column: str, k: int) -> float:
        """How many are found by whoever knows the quasi-identifiers and one more column."""
        case = self.case(k)
        return float(self._attacked(case, [EVERYTHING], (*case.qi, column))[EVERYTHING].rate)

    def _attacked(self, case: Comparison, names: Sequence[str], known: Any = ()) -> Any:
        narrowed = {EVERYTHING: {"known": known}} if known else {}
        rng = Randomness(0 if self.seed is None else self.seed)
        return attack_suite(case, names, rng=rng, params=narrowed, expected=True)


def smallest_class(case: Comparison) -> int:
    """The fewest people (rows, if people are not told apart) who share their QI."""
    codes = class_codes(case.released.frame, case.qi)
    who = np.arange(len(codes)) if case.people is None else case.people[case.link]
    both = np.unique(np.column_stack([codes, who]), axis=0)
    return int(np.bincount(both[:, 0]).min())


def column_loss(case: Comparison, name: str) -> float:
    """The share of a column that is lost: its cells' width, how far numbers moved, what changed."""
    if name not in case.released.schema.names:
        return 1.0
    if name in case.qi:
        return column_width(case, name)
    before, after = case.original.frame[name].gather(case.link), case.released.frame[name]
    if not (before.dtype.is_numeric() and after.dtype.is_numeric()):
        texts = [one.cast(pl.String) for one in (before, after)]
        return float(texts[0].ne_missing(texts[1]).cast(pl.Float64).mean() or 0.0)  # type: ignore[arg-type]
    numbers = spannable(*(one.cast(pl.Float64).to_numpy() for one in (before, after)))
    moved, spread = np.abs(numbers[0] - numbers[1]), np.ptp(numbers[0][~np.isnan(numbers[0])])
    gaps = np.isnan(numbers[0]) != np.isnan(numbers[1])
    shares = np.where(gaps, 1.0, np.nan_to_num(moved) / (spread or 1.0))
    return float(np.minimum(shares, 1.0).mean())
