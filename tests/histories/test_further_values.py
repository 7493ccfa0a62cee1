"""A history with any number of values: read, generalized, verified, attacked, measured."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from independent.histories import mispaired, misplaced, read_table, unlike
from support.histories import START, rows
from tokumei.apps.cli.app import main
from tokumei.core.errors import InputError, UsageError
from tokumei.core.messages import use_language
from tokumei.core.randomness import Randomness
from tokumei.files.contest_files import ContestRows
from tokumei.histories.anonymizers.aligned import Aligned
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.attackers.released_rows import (
    count_consistent_rows,
    distinct_released_rows,
    parse_public_rows,
)
from tokumei.histories.attackers.voting import UniqueRows
from tokumei.histories.contest_files import check_contest_release
from tokumei.histories.data.cell_parsing import parse_general_history
from tokumei.histories.data.generalized_history import format_general_history, format_history
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.measures.protocol import history_loss
from tokumei.histories.verification.pws2018 import check_release

VALUES = {"value1": "tax", "value2": "store", "value3": "delivered"}


def with_values(base: Sequence[tuple[object, ...]], seed: int) -> History:
    """Five columns and three more: numbers, words, days."""
    chance = random.Random(seed)
    frame = pl.DataFrame(base, schema=list(COLUMNS), orient="row")
    tax = [chance.choice(["0.5", "1.125", "-3", "40"]) for _ in base]
    store = [chance.choice(["北", "south", "west 2"]) for _ in base]
    days = [date.fromordinal(START.toordinal() + chance.randint(0, 400)) for _ in base]
    return History.of(
        frame.with_columns(
            pl.Series("tax", tax), pl.Series("store", store), pl.Series("delivered", days)
        ),
        **VALUES,
    )


def lines_of(history: History) -> list[tuple[str, ...]]:
    return format_history(history).rows()


histories = st.tuples(rows(), st.integers(0, 1000)).map(lambda made: with_values(*made))
methods = st.sampled_from([RankMatch(2), RankMatch(3), Aligned(2)])


@given(source=histories, method=methods)
def test_k_people_are_alike_in_all_columns_and_every_cell_holds_the_truth(
    source: History, method: RankMatch | Aligned
) -> None:
    if len(source.customers) < method.k:
        return
    made = method.anonymize(source, rng=Randomness(1))
    aligned = made.aligned_text()
    assert aligned.columns == [*COLUMNS, *VALUES]
    assert unlike(made.public.rows(), method.k) == []
    names = tuple(aligned.columns)
    assert misplaced(lines_of(source), aligned.rows(), names) == []
    assert mispaired(lines_of(source), aligned.rows()) == []
    assert format_general_history(parse_general_history(aligned, source)).equals(aligned)
    text = ContestRows(aligned, np.full(aligned.height, aligned.width))
    assert check_contest_release(source, text, k=method.k) == []


def slow_error(history: History, column: str, cell: str, row: int) -> float:
    """The formula of a cell, from its text."""
    if cell == "*":
        return 1.0
    if history.like[column] == "item":
        return 1 - 1 / len(cell.strip("{}").split(";"))
    unit = 100.0 if history.like[column] == "price" else 1.0
    values = [_number(one) * unit for one in format_history(history)[column]]
    low, high = (_number(end) * unit for end in _ends(cell))
    if low == high:
        return 0.0
    x, width = values[row], high - low
    return ((low - x) ** 2 + (high - x) ** 2 + width) / (2 * float(np.std(values)) * (width + 1))


def _ends(cell: str) -> tuple[str, str]:
    low, _, high = cell.strip("[]").partition(";")
    return low, high or low


def _number(text: str) -> float:
    if "/" not in text:
        return float(text)
    year, month, day = map(int, text.split("/"))
    return float(date(year, month, day).toordinal())


@given(source=histories, method=methods)
def test_their_loss_is_that_of_their_cells(source: History, method: RankMatch | Aligned) -> None:
    if len(source.customers) < method.k:
        return
    made = method.anonymize(source, rng=Randomness(1))
    found, text = history_loss(source, made.rows), made.aligned_text()
    for column in VALUES:
        cells = [slow_error(source, column, cell, row) for row, cell in enumerate(text[column])]
        assert found.parts[column] == pytest.approx(np.mean(cells))
    assert found.loss == pytest.approx(np.mean([*found.parts.values()]))
    assert len(found.parts) == 7


@given(source=histories, seed=st.integers(0, 99))
def test_attacks_use_them(source: History, seed: int) -> None:
    """A known row can be behind a released one only if all its values can."""
    if len(source.customers) < 2:
        return
    made = RankMatch(2).anonymize(source, rng=Randomness(seed))
    if not made.rows.kept.any():
        return
    released = distinct_released_rows(parse_public_rows(made.public, source))
    found = {
        (block.first + row, customer): count
        for block in count_consistent_rows(released, source)
        for row, customer, count in zip(block.row, block.customer, block.count, strict=True)
    }
    known, people = lines_of(source), source.customers.to_list()
    distinct = _distinct(made.public.rows())
    assert len(distinct) == len(released.times)
    expected: dict[tuple[tuple[str, ...], int], int] = {}
    for cells, line in product(distinct, known):
        if all(_may_be(cell, value) for cell, value in zip(cells[0], line[1:], strict=True)):
            place = (cells, people.index(line[0]))
            expected[place] = expected.get(place, 0) + 1
    assert sorted(found.values()) == sorted(expected.values())


def _distinct(public: list[tuple[str, ...]]) -> set[tuple[tuple[str, ...], int]]:
    own: dict[tuple[str, tuple[str, ...]], int] = {}
    for who, *cells in public:
        own[who, tuple(cells)] = own.get((who, tuple(cells)), 0) + 1
    return {(cells, times) for (_, cells), times in own.items()}


def _may_be(cell: str, value: str) -> bool:
    if cell == "*" or cell == value:
        return True
    if cell.startswith("{"):
        return value in cell.strip("{}").split(";")
    return cell.startswith("[") and _number(_ends(cell)[0]) <= _number(value) <= _number(
        _ends(cell)[1]
    )


def test_a_value_that_only_one_has_names_its_customer() -> None:
    frame = pl.DataFrame(
        {"customer": ["a", "b"], "day": ["2024-05-01"] * 2, "price": [1, 1], "seat": ["12A", "3"]}
    )
    known = History.of(frame, value1="seat")
    public = format_history(known).with_columns(customer=pl.Series(["9", "8"]))
    answers = UniqueRows().attack(public, known, rng=Randomness(1))
    assert dict(answers.frame().iter_rows()) == {"9": "a", "8": "b"}
    blind = History.of(frame.drop("seat"))
    assert UniqueRows().attack(public, blind, rng=Randomness(1)).frame().is_empty()


@pytest.mark.parametrize(
    ("cells", "like"),
    [
        (["1", "2.5"], "price"),
        (["01", "12"], "item"),
        (["2024-05-01", "2024/5/2"], "day"),
        (["20240501", "20240502"], "day"),
        (["x", "1"], "item"),
        ([True, False], "item"),
        ([1.5, 2.0], "price"),
    ],
)
def test_what_a_value_is_like(cells: list[object], like: str) -> None:
    frame = pl.DataFrame({"customer": ["a", "b"], "day": ["2024-05-01"] * 2, "v": cells})
    assert History.of(frame, value1="v").like == {"value1": like}


def test_gaps_and_strange_names_are_told() -> None:
    frame = pl.DataFrame({"customer": ["a", "b"], "day": ["2024-05-01"] * 2, "v": ["1", None]})
    with pytest.raises(InputError, match="1 cell") as found:
        History.of(frame, value1="v")
    assert "leave the column out" in found.value.faults[0].message.en
    with pytest.raises(UsageError, match="vat"):
        History.of(frame, vat="v")
    text = pl.DataFrame({"customer": ["a"], "day": ["2024-05-01"], "note": ["x;y"]})
    with pytest.raises(InputError, match="note cannot be written"):
        tk.anonymize(History.of(text, value1="note"), "rank-match", k=2)


def test_a_false_cell_of_a_value_is_a_fault() -> None:
    frame = pl.DataFrame(
        {"customer": ["a", "b"], "day": ["2024-05-01"] * 2, "tax": [1.5, 2.0], "store": ["n", "s"]}
    )
    source = History.of(frame, value1="tax", value2="store")
    line = ("1", "2024/5/1", "-", "0", "1", "[2;3]", "{s;x}")
    text = pl.DataFrame([line, ("*",) * 7], schema=list(source.columns), orient="row")
    faults = check_release(source, ContestRows(text, np.full(2, 7)))
    assert [(fault.rule, fault.column) for fault in faults] == [
        ("true-value", "value1"),
        ("unknown-item", "value2"),
        ("true-value", "value2"),
    ]


def test_from_file_to_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As people write them, under their own names and in their order; told what is left out."""
    source, public, aligned = (str(tmp_path / name) for name in ("s.csv", "p.csv", "A.csv"))
    lines = ["shop,id,when,税,fee,seat"]
    lines += [
        f'{"南北"[i % 2]},{i % 20},2024-05-{1 + i % 28:02d} 13:45,"￥{1000 + 7 * i:,}",{i % 5},{i}'
        for i in range(120)
    ]
    Path(source).write_text("\n".join(lines), encoding="utf-8")
    columns = "customer=id,day=when,value1=fee,value2=税,value3=shop"
    asked = ["--data", source, "--columns", columns, "--k", "4", "--public", public]
    made = ["anonymize", "history", "--format", "table", *asked, "--out", aligned]
    assert _ran(*made) == 0
    told = capsys.readouterr().err
    for part in ("when: only the day", "Not used and not released: seat", "currency 120 (税)"):
        assert part in told
    names, rows = read_table(public, "id")
    assert names == ("id", "shop", "when", "税", "fee")
    assert rows
    assert unlike(rows, 4) == []
    assert _ran("check", "--public", public, "--k", "4") == 0
    both = ["--original", source, "--release", aligned, "--columns", columns]
    assert _ran("check", *both, "--k", "4") == 0
    assert _ran("measure", "utility", *both) == 0
    assert "Loss of 税" in capsys.readouterr().out
    assert _ran("attack", "--known", source, "--public", public) == 0


def _ran(*asked: str) -> int:
    with pytest.raises(SystemExit) as done:
        main([*asked])
    use_language(None)
    return int(done.value.code or 0)


def test_a_column_that_nobody_named_is_not_overlooked(tmp_path: Path) -> None:
    """Whoever checks a public file checks what is in it."""
    public = tmp_path / "p.csv"
    lines = ["customer,day,price,seat", "1,2024/5/1,5,12A", "2,2024/5/1,5,3"]
    public.write_text("\n".join(lines), encoding="utf-8")
    from tokumei.histories.formats.layout import HeaderTable
    from tokumei.histories.verification.identical_histories import IdenticalHistories

    seen = HeaderTable().read_released(public).frame
    assert seen.columns == [*COLUMNS, "seat"]
    assert IdenticalHistories(2).check(seen)
    assert IdenticalHistories(2).check(seen.drop("seat")) == []
