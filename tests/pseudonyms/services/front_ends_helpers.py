"""What the tests split from test_front_ends share."""

from __future__ import annotations

import gzip
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

import tokumei as tk
from tokumei.files.file_formats import sha256_of_file
from tokumei.pseudonyms.data.sample_data import sample_periods

SEED = 7


HISTORY = sample_periods(400, customers=14, seed=3)


def rows() -> pl.DataFrame:
    return HISTORY.rows.cells


def japanese() -> pl.DataFrame:
    return rows().with_columns(item=pl.lit("茶") + pl.col("item"))


def typed() -> pl.DataFrame:
    """Days, prices and quantities in their own types, as a data frame has them."""
    day = pl.col("day").str.to_date("%Y/%m/%d")
    return rows().with_columns(
        day, pl.col("price").cast(pl.Float64), pl.col("quantity").cast(pl.Int64)
    )


def lines(frame: pl.DataFrame) -> bytes:
    """A contest file of a frame; days without leading zeros."""
    stream = io.StringIO()
    days = pl.selectors.date().dt.strftime("%Y/%-m/%-d")
    frame.with_columns(days).write_csv(stream, include_header=False)
    return stream.getvalue().encode()


@dataclass(frozen=True)
class Case:
    """T as a file of some form, and what is done to it."""

    method: Mapping[str, Any]
    frame: pl.DataFrame = field(default_factory=rows)
    name: str = "T.csv"
    encoding: str = "auto"

    def write(self) -> None:
        Path("M.csv").write_bytes(lines(HISTORY.master.frame))
        data = lines(self.frame)
        if self.name.endswith(".parquet"):
            self.frame.write_parquet(self.name)
        elif self.name.endswith(".gz"):
            Path(self.name).write_bytes(gzip.compress(data, mtime=0))
        elif self.encoding != "auto":
            text = data.decode().replace("\n", "\r\n")
            Path(self.name).write_bytes(text.encode(self.encoding))
        else:
            Path(self.name).write_bytes(data)


CASES = {
    "one pseudonym": Case({"lifetime": 12}),
    "monthly": Case({"lifetime": 1}),
    "quarterly": Case({"lifetime": 3}),
    "bound of rows": Case({"exposure": "rows", "bound": 6}),
    "bound of items": Case({"exposure": "items", "bound": 5}),
    "exchanged": Case({"lifetime": 2, "exchange": 0.3}),
    "middle of the month": Case({"lifetime": 1, "day": 15}),
    "shifted days": Case({"lifetime": 1, "day_shift": 3}),
    "noisy prices": Case({"lifetime": 1, "price_noise": 0.1}),
    "deleted rows": Case({"lifetime": 1, "delete": 0.2}),
    "Windows file": Case({"lifetime": 1}, japanese(), encoding="cp932"),
    "packed file": Case({"lifetime": 1, "day": 15}, name="T.csv.gz"),
    "Parquet": Case({"lifetime": 2}, typed(), name="T.parquet"),
    "data frame": Case({"lifetime": 2, "price_noise": 0.1}, typed()),
}


def files(public: str, secret: str) -> dict[str, bytes]:
    return {
        "public": Path(public).read_bytes(),
        "manifest": Path(f"{public}.manifest.json").read_bytes(),
        "secret": Path(secret).read_bytes(),
        "provenance": Path(f"{secret}.provenance.json").read_bytes(),
    }


def by_python(case: Case, source: Any, master: Any = "M.csv") -> tuple[Any, Any, dict[str, bytes]]:
    history = tk.read_history(source, format="pws2017", master=master, encoding=case.encoding)
    digest = sha256_of_file(case.name)
    release = tk.anonymize(history, "pseudonyms", **case.method, seed=SEED, sha256=digest)
    tk.save(release, "p.csv", secret="p.secret.csv", aligned="p.all.csv")
    return history, release, files("p.csv", "p.secret.csv")
