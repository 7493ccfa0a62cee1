"""`tokumei attack --format pws2017`: the guess file, rates with a secret, refusals."""

from __future__ import annotations

import json

import pytest

from tokumei.pseudonyms.formats.pws2017 import read_table

ATTACK = ["attack", "--format", "pws2017", "--master", "M.csv", "--public", "S.csv"]


@pytest.fixture
def attack(tokumei):
    """A generated history with its release, its secret and half of its rows known."""
    sample = "sample history --format pws2017 --rows 600 --customers 12 --seed 1 --out T.csv"
    made = "anonymize history --format pws2017 --data T.csv --master M.csv --lifetime 1 --day 15"
    known = "knowledge --format pws2017 --data T.csv --alpha 0.5 --prefix item=2 --seed 1"
    for line in (
        f"{sample} --master M.csv",
        f"{made} --seed 1 --out AT.csv --public S.csv --secret F.csv",
        f"{known} --out K.csv",
    ):
        assert tokumei(*line.split()).code == 0

    def run(*options, code=0):
        done = tokumei(*ATTACK, *options)
        assert done.code == code, done.err
        return done

    return run


def test_a_guess_has_the_form_of_the_secret_table(attack, tokumei):
    done = attack("--known", "K.csv", "--seed", "1", "--out", "Fh.csv")
    assert "customers named; the attack expects" in done.out
    guess, truth = (read_table(name, periods=12) for name in ("Fh.csv", "F.csv"))
    assert guess.customers.to_list() == truth.customers.to_list()
    assert set(guess.pseudonyms) <= set(truth.pseudonyms)
    check = "check --format pws2017 --original T.csv --master M.csv --public S.csv --guess Fh.csv"
    assert tokumei(*check.split()).code == 0


def test_with_the_secret_rates_are_those_of_measure_safety(attack, tokumei):
    told = ["--known", "K.csv", "--seed", "1", "--secret", "F.csv", "--out", "Fh.csv"]
    assert "reid_pairs" in attack(*told).out
    found = json.loads(attack(*told, "--json").out)
    measure = "measure safety --format pws2017 --secret F.csv --guess Fh.csv --json"
    expected = json.loads(tokumei(*measure.split()).out)["details"]
    for name in ("reid_all", "reid_active", "reid_pairs"):
        assert found[name] == expected[name]
    assert found["reid_active"]["value"] > found["reid_active"]["baseline"]
    assert found["answered"] >= found["expected_hits"] > 0


@pytest.mark.long
def test_all_attacks_are_compared(attack):
    told = ["--known", "K.csv", "--seed", "1", "--secret", "F.csv", "--method", "all"]
    table = attack(*told).out
    assert "reid_active" in table
    rates = json.loads(attack(*told, "--json").out)
    assert list(rates)[-1] == "best"
    assert rates["best"]["reid_all"]["value"] >= rates["S6"]["reid_all"]["value"]
    assert all(name in table for name in rates)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--known", "K.csv", "--method", "all"], "need --secret"),
        (["--known", "K.csv", "--method", "all", "--secret", "F.csv", "--out", "G"], "name one"),
        (["--known", "K.csv", "--method", "S7"], "S7"),
        (["--known", "K.csv", "--out", "S.csv"], "S.csv"),
        ([], "--known"),
    ],
)
def test_refusals(attack, options, said):
    assert said in attack(*options, code=2).err
