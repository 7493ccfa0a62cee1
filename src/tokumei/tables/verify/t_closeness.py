"""t-closeness: a class's sensitive values are distributed much as the file's, EMD ≤ t.

    TCloseness(0.2, ("age", "sex"), ("illness",))
    TCloseness(0.2, ("age", "sex"), ("income",), distance="ordered")
    TCloseness(0.2, ("age",), ("job",), distance="hierarchical", hierarchy="job.csv")

equal          ½ Σ |p − q|
ordered        Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1), over the m values of the file in order
hierarchical   moving a share costs level(lowest common ancestor) / H
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.verify.class_rule import ClassRule, Finding, require_parameter
from tokumei.tables.verify.class_values import TOLERANCE, ClassValues
from tokumei.tables.verify.earth_mover import (
    equal_distance,
    hierarchical_distance,
    ordered_distance,
)
from tokumei.tables.verify.value_order import value_levels, value_places


@dataclass(frozen=True)
class TCloseness(ClassRule):
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
        super().__post_init__()
        if (self.hierarchy is not None) != (self.distance == "hierarchical"):
            raise UsageError(
                "t-closeness: the hierarchical distance needs a hierarchy, the others none",
                "t-closeness: 階層距離には階層が必要で、他の距離には不要です",
            )

    def words(self) -> Text:
        """The claim with its parameters."""
        sensitive = columns_text(self.sensitive)
        return Text(
            f"in every class {sensitive.en} is distributed as in the whole file, within a "
            f"distance of {self.t:g}",
            f"どのクラスでも{sensitive.ja}の分布とファイル全体の分布の距離が {self.t:g} 以下である",
        )

    def findings(self, found: ClassValues) -> Iterator[Finding]:
        """The most distant first."""
        distances = self._distances(found)
        for place in found.largest_first(distances, distances > self.t * (1 + TOLERANCE)):
            distance = f"{distances[place]:.6g} ({self.distance})"
            yield Finding(
                place,
                f"'{found.column}' at distance {distance} from the file; "
                f"at most t = {self.t:g} allowed",
                f" '{found.column}' の分布が全体から距離 {distance} です。"
                f"上限は t = {self.t:g} です",
            )

    def _distances(self, found: ClassValues) -> np.ndarray:
        if self.distance == "ordered":
            return ordered_distance(found, value_places(found.values, self.order))
        if self.hierarchy is not None:
            return hierarchical_distance(found, value_levels(found.values, self.hierarchy))
        return equal_distance(found)
