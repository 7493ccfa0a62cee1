"""Every container gives its cells, and what stands beside them."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tokumei.core.release_terms import TableLayout
from tokumei.files.writing import frame_output, write_all
from tokumei.release_gate.public_files import PublicFile

FRAME = pl.DataFrame({"age": [31, 44, None], "note": ["a;b", 'say "hi"', "東京"]})


def public_file(folder: Path, name: str, **options: str) -> PublicFile:
    """The frame, written as a release writes it."""
    output = frame_output(FRAME, folder / name, **options)
    write_all([output])
    return PublicFile(folder / name, name, output.layout)


@pytest.mark.parametrize(
    "name", ["y.csv", "y.csv.gz", "y.tsv", "y.parquet", "y.xlsx", "y.arrow", "y.jsonl"]
)
def test_the_cells_of_every_container_are_read(tmp_path: Path, name: str) -> None:
    file = public_file(tmp_path, name)
    assert file.has_rows
    notes = [note for batch in file.batches() if "note" in batch.columns for note in batch["note"]]
    assert sorted(notes) == sorted(FRAME["note"])


def test_another_encoding_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = public_file(tmp_path, "y.csv", encoding="cp932")
    assert "東京" in [note for batch in file.batches() for note in batch["note"]]


def test_numbers_need_not_be_looked_at_unless_they_are_long(tmp_path: Path) -> None:
    names = [name for batch in public_file(tmp_path, "y.csv").batches() if batch.height
             for name in batch.columns]  # fmt: skip
    assert set(names) == {"note"}
    long = pl.DataFrame({"age": [31, 12_345_678], "note": ["a", "b"]})
    output = frame_output(long, tmp_path / "z.csv")
    write_all([output])
    (batch,) = (
        batch for batch in PublicFile(tmp_path / "z.csv", "z.csv", output.layout).batches()
        if batch.height
    )  # fmt: skip
    assert batch["age"].to_list() == ["31", "12345678"]


def test_what_stands_beside_the_rows_is_read(tmp_path: Path) -> None:
    assert "visits" in list(public_file(tmp_path, "y.xlsx", sheet="visits").texts())
    FRAME.write_parquet(tmp_path / "y.parquet", metadata={"owner": "Taro"})
    parquet = PublicFile(tmp_path / "y.parquet", "y.parquet", TableLayout())
    assert {"owner", "Taro"} <= set(parquet.texts())
    manifest = {"claims": ["hidden"], "hierarchies": {"town": ["Osaka", ["Kyoto"]]}}
    (tmp_path / "y.json").write_text(json.dumps(manifest))
    texts = list(PublicFile(tmp_path / "y.json", "y.json").texts(skip={"town"}))
    assert texts == []
    texts = list(PublicFile(tmp_path / "y.json", "y.json").texts())
    assert texts == ["town", "Osaka", "Kyoto"]
