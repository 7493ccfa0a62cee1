"""What a hostile or unlucky user brings: names that are patterns, empty methods, broken YAML."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk

ROWS = "".join(f"{i},{i}\n" for i in range(12))


@pytest.mark.parametrize("name", ["*", "^a$", "^.*$", "tokumei_row", "tokumei_new_s"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_column_names_that_would_select_others_are_refused(tokumei, name, suffix):
    frame = pl.DataFrame({name: list(range(6)), "s": [1.0] * 6})
    path = f"x.{suffix}"
    frame.write_csv(path) if suffix == "csv" else frame.write_parquet(path)
    ran = tokumei("check", "--release", path, "--qi", name, "--k", 3)
    assert ran.code == 2
    assert name in ran.err


@pytest.mark.parametrize("method", ["", ","])
def test_no_method_is_no_release(tokumei, method):
    Path("x.csv").write_text("a,s\n" + ROWS)
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "a", "--sa", "s", "--method", method,
        "--out", "y.csv",
    )  # fmt: skip
    assert ran.code == 2
    assert not Path("y.csv").exists()


def test_the_same_value_written_otherwise_is_still_found(tokumei):
    Path("x.csv").write_text("price,s\n" + "".join(f"{i}.50,1\n" for i in range(50)))
    Path("y.csv").write_text("price,s\n" + "".join(f"{i}.50,1\n" for i in range(49)) + "*,1\n")
    ran = tokumei(
        "attack", "--original", "x.csv", "--release", "y.csv", "--qi", "price", "--sa", "s",
        "--expected", "--json",
    )  # fmt: skip
    assert ran.json["linkage"]["rate"] > 0.97


@pytest.mark.parametrize("target", ["--out", "--secret"])
def test_no_output_replaces_the_original(tokumei, target):
    Path("x.csv").write_text("a,s\n" + ROWS)
    rest = [] if target == "--out" else ["--out", "y.csv"]
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "a", "--sa", "s", target, "x.csv", *rest
    )
    assert ran.code == 2
    assert Path("x.csv").read_text() == "a,s\n" + ROWS


@pytest.mark.parametrize("value", ["k=[1", "k={", "k=*a", "k=!!python/object:x", "k=2020-13-45"])
def test_broken_yaml_in_an_option(tokumei, value):
    Path("x.csv").write_text("a,s\n" + ROWS)
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "a", "--sa", "s", "--out", "y.csv",
        "--set", value,
    )  # fmt: skip
    assert ran.code == 2
    assert "--set k" in ran.err


def test_repeated_names_are_one(tokumei):
    Path("x.csv").write_text("a,s\n1,1\n1,2\n")
    assert tokumei("check", "--release", "x.csv", "--qi", "a,a", "--k", 2).code == 0


def test_noise_that_overflows_is_refused(tokumei):
    Path("x.csv").write_text("a,s\n" + ROWS)
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", "--qi", "a", "--sa", "s", "--method", "noise",
        "--scale", "1e30", "--out", "y.csv", "--pass", "a,s",
    )  # fmt: skip
    assert ran.code == 2
    assert "too large" in ran.err


def test_json_never_holds_nan_or_infinity(tokumei):
    Path("x.csv").write_text("a,s\n1,1\n1,2\n")
    Path("y.csv").write_text("a,s\n1,[0;inf]\n1,2\n")
    ran = tokumei(
        "measure", "utility", "--original", "x.csv", "--release", "y.csv", "--qi", "a", "--sa",
        "s", "--json",
    )  # fmt: skip
    assert "Infinity" not in ran.out
    assert "NaN" not in ran.out


def test_a_release_keeps_no_category_that_was_removed(tmp_path):
    kinds = pl.Enum(["a", "b", "Hanako Yamada"])
    frame = pl.DataFrame({"q": pl.Series(["a", "a", "Hanako Yamada"], dtype=kinds), "s": [1, 2, 3]})
    release = tk.anonymize(frame, "unify", columns=["q"], qi=["q"], sa=["s"], seed=5)
    tk.save(release, tmp_path / "y.parquet")
    assert b"Hanako" not in (tmp_path / "y.parquet").read_bytes()


def test_the_repr_of_provenance_holds_no_secret():
    frame = pl.DataFrame({"q": [1, 1], "s": [1.0, 2.0]})
    release = tk.anonymize(frame, "noise", qi=["q"], sa=["s"], seed=31337, sha256="c0ffee")
    assert "31337" not in repr(release.provenance)
    assert "c0ffee" not in repr(release.provenance)


def test_output_in_any_locale(tmp_path):
    (tmp_path / "x.csv").write_text("地域é,s\n1,1\n1,2\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "tokumei", "anonymize", "table", "--data", "x.csv", "--qi",
         "地域é", "--sa", "s", "--k", "2", "--out", "y.csv", "--json"],
        cwd=tmp_path, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "cp932"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "地域é" in ran.stdout.decode("utf-8")
