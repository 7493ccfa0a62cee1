"""F: microaggregation: replaces sensitive values by the mean of their group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.k_anonymizer import require_k
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.tables.anonymizers.similar_rows import encode_points, group_within_classes, mdav_groups
from tokumei.tables.data.numeric_columns import has_only_numbers
from tokumei.tables.data.table import Table


@dataclass(frozen=True)
class Microaggregate(TableMethod):
    """Groups are the QI classes (the paper), or groups of at least k rows with similar SA.

    With QI classes a unique row keeps its values. With `mdav` every SA vector occurs at least
    k times; with `near`, where groups stay inside QI classes, every row as a whole does. Both are
    claimed and verified, of columns without gaps: the mean is that of the cells that are there, and
    gaps stay gaps. Of a text it is the most frequent one, the first in order if there are several.
    """

    name: ClassVar[str] = "microaggregate"
    title: ClassVar[Message] = Message("Microaggregate")
    sentence: ClassVar[Message] = Message(
        "Replaces sensitive values by the mean of a group of rows."
    )
    leaves_open: ClassVar[Message] = Message(
        "Quasi-identifiers stay as they are; a mean tells much about members of a small or uniform "
        "group."
    )

    groups: Literal["qi", "mdav", "near"] = "qi"
    k: int = 3

    def done(self) -> Message:
        """Which rows share a mean."""
        if self.groups == "mdav":
            return Message(
                "Replace sensitive values by the mean of {k} or more similar rows (MDAV)", k=self.k
            )
        if self.groups == "near":
            return Message(
                "Replace sensitive values by the mean of {k} or more similar rows with the same "
                "quasi-identifiers",
                k=self.k,
            )
        return Message(
            "Replace sensitive values by the mean of the rows with the same quasi-identifiers"
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Replace each SA by its group's mean."""
        table, names = step.table, step.table.schema.sa
        require_columns(self.name, names, Message("sensitive (SA)"))
        groups, claimed_columns = self._assign_groups(table)
        claims = step.claims
        if claimed_columns:
            claims = (*claims, Claim("k-anonymity", {"k": self.k, "columns": claimed_columns}))
        aggregated = [aggregate_groups(table, name, groups) for name in names]
        return Step(table.with_frame(table.frame.with_columns(aggregated)), step.link, claims)

    def _assign_groups(self, table: Table) -> tuple[np.ndarray, list[str]]:
        """The group of every row, and the columns in which k rows become equal."""
        schema = table.schema
        gapless_names = [name for name in schema.sa if not table.frame[name].null_count()]
        if self.groups == "mdav":
            require_k(self.k, table.rows)
            return mdav_groups(encode_points(table, schema.sa), self.k), gapless_names
        classes = equivalence_class_codes(table.frame, schema.qi)
        if self.groups == "qi":
            return classes, []
        require_k(self.k, table.rows)
        _require_class_size(self.k, int(np.bincount(classes).min()))
        points = encode_points(table, schema.sa)
        return group_within_classes(points, classes, self.k), [*schema.qi, *gapless_names]


def _require_class_size(k: int, smallest: int) -> None:
    """Fail unless every class can hold a group."""
    if smallest < k:
        raise UsageError(
            "microaggregate: a class has only {smallest} rows with the same quasi-identifiers; "
            "groups of k = {k} need larger ones (mondrian first, with at least that k)",
            smallest=smallest,
            k=k,
        )


def aggregate_groups(table: Table, name: str, groups: np.ndarray) -> pl.Series:
    """Each row's group mean, of a text the group's most frequent; gaps stay gaps."""
    series = table.frame[name]
    is_present = series.is_not_null().to_numpy()
    if not has_only_numbers(series):
        return _group_modes(series, groups)
    if is_present.all():
        return pl.Series(name, group_means(table.numbers([name]), groups)[:, 0])
    _, dense_groups = np.unique(groups[is_present], return_inverse=True)
    means = np.full(table.rows, np.nan)
    means[is_present] = group_means(table.numbers([name])[is_present], dense_groups)[:, 0]
    return pl.Series(name, means).fill_nan(None)


def _group_modes(series: pl.Series, groups: np.ndarray) -> pl.Series:
    cells = pl.DataFrame({"cell": series, "text": series.cast(pl.String), "group": groups})
    value_counts = (
        cells.drop_nulls("cell").group_by("group", "text").agg(pl.len(), pl.first("cell"))
    )
    value_counts = value_counts.sort("group", "len", "text", descending=[False, True, False])
    modes = value_counts.group_by("group", maintain_order=True).agg(pl.first("cell").alias("mode"))
    joined = cells.join(modes, on="group", how="left", maintain_order="left")
    filled = joined.select(pl.when(pl.col("cell").is_not_null()).then(pl.col("mode")))
    return filled.to_series().alias(series.name)


def group_means(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Each row's group mean, column by column, summed in row order (same bits on any machine)."""
    sizes = np.bincount(groups)
    means = np.empty_like(values)
    for j in range(values.shape[1]):
        means[:, j] = (np.bincount(groups, weights=values[:, j]) / sizes)[groups]
    return means
