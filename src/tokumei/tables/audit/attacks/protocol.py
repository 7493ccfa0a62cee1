"""What a membership attack is: a score for every target, high for a member.

    @dataclass(frozen=True)
    class Shy(MembershipAttack):
        name: ClassVar[str] = "shy"
        title: ClassVar[Text] = Text("never sure", "何も言わない")
        sentence: ClassVar[Text] = ...

        def scores(self, seen: Seen) -> np.ndarray:
            return np.zeros(seen.targets)

Who is a member is nowhere in what it sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.registry import Registry
from tokumei.core.text import Text
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.spaces import Space, spaces_of

NO_REFERENCE = Text("needs a reference", "参照データが必要")
NOT_EXACT = Text("needs columns of single values", "一般化されていない列が必要")
NO_LEARN = Text(
    "needs scikit-learn: pip install 'tokumei[learn]'",
    "scikit-learn が必要: pip install 'tokumei[learn]'",
)


@dataclass(frozen=True)
class MembershipAttack:
    """Base of attacks: what they are called, what they need, and their scores."""

    name: ClassVar[str]
    title: ClassVar[Text]
    sentence: ClassVar[Text]
    formula: ClassVar[str] = ""
    needs_reference: ClassVar[bool] = False
    needs_exact: ClassVar[bool] = False

    def missing(self, seen: Seen) -> Text | None:
        """Why the attack cannot be made; None if it can."""
        alone = not seen.together and self.rivals_needed
        if (self.needs_reference or alone) and not seen.reference:
            return NO_REFERENCE
        return NOT_EXACT if self.needs_exact and seen.measured is None else None

    rivals_needed: ClassVar[bool] = False
    """Whether somebody must compete with a target: the others, or the reference."""

    def scores(self, seen: Seen) -> np.ndarray:
        """A score for every target, high for a member."""
        raise NotImplementedError

    def variants(self, seen: Seen, spaces: dict[str, Space]) -> dict[str, np.ndarray]:
        """The scores by name, of every way to measure if there are several."""
        return {self.name: self.scores(seen)}


@dataclass(frozen=True)
class DistanceAttack(MembershipAttack):
    """Base of attacks by distances, made in the plain space and in that of logarithms."""

    needs_exact: ClassVar[bool] = True

    def scores(self, seen: Seen) -> np.ndarray:
        """The scores in the plain space."""
        return self.scores_in(spaces_of(seen)[""])

    def scores_in(self, space: Space) -> np.ndarray:
        """The scores by the distances of a space."""
        raise NotImplementedError

    def variants(self, seen: Seen, spaces: dict[str, Space]) -> dict[str, np.ndarray]:
        """The scores by name, those of logarithms with `-log` behind it."""
        return {f"{self.name}{sign}": self.scores_in(one) for sign, one in spaces.items()}


_HOME = "tokumei.tables.audit.attacks"

membership_attacks: Registry[MembershipAttack] = Registry(
    "tokumei.tables.membership_attacks",
    Text("membership attack", "メンバーシップ攻撃"),
    {
        "dcr": f"{_HOME}.distance:Dcr",
        "dcr-rare": f"{_HOME}.distance:DcrRare",
        "local": f"{_HOME}.distance:Local",
        "ratio": f"{_HOME}.distance:Ratio",
        "ratio-3": f"{_HOME}.distance:Ratio3",
        "density": f"{_HOME}.density:Density",
        "lra": f"{_HOME}.density:Lra",
        "classifier": f"{_HOME}.density:Classifier",
        "explain": f"{_HOME}.explain:Explain",
        "explain-sum": f"{_HOME}.explain:ExplainSum",
        "copy": f"{_HOME}.copy:Copy",
        "box": f"{_HOME}.box:Box",
        "box-max": f"{_HOME}.box:BoxMax",
        "covered": f"{_HOME}.box:Covered",
    },
)
