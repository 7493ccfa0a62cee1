"""Random problems for every compiled function: from a seed, what the call gives.

PROBLEMS["cuts"](7)     # with the kernels that TOKUMEI_KERNELS names
"""

from __future__ import annotations

import random as chances

import numpy as np
import pytest

from support.recoding_problems import random_problem
from support.small_purchases import random_purchases
from support.small_sides import sides_of
from tokumei.kernels import local_recoding
from tokumei.kernels.condition_checks import (
    HIERARCHICAL,
    NO_CHECKS,
    Checks,
    ConditionArrays,
    check_classes,
)
from tokumei.kernels.history_alignment import align
from tokumei.kernels.history_alignment.cluster_views import first_clusters
from tokumei.kernels.history_alignment.customer_pairs import compute_pair_costs
from tokumei.kernels.lattice import GeneralizedTuples
from tokumei.kernels.local_recoding.class_merging import (
    HierarchyTrees,
    Merging,
    merge,
    write_numbers,
)
from tokumei.kernels.match_likelihood import MatchRates, count_bins, find_gains
from tokumei.kernels.mondrian.hierarchical import CHOICES, TIES, RuleTargets, SplitTree, split_down
from tokumei.kernels.mondrian.hierarchy_free import (
    CUT_CHOICES,
    CutColumn,
    CutColumns,
    best_cut,
    cut_up,
)
from tokumei.kernels.unicity.unicity import KnownPoints, single_out
from tokumei.pseudonyms.attackers.noise_model import (
    NoiseModel,
    build_entries,
    initial_bin_shares,
    month_rows,
    row_weights,
)
from tokumei.tables.anonymizers.recoding.annealing import build_state
from tokumei.tables.anonymizers.recoding.local_search import recode_locally


def random_checks(random, tuples):
    """Up to three conditions of any kind on up to six values."""
    values = int(random.integers(1, 7))
    number = int(random.integers(0, 4))
    each = random.integers(1, 4, tuples)
    starts = np.concatenate([[0], np.cumsum(each)])
    held = random.integers(values, size=starts[-1])
    counts = random.integers(1, 4, len(held))
    totals = np.bincount(held, counts, values).astype(np.int64)
    kinds = random.integers(10, size=number)
    parents = np.array([random.integers(values, size=values), np.zeros(values, int)])
    demands = ConditionArrays(
        kinds=kinds,
        limits=np.stack([random.choice([0.3, 0.9, 1.5, 2.0], number), np.full(number, 2.0)], 1),
        first=np.zeros(number, int),
        end=np.full(number, values),
        rows=np.full(number, counts.sum()),
        totals=totals,
        heights=np.where(kinds == HIERARCHICAL, 2, 0),
        trees=np.zeros(number, int),
        parents=parents.ravel(),
    )
    rows = np.add.reduceat(counts, starts[:-1])
    return Checks.of(demands, starts, held, counts, rows)


def random_lines(random, columns, codes):
    """Columns of numbers, some with missing values."""
    return CutColumns.of(
        [
            CutColumn(
                np.sort(random.random(codes)),
                values=int(random.choice([0, codes])),
                gap=float(random.choice([0.0, 1 / codes])),
            )
            for _ in range(columns)
        ]
    )


def random_merging(seed):
    """Every tuple a class of its own."""
    problem = random_problem(seed, tuples=12)
    tuples, columns = problem.codes.shape
    alone = np.arange(tuples)
    levels = np.zeros((tuples, columns), np.int64)
    merging = Merging(
        *(problem.codes.astype(np.int64), levels, problem.counts.astype(np.int64)),
        *(np.zeros(tuples), alone.copy(), alone.copy(), np.full(tuples, -1)),
    )
    return HierarchyTrees.of(problem.up, problem.cost), merging


def started(seed, k, tuples=20):
    """A state of local recoding with its first classes."""
    problem = random_problem(seed, tuples=tuples)
    k = min(k, problem.rows)
    class_of = recode_locally(problem, k, effort=0).class_of
    return build_state(problem, np.arange(len(class_of)), class_of, k, np.uint64(seed)), k


def conditions(seed):
    random = np.random.default_rng(seed)
    checks = random_checks(random, 12)
    found = check_classes(checks, random.integers(-1, 4, 12))
    return [found, checks.table]


def cuts(seed):
    random = np.random.default_rng(seed)
    codes = np.unique(random.integers(5, size=(20, 3)), axis=0)
    counts = random.integers(1, 4, len(codes))
    columns = random_lines(random, 3, 5)
    cut, k = str(random.choice(CUT_CHOICES)), int(random.integers(1, 6))
    checks = random_checks(random, len(codes)) if cut != "relaxed" else NO_CHECKS
    return [
        cut_up(codes, counts, columns, k=k, cut=cut, checks=checks),
        best_cut(codes, counts, columns, k=k, cut=cut),
    ]


