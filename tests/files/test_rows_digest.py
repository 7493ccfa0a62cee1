from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tokumei.core.errors import ClaimError
from tokumei.files.atomic_write import write_all
from tokumei.files.file_formats import sha256_of_file
from tokumei.files.rows_digest import require_rows_of_manifest
from tokumei.files.writing import frame_output, text_output

ROWS = pl.DataFrame({"age": [1, 2], "word": ["a", "b"]})


@pytest.mark.parametrize("name", ["y.csv", "y.csv.gz", "y.parquet", "y.xlsx"])
def test_a_manifest_names_the_rows_it_describes(tmp_path: Path, name: str) -> None:
    rows, manifest = tmp_path / name, tmp_path / f"{name}.manifest.json"
    write_all([frame_output(ROWS, rows), text_output('{"claims": []}\n', manifest)])
    assert json.loads(manifest.read_text()) == {"claims": [], "rows_sha256": sha256_of_file(rows)}
    require_rows_of_manifest(rows)
    write_all([frame_output(ROWS.reverse(), rows)])
    with pytest.raises(ClaimError, match="not the rows"):
        require_rows_of_manifest(rows)


def test_without_a_digest_there_is_nothing_to_compare(tmp_path: Path) -> None:
    rows, manifest = tmp_path / "y.csv", tmp_path / "y.csv.manifest.json"
    require_rows_of_manifest(rows)
    write_all([frame_output(ROWS, rows)])
    require_rows_of_manifest(rows)
    for text in ("{}", "[]", "{"):
        manifest.write_text(text)
        require_rows_of_manifest(rows)
