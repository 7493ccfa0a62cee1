"""What a release is still good for, by the measures that its scenario names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.assessment.opened_release import OpenedRelease
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.evaluation_suite import measure_suite
from tokumei.tables.registry import measures


@dataclass(frozen=True)
class UseFigure:
    """A measure that the scenario names, and its score; None where it cannot be measured."""

    name: str
    title: Message
    sentence: Message | None
    score: Score | None

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "name": self.name,
            **self.title.as_json("title"),
            **({} if self.sentence is None else self.sentence.as_json("says")),
            **({} if self.score is None else self.score.as_json()),
        }


def measure_uses(opened: OpenedRelease, names: Sequence[str]) -> list[UseFigure]:
    """The score of every measure that is named; fails on a name that is none."""
    if not names:
        return []
    for name in names:
        measures.get(name)
    if opened.link is None or not opened.released.rows:
        return [UseFigure(name, measures.get(name).title, None, None) for name in names]
    case = Comparison(
        opened.original,
        opened.released,
        opened.link,
        hierarchies=dict(opened.hierarchies),
        people=opened.original_people if opened.counts_people else None,
    )
    scores = measure_suite(case, list(names))
    return [
        UseFigure(
            name,
            measures.get(name).title,
            None if name not in scores else measures.get(name).reading(scores[name]),
            scores.get(name),
        )
        for name in names
    ]
