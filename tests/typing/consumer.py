"""A program of a user, as its type checker sees it; `test_consumer.py` has it checked.

Nothing built in may be `Any`: `assert_type` fails if it is. What a user must not write is written
here, too: the checker has to refuse it, or else finds an ignore that nothing needs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import polars as pl
from pyspark.sql import DataFrame, SparkSession

import tokumei as tk
from tokumei.advice import Advice, Purpose
from tokumei.conformity import Conformity, ConformityCase
from tokumei.extending import AttackRate, AttackResults, DataKind, Experiment, MeasureResults
from tokumei.histories import HistoryHits
from tokumei.spark import SparkHistoryRelease, SparkRelease, read_spark_history


def tables(frame: pl.DataFrame, out: Path) -> None:
    people = tk.sample_table(100, seed=1)
    assert_type(people, tk.Table)
    assert_type(tk.read_table("people.csv", qi=["age"], sa="pay", header_row=2), tk.Table)
    assert_type(tk.read("people.csv", qi="age", sheet="people"), tk.Table)
    assert_type(tk.sample("tables", 100), tk.Table)
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    assert_type(release, tk.Release)
    assert_type(tk.anonymize(frame, "mondrian", k=5, qi=["age"], sa=["pay"]), tk.Release)
    assert_type(tk.anonymize(frame, qi="age", sa="pay", ids="mail", person="none"), tk.Release)
    assert_type(tk.anonymize(frame, "mondrian,swap", l=2, t=0.2), tk.Release)
    assert_type(tk.anonymize(out / "x.csv", "local", hierarchies="auto", effort="high"), tk.Release)
    assert_type(tk.anonymize(frame, [{"method": "mondrian", "k": 5}]), tk.Release)
    assert_type(release.claims, tuple[tk.Claim, ...])
    tk.save(release, out / "public.csv", secret=out / "link.csv", sep=";", excel=True)


def wrong_tables(frame: pl.DataFrame, release: tk.Release) -> None:
    tk.sample_table("100")  # type: ignore[arg-type]
    tk.read_table(5)  # type: ignore[arg-type]
    tk.read_table("people.csv", header_row="first")  # type: ignore[arg-type]
    tk.read("people.csv", encoding_errors="ignore")  # type: ignore[call-overload]
    tk.sample("tables", "100")  # type: ignore[call-overload]
    tk.anonymize(42, "mondrian")  # type: ignore[call-overload]
    tk.anonymize({"age": [1, 2]}, "mondrian")  # type: ignore[call-overload]
    tk.anonymize(frame, "mondrian", k="five")  # type: ignore[call-overload]
    tk.anonymize(frame, "mondrian", qi=5)  # type: ignore[call-overload]
    tk.anonymize(frame, "mondrian", t="near")  # type: ignore[call-overload]
    tk.anonymize(frame, "mondrian", person=["a", "b"])  # type: ignore[call-overload]
    tk.anonymize(frame, "mondrian", hierarchies=["age"])  # type: ignore[call-overload]
    tk.anonymize(frame, "mondrian", seed="1")  # type: ignore[call-overload]
    tk.anonymize(frame, "mondrian", date_order="ydm")  # type: ignore[call-overload]
    tk.anonymize(frame, 5)  # type: ignore[call-overload]
    tk.save(frame, "public.csv")  # type: ignore[arg-type]
    tk.save(release, 5)  # type: ignore[arg-type]
    tk.save(release, "public.csv", joint_k="5")  # type: ignore[arg-type]


def evaluation(people: tk.Table, frame: pl.DataFrame, release: tk.Release) -> None:
    assert_type(tk.attack(people, release, seed=1), AttackResults[AttackRate])
    assert_type(tk.attack(frame, frame, link=np.arange(3), person="id").best, str)
    assert_type(tk.attack("people.csv", release)["linkage"].rate, float)
    assert_type(tk.measure(people, release, methods="U5"), MeasureResults[tk.Score])
    assert_type(tk.measure(frame, frame)["U5"].value, float)
    assert_type(tk.measure(frame, frame).frame, pl.DataFrame)
    assert_type(tk.check(frame, qi="age", k=5), list[tk.Violation])
    assert_type(tk.sweep(people, "mondrian", [2, 5]).best.loss, float)
    assert_type(tk.render(tk.risk(people), lang="ja"), str)
    assert_type(tk.risk(frame, qi=["age"], population=1000).rows, int)
    assert_type(tk.diagnose(frame, release).methods, list[str])
    assert_type(tk.audit(release, members=frame, control="others.csv").known, tuple[str, ...])
    assert_type(tk.look(frame).rows, int)
    assert_type(tk.look("people.csv", rows=None).as_json(), dict[str, Any])
    assert_type(tk.k_anonymity(release, "age"), int)
    assert_type(tk.l_diversity(frame, ["age"], "ill"), int)
    assert_type(tk.t_closeness(frame, ["age"], "ill"), float)


def wrong_evaluation(frame: pl.DataFrame, release: tk.Release, sales: tk.History) -> None:
    tk.attack(frame, 5)  # type: ignore[call-overload]
    tk.attack(sales, release)  # type: ignore[call-overload]
    tk.attack(frame, release, link=[0, 1])  # type: ignore[call-overload]
    tk.attack(frame, release, method="linkage")  # type: ignore[call-overload]
    tk.attack(frame, release, seed="1")  # type: ignore[call-overload]
    tk.measure(frame, None)  # type: ignore[call-overload]
    tk.measure(frame, release, methods=[5])  # type: ignore[list-item]
    tk.check(frame, k=5)  # type: ignore[call-arg]
    tk.check(frame, qi=["age"], k="5")  # type: ignore[arg-type]
    tk.sweep(5, "mondrian", [2])  # type: ignore[arg-type]
    tk.sweep(frame, "mondrian", 2)  # type: ignore[arg-type]
    tk.render(5)  # type: ignore[arg-type]
    tk.render(tk.risk(frame), lang=5)  # type: ignore[arg-type]
    tk.risk(5)  # type: ignore[arg-type]
    tk.risk(frame, population="many")  # type: ignore[arg-type]
    tk.diagnose(frame, "release.csv")  # type: ignore[arg-type]
    tk.audit(release, members=frame)  # type: ignore[call-arg]
    tk.audit(release, members=5, control=frame)  # type: ignore[arg-type]
    tk.look(5)  # type: ignore[arg-type]
    tk.k_anonymity(5, "age")  # type: ignore[arg-type]
    tk.l_diversity(frame, "age")  # type: ignore[call-arg]
    tk.t_closeness(frame, "age", 5)  # type: ignore[arg-type]


def histories(out: Path) -> None:
    sales = tk.sample_history(1000, seed=1)
    assert_type(sales, tk.History)
    assert_type(tk.read_history("sales.csv"), tk.History)
    assert_type(tk.sample("histories", 100), tk.History)
    release = tk.anonymize(sales, "rank-match", k=3)
    assert_type(release, tk.HistoryRelease)
    assert_type(tk.attack(sales, release, known=sales), AttackResults[HistoryHits])
    assert_type(tk.measure(sales, release), MeasureResults[tk.Score])
    assert_type(tk.sweep(sales, "rank-match", [2, 3]).best.risk, float)
    assert_type(tk.unicity(sales, "item,day")[0].share, float)
    tk.save(release, out / "public.csv", secret=out / "people.csv", aligned=out / "all.csv")


def wrong_histories(sales: tk.History, release: tk.HistoryRelease) -> None:
    tk.sample_history("1000")  # type: ignore[arg-type]
    tk.read_history(5)  # type: ignore[call-overload]
    tk.anonymize(sales)  # type: ignore[call-overload]
    tk.anonymize(sales, "rank-match", k="3")  # type: ignore[call-overload]
    tk.attack(sales, release, known="all")  # type: ignore[call-overload]
    tk.measure(sales, 5)  # type: ignore[call-overload]
    tk.unicity(5)  # type: ignore[arg-type]
    tk.unicity(sales, points=3)  # type: ignore[arg-type]


def pseudonyms(out: Path) -> None:
    months = tk.pseudonyms.sample_periods(1000, seed=1)
    assert_type(months, tk.PeriodHistory)
    assert_type(tk.read_history("T.csv", format="pws2017", master="M.csv"), tk.PeriodHistory)
    assert_type(tk.sample("pseudonyms", 100), tk.PeriodHistory)
    release = tk.anonymize(months, "pseudonyms", lifetime=1)
    assert_type(release, tk.PeriodRelease)
    assert_type(tk.attack(months, release), AttackResults[dict[str, tk.Score]])
    assert_type(tk.measure(months, release), MeasureResults[tk.Score])
    assert_type(tk.lifetime(months), tk.pseudonyms.LifetimeCurve)
    tk.save(release, out / "S.csv", secret=out / "F.csv")
    tk.anonymize(months, "pseudonyms", lifetime="1")  # type: ignore[call-overload]
    tk.attack(months, months)  # type: ignore[call-overload]
    tk.lifetime("T.csv")  # type: ignore[arg-type]


def recipes_and_advice(frame: pl.DataFrame, out: Path) -> None:
    recipe = tk.load_recipe("recipe.yaml")
    assert_type(tk.run_recipe(recipe, seed=1), Experiment)
    assert_type(tk.save_experiment(tk.run_recipe(recipe), out), Path)
    assert_type(tk.advise(frame, Purpose("partner", known=("age",)), steps=3), Advice)
    tk.load_recipe(5)  # type: ignore[arg-type]
    tk.run_recipe("recipe.yaml")  # type: ignore[arg-type]
    tk.save_experiment("results", out)  # type: ignore[arg-type]
    tk.advise(5)  # type: ignore[arg-type]
    tk.advise(frame, "partner")  # type: ignore[arg-type]


def assessment(people: tk.Table, release: tk.Release, frame: pl.DataFrame) -> None:
    assert_type(tk.assess(people, release, recipient="inside"), tk.Assessment)
    assert_type(tk.assess("people.csv", "y.csv", link="link.csv", knows="age"), tk.Assessment)
    assert_type(tk.assess(frame, frame, scenario=tk.Scenario()).to_dict(), dict[str, object])
    assert_type(tk.Scenario.for_recipient("public"), tk.Scenario)
    useful = tk.release(people, "partner", keep=["income"], knows="age")
    assert_type(useful.assessment, tk.Assessment)
    assert_type(useful.save("to-partner"), dict[str, str])
    tk.release(people, "everybody")  # type: ignore[arg-type]
    assert_type(tk.report(release, "report.html", recipient="inside", lang="ja"), str)
    tk.report(release, recipient=5)  # type: ignore[arg-type]
    tk.assess(5, release)  # type: ignore[arg-type]
    tk.assess(people, release, remedies="yes")  # type: ignore[arg-type]


def conformity(case: ConformityCase) -> None:
    assert_type(tk.conform(case, unicity={1: 0.5}), Conformity)
    assert_type(tk.render(tk.conform(case)), str)
    tk.conform("release.csv")  # type: ignore[arg-type]


def on_a_cluster(session: SparkSession, people: DataFrame) -> None:
    release = tk.anonymize(people, "local", k=5, qi=["age"])
    assert_type(release, SparkRelease)
    assert_type(release.frame, DataFrame)
    assert_type(tk.measure(people, release.frame), MeasureResults[tk.Score])
    tk.spark.save_on_spark(release, "hdfs:///released.parquet")
    sales = read_spark_history(session, "hdfs:///T.csv", format="pws2018")
    assert_type(tk.anonymize(sales, "rank-match", k=6), SparkHistoryRelease)


def other_kinds(ratings: Any) -> None:
    assert_type(tk.kind("ratings"), DataKind)
    assert_type(tk.anonymize(ratings, "hide"), Any)
    tk.kind(5)  # type: ignore[arg-type]
    tk.anonymise(ratings)  # type: ignore[attr-defined]


def prices(frame: pl.DataFrame) -> None:
    session = tk.price.PriceSession(frame, tk.price.PriceList.read("prices.csv"))
    assert_type(session.release(session.ask(tk.price.Question(k=5))), tk.Release)
