"""Several methods, one after the other, as one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.release import Search
from tokumei.core.text import Text
from tokumei.tables.anonymizers.protocol import Step, TableMethod


@dataclass(frozen=True)
class Pipeline(TableMethod):
    """Applies its methods in order; the claims of all of them stand together."""

    name: ClassVar[str] = "pipeline"
    title: ClassVar[Text] = Text("Several methods", "複数の手法")
    sentence: ClassVar[Text] = Text(
        "Applies several methods one after the other.", "複数の手法を順に適用します。"
    )

    methods: tuple[TableMethod, ...]

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Apply each method to what the one before left."""
        searches: list[Search] = []
        for number, method in enumerate(track(self.methods, Text("anonymizing", "匿名加工中"))):
            step = method.change(step, rng=rng.child(method.name, number))
            searches += step.searches
        return replace(step, searches=tuple(searches))

    def describe(self) -> list[dict[str, Any]]:
        """All methods with their parameters."""
        return [part for method in self.methods for part in method.describe()]
