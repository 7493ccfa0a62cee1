"""What somebody knows of a column: the original values that the attacker thinks possible."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from tests.assessment.small_releases import column, known

from tokumei.assessment.rough_knowledge import KnownColumnCodes
from tokumei.core.errors import UsageError
from tokumei.core.scenario import ColumnKnowledge
from tokumei.tables.hierarchies.hierarchy import Hierarchy


def possible(found: KnownColumnCodes, values: list[Any], row: int) -> list[Any]:
    ranks = found.codes.value_rank
    inside = (found.low[row] <= ranks) & (ranks <= found.high[row])
    return [value for value, is_inside in zip(values, inside, strict=True) if is_inside]


def test_whoever_knows_a_value_knows_one() -> None:
    found = known([3, 1, 2])
    assert found.is_exact
    assert possible(found, [3, 1, 2], 0) == [3]


def test_percents_are_of_the_true_value_and_hold_their_ends() -> None:
    values = [100, 109, 110, 121]
    found = known(values, how="x~10%")
    assert possible(found, values, 0) == [100, 109, 110]  # 90 to 110
    assert possible(found, values, 3) == [109, 110, 121]  # 108.9 to 133.1
    assert not found.is_exact


def test_percents_of_negative_numbers() -> None:
    values = [-100, -91, -89, 0]
    found = known(values, how="x~10%")
    assert possible(found, values, 0) == [-100, -91]
    assert possible(found, values, 3) == [0]


def test_days_on_either_side() -> None:
    days = [date(2023, 1, 1), date(2023, 1, 31), date(2023, 3, 3)]
    found = known(days, how="x~30d")
    assert possible(found, days, 0) == days[:2]
    assert possible(found, days, 1) == days[:2]
    assert possible(found, days, 2) == days[2:]


def test_a_missing_value_is_known_as_missing() -> None:
    values = [None, 0.1, 100.0]
    found = known(values, how="x~50%")
    assert possible(found, values, 0) == [None]
    assert possible(found, values, 1) == [0.1]


def test_first_characters_group_values() -> None:
    codes = ["1305", "1306", "1485"]
    found = known(codes, how="x~2")
    assert possible(found, codes, 0) == ["1305", "1306"]
    assert possible(found, codes, 2) == ["1485"]
    cells = found.codes.cell_code[[1, 2]]
    assert found.codes.covers(cells, found.low[:1], found.high[:1]).tolist() == [True, False]


def test_the_category_above_groups_values() -> None:
    towns = ["Aki", "Ino", "Uji"]
    tree = Hierarchy.of("x", [["Aki", "Kochi", "*"], ["Ino", "Kochi", "*"], ["Uji", "Kyoto", "*"]])
    knowledge = ColumnKnowledge("x", levels=1)
    found = KnownColumnCodes.of(column(towns), knowledge, tree)
    assert possible(found, towns, 0) == ["Aki", "Ino"]
    assert possible(found, towns, 2) == ["Uji"]
    with pytest.raises(UsageError, match="no hierarchy"):
        KnownColumnCodes.of(column(towns), knowledge, None)
