"""Guesses a sensitive value: for every distinct person a weight for every value.

`histogram`, `responsibility` and `tilted` read the cells that a person fits; `nearest-1`,
`nearest-5`, `twins` and `forest` look at released rows near in the quasi-identifiers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec

import numpy as np
from scipy import sparse

from tokumei.core.messages import Message
from tokumei.kernels.nearest import MixedPoints
from tokumei.tables.audit.attacker_view import AttackerObservation, iterate_fitting_people
from tokumei.tables.audit.attacks.density import forest_features, forest_options
from tokumei.tables.audit.distance_spaces import DistanceSpace, build_spaces, people_points
from tokumei.tables.audit.sensitive_values import TIE_TOLERANCE, SensitiveValues

FOREST_TREES, REFERENCE_TREES = 30, 100
REFERENCE_LEAF = 10
MAX_FOREST_VALUES = 200
"""A forest guesses among no more values."""
GUESSER_TITLES = {
    "histogram": Message("rows that fit"),
    "responsibility": Message("rows that fit, shared out"),
    "tilted": Message("rows that fit, and the population"),
    "nearest-1": Message("nearest row"),
    "nearest-5": Message("five nearest rows"),
    "twins": Message("equal rows, else the nearest"),
    "forest": Message("forest trained on the release"),
}


@dataclass(frozen=True, eq=False)
class AttributeGuesser:
    """All ways to guess one sensitive column by the quasi-identifiers."""

    seen: AttackerObservation
    sensitive: SensitiveValues

    def chances(self) -> dict[str, sparse.csr_array]:
        """The probabilities of values from every attack that can be made, by name."""
        chances_by_name = {}
        if not self.seen.exact:
            chances_by_name = {
                "histogram": self.fitting,
                "responsibility": self._guess_by_responsibility(),
            }
            if self.population is not None:
                chances_by_name["tilted"] = self._guess_by_tilted_population()
        if (measured_view := self.seen.measured) is self.seen:
            chances_by_name |= self._guess_by_rows()
        elif measured_view is not None:
            # What somebody who sees fewer columns says of our distinct people.
            row_index = measured_view.people.place[self.seen.people.first]
            by_rows = replace(self, seen=measured_view)._guess_by_rows()
            chances_by_name |= {
                name: _sort_sparse(value_chances[row_index])
                for name, value_chances in by_rows.items()
            }
        return chances_by_name

    def _guess_by_rows(self) -> dict[str, sparse.csr_array]:
        """Guesses by released rows that are near."""
        chances_by_name = {
            f"nearest-{neighbour_count}": self._guess_by_nearest(neighbour_count)
            for neighbour_count in (1, 5)
        }
        chances_by_name["twins"] = self._guess_by_twins()
        if self._can_learn and (self.sensitive.released >= 0).any():
            chances_by_name["forest"] = self._guess_by_forest()
        return chances_by_name

    @cached_property
    def fitting(self) -> sparse.csr_array:
        """How many released rows that a person fits have each value."""
        return self._spread_to_people(self.shown)

    @cached_property
    def shown(self) -> sparse.csr_array:
        """How many rows of every distinct released row have each value."""
        return self.sensitive.histogram(self.seen)

    @cached_property
    def population(self) -> sparse.csr_array | None:
        """Probabilities from a forest on the reference alone; None if it cannot be trained."""
        seen = self.seen
        reference_rows = slice(seen.targets, seen.targets + seen.reference)
        known = self.sensitive.known[reference_rows]
        has_value = known >= 0
        if not self._can_learn or not has_value.any():
            return None
        row_index = seen.people.place[reference_rows][has_value]
        points = people_points(seen)
        forest_params = forest_options(REFERENCE_TREES, REFERENCE_LEAF, len(row_index))
        return self._fit_and_guess(points, row_index, known[has_value], points, forest_params)

    @property
    def _can_learn(self) -> bool:
        is_learnable = (
            self.sensitive.tolerance is not None or self.sensitive.values <= MAX_FOREST_VALUES
        )
        return is_learnable and find_spec("sklearn") is not None and bool(self.seen.columns)

    @cached_property
    def _plain_space(self) -> DistanceSpace:
        return build_spaces(self.seen)[""]

    def _spread_to_people(self, weights: sparse.csr_array) -> sparse.csr_array:
        """Weights of values, from released rows to all who fit them."""
        total = sparse.csr_array((len(self.seen.people), self.sensitive.values))
        for block, fits in iterate_fitting_people(self.seen):
            total = total + fits.T.tocsr() @ weights[block]
        return _sort_sparse(total)

    def _guess_by_responsibility(self) -> sparse.csr_array:
        people_inside = np.ones(len(self.seen.classes))
        for block, fits in iterate_fitting_people(self.seen):
            people_inside[block] = np.maximum(fits @ self.seen.rivals, 0.5)
        return self._spread_to_people(sparse.diags_array(1 / people_inside).tocsr() @ self.shown)

    def _guess_by_tilted_population(self) -> sparse.csr_array:
        """p(s | x) · Σ n_cs / Σ_p p(s | p), the population's knowledge moved by the cells."""
        assert self.population is not None
        population_chances = self.population
        weighted_chances = (
            sparse.diags_array(self.seen.rivals.astype(np.float64)).tocsr() @ population_chances
        )
        total = sparse.csr_array(population_chances.shape)
        for block, fits in iterate_fitting_people(self.seen):
            expected = (fits @ weighted_chances).toarray()
            shown = self.shown[block].toarray()
            weight = np.divide(shown, expected, out=np.zeros_like(shown), where=expected > 0)
            total = total + fits.T.tocsr() @ sparse.csr_array(weight)
        return _sort_sparse(sparse.csr_array(total.multiply(population_chances)))

    def _guess_by_nearest(self, min_rows: int) -> sparse.csr_array:
        """The values of the nearest rows, equally near ones included."""
        nearest_rows, times = (
            self._plain_space.target_release,
            np.asarray(self.shown.sum(axis=1)).ravel(),
        )
        cumulative_rows = np.cumsum(times[nearest_rows.found], axis=1)
        last_index = np.minimum(
            (cumulative_rows < min_rows).sum(axis=1), nearest_rows.far.shape[1] - 1
        )
        max_distance = np.take_along_axis(nearest_rows.far, last_index[:, None], axis=1)
        rows, places = np.nonzero(nearest_rows.far <= max_distance + TIE_TOLERANCE)
        person = self._plain_space.asked[rows]
        shape = (len(self.seen.people), len(self.seen.classes))
        chosen = sparse.csr_array(
            (np.ones(len(rows)), (person, nearest_rows.found[rows, places])), shape
        )
        return _sort_sparse(chosen @ self.shown)

    def _guess_by_twins(self) -> sparse.csr_array:
        has_no_fit = np.diff(self.fitting.indptr) == 0
        fallback_mask = sparse.diags_array(has_no_fit.astype(np.float64)).tocsr()
        return _sort_sparse(self.fitting + fallback_mask @ self._guess_by_nearest(1))

    def _guess_by_forest(self) -> sparse.csr_array:
        has_value = self.sensitive.released >= 0
        row_index, values = self.seen.classes.place[has_value], self.sensitive.released[has_value]
        forest_params = forest_options(FOREST_TREES, 1, len(row_index))
        return self._fit_and_guess(
            self._plain_space.release, row_index, values, self._plain_space.people, forest_params
        )

    def _fit_and_guess(
        self,
        points: MixedPoints,
        row_index: np.ndarray,
        values: np.ndarray,
        queried_points: MixedPoints,
        forest_params: dict[str, int | None],
    ) -> sparse.csr_array:
        """Train a forest on rows with known values and return its probabilities for people."""
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        training_features, query_features = forest_features(points, queried_points)
        order = np.lexsort((values, row_index))  # So that the order of rows changes no guess.
        row_index, values = row_index[order], values[order]
        rows = training_features[row_index]
        if self.sensitive.tolerance is None:
            forest = RandomForestClassifier(**forest_params).fit(rows, values)
            probabilities = np.zeros((queried_points.rows, self.sensitive.values))
            probabilities[:, forest.classes_] = forest.predict_proba(query_features)
            return _sort_sparse(sparse.csr_array(probabilities))
        numbers = self.sensitive.numbers
        model = RandomForestRegressor(**forest_params).fit(rows, numbers[values])
        known_numbers = numbers[~np.isnan(numbers)]
        guess = _closest_positions(known_numbers, model.predict(query_features))
        shape = (queried_points.rows, self.sensitive.values)
        return sparse.csr_array((np.ones(len(guess)), (np.arange(len(guess)), guess)), shape)


def _closest_positions(ordered: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The place of the value closest to each number."""
    above = np.clip(np.searchsorted(ordered, numbers), 1, max(len(ordered) - 1, 1))
    above = np.minimum(above, len(ordered) - 1)
    below = np.maximum(above - 1, 0)
    nearer = np.abs(ordered[below] - numbers) <= np.abs(ordered[above] - numbers)
    return np.where(nearer, below, above)


def _sort_sparse(matrix: sparse.csr_array) -> sparse.csr_array:
    sorted_matrix = sparse.csr_array(matrix)
    sorted_matrix.eliminate_zeros()
    sorted_matrix.sort_indices()
    return sorted_matrix
