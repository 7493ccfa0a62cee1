"""Tests of tokumei.histories.spark.release_files."""

from __future__ import annotations

import gzip
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from support.command_line import run
from support.waiting import HUNG_SECONDS, wait_until
from tokumei import save
from tokumei.core.errors import InputError
from tokumei.files.contest_files import to_contest_bytes
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.generalized_history import format_history
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.spark import anonymize as spark_histories
from tokumei.histories.spark.anonymize import anonymize_history_on_spark, bundle_customers
from tokumei.histories.spark.reading import count_customers, read_spark_history
from tokumei.histories.spark.release_files import check_history_on_spark, save_history_on_spark
from tokumei.histories.verification.identical_histories import (
    IdenticalHistories,
    check_identical_on_spark,
)

on_cluster = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


@pytest.fixture(scope="module")
def contest(tmp_path_factory):
    """The same history as one file and as three of odd names and forms, and its local release."""
    folder = tmp_path_factory.mktemp("histories")
    history = tk.sample_history(1500, seed=1)
    data = to_contest_bytes(format_history(history))
    (folder / "T.csv").write_bytes(data)
    (folder / "parts.csv").mkdir()
    lines = data.splitlines(keepends=True)
    for name, start, end in [("a 1.csv", 0, 900), ("a!1.csv.gz", 900, 1000), ("b.csv", 1000, 1500)]:
        # As Windows programs write it.
        part = "\ufeff".encode() + b"".join(lines[start:end]).replace(b"\n", b"\r\n")
        packed = gzip.compress(part) if name.endswith(".gz") else part
        (folder / "parts.csv" / name).write_bytes(packed)
    history = tk.read_history(folder / "T.csv", format="pws2018")
    release = tk.anonymize(history, "rank-match", k=3, seed=5)
    files = {"public": folder / "P.csv", "secret": folder / "S.csv"}
    save(release, aligned=folder / "A.csv", **files, format="pws2018")
    return folder


