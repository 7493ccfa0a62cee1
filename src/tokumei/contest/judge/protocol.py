"""What a judge takes and gives.

    judge = judge_of(contest, folder)            # folder: contest.yaml and its data
    verdict = judge.judge(Upload("A.csv", data)) # faults, or S, F and figures
    judge.score(verdict.public, verdict.truth, Upload("guess.zip", guess))

Pure: the same bytes give the same answer, on a server and at home.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tokumei.contest.spec.model import ContestSpec
from tokumei.core.errors import Fault


@dataclass(frozen=True)
class Upload:
    """A file as it came: its name (only the ending matters) and its bytes."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Scorecard:
    """What a release is worth to the judge; lower is better.

    `figures` is plain JSON for pages and programs, in an order fit to be shown: {"utility":
    {measure: value}, "safety": {attack: {knowledge: value}}}. Nothing secret is in it.
    """

    utility: float
    safety: float | None
    total: float | None
    unsafe: bool
    figures: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """The card as plain data."""
        return {
            "utility": self.utility,
            "safety": self.safety,
            "total": self.total,
            "unsafe": self.unsafe,
            "figures": dict(self.figures),
        }


@dataclass(frozen=True)
class Verdict:
    """An upload's judgement: either faults (the first of `total`), or a card, S and the truth."""

    faults: Sequence[Fault] = ()
    total: int = 0
    card: Scorecard | None = None
    public: bytes | None = field(default=None, repr=False)
    truth: bytes | None = field(default=None, repr=False)

    @property
    def accepted(self) -> bool:
        """Whether no rule was broken."""
        return not self.total


@dataclass(frozen=True)
class GuessVerdict:
    """An attack's judgement: faults, or what was found.

    `value` is S by this attack (with a gate: hits / customers), `unsafe` whether it shows the
    release unsafe, `figures` all figures as plain JSON.
    """

    faults: Sequence[Fault] = ()
    total: int = 0
    value: float | None = None
    unsafe: bool = False
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        """Whether no rule was broken."""
        return not self.total


class Judge(Protocol):
    """One format's judge for one contest, its data loaded."""

    contest: ContestSpec
    version: str
    """Changes when figures may: library version, contest file, data, organiser's own file."""

    def check(self, upload: Upload) -> Verdict:
        """Only the rules: quick; an accepted one has no card yet."""
        ...

    def judge(self, upload: Upload) -> Verdict:
        """Rules, then S, truth and all figures."""
        ...

    def check_guess(self, public: bytes, guess: Upload) -> GuessVerdict:
        """Only the rules of a guess on a published S."""
        ...

    def score(self, public: bytes, truth: bytes, guess: Upload) -> GuessVerdict:
        """Rules, then what the guess found."""
        ...

    def guess_files(self) -> Sequence[str]:
        """The names of the files a guess is made of (several come as one zip)."""
        ...
