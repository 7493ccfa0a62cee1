"""Re-identification risk of a table by its quasi-identifiers.

    result = risk(table, qi=["age", "sex", "zip"], population=1_000_000)
    result.prosecutor.highest, result.prosecutor.share_above(0.2), result.uniqueness.uniques
    result.population.uniques, result.population.why
    result.sets.head()              # which sets of columns single people out
    result.suda.contributions       # which columns make rows special

The population is a number of people, a table that holds the rows, or follows from
`sample_fraction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message, join_messages
from tokumei.core.result_table import ShownAsTable
from tokumei.tables.data.column_encoding import number_persons
from tokumei.tables.data.table import AnyRelease, AnyTable, Release, Table
from tokumei.tables.measures.class_size_counts import SampleClasses
from tokumei.tables.measures.population_uniques import ChoiceRule
from tokumei.tables.measures.record_risk import THRESHOLD, RecordRisk, journalist
from tokumei.tables.measures.suda import MAX_SIZE, SudaResult, suda
from tokumei.tables.measures.uniqueness import Uniqueness, identifying_columns, uniqueness
from tokumei.tables.risk.population_risk import (
    PopulationRisk,
    count_uniques,
    estimate_population,
    resolve_population,
)

_OWN_NUMBER = "tokumei_own"
SIZE_STEPS = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class SizeBin:
    """Classes of `low` to `high` rows, and whether their rows are above the threshold."""

    low: int
    high: int
    classes: int
    rows: int
    above: bool


@dataclass(frozen=True, eq=False, repr=False)
class Risk(ShownAsTable):
    """The re-identification risk of the people in a table.

    `without` gives for each column the share of rows that would be alone if it were left out.
    `journalist` needs a table of the population; `population` at least its size. `everything` is
    the prosecutor who knows every column of the table, whether it was named or not. `people` is how
    many people have the rows, where a column tells them apart.
    """

    rows: int
    columns: tuple[str, ...]
    threshold: float
    max_size: int
    sample: SampleClasses
    uniqueness: Uniqueness
    prosecutor: RecordRisk
    everything: RecordRisk
    journalist: RecordRisk | None
    population: PopulationRisk | None
    sets: pl.DataFrame
    suda: SudaResult
    without: dict[str, float]
    people: int | None = None

    @property
    def marketer(self) -> float:
        """The share that somebody who links all rows expects to get right."""
        return self.prosecutor.mean

    @property
    def special_rows(self) -> int:
        """How many rows are unique by at most `max_size` columns."""
        return int((self.suda.msus > 0).sum())

    def sets_of_size(self, size: int) -> pl.DataFrame:
        """The sets of so many columns, those that tell most rows apart first."""
        ranked = self.sets.filter(pl.col("size") == size)
        return ranked.sort("distinction", descending=True, maintain_order=True)

    @property
    def special_sets(self) -> pl.DataFrame:
        """The sets of columns with minimal uniques, those with the highest scores first."""
        return self.suda.sets.sort("score", descending=True, maintain_order=True)

    @property
    def bins(self) -> list[SizeBin]:
        """Classes and rows by class size; no bin holds sizes on both sides of the threshold."""
        sizes, counts = self.sample.sizes, self.sample.counts
        safe = sizes[1 / sizes <= self.threshold].tolist()
        end = int(sizes[-1]) + 1
        starts = sorted(low for low in {*SIZE_STEPS, *safe[:1]} if low < end)
        size_bins = []
        for low, high in pairwise([*starts, end]):
            inside = (low <= sizes) & (sizes < high)
            classes, rows = int(counts[inside].sum()), int(sizes[inside] @ counts[inside])
            size_bins.append(SizeBin(low, high - 1, classes, rows, 1 / low > self.threshold))
        return size_bins

    def caption(self) -> Message:
        """What was looked at."""
        return Message(
            "{rows:,} rows in {classes:,} classes by {columns}; {uniques:.1%} of the rows are "
            "unique",
            rows=self.rows,
            classes=self.sample.classes,
            columns=join_messages(self.columns),
            uniques=self.uniqueness.uniques,
        )

    def table_rows(self) -> list[JsonObject]:
        """A row per attacker: the risk of the records."""
        risks = {
            "prosecutor": self.prosecutor,
            "prosecutor who knows every column": self.everything,
            "journalist": self.journalist,
        }
        known = {name: risk for name, risk in risks.items() if risk is not None}
        return [{"attacker": name, **self._record_risk_json(risk)} for name, risk in known.items()]

    def as_json(self) -> dict[str, object]:
        """All figures as plain data; no cell of the table is in it."""
        pairs = zip(self.sample.sizes.tolist(), self.sample.counts.tolist(), strict=True)
        return {
            "rows": self.rows,
            "people": self.people,
            "columns": list(self.columns),
            "threshold": self.threshold,
            "classes": self.sample.classes,
            "class_sizes": [{"size": size, "classes": count} for size, count in pairs],
            "sample_uniques": self.uniqueness.uniques,
            "distinction": self.uniqueness.distinction,
            "separation": self.uniqueness.separation,
            "prosecutor": self._record_risk_json(self.prosecutor),
            "everything": self._record_risk_json(self.everything),
            "journalist": None
            if self.journalist is None
            else self._record_risk_json(self.journalist),
            "marketer": self.marketer,
            "population": None if self.population is None else self.population.as_json(),
            "uniques_without": self.without,
            "sets": self.sets.to_dicts(),
            "suda": {
                "max_size": self.max_size,
                "rows": self.special_rows,
                "msus": int(self.suda.msus.sum()),
                "contributions": self.suda.contributions.to_dicts(),
                "sets": self.special_sets.to_dicts(),
            },
        }

    def _record_risk_json(self, record_risk: RecordRisk) -> dict[str, float]:
        return {
            "highest": record_risk.highest,
            "mean": record_risk.mean,
            "above_threshold": record_risk.share_above(self.threshold),
            "unique_share": record_risk.certain,
        }


def risk(
    source: AnyRelease,
    *,
    qi: Sequence[str] | None = None,
    population: int | AnyTable | None = None,
    sample_fraction: float | None = None,
    threshold: float = THRESHOLD,
    max_size: int = MAX_SIZE,
    rule: ChoiceRule = "bracket",
    person: str | None = None,
) -> Risk:
    """Prosecutor's, journalist's and marketer's risk, uniques, and the columns behind them.

    `source` is a frame, Table or Release; `population` a number of people, or a table of them,
    generalized as the source is. Sets of up to `max_size` columns are looked at. With the column
    `person`, people are counted: rows of one person with the same cells in the columns that are
    looked at count once.
    """
    table = Table.of(source.public if isinstance(source, Release) else source, qi=qi)
    columns = table.schema.qi
    _require_measurable(table, columns, threshold)
    everything, _ = _one_row_per_person(
        table, [n for n in table.schema.names if n != person], person
    )
    table, person_of_row = _one_row_per_person(table, columns, person)
    codes = equivalence_class_codes(table.frame, columns)
    everything_codes = equivalence_class_codes(everything.frame, everything.frame.columns)
    sizes = np.bincount(codes)
    sample = SampleClasses.from_sizes(sizes)
    people, number = resolve_population(table, columns, population, sample_fraction)
    population_risk = None if number is None else estimate_population(sample, number, rule=rule)
    if population_risk is not None and people is not None:
        population_risk = replace(population_risk, counted=count_uniques(table, people, columns))
    return Risk(
        rows=table.rows,
        columns=tuple(columns),
        threshold=threshold,
        max_size=max_size,
        sample=sample,
        uniqueness=Uniqueness.of(sizes),
        prosecutor=RecordRisk(1 / sizes[codes]),
        everything=RecordRisk(1 / np.bincount(everything_codes)[everything_codes]),
        journalist=None if people is None else journalist(table, people, columns),
        population=population_risk,
        sets=identifying_columns(table, columns, max_size=max_size, people=person_of_row),
        suda=suda(table, columns, max_size=max_size, people=person_of_row),
        without={
            name: uniqueness(
                table, [column for column in columns if column != name], people=person_of_row
            ).uniques
            for name in columns
        },
        people=None if person_of_row is None else len(np.unique(person_of_row)),
    )


def _one_row_per_person(
    table: Table, columns: Sequence[str], person: str | None
) -> tuple[Table, np.ndarray | None]:
    """A row for each person and each combination of the columns, and the number of its person.

    Nobody's rows are kept all.
    """
    if person is None:
        return table, None
    table.schema.require([person])
    if person in columns:
        raise UsageError(
            "'{person}' tells people apart and cannot be a quasi-identifier too", person=person
        )
    frame = table.frame.with_columns(pl.Series(_OWN_NUMBER, number_persons(table.frame[person])))
    kept_rows = frame.unique([*columns, _OWN_NUMBER], maintain_order=True)
    names = [name for name in table.schema.names if name in columns]
    distinct_table = Table(kept_rows.select(names), table.schema.keep(names))
    return distinct_table, equivalence_class_codes(kept_rows, [_OWN_NUMBER])


def _require_measurable(table: Table, columns: Sequence[str], threshold: float) -> None:
    if not columns:
        raise UsageError("name at least one quasi-identifier")
    if not table.rows:
        raise InputError("the table has no rows")
    if not 0 <= threshold <= 1:
        raise UsageError("the threshold is between 0 and 1")
