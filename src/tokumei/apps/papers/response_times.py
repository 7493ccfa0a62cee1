"""Seconds per row that two queries of a database take on this machine (paper 002, Figure 1)."""

from __future__ import annotations

import sqlite3
import time

import polars as pl

TRIES = 5
COUNT_QUERY, LIKE_QUERY = "COUNT", "LIKE"


def measure_response_times(frame: pl.DataFrame) -> dict[str, float]:
    """By query; the best of a few tries, as one may be interrupted.

    LIKE looks for a text in the first column, COUNT counts the people of every combination.
    """
    columns = [f"c{number}" for number in range(frame.width)]
    rows = frame.select(pl.all().cast(pl.String).fill_null("")).rows()
    with sqlite3.connect(":memory:") as database:
        database.execute(f"create table people ({', '.join(columns)})")
        marks = ", ".join("?" for _ in columns)
        database.executemany(f"insert into people values ({marks})", rows)
        queries = {
            LIKE_QUERY: "select count(*) from people where c0 like '%1%'",
            COUNT_QUERY: f"select count(*) from people group by {', '.join(columns)}",
        }
        return {
            name: min(_time_query(database, query) for _ in range(TRIES)) / max(1, len(rows))
            for name, query in queries.items()
        }


def _time_query(database: sqlite3.Connection, query: str) -> float:
    began = time.perf_counter()
    database.execute(query).fetchall()
    return max(time.perf_counter() - began, 1e-9)
