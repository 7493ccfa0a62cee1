"""The whole audit: planted errors are found, odd files are answered or refused by name."""

import json

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tables.audit.audit_samples import FAST, warned
from tables.audit.people import mixed
from tokumei.core.json_types import as_json_text

ROLES = {"qi": ["age", "town", "work"], "sa": ["ill"]}


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(0)
    return {
        "members": mixed(rng, 150),
        "control": mixed(rng, 120),
        "reference": mixed(rng, 100),
    }


def decades(frame):
    low = pl.col("age") // 10 * 10
    return frame.with_columns(pl.format("[{};{}]", low, low + 9).alias("age"))


def test_a_control_of_another_population_is_warned_of(people):
    other = people["control"].with_columns(pl.col("age") + 20)
    found = tk.audit(people["members"], **people | {"control": other}, **FAST)
    assert found.warnings[0].show("en").startswith("control differs from members")
    assert found.control_test.differs
    assert found.membership.reweighted is not None


def test_strata_take_out_what_the_populations_differ_by():
    """A release of strangers: without strata a shift between the populations looks like leakage."""
    rng = np.random.default_rng(3)
    shifts = {"release": 0.0, "members": 0.0, "control": 1.0}
    parts = {
        name: pl.DataFrame({"a": rng.normal(shift, 1, 500), "b": rng.normal(0, 1, 500)})
        for name, shift in shifts.items()
    }
    found = tk.audit(parts.pop("release"), **parts, **FAST)
    assert found.membership.corrected.low > 0.55
    assert found.membership.reweighted.low < 0.5 < found.membership.reweighted.high
    assert "ten strata" in tk.render(found)


def test_exchanged_files_are_warned_of(people):
    assert "exchanged" in warned(tk.audit(people["control"], **people, **FAST))


def test_a_random_split_is_not_warned_of(people):
    said = [str(warning) for warning in tk.audit(people["members"], **people, **FAST).warnings]
    assert [warning for warning in said if "too few" not in warning] == []


def test_a_person_in_two_files_is_refused(people):
    named = {
        name: frame.with_columns(pl.Series("id", np.arange(frame.height) + 1000 * n))
        for n, (name, frame) in enumerate(people.items())
    }
    named["reference"] = named["reference"].with_columns(pl.col("id") - 1995)
    with pytest.raises(tk.InputError, match=r"control, line \d+, column 'id'|members, line"):
        tk.audit(people["members"], **named, person="id", **FAST)


def test_a_passed_unique_column_is_found(people):
    """Rows are generalized to nothing, but a number that only one has goes with them."""
    rng = np.random.default_rng(4)
    numbered = {
        name: frame.with_columns(pl.Series("code", rng.permutation(10**6)[: frame.height]))
        for name, frame in people.items()
    }
    release = numbered["members"].with_columns(age=pl.lit("*"), town=pl.lit("*"), work=pl.lit("*"))
    found = tk.audit(release, **numbered, **FAST)
    assert found.membership.best.auc.value >= 0.998


def test_cells_that_nothing_explains_are_listed(people):
    strange = people["members"].with_columns(
        pl.Series("town", [f"?{i % 7}" for i in range(150)]),
        pl.Series("work", [f"#{i % 3}" for i in range(150)]),
    )
    with pytest.raises(tk.InputError) as refused:
        tk.audit(strange, **people, **ROLES, **FAST)
    assert {fault.column for fault in refused.value.faults} == {"town", "work"}


