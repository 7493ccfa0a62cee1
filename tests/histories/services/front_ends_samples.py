"""What the tests split from test_front_ends share."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

import tokumei as tk
from histories.services.front_ends_helpers import CUSTOMERS, ROWS, purchases
from tokumei.core.recipe import derive_seed

SEED = 7


DERIVED = derive_seed(SEED, "release", 0)
"""The seed of the first release of a recipe with SEED."""


def days_as(form: str) -> pl.Expr:
    return pl.col("day").str.to_date().dt.strftime(form)


def contest() -> pl.DataFrame:
    return purchases().with_columns(days_as("%Y/%-m/%-d"))


def named() -> pl.DataFrame:
    names = {
        "customer": "会員",
        "day": "購入日",
        "item": "品番",
        "price": "単価",
        "quantity": "個数",
    }
    return purchases().rename(names)


def messy() -> pl.DataFrame:
    """As people write it: eras, currency signs, thousands, full-width digits, units."""
    rows = named()
    months = rows["購入日"].str.to_date().dt.strftime("%-m月%-d日")
    return rows.with_columns(
        pl.Series("購入日", [f"令和6年{day}" for day in months]),
        pl.Series("単価", [f"￥1,{round(price):03d}" for price in rows["単価"]]),
        pl.Series("個数", [f"{chr(0xFF10 + pieces)}個" for pieces in rows["個数"]]),
    )


def british() -> pl.DataFrame:
    """Days that no cell decides: is 3/4 in March or in April?"""
    return purchases().with_columns(
        pl.Series("day", [f"{1 + n % 9}/{1 + n % 3}/2024" for n in range(ROWS)])
    )


def further() -> pl.DataFrame:
    return purchases().drop("quantity").with_columns(Tax=pl.col("price") / 10, Store=pl.lit("北"))


def retail() -> pl.DataFrame:
    rows = purchases()
    return pl.DataFrame(
        {
            "InvoiceNo": [f"5{n // 3:05d}" for n in range(ROWS)],
            "StockCode": [
                f"20{item}A" if n % 20 else "POST" for n, item in enumerate(rows["item"])
            ],
            "Description": "A THING",
            "Quantity": rows["quantity"],
            "InvoiceDate": rows["day"].str.to_date().dt.strftime("%-m/%-d/%Y 8:26"),
            "UnitPrice": rows["price"],
            "CustomerID": [17000 + n % CUSTOMERS for n in range(ROWS)],
            "Country": "Norway",
        }
    )


@dataclass(frozen=True)
class Case:
    """A file, how it is read, and what is done to it."""

    frame: pl.DataFrame
    format: str
    method: Mapping[str, Any]
    reading: Mapping[str, Any] = field(default_factory=dict)
    categories: str | None = None
    encoding: str = "utf-8"
    sep: str = ","
    name: str = "T.csv"

    def write(self) -> None:
        if self.name.endswith(".parquet"):
            self.frame.write_parquet(self.name)
            return
        stream = io.StringIO()
        header = self.format != "pws2018"
        self.frame.write_csv(stream, include_header=header, separator=self.sep)
        Path(self.name).write_bytes(stream.getvalue().encode(self.encoding))

    def read_options(self) -> list[str]:
        options = ["--format", self.format]
        for key, value in self.reading.items():
            text = ",".join(f"{a}={b}" for a, b in value.items()) if key == "columns" else value
            given = text if isinstance(text, str) else ",".join(text)
            options += [f"--{key.replace('_', '-')}", given]
        return options

    def method_options(self) -> list[str]:
        pairs = [(f"--{key}", str(value)) for key, value in self.method.items()]
        return [part for pair in pairs for part in pair]


NAMED = {
    "columns": {
        "customer": "会員",
        "day": "購入日",
        "item": "品番",
        "price": "単価",
        "quantity": "個数",
    }
}


RANKED = {"method": "rank-match", "k": 3}


ALIGNED = {"method": "aligned", "k": 3}


CASES = {
    "contest, ranked": Case(contest(), "pws2018", RANKED),
    "contest, aligned": Case(contest(), "pws2018", ALIGNED),
    "contest, effort": Case(contest(), "pws2018", {**ALIGNED, "k": 4, "effort": "high"}),
    "contest, categories": Case(contest(), "pws2018", RANKED, categories="prefix:1"),
    "contest, Parquet": Case(contest(), "pws2018", RANKED, name="T.parquet"),
    "table": Case(purchases(), "table", RANKED),
    "table, Parquet": Case(purchases(), "table", ALIGNED, name="T.parquet"),
    "table, names": Case(named(), "table", ALIGNED, NAMED),
    "table, categories": Case(purchases(), "table", ALIGNED, categories="prefix:2"),
    "table, messy": Case(messy(), "table", RANKED, NAMED, encoding="cp932", sep=";"),
    "table, messy, aligned": Case(messy(), "table", ALIGNED, NAMED, sep="\t"),
    "table, days": Case(british(), "table", RANKED, {"date_order": "dmy"}),
    "table, values": Case(
        further(), "table", RANKED, {"columns": {"value1": "Tax", "value2": "Store"}}
    ),
    "shop": Case(retail(), "online-retail", RANKED),
    "shop, kept": Case(retail(), "online-retail", ALIGNED, {"keep": ["non-product"]}),
    "shop, contest's rules": Case(retail(), "online-retail", RANKED, {"cleaning": "pwscup"}),
}


def files(public: str, secret: str) -> dict[str, bytes]:
    """What was written, by its part; the manifest without what names the run."""
    return {
        "public": Path(public).read_bytes(),
        "manifest": Path(f"{public}.manifest.json").read_bytes(),
        "secret": Path(secret).read_bytes(),
        "provenance": Path(f"{secret}.provenance.json").read_bytes(),
    }


def by_command_line(tokumei, case: Case) -> dict[str, bytes]:
    extra = ["--categories", case.categories] if case.categories else []
    paths = ["--public", "c.csv", "--secret", "c.secret.csv", "--out", "c.all.csv"]
    data = ["--data", case.name, *case.read_options(), *case.method_options(), *extra]
    ran = tokumei("anonymize", "history", *data, "--seed", DERIVED, *paths)
    assert ran.code == 0, ran.err
    return files("c.csv", "c.secret.csv")


def by_python(case: Case, source: Any) -> tuple[Any, Any, dict[str, bytes]]:
    from tokumei.files.file_formats import sha256_of_file

    history = tk.read_history(source, format=case.format, **case.reading)
    release = tk.anonymize(
        history,
        **case.method,
        categories=case.categories,
        seed=DERIVED,
        sha256=sha256_of_file(case.name),
    )
    tk.save(release, "p.csv", secret="p.secret.csv", aligned="p.all.csv")
    return history, release, files("p.csv", "p.secret.csv")
