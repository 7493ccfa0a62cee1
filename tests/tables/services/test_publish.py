"""A file becomes files: rows, manifest, link; nothing if the claims do not hold."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.services.publish import publish_table
from tokumei.tables.services.requests import AnonymizeTableRequest, ReleaseFiles, TableRequest


def request(path: Path, k: int = 3) -> AnonymizeTableRequest:
    """Mondrian on two columns."""
    table = TableRequest(data=str(path), qi=("age",), sa=("income",))
    return AnonymizeTableRequest(table=table, steps=Mondrian(k=k), seed=1)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A table of 20 rows."""
    path = tmp_path / "x.csv"
    frame = pl.DataFrame(
        {"age": [20 + row % 9 for row in range(20)], "income": [row * 1.5 for row in range(20)]}
    )
    frame.write_csv(path)
    return path


def test_rows_manifest_and_link_are_written_together(tmp_path: Path, source: Path) -> None:
    files = ReleaseFiles(out=str(tmp_path / "y.csv"), secret=str(tmp_path / "link.csv"))
    written = publish_table(request(source), files)
    assert (written.rows, written.source_rows, written.unchanged) == (20, 20, False)
    rows = pl.read_csv(tmp_path / "y.csv")
    assert rows.group_by("age").len()["len"].min() >= 3
    assert json.loads((tmp_path / "y.csv.manifest.json").read_text())["rows"] == 20
    link = pl.read_csv(tmp_path / "link.csv")
    original = pl.read_csv(source)["income"]
    assert rows["income"].to_list() == original[link.sort("released")["original"]].to_list()
    assert (tmp_path / "link.csv").stat().st_mode & 0o777 == 0o600


def test_nothing_is_written_where_no_release_can_be_made(tmp_path: Path, source: Path) -> None:
    with pytest.raises(tk.TokumeiError):
        publish_table(request(source, k=21), ReleaseFiles(out=str(tmp_path / "y.csv")))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.csv"]
