"""The gate reads every cell and every text beside the cells, in each container."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tokumei.core.errors import ClaimError
from tokumei.core.release_terms import ReleaseTerms, TableLayout
from tokumei.files.writing import write_frame
from tokumei.release_gate.gate import require_clean_files
from tokumei.release_gate.public_files import PublicFile

pyreadstat = pytest.importorskip("pyreadstat")

TERMS = ReleaseTerms(declared=frozenset({"age", "temp"}))
CONTAINERS = ["arrow", "feather", "jsonl", "ndjson", "sav", "zsav", "dta", "xpt"]
STRAY = "taro@example.org"


def refused(path: Path) -> str:
    """What the gate says of a file; empty: it lets it pass."""
    file = PublicFile(path, path.name, TableLayout(names=("age", "temp")))
    try:
        require_clean_files([file], TERMS)
    except ClaimError as error:
        return str(error)
    return ""


def rows(*strays: str) -> pl.DataFrame:
    """Ordinary words with some strays at the end."""
    words = [["cold", "hot", "warm"][row % 3] for row in range(100 - len(strays))]
    return pl.DataFrame({"age": [row % 60 for row in range(100)], "temp": [*words, *strays]})


@pytest.mark.parametrize("suffix", CONTAINERS)
def test_one_stray_cell_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"y.{suffix}"
    write_frame(rows(), path)
    assert refused(path) == ""
    write_frame(rows(STRAY), path)
    said = refused(path)
    assert "temp" in said
    assert STRAY not in said


@pytest.mark.parametrize("suffix", ["sav", "dta"])
@pytest.mark.parametrize("used", [True, False])
def test_a_label_that_identifies_somebody_is_refused(
    tmp_path: Path, suffix: str, used: bool
) -> None:
    frame = pl.DataFrame({"age": [1.0, 2.0] * 50, "temp": [1.0] * 99 + [2.0 if used else 1.0]})
    labels = {"temp": {1: "cold", 2: STRAY}}
    path = tmp_path / f"y.{suffix}"
    write = pyreadstat.write_sav if suffix == "sav" else pyreadstat.write_dta
    write(frame, str(path), variable_value_labels=labels)
    assert refused(path)
    write(frame, str(path), variable_value_labels={"temp": {1: "cold", 2: "hot"}})
    assert refused(path) == ""


@pytest.mark.parametrize("suffix", ["sav", "dta", "xpt"])
def test_descriptions_and_notes_are_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"y.{suffix}"
    writers = {
        "sav": pyreadstat.write_sav,
        "dta": pyreadstat.write_dta,
        "xpt": pyreadstat.write_xport,
    }
    write = writers[suffix]
    write(rows(), str(path), column_labels={"temp": "Temperature"})
    assert refused(path) == ""
    write(rows(), str(path), column_labels={"temp": STRAY})
    assert refused(path)
    write(rows(), str(path), file_label=STRAY)
    assert refused(path)


def test_notes_of_spss_are_read(tmp_path: Path) -> None:
    path = tmp_path / "y.sav"
    pyreadstat.write_sav(rows(), str(path), note=f"made for {STRAY}")
    assert refused(path)


def test_what_json_hides_deeper_is_read(tmp_path: Path) -> None:
    path = tmp_path / "y.jsonl"
    rows = [{"age": 1, "temp": {"who": [STRAY]}}, {"age": 2, "other": STRAY}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "temp" in refused(path)
