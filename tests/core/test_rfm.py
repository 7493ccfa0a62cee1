"""Quintiles of the last purchase, of the number of purchases and of the money spent."""

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.rfm import QuintilesKept, rfm_quintiles


def test_ten_different_people_fill_five_quintiles_evenly() -> None:
    values = np.arange(10)
    quintiles = rfm_quintiles(values, values[::-1], values * 100)
    assert quintiles.shape == (10, 3)
    for part in quintiles.T:
        assert sorted(np.unique(part, return_counts=True)[1]) == [2] * 5
    assert (quintiles[:, 0] == quintiles[:, 2]).all()
    assert (quintiles[:, 0] == quintiles[::-1, 1]).all()


def test_a_measure_of_one_part_takes_its_title_and_its_column() -> None:
    class Spent(QuintilesKept, part="monetary"):
        pass

    assert Spent.name == "rfm_monetary"
    assert Spent().columns == [2]
    assert Spent.title == Message("Monetary quintiles kept")
    assert Spent.formula.startswith("M = ")
