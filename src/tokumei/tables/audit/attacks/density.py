"""Membership attacks by density against the population: `density`, `lra`, `classifier`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar

import numpy as np
from scipy.special import logsumexp

from tokumei.core.messages import Message
from tokumei.kernels.nearest import MixedPoints
from tokumei.tables.audit.attacker_view import AttackerObservation
from tokumei.tables.audit.attacks.membership_attack import NEEDS_SKLEARN, DistanceAttack
from tokumei.tables.audit.distance_spaces import DISTANCE_DECIMALS, DistanceSpace, NearestRows

MAX_INDICATORS = 60
"""Values of a column that a forest can ask for."""
MAX_TREE_ROWS = 50_000
"""Rows that a tree is grown on: of more, every tree draws so many of its own."""


@dataclass(frozen=True)
class DensityRatioAttack(DistanceAttack):
    """The density of the release over that of the reference (van Breugel 2023, DOMIAS)."""

    name: ClassVar[str] = "density"
    title: ClassVar[Message] = Message("density ratio")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if released rows are denser around them than the population is."
    )
    formula: ClassVar[str] = "log KDE_Y(x) − log KDE_R(x)"
    needs_reference: ClassVar[bool] = True

    bandwidth: float = 0.1

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """Gaussian densities by the nearest rows: at this bandwidth no other counts."""
        seen, kernel_width = space.seen, self.bandwidth * median_distance(space)
        release_density = _log_density(space.target_release, seen.classes.times, kernel_width)
        reference_density = _log_density(space.target_reference, seen.reference_times, kernel_width)
        return space.scores_of_targets(
            np.round(release_density - reference_density, DISTANCE_DECIMALS)
        )


@dataclass(frozen=True)
class LikelihoodRatioAttack(DistanceAttack):
    """How much likelier the nearby release is with the target in the reference (Gen-LRA)."""

    name: ClassVar[str] = "lra"
    title: ClassVar[Message] = Message("likelihood with the person added")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if adding them to the reference makes nearby released rows "
        "likelier."
    )
    formula: ClassVar[str] = "Σ_{y near x} log(1 + K(y, x) / Σ_r K(y, r))"
    needs_reference: ClassVar[bool] = True

    bandwidth: float = 0.5

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """In closed form, without fitting anything again."""
        seen, kernel_width = space.seen, self.bandwidth * median_distance(space)
        reference_density = _log_density(
            space.release_reference, seen.reference_times, kernel_width, count=False
        )
        nearest_rows = space.target_release
        gain = np.logaddexp(
            0, -((nearest_rows.far / kernel_width) ** 2) / 2 - reference_density[nearest_rows.found]
        )
        gain *= seen.classes.times[nearest_rows.found] * nearest_rows.sure
        return space.scores_of_targets(np.round(gain.sum(axis=1), DISTANCE_DECIMALS))


@dataclass(frozen=True)
class Classifier(DistanceAttack):
    """A forest that tells the release from the reference (Hayes 2019, LOGAN)."""

    name: ClassVar[str] = "classifier"
    title: ClassVar[Message] = Message("forest: release or reference?")
    sentence: ClassVar[Message] = Message(
        "Takes people for members if a random forest, trained on release and reference, "
        "classifies them as released."
    )
    formula: ClassVar[str] = "P(Y | x)"
    needs_reference: ClassVar[bool] = True

    trees: int = 30
    leaf: int = 5

    def missing(self, seen: AttackerObservation) -> Message | None:
        """As others, and without the library."""
        return super().missing(seen) or (None if find_spec("sklearn") else NEEDS_SKLEARN)

    def scores_in(self, space: DistanceSpace) -> np.ndarray:
        """The forest's share."""
        from sklearn.ensemble import RandomForestClassifier

        seen, reference_rows = space.seen, space.reference_rows
        reference_points = space.people.take(reference_rows)
        target_points = space.people.take(space.asked)
        *training_parts, target_features = forest_features(
            space.release, reference_points, target_points
        )
        rows = np.concatenate(training_parts)
        label = np.repeat([1, 0], [space.release.rows, reference_points.rows])
        weight = np.concatenate([seen.classes.times, seen.reference_times[reference_rows]])
        forest = RandomForestClassifier(**forest_options(self.trees, self.leaf, len(rows)))
        forest.fit(rows, label, sample_weight=weight)
        return space.scores_of_targets(forest.predict_proba(target_features)[:, 1])


def forest_options(trees: int, leaf: int, rows: int) -> dict[str, int | None]:
    """The options of a forest that grows on so many rows."""
    max_rows = None if rows <= MAX_TREE_ROWS else MAX_TREE_ROWS
    options = {"n_estimators": trees, "min_samples_leaf": leaf, "max_samples": max_rows}
    return {**options, "random_state": 0, "n_jobs": 1}


def forest_features(*parts: MixedPoints) -> list[np.ndarray]:
    """Numbers, and the most frequent codes of the first part as 0 and 1, for a forest.

    Codes are in no order, so that a forest must not cut between them; one that all have tells
    nothing.
    """
    frequent_codes = []
    for column in parts[0].codes.T:
        code_counts = np.bincount(column, minlength=1)
        frequent = np.argsort(-code_counts, kind="stable")[:MAX_INDICATORS]
        usable_codes = frequent[(code_counts[frequent] > 0) & (code_counts[frequent] < len(column))]
        frequent_codes.append(usable_codes.astype(np.int32))
    feature_parts = []
    for part in parts:
        indicators = [part.codes[:, [j]] == values for j, values in enumerate(frequent_codes)]
        feature_blocks = [part.numbers.astype(np.float32), *indicators]
        feature_parts.append(np.concatenate(feature_blocks, axis=1, dtype=np.float32))
    return feature_parts


def median_distance(space: DistanceSpace) -> float:
    """The median distance of a target to the reference; of those above 0, if it is 0."""
    distances = space.scores_of_targets(space.target_reference.far[:, 0])
    median = float(np.median(distances))
    if median > 0:
        return median
    positive = distances[distances > 0]
    return float(np.median(positive)) if len(positive) else 1.0


def _log_density(
    nearest_rows: NearestRows, times: np.ndarray, width: float, *, count: bool = True
) -> np.ndarray:
    """The logarithm of a Gaussian density by the nearest rows; a sum if not by `count`."""
    logs = -((nearest_rows.far / width) ** 2) / 2
    total = float(times.sum()) if count else 1.0
    log_density: np.ndarray = logsumexp(logs, axis=1, b=nearest_rows.times(times)) - np.log(total)
    return log_density
