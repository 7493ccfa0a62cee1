"""Where the release is denser than the population: `density`, `lra`, `classifier`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar

import numpy as np
from scipy.special import logsumexp

from tokumei.core.text import Text
from tokumei.kernels.near import Points
from tokumei.tables.audit.attacks.protocol import NO_LEARN, DistanceAttack
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.spaces import DIGITS, Near, Space

MOST_ONES = 60
"""Values of a column that a forest can ask for."""
MOST_ROWS = 50_000
"""Rows that a tree is grown on: of more, every tree draws so many of its own."""


@dataclass(frozen=True)
class Density(DistanceAttack):
    """The density of the release over that of the reference (van Breugel 2023, DOMIAS)."""

    name: ClassVar[str] = "density"
    title: ClassVar[Text] = Text("density ratio", "密度比")
    sentence: ClassVar[Text] = Text(
        "Takes those for members around whom released rows are denser than the population.",
        "母集団に比べて周囲の公開行が密な人をメンバーとみなします。",
    )
    formula: ClassVar[str] = "log KDE_Y(x) − log KDE_R(x)"
    needs_reference: ClassVar[bool] = True

    bandwidth: float = 0.1

    def scores_in(self, space: Space) -> np.ndarray:
        """Gaussian densities by the nearest rows: at this bandwidth no other counts."""
        seen, width = space.seen, self.bandwidth * typical(space)
        shown = _density(space.target_release, seen.classes.times, width)
        known = _density(space.target_reference, seen.reference_times, width)
        return space.of_targets(np.round(shown - known, DIGITS))


@dataclass(frozen=True)
class Lra(DistanceAttack):
    """How much likelier the nearby release is with the target in the reference (Gen-LRA)."""

    name: ClassVar[str] = "lra"
    title: ClassVar[Text] = Text("likelihood with the person added", "本人を加えたときの尤度")
    sentence: ClassVar[Text] = Text(
        "Takes those for members who, added to the reference, make nearby released rows likelier.",
        "参照データに加えると近くの公開行が起こりやすくなる人をメンバーとみなします。",
    )
    formula: ClassVar[str] = "Σ_{y near x} log(1 + K(y, x) / Σ_r K(y, r))"
    needs_reference: ClassVar[bool] = True

    bandwidth: float = 0.5

    def scores_in(self, space: Space) -> np.ndarray:
        """In closed form, without fitting anything again."""
        seen, width = space.seen, self.bandwidth * typical(space)
        known = _density(space.release_reference, seen.reference_times, width, count=False)
        near = space.target_release
        gain = np.logaddexp(0, -((near.far / width) ** 2) / 2 - known[near.found])
        gain *= seen.classes.times[near.found] * near.sure
        return space.of_targets(np.round(gain.sum(axis=1), DIGITS))


@dataclass(frozen=True)
class Classifier(DistanceAttack):
    """A forest that tells the release from the reference (Hayes 2019, LOGAN)."""

    name: ClassVar[str] = "classifier"
    title: ClassVar[Text] = Text("forest: release or reference?", "公開か参照かの分類器")
    sentence: ClassVar[Text] = Text(
        "Takes those for members whom a forest, trained on release and reference, takes for "
        "released.",
        "公開データと参照データで学習した森が公開側とみなす人をメンバーとみなします。",
    )
    formula: ClassVar[str] = "P(Y | x)"
    needs_reference: ClassVar[bool] = True

    trees: int = 30
    leaf: int = 5

    def missing(self, seen: Seen) -> Text | None:
        """As others, and without the library."""
        return super().missing(seen) or (None if find_spec("sklearn") else NO_LEARN)

    def scores_in(self, space: Space) -> np.ndarray:
        """The forest's share."""
        from sklearn.ensemble import RandomForestClassifier

        seen, referred = space.seen, space.referred
        known = space.people.take(referred)
        asked = space.people.take(space.asked)
        *both, wanted = features(space.release, known, asked)
        rows = np.concatenate(both)
        label = np.repeat([1, 0], [space.release.rows, known.rows])
        weight = np.concatenate([seen.classes.times, seen.reference_times[referred]])
        forest = RandomForestClassifier(**forest_form(self.trees, self.leaf, len(rows)))
        forest.fit(rows, label, sample_weight=weight)
        return space.of_targets(forest.predict_proba(wanted)[:, 1])


def forest_form(trees: int, leaf: int, rows: int) -> dict[str, int | None]:
    """The options of a forest that grows on so many rows."""
    most = None if rows <= MOST_ROWS else MOST_ROWS
    form = {"n_estimators": trees, "min_samples_leaf": leaf, "max_samples": most}
    return {**form, "random_state": 0, "n_jobs": 1}


def features(*parts: Points) -> list[np.ndarray]:
    """Numbers, and the most frequent codes of the first part as 0 and 1, for a forest.

    Codes are in no order, so that a forest must not cut between them; one that all have tells
    nothing.
    """
    chosen = []
    for column in parts[0].codes.T:
        often = np.bincount(column, minlength=1)
        frequent = np.argsort(-often, kind="stable")[:MOST_ONES]
        there = frequent[(often[frequent] > 0) & (often[frequent] < len(column))]
        chosen.append(there.astype(np.int32))
    found = []
    for part in parts:
        ones = [part.codes[:, [j]] == values for j, values in enumerate(chosen)]
        both = [part.numbers.astype(np.float32), *ones]
        found.append(np.concatenate(both, axis=1, dtype=np.float32))
    return found


def typical(space: Space) -> float:
    """The median distance of a target to the reference; of those above 0, if it is 0."""
    far = space.of_targets(space.target_reference.far[:, 0])
    middle = float(np.median(far))
    if middle > 0:
        return middle
    positive = far[far > 0]
    return float(np.median(positive)) if len(positive) else 1.0


def _density(near: Near, times: np.ndarray, width: float, *, count: bool = True) -> np.ndarray:
    """The logarithm of a Gaussian density by the nearest rows; a sum if not by `count`."""
    logs = -((near.far / width) ** 2) / 2
    total = float(times.sum()) if count else 1.0
    found: np.ndarray = logsumexp(logs, axis=1, b=near.times(times)) - np.log(total)
    return found
