"""What the tests split from test_account share."""

from __future__ import annotations

import polars as pl

import tokumei as tk

SURNAMES = ["佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "山本", "中村", "小林", "加藤"]


GIVEN = ["翔太", "健", "恵", "愛", "誠", "美咲"]


def people(rows: int = 60) -> pl.DataFrame:
    names = [f"{SURNAMES[i % 10]} {GIVEN[i // 10 % 6]}" for i in range(rows)]
    return pl.DataFrame(
        {
            "氏名": names,
            "age": [20 + i % 12 for i in range(rows)],
            "sex": ["MF"[i % 2] for i in range(rows)],
            "mail": [f"user{i}@example.com" for i in range(rows)],
            "disease": [["flu", "asthma", "none"][i % 3] for i in range(rows)],
            "shop": [["A", "B"][i % 2] for i in range(rows)],
        }
    )


def anonymize(frame: pl.DataFrame, **more: object) -> tk.Release:
    asked = {"qi": ["age", "sex"], "sa": ["disease"], "k": 5, "seed": 1, **more}
    return tk.anonymize(frame, "mondrian", **asked)


def write(frame: pl.DataFrame) -> None:
    frame.write_csv("x.csv")
