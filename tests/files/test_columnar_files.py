"""Arrow files come back as they were written, and what is none is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

from files.reading_helpers import error_of
from support.sql_tables import random_table
from tokumei.core.errors import UsageError
from tokumei.files.columnar_files import read_arrow
from tokumei.files.file_formats import MAX_BYTES
from tokumei.files.reading import detect_file_separator, read_frame, read_header_names
from tokumei.files.writing import frame_output, write_frame


@pytest.mark.parametrize("suffix", ["arrow", "feather"])
@pytest.mark.parametrize("seed", range(4))
def test_a_round_trip_changes_nothing(tmp_path: Path, suffix: str, seed: int) -> None:
    frame, path = random_table(seed), tmp_path / f"people.{suffix}"
    write_frame(frame, path)
    assert read_frame(path).equals(frame, null_equal=True)
    before = path.read_bytes()
    write_frame(frame, path)
    assert path.read_bytes() == before
    assert detect_file_separator(path) == ","
    assert read_header_names(path) == []


def test_files_of_others_are_read_with_dictionaries_and_compression(tmp_path: Path) -> None:
    table = pa.table({"town": pa.array(["x", "y", "x"]).dictionary_encode(), "n": [1, 2, None]})
    for compression in ("lz4", "zstd", "uncompressed"):
        path = tmp_path / f"{compression}.feather"
        pyarrow.feather.write_feather(table, str(path), compression=compression)
        assert read_arrow(path, MAX_BYTES).to_dict(as_series=False) == {
            "town": ["x", "y", "x"],
            "n": [1, 2, None],
        }


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "a.arrow"
    path.write_bytes(b"a,b\n1,2\n")
    assert "not what its name says" in error_of(path).message.show("en")
    path.write_bytes(b"ARROW1\0\0" + b"\0" * 40)
    assert "damaged" in error_of(path).message.show("en")
    pl.DataFrame({"a": [[1, 2]]}).write_ipc(path)
    assert "one number, date or text" in error_of(path).message.show("en")
    write_frame(pl.DataFrame({"a": [1] * 100}), path)
    assert "larger than the limit" in error_of(path, max_bytes=90).message.show("en")


def test_options_of_text_files_are_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"day": [date(2026, 1, 1)]})
    for name in ("y.arrow", "y.jsonl", "y.sav"):
        for option in ({"encoding": "cp932"}, {"bom": True}, {"sheet": "x"}):
            with pytest.raises(UsageError, match="cannot be chosen"):
                frame_output(frame, tmp_path / name, **option)
