"""Small purchase histories and the obvious, slow ways to price and align them."""

from itertools import combinations, permutations

import numpy as np

from tokumei.kernels.history_alignment import PurchaseArrays


def purchases_of(histories):
    """From one list of (day, price, quantity, item) per customer."""
    rows = np.array([row for history in histories for row in history], dtype=float)
    start = np.concatenate([[0], np.cumsum([len(history) for history in histories])])
    day, price, quantity, item = rows.T
    sd = (day.std(), price.std(), quantity.std())
    return PurchaseArrays(start, day, price, quantity, item.astype(np.int32), sd)


def random_purchases(seed, customers, longest, items=6):
    rng = np.random.default_rng(seed)
    return purchases_of(
        [
            [
                (
                    rng.integers(30),
                    rng.choice([85, 125, 165, 295, 795]),
                    rng.geometric(0.2),
                    rng.integers(items),
                )
                for _ in range(rng.integers(1, longest + 1))
            ]
            for _ in range(customers)
        ]
    )


def group_cost(purchases, rows):
    """The contest's cell errors of one group, cell by cell; dear columns are given up."""
    k = len(rows)
    total = k * (1 - 1 / len({int(purchases.item[row]) for row in rows}))
    columns = (purchases.day, purchases.price, purchases.quantity)
    for column, sd in zip(columns, purchases.sd, strict=True):
        x = [float(column[row]) for row in rows]
        a, b = min(x), max(x)
        if a < b:
            errors = [((a - v) ** 2 + (b - v) ** 2 + (b - a)) / (2 * sd * (b - a + 1)) for v in x]
            total += min(sum(errors), k)
    return total


def total_cost(purchases, groups):
    """All groups, and 4 for each row that is in none."""
    kept = sum(len(rows) for rows in groups)
    return sum(group_cost(purchases, rows) for rows in groups) + 4 * (purchases.rows - kept)


def loss(purchases, alignment):
    return total_cost(purchases, alignment.groups) / (4 * purchases.rows)


def best_loss_of_pairs(purchases):
    """The least loss for k = 2 over all ways to pair customers and rows."""
    customers = range(purchases.customers)
    price = {(a, b): _best_pair(purchases, a, b) for a, b in combinations(customers, 2)}
    dropped = [4 * int(length) for length in purchases.lengths]
    options = [
        sum(price[pair] for pair in pairs) + sum(dropped[c] for c in rest)
        for pairs, rest in _pairings(list(customers))
    ]
    return min(options) / (4 * purchases.rows)


def _pairings(customers):
    """All ways to make floor(n / 2) pairs."""
    if len(customers) < 2:
        yield [], customers
        return
    if len(customers) % 2:
        for left in customers:
            for pairs, _ in _pairings([c for c in customers if c != left]):
                yield pairs, [left]
        return
    first, *others = customers
    for second in others:
        for pairs, rest in _pairings([c for c in others if c != second]):
            yield [(first, second), *pairs], rest


def _best_pair(purchases, a, b):
    rows = [range(purchases.start[c], purchases.start[c + 1]) for c in (a, b)]
    short, long = sorted(rows, key=len)
    matched = min(
        sum(group_cost(purchases, pair) for pair in zip(short, chosen, strict=True))
        for chosen in permutations(long, len(short))
    )
    return matched + 4 * (len(long) - len(short))
