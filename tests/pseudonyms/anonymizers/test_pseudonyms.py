"""The method `pseudonyms`: any parameters keep the rules; seeds, secrecy and promises."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from support.period_histories import history_of, period_histories
from tokumei import anonymize
from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.randomness import Randomness, text_pseudonyms
from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.data.sample_data import sample_periods

DAYS = st.sampled_from([{"day": "keep"}, {"day": 31}, {"day": "random"}, {"day_shift": 40}])
TIMES = st.sampled_from(
    [
        {"time": "keep"},
        {"time": "hour"},
        {"time": "constant"},
        {"time": "random"},
        {"time_shift": 99},
    ]
)
LIVES = st.sampled_from(
    [
        {},
        {"lifetime": 2},
        {"exposure": "rows", "bound": 4},
        {"exposure": "items", "bound": 2, "lifetime": 3},
        {"exposure": "risk", "bound": 0.5, "known": 0.3},
    ]
)
OTHERS = st.fixed_dictionaries(
    {
        "exchange": st.sampled_from([0.0, 0.5, 1.0]),
        "price_noise": st.sampled_from([0.0, 0.1, 0.99]),
        "quantity_noise": st.sampled_from([0, 2, 10**6]),
        "replace": st.sampled_from([0.0, 0.4]),
        "replace_by": st.sampled_from(["prefix", "bought-together"]),
        "delete": st.sampled_from([0.0, 0.3, 0.45]),
        "delete_first": st.sampled_from(["random", "rare-items", "heavy-customers"]),
        "invoice": st.sampled_from(["blank", "renumber", "keep"]),
    }
)


def shop(seed: int = 1) -> PeriodHistory:
    return sample_periods(1500, customers=30, items=120, invoices=True, seed=seed)


def release(history: PeriodHistory, seed: int | None = 1, **params: object) -> PeriodRelease:
    return anonymize(history, "pseudonyms", seed=seed, **params)


@settings(max_examples=40)
@given(period_histories(), DAYS, TIMES, LIVES, OTHERS, st.integers(0, 3))
def test_any_parameters_keep_all_rules_and_claims(history, day, time, life, others, seed):
    method = Pseudonyms(**day, **time, **life, **others)
    before = history.rows.cells.clone()
    kept = history.rows.rows - int(np.floor(method.delete * history.rows.rows + 0.5 + 1e-9))
    if 2 * kept < history.rows.rows or not kept:
        with pytest.raises((ClaimError, UsageError)):
            anonymize(history, method, seed=seed)
        return
    made = anonymize(history, method, seed=seed)
    assert history.rows.cells.equals(before)
    assert made.rows.kept.sum() == kept
    again = anonymize(history, method, seed=seed)
    assert made.rows.cells.equals(again.rows.cells)
    assert_table_is_true(history, made)


def assert_table_is_true(history: PeriodHistory, made: PeriodRelease) -> None:
    """The secret table says of every row whose it is."""
    cells, customers = made.table.cells(), history.master.customers
    named = set()
    for row in np.flatnonzero(made.rows.kept):
        who, period = history.person[row], int(history.period[row])
        assert cells[f"p{period + 1}"][int(who)] == made.rows.cells["customer"][int(row)]
        named.add((who, period))
    assert (made.table.codes >= 0).sum() == len(named)
    assert cells["customer"].equals(customers)


def test_alone_only_the_pseudonyms_change():
    history = shop()
    made = release(history, invoice="keep")
    rest = [name for name in history.rows.cells.columns if name != "customer"]
    assert made.rows.cells.select(rest).equals(history.rows.cells.select(rest))
    assert len(made.public.people) == len(np.unique(history.person * 12 + history.period))


def test_what_each_parameter_does():
    history = shop()
    fixed = release(history, day=15, time="constant", invoice="renumber")
    assert set(fixed.rows.cells["day"].str.extract(r"/(\d+)$")) == {"15"}
    assert set(fixed.rows.cells["time"]) == {"12:00"}
    pairs = pl.DataFrame({"old": history.rows.cells["invoice"], "new": fixed.rows.cells["invoice"]})
    assert len(pairs.unique()) == pairs["old"].n_unique() == pairs["new"].n_unique()
    assert not set(pairs["old"]) & set(pairs["new"])
    hours = release(history, time="hour").rows.minutes
    assert (hours == history.rows.minutes // 60 * 60).all()
    moved = release(history, time_shift=5, day_shift=2).rows
    assert (np.abs(moved.minutes - history.rows.minutes) <= 5).all()
    assert (np.abs(moved.days - history.rows.days) <= 2).all()
    anytime = release(history, time="random").rows.minutes
    assert anytime.min() < 60
    assert anytime.max() > 1380
    assert set(release(history).rows.cells["invoice"]) == {"0"}


def test_seeds_decide_and_without_one_the_operating_system_does():
    history = shop()
    one, other = release(history, 1, day="random"), release(history, 2, day="random")
    assert not one.rows.cells["day"].equals(other.rows.cells["day"])
    assert not set(one.public.people) & set(other.public.people)
    first, second = release(history, None, day="random"), release(history, None, day="random")
    assert not first.rows.cells["day"].equals(second.rows.cells["day"])
    assert not set(first.public.people) & set(second.public.people)


def test_two_releases_with_one_seed_share_neither_noise_nor_pseudonyms():
    history = shop()
    plain, noisy = (
        release(history, price_noise=0.1),
        release(history, price_noise=0.1, day="random"),
    )
    assert not plain.rows.cells["price"].equals(noisy.rows.cells["price"])
    assert not {*plain.table.pseudonyms} & {*noisy.table.pseudonyms}
    assert plain.rows.cells.equals(release(history, price_noise=0.1).rows.cells)


def test_pseudonyms_know_neither_ids_nor_their_order():
    history = shop()
    ids = history.master.customers
    renamed = {old: f"id{len(ids) - place}" for place, old in enumerate(ids)}
    cells = history.rows.cells.with_columns(pl.col("customer").replace_strict(renamed))
    frame = history.master.frame.with_columns(pl.col("customer").replace_strict(renamed))
    other = PeriodHistory.of(type(history.rows)(cells), type(history.master)(frame))
    for source in (history, other):
        table = release(source).table
        names = table.pseudonyms.gather(table.codes[table.codes >= 0])
        rank = names.rank().to_numpy()
        assert abs(np.corrcoef(rank, np.arange(len(rank)))[0, 1]) < 0.25


def test_pseudonyms_are_words_of_the_rule_and_never_ids():
    drawn = text_pseudonyms(5000, taken=pl.Series(["x"]), rng=Randomness())
    assert drawn.n_unique() == 5000
    assert all(re.fullmatch("[a-z][a-z0-9]{11}", word) for word in drawn)
    taken = text_pseudonyms(50, taken=pl.Series([], dtype=pl.String), rng=Randomness(1)).head(20)
    free = text_pseudonyms(50, taken=taken, rng=Randomness(1))
    assert len(free) == 50
    assert not set(taken) & set(free)
    assert len(text_pseudonyms(0, taken=taken, rng=Randomness(1))) == 0


def test_public_rows_and_manifest_hold_no_secret(tmp_path):
    history = shop()
    made = release(history, 7, delete=0.2)
    seen = made.public.cells
    assert not set(seen["customer"]) & set(history.master.customers)
    lines = [",".join(row) for row in seen.rows()]
    assert lines == sorted(lines)
    manifest = str(made.manifest())
    assert "'seed'" not in manifest
    assert not any(name in manifest for name in history.master.customers)
    assert "secret" in repr(made)


def test_too_much_deletion_is_refused_by_the_rules():
    with pytest.raises(ClaimError) as caught:
        release(shop(), delete=0.6)
    assert [fault.rule for fault in caught.value.faults] == ["rows-kept"]


@pytest.mark.parametrize(
    "bad",
    [
        {"lifetime": 0},
        {"exposure": "rows"},
        {"bound": 3},
        {"exposure": "rows", "bound": 0},
        {"exposure": "risk", "bound": 1.5},
        {"exposure": "risk", "bound": 0.5, "known": 0},
        {"exposure": "money", "bound": 3},
        {"exchange": 1.1},
        {"day": 32},
        {"day": 0},
        {"day": "sometimes"},
        {"day": 15, "day_shift": 2},
        {"time": "hour", "time_shift": 2},
        {"day_shift": -1},
        {"price_noise": 1.0},
        {"quantity_noise": -1},
        {"replace": -0.1},
        {"prefix": 0},
        {"delete": 1.0},
        {"delete_first": "all"},
        {"invoice": "none"},
        {"lifetimes": 3},
    ],
)
def test_figures_that_make_no_sense_are_refused(bad):
    with pytest.raises(UsageError):
        release(history_of(["A,0,2011/1/1,0:00,x,1,1"]), **bad)


def test_the_method_is_found_by_name_through_the_package():
    history = shop()
    made = tk.anonymize(history, "pseudonyms", lifetime=3, seed=1)
    assert isinstance(made, PeriodRelease)
    step = made.provenance.steps[0]
    assert set(step) == {"method", *(f.name for f in dataclasses.fields(Pseudonyms))}
    assert [claim.rule for claim in made.claims] == ["pseudonym-lifetime"]
    assert tk.measure(history, made)["rows"].value == 0
