"""Cheapest first with shortlists gives what visiting every tuple on every vector gives."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokumei.kernels import local_recoding
from tokumei.kernels.local_recoding.shortlists import build_shortlists


def problem(seed, tuples=60, columns=4):
    """Random tuples under hierarchies of three levels: themselves, pairs, all."""
    rng = np.random.default_rng(seed)
    ups = [np.array([range(6), [0, 0, 1, 1, 2, 2], [0] * 6]) for _ in range(columns)]
    codes = np.unique(rng.integers(6, size=(tuples, columns)), axis=0).astype(np.int32)
    vectors = np.indices((3,) * columns).reshape(columns, -1).T
    vectors = vectors[np.lexsort((rng.random(len(vectors)), vectors.sum(axis=1)))]
    return codes, rng.integers(1, 4, size=len(codes)), ups, vectors


def by_hand(codes, counts, ups, vectors, k):
    """Every vector, every waiting tuple."""
    class_of, classes = [-1] * len(codes), 0
    for vector in vectors:
        groups = {}
        for t, code in enumerate(codes):
            if class_of[t] < 0:
                nodes = tuple(ups[j][vector[j]][c] for j, c in enumerate(code))
                groups.setdefault(nodes, []).append(t)
        for members in groups.values():
            if sum(counts[t] for t in members) >= k:
                for t in members:
                    class_of[t] = classes
                classes += 1
    return class_of


@pytest.fixture(params=[0, 1, 100])
def always(request, monkeypatch):
    """Shortlists from the start, with room for none, few or all of them."""
    monkeypatch.setattr(local_recoding, "FIRST_VECTORS", 1)
    monkeypatch.setattr(local_recoding, "MANY_WAITING", 1)
    monkeypatch.setattr("tokumei.kernels.local_recoding.shortlists.MAX_LIST_FACTOR", request.param)


@pytest.mark.usefixtures("always")
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**6), st.integers(2, 12))
def test_classes_are_those_found_by_hand(seed, k):
    codes, counts, ups, vectors = problem(seed)
    found = local_recoding.cheapest_first(codes, counts, ups, vectors, k)
    assert found.tolist() == by_hand(codes, counts, ups, vectors, k)


@given(st.integers(0, 10**6))
def test_a_list_leaves_nobody_out(seed):
    """Whoever is in a group of ≥ 5 rows on a vector is on the vector's list."""
    codes, counts, ups, vectors = problem(seed, 40, 3)

    def hopeful(vector, tuples):
        nodes = [tuple(ups[j][vector[j]][c] for j, c in enumerate(codes[t])) for t in tuples]
        rows = {
            n: sum(counts[t] for t, m in zip(tuples, nodes, strict=True) if m == n) for n in nodes
        }
        return np.array([t for t, n in zip(tuples, nodes, strict=True) if rows[n] >= 5], np.int64)

    waiting = np.arange(len(codes))
    of, at, tuples = build_shortlists(vectors, waiting, hopeful)
    for vector, number in zip(vectors, of, strict=True):
        if number >= 0:
            assert set(hopeful(vector, waiting)) <= set(tuples[at[number] : at[number + 1]])
