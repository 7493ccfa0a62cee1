"""Makes one release per k: losses by column, and people found by two attackers.

trials = KTrials(table, method, seed=1)
trials.at(10).by_all.rate
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import polars as pl

from tokumei.core.attack_rates import AttackRate
from tokumei.core.context_threads import ContextThreadPool
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar, thread_count
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.data.column_encoding import number_persons
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.numeric_columns import scale_for_distances
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation_suite import StrongestAttack, attack_suite, find_strongest_attack
from tokumei.tables.measures.cell_width import column_width
from tokumei.tables.registry import resolve_attack_names
from tokumei.tables.services.anonymize import try_method
from tokumei.tables.services.comparison_requests import EVERYTHING, ComparisonRequest
from tokumei.tables.services.open_comparison import open_comparison


@dataclass(frozen=True)
class KPoint:
    """The release of one k: class sizes, loss, and the strongest attack of either attacker.

    `by_qi` is somebody who knows the quasi-identifiers of all people, `by_all` everything that
    is public. `losses`: by column, the share of what its cells told.
    """

    k: int
    smallest: int
    rows_kept: float
    by_qi: StrongestAttack
    by_all: StrongestAttack
    losses: Mapping[str, float]

    @property
    def loss(self) -> float:
        """The mean over the columns that could be released."""
        return float(np.mean(list(self.losses.values()))) if self.losses else 0.0

    @property
    def most_lossy_column(self) -> tuple[str, float]:
        """The column that loses most, and its share of all that is lost."""
        name = max(self.losses, key=lambda column: self.losses[column])
        total = sum(self.losses.values())
        return name, self.losses[name] / total if total else 0.0

    def as_json(self) -> JsonObject:
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
class KTrials:
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
    def _method_for_table(self) -> TableMethod:
        """The method with hierarchies of this table's quasi-identifiers alone."""
        hierarchies = getattr(self.method, "hierarchies", None)
        if not isinstance(hierarchies, Mapping):
            return self.method
        own_hierarchies = {
            name: hierarchy
            for name, hierarchy in hierarchies.items()
            if name in self.table.schema.qi
        }
        return cast(TableMethod, replace(cast(Any, self.method), hierarchies=own_hierarchies))

    @property
    def people(self) -> int:
        """How many people there are (or rows)."""
        if self.person is None:
            return self.table.rows
        return len(np.unique(number_persons(self.table.frame[self.person])))

    def measure_all_k(self, values: Sequence[int]) -> tuple[KPoint, ...]:
        """The releases of several k, at once where there are cores."""
        title = Message("releases")
        with progress_bar(title, len(values)) as advance, ContextThreadPool(thread_count()) as pool:
            points = []
            for point in pool.map(self.at, values):
                points.append(point)
                advance(1)
        return tuple(points)

    def at(self, k: int) -> KPoint:
        """The release of one k, attacked and measured."""
        case = self.compare_at_k(k)
        qi_rates = self._run_attacks(case, [EVERYTHING], tuple(case.qi))
        attack_names = resolve_attack_names(self.attacks)
        full_rates = self._run_attacks(case, [*dict.fromkeys((*attack_names, EVERYTHING))])
        losses = {name: column_loss(case, name) for name in self.columns}
        kept_share = case.released.rows / case.original.rows
        # Who knows everything also knows the QI, though a further column may mislead.
        all_rates = {**full_rates, f"{EVERYTHING} (QI)": qi_rates[EVERYTHING]}
        return KPoint(
            k,
            smallest_class(case),
            kept_share,
            find_strongest_attack(qi_rates),
            find_strongest_attack(all_rates),
            losses,
        )

    def compare_at_k(self, k: int) -> Comparison:
        """The original beside the verified release of one k."""
        if k not in self.made:
            method = cast(TableMethod, replace(cast(Any, self._method_for_table), k=k))
            full_method = Pipeline((method, *self.after)) if self.after else method
            release = try_method(self.table, full_method, seed=self.seed)
            compared = ComparisonRequest(original=self.table, release=release, person=self.person)
            self.made[k] = open_comparison(compared).case
        return self.made[k]

    def attack_rate_knowing(self, column: str, k: int) -> float:
        """How many are found by whoever knows the quasi-identifiers and one more column."""
        case = self.compare_at_k(k)
        return float(self._run_attacks(case, [EVERYTHING], (*case.qi, column))[EVERYTHING].rate)

    def _run_attacks(
        self, case: Comparison, names: Sequence[str], known: tuple[str, ...] = ()
    ) -> dict[str, AttackRate]:
        attack_params = {EVERYTHING: {"known": known}} if known else {}
        rng = Randomness(0 if self.seed is None else self.seed)
        return attack_suite(case, names, rng=rng, params=attack_params, expected=True)


def smallest_class(case: Comparison) -> int:
    """The fewest people (rows, if people are not told apart) who share their QI."""
    codes = equivalence_class_codes(case.released.frame, case.qi)
    row_people = np.arange(len(codes)) if case.people is None else case.people[case.link]
    distinct_pairs = np.unique(np.column_stack([codes, row_people]), axis=0)
    return int(np.bincount(distinct_pairs[:, 0]).min())


def column_loss(case: Comparison, name: str) -> float:
    """The share of a column that is lost: its cells' width, how far numbers moved, what changed."""
    if name not in case.released.schema.names:
        return 1.0
    if name in case.qi:
        return column_width(case, name)
    before, after = case.original.frame[name].gather(case.link), case.released.frame[name]
    if not (before.dtype.is_numeric() and after.dtype.is_numeric()):
        texts = [series.cast(pl.String) for series in (before, after)]
        return float(texts[0].ne_missing(texts[1]).cast(pl.Float64).mean() or 0.0)  # type: ignore[arg-type]
    numbers = scale_for_distances(
        *(series.cast(pl.Float64).to_numpy() for series in (before, after))
    )
    differences, value_range = (
        np.abs(numbers[0] - numbers[1]),
        np.ptp(numbers[0][~np.isnan(numbers[0])]),
    )
    gaps = np.isnan(numbers[0]) != np.isnan(numbers[1])
    shares = np.where(gaps, 1.0, np.nan_to_num(differences) / (value_range or 1.0))
    return float(np.minimum(shares, 1.0).mean())
