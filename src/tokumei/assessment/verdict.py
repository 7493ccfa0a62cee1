"""The verdict on a release: it fits its scenario, does not fit, or cannot be told.

verdict = judge_release(evidence, scenario)
verdict.word          # "fits", "does-not-fit" or "unknown"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tokumei.assessment.attacker_figures import AttackerFigures
from tokumei.assessment.joint import JointFigures
from tokumei.assessment.wording import name_columns
from tokumei.core.messages import Message, join_messages
from tokumei.core.scenario import Scenario

Word = Literal["fits", "does-not-fit", "unknown"]
TOLERANCE = 1e-9
UNIT_WORDS = {
    "people": Message("people", context="what is counted"),
    "rows": Message("rows", context="what is counted"),
}


@dataclass(frozen=True)
class Unknown:
    """Something that could not be told, and what is missing; `blocks` a favourable verdict."""

    code: str
    message: Message
    columns: tuple[str, ...] = ()
    blocks: bool = True
    is_fundamental: bool = False
    """Whether no figure can be told at all."""

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "code": self.code,
            "columns": list(self.columns),
            "blocks": self.blocks,
            **self.message.as_json("text"),
        }


@dataclass(frozen=True)
class CheckedClaimLine:
    """A claim of the release and whether it holds; None: it cannot be checked here."""

    name: str
    holds: bool | None
    params: dict[str, object]

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return dict(vars(self))


@dataclass(frozen=True)
class Evidence:
    """What a verdict rests on."""

    unit: str
    total: int
    attackers: Sequence[AttackerFigures]
    claims: Sequence[CheckedClaimLine]
    unknown: Sequence[Unknown]
    telling: tuple[tuple[str, ...], int] | None = None
    """The few known columns that make most people unique, and how many; None: all are needed."""
    joint: JointFigures | None = None
    """What earlier releases tell together with this one; None: none are known of."""


@dataclass(frozen=True)
class ReleaseVerdict:
    """The verdict, its reason, and the figure that decides with its limit."""

    word: Word
    code: str
    reason: Message
    figure: float | None = None
    limit: float | None = None
    attacker: str | None = None
    columns: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Plain data: the keys of the contract and stable codes."""
        return {
            "verdict": self.word,
            "reason": self.reason.show("en"),
            "reason_code": self.code,
            "reason_texts": self.reason.texts(),
            "deciding": {
                "figure": self.figure,
                "limit": self.limit,
                "attacker": self.attacker,
                "columns": list(self.columns),
            },
        }


def judge_release(evidence: Evidence, scenario: Scenario) -> ReleaseVerdict:
    """The verdict: claims first, then what is missing, then every limit in its order."""
    broken_claims = [claim for claim in evidence.claims if claim.holds is False]
    if broken_claims:
        return _broken_claim(broken_claims[0])
    for missing in evidence.unknown:
        if missing.is_fundamental:
            return ReleaseVerdict("unknown", missing.code, missing.message, columns=missing.columns)
    for attacker in evidence.attackers:
        broken = find_broken_limit(attacker, scenario, evidence.unit)
        if broken is not None:
            return _name_telling_columns(broken, evidence)
    if evidence.joint is not None and evidence.joint.is_linked:
        broken = _find_broken_joint_limit(evidence.joint, scenario, evidence.unit)
        if broken is not None:
            return broken
    for missing in evidence.unknown:
        if missing.blocks:
            return ReleaseVerdict("unknown", missing.code, missing.message, columns=missing.columns)
    return _fitting(evidence)


def find_broken_limit(
    attacker: AttackerFigures, scenario: Scenario, unit: str
) -> ReleaseVerdict | None:
    """The first limit that an attacker breaks; None: all are kept."""
    limits, words = scenario.limits, UNIT_WORDS[unit]
    columns = attacker.by
    if attacker.identified_share > limits.identified + TOLERANCE:
        reason = Message(
            "{number:,} of {total:,} {unit} can be identified by {columns}; at most "
            "{limit:percent} may be",
            number=round(attacker.identified),
            total=attacker.total,
            unit=words,
            columns=columns,
            limit=limits.identified,
        )
        return _not_fitting(
            "identified", reason, attacker, attacker.identified_share, limits.identified
        )
    if attacker.share > limits.guessed_right + TOLERANCE:
        reason = Message(
            "of {total:,} {unit}, {share:percent} are guessed right by {columns} on average; at "
            "most {limit:percent} may be",
            total=attacker.total,
            unit=words,
            share=attacker.share,
            columns=columns,
            limit=limits.guessed_right,
        )
        return _not_fitting("guessed-right", reason, attacker, attacker.share, limits.guessed_right)
    if attacker.smallest_class is not None and attacker.smallest_class < limits.smallest_class:
        reason = Message(
            "only {size:,} {unit} share what is known of one of them by {columns}; it must be at "
            "least {limit:,}",
            size=attacker.smallest_class,
            unit=words,
            columns=columns,
            limit=limits.smallest_class,
        )
        return _not_fitting(
            "smallest-class",
            reason,
            attacker,
            float(attacker.smallest_class),
            float(limits.smallest_class),
        )
    return None


