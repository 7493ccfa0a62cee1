"""Hierarchical Mondrian as a method: cells, types, missing values, wrong parameters."""

from pathlib import Path

import polars as pl
import pytest

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.registry import build_params
from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
from tokumei.tables.data.table import Table

SEX = "m;*\nf;*\n"
JOB = "cook;service;*\nnurse;care;*\ndoctor;care;*\n"
PEOPLE = pl.DataFrame(
    {
        "sex": ["m", "m", "f", "f", "m", "f"],
        "job": ["nurse", "doctor", "nurse", "doctor", "cook", "cook"],
        "pay": [1, 2, 3, 4, 5, 6],
    }
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("h_sex.csv").write_text(SEX)
    Path("h_job.csv").write_text(JOB)
    Path("care.yaml").write_text("leaflet: {job: care}\n")
    Path("men.csv").write_text("rule,sex\nmagazine,m\n")


def released(frame=PEOPLE, qi=("sex", "job"), **params):
    source = Table.of(frame, qi=list(qi), sa=["pay"])
    params = {"k": 2, "hierarchies": "h_{column}.csv", **params}
    method = build_params(HierarchicalMondrian, params, where="method")
    return method.anonymize(source, rng=Randomness(1), shuffle=False).public.frame


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("params", "sex", "job"),
    [
        ({}, list("mmffmf"), ["*"] * 6),
        ({"choice": "tfidf", "rules": "men.csv"}, list("mmffmf"), ["*"] * 6),
        (
            {"choice": "tfidf", "rules": "care.yaml"},
            ["m", "m", "f", "f", "*", "*"],
            ["care"] * 4 + ["cook"] * 2,
        ),
    ],
)
def test_the_choice_decides_what_is_kept(params, sex, job):
    frame = released(**params)
    assert frame["sex"].to_list() == sex
    assert frame["job"].to_list() == job
    assert frame["pay"].to_list() == PEOPLE["pay"].to_list()


@pytest.mark.usefixtures("files")
def test_a_column_left_at_its_leaves_keeps_its_type():
    frame = pl.DataFrame({"age": [31, 31, 45, 45], "pay": [1, 2, 3, 4]})
    assert released(frame, ["age"], hierarchies={"age": "age"})["age"].to_list() == [31, 31, 45, 45]
    wide = released(frame, ["age"], hierarchies={"age": "auto"}, k=3)
    assert wide["age"].to_list() == ["*"] * 4


@pytest.mark.usefixtures("files")
def test_missing_values_stay_missing_with_and_without_a_leaf():
    frame = PEOPLE.with_columns(sex=pl.Series(["m", "m", "f", "f", None, None]))
    assert released(frame)["sex"].to_list() == ["m", "m", "f", "f", None, None]
    Path("h_sex.csv").write_text(SEX + '"";*\n')
    assert released(frame)["sex"].to_list() == ["m", "m", "f", "f", None, None]


@pytest.mark.usefixtures("files")
def test_hierarchies_by_column():
    built_in = {"sex": "sex", "job": "h_job.csv"}
    english = PEOPLE.with_columns(pl.col("sex").replace({"m": "Male", "f": "Female"}))
    japanese = PEOPLE.with_columns(pl.col("sex").replace({"m": "男性", "f": "女性"}))
    assert set(released(english, hierarchies=built_in)["sex"]) == {"Male", "Female"}
    assert set(released(japanese, hierarchies=built_in)["sex"]) == {"男性", "女性"}
    assert set(released(hierarchies="auto")["sex"]) == {"m", "f"}


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"hierarchies": ""}, UsageError, "give 'hierarchies'"),
        ({"hierarchies": "h.csv"}, UsageError, "must contain {column}"),
        ({"hierarchies": {"sex": "sex"}}, UsageError, "no hierarchy for job"),
        ({"hierarchies": {"sx": "sex"}}, UnknownNameError, "Did you mean 'sex'"),
        ({"hierarchies": {"sex": "sec", "job": "auto"}}, UnknownNameError, "Did you mean 'sex'"),
        ({"hierarchies": {"sex": "no.csv", "job": "auto"}}, InputError, "no such file"),
        ({"choice": "tfidf"}, UsageError, "needs 'rules'"),
        ({"rules": "men.csv"}, UsageError, "only it uses them"),
        ({"choice": "best"}, UsageError, "parameter 'choice'"),
        ({"k": 7}, UsageError, "k = 7 is more than the 6 rows"),
    ],
)
def test_wrong_parameters(params, error, message):
    with pytest.raises(error, match=message):
        released(**params)


@pytest.mark.usefixtures("files")
def test_rules_that_do_not_fit_are_listed_with_their_file():
    Path("bad.yaml").write_text("a: {job: nurze}\nb: {pay: 3}\n")
    with pytest.raises(InputError, match=r"bad\.yaml") as caught:
        released(choice="tfidf", rules="bad.yaml")
    assert [fault.line for fault in caught.value.faults] == [1, 2]
