"""Re-identification risk per record: prosecutor, journalist, marketer.

risk = prosecutor(table, ["age", "sex"])            # 1 / size of the record's class
risk = journalist(table, population, ["age", "sex"])  # 1 / its size in the population
risk.highest, risk.mean, risk.share_above(0.2)

Rows are compared by the text of their cells: the population must be generalized as the table is.
A suppressed row (`*` in every QI) is a member of the class of all suppressed rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from pydantic import InstanceOf

from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.measure import ATTACK_LIMITS, Limits, Score
from tokumei.core.messages import Message
from tokumei.tables.data.column_encoding import joint_codes
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import count_class_rows, row_counts
from tokumei.tables.measures.protocol import RiskMeasure

THRESHOLD = 0.2
CHANCE_UNIT = Message("chance", context="a probability")
Population = str | InstanceOf[Table] | None
"""A table, or the file that holds it, for the journalist's risk; None for the prosecutor's."""


@dataclass(frozen=True, eq=False)
class RecordRisk:
    """The risk of every record; record i stands for `counts[i]`, if given."""

    risks: np.ndarray = field(repr=False)
    counts: np.ndarray | None = field(default=None, repr=False)

    @property
    def highest(self) -> float:
        """The risk of the most exposed record; 0 without records."""
        return float(self.risks.max(initial=0.0))

    @property
    def mean(self) -> float:
        """Mean risk: with prosecutor's risks classes / rows, the marketer's."""
        return self._weighted_mean(self.risks)

    @property
    def certain(self) -> float:
        """Share of records that are found for sure."""
        return self._weighted_mean(self.risks >= 1)

    def share_above(self, threshold: float = THRESHOLD) -> float:
        """Share of records whose risk is greater than the threshold."""
        return self._weighted_mean(self.risks > threshold)

    def _weighted_mean(self, values: np.ndarray) -> float:
        return float(np.average(values, weights=self.counts)) if len(values) else 0.0


def prosecutor(table: Table, columns: Sequence[str]) -> RecordRisk:
    """The attacker knows that the person is in the table: 1 / |class|."""
    table.schema.require(columns)
    codes, counts = equivalence_class_codes(table.frame, columns), row_counts(table.frame)
    return RecordRisk(1 / count_class_rows(codes, counts)[codes], counts)


def journalist(table: Table, population: Table, columns: Sequence[str]) -> RecordRisk:
    """The attacker picks from a population that holds the table: 1 / |class in the population|.

    A class that is larger in the table than in the population is an error: the table is then no
    part of it.
    """
    for side in (table, population):
        side.schema.require(columns)
    inside, outside = joint_codes(table.frame, population.frame, columns)
    number = int(max(inside.max(initial=-1), outside.max(initial=-1))) + 1
    counts = row_counts(table.frame)
    table_sizes = count_class_rows(inside, counts, classes=number)
    population_sizes = count_class_rows(outside, row_counts(population.frame), classes=number)
    if (table_sizes > population_sizes).any():
        raise InputError(
            Message(
                "{count} class has more rows in the table than in the population: the population "
                "must contain the table's rows, generalized in the same way",
                plural="{count:,} classes have more rows in the table than in the population: the "
                "population must contain the table's rows, generalized in the same way",
                count=int((table_sizes > population_sizes).sum()),
            )
        )
    return RecordRisk(1 / population_sizes[inside], counts)


def marketer(table: Table, columns: Sequence[str]) -> float:
    """Share of all rows that an attacker expects to re-identify: classes / rows."""
    return prosecutor(table, columns).mean


def released_risk(case: Comparison, population: Population) -> RecordRisk:
    """The prosecutor's risk of the released rows; with a population the journalist's."""
    if population is None:
        return prosecutor(case.released, case.qi)
    if isinstance(population, str):
        population = read_table(population, qi=case.qi, sa=[])
    return journalist(case.released, population, case.qi)


@dataclass(frozen=True)
class HighestRisk(RiskMeasure):
    """The risk of the most exposed released row: 1 / smallest class."""

    name: ClassVar[str] = "highest_risk"
    title: ClassVar[Message] = Message("Highest risk of a record")
    sentence: ClassVar[Message] = Message("The chance with which the most exposed row is found.")
    formula: ClassVar[str] = "max_rows 1 / |class|"
    says: ClassVar[Message] = Message("The chance that the most exposed row is found is {value}.")
    limits: ClassVar[Limits] = ATTACK_LIMITS
    unit: ClassVar[Message] = CHANCE_UNIT

    population: Population = None

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(released_risk(case, self.population).highest, sample=case.released_rows)


@dataclass(frozen=True)
class RecordsAtRisk(RiskMeasure):
    """Share of released rows whose risk is above the threshold."""

    name: ClassVar[str] = "records_at_risk"
    title: ClassVar[Message] = Message("Records above the risk threshold")
    sentence: ClassVar[Message] = Message(
        "The share of rows that are found with a chance above a threshold."
    )
    formula: ClassVar[str] = "rows with 1 / |class| > threshold / |Y|"
    says: ClassVar[Message] = Message(
        "{value} of the rows are found with a chance above the threshold."
    )
    unchanged: ClassVar[Message] = Message("No row is found with a chance above the threshold.")

    threshold: float = THRESHOLD
    population: Population = None

    def score(self, case: Comparison) -> Score:
        """The figure."""
        risk = released_risk(case, self.population)
        return Score(risk.share_above(self.threshold), sample=case.released_rows)


@dataclass(frozen=True)
class MarketerRisk(RiskMeasure):
    """Mean risk of the released rows: the share that somebody who links all rows gets right.

    Without a population it is classes / rows.
    """

    name: ClassVar[str] = "marketer_risk"
    title: ClassVar[Message] = Message("Marketer risk")
    sentence: ClassVar[Message] = Message(
        "The share of all rows that somebody who links them by the quasi-identifiers gets right."
    )
    formula: ClassVar[str] = "classes / |Y|"
    says: ClassVar[Message] = Message(
        "Whoever links all rows by the quasi-identifiers gets {value} of them right."
    )
    limits: ClassVar[Limits] = ATTACK_LIMITS

    population: Population = None

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(released_risk(case, self.population).mean, sample=case.released_rows)
