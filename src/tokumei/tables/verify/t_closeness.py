"""t-closeness: a class's sensitive values are distributed much as the file's, EMD ≤ t.

    TCloseness(0.2, ("age", "sex"), ("illness",))
    TCloseness(0.2, ("age", "sex"), ("income",), distance="ordered")
    TCloseness(0.2, ("age",), ("job",), distance="hierarchical", hierarchy="job.csv")

equal          ½ Σ |p − q|
ordered        Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1), over the m values of the file in order
hierarchical   moving a share costs level(lowest common ancestor) / H
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_values import (
    TOLERANCE,
    ClassValues,
    class_values,
    require_parameter,
    require_roles,
)
from tokumei.tables.verify.earth_mover import (
    equal_distance,
    hierarchical_distance,
    ordered_distance,
)
from tokumei.tables.verify.protocol import Rule
from tokumei.tables.verify.value_order import value_levels, value_places


@dataclass(frozen=True)
class TCloseness(Rule):
    """Limits the earth mover's distance between every class and the whole file."""

    name: ClassVar[str] = "t-closeness"
    title: ClassVar[Text] = Text("t-closeness", "t-近接性")
    sentence: ClassVar[Text] = Text(
        "Sensitive values are distributed in every class much as in the whole file.",
        "どのクラスでも、機密属性の分布がファイル全体の分布に近くなっています。",
    )

    t: float
    columns: tuple[str, ...]
    sensitive: tuple[str, ...]
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: tuple[str, ...] = ()
    """For `ordered`: the values from low to high; numbers and dates need none."""
    hierarchy: Mapping[str, tuple[str, ...]] | str | None = None
    """For `hierarchical`: each value's ancestors up to the root, or a file `leaf;level1;…;*`."""

    def __post_init__(self) -> None:
        between = Text("at least 0 and below 1", " 0 以上 1 未満の数")
        require_parameter(0 <= self.t < 1, "t", self.t, between)
        require_roles(self.name, self.columns, self.sensitive)
        if (self.hierarchy is not None) != (self.distance == "hierarchical"):
            raise UsageError(
                Text(
                    "t-closeness: the hierarchical distance needs a hierarchy, the others none",
                    "t-closeness: 階層距離には階層が必要で、他の距離には不要です",
                )
            )

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in every class {sensitive.en} is distributed as in the whole file, within a "
            f"distance of {self.t:g}",
            f"どのクラスでも{sensitive.ja}の分布とファイル全体の分布の距離が {self.t:g} 以下である",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per class and sensitive column, the most distant first."""
        found = class_values(submission, self.columns, self.sensitive)
        return [fault for column in found for fault in self._column(column)]

    def _column(self, found: ClassValues) -> list[Fault]:
        distance = self._distances(found)
        far = found.largest_first(distance, distance > self.t * (1 + TOLERANCE))
        return [self._fault(found, i, distance[i]) for i in far]

    def _distances(self, found: ClassValues) -> np.ndarray:
        if self.distance == "ordered":
            return ordered_distance(found, value_places(found.values, self.order))
        if self.hierarchy is not None:
            return hierarchical_distance(found, value_levels(found.values, self.hierarchy))
        return equal_distance(found)

    def _fault(self, found: ClassValues, place: int, distance: float) -> Fault:
        finding = Text(
            f"'{found.column}' at distance {distance:.6g} ({self.distance}) from the file; "
            f"at most t = {self.t:g} allowed",
            f" '{found.column}' の分布が全体から距離 {distance:.6g} ({self.distance}) です。"
            f"上限は t = {self.t:g} です",
        )
        return found.fault(self.name, place, finding)
