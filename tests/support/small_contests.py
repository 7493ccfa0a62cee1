"""Small generated contests: customers with habits, a noisy release, knowledge, and how it went."""

from __future__ import annotations

import numpy as np
import polars as pl

from support.period_rows import rows_of
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import Months, PeriodRows
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores


def contest(seed=1, people=25, months=4, items=60):
    """Rows of customers with habits, in few months: lines of T."""
    draw = np.random.default_rng(seed)
    price = np.round(draw.lognormal(1, 0.8, items), 2)
    lines = []
    for who in range(people):
        favourites = draw.permutation(items)[:10]
        for month in range(months):
            for _ in range(draw.poisson(1.2)):
                day, time = draw.integers(1, 28), draw.integers(540, 1000)
                for item in draw.permutation(favourites)[: draw.integers(2, 7)]:
                    cells = f"{20 + item % 4}{item:03d},{price[item]},{draw.integers(1, 13)}"
                    clock = f"{time // 60}:{time % 60:02d}"
                    lines.append(f"c{who:02d},0,2011/{month + 1}/{day},{clock},{cells}")
    return rows_of(lines)


def release(rows, seed=1, lifetime=1, delete=0.0, time="12:00"):
    """R1 of the contest in a few lines: who has which pseudonym, and the changed rows."""
    draw = np.random.default_rng(seed)
    months = Months.spanning(rows.days)
    life = rows.person * 100 + months.of(rows.days) // lifetime
    _, name = np.unique(life, return_inverse=True)
    names = draw.permutation(name.max() + 1)
    released = []
    for row, who in zip(rows.cells.iter_rows(), names[name], strict=True):
        _, _, day, _, item, price, quantity = row
        changed = [f"p{who:04d}", "0", day.rsplit("/", 1)[0] + "/15", time or row[3], item]
        changed += [f"{float(price) * draw.uniform(0.9, 1.1):.2f}"]
        changed += [str(max(1, int(quantity) + draw.integers(-2, 3)))]
        released.append(",".join(changed) if draw.random() >= delete else "DEL,,,,,,")
    return rows_of(released)


def coarse(rows, share, seed=1):
    """T_α with two characters of the items."""
    hidden = np.random.default_rng(seed).random(rows.rows) >= share
    cut = PeriodRows(rows.cells.with_columns(pl.col("item").str.slice(0, 2)))
    return cut.with_deleted(hidden)


def run(attack, rows, released, known, seed=1):
    """The guess, and the true table."""
    months, customers = Months.spanning(rows.days), rows.people
    truth = PseudonymTable.of_rows(rows, released, customers=customers, months=months)
    guess = attack.attack(
        released.public(), known, customers=customers, months=months, rng=Randomness(seed)
    )
    return guess, truth


def rate(attack, rows, released, known, name="reid_active"):
    guess, truth = run(attack, rows, released, known)
    return reid_scores(GuessClaims.of_table(guess.table, truth))[name].value
