"""Tests of tokumei.tables.anonymization.spark."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from support.waiting import join
from tables.anonymization.spark_fixtures import QI, SA, collected, local, on_spark, rows_of
from tables.anonymization.spark_fixtures import people as people
from tables.anonymization.spark_fixtures import release as release
from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.files.spark.table_files import SparkTable, read_spark_table
from tokumei.tables.anonymization import spark_fragments
from tokumei.tables.anonymization.in_memory import build_method, make_release
from tokumei.tables.anonymization.out_of_core import Roles
from tokumei.tables.anonymization.spark import anonymize_on_spark, check_on_spark, save_on_spark
from tokumei.tables.data.reading import read_table
from tokumei.tables.verification.claims import claim_violations
from tokumei.tables.verification.out_of_core import spark_violations

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


TRIES = 10


def written(path):
    """The text rows of a folder of CSV files."""
    return pl.concat([pl.read_csv(part, infer_schema=False) for part in path.glob("part-*")])


@pytest.mark.parametrize(
    ("name", "params", "parts"),
    [
        ("local", {"k": 4}, 1),
        ("local", {"k": 4}, 7),
        ("flash", {"k": 4, "suppression": 0.1}, 2),
        ("datafly", {"k": 4, "suppression": 0.02}, 3),
        ("mondrian", {"k": 4}, 5),
        ("mondrian-hierarchical", {"k": 4, "hierarchies": "auto"}, 2),
        ("local", {"k": 4, "conditions": ["l=2"], "sensitive": ["head_sex"]}, 2),
    ],
)
def test_recodings_are_those_of_the_local_engine(spark, people, name, params, parts):
    method = build_method(name, params)
    wanted, found = local(people, method), on_spark(spark, people, method, parts=parts)
    assert rows_of(collected(found)) == rows_of(wanted.public.with_text().frame)
    assert found.rows == wanted.public.rows
    assert found.claims == wanted.claims
    assert found.provenance.searches == wanted.provenance.searches
    assert [column.role for column in found.schema.columns] == [
        column.role for column in wanted.public.schema.columns
    ]


def test_persons_are_counted_and_dropped(spark, people):
    method = build_method("local", {"k": 3, "person": "id"})
    wanted, found = local(people, method), on_spark(spark, people, method)
    assert rows_of(collected(found)) == rows_of(wanted.public.with_text().frame)
    assert found.claims == wanted.claims
    assert "id" not in found.frame.columns


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_files_are_those_of_the_local_command(spark, people, tmp_path, form):
    method = build_method("local", {"k": 4})
    out = tmp_path / f"out.{form}"
    release = on_spark(spark, people, method, as_text=form == "csv")
    tk.spark.save_on_spark(release, str(out), secret=str(tmp_path / "secret.csv"))
    tk.save(local(people, method), tmp_path / f"local.{form}")
    read = written if form == "csv" else lambda path: pl.read_parquet(path / "*.parquet")
    here = (
        pl.read_csv(tmp_path / "local.csv", infer_schema=False)
        if form == "csv"
        else (pl.read_parquet(tmp_path / "local.parquet"))
    )
    assert read(out).schema == here.schema
    assert rows_of(read(out)) == rows_of(here)
    names = {path.name for path in tmp_path.iterdir()} - {
        f"local.{form}",
        f"local.{form}.manifest.json",
    }
    assert names == {out.name, f"{out.name}.manifest.json", "secret.csv.provenance.json"}
    assert (tmp_path / "secret.csv.provenance.json").stat().st_mode & 0o777 == 0o600
    assert '"seed"' not in Path(f"{out}.manifest.json").read_text()


def test_the_order_of_the_source_is_gone(spark, tmp_path):
    """Rows are numbered in a column that passes; released, the numbers are in another order."""
    frame = pl.DataFrame({"q": [1] * 500, "n": range(500)})
    frame.write_parquet(tmp_path / "t.parquet")
    source = read_spark_table(spark, str(tmp_path / "t.parquet"))
    method = build_method("local", {"k": 4})

    def order(seed, *, keep=False):
        release = anonymize_on_spark(source, method, Roles(["q"]), seed=seed, keep_order=keep)
        return [row.n for row in release.frame.collect()]

    kept, first, again, other = order(1, keep=True), order(1), order(1), order(None)
    assert kept == list(range(500))
    assert first == again
    assert sorted(first) == sorted(other) == kept
    assert len({tuple(kept), tuple(first), tuple(other)}) == 3
    # Neighbours are torn apart: of 500 rows about one keeps its successor.
    assert sum(b - a == 1 for a, b in pairwise(first)) < 20


def test_the_secret_of_the_order_is_in_no_plan(release):
    secret = Randomness(1).child("shuffle").generator.bytes(32).hex()
    plan = release.frame._jdf.queryExecution().toString()
    assert "tokumei_secret" in plan
    assert secret not in plan


def test_a_broken_claim_leaves_nothing(release, tmp_path):
    false = replace(release, claims=(Claim("k-anonymity", {"k": 400, "columns": QI}),))
    with pytest.raises(ClaimError, match="nothing is written") as caught:
        tk.spark.save_on_spark(false, str(tmp_path / "out.csv"))
    assert "k = 400 needed" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "claim",
    [
        Claim("k-anonymity", {"k": 40, "columns": ["region"]}),
        Claim("k-per-person", {"k": 40, "columns": ["region"], "person": "id"}),
        Claim("l-diversity", {"l": 3, "columns": ["region"], "sensitive": ["head_sex"]}),
        Claim("alpha-k", {"alpha": 0.8, "k": 40, "columns": ["region"], "sensitive": ["head_sex"]}),
        Claim("no-identifiers", {"columns": ["id", "x"]}),
    ],
    ids=lambda claim: claim.rule,
)
def test_models_are_judged_on_the_cluster_as_here(spark, people, claim):
    found = spark_violations(read_spark_table(spark, str(people)), [claim])
    wanted = claim_violations(tk.Table.of(read_table(people).frame), [claim])
    assert found.total == len(wanted) > 0
    assert [fault.rule for fault in found.faults] == [fault.rule for fault in wanted]
    assert all(fault.line is None for fault in found.faults)


def test_cells_are_checked_as_text(spark, tmp_path):
    """1 and 1.0 are one number, but whoever opens the file tells them apart."""
    (tmp_path / "t.csv").write_text("a,b\n1,x\n1.0,x\n2,x\n2.00,x\n")
    table = read_spark_table(spark, str(tmp_path / "t.csv"))
    claim = Claim("k-anonymity", {"k": 2, "columns": ["a"]})
    assert check_on_spark(table, [claim], columns=["a"]).total == 4


SIGNED = pl.DataFrame({"q": ["a"] * 4 + ["b"] * 4, "s": [0.0, 1.0] * 2 + [-0.0, 1.0] * 2})


@pytest.mark.parametrize("end", ["csv", "parquet"])
@pytest.mark.parametrize(("t", "classes"), [("t=0.1", 1), ("t=0.3", 2)])
def test_signed_zeros_are_two_texts_on_a_cluster(spark, tmp_path, t, classes, end):
    """As numbers both classes are alike; written, they are at distance ¼ from the whole."""
    SIGNED.write_parquet(tmp_path / "x.parquet")
    table = read_spark_table(spark, str(tmp_path / "x.parquet"))
    method = build_method("local", {"k": 2, "conditions": (t,), "sensitive": ("s",)})
    release = anonymize_on_spark(table, method, Roles(["q"]), as_text=end == "csv")
    save_on_spark(release, str(tmp_path / f"y.{end}"))
    there = read_spark_table(spark, str(tmp_path / f"y.{end}"))
    assert there.frame.select("q").distinct().count() == classes
    claim = Claim("t-closeness", {"t": 0.1, "columns": ["q"], "sensitive": ["s"]})
    assert (spark_violations(there, [claim]).total == 0) == (classes == 1)


def test_passing_columns_keep_their_digits_on_a_cluster(spark, tmp_path):
    cells = ["1234567890123456.1", "0.50", "-0", "7"]
    lines = [f"{'ab'[n % 2]},{cell}\n" for n, cell in enumerate(cells)]
    (tmp_path / "x.csv").write_text("q,passes\n" + "".join(lines))
    table = read_spark_table(spark, str(tmp_path / "x.csv"))
    for end in ("csv", "parquet"):
        method, out = build_method("local", {"k": 2}), str(tmp_path / f"y.{end}")
        release = anonymize_on_spark(table, method, Roles(["q"]), as_text=end == "csv")
        save_on_spark(release, out)
        rows = read_spark_table(spark, out).frame.select("passes").collect()
        assert sorted(row[0] for row in rows) == sorted(cells)


def test_fragments_lose_hardly_more_and_keep_k(spark, tmp_path, monkeypatch):
    """Cuts learned on a third of the rows; the loss is within two percent of the local one's."""
    random = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": random.integers(0, 90, 6000),
            "income": random.lognormal(3, 1, 6000).round(2),
            "zip": random.integers(0, 300, 6000),
            "job": random.choice(["a", "b", "c", "d"], 6000, p=[0.5, 0.3, 0.15, 0.05]),
            "n": range(6000),
        }
    )
    frame = frame.with_columns(pl.when(pl.col("n") % 50 != 0).then("zip").alias("zip"))
    frame.write_csv(tmp_path / "t.csv")
    qi, method = ["age", "income", "zip", "job"], build_method("mondrian", {"k": 5})
    told = []
    monkeypatch.setattr(spark_fragments, "SAMPLE_ROWS", 2000)
    release = anonymize_on_spark(
        read_spark_table(spark, str(tmp_path / "t.csv")),
        method,
        Roles(qi),
        seed=1,
        as_text=True,
        fragments=6,
        tell=told.append,
    )
    tk.spark.save_on_spark(release, str(tmp_path / "out.csv"))
    found = pl.concat(
        [
            read_table(part).frame.select(pl.all().cast(pl.String))
            for part in (tmp_path / "out.csv").glob("part-*")
        ]
    )
    found = found.sort(pl.col("n").cast(pl.Int64))
    assert found["n"].to_list() == [str(n) for n in range(6000)]
    assert found.group_by(qi).len()["len"].min() >= 5
    assert "fragments" in told[0].show("en")
    assert "fragments, the smallest of" in told[1].show("en")
    source = tk.Table.of(frame, qi=qi, sa=[])
    loss = [
        tk.measure(source, one, methods=["gcp_sets"])["gcp_sets"].value
        for one in (tk.anonymize(source, method, keep_order=True), found)
    ]
    assert loss[1] <= 1.02 * loss[0]


