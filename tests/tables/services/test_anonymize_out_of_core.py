"""`--engine spark` on the command line: the release, what is missing, a driver that is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import tokumei as tk
from apps.cli.spark_command_samples import ANONYMIZE, HISTORY
from support.command_line import run
from support.spark_cluster import SETTINGS
from support.waiting import wait_until
from tokumei.files.spark import session as spark_session

SOURCES = Path(__file__).parents[3] / "src"


QI = "household_size,head_age_band,occupation,region"


on_cluster = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


alone = [pytest.mark.cluster(before_sessions=True), pytest.mark.xdist_group("spark")]


def people(rows):
    return tk.sample_table(rows, seed=1).frame.select(*QI.split(","), "food", "earners")


class TestKilledDriver:
    """Before any session of this process is open: it would hold the cores."""

    pytestmark = alone

    def test_no_output_path_exists(self, cluster, tmp_path):
        people(3000).write_csv(tmp_path / "t.csv")
        command = f"-m tokumei anonymize table --engine spark --method local --qi {QI}".split()
        files = ["--data", tmp_path / "t.csv", "--out", tmp_path / "out.csv"]
        settings = " ".join(f"--conf '{name}={value}'" for name, value in SETTINGS.items())
        driver = subprocess.Popen(
            [sys.executable, *command, "--master", cluster.master, *map(str, files)],
            env=os.environ
            | {"PYTHONPATH": str(SOURCES), "PYSPARK_SUBMIT_ARGS": f"{settings} pyspark-shell"},
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            hidden = self.wait_for_rows(tmp_path, driver)
        finally:
            os.killpg(driver.pid, signal.SIGKILL)
            driver.communicate()
        assert hidden.name.startswith(".tokumei-")
        assert not (tmp_path / "out.csv").exists()
        assert not (tmp_path / "out.csv.manifest.json").exists()

    def wait_for_rows(self, folder, driver):
        """The hidden folder, once rows are being written there."""

        def hidden():
            if driver.poll() is not None:
                pytest.fail(driver.stderr.read().decode()[-2000:])
            return [*folder.glob(".tokumei-*")]

        return wait_until(hidden, what="a hidden folder")[0]


class TestCommand:
    """In this process, which has a session already."""

    pytestmark = on_cluster

    def test_anonymize_and_check(self, spark, cluster, tmp_path, capsys):
        people(400).write_csv(tmp_path / "t.csv")
        where = ("--engine", "spark", "--master", cluster.master)
        code, out, err = run(
            capsys, "anonymize", "table", *where, "--data", tmp_path / "t.csv", "--qi", QI,
            "--sa", "food", "--k", "4", "--method", "mondrian", "--seed", "1", "--json",
            "--out", tmp_path / "out.parquet",
        )  # fmt: skip
        assert code == 0, err
        assert json.loads(out)["rows"] == 400
        assert re.search(r"400 rows, \d+ distinct tuples", err)
        assert "they fit on the driver" in err
        assert "passed unchanged: earners" in err
        check = ("check", *where, "--release", tmp_path / "out.parquet", "--qi", QI)
        assert run(capsys, *check, "--k", "4")[:2] == (0, "No violation was found.\n")
        code, out, _ = run(capsys, *check, "--k", "300", "--json")
        assert code == 1
        assert json.loads(out)["total"] > 0
        code, _, err = run(capsys, "anonymize", "table", *where, "--data", tmp_path / "t.csv",
                           "--qi", QI, "--out", tmp_path / "out.parquet")  # fmt: skip
        assert code == 2
        assert "exists already" in err

    def test_roles_must_be_named(self, spark, cluster, tmp_path, capsys):
        code, _, err = run(capsys, "anonymize", "table", "--engine", "spark", "--master",
                           cluster.master, "--data", "x.csv", "--out", "y.csv")  # fmt: skip
        assert code == 2
        assert "name the quasi-identifiers with --qi" in err


def test_missing_pyspark_is_one_sentence_with_the_remedy(monkeypatch, capsys):
    monkeypatch.setattr(spark_session, "find_spec", lambda name: None)
    code, _, err = run(capsys, *ANONYMIZE, "--engine", "spark", "--master", "local")
    assert code == 2
    assert err == 'Error: the Spark engine needs PySpark: pip install "tokumei[spark]"\n'
    _, _, err = run(capsys, *ANONYMIZE, "--engine", "spark", "--lang", "ja")
    assert err == ('エラー: Spark エンジンには PySpark が必要です: pip install "tokumei[spark]"\n')


def test_missing_java_is_one_sentence_with_the_remedy(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    code, _, err = run(capsys, *ANONYMIZE, "--engine", "spark", "--master", "local")
    assert code == 2
    assert err.startswith("Error: the Spark engine needs Java 17 or newer: install it")
    assert err.count("\n") == 1


def test_a_master_is_needed(monkeypatch, capsys):
    monkeypatch.setattr(spark_session.shutil, "which", lambda *args, **options: "java")
    code, _, err = run(capsys, *ANONYMIZE, "--engine", "spark")
    assert (code, "needs --cluster" in err) == (2, True)


def test_a_method_that_needs_all_rows_in_one_place_says_what_spark_can_do(capsys):
    """The default is the same everywhere; nothing else is quietly done instead."""
    code, _, err = run(capsys, *HISTORY, "--cluster", "local")
    assert (code, "use rank-match on Spark, or --engine local" in err) == (2, True)
