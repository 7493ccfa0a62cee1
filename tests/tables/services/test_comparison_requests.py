"""What names a file, and what is data itself."""

from pathlib import Path

import polars as pl

from tokumei.tables.services.comparison_requests import is_path


def test_texts_and_paths_name_files() -> None:
    assert is_path("people.csv")
    assert is_path(Path("people.csv"))
    assert not is_path(pl.DataFrame({"age": [1]}))
    assert not is_path(None)