def _find_broken_joint_limit(
    joint: JointFigures, scenario: Scenario, unit: str
) -> ReleaseVerdict | None:
    """The limit that this release and earlier ones break together."""
    limits, words = scenario.limits, UNIT_WORDS[unit]
    releases = join_messages(list(joint.earlier))
    share = joint.alone / joint.people if joint.people else 0.0
    if share > limits.identified + TOLERANCE:
        reason = Message(
            "together with the earlier releases {releases}, {number:,} of {total:,} {unit} can be "
            "identified; at most {limit:percent} may be",
            releases=releases,
            unit=words,
            number=joint.alone,
            total=joint.people,
            limit=limits.identified,
        )
        return ReleaseVerdict("does-not-fit", "joint-identified", reason, share, limits.identified)
    if joint.smallest_class is not None and joint.smallest_class < limits.smallest_class:
        reason = Message(
            "together with the earlier releases {releases}, only {size:,} {unit} look like one of "
            "them; it must be at least {limit:,}",
            releases=releases,
            unit=words,
            size=joint.smallest_class,
            limit=limits.smallest_class,
        )
        figures = float(joint.smallest_class), float(limits.smallest_class)
        return ReleaseVerdict("does-not-fit", "joint-smallest-class", reason, *figures)
    return None


def is_undecided_by_sampling(attacker: AttackerFigures, scenario: Scenario) -> bool:
    """Whether only the end of an interval breaks a limit."""
    limits = scenario.limits
    return attacker.is_sampled and (
        attacker.upper(attacker.identified) > limits.identified + TOLERANCE
        or attacker.upper(attacker.guessed_right) > limits.guessed_right + TOLERANCE
    )


def _name_telling_columns(verdict: ReleaseVerdict, evidence: Evidence) -> ReleaseVerdict:
    """The verdict on identified people with the few columns that are enough for most of it."""
    if verdict.code != "identified" or evidence.telling is None:
        return verdict
    columns, number = evidence.telling
    reason = Message(
        "{reason} ({columns} alone: {number:,})",
        reason=verdict.reason,
        columns=name_columns(columns),
        number=number,
    )
    return replace(verdict, reason=reason, columns=columns)


def _not_fitting(
    code: str, reason: Message, attacker: AttackerFigures, figure: float, limit: float
) -> ReleaseVerdict:
    return ReleaseVerdict(
        "does-not-fit", code, reason, figure, limit, attacker.code, attacker.knows
    )


def _broken_claim(claim: CheckedClaimLine) -> ReleaseVerdict:
    reason = Message("the claim {claim} does not hold in the rows as published", claim=claim.name)
    return ReleaseVerdict("does-not-fit", "claim", reason)


def _fitting(evidence: Evidence) -> ReleaseVerdict:
    words = UNIT_WORDS[evidence.unit]
    strongest = max(evidence.attackers, key=lambda attacker: attacker.strength)
    if not strongest.knows and strongest.means is None:
        reason = Message(
            "the recipient knows nothing by which any of {total:,} {unit} could be found",
            total=evidence.total,
            unit=words,
        )
        return ReleaseVerdict("fits", "fits", reason, strongest.share, None, strongest.code)
    reason = Message(
        "of {total:,} {unit}, {number:,} can be identified and {share:percent} are guessed right "
        "on average by {columns}: within the limits",
        total=evidence.total,
        unit=words,
        number=round(max(attacker.identified for attacker in evidence.attackers)),
        share=max(attacker.share for attacker in evidence.attackers),
        columns=strongest.by,
    )
    return ReleaseVerdict(
        "fits", "fits", reason, strongest.share, None, strongest.code, strongest.knows
    )
