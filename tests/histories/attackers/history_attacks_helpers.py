"""What the tests split from test_history_attacks share."""

from datetime import date

import polars as pl

from support.histories import history
from tokumei.core.randomness import Randomness
from tokumei.histories.attackers.best import BestHistoryAttack
from tokumei.histories.attackers.consistent import ConsistentCells
from tokumei.histories.attackers.voting import ItemSetOverlap, OrderOfAppearance, UniqueRows
from tokumei.histories.data.history import COLUMNS

ALL = (
    OrderOfAppearance(),
    UniqueRows(),
    ItemSetOverlap(),
    ConsistentCells(),
    BestHistoryAttack(),
    BestHistoryAttack("most-confident"),
)


RNG = Randomness(1)


DAY = date(2011, 1, 31)


KNOWN = history(
    [
        ("ann", DAY, "tea", 1.5, 2),
        ("ann", DAY, "cup", 3.0, 1),
        ("bob", DAY, "tea", 1.5, 2),
        ("bob", DAY, "pot", 9.0, 1),
        ("eve", DAY, "jam", 2.0, 7),
    ]
)


def public(*rows):
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")


def answers(attack, rows, known=KNOWN, seed=1):
    return dict(attack.attack(rows, known, rng=Randomness(seed)).frame().iter_rows())
