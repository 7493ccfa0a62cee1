"""Spellings of one person are one person, for the methods and for the verifier."""

from __future__ import annotations

import unicodedata

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tables.data.person_values_helpers import spelled_people
from tokumei.core.errors import ClaimError
from tokumei.tables.data.person_values import canonicalize_persons
from tokumei.tables.verification.class_check_base import SIZE_COLUMN, small_classes


def test_different_people_stay_different() -> None:
    people = ["1", "2", "10", "1.5", "a1", "a01", "山田", "山本"]
    assert canonicalize_persons(pl.Series("p", people)).n_unique() == len(people)


def test_reals_and_integers_are_spelled_alike_and_blanks_are_gaps() -> None:
    numbers = canonicalize_persons(pl.Series("p", [1.0, 2.0, None]))
    assert numbers.to_list() == canonicalize_persons(pl.Series("p", [1, 2, None])).to_list()
    assert canonicalize_persons(pl.Series("p", ["", "  ", "x"])).to_list() == [None, None, "x"]


def slow_reference(text: str) -> str:
    """One spelling, letter by letter."""
    kept = [c for c in unicodedata.normalize("NFKC", text).lower() if not c.isspace()]
    plain = "".join(kept)
    digits = plain[1:] if plain.startswith("+") else plain
    if digits and all(c in "0123456789." for c in digits) and digits.count(".") <= 1:
        whole, _, rest = digits.partition(".")
        if whole and set(rest) <= {"0"}:
            return str(int(whole))
    return plain


@given(st.lists(st.text("aA０01. +x", max_size=5), min_size=1, max_size=12))
def test_methods_and_verifier_merge_what_the_reference_merges(texts: list[str]) -> None:
    expected = {slow_reference(text) for text in texts} - {""}
    found = canonicalize_persons(pl.Series("p", texts)).drop_nulls()
    assert set(found.to_list()) == expected
    frame = pl.DataFrame({"q": ["c"] * len(texts), "p": texts})
    classes = small_classes(frame, ("q",), len(texts) + 1, "p")
    assert classes[SIZE_COLUMN][0] == len(expected)


NAMES = ("uid", "pid", "ptid", "利用者番号", "q7")


def visits(name: str, each: int) -> pl.DataFrame:
    """Two hundred rows, so many of each identifier."""
    return pl.DataFrame(
        {
            name: [f"u{row // each:04}" for row in range(200)],
            "age": [20 + row // each % 40 for row in range(200)],
            "illness": ["abcde"[row % 5] for row in range(200)],
        }
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_repeated_identifier_stops_a_release_that_counts_rows(name: str) -> None:
    roles = {"qi": ["age"], "sa": ["illness"]}
    with pytest.raises(ClaimError) as error:
        tk.anonymize(visits(name, 5), "mondrian", k=5, ids=[name], **roles)
    assert [fault.rule for fault in error.value.faults] == ["rows-are-not-people"]
    counted = tk.anonymize(visits(name, 5), "mondrian", k=5, person=name, **roles)
    assert "k-per-person" in [claim.rule for claim in counted.claims]
    rows = tk.anonymize(visits(name, 5), "mondrian", k=5, ids=[name], person="none", **roles)
    assert "k-per-person" not in [claim.rule for claim in rows.claims]


def test_a_unique_identifier_is_dropped() -> None:
    release = tk.anonymize(
        visits("uid", 1), "mondrian", k=5, qi=["age"], sa=["illness"], ids=["uid"]
    )
    assert "uid" not in release.public.schema.names


def test_attacks_count_people_not_spellings() -> None:
    release = tk.anonymize(
        spelled_people(), "mondrian", k=3, qi=["age"], sa=["pay"], person="who", seed=1
    )
    rate = tk.attack(spelled_people(), release, methods=["E1"], expected=True)["E1"]
    assert rate.rate == pytest.approx(1 / 3)
