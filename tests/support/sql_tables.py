"""Random tables with whatever makes classes and values hard to count."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import polars as pl

from tokumei.core.provenance import Claim
from tokumei.tables.data.table import Table
from tokumei.tables.verification.claims import check_claims

MODELS = ["k", "people", "l", "t"]
TYPES = {
    pl.Int64: "bigint",
    pl.String: "text",
    pl.Date: "date",
    pl.Float64: "double precision",
}
AGES = [31, 32, 44, None]
TOWNS = ["東京", "Osaka", "osaka", "", None, 'He said "hi"', "O'Neill", "１", "1"]
WORDS = ["flu", "Flu", "ｆｌｕ", " flu", "flu\u200b", "NA", "null", "", None, "cold", "cold  cough"]
NUMBERS = ["1", "1.0", "01", "+1", "2", "2e0", ".5", "0.5", None, ""]
WHOLES = ["007", "7", "-0", "0", "12345678901234567890", "12345678901234567891", None]
PEOPLE = ["a1", "A1", "ａ１", " a 1", "7", "07", "7.0", "+7", "b", None, ""]


def random_table(seed: int) -> pl.DataFrame:
    """From 1 to 60 rows: a whole number, a text, a date, a decimal; sensitive texts; people."""
    chance = random.Random(seed)
    rows = chance.randint(1, 60)

    def draw(pool: list[Any]) -> list[Any]:
        some = chance.sample(pool, chance.randint(1, min(4, len(pool))))
        return [chance.choice(some) for _ in range(rows)]

    day = date(2026, 1, 1)
    return pl.DataFrame(
        {
            "age": pl.Series(draw(AGES), dtype=pl.Int64),
            'to"wn': pl.Series(draw(TOWNS), dtype=pl.String),
            "day": pl.Series(draw([day, day + timedelta(1), None]), dtype=pl.Date),
            "weight": pl.Series(draw([0.0, -0.0, 0.1, 61.5, None]), dtype=pl.Float64),
            "illness": pl.Series(draw(chance.choice([WORDS, NUMBERS, WHOLES])), dtype=pl.String),
            "score": pl.Series(draw([1, 2, 3, 12, None]), dtype=pl.Int64),
            "person": pl.Series(draw(PEOPLE), dtype=pl.String),
        }
    )


def random_question(seed: int) -> dict[str, Any]:
    """What is asked of the table of this seed: columns of classes, numbers, a sensitive column."""
    chance = random.Random(f"question {seed}")
    return {
        "qi": chance.sample(["age", 'to"wn', "day", "weight"], chance.randint(1, 3)),
        "k": chance.randint(2, 6),
        "l": chance.randint(2, 3),
        "t": chance.choice([0.0, 0.1, 0.25, 0.5]),
        "sa": chance.choice(["illness", "score"]),
        "person": "person",
    }


def verified_models(frame: pl.DataFrame, asked: dict[str, Any]) -> list[bool]:
    """Whether the verifier finds that k, people per class, l and t hold."""
    columns, sensitive = asked["qi"], [asked["sa"]]
    claims = [
        Claim("k-anonymity", {"k": asked["k"], "columns": columns}),
        Claim("k-per-person", {"k": asked["k"], "columns": columns, "person": asked["person"]}),
        Claim("l-diversity", {"l": asked["l"], "columns": columns, "sensitive": sensitive}),
        Claim("t-closeness", {"t": asked["t"], "columns": columns, "sensitive": sensitive}),
    ]
    return [not checked.faults for checked in check_claims(Table.of(frame), claims)]


def copy_to_postgres(connection: Any, frame: pl.DataFrame, table: str) -> None:
    """The frame as a table."""
    from psycopg.sql import SQL, Identifier

    columns = SQL(", ").join(
        SQL("{} {}").format(Identifier(name), SQL(TYPES[dtype.base_type()]))
        for name, dtype in frame.schema.items()
    )
    connection.execute(SQL("DROP TABLE IF EXISTS {}").format(Identifier(table)))
    connection.execute(SQL("CREATE TABLE {} ({})").format(Identifier(table), columns))
    with connection.cursor().copy(SQL("COPY {} FROM STDIN").format(Identifier(table))) as copy:
        for row in frame.iter_rows():
            copy.write_row(row)
