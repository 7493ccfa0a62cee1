"""Figures on public data with known truth: Synth-MIA's two examples, and Adult split by a seed."""

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tables.audit.people import case_of, seen_of
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.attack_statistics import MembershipFigures
from tokumei.tables.audit.attacks.membership_attack import membership_attacks
from tokumei.tables.audit.released_columns import read_released_columns
from tokumei.tables.audit.singling_out import audit_singling_out

pytestmark = [pytest.mark.data, pytest.mark.long]
QI = [
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "salary-class"),
]


def figures(name, *frames, model="together", known=None):
    """AUC and the share found at 1 % and 10 %."""
    seen, member = seen_of(case_of(*frames, known=known), model)
    scores = membership_attacks.build(name).scores(seen)
    found = MembershipFigures.of(scores[member], scores[~member])
    return found.auc.value, found.tpr[0.01].value, found.tpr[0.1].value


def reached(found, wanted):
    """Every figure as high as another, to three digits."""
    assert all(round(one, 3) >= other for one, other in zip(found, wanted, strict=True)), found


@pytest.mark.parametrize(
    ("name", "model", "wanted"),
    [
        ("dcr", "together", (0.752, 0.3, 0.5)),
        ("ratio", "together", (0.744, 0.38, 0.5)),
        ("explain", "alone", (0.751, 0.39, 0.505)),
        ("explain", "together", (0.789, 0.475, 0.62)),
    ],
)
def test_housing(real_data, name, model, wanted):
    folder = real_data / "synth_mia" / "housing"
    parts = [pl.read_csv(folder / f"{one}.csv") for one in ("synth", "mem", "non_mem", "ref")]
    reached(figures(name, *parts, model=model), wanted)


@pytest.mark.parametrize(
    ("name", "wanted"), [("dcr", (0.745, 0.172, 0.43)), ("explain", (0.767, 0.26, 0.514))]
)
def test_insurance(real_data, name, wanted):
    """The mean of ten draws of control and reference."""
    folder = real_data / "synth_mia" / "insurance"
    release, members, others = (
        pl.read_csv(folder / f"{one}.csv")
        for one in ("bayesian_network_synth_250", "train_set", "holdout_set")
    )
    draws = []
    for seed in range(10):
        order = np.random.default_rng(seed).permutation(others.height)
        parts = release, members, others[order[:250]], others[order[250:500]]
        draws.append(figures(name, *parts))
    reached(np.mean(draws, axis=0), wanted)


@pytest.fixture(scope="module")
def adult(real_data):
    """10,000 members, 10,000 control, 10,162 reference."""
    rows = pl.read_csv(real_data / "adult" / "adult.csv", separator=";")
    order = np.random.default_rng(2026).permutation(rows.height)
    return rows[order[:10_000]], rows[order[10_000:20_000]], rows[order[20_000:]]


@pytest.fixture(scope="module")
def mondrian(adult):
    table = tk.Table.of(adult[0], qi=QI, sa=["occupation"])
    return tk.anonymize(table, "mondrian", k=5, seed=1, sets=["all"]).public.frame


@pytest.mark.parametrize(
    ("known", "model", "wanted"),
    [
        (QI, "together", (0.723, 0.075, 0.297)),
        ([*QI, "occupation"], "together", (0.869, 0.306, 0.459)),
        (QI, "alone", (0.681, 0.035, 0.206)),
    ],
    ids=["QI", "QI and occupation", "alone"],
)
def test_adult_in_boxes(adult, mondrian, known, model, wanted):
    reached(figures("box", mondrian, *adult, model=model, known=known), wanted)


def test_adult_copied(adult):
    """The ceiling: a third of the controls equal a member in all nine columns."""
    auc, few, more = figures("explain", adult[0], *adult)
    assert auc >= 0.95
    assert more >= 0.8
    assert few >= 0.59


def test_nobody_is_in_a_release_of_strangers(adult):
    members, control, others = adult
    parts = others[:5081], members, control, others[5081:]
    for name in ("dcr", "ratio", "explain", "box"):
        assert figures(name, *parts)[0] == pytest.approx(0.5, abs=0.01), name


@pytest.mark.parametrize(("copied", "predicates"), [(True, 34_666), (False, 36_331)])
def test_all_predicates_of_four_columns(adult, copied, predicates):
    members, control, others = adult
    release = members if copied else others[:10_000]
    columns = read_released_columns(
        members.columns, release, members, pl.concat([members, control]), {}
    )
    found = audit_singling_out(columns, 10_000, rng=Randomness(1))[1]
    assert found.predicates == predicates
    if copied:
        assert found.risk.value == 1
    else:
        assert found.risk.low < 0 < found.risk.high
