"""Tests of tokumei.ledger.linkage_rates."""

import math

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from ledger.histories_helpers import slow_classes
from tokumei.histories.data.history import History
from tokumei.histories.ledger_contribution import history_contribution
from tokumei.ledger.class_membership import ClassMembership
from tokumei.ledger.hash_chain import KeyedCodes
from tokumei.ledger.linkage_rates import profile_linkage_rate
from tokumei.ledger.recorded_classes import encode_contribution


def months(seed, method="rank-match", k=2):
    """Two halves of a history, each released by itself, with new pseudonyms."""
    history = tk.sample_history(500, customers=30, seed=seed).frame
    middle = history["day"].sort()[history.height // 2]
    parts = history.filter(pl.col("day") < middle), history.filter(pl.col("day") >= middle)
    kept = [History.of(one) for one in parts]
    return [tk.anonymize(one, method, k=k, seed=seed + i) for i, one in enumerate(kept)]


def slow_profiles(made):
    """For every pair of customers the sum of cosines, customer by customer."""
    sides = [{who: {} for who in slow_classes(one)} for one in made]
    for side, one in zip(sides, made, strict=True):
        owner = dict(one.truth().rows())
        for row in one.public.to_dicts():
            for name in ("item", "price", "quantity"):
                for value in str(row[name]).strip("{}").split(";"):
                    counts = side[owner[row["customer"]]].setdefault(name, {})
                    counts[value] = counts.get(value, 0) + 1
    return sides


def cosine(one, other, rare):
    vectors = [{v: math.log1p(n) * rare[v] for v, n in counts.items()} for counts in (one, other)]
    lengths = [math.sqrt(sum(x * x for x in v.values())) or 1.0 for v in vectors]
    return sum(x * vectors[1].get(v, 0) for v, x in vectors[0].items()) / math.prod(lengths)


@pytest.mark.parametrize("seed", range(3))
def test_profiles_link_as_a_slow_attacker_would(seed):
    made = months(seed)
    given = [history_contribution(one.public, one.truth(), known=30) for one in made]
    codes = KeyedCodes(b"k" * 32)
    all_ = ClassMembership.of([encode_contribution(one, codes) for one in given])
    people = np.flatnonzero(all_.present((0, 1)))
    sides, classes = slow_profiles(made), [slow_classes(one) for one in made]
    total = sum(len(set(one.values())) for one in classes)
    rare = {}
    for name in ("item", "price", "quantity"):
        for side, of in zip(sides, classes, strict=True):
            for kind in set(of.values()):
                who = next(w for w, text in of.items() if text == kind)
                for value in side[who].get(name, {}):
                    rare[name, value] = rare.get((name, value), 0) + 1
    weight = {key: math.sqrt(math.log(total / n)) for key, n in rare.items()}
    chances = []
    for who in sides[0].keys() & sides[1].keys():
        scores = {
            other: sum(
                cosine(
                    sides[0][who][name],
                    sides[1][other][name],
                    {v: weight[n, v] for n, v in weight if n == name},
                )
                for name in ("item", "price", "quantity")
            )
            for other in sides[1]
        }
        best = [other for other, x in scores.items() if x >= max(scores.values()) - 1e-9]
        chances.append((who in best) / len(best))
    found = profile_linkage_rate(all_, (0, 1), people)
    assert found == pytest.approx(np.mean(chances))
