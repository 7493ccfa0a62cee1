"""A history with any number of values: read, generalized, verified, attacked, measured."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from independent.histories import read_table, unlike
from tokumei.apps.cli.app import main
from tokumei.core.errors import InputError, UsageError
from tokumei.core.language import use_language
from tokumei.histories.data.history import COLUMNS, History


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
    assert "leave the column out" in found.value.faults[0].message.show("en")
    with pytest.raises(UsageError, match="vat"):
        History.of(frame, vat="v")
    text = pl.DataFrame({"customer": ["a"], "day": ["2024-05-01"], "note": ["x;y"]})
    with pytest.raises(InputError, match="note cannot be written"):
        tk.anonymize(History.of(text, value1="note"), "rank-match", k=2)


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
