"""Ten public tables on which remedies are measured: rows, what others may know, what is private."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
    return pl.read_csv(folder() / "first_contact" / "files" / file, infer_schema_length=None)


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
    "affairs": (lambda: first_contact("fair.csv"), "age,educ,occupation", "children,affairs"),
    "randhie": (lambda: first_contact("randhie.csv"), "disea,physlm,hlthg", "mdvis,lncoins"),
    "actg175": (lambda: first_contact("actg175.csv"), "age,race,gender,wtkg", "cd40,days"),
    "lung": (lambda: first_contact("lung.csv"), "age,sex,inst", "time,ph.karno"),
    "titanic": (lambda: first_contact("titanic.csv"), "sex,age,passengerClass", "survived"),
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