def test_an_interval_with_wrong_ends_is_refused(people):
    wrong = decades(people["members"]).with_columns(
        pl.when(pl.int_range(pl.len()) == 3).then(pl.lit("[60;20]")).otherwise("age").alias("age")
    )
    with pytest.raises(tk.InputError, match="column 'age'"):
        tk.audit(wrong, **people, **FAST)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"control": lambda f: f.drop("town")}, "column 'town': control lacks it"),
        ({"control": lambda f: f[:20]}, "20 controls: at least 30"),
        ({"members": lambda f: f[:0]}, "0 members: at least 30"),
        (
            {"reference": lambda f: f.with_columns(pl.col("age").cast(pl.String) + "y")},
            "column 'age': types differ",
        ),
        (
            {"control": lambda f: f.with_columns(pl.col("age") + float("inf"))},
            "control, line 2, column 'age': a number that is not finite",
        ),
    ],
)
def test_files_that_do_not_fit_are_refused_by_name(people, change, message):
    wrong = {name: change.get(name, lambda f: f)(frame) for name, frame in people.items()}
    with pytest.raises(tk.InputError) as refused:
        tk.audit(people["members"], **wrong, **FAST)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "wrong", [{"kinds": ["x"]}, {"model": "x"}, {"known": ["x"]}, {"groups": ["x"]}, {"qi": ["x"]}]
)
def test_unknown_names_are_refused(people, wrong):
    with pytest.raises(tk.UsageError):
        tk.audit(people["members"], **people, **wrong)


def gaps(frame, rng):
    """The same with a fifth of the cells missing."""
    lost = {name: pl.Series(rng.random(frame.height) < 0.2) for name in frame.columns}
    return frame.with_columns(
        pl.when(lost[name]).then(None).otherwise(pl.col(name)).alias(name) for name in frame.columns
    )


