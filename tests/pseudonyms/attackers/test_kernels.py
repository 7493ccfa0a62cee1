"""The compiled parts of the likelihood attack against slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_sides import slow_bin, slow_company, slow_match, slow_weights, small_sides
from tokumei.kernels.evidence.bins import Entries, count_bins
from tokumei.kernels.evidence.columns import bin_of
from tokumei.kernels.evidence.gains import Rates, find_gains, match_rows
from tokumei.kernels.evidence.weights import NEGLIGIBLE, row_weight
from tokumei.pseudonyms.attackers.mixture import EDGES, Model, month_rows, row_weights, start_shares

SAME = 0.9


@given(column=st.integers(0, len(EDGES) - 1), difference=st.floats(-300, 300))
def test_bins(column, difference):
    assert bin_of(EDGES[column], difference) == slow_bin(EDGES[column], difference)


def test_shares_at_the_start_are_shares_with_equal_values_the_likeliest():
    for shares, edges in zip(start_shares(), EDGES, strict=True):
        assert shares.sum() == pytest.approx(1)
        assert shares.argmax() == slow_bin(edges, 0)


def dense(weights, known):
    """The weights of all known rows as a table, noughts where a pair is left out."""
    table = np.zeros((known, weights.rows))
    for k in range(known):
        for entry in range(*weights.first[weights.pair[k] : weights.pair[k] + 2]):
            table[k, weights.row[entry]] = row_weight(weights, k, entry)
    return table


@given(sides=small_sides())
def test_row_weights_equal_the_slow_ones(sides):
    month = month_rows(sides, 0)
    weights = row_weights(month, start_shares(), SAME)
    expected = [
        [first * rest if first >= NEGLIGIBLE else 0.0 for first, rest in row]
        for row in slow_weights(sides, 0, SAME)
    ]
    assert dense(weights, len(month.pair)) == pytest.approx(np.array(expected), rel=1e-4)


@given(
    table=st.integers(1, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0, 7.0, 11.0]), min_size=n, max_size=n),
            min_size=1,
            max_size=5,
        )
    ),
    factor=st.sampled_from([0.1, 1.0, 20.0]),
    from_public=st.booleans(),
)
def test_matching_takes_the_surest_rows_first(table, factor, from_public):
    # Different values everywhere: equal ones may be taken in either order.
    cells = np.array(table) * (1 + np.arange(np.size(table)).reshape(np.shape(table)) / 1000)
    cells = cells.astype(np.float32)
    matched = np.zeros(len(table), dtype=np.bool_)
    gain = match_rows(cells, factor, from_public, matched)
    expected, who = slow_match(cells.tolist(), factor, from_public)
    assert gain == pytest.approx(expected, rel=1e-5)
    assert set(np.flatnonzero(matched)) == who


@given(
    sides=small_sides(), known=st.sampled_from([0.25, 0.99]), deleted=st.sampled_from([0.002, 0.3])
)
def test_gains_equal_the_slow_ones(sides, known, deleted):
    month = month_rows(sides, 0)
    weights = row_weights(month, start_shares(), SAME)
    rates = Rates(known, deleted)
    best, gain = find_gains(weights, month, rates, 10, True)
    table = dense(weights, len(month.pair))
    mean = table.mean(axis=1, keepdims=True)
    # Equal weights may be taken in either order, which says nothing about the sum of their logs
    # only where no row is left over: such cases are left to the test of the matching itself.
    scaled = np.divide(table, mean, out=np.zeros_like(table), where=mean > 0)
    for customer, (names, gains) in enumerate(zip(best, gain, strict=True)):
        rows = slice(*month.known_start[customer : customer + 2])
        for name, found in zip(names, gains, strict=True):
            part = scaled[rows, slice(*month.public_start[name : name + 2])].astype(np.float32)
            if len(np.unique(part[part > 0])) < (part > 0).sum():
                continue
            size = max(part.shape[1] / (1 - deleted), part.shape[0] / known)
            factor = 1 / (size * deleted * (1 - known))
            expected, matched = slow_match(part.tolist(), factor, deleted > 1 - known)
            baskets = month.basket[rows]
            firsts = {basket: rows.start + place for place, basket in enumerate(baskets)}
            lone = set(baskets) - {baskets[k] for k in matched}
            owner = slice(*month.public_start[name : name + 2])
            expected += sum(np.log(slow_company(sides, 0, firsts[b], owner)) for b in lone)
            assert found == pytest.approx(expected, rel=1e-3, abs=1e-3)


@given(sides=small_sides())
def test_the_best_pseudonyms_of_every_customer_are_all_there_are(sides):
    month = month_rows(sides, 0)
    weights = row_weights(month, start_shares(), SAME)
    best, gain = find_gains(weights, month, Rates(0.5, 0.1), 10, True)
    assert np.isfinite(gain).all()
    assert all(sorted(row) == list(range(len(month.public_start) - 1)) for row in best)


@given(
    groups=st.lists(st.integers(1, 3), min_size=1, max_size=4),
    seed=st.integers(0, 1000),
)
def test_counting_bins_equals_the_loop(groups, seed):
    draw = np.random.default_rng(seed)
    known = np.repeat(np.arange(len(groups)), groups)
    bins = draw.integers(0, 2, (len(known), 6)).astype(np.uint8)
    rarity, together = draw.uniform(0, 3, len(known)), draw.uniform(0, 1, len(known))
    shares = np.full((6, 24), 0.5)
    shares[:, 1] = draw.uniform(0.1, 1, 6)
    counts, matched = count_bins(Entries(known, bins, rarity, together), shares)
    expected = np.zeros(shares.shape)
    total = 0.0
    for row in range(len(groups)):
        entries = np.flatnonzero(known == row)
        weight = [rarity[e] * np.prod([shares[c, bins[e, c]] for c in range(6)]) for e in entries]
        company_ = sum(together[e] * shares[3, bins[e, 3]] * shares[4, bins[e, 4]] for e in entries)
        everything = sum(weight) + 0.5 + 0.5 * company_
        for e, part in zip(entries, weight, strict=True):
            total += part / everything
            for c in range(6):
                expected[c, bins[e, c]] += part / everything
    assert counts == pytest.approx(expected)
    assert matched == pytest.approx(total)


@given(sides=small_sides())
def test_learning_keeps_shares_and_rates_in_their_bounds(sides):
    months = {0: month_rows(sides, 0)}
    pairs = np.array([[0, 0, 0]])
    model = Model.start(Rates(0.5, 0.2)).learned(sides, months, pairs)
    assert all(part.sum() == pytest.approx(1) and (part > 0).all() for part in model.shares)
    assert 0 < model.same_item < 1
    assert 0 < model.rates.known < 1
    assert 0 < model.rates.deleted < 1


def test_without_sure_pairs_nothing_is_learned():
    model = Model.start(Rates(0.5, 0.2))
    assert model.learned(None, {}, np.zeros((0, 3), dtype=np.int64)) is model
