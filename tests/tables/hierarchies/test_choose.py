"""Hierarchies from plain data: pattern, file, built-in name, proposal."""

import polars as pl
import pytest

from tokumei.core.errors import InputError, UsageError
from tokumei.tables.hierarchies.choose import choose_hierarchies

FRAME = pl.DataFrame({"home": ["Osaka", "Kyoto"], "age": [20, 30], "code": ["a", "b"]})


def test_each_way(tmp_path):
    (tmp_path / "code.csv").write_text("a;x;*\nb;x;*\n")
    given = {"age": "auto", "home": "prefecture", "code": str(tmp_path / "code.csv")}
    found = choose_hierarchies(given, FRAME, FRAME.columns)
    assert list(found) == ["home", "age", "code"]
    assert found["home"].labels(1)[0] != "*"
    assert "Osaka" in found["home"].leaves
    assert [one.column for one in found.values()] == ["home", "age", "code"]
    assert found["code"].height == 2


def test_all_files_that_are_missing_are_named(tmp_path):
    with pytest.raises(InputError) as caught:
        choose_hierarchies(str(tmp_path / "{column}.csv"), FRAME, ["age", "code"])
    assert [fault.column for fault in caught.value.faults] == ["age", "code"]


def test_a_column_without_a_hierarchy():
    with pytest.raises(UsageError, match="no hierarchy for age, code"):
        choose_hierarchies({"home": "auto"}, FRAME, ["home", "age", "code"])


def test_built_in_names_follow_the_values():
    def labels(values, name):
        frame = pl.DataFrame({"c": values})
        return set(choose_hierarchies({"c": name}, frame, ["c"])["c"].labels(1))

    assert "Kinki" in labels(["Osaka"], "prefecture")
    assert "近畿" in labels(["大阪府"], "prefecture")
    assert "生産工程従事者" in labels(["教員"], "occupation")
