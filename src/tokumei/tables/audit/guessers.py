"""Guesses of a sensitive value: for every distinct person a weight for every value.

`histogram`, `responsibility` and `tilted` read the cells that a person fits; `nearest-1`,
`nearest-5`, `twins` and `forest` look at released rows near in the quasi-identifiers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec

import numpy as np
from scipy import sparse

from tokumei.core.text import Text
from tokumei.kernels.near import Points
from tokumei.tables.audit.attacks.density import features, forest_form
from tokumei.tables.audit.seen import Seen, fit_blocks
from tokumei.tables.audit.sensitive import TIE, Sensitive
from tokumei.tables.audit.spaces import Space, people_points, spaces_of

TREES, REFERENCE_TREES = 30, 100
REFERENCE_LEAF = 10
MOST_VALUES = 200
"""A forest guesses among no more values."""
TITLES = {
    "histogram": Text("rows that fit", "当てはまる行の度数"),
    "responsibility": Text("rows that fit, shared out", "当てはまる行の按分"),
    "tilted": Text("rows that fit, and the population", "当てはまる行と母集団の知識"),
    "nearest-1": Text("nearest row", "最も近い行"),
    "nearest-5": Text("five nearest rows", "近い 5 行"),
    "twins": Text("equal rows, else the nearest", "同じ行、なければ最も近い行"),
    "forest": Text("forest trained on the release", "公開データで学習した森"),
}


@dataclass(frozen=True, eq=False)
class Guesser:
    """All ways to guess one sensitive column by the quasi-identifiers."""

    seen: Seen
    sensitive: Sensitive

    def chances(self) -> dict[str, sparse.csr_array]:
        """What all attacks say that can be made, by name."""
        found = {}
        if not self.seen.exact:
            found = {"histogram": self.fitting, "responsibility": self._responsibility()}
            if self.population is not None:
                found["tilted"] = self._tilted()
        if (near := self.seen.measured) is self.seen:
            found |= self._by_rows()
        elif near is not None:
            # What somebody who sees fewer columns says of our distinct people.
            place = near.people.place[self.seen.people.first]
            by_rows = replace(self, seen=near)._by_rows()
            found |= {name: _sorted(made[place]) for name, made in by_rows.items()}
        return found

    def _by_rows(self) -> dict[str, sparse.csr_array]:
        """Guesses by released rows that are near."""
        made = {f"nearest-{most}": self._nearest(most) for most in (1, 5)}
        made["twins"] = self._twins()
        if self._can_learn and (self.sensitive.released >= 0).any():
            made["forest"] = self._forest()
        return made

    @cached_property
    def fitting(self) -> sparse.csr_array:
        """How many released rows that a person fits have each value."""
        return self._spread(self.shown)

    @cached_property
    def shown(self) -> sparse.csr_array:
        """How many rows of every distinct released row have each value."""
        return self.sensitive.histogram(self.seen)

    @cached_property
    def population(self) -> sparse.csr_array | None:
        """What a forest on the reference alone says; None if none can be had."""
        seen = self.seen
        referred = slice(seen.targets, seen.targets + seen.reference)
        known = self.sensitive.known[referred]
        told = known >= 0
        if not self._can_learn or not told.any():
            return None
        place = seen.people.place[referred][told]
        points = people_points(seen)
        form = forest_form(REFERENCE_TREES, REFERENCE_LEAF, len(place))
        return self._learned(points, place, known[told], points, form)

    @property
    def _can_learn(self) -> bool:
        few = self.sensitive.tolerance is not None or self.sensitive.values <= MOST_VALUES
        return few and find_spec("sklearn") is not None and bool(self.seen.columns)

    @cached_property
    def _space(self) -> Space:
        return spaces_of(self.seen)[""]

    def _spread(self, weights: sparse.csr_array) -> sparse.csr_array:
        """Weights of values, from released rows to all who fit them."""
        total = sparse.csr_array((len(self.seen.people), self.sensitive.values))
        for block, fits in fit_blocks(self.seen):
            total = total + fits.T.tocsr() @ weights[block]
        return _sorted(total)

    def _responsibility(self) -> sparse.csr_array:
        inside = np.ones(len(self.seen.classes))
        for block, fits in fit_blocks(self.seen):
            inside[block] = np.maximum(fits @ self.seen.rivals, 0.5)
        return self._spread(sparse.diags_array(1 / inside).tocsr() @ self.shown)

    def _tilted(self) -> sparse.csr_array:
        """p(s | x) · Σ n_cs / Σ_p p(s | p), the population's knowledge moved by the cells."""
        assert self.population is not None
        known = self.population
        everyone = sparse.diags_array(self.seen.rivals.astype(np.float64)).tocsr() @ known
        total = sparse.csr_array(known.shape)
        for block, fits in fit_blocks(self.seen):
            expected = (fits @ everyone).toarray()
            shown = self.shown[block].toarray()
            weight = np.divide(shown, expected, out=np.zeros_like(shown), where=expected > 0)
            total = total + fits.T.tocsr() @ sparse.csr_array(weight)
        return _sorted(sparse.csr_array(total.multiply(known)))

    def _nearest(self, most: int) -> sparse.csr_array:
        """The values of the nearest rows, equally near ones included."""
        near, times = self._space.target_release, np.asarray(self.shown.sum(axis=1)).ravel()
        until = np.cumsum(times[near.found], axis=1)
        enough = np.minimum((until < most).sum(axis=1), near.far.shape[1] - 1)
        reach = np.take_along_axis(near.far, enough[:, None], axis=1)
        rows, places = np.nonzero(near.far <= reach + TIE)
        person = self._space.asked[rows]
        shape = (len(self.seen.people), len(self.seen.classes))
        chosen = sparse.csr_array((np.ones(len(rows)), (person, near.found[rows, places])), shape)
        return _sorted(chosen @ self.shown)

    def _twins(self) -> sparse.csr_array:
        none = np.diff(self.fitting.indptr) == 0
        keep = sparse.diags_array(none.astype(np.float64)).tocsr()
        return _sorted(self.fitting + keep @ self._nearest(1))

    def _forest(self) -> sparse.csr_array:
        told = self.sensitive.released >= 0
        place, values = self.seen.classes.place[told], self.sensitive.released[told]
        form = forest_form(TREES, 1, len(place))
        return self._learned(self._space.release, place, values, self._space.people, form)

    def _learned(
        self,
        points: Points,
        place: np.ndarray,
        values: np.ndarray,
        asked: Points,
        form: dict[str, int | None],
    ) -> sparse.csr_array:
        """What a forest says of people after it saw rows with their values."""
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        known, wanted = features(points, asked)
        order = np.lexsort((values, place))  # So that the order of rows changes no guess.
        place, values = place[order], values[order]
        rows = known[place]
        if self.sensitive.tolerance is None:
            forest = RandomForestClassifier(**form).fit(rows, values)
            found = np.zeros((asked.rows, self.sensitive.values))
            found[:, forest.classes_] = forest.predict_proba(wanted)
            return _sorted(sparse.csr_array(found))
        numbers = self.sensitive.numbers
        model = RandomForestRegressor(**form).fit(rows, numbers[values])
        told = numbers[~np.isnan(numbers)]
        guess = _closest(told, model.predict(wanted))
        shape = (asked.rows, self.sensitive.values)
        return sparse.csr_array((np.ones(len(guess)), (np.arange(len(guess)), guess)), shape)


def _closest(ordered: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The place of the value closest to each number."""
    above = np.clip(np.searchsorted(ordered, numbers), 1, max(len(ordered) - 1, 1))
    above = np.minimum(above, len(ordered) - 1)
    below = np.maximum(above - 1, 0)
    nearer = np.abs(ordered[below] - numbers) <= np.abs(ordered[above] - numbers)
    return np.where(nearer, below, above)


def _sorted(found: sparse.csr_array) -> sparse.csr_array:
    made = sparse.csr_array(found)
    made.eliminate_zeros()
    made.sort_indices()
    return made
