"""The contests' own data: golden values of both years to the last digit."""

from __future__ import annotations

import numpy as np
import pytest

from apps.contest.judge.real_judge_fixtures import judge2017 as judge2017
from apps.contest.judge.real_judge_fixtures import monthly as monthly
from apps.contest.judge.real_judge_fixtures import verdict as verdict
from apps.contest.judge.uploaded import rules_of, zipped
from tokumei import measure
from tokumei.apps.contest.judge.results import Upload
from tokumei.files.contest_files import to_contest_bytes
from tokumei.pseudonyms.flow import attack_periods, score_guess

pytestmark = pytest.mark.data


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
