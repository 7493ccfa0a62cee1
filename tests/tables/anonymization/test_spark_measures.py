"""Measures from counts: the figures of all rows, here and on a cluster."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei.apps.cli.app import main
from tokumei.core.errors import InputError, TokumeiError
from tokumei.files.spark.table_files import read_spark_table
from tokumei.tables.anonymization.spark_measures import MeasuredRoles, measure_on_spark
from tokumei.tables.data.column_kinds import schema_for
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
from tokumei.tables.registry import measures

COUNTED = [name for name in measures.names() if getattr(measures.get(name), "from_counts", False)]


PARAMS = {"population_uniques": {"population": 1000}}


QI = ["household_size", "head_age_band", "region"]


SA = ["food", "housing"]


on_cluster = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


def run(capsys, *args):
    """What was printed by a command that must succeed."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main([str(arg) for arg in args])
    printed = capsys.readouterr()
    assert not stop.value.code, printed.err
    return printed


def side(rows: list[tuple[str, str | None, float]], cells: type) -> pl.DataFrame:
    schema = {"a": pl.String, "n": cells, "v": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row", strict=False)


def counted(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.group_by(frame.columns).agg(pl.len().alias(COUNT_COLUMN))


def table(frame: pl.DataFrame) -> Table:
    return Table(frame, schema_for(frame, qi=["a", "n"], sa=["v"], ids=[]))


VALUES = st.sampled_from([0.0, 1.0, 2.5, 10.0])


ORIGINAL = st.lists(
    st.tuples(st.sampled_from("xyz"), st.sampled_from([1, 2, 5, None]), VALUES),
    min_size=1, max_size=25,
)  # fmt: skip


RELEASED = st.lists(
    st.tuples(
        st.sampled_from(["x", "{x;y}", "*"]), st.sampled_from(["1", "[1;5]", "*", None]), VALUES
    ),
    min_size=1, max_size=25,
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(ORIGINAL, RELEASED)
def test_counts_give_the_figures_of_rows(original, released):
    released = released[: len(original)]
    left, right = side(original, pl.Int64), side(released, pl.String)
    rows = Comparison(table(left), table(right), np.arange(len(released)))
    counts = Comparison(table(counted(left)), table(counted(right)), np.empty(0, dtype=np.int64))
    for name in COUNTED:
        found = [score_or_error(case, name) for case in (rows, counts)]
        if isinstance(found[0], str):
            assert found[0] == found[1]
        else:
            assert found[1].value == pytest.approx(found[0].value, rel=1e-12, abs=1e-12), name
            assert found[1].sample == found[0].sample, name


def score_or_error(case, name):
    try:
        return measures.build(name, PARAMS.get(name, {})).score(case)
    except TokumeiError as error:
        return str(error)


def test_which_measures_counts_suffice_for():
    assert set(measures.names()) - set(COUNTED) == {
        "U5", "entropy_loss", "query_error", "classification", "suda",
        "il1s", "pmse", "pmse_ratio", "specks",
        "regression", "eigenvalues", "sse",
    }  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("measured")
    source = tk.sample_table(300, seed=1).frame.select(*QI, *SA)
    release = tk.anonymize(source, "local", k=4, qi=QI, sa=SA, seed=1).public.frame
    source.write_csv(folder / "x.csv")
    release.head(290).write_csv(folder / "y.csv")
    return folder


class TestCluster:
    """On a cluster: the figures of the local command."""

    pytestmark = on_cluster

    def test_the_local_figures(self, cluster, spark, files, capsys):
        asked = ("measure", "utility", "--original", files / "x.csv", "--release", files / "y.csv",
                 "--qi", ",".join(QI), "--sa", ",".join(SA), "--hierarchies", "auto", "--k", "4",
                 "--json")  # fmt: skip
        more = ("--measures", "default,kl_divergence,separation")
        local = json.loads(run(capsys, *asked, *more).out)
        printed = run(capsys, *asked, *more, "--engine", "spark", "--master", cluster.master)
        found = json.loads(printed.out)
        assert set(local) == set(found)
        assert "U5" not in local  # without the link nobody knows which row is whose
        assert "single rows, which stay on the cluster: U5" in printed.err
        assert found == pytest.approx({name: local[name] for name in found}, rel=1e-12)

    def test_what_the_driver_cannot_take(self, spark, files):
        sides = [read_spark_table(spark, str(files / name)) for name in ("x.csv", "y.csv")]
        found = measure_on_spark(*sides, MeasuredRoles(QI, SA), most=200)
        assert found.too_many == ["U1", "U2", "U4"]
        frames = [one.frame for one in sides]
        assert tk.measure(*frames, qi=QI, methods=["S1"]) == {"S1": found.scores["S1"]}
        with pytest.raises(InputError, match="the driver can hold 10"):
            measure_on_spark(*sides, MeasuredRoles(QI, SA), most=10)


def test_roles_must_be_named(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["measure", "utility", "--engine", "spark", "--original", "x.csv", "--release", "y"])
    assert stop.value.code == 2
    assert "name the quasi-identifiers with --qi" in capsys.readouterr().err
