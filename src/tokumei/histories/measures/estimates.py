"""What a user of the release takes a generalized cell for, knowing only the public rows.

    plain         itself
    [a;b]         the middle, (a + b) / 2
    {x;y;…}       every member in equal shares
    * (a number)  the mean of the column's other cells, each by its middle; 0 where all are `*`
    * (an item)   nothing: sharing it out as the known items are would change no order of theirs

The mean is rounded to 1/64 of a whole day, price unit or piece. Sums of estimates are then exact
up to 2^53 / 64², so that people with equal histories have equal figures in whatever order rows
are added up.
"""

from __future__ import annotations

import numpy as np

from tokumei.histories.data.general import GeneralHistory, ItemSets
from tokumei.histories.data.history import History

STEPS = 64


def estimated_numbers(released: GeneralHistory, column: str) -> np.ndarray:
    """The estimate of day, price or quantity in every row that is left, in order."""
    spans = released.spans(column)
    code = spans.code[released.kept]
    values = (spans.low[code] + spans.high[code]) / 2
    star = spans.star[code]
    mean = values[~star].mean() if not star.all() else 0.0
    return np.asarray(np.where(star, np.round(mean * STEPS) / STEPS, values))


def estimated_sales(released: GeneralHistory) -> np.ndarray:
    """Price × quantity of every row that is left, in price units."""
    price, quantity = (estimated_numbers(released, name) for name in ("price", "quantity"))
    return np.asarray(price * quantity)


def true_sales(history: History) -> np.ndarray:
    """Price × quantity of every row of an original, in price units."""
    return np.asarray(history.numbers("price") * history.numbers("quantity").astype(np.float64))


def item_totals(sets: ItemSets, kept: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The sum per item (in the order of `names`) when each row's weight is shared by its set."""
    sizes = sets.sizes
    of_set = np.bincount(sets.code[kept], weights=weights, minlength=len(sizes))
    share = np.repeat(of_set / np.maximum(sizes, 1), sizes)
    return np.bincount(sets.members, weights=share, minlength=len(sets.names))
