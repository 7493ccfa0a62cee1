"""Keywords of `tk.anonymize`: typed, checked, and the same as the options of the command line."""

import inspect

import polars as pl
import pytest

import tokumei as tk
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.services.anonymize_keywords import anonymize

ROWS = 60
FRAME = pl.DataFrame(
    {
        "age": [20 + i % 30 for i in range(ROWS)],
        "sex": ["mf"[i % 2] for i in range(ROWS)],
        "pay": [100 * (i % 7) for i in range(ROWS)],
        "shop": ["abc"[i % 3] for i in range(ROWS)],
    }
)
ROLES = {"qi": ["age", "sex"], "sa": ["pay"], "passed": ["shop"], "seed": 1}


def release(method="mondrian", **keywords):
    return tk.anonymize(FRAME, method, **{**ROLES, **keywords})


def test_completion_shows_the_keywords_of_the_service_and_k():
    public = inspect.signature(tk.anonymize).parameters
    service = inspect.signature(anonymize).parameters
    assert {*service} - {*public} == set()
    assert {"k", "l", "t", "hierarchies"} <= {*public}
    assert public["method"].default == "mondrian"


def test_a_single_column_may_be_a_text():
    several = release(qi=["age"], sa=["pay"], passed=["shop", "sex"])
    single = release(qi="age", sa="pay", passed=["shop", "sex"])
    assert single.public.frame.equals(several.public.frame)
    assert release(drop="shop", passed=None).public.schema.names == ["age", "sex", "pay"]


def test_mondrian_is_the_default():
    assert tk.anonymize(FRAME, **ROLES).public.frame.equals(release().public.frame)


def test_l_and_t_are_claims_about_the_sensitive_columns():
    claims = {claim.rule: claim.params for claim in release(k=4, l=2, t=0.5).claims}
    assert claims["l-diversity"]["l"] == 2
    assert claims["l-diversity"]["sensitive"] == ["pay"]
    assert claims["t-closeness"]["t"] == 0.5
    both = release(k=4, l=2, conditions=["t=0.5"])
    assert {claim.rule for claim in both.claims} >= {"l-diversity", "t-closeness"}


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("kk", "k"), ("sede", "seed"), ("hierarchie", "hierarchies"), ("pased", "passed")],
)
@pytest.mark.parametrize("method", ["mondrian", "mondrian,swap"])
def test_a_misspelt_keyword_names_the_nearest(method, wrong, nearest):
    with pytest.raises(tk.UsageError, match=f"'{wrong}'. Did you mean '{nearest}'"):
        release(method, **{wrong: 1})


def test_a_keyword_of_another_method_is_refused():
    with pytest.raises(tk.UsageError, match="noise: unknown parameter 'k'"):
        release("noise", k=5)


def test_parameters_beside_an_object_are_refused():
    assert release(Mondrian(k=4)).claims[0].params["k"] == 4
    with pytest.raises(tk.UsageError, match="to the object itself: k"):
        release(Mondrian(k=4), k=5)


def test_pass_rest_releases_columns_without_a_role():
    assert "shop" in release(passed=None, pass_rest=True).public.schema.names


def test_histories_refuse_keywords_of_tables():
    sales = tk.sample_history(300, seed=1)
    with pytest.raises(tk.UsageError, match="unknown parameter 'qi'"):
        tk.anonymize(sales, "rank-match", k=2, qi=["day"])
    with pytest.raises(tk.UsageError, match="rank-match"):
        tk.anonymize(sales)
