"""The contests' own data: golden values of both years to the last digit."""

from __future__ import annotations

import numpy as np
import pytest

from apps.contest.judge.uploaded import rules_of, zipped
from tokumei import anonymize, measure
from tokumei.apps.contest.judge.contest_judge import load_judge
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.spec.folder import read_contest_folder
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.files.contest_files import to_contest_bytes
from tokumei.pseudonyms.flow import attack_periods, score_guess
from tokumei.pseudonyms.measures.contest_measures import judge_safety

pytestmark = pytest.mark.data


ALPHAS = (25, 50, 75, 100)


@pytest.fixture(scope="module")
def judge2017(real_data, tmp_path_factory):
    held = real_data / "pwscup2017"
    known = {f"known-{alpha / 100:g}": held / f"T{alpha}.csv" for alpha in ALPHAS}
    data = {"original": held / "T.csv", "master": held / "M.csv", **known}
    folder = tmp_path_factory.mktemp("real2017")
    write_sample_contest(folder, preset="pws2017", data=data)
    return load_judge(read_contest_folder(folder), folder)


@pytest.fixture(scope="module")
def monthly(judge2017):
    return anonymize(judge2017.format.history, "pseudonyms", lifetime=1, seed=1)


@pytest.fixture(scope="module")
def verdict(judge2017, monthly):
    return judge2017.judge(Upload("A.csv", to_contest_bytes(monthly.rows.cells)))


def test_golden_values_of_2017(judge2017, monthly, verdict):
    card = verdict.card
    golden = {"itemcf_supply": 0.853025, "itemcf_retail": 0.790062, "topk": 0.18}
    golden |= {"topk_similarity": 0.431623, "date": 0, "price": 0, "rows": 0}
    assert {n: round(v, 6) for n, v in card.figures["utility"].items()} == golden
    assert card.utility == measure(judge2017.format.history, monthly)["worst"].value


def test_days_on_the_15th_cost_what_the_page_says(judge2017, monthly):
    day = monthly.rows.cells["day"].str.replace(r"/\d+$", "/15")
    rows = monthly.rows.cells.with_columns(day)
    figures = judge2017.judge(Upload("A.csv", to_contest_bytes(rows))).card.figures["utility"]
    assert round(figures["date"], 10) == 0.2414991953
    assert round(figures["itemcf_supply"], 6) == 0.853025


def test_safety_of_2017_is_that_of_the_flow(judge2017, monthly, verdict):
    card = verdict.card
    names = list(card.figures["safety"])
    rates = {name: [] for name in names}
    for known in judge2017.format.known.values():
        guesses = attack_periods(
            judge2017.format.history, monthly, known=known, methods=names, seed=1
        )
        for name, guess in guesses.items():
            rates[name].append(score_guess(monthly, guess)["reid_all"].value)
    assert card.safety == judge_safety(rates)
    assert card.total == (card.utility + card.safety) / 2


def test_guesses_of_2017_in_any_order(judge2017, monthly, verdict):
    guess = attack_periods(
        judge2017.format.history,
        monthly,
        known=judge2017.format.known["0.25"],
        methods=["S6"],
        seed=1,
    )["S6"]
    cells = guess.table.cells()
    mixed = cells[np.random.default_rng(1).permutation(cells.height)]
    files = [
        zipped({name: to_contest_bytes(rows) for name in judge2017.guess_files()})
        for rows in (cells, mixed)
    ]
    values = [
        judge2017.score(verdict.public, verdict.truth, Upload("g.zip", data)).card.safety
        for data in files
    ]
    assert values == [score_guess(monthly, guess)["reid_all"].value] * 2


def test_the_original_itself_breaks_the_rules(judge2017, real_data):
    plain = (real_data / "pwscup2017" / "T.csv").read_bytes()
    found = judge2017.check(Upload("T.csv", plain))
    assert rules_of(found) == {"pseudonym-is-customer"}
    assert (found.total, len(found.faults)) == (44_917, 10_000)
