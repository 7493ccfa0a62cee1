"""The small cases of the definitions, and others whose verdict is plain."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tokumei.assessment.assess import STEPS
from tokumei.assessment.assessment import Assessment
from tokumei.core.messages import Message
from tokumei.core.progress import AdvanceProgress, set_progress_listener

AGES = [20, 21, 22, 23, 24, 30, 31, 32, 33, 34]
TEN = pl.DataFrame(
    {
        "age": AGES,
        "sex": ["f"] * 10,
        "amount": [10.5, 20.25, 31.0, 44.75, 55.5, 61.0, 72.5, 83.0, 94.25, 99.0],
        "illness": ["flu", "gout"] * 5,
    }
)
TWO_CLASSES = TEN.with_columns(age=pl.Series(["[20;24]"] * 5 + ["[30;34]"] * 5))


def assess(original: pl.DataFrame, release: pl.DataFrame, **options: Any) -> Assessment:
    link = options.pop("link", np.arange(release.height))
    roles: dict[str, Any] = {"qi": ["age", "sex"], "sa": ["illness"]} | options
    return tk.assess(original, release, link=link, **roles)


def without_amount(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.drop("amount")


def test_two_classes_of_five_fit_for_a_partner() -> None:
    found = assess(without_amount(TEN), without_amount(TWO_CLASSES))
    assert found.verdict.word == "fits"
    assert found.attackers[0].identified == 0
    assert found.attackers[0].share == pytest.approx(0.2)
    assert found.attackers[0].smallest_class == 5


def test_exact_amounts_are_an_assumption_for_a_partner() -> None:
    found = assess(TEN, TWO_CLASSES)
    assert found.verdict.word == "fits"
    assert found.bound is not None
    assert found.bound.identified == 10
    assumption = found.assumptions[0]
    assert assumption.code == "does-not-know"
    assert "amount" in assumption.columns


def test_exact_amounts_identify_everybody_for_the_public() -> None:
    found = assess(TEN, TWO_CLASSES, recipient="public")
    assert found.verdict.word == "does-not-fit"
    assert found.verdict.code == "identified"
    assert found.verdict.columns == ("amount",)
    assert found.attackers[0].identified == 10
    assert "10 of 10 rows" in found.verdict.reason.show("en")
    assert "amount alone: 10" in found.verdict.reason.show("en")


def test_rows_of_the_same_people_do_not_hide_them() -> None:
    people = ["a", "a", "a", "b", "b", "c", "c", "c", "d", "d"]
    original = without_amount(TEN).with_columns(person=pl.Series(people))
    release = without_amount(TWO_CLASSES)
    found = assess(original, release, person="person")
    assert (found.unit, found.total) == ("people", 4)
    assert found.attackers[0].share == pytest.approx(0.5)
    assert found.attackers[0].smallest_class == 2
    assert found.verdict.word == "does-not-fit"
    rows = assess(original, release, person="none")
    assert (rows.unit, rows.verdict.word) == ("rows", "fits")


def test_a_repeated_identifier_leaves_open_who_is_a_person() -> None:
    people = pl.Series(["a", "a", "a", "b", "b", "c", "c", "c", "d", "d"])
    original = without_amount(TEN).with_columns(person=people)
    found = assess(original, without_amount(TWO_CLASSES), ids=["person"])
    assert (found.verdict.word, found.verdict.code) == ("unknown", "person-unclear")
    assert "person" in found.verdict.reason.show("en")


def test_one_illness_in_a_class_is_certain_for_all_of_it() -> None:
    original = without_amount(TEN).with_columns(
        illness=pl.Series(["flu"] * 5 + ["flu", "gout", "cold", "gout", "flu"])
    )
    release = original.with_columns(age=TWO_CLASSES["age"])
    found = assess(original, release)
    assert found.attackers[0].identified == 0
    assert found.attackers[0].certain_values == {"illness": 5}
    assert "values-certain" in {assumption.code for assumption in found.assumptions}


def test_everything_suppressed_leaves_a_blind_guess_and_nothing_else() -> None:
    release = TEN.with_columns(pl.lit("*").alias(name) for name in TEN.columns)
    for recipient in ("partner", "public"):
        found = assess(TEN, release, recipient=recipient)
        assert found.attackers[0].share == pytest.approx(0.1)
        assert found.kept == 0
        assert {column.empty for column in found.columns} == {1.0}
    assert assess(TEN, release).verdict.word == "fits"


def test_raw_data_identify_whoever_is_unique() -> None:
    found = assess(TEN, TEN)
    assert found.verdict.word == "does-not-fit"
    assert found.attackers[0].identified == 10
    assert found.kept == 1


@pytest.mark.parametrize("recipient", ["public", "partner", "inside"])
@pytest.mark.parametrize("seed", range(5))
def test_a_permuted_link_never_makes_a_release_look_safe(recipient: str, seed: int) -> None:
    rows = 200
    draw = np.random.default_rng(seed)
    original = pl.DataFrame(
        {
            "age": draw.integers(18, 90, rows),
            "sex": draw.choice(["f", "m"], rows),
            "amount": draw.integers(1, 10_000, rows),
            "illness": draw.choice(["flu", "gout", "cold"], rows),
        }
    )
    found = assess(original, original, link=draw.permutation(rows), recipient=recipient)
    assert (found.verdict.word, found.verdict.code) == ("unknown", "link-contradicts")
    assert not found.attackers
    assert found.bound is None


@pytest.mark.parametrize("recipient", ["public", "partner"])
def test_a_link_that_is_wrong_in_some_rows_does_not_make_a_release_fit(recipient: str) -> None:
    draw = np.random.default_rng(3)
    rows = 300
    original = pl.DataFrame(
        {
            "age": draw.integers(18, 90, rows),
            "sex": draw.choice(["f", "m"], rows),
            "amount": draw.integers(1, 10_000, rows),
            "illness": draw.choice(["flu", "gout", "cold"], rows),
        }
    )
    link = np.arange(rows)
    link[:60] = np.roll(link[:60], 7)
    assert assess(original, original, link=link, recipient=recipient).verdict.word != "fits"


def test_a_link_permuted_inside_classes_leaves_the_bound_high() -> None:
    order = np.array([1, 2, 3, 4, 0, 6, 7, 8, 9, 5])
    found = assess(TEN, TWO_CLASSES, link=order)
    assert found.attackers[0].share == pytest.approx(0.2)
    assert found.bound is not None
    assert found.bound.identified == 10


def test_without_a_link_no_rate_is_given() -> None:
    found = assess(TEN, TWO_CLASSES, link=None)
    assert (found.verdict.word, found.verdict.code) == ("unknown", "no-link")
    document = found.to_dict()
    assert document["attackers"] == []
    assert document["bound"] is None
    assert document["kept"] is None
    assert found.exit_code == 2


def test_three_rows_cannot_fit_and_the_note_says_why() -> None:
    found = assess(TEN.head(3), TEN.head(3))
    assert found.verdict.word == "does-not-fit"
    assert found.remedy_note is not None
    assert "3 rows" in found.remedy_note.show("en")


def test_one_column() -> None:
    original = pl.DataFrame({"age": [1, 1, 1, 1, 1, 2]})
    found = tk.assess(original, original, link=np.arange(6), qi=["age"])
    assert found.verdict.word == "does-not-fit"
    assert found.attackers[0].identified == 1
    assert found.uniqueness is not None
    assert found.uniqueness.unique == 1


def test_a_claim_that_does_not_hold_decides() -> None:
    from dataclasses import replace

    from tokumei.core.provenance import Claim

    release = tk.anonymize(
        TEN, "mondrian", qi=["age", "sex"], sa=["illness"], k=5, seed=1, passed=["amount"]
    )
    assert tk.assess(TEN, release).verdict.word == "fits"
    claim = Claim("k-anonymity", {"k": 6, "columns": ["age", "sex"]})
    found = tk.assess(TEN, replace(release, claims=(claim,)))
    assert (found.verdict.word, found.verdict.code) == ("does-not-fit", "claim")


def test_cells_that_nothing_explains_leave_the_verdict_open() -> None:
    release = without_amount(TWO_CLASSES).with_columns(
        sex=pl.Series(["woman"] * 5 + ["female"] * 5)
    )
    found = assess(without_amount(TEN), release, qi=["age", "sex"])
    assert (found.verdict.word, found.verdict.code) == ("unknown", "unreadable-cells")


def test_nobody_says_what_is_known() -> None:
    found = tk.assess(TEN, TWO_CLASSES, link=np.arange(10), sa=["illness"])
    assert (found.verdict.word, found.verdict.code) == ("unknown", "no-knowledge")


def test_knowing_roughly_finds_fewer() -> None:
    exact = assess(TEN, TEN, knows=["amount"])
    rough = assess(TEN, TEN, knows=["amount~60%"])
    assert exact.attackers[0].identified == 10
    values = TEN["amount"].to_list()
    sizes = [sum(0.4 * x <= y <= 1.6 * x for y in values) for x in values]
    assert rough.attackers[0].identified == sum(size == 1 for size in sizes)
    assert rough.attackers[0].guessed_right == pytest.approx(sum(1 / size for size in sizes))
    first = assess(TEN, TEN, knows=["age~1"])
    assert first.attackers[0].smallest_class == 5


def test_rows_that_are_linked_must_fit_together() -> None:
    original = pl.DataFrame(
        {
            "person": ["a", "a", "b", "b", "c", "c"],
            "town": ["x", "y", "x", "z", "y", "z"],
        }
    )
    release = original.select("town").with_columns(code=pl.Series(["k", "k", "l", "l", "m", "m"]))
    linked = tk.assess(original, release, link=np.arange(6), qi=["town"], person="person")
    apart = tk.assess(
        original, release.drop("code"), link=np.arange(6), qi=["town"], person="person"
    )
    assert linked.attackers[0].identified == 3
    assert apart.attackers[0].identified == 0
    assert apart.attackers[0].share == pytest.approx(0.5)


def test_moved_numbers_are_attacked_by_distance() -> None:
    draw = np.random.default_rng(1)
    original = pl.DataFrame(
        {"age": draw.integers(18, 90, 200), "amount": np.round(draw.gamma(2, 500, 200), 2)}
    )
    release = original.with_columns(amount=pl.col("amount") + pl.Series(draw.normal(0, 1, 200)))
    found = tk.assess(original, release, link=np.arange(200), qi=["amount"])
    assert found.attackers[0].code == "everything"
    assert found.attackers[0].share > 0.5
    assert found.verdict.word == "does-not-fit"


def test_kept_weighs_what_the_scenario_names() -> None:
    release = TEN.with_columns(amount=pl.lit("*"))
    plain, weighed = assess(TEN, release), assess(TEN, release, keep={"amount": 3.0})
    assert plain.kept == pytest.approx(3 / 4)
    assert weighed.kept == pytest.approx(3 / 6)


def test_every_permutation_of_rows_gives_the_same_figures() -> None:
    draw = np.random.default_rng(2)
    first = assess(TEN, TWO_CLASSES).to_dict()
    for _ in itertools.repeat(None, 3):
        order = draw.permutation(10)
        moved = assess(TEN, TWO_CLASSES[order], link=order).to_dict()
        assert moved == first


def test_progress_is_told_step_by_step() -> None:
    """The bar of the assessment reaches its end, whatever runs inside it."""
    told: dict[str, tuple[float | None, list[float]]] = {}

    @contextmanager
    def listen(what: Message, total: float | None) -> Iterator[AdvanceProgress]:
        done: list[float] = []
        told[what.show("en")] = total, done
        yield done.append

    set_progress_listener(listen)
    try:
        assess(TEN, TWO_CLASSES)
    finally:
        set_progress_listener(None)
    total, done = told["assessing the release"]
    assert total == sum(done) == len(STEPS)