@pytest.mark.parametrize(
    ("params", "most", "message"),
    [({"k": 4}, 10, "too many distinct tuples"), ({"k": 700}, 1000, "more than the 600 rows")],
)
def test_what_cannot_be_done_is_said(spark, people, params, most, message):
    with pytest.raises(UsageError, match=message):
        on_spark(spark, people, build_method("local", params), most=most)


def test_a_killed_worker_changes_nothing(spark, cluster, tmp_path):
    """kill −9 of a worker and its executor while rows are written: the same rows in the end."""
    frame = pl.concat([tk.sample_table(2000, seed=1).frame.select(*QI, *SA)] * 10)
    frame.with_row_index("n").write_csv(tmp_path / "t.csv")
    source = read_spark_table(spark, str(tmp_path / "t.csv"))
    source = SparkTable(source.frame.repartition(16), source.form, source.sep)
    method = build_method("local", {"k": 5})
    release = anonymize_on_spark(source, method, Roles(QI, SA), seed=1, as_text=True)
    for number in range(TRIES):
        out = tmp_path / f"out{number}.csv"
        work = threading.Thread(target=tk.spark.save_on_spark, args=(release, str(out)))
        work.start()
        if not _is_seen_at_work(spark, work):
            continue
        cluster.kill_worker(1)
        in_time = work.is_alive()
        join(work)
        cluster.start_worker(1)
        cluster.wait_for_worker(1)
        if in_time:
            break
    else:
        pytest.fail(f"no stage was seen at work in {TRIES} tries")
    wanted = make_release(tk.Table.of(read_table(tmp_path / "t.csv", qi=QI, sa=SA)), method, seed=1)
    assert rows_of(written(out)) == rows_of(wanted.public.with_text().frame)


def _is_seen_at_work(spark, work):
    """Wait until a stage has finished some of its tasks and works on others; False: too late."""
    tracker = spark.sparkContext.statusTracker()
    while work.is_alive():
        stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
        if any(one and one.numCompletedTasks and one.numActiveTasks for one in stages):
            return True
        time.sleep(0.005)
    return False
