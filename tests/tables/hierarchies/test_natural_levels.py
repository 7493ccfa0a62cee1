"""Tests of tokumei.tables.hierarchies.natural_levels."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.builtin import load_us_states
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.natural_levels import (
    are_prefecture_codes,
    are_state_codes,
    are_states,
    find_scale,
    prefecture_code_hierarchy,
    rare_hierarchy,
    scale_hierarchy,
    state_hierarchy,
)
from tokumei.tables.hierarchies.typed_hierarchies import detect_text_hierarchy


def path(hierarchy: Hierarchy, leaf: str) -> list[str]:
    frame = hierarchy.frame()
    return list(next(row for row in frame.iter_rows() if row[0] == leaf))


@pytest.mark.parametrize("word", ["CA", "ca", "California", "06", "6"])
def test_a_state_is_known_by_name_abbreviation_and_code(word: str) -> None:
    hierarchy = state_hierarchy(pl.Series("s", [word, "NY"]))
    assert path(hierarchy, word) == [word, "Pacific", "West", "*"]


def test_there_are_fifty_states_a_district_and_five_territories_each_once() -> None:
    states = [
        (name, *codes)
        for region in load_us_states()
        for division in region["divisions"].values()
        for name, codes in division.items()
    ]
    assert len(states) == 56
    for place in range(3):
        assert len({state[place] for state in states}) == 56
    assert are_states(pl.Series([state[1] for state in states]))
    assert are_state_codes(pl.Series([state[2] for state in states]))


def test_words_that_are_no_states_are_not_taken_for_them() -> None:
    assert not are_states(pl.Series(["CA", "XX"]))
    assert not are_states(pl.Series(["06", "08"]))
    with pytest.raises(InputError, match="not a state"):
        state_hierarchy(pl.Series("s", ["CA", "XX"]))


@pytest.mark.parametrize(
    ("code", "region"), [("08", "関東"), ("1", "北海道"), ("13", "関東"), ("47", "九州・沖縄")]
)
def test_codes_of_prefectures_lead_to_regions(code: str, region: str) -> None:
    hierarchy = prefecture_code_hierarchy(pl.Series("p", [code, "27"]))
    assert path(hierarchy, code) == [code, region, "*"]


def test_there_are_forty_seven_prefectures() -> None:
    assert are_prefecture_codes(pl.Series([f"{number:02}" for number in range(1, 48)]))
    assert not are_prefecture_codes(pl.Series(["00"]))
    assert not are_prefecture_codes(pl.Series(["48"]))


def test_answers_are_put_in_their_order_whatever_their_case() -> None:
    assert find_scale(pl.Series(["Agree", "Strongly disagree", "Neutral"])) == [
        "Strongly disagree",
        "Neutral",
        "Agree",
    ]
    assert find_scale(pl.Series(["XL", "S", "M"])) == ["S", "M", "XL"]
    assert find_scale(pl.Series(["S", "M", "purple"])) is None


def test_neighbours_on_a_scale_are_merged() -> None:
    sizes = pl.Series("size", ["XL", "S", "M", "L"] * 5)
    hierarchy = scale_hierarchy(sizes)
    assert path(hierarchy, "S")[1] == path(hierarchy, "M")[1] == "{S;M}"
    assert path(hierarchy, "L")[1] == "{L;XL}"
    with pytest.raises(InputError, match="scale"):
        scale_hierarchy(pl.Series("size", ["red", "blue"]))


def test_rare_values_become_one_that_names_none_of_them() -> None:
    cells = ["big"] * 60 + ["mid"] * 30 + [f"small {n}" for n in range(10)]
    hierarchy = rare_hierarchy(pl.Series("job", cells))
    assert path(hierarchy, "small 3")[1] == "other (10 values)"
    assert path(hierarchy, "big")[1] == "big"
    assert path(hierarchy, "mid") == ["mid", "mid", "other (11 values)", "*"]


def test_the_word_for_rare_values_is_in_the_language_of_the_column_and_no_value() -> None:
    cells = ["会社員"] * 30 + [f"職業{n}" for n in range(5)]
    assert path(rare_hierarchy(pl.Series("職業", cells)), "職業1")[1] == "その他（5種類）"
    taken = ["other (3 values)"] * 30 + ["a", "b", "c"]
    assert path(rare_hierarchy(pl.Series("x", taken)), "a")[1] == "other (3 values)*"


@given(st.lists(st.sampled_from("abcdefghijkl"), min_size=1, max_size=300))
def test_every_level_merges_the_rarest_values_and_nothing_else(cells: list[str]) -> None:
    hierarchy, counts = rare_hierarchy(pl.Series("x", cells)), Counter(cells)
    frame = hierarchy.frame()
    for level in frame.columns[1:-1]:
        merged = [
            row[0] for row in frame.select(frame.columns[0], level).iter_rows() if row[0] != row[1]
        ]
        apart = [leaf for leaf in counts if leaf not in merged]
        assert len(merged) > 1
        assert max(counts[leaf] for leaf in merged) < min(counts[leaf] for leaf in apart)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (["CA", "NY", "TX"], "us-state"),
        (["Texas", "Ohio", "Iowa"], "us-state"),
        (["low", "medium", "high"], "scale"),
        (["red", "green", "blue"], None),
        (["*", *(f"word {n}" for n in range(30))], None),
    ],
)
def test_values_tell_which_natural_hierarchy_suits(values: list[str], name: str | None) -> None:
    assert detect_text_hierarchy(pl.Series("x", values)) == name
