"""Prices on a cluster: the answer and the rows of the local session."""

from __future__ import annotations

import json

import polars as pl
import pytest

from tokumei import save
from tokumei.apps.cli.app import main
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.spark import SparkPriceSession
from tokumei.core.errors import InputError
from tokumei.files.reading import read_frame
from tokumei.files.spark.table_files import SparkTable, read_spark_table
from tokumei.tables.anonymization.spark import save_on_spark
from tokumei.tables.data.weighted_rows import COUNT_COLUMN

QUESTIONS = [Question(k=40), Question(k=4, suppression=0.05), Question(k=1)]


@pytest.fixture(scope="module")
def priced(tmp_path_factory):
    folder = tmp_path_factory.mktemp("priced")
    people, prices = sample_prices(800, seed=2, correlated=True)
    people = people.with_row_index("number").with_columns(pl.col("number").cast(pl.Int64))
    people.write_csv(folder / "people.csv")
    prices.write_csv(folder / "prices.csv")
    return folder


def test_counted_people_get_the_answer_of_people(priced):
    people = pl.read_csv(priced / "people.csv")
    prices = PriceList.read(priced / "prices.csv")
    columns = list(prices.patterns)
    counted = people.group_by(columns).agg(pl.len().alias(COUNT_COLUMN))
    for question in QUESTIONS:
        plain, few = PriceSession(people, prices), PriceSession(counted, prices, columns=columns)
        assert few.rows == plain.rows
        one, other = plain.ask(question), few.ask(question)
        assert one.best.as_json(one.problem, question) == other.best.as_json(
            other.problem, question
        )


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
@pytest.mark.parametrize(("question", "parts"), [*zip(QUESTIONS, [1, 5, 2], strict=True)])
def test_the_cluster_releases_the_local_rows(spark, priced, question, parts):
    prices = PriceList.read(priced / "prices.csv")
    local = PriceSession(pl.read_csv(priced / "people.csv"), prices)
    wanted = local.release(local.ask(question), seed=1, keep=["number"]).public.frame
    source = read_spark_table(spark, str(priced / "people.csv"))
    people = SparkPriceSession(source.with_frame(source.frame.repartition(parts)), prices)
    release = people.release(people.session.ask(question), seed=1, keep=["number"])
    found = pl.DataFrame(pl.from_arrow(release.frame.toArrow()))
    assert release.rows == wanted.height
    assert _sorted(found) == _sorted(wanted)


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_values_not_their_text_are_released(spark, tmp_path, form):
    """Values written in two ways are counted as equal, so they must be equal in the release."""
    people = pl.DataFrame({"age": ["1", "1.0", "2", "2.00"] * 3, "real": ["1.50"] * 12})
    people.write_csv(tmp_path / "people.csv")
    (tmp_path / "prices.csv").write_text(
        "attribute,pattern,value,word,price\nage,original,1,1,10\nage,original,2,2,10\n"
    )
    prices, question = PriceList.read(tmp_path / "prices.csv"), Question(k=6)
    local = PriceSession(read_frame(tmp_path / "people.csv"), prices)
    save(local.release(local.ask(question), keep=["real"]), tmp_path / f"here.{form}")
    found = SparkPriceSession(read_spark_table(spark, str(tmp_path / "people.csv")), prices)
    release = found.release(found.session.ask(question), keep=["real"], as_text=form == "csv")
    save_on_spark(release, str(tmp_path / f"there.{form}"))
    if form == "parquet":
        here = pl.read_parquet(tmp_path / "here.parquet")
        there = pl.read_parquet(tmp_path / "there.parquet" / "*.parquet")
        # A column that passes leaves as it came: the cluster reads it as text.
        assert set(there["real"]) == {"1.50"}
        here, there = here.drop("real"), there.drop("real")
        assert there.schema == here.schema
    else:
        here = pl.read_csv(tmp_path / "here.csv", infer_schema=False).drop("real")
        there = pl.concat(
            pl.read_csv(part, infer_schema=False).drop("real")
            for part in (tmp_path / "there.csv").glob("part-*")
        )
    assert _sorted(there) == _sorted(here)


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
def test_no_people_cannot_be_counted(spark, priced):
    prices = PriceList.read(priced / "prices.csv")
    source = read_spark_table(spark, str(priced / "people.csv"))
    empty = SparkTable(source.frame.limit(0))
    with pytest.raises(InputError, match="no rows"):
        SparkPriceSession(empty, prices)


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
def test_the_command_on_a_cluster(cluster, spark, priced, tmp_path, capsys):
    files = ["--data", str(priced / "people.csv"), "--patterns", str(priced / "prices.csv")]
    wanted = ["price", "optimize", *files, "--k", "3", "--json"]
    out = tmp_path / "y.parquet"
    told = []
    for more in ([], ["--engine", "spark", "--master", cluster.master, "--out", str(out)]):
        with pytest.raises(SystemExit) as stop:
            main([*wanted, *more])
        printed = capsys.readouterr()
        assert not stop.value.code, printed.err
        told.append(json.loads(printed.out))
    for name in ("value", "ratio", "choice", "k", "optimal"):
        assert told[0][name] == told[1][name]
    assert pl.read_parquet(out / "*.parquet").height == 800


def _sorted(frame: pl.DataFrame) -> list[tuple[str | None, ...]]:
    text = frame.select(pl.col(sorted(frame.columns)).cast(pl.String))
    return sorted(text.rows(), key=str)