def splits(seed):
    random = np.random.default_rng(seed)
    problem = random_problem(seed, tuples=20)
    tree = SplitTree.of(problem.codes, problem.counts, problem.up)
    rules = [
        [[random.random(up.shape[1]) < 0.6 for up in problem.up] for _ in range(2)] for _ in "abc"
    ]
    return split_down(
        tree,
        k=int(random.integers(1, 5)),
        choice=str(random.choice(CHOICES)),
        targets=RuleTargets.of(rules, problem.up),
        ties=str(random.choice(TIES)),
        checks=random_checks(random, len(problem.counts)),
    )


def mergers(seed):
    random = np.random.default_rng(seed)
    trees, own = random_merging(seed)
    tuples = len(own.rows)
    checks, failing = random_checks(random, tuples), random.random(tuples) < 0.5
    left = merge(trees, own, checks, failing, int(random.integers(11)))
    class_of = np.full(tuples, -1)
    write_numbers(trees, own, np.arange(tuples), class_of)
    return [left, class_of, *own]


def starts(seed):
    random = np.random.default_rng(seed)
    problem = random_problem(seed, tuples=30)
    k = min(int(random.integers(1, 7)), problem.rows)
    vectors = random.permuted(np.array(list(np.ndindex(*(problem.heights + 1)))), axis=0)
    classes = local_recoding.cheapest_first(problem.codes, problem.counts, problem.up, vectors, k)
    tuples = np.flatnonzero(classes >= 0)
    return [classes, *build_state(problem, tuples, classes[tuples], k, np.uint64(0))]


def annealing(seed):
    random = np.random.default_rng(seed)
    heat = float(random.choice([0.01, 1.0, 30.0]))
    state, k = started(seed, int(random.choice([1, 2, 3, 5])))
    gains = np.full(len(state.slot), -np.inf)
    local_recoding.anneal(state, k, 40, heat, heat / 2, 0.1)
    local_recoding.gain_of_leaving(state, k, gains)
    return [*state, gains]


def alignments(seed):
    random = np.random.default_rng(seed)
    purchases = random_purchases(seed, int(random.integers(4, 7)), 4)
    k = int(random.integers(2, 5))
    pairs = compute_pair_costs(purchases, partners=3, threads=2)
    first = first_clusters(purchases.lengths, pairs, k, 1.5, 100, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokumei.kernels.history_alignment.cluster_search.MOVES_PER_CUSTOMER", 20)
        found = align(purchases, k, pairs=[pairs], effort=3, seed=seed % 5)
    return [pairs.cost, pairs.partners, *first, found.groups, found.cluster, found.customers]


def evidence(seed):
    random = np.random.default_rng(seed)
    sides = sides_of(chances.Random(seed))
    month = month_rows(sides, 0)
    weights = row_weights(month, initial_bin_shares(), float(random.choice([0.5, 0.9, 0.99])))
    rates = MatchRates(float(random.choice([0.25, 0.99])), float(random.choice([0.002, 0.3])))
    best, gain = find_gains(weights, month, rates, int(random.choice([1, 10])), True)
    rough = find_gains(weights, month, rates, 2, False)
    entries = build_entries(sides, {0: month}, np.zeros((1, 3), np.int64), 4.0)
    counts = count_bins(entries, random.uniform(0.1, 1.0, (6, 24)))
    learned = NoiseModel.start(rates).learned(sides, {0: month}, np.zeros((1, 3), np.int64))
    return [*weights, best, gain, *rough, *counts, *learned.shares, *learned.rates]


def singling_out(seed):
    random = np.random.default_rng(seed)
    people, kinds = int(random.integers(1, 9)), int(random.integers(1, 12))
    pairs = np.argwhere(random.random((people, kinds)) < 0.6)
    by_point = pairs[np.argsort(pairs[:, 1], kind="stable")]
    known = KnownPoints(
        np.searchsorted(pairs[:, 0], np.arange(people + 1)),
        pairs[:, 1].copy(),
        np.searchsorted(by_point[:, 1], np.arange(kinds + 1)),
        by_point[:, 0].copy(),
    )
    drawn = random.integers(kinds, size=(20, int(random.integers(1, 5))))
    return single_out(known, random.integers(people, size=20), drawn)


def nodes(seed):
    random = np.random.default_rng(seed)
    problem = random_problem(seed, tuples=30)
    tuples = GeneralizedTuples(problem.codes, problem.up)
    some = np.flatnonzero(random.random(len(problem.codes)) < random.choice([0.5, 1.0]))
    levels = [int(random.integers(len(up))) for up in problem.up]
    return tuples.grouped(levels, some.astype(np.int32), problem.counts[some])


PROBLEMS = {
    problem.__name__: problem
    for problem in (
        *(conditions, cuts, splits, mergers, starts),
        *(annealing, alignments, evidence, singling_out, nodes),
    )
}