RELEASES = {
    "one row": lambda f: f[:1],
    "few rows": lambda f: f[:40],
    "more rows": lambda f: pl.concat([f, f, f]),
    "all suppressed": lambda f: f.with_columns(pl.lit("*").alias(name) for name in f.columns),
    "sensitive suppressed": lambda f: decades(f).with_columns(ill=pl.lit("*")),
    "a column less": lambda f: f.drop("work"),
    "constant": lambda f: f.with_columns(town=pl.lit("a")),
    "gaps": lambda f: gaps(f, np.random.default_rng(1)),
    "numbers and stars": lambda f: f.with_columns(
        pl.when(pl.int_range(pl.len()) % 9 == 0)
        .then(pl.lit("*"))
        .otherwise(pl.col("age").cast(pl.String))
        .alias("age")
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("model", ["together", "alone"])
@pytest.mark.parametrize("name", RELEASES)
def test_odd_releases_are_answered(people, name, model):
    release = RELEASES[name](people["members"])
    qi = [column for column in ROLES["qi"] if column in release.columns]
    found = tk.audit(release, **people, qi=qi, sa=["ill"], model=model, groups=["town"], seed=1)
    data = json.loads(as_json_text(found.as_json()))
    assert data["counts"]["release"] == release.height
    best = found.membership.corrected
    assert 0 <= best.low <= best.value <= best.high <= 1
    for lang in ("en", "ja"):
        page = tk.render(found, lang=lang)
        first = page[page.index('class="hero"') : page.index('id="who"')]
        assert not any(word in first for word in ("AUC", "TPR", "FPR"))
        assert not any(word in page.lower() for word in ("is safe", "is anonymous", "no risk"))


def test_all_suppressed_rows_tell_nothing_and_are_counted(people):
    release = people["members"].with_columns(
        pl.lit("*").alias(name) for name in people["members"].columns
    )
    found = tk.audit(release, **people, **FAST)
    assert found.counts["suppressed_rows"] == 150
    assert {one.figures.auc.value for one in found.membership.attacks.values()} == {0.5}


def test_a_sensitive_column_that_says_nothing_beside_exact_ones_is_no_risk(people):
    release = people["members"].with_columns(ill=pl.lit(None, dtype=pl.String))
    found = tk.audit(release, **people, **ROLES, kinds=["attribute"], seed=1).attributes["ill"]
    assert found.untold == 150
    assert "forest" not in found.attacks
    assert found.corrected.low < 0 < found.corrected.high


def test_no_value_of_a_person_is_shown(people):
    """Groups that were named are; nothing else is."""
    marked = {
        name: frame.with_columns(pl.lit("zebra").alias("town")) for name, frame in people.items()
    }
    found = tk.audit(marked["members"], **marked, **ROLES, seed=1, kinds=["singling-out"])
    assert "zebra" not in tk.render(found) + as_json_text(found.as_json())


def test_the_same_seed_gives_the_same_figures(people):
    once, again = (
        tk.audit(people["members"], **people, **FAST, groups=["town"]).as_json() for _ in "ab"
    )
    for one in (once, again):
        for attack in one["membership"]["attacks"].values():
            attack.pop("seconds")
    assert once == again


def test_fewer_targets_leave_bystanders_who_compete(people):
    found = tk.audit(people["members"], **people, targets=60, **FAST)
    assert found.counts["targets"] == 120
    assert found.counts["bystanders"] == 150 + 120 - 120


def test_a_release_of_tokumei_brings_its_roles_and_hierarchies(people):
    table = tk.Table.of(people["members"], **ROLES)
    release = tk.anonymize(table, "mondrian", k=5, seed=1)
    found = tk.audit(release, **people, kinds=["membership", "singling-out"], seed=1)
    assert set(found.qi) == set(ROLES["qi"])
    assert found.membership.corrected.low > 0.5


def test_people_are_split_whole():
    rows = pl.DataFrame({"who": np.repeat(np.arange(200), 2), "x": np.arange(400)})
    parts = tk.tables.split_people(rows, control=0.3, reference=0.2, person="who", seed=1)
    sets = [set(part.frame["who"]) for part in parts.values()]
    assert [len(one) for one in sets] == [100, 60, 40]
    assert len(set.union(*sets)) == 200


@pytest.mark.parametrize("gap", [None, "", "  "])
def test_rows_that_name_nobody_are_people_of_their_own(gap):
    who = [gap] * 120 + [f"p{i // 2}" for i in range(80)]
    rows = pl.DataFrame({"who": who, "x": range(200)})
    parts = tk.tables.split_people(rows, control=0.3, reference=0.2, person="who", seed=1)
    nobody = [part.frame["who"].is_in([gap], nulls_equal=True).sum() for part in parts.values()]
    assert sum(nobody) == 120
    assert min(nobody) > 10
    named = [set(part.frame["who"]) - {gap} for part in parts.values()]
    assert sum(len(one) for one in named) == 40


@pytest.mark.parametrize("shares", [(0, 0.2), (0.8, 0.2), (0.5, -0.1)])
def test_shares_leave_members(shares):
    rows = pl.DataFrame({"x": range(100)})
    with pytest.raises(tk.UsageError):
        tk.tables.split_people(rows, control=shares[0], reference=shares[1])


def test_a_noised_number_is_no_cell_even_with_a_hierarchy(people, tmp_path):
    """Ages that nobody has, but that are leaves of the hierarchy, are values all the same."""
    lines = [f"{age};{age // 10 * 10}-{age // 10 * 10 + 9};*" for age in range(10, 100)]
    (tmp_path / "age.csv").write_text("\n".join(lines) + "\n")
    noise = np.random.default_rng(3).integers(-8, 9, people["members"].height)
    release = people["members"].with_columns(age=pl.col("age") + noise)
    plain = tk.audit(release, **people, **FAST)
    found = tk.audit(release, **people, **FAST, hierarchies={"age": str(tmp_path / "age.csv")})
    assert "dcr" in found.membership.attacks
    assert found.membership.corrected == plain.membership.corrected


def test_years_and_first_digits_are_read_as_what_they_stand_for(people):
    """Neither a year beside dates nor 015 beside 0150001 is a value that nobody has."""
    rng = np.random.default_rng(6)
    dated = {
        name: frame.with_columns(
            born=pl.date(1950, 1, 1)
            + pl.duration(days=pl.Series(rng.integers(0, 9000, len(frame)))),
            code=pl.Series([f"0{n:06d}" for n in rng.integers(10_000, 40_000, len(frame))]),
        )
        for name, frame in people.items()
    }
    release = dated["members"].with_columns(
        pl.col("born").dt.year(), pl.col("code").str.head(4), age=pl.lit("*")
    )
    found = tk.audit(release, **dated, known=["born", "code"], **FAST)
    assert "dcr" in found.membership.skipped
    assert found.membership.corrected.low > 0.9
