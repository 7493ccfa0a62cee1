from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest

from histories.report.study_fixtures import SEED, VALUES, studied
from histories.report.study_fixtures import category_study as category_study
from histories.report.study_fixtures import history as history
from histories.report.study_fixtures import study as study
from tokumei import anonymize, measure
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.sweep import sweep as sweep_of
from tokumei.histories.data.history import History
from tokumei.histories.kind import HISTORIES
from tokumei.histories.registry import attackers as history_attackers
from tokumei.histories.study import HistoryStudy, study_history


def test_the_sweep_is_the_one_of_the_command_line(history: History, study: HistoryStudy) -> None:
    again = sweep_of(HISTORIES, history, "rank-match", VALUES, seed=SEED)
    assert study.sweep.as_json() == again.as_json()
    assert study.chosen == again.best.value == study.k == study.point.value


def test_the_chosen_release_is_measured(history: History, study: HistoryStudy) -> None:
    release = anonymize(history, "rank-match", k=study.k, seed=SEED)
    scores = measure(history, release)
    assert {n: s.value for n, s in study.scores.items()} == {n: s.value for n, s in scores.items()}
    assert study.point.loss == scores["loss"].value
    assert list(study.attacks) == history_attackers.names()


def test_rows_kept_by_activity_add_up(history: History, study: HistoryStudy) -> None:
    assert study.activity["rows"].sum() == history.rows
    assert study.activity["customers"].sum() == len(history.customers)
    kept = (study.activity["rows"] * study.activity["kept"]).sum()
    assert kept / history.rows == pytest.approx(study.point.rows_kept)


def test_original_months_are_the_true_sales(history: History, study: HistoryStudy) -> None:
    frame = history.frame
    sales = (frame["price"].to_numpy() / 10**history.decimals * frame["quantity"].to_numpy()).sum()
    assert study.months["original"].sum() == pytest.approx(float(sales))
    assert [f"{m:%Y-%m}" for m in study.months["month"]] == sorted(
        {f"{d:%Y-%m}" for d in frame["day"]}
    )


def test_a_value_can_be_chosen_among_those_swept(history: History) -> None:
    assert studied(history, chosen=3, attacks=["first"]).k == 3
    with pytest.raises(UsageError, match="not among those swept"):
        studied(history, chosen=20, attacks=["first"])


def test_categories_bring_a_second_sweep(category_study: HistoryStudy) -> None:
    assert category_study.by_category is not None
    for plain, grouped in zip(
        category_study.sweep.points, category_study.by_category.points, strict=True
    ):
        assert grouped.loss < plain.loss
        assert grouped.measured["honest_loss"] > grouped.loss
        assert "honest_loss" not in plain.measured
    assert sum(category_study.category_sizes.values()) == category_study.facts.items


@pytest.mark.parametrize("name", ["study", "category_study"])
def test_a_study_holds_no_customer_pseudonym_or_seed(
    name: str, history: History, request: pytest.FixtureRequest
) -> None:
    study = request.getfixturevalue(name)
    release = anonymize(history, "rank-match", k=study.k, seed=SEED)
    text = repr(dataclasses.asdict(study))
    assert not any(customer in text for customer in history.customers)
    assert not any(f"'{pseudonym}'" in text for pseudonym in release.rows.pseudonyms)
    assert str(SEED) not in text
    assert SEED.to_bytes(4, "little") not in pickle.dumps(study)


def test_a_strange_kind_of_example_is_refused(history: History) -> None:
    with pytest.raises(UnknownNameError, match="kind of example"):
        studied(history, examples="Data")


def test_an_unseeded_study_says_so(history: History) -> None:
    study = study_history(history, "rank-match", [2], attacks=["first"])
    assert study.randomness == "os"
    assert np.isfinite(study.point.loss)