def joined(folder):
    """The files of a folder, one after the other."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob("part-*")))


def held_in_its_first_task(folder):
    """Rank-match with k = 3, whose first task on the cluster begins but does not end."""

    class Held(RankMatch):
        def groups(self, history, *, rng, prepared=None):
            with suppress(FileExistsError):
                (folder / "begun").symlink_to(Path.cwd())
                time.sleep(3600)
                (folder / "ended").touch()
            return RankMatch(self.k).groups(history, rng=rng, prepared=prepared)

    return Held(3)


def wait_for(path, work):
    """Until the file is there, while the work goes on."""

    def exists():
        assert not work.done(), work.result()
        return path.exists()

    wait_until(exists)


class TestCluster:
    """On a cluster of two workers."""

    pytestmark = on_cluster

    @pytest.mark.parametrize(("data", "cut"), [("T.csv", "10k"), ("parts.csv", "128m")])
    def test_the_local_files_byte_for_byte(self, spark, contest, tmp_path, data, cut):
        cuts = {"spark.sql.files.maxPartitionBytes": cut, "spark.sql.files.openCostInBytes": "1k"}
        for name, value in cuts.items():
            spark.conf.set(name, value)
        try:
            source = read_spark_history(spark, str(contest / data), format="pws2018")
            release = tk.anonymize(source, "rank-match", k=3, seed=5)
            out, public, secret = (str(tmp_path / name) for name in ("A.csv", "P.csv", "S.csv"))
            save_history_on_spark(release, out, public=public, secret=secret)
        finally:
            for name in cuts:
                spark.conf.unset(name)
        assert joined(tmp_path / "A.csv") == (contest / "A.csv").read_bytes()
        assert joined(tmp_path / "P.csv") == (contest / "P.csv").read_bytes()
        assert (tmp_path / "S.csv").read_bytes() == (contest / "S.csv").read_bytes()
        assert (tmp_path / "P.csv.manifest.json").exists()
        assert not list(tmp_path.glob(".tokumei-*"))

    def test_a_killed_worker_changes_nothing(self, spark, cluster, contest, tmp_path, monkeypatch):
        """kill −9 of the worker that generalizes a bundle, while it does: the same bytes."""
        monkeypatch.setattr(
            spark_histories, "bundle_customers", partial(bundle_customers, rows=300)
        )
        spark.conf.set("spark.sql.files.maxPartitionBytes", "10k")
        try:
            source = read_spark_history(spark, str(contest / "T.csv"), format="pws2018")
            release = anonymize_history_on_spark(source, held_in_its_first_task(tmp_path), seed=5)
            out, public = (str(tmp_path / name) for name in ("A.csv", "P.csv"))
            with ThreadPoolExecutor() as pool:
                saved = pool.submit(save_history_on_spark, release, out, public=public)
                wait_for(tmp_path / "begun", saved)
                # An executor runs in a folder of its worker: w0 or w1.
                place = (tmp_path / "begun").readlink().relative_to(cluster.folder.resolve())
                number = int(place.parts[0].removeprefix("w"))
                cluster.kill_worker(number)
                saved.result(2 * HUNG_SECONDS)
                cluster.start_worker(number)
                cluster.wait_for_worker(number)
        finally:
            spark.conf.unset("spark.sql.files.maxPartitionBytes")
        assert not (tmp_path / "ended").exists()
        assert joined(tmp_path / "A.csv") == (contest / "A.csv").read_bytes()
        assert joined(tmp_path / "P.csv") == (contest / "P.csv").read_bytes()

    def test_a_table_with_other_names(self, spark, tmp_path):
        days = [date(2011, 1, day) for day in (1, 2, 3, 4, 5, 6)]
        frame = pl.DataFrame(
            {"w.o": [7, 8, 7, 9, 8, 7], "day": days, "`code": ["a\nx", *"bcabc"],
             "price": [1.5, 2.0, 0.25, 1.5, 3.0, 9.0], "quantity": [1, 2, 3, 4, 5, 6]}
        )  # fmt: skip
        frame.write_parquet(tmp_path / "t.parquet")
        names = {"customer": "w.o", "item": "`code"}
        source = read_spark_history(spark, str(tmp_path / "t.parquet"), columns=names)
        release = anonymize_history_on_spark(source, RankMatch(2), seed=3)
        save_history_on_spark(release, str(tmp_path / "a.parquet"))
        wanted = tk.anonymize(History.of(frame, **names), "rank-match", k=2, seed=3)
        found = pl.read_parquet(tmp_path / "a.parquet" / "*.parquet")
        assert found.equals(wanted.aligned_text())
        assert release.truth.equals(wanted.truth())
        there = spark.read.parquet(str(tmp_path / "t.parquet"))
        again = tk.anonymize(tk.read_history(there, columns=names), "rank-match", k=2, seed=3)
        save_history_on_spark(again, str(tmp_path / "b.parquet"))
        assert pl.read_parquet(tmp_path / "b.parquet" / "*.parquet").equals(found)
        with pytest.raises(InputError, match="a line end in their names"):
            save_history_on_spark(release, str(tmp_path / "a.csv"))

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            (b"/", b"-", "line 701, column 'day'"),
            (b",", b"\0,", "line 701: 1 field"),
            (b",", b"\xff,", "line 701: 1 field"),
        ],
    )
    def test_wrong_lines(self, spark, contest, tmp_path, old, new, told):
        lines = (contest / "T.csv").read_bytes().splitlines()
        lines[700] = lines[700].replace(old, new, 1)
        (tmp_path / "T.csv").write_bytes(b"\n".join(lines) + b"\n\n")
        source = read_spark_history(spark, str(tmp_path / "T.csv"), format="pws2018")
        with pytest.raises(InputError, match=told):
            count_customers(source)

    def test_a_column_is_one_of_a_history_only(self, spark, tmp_path):
        (tmp_path / "t.csv").write_text("customer,day,price,quantity\n1,2011-01-31,2,3\n")
        with pytest.raises(InputError, match="one column cannot be two"):
            read_spark_history(spark, str(tmp_path / "t.csv"), columns={"item": "customer"})

    def test_what_is_no_public_file(self, spark, tmp_path):
        """Neither a file without rows, nor bytes that would look alike when taken for text."""
        path = tmp_path / "P.csv"
        path.write_bytes(b"")
        assert [one.rule for one in check_history_on_spark(spark, str(path), 2).faults] == ["rows"]
        path.write_bytes(b"p,*,\xff,1,1\nq,*,\xfe,1,1\n")
        with pytest.raises(InputError, match="2 line"):
            check_history_on_spark(spark, str(path), 2)

    def test_histories_that_are_not_alike_are_found(self, spark):
        alike = [("p", "*", "a", "1", "1"), ("q", "*", "a", "1", "1"), ("*", "*", "*", "*", "*")]
        cases = [
            alike,
            [*alike, ("q", "*", "a", "1", "1")],
            [*alike, ("p", "1", "a", "1", "1"), ("q", "1", "b", "1", "1")],
        ]
        for rows in cases:
            frame = pl.DataFrame(rows, schema=list(COLUMNS), orient="row")
            found = check_identical_on_spark(spark.createDataFrame(frame.to_arrow()), 2)
            assert found.total == len(IdenticalHistories(2).check(frame))
            assert found.rows == frame.height - 1
        assert [fault.rule for fault in found.faults] == ["identical-histories"] * 2
        with pytest.raises(RuntimeError, match="9 rows should have been written"):
            check_identical_on_spark(spark.createDataFrame(frame.to_arrow()), 2).require_valid(9)

    def test_the_command(self, cluster, spark, contest, tmp_path, capsys):
        where = ("anonymize", "history", "--engine", "spark", "--master", cluster.master)
        files = ("--data", contest / "T.csv", "--public", tmp_path / "P.csv")
        code, _, err = run(capsys, *where, *files, "--method", "aligned")
        assert (code, "use rank-match on Spark" in err) == (2, True)
        code, _, err = run(
            capsys, *where, *files, "--method", "rank-match", "--k", "3", "--seed", "5"
        )
        assert code == 0, err
        assert "verified: every history is shared by at least 3 people" in err
        assert joined(tmp_path / "P.csv") == (contest / "P.csv").read_bytes()
        check = ("check", "--format", "pws2018", "--engine", "spark", "--master", cluster.master,
                 "--public", tmp_path / "P.csv")  # fmt: skip
        assert run(capsys, *check, "--k", "3")[:2] == (0, "No violation was found.\n")
        code, out, _ = run(capsys, *check, "--k", "30")
        assert (code, "k = 30 needed" in out) == (1, True)
        assert run(capsys, *check)[0] == 2
        (tmp_path / "bad.csv").write_text("1,2011/1/31,a,1,1\n1,2\n")
        code, _, err = run(capsys, *check[:-1], tmp_path / "bad.csv", "--k", "2")
        assert (code, "1 line does not have 5 fields" in err) == (2, True)
