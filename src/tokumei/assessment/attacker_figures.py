"""What one attacker finds: identified, guessed right, smallest class, certain sensitive values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tokumei.assessment.candidate_counts import find_candidate_sets
from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.rough_knowledge import KnownColumnCodes
from tokumei.assessment.wording import name_columns
from tokumei.core.attack_rates import wilson
from tokumei.core.messages import Message

SURE = 0.9
"""From this posterior on, an attacker counts as sure."""


@dataclass(frozen=True, kw_only=True)
class AttackerFigures:
    """The figures of one attacker; counts are of people, or rows where nobody tells people apart.

    `guessed_right` is the expected number of right guesses, `low` and `high` the Wilson interval
    of its share. `smallest_class` is the smallest candidate set that holds its target.
    """

    code: str
    name: Message
    knows: tuple[str, ...]
    total: int
    targets: int
    identified: float
    guessed_right: float
    confidently_wrong: float
    smallest_class: int | None
    certain_values: dict[str, float] = field(default_factory=dict)
    not_fitting: float = 0.0
    """Targets whom their own released cells do not fit."""
    is_sampled: bool = False
    baseline: float = 0.0
    if_all_fit: tuple[float, float] | None = None
    """Identified and guessed right if every target were among the people who fit."""
    row_chances: np.ndarray | None = field(default=None, repr=False, compare=False)
    """By released row the chance of a right guess; None where targets were sampled."""
    means: Message | None = None
    """By what people are found, where the names of columns do not say it."""

    @property
    def by(self) -> Message:
        """By what people are found, in words."""
        return name_columns(self.knows) if self.means is None else self.means

    @property
    def share(self) -> float:
        """The expected share of right guesses."""
        return self.guessed_right / self.total if self.total else 0.0

    @property
    def identified_share(self) -> float:
        """The share of people of whom the attacker is sure, rightly."""
        return self.identified / self.total if self.total else 0.0

    def interval(self, count: float) -> tuple[float, float]:
        """The Wilson interval of the share of `count`."""
        return wilson(count * self.targets / max(self.total, 1), self.targets)

    def upper(self, count: float) -> float:
        """What a limit is held against: the share itself, the end of its interval if sampled."""
        return self.interval(count)[1] if self.is_sampled else count / max(self.total, 1)

    @property
    def strength(self) -> tuple[float, float]:
        """What makes one attacker stronger than another."""
        return self.identified, self.guessed_right

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        low, high = self.interval(self.guessed_right)
        identified_low, identified_high = self.interval(self.identified)
        return {
            "name": self.name.show("en"),
            "code": self.code,
            "knows": list(self.knows),
            "found": self.guessed_right,
            "share": self.share,
            "low": low,
            "high": high,
            "baseline": self.baseline,
            "certain": self.identified,
            "certain_share": self.identified_share,
            "certain_low": identified_low,
            "certain_high": identified_high,
            "confidently_wrong": self.confidently_wrong,
            "smallest_class": self.smallest_class,
            "attribute_certain": self.certain_values,
            "not_fitting": self.not_fitting,
            "targets": self.targets,
            "sampled": self.is_sampled,
        }


def name_exact_attacker(knows: Sequence[str]) -> Message:
    """What an attacker does who compares cells with what is known."""
    if not knows:
        return Message("guesses blindly")
    return Message("links by {columns}", columns=name_columns(knows))


def attack_exactly(
    columns: Sequence[KnownColumnCodes],
    link: np.ndarray,
    people: np.ndarray,
    *,
    sensitive: Sequence[ColumnCodes] = (),
    linked_rows: bool = False,
    fraction: float = 1.0,
    code: str = "exact",
) -> AttackerFigures:
    """The figures of somebody who links released rows by what fits.

    `fraction` is the share of the population that was released, 1 for a prosecutor.
    """
    total = int(people.max(initial=-1)) + 1
    sets = find_candidate_sets(columns, link, people, sensitive=sensitive, linked_rows=linked_rows)
    person = people[sets.targets]
    present, position = np.unique(person, return_inverse=True)
    holds = sets.holds_target
    if linked_rows:
        holds = _per_person(np.logical_and, holds, position, len(present), True)[position]
    chance = fraction / np.maximum(sets.size, 1)
    is_sure = chance >= SURE
    right = _per_person(np.maximum, np.where(holds, chance, 0.0), position, len(present), 0.0)
    named = _per_person(np.logical_or, is_sure & holds, position, len(present), False)
    wrong = _per_person(
        np.logical_or, is_sure & ~holds & (sets.size > 0), position, len(present), False
    )
    fitting = _per_person(np.logical_or, holds, position, len(present), False)
    possible = np.where(sets.size > 0, chance, 0.0)
    guessed_if = _per_person(np.maximum, possible, position, len(present), 0.0)
    named_if = _per_person(np.logical_or, possible >= SURE, position, len(present), False)
    scale = total / max(len(present), 1)
    sizes = sets.size[holds]
    knows = tuple(column.codes.name for column in columns)
    return AttackerFigures(
        code=code,
        name=name_exact_attacker(knows),
        knows=knows,
        total=total,
        targets=len(present),
        identified=_count(named, scale),
        guessed_right=_expected(right, scale),
        confidently_wrong=_count(wrong & ~named, scale),
        smallest_class=int(sizes.min() / fraction) if len(sizes) else None,
        certain_values={
            codes.name: _count(
                _per_person(np.logical_or, flags, position, len(present), False), scale
            )
            for codes, flags in zip(sensitive, sets.certain, strict=True)
        },
        not_fitting=_count(~fitting, scale),
        is_sampled=sets.is_sampled,
        baseline=fraction / total if total else 0.0,
        if_all_fit=(_count(named_if, scale), _expected(guessed_if, scale)),
        row_chances=None if sets.is_sampled else np.where(holds, chance, 0.0),
    )


def _count(flags: np.ndarray, scale: float) -> float:
    count = int(flags.sum())
    return count if scale == 1.0 else count * scale


def _expected(chances: np.ndarray, scale: float) -> float:
    """A sum whose result does not depend on the order of people."""
    values, counts = np.unique(chances, return_counts=True)
    return float((values * counts).sum()) * scale


def _per_person(
    how: np.ufunc, values: np.ndarray, person: np.ndarray, people: int, start: object
) -> np.ndarray:
    """One value per person of those of its rows."""
    result = np.full(people, start, dtype=np.asarray(values).dtype)
    how.at(result, person, values)
    return result
