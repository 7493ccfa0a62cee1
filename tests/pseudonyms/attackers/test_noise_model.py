"""The compiled parts of the likelihood attack against slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_sides import slow_bin, slow_company, slow_match, slow_weights, small_sides
from tokumei.kernels.match_likelihood import (
    DAY,
    ITEM,
    NEGLIGIBLE_WEIGHT,
    TIME,
    Entries,
    MatchRates,
    count_bins,
    find_gains,
)
from tokumei.pseudonyms.attackers.noise_model import (
    BIN_EDGES,
    NoiseModel,
    build_entries,
    initial_bin_shares,
    month_rows,
    row_weights,
)

SAME = 0.9


@given(sides=small_sides())
def test_entries_of_pairs_equal_the_loop(sides):
    months = {month: month_rows(sides, month) for month in range(2) if is_told(sides, month)}
    pairs = np.array(
        [
            (month, k, p)
            for month in months
            for k in range(len(sides.known.start) - 1)[sides.known.groups(month)]
            for p in range(len(sides.public.start) - 1)[sides.public.groups(month)]
        ]
    )
    found = zip(*build_entries(sides, months, pairs, 4.0), strict=True)
    for month, k, p in pairs:
        rows = range(*sides.public.start[p : p + 2])
        for known in range(*sides.known.start[k : k + 2]):
            for public in rows:
                row, bins, rarity, company = next(found)
                assert row == known
                expected = slow_entry(sides, months[month], known, public)
                assert bins.tolist() == expected[0]
                assert rarity == pytest.approx(expected[1] * 4.0 / len(rows))
                assert company == pytest.approx(expected[2] / len(rows))
    assert next(found, None) is None


def is_told(sides, month):
    return all(
        len(range(*side.rows_of_month(month).indices(99))) for side in (sides.known, sides.public)
    )


def slow_entry(sides, month, known, public):
    """The bins of two rows, the rarity of all of them, and that of day and time."""
    told, shown = sides.known.values[:, known], sides.public.values[:, public]
    bins = [slow_bin(edges, told[c] - shown[c]) for c, edges in enumerate(BIN_EDGES)]
    first = sides.public.rows_of_month(sides.public.month[public]).start
    rare = [
        column.rarity[column.public_place[public - first], place]
        for column, place in zip(month.columns, bins, strict=True)
    ]
    item = sides.known.item[known]
    same = item == sides.public.item[public]
    rarity = np.prod(rare) * (month.item_rarity[item] if same else 1)
    assert len(bins) == ITEM
    return [*bins, int(same)], rarity, rare[DAY] * rare[TIME]


def test_shares_at_the_start_are_shares_with_equal_values_the_likeliest():
    for shares, edges in zip(initial_bin_shares(), BIN_EDGES, strict=True):
        assert shares.sum() == pytest.approx(1)
        assert shares.argmax() == slow_bin(edges, 0)


def dense(weights, known):
    """The weights of all known rows as a table, noughts where a pair is left out."""
    table = np.zeros((known, len(weights.public_day)))
    for k in range(known):
        for entry in range(*weights.first[weights.pair[k] : weights.pair[k] + 2]):
            table[k, weights.row[entry]] = slow_weight(weights, k, entry)
    return table


def slow_weight(w, known, entry):
    row = w.row[entry]
    return (
        w.weight[entry]
        * w.quantity[w.known_quantity[known], w.public_quantity[row]]
        * w.day[w.known_day[known], w.public_day[row]]
        * w.time[w.known_time[known], w.public_time[row]]
    )


@given(sides=small_sides())
def test_row_weights_equal_the_slow_ones(sides):
    month = month_rows(sides, 0)
    weights = row_weights(month, initial_bin_shares(), SAME)
    expected = [
        [first * rest if first >= NEGLIGIBLE_WEIGHT else 0.0 for first, rest in row]
        for row in slow_weights(sides, 0, SAME)
    ]
    assert dense(weights, len(month.pair)) == pytest.approx(np.array(expected), rel=1e-4)


@given(
    sides=small_sides(), known=st.sampled_from([0.25, 0.99]), deleted=st.sampled_from([0.002, 0.3])
)
def test_gains_equal_the_slow_ones(sides, known, deleted):
    month = month_rows(sides, 0)
    weights = row_weights(month, initial_bin_shares(), SAME)
    rates = MatchRates(known, deleted)
    best, gain = find_gains(weights, month, rates, 10, True)
    table = dense(weights, len(month.pair))
    total = np.cumsum(table, axis=1)[:, -1:]
    scaled = table * np.divide(table.shape[1], total, out=np.zeros_like(total), where=total > 0)
    for customer, (names, gains) in enumerate(zip(best, gain, strict=True)):
        rows = slice(*month.known_start[customer : customer + 2])
        for name, found in zip(names, gains, strict=True):
            part = scaled[rows, slice(*month.public_start[name : name + 2])].astype(np.float32)
            size = max(part.shape[1] / (1 - deleted), part.shape[0] / known)
            factor = 1 / (size * deleted * (1 - known))
            expected, matched = slow_match(part.tolist(), factor, deleted > 1 - known)
            baskets = month.basket[rows]
            firsts = {basket: rows.start + place for place, basket in enumerate(baskets)}
            lone = set(baskets) - {baskets[k] for k in matched}
            owner = slice(*month.public_start[name : name + 2])
            expected += sum(np.log(slow_company(sides, 0, firsts[b], owner)) for b in lone)
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-6)


@given(sides=small_sides())
def test_the_best_pseudonyms_of_every_customer_are_all_there_are(sides):
    month = month_rows(sides, 0)
    weights = row_weights(month, initial_bin_shares(), SAME)
    best, gain = find_gains(weights, month, MatchRates(0.5, 0.1), 10, True)
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
    model = NoiseModel.start(MatchRates(0.5, 0.2)).learned(sides, months, pairs)
    assert all(part.sum() == pytest.approx(1) and (part > 0).all() for part in model.shares)
    assert 0 < model.same_item < 1
    assert 0 < model.rates.known < 1
    assert 0 < model.rates.deleted < 1


def test_without_sure_pairs_nothing_is_learned():
    model = NoiseModel.start(MatchRates(0.5, 0.2))
    assert model.learned(None, {}, np.zeros((0, 3), dtype=np.int64)) is model
