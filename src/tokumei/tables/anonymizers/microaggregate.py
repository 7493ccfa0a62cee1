"""F: microaggregation: replace sensitive values by the mean of their group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from tokumei.core.cells import class_codes
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.tables.anonymizers.k_anonymizer import require_k
from tokumei.tables.anonymizers.near_rows import groups_in_classes, mdav_groups, points_of
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.tables.data.numbers import are_numbers
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
    title: ClassVar[Text] = Text("Microaggregate", "ミクロアグリゲーション")
    sentence: ClassVar[Text] = Text(
        "Replaces sensitive values by the mean of a group of rows.",
        "機密属性の値を、グループごとの平均値に置き換えます。",
    )
    leaves_open: ClassVar[Text] = Text(
        "Quasi-identifiers stay as they are; a mean tells much about members of a small or uniform "
        "group.",
        "準識別子はそのままです。小さなグループや値のそろったグループでは、平均値から各人の値がほぼ"
        "分かります。",
    )

    groups: Literal["qi", "mdav", "near"] = "qi"
    k: int = 3

    def done(self) -> Text:
        """Which rows share a mean."""
        if self.groups == "mdav":
            return Text(
                f"Replace sensitive values by the mean of {self.k} or more similar rows (MDAV)",
                f"機密属性を、似た {self.k} 行以上の平均値に置き換える（MDAV）",
            )
        if self.groups == "near":
            return Text(
                f"Replace sensitive values by the mean of {self.k} or more similar rows with the "
                "same quasi-identifiers",
                f"機密属性を、準識別子が同じで値の似た {self.k} 行以上の平均値に置き換える",
            )
        return Text(
            "Replace sensitive values by the mean of the rows with the same quasi-identifiers",
            "機密属性を、準識別子が同じ行の平均値に置き換える",
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Replace each SA by its group's mean."""
        table, names = step.table, step.table.schema.sa
        require_columns(self.name, names, Text("sensitive (SA)", "機密属性"))
        groups, bound = self._groups(table)
        claims = step.claims
        if bound:
            claims = (*claims, Claim("k-anonymity", {"k": self.k, "columns": bound}))
        new = [middle_of_groups(table, name, groups) for name in names]
        return Step(table.with_frame(table.frame.with_columns(new)), step.link, claims)

    def _groups(self, table: Table) -> tuple[np.ndarray, list[str]]:
        """The group of every row, and the columns in which k rows become equal."""
        schema = table.schema
        whole = [name for name in schema.sa if not table.frame[name].null_count()]
        if self.groups == "mdav":
            require_k(self.k, table.rows)
            return mdav_groups(points_of(table, schema.sa), self.k), whole
        classes = class_codes(table.frame, schema.qi)
        if self.groups == "qi":
            return classes, []
        require_k(self.k, table.rows)
        _require_classes(self.k, int(np.bincount(classes).min()))
        points = points_of(table, schema.sa)
        return groups_in_classes(points, classes, self.k), [*schema.qi, *whole]


def _require_classes(k: int, smallest: int) -> None:
    """Fail unless every class can hold a group."""
    if smallest < k:
        raise UsageError(
            f"microaggregate: a class has only {smallest} rows with the same quasi-identifiers; "
            f"groups of k = {k} need larger ones (mondrian first, with at least that k)",
            f"microaggregate: 準識別子が同じ行が {smallest} 行しかないクラスがあります。k = {k} の"
            "グループには足りません (先に k 以上の mondrian を適用してください)",
        )


def middle_of_groups(table: Table, name: str, groups: np.ndarray) -> pl.Series:
    """Each row's group mean, of a text the group's most frequent; gaps stay gaps."""
    series = table.frame[name]
    there = series.is_not_null().to_numpy()
    if not are_numbers(series):
        return _modes(series, groups)
    if there.all():
        return pl.Series(name, group_means(table.numbers([name]), groups)[:, 0])
    _, dense = np.unique(groups[there], return_inverse=True)
    means = np.full(table.rows, np.nan)
    means[there] = group_means(table.numbers([name])[there], dense)[:, 0]
    return pl.Series(name, means).fill_nan(None)


def _modes(series: pl.Series, groups: np.ndarray) -> pl.Series:
    cells = pl.DataFrame({"cell": series, "text": series.cast(pl.String), "group": groups})
    counted = cells.drop_nulls("cell").group_by("group", "text").agg(pl.len(), pl.first("cell"))
    counted = counted.sort("group", "len", "text", descending=[False, True, False])
    modes = counted.group_by("group", maintain_order=True).agg(pl.first("cell").alias("mode"))
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
