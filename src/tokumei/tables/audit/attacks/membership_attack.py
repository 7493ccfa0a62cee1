"""Base class of membership attacks: a score for every target, high for members.

    @dataclass(frozen=True)
    class Shy(MembershipAttack):
        name: ClassVar[str] = "shy"
        title: ClassVar[Message] = Message("never sure")
        sentence: ClassVar[Message] = ...

        def scores(self, seen: Seen) -> np.ndarray:
            return np.zeros(seen.targets)

Who is a member is nowhere in what it sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.registry import Registry
from tokumei.tables.audit.attacker_view import AttackerObservation
from tokumei.tables.audit.distance_spaces import DistanceSpace, build_spaces

NEEDS_REFERENCE = Message("needs a reference")
NEEDS_SINGLE_VALUES = Message("needs columns of single values")
NEEDS_SKLEARN = Message("needs scikit-learn: pip install 'tokumei[learn]'")


@dataclass(frozen=True)
class MembershipAttack:
    """Base of attacks: what they are called, what they need, and their scores."""

    name: ClassVar[str]
    title: ClassVar[Message]
    sentence: ClassVar[Message]
    formula: ClassVar[str] = ""
    needs_reference: ClassVar[bool] = False
    needs_exact: ClassVar[bool] = False

    def missing(self, seen: AttackerObservation) -> Message | None:
        """Why the attack cannot be made; None if it can."""
        alone = not seen.together and self.rivals_needed
        if (self.needs_reference or alone) and not seen.reference:
            return NEEDS_REFERENCE
        return NEEDS_SINGLE_VALUES if self.needs_exact and seen.measured is None else None

    rivals_needed: ClassVar[bool] = False
    """Whether somebody must compete with a target: the others, or the reference."""

    def scores(self, seen: AttackerObservation) -> np.ndarray:
        """A score for every target, high for a member."""
        raise NotImplementedError

    def variants(
        self, seen: AttackerObservation, spaces: dict[str, DistanceSpace]
    ) -> dict[str, np.ndarray]:
        """The scores by name, of every way to measure if there are several."""
        return {self.name: self.scores(seen)}


@dataclass(frozen=True)
class DistanceAttack(MembershipAttack):
    """Base of attacks by distances, made in the plain space and in that of logarithms."""

    needs_exact: ClassVar[bool] = True

    def scores(self, seen: AttackerObservation) -> np.ndarray:
        """The scores in the plain space."""
        return self.scores_in(build_spaces(seen)[""])

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """The scores by the distances of a space."""
        raise NotImplementedError

    def variants(
        self, seen: AttackerObservation, spaces: dict[str, DistanceSpace]
    ) -> dict[str, np.ndarray]:
        """The scores by name, those of logarithms with `-log` behind it."""
        return {f"{self.name}{suffix}": self.scores_in(space) for suffix, space in spaces.items()}


_ATTACKS_PACKAGE = "tokumei.tables.audit.attacks"

membership_attacks: Registry[MembershipAttack] = Registry(
    "tokumei.tables.membership_attacks",
    Message("membership attack"),
    {
        "dcr": f"{_ATTACKS_PACKAGE}.distance:ClosestRowAttack",
        "dcr-rare": f"{_ATTACKS_PACKAGE}.distance:DcrRare",
        "local": f"{_ATTACKS_PACKAGE}.distance:LocalDistanceAttack",
        "ratio": f"{_ATTACKS_PACKAGE}.distance:DistanceRatioAttack",
        "ratio-3": f"{_ATTACKS_PACKAGE}.distance:Ratio3",
        "density": f"{_ATTACKS_PACKAGE}.density:DensityRatioAttack",
        "lra": f"{_ATTACKS_PACKAGE}.density:LikelihoodRatioAttack",
        "classifier": f"{_ATTACKS_PACKAGE}.density:Classifier",
        "explain": f"{_ATTACKS_PACKAGE}.explain:BestExplanationAttack",
        "explain-sum": f"{_ATTACKS_PACKAGE}.explain:ExplainSum",
        "copy": f"{_ATTACKS_PACKAGE}.noisy_copy:NoisyCopyAttack",
        "box": f"{_ATTACKS_PACKAGE}.membership_by_cell_fit:BoxAttack",
        "box-max": f"{_ATTACKS_PACKAGE}.membership_by_cell_fit:BoxMaxAttack",
        "covered": f"{_ATTACKS_PACKAGE}.membership_by_cell_fit:CoveredAttack",
    },
)
