"""A program of a user, as its type checker sees it; `test_consumer.py` has it checked.

Nothing built in may be `Any`: `assert_type` fails if it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

import polars as pl
from pyspark.sql import DataFrame, SparkSession

import tokumei as tk
from tokumei.extending import AttackRate, AttackResults, Kind, MeasureResults
from tokumei.histories import HistoryHits
from tokumei.spark import SparkHistoryRelease, SparkRelease, read_spark_history


def tables(frame: pl.DataFrame, out: Path) -> None:
    people = tk.sample_table(100, seed=1)
    assert_type(people, tk.Table)
    assert_type(tk.read_table("people.csv", qi=["age"], sa=["pay"]), tk.Table)
    assert_type(tk.read("people.csv"), tk.Table)
    assert_type(tk.sample("tables", 100), tk.Table)
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    assert_type(release, tk.Release)
    assert_type(tk.anonymize(frame, "mondrian", k=5, qi=["age"], sa=["pay"]), tk.Release)
    assert_type(release.claims, tuple[tk.Claim, ...])
    assert_type(tk.attack(people, release, seed=1), AttackResults[AttackRate])
    assert_type(tk.attack(frame, release)["linkage"].rate, float)
    assert_type(tk.measure(people, release), MeasureResults[tk.Score])
    assert_type(tk.measure(frame, frame)["U5"].value, float)
    assert_type(tk.check(frame, qi=["age"], k=5), list[tk.Fault])
    assert_type(tk.sweep(people, "mondrian", [2, 5]).best.loss, float)
    assert_type(tk.render(tk.risk(people), lang="ja"), str)
    tk.save(release, out / "public.csv", secret=out / "link.csv")


def histories(out: Path) -> None:
    sales = tk.sample_history(1000, seed=1)
    assert_type(sales, tk.History)
    assert_type(tk.read_history("sales.csv"), tk.History)
    assert_type(tk.sample("histories", 100), tk.History)
    release = tk.anonymize(sales, "rank-match", k=3)
    assert_type(release, tk.HistoryRelease)
    assert_type(tk.attack(sales, release), AttackResults[HistoryHits])
    assert_type(tk.measure(sales, release), MeasureResults[tk.Score])
    assert_type(tk.sweep(sales, "rank-match", [2, 3]).best.risk, float)
    assert_type(tk.unicity(sales)[0].share, float)
    tk.save(release, out / "public.csv", secret=out / "people.csv")


def pseudonyms(out: Path) -> None:
    months = tk.pseudonyms.sample_periods(1000, seed=1)
    assert_type(months, tk.PeriodHistory)
    assert_type(tk.read_history("T.csv", format="pws2017", master="M.csv"), tk.PeriodHistory)
    assert_type(tk.sample("pseudonyms", 100), tk.PeriodHistory)
    release = tk.anonymize(months, "pseudonyms", lifetime=1)
    assert_type(release, tk.PeriodRelease)
    assert_type(tk.attack(months, release), dict[str, dict[str, tk.Score]])
    assert_type(tk.measure(months, release), MeasureResults[tk.Score])
    assert_type(tk.lifetime(months), tk.pseudonyms.LifetimeCurve)
    tk.save(release, out / "S.csv", secret=out / "F.csv")


def on_a_cluster(session: SparkSession, people: DataFrame) -> None:
    release = tk.anonymize(people, "local", k=5, qi=["age"])
    assert_type(release, SparkRelease)
    assert_type(release.frame, DataFrame)
    assert_type(tk.measure(people, release.frame), MeasureResults[tk.Score])
    tk.spark.save_on_spark(release, "hdfs:///released.parquet")
    sales = read_spark_history(session, "hdfs:///T.csv", format="pws2018")
    assert_type(tk.anonymize(sales, "rank-match", k=6), SparkHistoryRelease)


def other_kinds(ratings: Any) -> None:
    assert_type(tk.kind("ratings"), Kind)
    assert_type(tk.anonymize(ratings, "hide"), Any)


def prices(frame: pl.DataFrame) -> None:
    session = tk.price.PriceSession(frame, tk.price.PriceList.read("prices.csv"))
    assert_type(session.release(session.ask(tk.price.Question(k=5))), tk.Release)
