"""What the tests split from test_anonymize share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

ROLES = {"qi": ["age", "sex", "city"], "sa": ["pay"]}


FORMS = {
    "plain": (",", "utf-8", "", ""),
    "windows": (";", "cp932", "", ""),
    "titled": (",", "utf-8", "Members of 2026,,,\n,,,\n", "total,,,60\n"),
}


def people() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, 60),
            "sex": rng.choice(["f", "m"], 60),
            "city": rng.choice(["東京", "千葉", "大阪"], 60),
            "pay": rng.integers(100, 900, 60),
        }
    )


def write(form: str) -> None:
    sep, encoding, above, below = FORMS[form]
    Path("x.csv").write_bytes((above + people().write_csv(separator=sep) + below).encode(encoding))
