"""Tests of tokumei.files.column_types."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
import tokumei.tables.verification
from tokumei.files.column_types import (
    decode_categories,
    decode_foreign_categories,
    dictionary_type,
    dictionary_words,
    encode_dictionary,
    is_dictionary_encoded,
)
from tokumei.files.writing import write_frame


def test_the_checker_imports_nothing_of_the_makers() -> None:
    allowed = (
        "tokumei.tables.data.table",
        "tokumei.tables.data.weighted_rows",
        "tokumei.tables.data.simple_frame",
        "tokumei.tables.data.column_kinds",
        "tokumei.tables.data.schema",
        "tokumei.tables.engines.stream_files",
        "tokumei.tables.registry",
        "tokumei.tables.verification",
        "tokumei.core",
        "tokumei.files.column_types",
        "tokumei.files.spark.table_files",
    )
    home = Path(tokumei.tables.verification.__file__).parent
    files = list(home.rglob("*.py"))
    assert len(files) > 5
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                assert not name.startswith("tokumei") or name.startswith(allowed), (file, name)


texts = st.lists(st.none() | st.sampled_from(["a", "b", "", "あ", "a b", "*"]), max_size=20)


@given(texts)
def test_cells_stay_the_same(cells: list[str | None]) -> None:
    column = pl.Series("c", cells, dtype=pl.String)
    made = encode_dictionary(column)
    assert is_dictionary_encoded(made.dtype)
    assert decode_categories(made.to_frame())["c"].equals(column)
    assert set(dictionary_words(made)) == set(cells) - {None}
    assert dictionary_words(made).gather(made.to_physical()).to_list() == cells


@pytest.mark.parametrize("number", [2**16 - 1, 2**16, 2**16 + 1])
def test_the_short_dictionary_is_used_only_if_it_is_enough(number: int) -> None:
    column = pl.Series([f"v{i}" for i in range(number)])
    made = encode_dictionary(column)
    assert made.cast(pl.String).equals(column)
    assert made.to_physical().dtype == (pl.UInt16 if number < 2**16 else pl.UInt32)


def test_categories_that_came_with_the_data_are_not_ours() -> None:
    ours = pl.Series("ours", ["x", "y"]).cast(dictionary_type())
    theirs = pl.Series("theirs", ["x", "y"], dtype=pl.Categorical)
    listed = pl.Series("listed", ["x", "y"], dtype=pl.Enum(["y", "x"]))
    frame = pl.DataFrame([ours, theirs, listed, pl.Series("n", [1, 2])])
    assert [is_dictionary_encoded(dtype) for dtype in frame.dtypes] == [True, False, False, False]
    assert decode_categories(frame).dtypes == [pl.String, pl.String, pl.String, pl.Int64]
    assert decode_foreign_categories(frame).dtypes == [ours.dtype, pl.String, pl.String, pl.Int64]
    assert decode_foreign_categories(frame).columns == frame.columns


def test_every_column_has_a_dictionary_of_its_own() -> None:
    first, second = encode_dictionary(pl.Series(["secret"])), encode_dictionary(pl.Series(["open"]))
    assert dictionary_words(first).to_list() == ["secret"]
    assert dictionary_words(second).to_list() == ["open"]


@pytest.mark.parametrize("method", ["mondrian", "noise", "delete", "swap", "unify"])
def test_every_method_takes_a_compact_table(method: str) -> None:
    frame = pl.DataFrame({"q": ["a", "b"] * 6, "r": ["x", "y", "y"] * 4, "s": range(12)})
    packed = frame.with_columns(encode_dictionary(frame["q"]), encode_dictionary(frame["r"]))
    params: dict[str, Any] = {"unify": {"columns": ["r"]}, "mondrian": {"k": 3}}.get(method, {})
    plain, compact = (
        tk.anonymize(source, method, qi=["q", "r"], sa=["s"], seed=1, **params)
        for source in (frame, packed)
    )
    assert decode_categories(compact.public.frame).equals(plain.public.frame)
    assert compact.link.tolist() == plain.link.tolist()


signs = st.text('ab,;-1"\r\n 　', max_size=2)


@given(
    st.lists(st.tuples(signs | st.none(), signs | st.none(), st.integers(-9, 9)), max_size=5),
    st.sampled_from(",;-1"),
    st.lists(signs, min_size=1, max_size=3, unique=True),
)
def test_compact_cells_are_written_as_text_is(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str | None, str | None, int]],
    sep: str,
    names: list[str],
) -> None:
    """Whatever needs quotation marks gets them, though dictionaries alone are searched for it."""
    columns = list(zip(*rows, strict=True)) or [()] * 3
    text = pl.DataFrame(
        [
            pl.Series(name, list(cells), dtype)
            for name, cells, dtype in zip(
                names, columns, (pl.String, pl.String, pl.Int64), strict=False
            )
        ]
    )
    packed = text.with_columns(encode_dictionary(one) for one in text if one.dtype == pl.String)
    path = tmp_path_factory.mktemp("written") / "x.csv"
    write_frame(packed, path, sep=sep)
    assert path.read_bytes() == text.write_csv(separator=sep).encode()
