"""Small files of somebody's own, and the studies of them."""

from __future__ import annotations

from pathlib import Path

import tokumei as tk
from tokumei.apps.papers.own.study import StudyBlock, run_own_study


def write_history(folder: Path, *, rows: int = 700, customers: int = 40) -> Path:
    """Purchases with a header."""
    history = tk.sample_history(rows, customers=customers, seed=3)
    path = folder / "own.csv"
    frame = history.frame.with_columns(price=history.frame["price"] / 10**history.decimals)
    frame.select("customer", "day", "item", "price", "quantity").write_csv(path)
    return path


def write_table(folder: Path, *, rows: int = 60) -> Path:
    """Households with a header."""
    path = folder / "households.csv"
    tk.sample_table(rows, seed=2).frame.write_csv(path)
    return path


def make_blocks(number: str, path: Path, **settings: object) -> dict[str, StudyBlock]:
    """The blocks of a study by their names."""
    return {block.printed.id: block for block in run_own_study(number, path, settings).blocks}


def rows_of(block: StudyBlock) -> list[list[object]]:
    """The rows of a block."""
    return [list(row) for row in block.made.rows]
