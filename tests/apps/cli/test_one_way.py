"""The commands say the same thing the same way, and drop nothing silently."""

import pytest

import tokumei as tk


@pytest.fixture
def history(tokumei):
    """T.csv in the format of 2018."""
    made = tokumei("sample", "history", "--rows", 400, "--customers", 20, "--seed", 1,
                   "--out", "T.csv")  # fmt: skip
    assert made.code == 0, made.err
    return tokumei


MEASURE = ("measure", "utility", "--original", "x.csv", "--release", "b.csv")


@pytest.mark.parametrize("option", ["--method", "--measures", "--methods"])
def test_measures_are_chosen_by_method_and_its_older_names(tokumei, paper, option):
    assert list(tokumei(*MEASURE, *paper, option, "U1,U4", "--json").json) == ["U1", "U4"]


@pytest.mark.parametrize("option", ["--method", "--attacks", "--methods"])
def test_curves_choose_attacks_by_method_and_are_one_object(tokumei, paper, option):
    asked = ("curves", "--original", "x.csv", "--release", "b.csv", *paper, option, "EUC2")
    found = tokumei(*asked, "--json").json
    assert {point["attack"] for point in found["points"]} == {"EUC2"}


def test_a_field_of_a_measure_is_an_option(tokumei, paper):
    plain = tokumei(*MEASURE, *paper, "--method", "c_avg", "--json").json["c_avg"]
    of_four = tokumei(*MEASURE, *paper, "--method", "c_avg", "--k", 4, "--json").json["c_avg"]
    assert (plain, of_four) == (1.0, 0.5)
    assert tokumei(*MEASURE, *paper, "--method", "U1", "--k", 2).code == 2


def test_a_parameter_of_a_measure_that_is_not_chosen_is_refused(tokumei, paper):
    ran = tokumei(*MEASURE, *paper, "--method", "U1", "--set", "c_avg.k=2")
    assert ran.code == 2
    assert "c_avg is not among the chosen" in ran.err


def test_quasi_identifiers_tell_a_table_from_a_history(tokumei, paper):
    asked = ("--data", "x.csv", "--method", "mondrian", "--k", "2", "--attacks", "E1")
    found = tokumei("sweep", *asked, *paper, "--seed", 1, "--json").json
    assert [point["k"] for point in found] == [2]
    assert "attack_E1" in found[0]
    assert found == tokumei("sweep", "--format", "table", *asked, *paper, "--seed", 1,
                            "--json").json  # fmt: skip


@pytest.mark.parametrize(
    ("more", "unused"),
    [
        (("--loss", "U5"), "--loss"),
        (("--items", "items.csv"), "--items"),
        (("--keep", "non-product"), "--keep"),
        (("--columns", "customer=ID"), "--columns"),
    ],
)
def test_a_sweep_of_a_history_refuses_what_it_does_not_use(history, more, unused):
    ran = history("sweep", "--data", "T.csv", "--k", "2", *more)
    assert ran.code == 2
    assert f"does not use {unused}" in ran.err


def test_several_methods_of_a_sweep_and_the_field_of_one(history):
    asked = ("sweep", "--data", "T.csv", "--k", "2", "--method", "rank-match,aligned", "--seed", 1)
    found = history(*asked, "--effort", "high", "--json").json
    assert list(found) == ["rank-match", "aligned (effort = high)"]
    assert history(*asked, "--set", "aligned.effort=high", "--json").json == found


def test_knowledge_of_a_history_with_a_header(tokumei):
    tokumei("sample", "history", "--rows", 200, "--seed", 1, "--format", "table", "--out", "t.csv")
    asked = ("knowledge", "--format", "table", "--data", "t.csv", "--alpha", 0.5, "--seed", 1)
    found = tokumei(*asked, "--out", "k.csv", "--json").json
    assert found["known"] == 100
    assert tk.read_history("k.csv").rows == 100


def test_checks_of_histories_refuse_files_they_do_not_look_at(history):
    check = ("check", "--format", "pws2018")
    both = history(*check, "--original", "T.csv", "--public", "T.csv", "--k", 2)
    assert "--public does not use --original" in both.err
    three = history(*check, "--original", "T.csv", "--release", "T.csv", "--public", "T.csv")
    assert "--release does not use --public" in three.err
    assert (both.code, three.code) == (2, 2)


def test_there_is_no_sweep_of_pseudonyms():
    with pytest.raises(tk.UsageError, match="there is no sweep"):
        tk.sweep(tk.pseudonyms.sample_periods(200, customers=10, seed=1), "pseudonyms", [1])
