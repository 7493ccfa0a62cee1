"""Input and result types of a judge.

    judge = load_judge(contest, folder)            # folder: contest.yaml and its data
    verdict = judge.judge(Upload("A.csv", data)) # faults, or S, F and figures
    judge.score(verdict.public, verdict.truth, Upload("guess.zip", guess))

Pure: the same bytes give the same answer, on a server and at home.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tokumei.core.errors import Violation
from tokumei.core.json_types import JsonObject


@dataclass(frozen=True)
class Upload:
    """A file as it came: its name (only the ending matters) and its bytes."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Scorecard:
    """What an upload is worth to the judge; lower is better.

    Of a guess `safety` is what it found (with a gate: hits / customers), `unsafe` whether that
    shows the release unsafe; it has no utility and no total. `figures` is plain JSON for pages and
    programs, in an order fit to be shown; of a release {"utility": {measure: value}, "safety":
    {attack: {knowledge: value}}}. Nothing secret is in it.
    """

    utility: float | None
    safety: float | None
    total: float | None
    unsafe: bool
    figures: Mapping[str, object]

    def as_json(self) -> JsonObject:
        """The card as plain data."""
        return {**vars(self), "figures": dict(self.figures)}


@dataclass(frozen=True)
class JudgeVerdict:
    """An upload's judgement: faults (the first of `total`), or a card; of a release S and F too."""

    faults: Sequence[Violation] = ()
    total: int = 0
    card: Scorecard | None = None
    public: bytes | None = field(default=None, repr=False)
    truth: bytes | None = field(default=None, repr=False)

    @property
    def accepted(self) -> bool:
        """Whether no rule was broken."""
        return not self.total
