"""Base class of measures: a score of a release, its level, and its description.

    measure = measures.get("U5")
    measure.reading(Score(0.051))        # "A sensitive value moves by 5.1 % of …"
    measure.level(Score(0.051))          # Level.MID

Words and limits are data on the class. A sentence (`says`) is a text with the fields {value} and
{sample}, and two clauses that are left out where nothing is known: {relative} compares the figure
with its scale, {beside} with what blind guessing reaches.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol, TypeVar

from tokumei.core.described import Described
from tokumei.core.formatting import FormattedValue, format_number, format_percent
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message, join_sentences


class Level(StrEnum):
    """A traffic light that does not rest on colour alone."""

    GOOD = "good"
    MID = "mid"
    BAD = "bad"

    @property
    def symbol(self) -> str:
        """A shape of its own per level."""
        return {"good": "●", "mid": "▲", "bad": "■"}[self.value]

    @property
    def words(self) -> Message:
        """The level in words."""
        return {"good": Message("good"), "mid": Message("fair"), "bad": Message("poor")}[self.value]


class Limits(NamedTuple):
    """Up to `good` (or from it on, when more is better) is good; likewise `mid`."""

    good: float
    mid: float
    more_is_better: bool = False

    def level(self, value: float) -> Level:
        """Where the value stands."""
        sign = -1.0 if self.more_is_better else 1.0
        if sign * value <= sign * self.good:
            return Level.GOOD
        return Level.MID if sign * value <= sign * self.mid else Level.BAD


ATTACK_LIMITS = Limits(0.09, 0.20)
"""9 % is one in eleven, a limit in common use for data that anyone may have; 20 % is one in five,
what k = 5 guarantees. Of a measured rate the upper end of its interval is compared."""
ROWS_KEPT_LIMITS = Limits(0.99, 0.90, more_is_better=True)
"""Losing one row in a hundred is seldom noticed, one in ten changes counts."""
SHARE_LIMITS = Limits(0.8, 0.6, more_is_better=True)
"""By convention: 80 % and 60 % of customers (or items) where they belong."""
ERROR_LIMITS = Limits(0.1, 0.3)
"""By convention: 10 % and 30 % off."""


class Goal(StrEnum):
    """Which way is better."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"


class MissingCellCounts(NamedTuple):
    """Over how many cells a figure is: those that are there on both sides, and why not all."""

    cells: int
    used: int
    gained: int
    """Cells that are missing in the release only."""
    lost: int
    """Cells that are missing in the original only."""

    @property
    def words(self) -> Message:
        """A note beside the figure."""
        return Message(
            "over {used:,} of {cells:,} cells; gaps gained {gained:percent}, lost {lost:percent}",
            used=self.used,
            cells=self.cells,
            gained=self.gained / self.cells,
            lost=self.lost / self.cells,
        )


@dataclass(frozen=True)
class Score:
    """A figure with interval, baseline and sample size."""

    value: float
    low: float | None = None
    high: float | None = None
    baseline: float | None = None
    sample: int | None = None
    gaps: MissingCellCounts | None = None
    """Where cells are missing: over which the figure is."""
    texts: int | None = None
    """How many of the columns are texts, of which the figure is another one (`of_texts`)."""

    def as_json(self) -> JsonObject:
        """The parts that are known."""
        known_parts = {name: part for name, part in vars(self).items() if part is not None}
        return known_parts if self.gaps is None else {**known_parts, "gaps": self.gaps._asdict()}


Case = TypeVar("Case", contravariant=True)
NOISE_FLOOR = 1e-9
"""Below this share of its scale a figure is rounding error and reads as unchanged."""


class Measure(Described, Protocol[Case]):
    """Scores one release against its original."""

    formula: ClassVar[str]
    """In plain text; where it comes from stands in the class's docstring."""
    unit: ClassVar[Message]
    says: ClassVar[Message | None] = None
    """The figure as a sentence that needs no statistics; None: title and figure."""
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    limits: ClassVar[Limits | None] = None
    """When the figure is good, fair or poor; None where no convention is known."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Roles of the columns (tables), or files beside the data, that it needs."""
    unchanged: ClassVar[Message | None] = None
    """The sentence that replaces the reading where the figure is zero."""
    relative: ClassVar[Message | None] = None
    """The scale that the figure is a share of, if its limits are shares."""
    beside: ClassVar[Message | None] = None
    """The clause about blind guessing, with the field {baseline}."""
    of_texts: ClassVar[Message | None] = None
    """The meaning of the figure for columns of text, if it differs."""
    as_percent: ClassVar[bool] = True
    on_request: ClassVar[bool] = False
    """Slow, or for a special question: left out unless asked for."""
    safety: ClassVar[bool] = False
    """Whether it tells of safety, not of utility."""
    heading: ClassVar[Message | None] = None
    """The head of its column in a scorecard; None: it has none there."""
    caption: ClassVar[Message | None] = None
    """The words under it as a large figure; None: it is not shown as one."""
    for_experts: ClassVar[bool] = False
    """Whether it is left out where a page speaks in sentences."""

    def score(self, case: Case) -> Score:
        """The figure."""

    @classmethod
    def scale(cls, case: Case, score: Score) -> float | None:
        """The scale of a relative figure."""
        return None

    @classmethod
    def figure(cls, score: Score) -> Message:
        """The figure as people read it."""
        return FormattedValue(format_percent if cls.as_percent else format_number, score.value)

    @classmethod
    def shown(cls, score: Score) -> str:
        """The figure in the language in force."""
        return cls.figure(score).show()

    @classmethod
    def reading(cls, score: Score, scale: float | None = None) -> Message:
        """Read the figure in plain words, with its columns and cells."""
        words = cls._describe_figure(score, scale)
        if score.texts and cls.of_texts:
            words = join_sentences([words, cls.of_texts])
        if score.gaps:
            words = Message("{reading} ({cells})", reading=words, cells=score.gaps.words)
        return words

    @classmethod
    def _describe_figure(cls, score: Score, scale: float | None) -> Message:
        if cls.unchanged and is_negligible(score, scale):
            return cls.unchanged
        says = cls.says or Message("{title}: {value}.").fill(title=cls.title)
        relative = beside = Message.verbatim("")
        if cls.relative and scale:
            relative = Message(
                " ({share:percent} of {relative})", share=score.value / scale, relative=cls.relative
            )
        if cls.beside and score.baseline is not None:
            beside = cls.beside.fill(baseline=FormattedValue(format_percent, score.baseline))
        return says.fill(
            value=cls.figure(score), sample=score.sample, relative=relative, beside=beside
        )

    @classmethod
    def level(cls, score: Score, scale: float | None = None) -> Level | None:
        """The light of a figure; None without limits or without the scale that they need.

        What blind guessing reaches as well is poor in any case.
        """
        if cls.limits is None or (cls.relative and not scale):
            return None
        sign = 1 if cls.goal is Goal.MAXIMIZE else -1
        if score.baseline is not None and sign * score.value <= sign * score.baseline:
            return Level.BAD
        return cls.limits.level(score.value / scale if cls.relative and scale else score.value)


def is_negligible(score: Score, scale: float | None = None) -> bool:
    """Whether a figure is nothing but rounding error."""
    return abs(score.value) <= NOISE_FLOOR * (scale or 1.0)
