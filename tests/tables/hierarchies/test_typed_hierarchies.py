"""Tests of tokumei.tables.hierarchies.typed_hierarchies."""

from __future__ import annotations

import polars as pl
import pytest

from tables.anonymization.default_hierarchies_helpers import PREFECTURES
from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.typed_hierarchies import (
    build_typed_hierarchy,
    detect_text_hierarchy,
)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (["100-0001", "1500002", "530-0001"], "postal"),
        (["SW1A 1AA", "M1 1AE", "EC1A 1BB", "b33 8th"], "postcode"),
        (["94103-1234", "10001-0001", "60601-1111"], "postcode"),
        (["1012 AB", "3511 CD", "9711 XY"], "postcode"),
        (["94103-1234", "941-0001", "10001-0001"], None),
        (list(PREFECTURES), "prefecture"),
        ([f"A{i:03d}" for i in range(30)], "codes"),
        ([f"word {chr(97 + i)}" for i in range(21)], "suppress"),
        ([f"word {chr(97 + i)}" for i in range(20)], None),
    ],
)
def test_values_tell_which_hierarchy_suits(values: list[str], name: str | None) -> None:
    assert detect_text_hierarchy(pl.Series("x", [*values, None, ""])) == name


def test_levels_of_the_known_kinds() -> None:
    def path(name: str, series: pl.Series) -> list[str]:
        return list(build_typed_hierarchy(name, series).frame().row(0))

    assert path("postal", pl.Series("z", ["1000001"])) == ["1000001", "100*", "10*", "1*", "*"]
    english = ["SW1A 1AA", "SW1A*", "SW*", "*"]
    assert path("postcode", pl.Series("z", ["SW1A 1AA"])) == english
    american = ["94103-1234", "94103*", "941*", "9*", "*"]
    assert path("postcode", pl.Series("z", ["94103-1234"])) == american
    assert path("postcode", pl.Series("z", ["00-950"])) == ["00-950", "00*", "0*", "*"]
    days = pl.Series("d", ["1987-03-04"]).str.to_date()
    known = ["1987-03-04", "1987-03", "1987", "[1985;1989]", "1980s", "*"]
    assert path("calendar", days) == known
    assert path("age-bands", pl.Series("a", [37])) == ["37", "[35;39]", "[30;39]", "[20;39]", "*"]
    place = path("degrees", pl.Series("l", [35.6812]))
    assert place == ["35.6812", "[35.68;35.69]", "[35.6;35.7]", "[35;36]", "*"]


def test_other_codes_are_no_postcodes() -> None:
    with pytest.raises(InputError, match="not a postal code in two parts"):
        build_typed_hierarchy("postcode", pl.Series("z", ["SW1A 1AA", "somewhere"]))


def test_the_levels_are_day_month_year_and_longer() -> None:
    cells = pl.Series("at", ["2024-05-01T08:30:00", "2024-05-01T09:30:00", "2019-12-31T00:00:00"])
    assert detect_text_hierarchy(cells) == "moments"
    made = build_typed_hierarchy("moments", cells)
    path = [made.labels(level)[1] for level in range(made.height)]
    assert path[1:] == ["2024-05-01", "2024-05", "2024", "[2020;2024]", "2020s"]
    assert (
        detect_text_hierarchy(pl.Series(["2024-05-01T08:30", "later", "2024-06-01T08:30"])) is None
    )
