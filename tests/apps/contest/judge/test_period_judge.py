"""The judge of 2017 against the command line's functions, the rules, and hostile releases."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.contest.judge.uploaded import rules_of, zipped
from tokumei.apps.contest.judge.results import Upload
from tokumei.pseudonyms.flow import attack_periods, score_guess
from tokumei.pseudonyms.formats.pws2017 import read_period_history, read_rows
from tokumei.pseudonyms.measures.contest_measures import judge_safety, judge_total, score_measures
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.services.check import publish_release
from tokumei.pseudonyms.services.requests import CheckPeriodsRequest

ALPHAS = (0.25, 0.5, 0.75, 1.0)


@pytest.fixture(scope="module")
def verdict(periods):
    found = periods.judge.judge(periods.upload)
    assert found.accepted
    return found


@pytest.fixture(scope="module")
def published(periods, verdict):
    """What `tokumei publish` makes of the same release."""
    folder = periods.folder
    request = CheckPeriodsRequest(
        master=folder / "M.csv", original=folder / "T.csv", release=folder / "A.csv"
    )
    publish_release(request, public=folder / "S.csv", secret=folder / "F.csv")
    return folder


def test_public_and_truth_are_those_of_the_command_line(published, verdict):
    assert verdict.public == (published / "S.csv").read_bytes()
    assert verdict.truth == (published / "F.csv").read_bytes()


def test_utility_is_that_of_the_command_line(periods, published, verdict):
    case = PeriodCase(read_rows(published / "T.csv"), read_rows(published / "A.csv"))
    scores = score_measures(case)
    assert verdict.card.utility == scores["worst"].value
    for name, value in verdict.card.figures["utility"].items():
        assert value == scores[name].value


def test_safety_is_the_strongest_mean_over_knowledge(periods, published, verdict):
    history = read_period_history(published / "T.csv", published / "M.csv")
    made = _release(history, published)
    rates = {name: [] for name in ("S1", "S2", "S3", "S4", "S5", "S6")}
    for alpha in ALPHAS:
        known = read_rows(published / f"T{100 * alpha:g}.csv")
        for name, guess in attack_periods(
            history, made, known=known, methods=list(rates), seed=1
        ).items():
            rates[name].append(score_guess(made, guess)["reid_all"].value)
    card = verdict.card
    assert card.safety == judge_safety(rates)
    assert card.total == judge_total(card.utility, card.safety)
    assert card.figures["safety"]["S3"] == dict(
        zip(("0.25", "0.5", "0.75", "1"), rates["S3"], strict=True)
    )


def _release(history, folder):
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease, PseudonymTable

    rows = read_rows(folder / "A.csv")
    table = PseudonymTable.of_rows(
        history.rows, rows, customers=history.master.customers, months=history.months
    )
    return PeriodRelease(rows, table, history.months)


def test_the_judge_is_pure(periods, verdict):
    again = periods.judge_with().judge(periods.upload)
    assert again.card.as_json() == verdict.card.as_json()
    assert (again.public, again.truth) == (verdict.public, verdict.truth)


def test_all_attacks_can_be_the_suite(periods, verdict):
    judge = periods.judge_with(scoring={"attacks": ("all",)}, knowledge=(1.0,))
    card = judge.judge(periods.upload).card
    assert {"S1", "scoreboard", "likelihood", "profile", "best"} <= set(card.figures["safety"])
    assert card.safety == max(fmean(rates.values()) for rates in card.figures["safety"].values())


def test_means_of_utility_and_of_attacks_can_be_the_score(periods, verdict):
    scoring = {"combine_utility": "mean", "combine_safety": "mean", "total": "product"}
    card = periods.judge_with(scoring=scoring).judge(periods.upload).card
    figures = verdict.card.figures
    assert card.utility == pytest.approx(fmean(figures["utility"].values()), abs=1e-15)
    means = [fmean(rates.values()) for rates in figures["safety"].values()]
    assert card.safety == pytest.approx(fmean(means), abs=1e-15)
    assert card.total == pytest.approx(1 - (1 - card.utility) * (1 - card.safety), abs=1e-15)


def test_without_attacks_there_is_no_safety_and_no_total(periods):
    card = periods.judge_with(scoring={"attacks": ()}).judge(periods.upload).card
    assert (card.safety, card.total) == (None, None)


def test_knowledge_without_a_file_is_drawn_with_the_seed(periods):
    contest = periods.judge.contest
    without = {key: name for key, name in contest.data.items() if not key.startswith("known")}
    drawn = [periods.judge_with(data=without, scoring={"seed": seed}) for seed in (5, 5, 6)]
    cells = [judge.format.known["0.5"].cells for judge in drawn]
    assert cells[0].equals(cells[1])
    assert not cells[0].equals(cells[2])
    assert cells[0].equals(read_rows(periods.folder / "T50.csv").cells)  # the sample's own seed


def tables_of(verdict, judge):
    return {name: verdict.truth for name in judge.guess_files()}


def test_the_truth_finds_everyone(periods, verdict):
    guess = Upload("g.zip", zipped(tables_of(verdict, periods.judge)))
    assert periods.judge.check_guess(verdict.public, guess).accepted
    found = periods.judge.score(verdict.public, verdict.truth, guess)
    assert found.card.safety == 1.0
    assert found.card.figures["reid_active"] == {"0.25": 1.0, "0.5": 1.0, "0.75": 1.0, "1": 1.0}


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), wrong=st.integers(0, 25))
def test_the_order_of_guess_lines_does_not_matter(periods, verdict, seed, wrong):
    chance = np.random.default_rng(seed)
    lines = verdict.truth.splitlines()
    half = [_all_deleted(line) if row < wrong else line for row, line in enumerate(lines)]
    straight = {name: b"\n".join(half) for name in periods.judge.guess_files()}
    mixed = {name: b"\n".join(chance.permutation(half)) for name in straight}
    first, second = (
        periods.judge.score(verdict.public, verdict.truth, Upload("g.zip", zipped(files)))
        for files in (straight, mixed)
    )
    assert first == second
    still = [line for line, given in zip(lines, half, strict=True) if line == given]
    assert first.card.safety == len(still) / len(lines)


def _all_deleted(line: bytes) -> bytes:
    customer, *cells = line.split(b",")
    return b",".join([customer, *[b"DEL"] * len(cells)])


def test_a_guess_wrong_in_only_the_fourth_file_is_refused_with_its_name(periods, verdict):
    files = tables_of(verdict, periods.judge)
    files["F100.csv"] = files["F100.csv"].replace(b",", b",,", 1)
    found = periods.judge.check_guess(verdict.public, Upload("g.zip", zipped(files)))
    assert {fault.message.show("en").split(":")[0] for fault in found.faults} == {"F100.csv"}
    scored = periods.judge.score(verdict.public, verdict.truth, Upload("g.zip", zipped(files)))
    assert (scored.card, scored.total) == (None, found.total)


def test_all_faults_of_a_release_are_listed(periods):
    lines = periods.lines()
    for place in (3, 10, 20):
        cells = lines[place].split(b",")
        lines[place] = b",".join([*cells[:5], b"=cmd", b"x"])
    found = periods.judge.check(Upload("A.csv", b"\n".join(lines)))
    assert found.total == 6
    assert [(fault.line, fault.column) for fault in found.faults[:2]] == [
        (4, "price"),
        (4, "quantity"),
    ]


def test_a_file_far_too_long_is_refused_at_once(periods):
    found = periods.judge.check(Upload("A.csv", b"DEL,,,,,,\n" * 20_000))
    assert (found.total, rules_of(found)) == (1, {"rows"})


def test_names_fit_into_attackers_files(periods):
    cells = [line.split(b",") for line in periods.lines()]
    names = sorted({line[0] for line in cells})
    widest = {name: name.ljust(64, b"x") for name in names}
    longest = b"\n".join(b",".join([widest[line[0]], *line[1:]]) for line in cells)
    verdict = periods.judge.judge(Upload("A.csv", longest))
    guess = Upload("g.zip", zipped(tables_of(verdict, periods.judge)))
    assert periods.judge.score(verdict.public, verdict.truth, guess).card.safety == 1.0
    cells[7][1] = b"0" * 65
    found = periods.judge.check(Upload("A.csv", b"\n".join(b",".join(line) for line in cells)))
    assert [(fault.rule, fault.line, fault.column) for fault in found.faults] == [
        ("name-length", 8, "invoice")
    ]


def test_spelling_carries_no_message(periods, verdict):
    lines = []
    for line in periods.lines():
        name, invoice, day, time, item, price, quantity = line.decode().split(",")
        year, month, date = day.split("/")
        price = price if "." in price else f"{price}.0"
        cells = [name, invoice, f"{year}/{month:0>2}/{date:0>2}", f"{time:0>5}", item]
        lines.append(",".join([*cells, f"{price}0"[: price.index(".") + 3], f"0{quantity}"]))
    found = periods.judge.judge(Upload("A.csv", "\r\n".join(lines).encode()))
    assert found.public == verdict.public
    assert found.card.as_json() == verdict.card.as_json()


def test_rules_of_the_library_can_be_added(periods):
    strict = periods.judge_with(rules={"pseudonym-lifetime": {"periods": 1}})
    found = strict.check(periods.upload)
    assert rules_of(found) == {"pseudonym-lifetime"}
    assert found.faults[0].line is None
    assert found.faults[0].message.show("en").startswith("in the published file: ")
    loose = periods.judge_with(rules={"pseudonym-lifetime": {"periods": 2}})
    assert loose.check(periods.upload).accepted
