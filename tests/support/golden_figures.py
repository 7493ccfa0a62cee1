"""Figures of ARX 3.9.2 on UCI Adult: records of a file, and the tables that they are about."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl

QI = [
    *("sex", "age", "race", "marital-status", "education", "native-country"),
    *("workclass", "salary-class"),
]
DATASETS = ("first1000", "every10", "full")


def golden_records(real_data: Path, name: str, *models: str) -> list[dict[str, Any]]:
    """The records of some models, their parameters and levels read."""
    path = real_data / "golden" / name
    with path.open(encoding="utf-8", newline="") as lines:
        records: list[dict[str, Any]] = [
            record for record in csv.DictReader(lines) if record["model"] in models
        ]
    for record in records:
        record["params"] = json.loads(record["params"])
        if record.get("fixed_levels"):
            record["fixed_levels"] = tuple(json.loads(record["fixed_levels"]))
    return records


def adult_rows(real_data: Path, dataset: str) -> pl.DataFrame:
    """All rows as text, or those of a smaller data set."""
    path = real_data / "adult" / "adult.csv"
    rows = pl.read_csv(path, separator=";", infer_schema=False)
    return {"first1000": rows[:1000], "every10": rows[::10], "full": rows}[dataset]


def adult_levels(real_data: Path, column: str, level: int) -> dict[str, str]:
    """What every value of a column becomes at a level."""
    path = real_data / "adult" / f"adult_hierarchy_{column}.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    return {cells[0]: cells[level] for cells in (line.split(";") for line in lines if line)}


def recoded_adult(real_data: Path, dataset: str, levels: tuple[int, ...]) -> pl.DataFrame:
    """The quasi-identifiers of a data set, each at one level, and the other columns."""
    return adult_rows(real_data, dataset).with_columns(
        pl.col(name).replace_strict(adult_levels(real_data, name, level))
        for name, level in zip(QI, levels, strict=True)
    )
