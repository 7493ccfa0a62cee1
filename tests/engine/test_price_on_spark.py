"""Prices on a cluster: the answer and the rows of the local session."""

from __future__ import annotations

import json

import polars as pl
import pytest

from tokumei.cli.app import main
from tokumei.data.counted import COUNT
from tokumei.data.samples.price_people import sample_prices
from tokumei.engine.spark_files import SparkTable, read_spark
from tokumei.errors import InputError
from tokumei.price.dictionary import PriceList
from tokumei.price.question import Question
from tokumei.price.session import PriceSession
from tokumei.price_on_spark import PeopleOnSpark

QUESTIONS = [Question(k=3), Question(k=4, suppression=0.05), Question(k=1)]


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
    counted = people.group_by(columns).agg(pl.len().alias(COUNT))
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
    source = read_spark(spark, str(priced / "people.csv"))
    people = PeopleOnSpark(source.with_frame(source.frame.repartition(parts)), prices)
    release = people.release(people.session.ask(question), seed=1, keep=["number"])
    found = pl.DataFrame(pl.from_arrow(release.frame.toArrow()))
    assert release.rows == wanted.height
    assert _sorted(found) == _sorted(wanted)


@pytest.mark.cluster
@pytest.mark.xdist_group("spark")
def test_no_people_cannot_be_counted(spark, priced):
    prices = PriceList.read(priced / "prices.csv")
    source = read_spark(spark, str(priced / "people.csv"))
    empty = SparkTable(source.frame.limit(0))
    with pytest.raises(InputError, match="no rows"):
        PeopleOnSpark(empty, prices)


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
