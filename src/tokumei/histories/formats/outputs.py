"""Rows of a history to files, in the form of the file they came from."""

from __future__ import annotations

import polars as pl

from tokumei.files.atomic import Output
from tokumei.files.containers import AnyPath
from tokumei.files.contest_text import contest_output
from tokumei.files.writing import frame_output


def rows_output(frame: pl.DataFrame, path: AnyPath, format: str, *, secret: bool = False) -> Output:
    """Text rows: without a header in a contest's format, with one in any other."""
    if format == "pws2018":
        return contest_output(frame, path, secret=secret)
    plain = frame_output(frame, path)
    return Output(plain.path, plain.write, secret)
