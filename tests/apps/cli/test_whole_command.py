"""`anonymize table` on codes gives the same files as the plain way on text, for any kind of CSV."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tokumei.files.file_formats import sha256_of_file

HIERARCHY = {
    "city": "東京;east;*\n千葉;east;*\n大阪;west;*\n",
    "job": "baker;food;*\ncook;food;*\nnurse;health;*\n;;*\n",
}
METHODS = [("local", "auto"), ("local", "{column}"), ("flash", "{column}"), ("mondrian", None)]


def rows(number: int) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "city": rng.choice(["東京", "千葉", "大阪"], number),
            "age": rng.integers(20, 40, number),
            "job": pl.Series(rng.choice(["baker", "cook", "nurse", ""], number)).replace("", None),
            "note": rng.choice(["plain", "a;b", 'say "yes"', "two\nlines", "", " x"], number),
            "pay": rng.integers(10**6, size=number) / 100,
        }
    )


def write(frame: pl.DataFrame, style: str) -> None:
    sep, ends, encoding = {
        "plain": (",", "\n", "utf-8"),
        "windows": (";", "\r\n", "cp932"),
        "utf-16": ("\t", "\r\n", "utf-16"),
        "bom": (";", "\n", "utf-8-sig"),
    }[style]
    text = frame.write_csv(separator=sep, line_terminator=ends)
    Path("x.csv").write_bytes(text.encode(encoding))
    for column, levels in HIERARCHY.items():
        Path(f"{column}.csv").write_text(levels, encoding="utf-8")
    Path("age.csv").write_text("".join(f"{i};{i // 10}0s;*\n" for i in range(20, 40)))


@pytest.mark.parametrize("style", ["plain", "windows", "utf-16", "bom"])
@pytest.mark.parametrize(("method", "hierarchies"), METHODS)
@pytest.mark.parametrize("order", [[], ["--keep-order"]])
def test_the_same_bytes_as_the_plain_way(tokumei, style, method, hierarchies, order):
    write(rows(60), style)
    given = {"k": 3} | ({"hierarchies": f"{hierarchies}.csv"} if hierarchies == "{column}" else {})
    source = tk.read_table("x.csv", qi=["city", "age", "job"], sa=["pay"])
    plain = tk.anonymize(
        source, method, seed=4, keep_order=bool(order), sha256=sha256_of_file("x.csv"), **given
    )
    sep = {"plain": ",", "utf-16": "\t"}.get(style, ";")
    tk.save(plain, "plain.csv", secret="plain-link.csv", sep=sep)
    options = [item for key, value in given.items() for item in (f"--{key}", value)]
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "city,age,job", "--sa", "pay", "--method",
        method, *options, "--seed", 4, *order, "--out", "y.csv", "--secret", "link.csv",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    for suffix in ("", ".manifest.json"):
        assert Path(f"y.csv{suffix}").read_bytes() == Path(f"plain.csv{suffix}").read_bytes()
    for suffix in ("", ".provenance.json"):
        made = Path(f"link.csv{suffix}")
        assert made.read_bytes() == Path(f"plain-link.csv{suffix}").read_bytes()
        assert stat.S_IMODE(made.stat().st_mode) == 0o600


def test_a_parquet_release_keeps_no_word_of_the_original(tokumei):
    frame = rows(60).with_columns(city=pl.Series(["Hanako", *rows(60)["city"][1:]]))
    write(frame, "plain")
    Path("city.csv").write_text(HIERARCHY["city"] + "Hanako;east;*\n", encoding="utf-8")
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "city,age,job", "--method", "local", "--k",
        3, "--hierarchies", "{column}.csv", "--out", "y.parquet",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    released = pl.read_parquet("y.parquet")
    assert released["city"].dtype == pl.String
    assert "Hanako" not in released["city"]
    assert b"Hanako" not in Path("y.parquet").read_bytes()


@pytest.mark.parametrize("seeded", [True, False])
def test_rows_are_shuffled_and_the_link_leads_back(tokumei, seeded):
    write(rows(60), "plain")
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "city,age", "--method", "local", "--k", 3,
        "--hierarchies", "{column}.csv", *(["--seed", 1] if seeded else []), "--out", "y.csv",
        "--secret", "link.csv",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    link = tk.tables.read_link("link.csv", 60, 60)
    assert link.tolist() != list(range(60))
    source, released = (
        # A quoted empty cell is as empty as any other.
        pl.read_csv(name, infer_schema=False).select(pl.col("job", "note", "pay").fill_null(""))
        for name in ("x.csv", "y.csv")
    )
    assert released.equals(source[link])


def test_the_warning_about_unchanged_rows(tokumei):
    write(rows(60).with_columns(city=pl.lit("大阪"), age=pl.lit(30)), "plain")
    common = ["--data", "x.csv", "--k", 3, "--hierarchies", "{column}.csv", "--method", "local"]
    same = tokumei("anonymize", "table", *common, "--qi", "city,age", "--out", "y.csv")
    assert "unchanged originals" in same.err
    write(rows(60), "plain")
    other = tokumei("anonymize", "table", *common, "--qi", "city,age", "--out", "y.csv")
    assert other.code == 0
    assert "unchanged originals" not in other.err


@pytest.mark.long
def test_any_number_of_threads_gives_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(rows(3000), "plain")
    found = []
    for threads in ("1", "3"):
        subprocess.run(
            [sys.executable, "-m", "tokumei", "anonymize", "table", "--data", "x.csv", "--qi",
             "city,age,job", "--method", "local", "--k", "5", "--hierarchies", "{column}.csv",
             "--seed", "1", "--out", "y.csv", "--secret", "link.csv"],
            env={**os.environ, "POLARS_MAX_THREADS": threads, "TOKUMEI_THREADS": threads},
            check=True, capture_output=True,
        )  # fmt: skip
        found.append((Path("y.csv").read_bytes(), Path("link.csv").read_bytes()))
    assert found[0] == found[1]


def test_wrong_usage_is_told_although_the_table_is_being_read(tokumei):
    write(rows(10), "plain")
    ran = tokumei("anonymize", "table", "--data", "x.csv", "--method", "locl", "--out", "y.csv")
    assert ran.code == 2
    assert "'local'" in ran.err
    assert not Path("y.csv").exists()
