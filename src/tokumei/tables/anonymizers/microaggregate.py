"""F: microaggregation: replace sensitive values by the mean of their group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from tokumei.core.cells import class_codes
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.tables.anonymizers.k_anonymizer import require_k
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.tables.data.table import require_numbers


@dataclass(frozen=True)
class Microaggregate(TableMethod):
    """Groups are the QI classes (the paper), or `mdav`: groups of at least k similar SA rows.

    With QI classes a unique row keeps its values. With MDAV every SA vector occurs at least
    k times, which is claimed and verified.
    """

    needs_numbers: ClassVar[bool] = True
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

    groups: Literal["qi", "mdav"] = "qi"
    k: int = 3

    def done(self) -> Text:
        """Which rows share a mean."""
        if self.groups == "mdav":
            return Text(
                f"Replace sensitive values by the mean of {self.k} or more similar rows (MDAV)",
                f"機密属性を、似た {self.k} 行以上の平均値に置き換える（MDAV）",
            )
        return Text(
            "Replace sensitive values by the mean of the rows with the same quasi-identifiers",
            "機密属性を、準識別子が同じ行の平均値に置き換える",
        )

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Replace each SA by its group's mean."""
        table, names = step.table, step.table.schema.sa
        require_columns(self.name, names, Text("sensitive (SA)", "機密属性"))
        require_numbers(table, names, where="microaggregate", general=True)
        values = table.numbers(names)
        claims = step.claims
        if self.groups == "mdav":
            require_k(self.k, table.rows)
            groups = mdav_groups(values, self.k)
            claims = (*claims, Claim("k-anonymity", {"k": self.k, "columns": names}))
        else:
            groups = class_codes(table.frame, table.schema.qi)
        means = group_means(values, groups)
        new = [pl.Series(name, means[:, j]) for j, name in enumerate(names)]
        return Step(table.with_frame(table.frame.with_columns(new)), step.link, claims)


def group_means(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Each row's group mean, column by column, summed in row order (same bits on any machine)."""
    sizes = np.bincount(groups)
    means = np.empty_like(values)
    for j in range(values.shape[1]):
        means[:, j] = (np.bincount(groups, weights=values[:, j]) / sizes)[groups]
    return means


def mdav_groups(values: np.ndarray, k: int) -> np.ndarray:
    """Groups of k to 2k − 1 similar rows by MDAV; a number per row, on columns scaled to sd 1.

    Domingo-Ferrer and Torra (2005): take the row farthest from the mean and the k − 1 rows nearest
    to it, then the same from the row farthest from that one; repeat on what is left.
    """
    sd = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    groups = np.zeros(len(values), dtype=np.int64)
    left = np.arange(len(values))
    number = 0
    with meter(Text("grouping", "グループ化中"), total=len(values)) as advance:
        while len(left) >= 3 * k:
            first = _farthest(scaled[left], scaled[left].mean(axis=0))
            far = scaled[left[first]]
            left = _take(scaled, left, first, k, groups, number)
            left = _take(scaled, left, _farthest(scaled[left], far), k, groups, number + 1)
            number += 2
            advance(2 * k)
    if len(left) >= 2 * k:
        first = _farthest(scaled[left], scaled[left].mean(axis=0))
        left = _take(scaled, left, first, k, groups, number)
        number += 1
    groups[left] = number
    return groups


def _farthest(points: np.ndarray, center: np.ndarray) -> int:
    return int(np.argmax(((points - center) ** 2).sum(axis=1)))


def _take(
    scaled: np.ndarray, left: np.ndarray, at: int, k: int, groups: np.ndarray, number: int
) -> np.ndarray:
    distance = ((scaled[left] - scaled[left[at]]) ** 2).sum(axis=1)
    distance[at] = -1.0
    near = np.argpartition(distance, k - 1)[:k]
    groups[left[near]] = number
    return np.delete(left, near)
