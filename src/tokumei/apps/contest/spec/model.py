"""The fields of `contest.yaml`.

    contest = ContestSpec.model_validate(yaml.safe_load(text))
    contest.phases[0].kind                     # Kind.ANONYMIZE

Times need a zone; a lower score is better everywhere.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from tokumei.apps.contest.spec.formats import PlainSettings, contest_formats
from tokumei.core.messages import Message

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$")]
Share = Annotated[float, Field(ge=0, le=1)]


def _require_known_format(name: str) -> str:
    names = [repr(format_name) for format_name in contest_formats()]
    if repr(name) not in names:
        expected = " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        raise PydanticCustomError("literal_error", "must be {expected}", {"expected": expected})
    return name


class SpecPart(BaseModel):
    """Base of all parts: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LocalizedText(SpecPart):
    """A sentence by its organiser, in two languages."""

    en: str = Field(max_length=20_000)
    ja: str = Field(max_length=20_000)

    @property
    def text(self) -> Message:
        """The sentence as all others."""
        return Message.of_texts({"en": self.en, "ja": self.ja})

    @classmethod
    def of(cls, message: Message) -> LocalizedText:
        """A sentence of ours as one of an organiser."""
        return cls(en=message.show("en"), ja=message.show("ja"))


class PhaseType(StrEnum):
    """What teams do in a phase."""

    ANONYMIZE = "anonymize"
    ATTACK = "attack"


class Phase(SpecPart):
    """A time in which uploads of one kind are taken: starts ≤ now < ends, by the server's clock."""

    kind: PhaseType
    starts: AwareDatetime
    ends: AwareDatetime

    @model_validator(mode="after")
    def _require_end_after_start(self) -> Phase:
        if self.ends <= self.starts:
            raise ValueError(Message("a phase must end after it starts"))
        return self


class Quotas(SpecPart):
    """How much each team may do. Rejected uploads count only in what is per hour."""

    submissions: int = Field(default=100, ge=1)
    submissions_per_day: int = Field(default=20, ge=1)
    uploads_per_hour: int = Field(default=60, ge=1)
    rejected_per_hour: int = Field(default=30, ge=1)
    published: int = Field(default=1, ge=1)
    attempts_per_target: int = Field(default=10, ge=1)
    megabytes: int = Field(default=20, ge=1, le=1024)
    members: int = Field(default=20, ge=1)


class JudgingLimits(SpecPart):
    """What one judgement may use."""

    seconds: int = Field(default=300, ge=1)
    megabytes: int = Field(default=4096, ge=1024)


class FeedbackMode(StrEnum):
    """What an attacker learns of an attempt at once."""

    EXACT = "exact"
    BANDED = "banded"
    DELAYED = "delayed"


class LeaderboardVisibility(StrEnum):
    """When figures are shown to others than their team."""

    ALWAYS = "always"
    AFTER_PHASE = "after-phase"
    AFTER_CONTEST = "after-contest"


class GateTest(SpecPart):
    """What shows a release unsafe where its format has a test for it: R(n) for these."""

    p: float = Field(default=1 / 3, gt=0, lt=1)
    level: float = Field(default=0.01, gt=0, lt=1)
    attackers: int = Field(default=20, ge=1)


class Scoring(SpecPart):
    """Which figures count, and how they make one.

    `utility` and `attacks` are names of measures and of attacks (the organiser's suite); None means
    the format's own. U = `combine_utility` of the measures; S = `combine_safety` over attacks of
    the mean over knowledge; `total`: mean of U and S, the utility alone, max or min, or 1 − the
    harmonic mean or product of 1 − U and 1 − S. `gate`: a release shown unsafe ranks after all that
    were not.
    """

    utility: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    attacks: tuple[str, ...] | None = None
    """`default` stands for the format's own in both lists, `all` for all attacks."""
    parameters: dict[str, PlainSettings] = Field(default_factory=dict)
    """Parameters of measures and attacks, by name."""
    scale: dict[str, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    """What a measure is divided by before measures are combined; then 1 is the most."""
    seed: int = Field(default=1, ge=0)
    """Of attacks that use chance, and of knowledge for which no file is given."""
    gate_test: GateTest = GateTest()
    combine_utility: Literal["max", "mean", "min"] = "max"
    combine_safety: Literal["max", "mean"] = "max"
    total: Literal["mean", "utility", "harmonic", "product", "max", "min"] = "mean"
    gate: bool = False


class ContestSpec(SpecPart):
    """A whole contest."""

    slug: Slug
    title: LocalizedText
    about: LocalizedText = LocalizedText(en="", ja="")
    format: Annotated[str, AfterValidator(_require_known_format)]
    data: dict[str, FileName]
    """What each data file is → its name beside contest.yaml; every format says which it needs."""
    schema_: PlainSettings = Field(default_factory=dict, alias="schema")
    knowledge: tuple[Share, ...] = ()
    rules: dict[str, PlainSettings] = Field(default_factory=dict)
    """Rules beyond the format's own: name → parameters."""
    phases: tuple[Phase, ...] = Field(min_length=1)
    quotas: Quotas = Quotas()
    limits: JudgingLimits = JudgingLimits()
    scoring: Scoring = Scoring()
    feedback: FeedbackMode = FeedbackMode.EXACT
    bands: tuple[float, ...] = (0.01, 0.05, 0.1, 0.2, 0.5)
    leaderboard: LeaderboardVisibility = LeaderboardVisibility.ALWAYS
    registration: Literal["open", "invite"] = "invite"
    extra: FileName | None = None
    """A Python file beside contest.yaml with the organiser's own rules, measures and attacks."""
    secret_data: tuple[str, ...] = ()
    """Keys of `data` that participants do not get."""

    @model_validator(mode="after")
    def _require_consistent_phases(self) -> ContestSpec:
        if len({f"{share:g}" for share in self.knowledge}) < len(self.knowledge):
            raise ValueError(Message("a share of knowledge is named twice"))
        for earlier, later in pairwise(sorted(self.phases, key=lambda phase: phase.starts)):
            if later.starts < earlier.ends:
                raise ValueError(Message("two phases overlap"))
        return self
