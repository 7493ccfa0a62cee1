"""The job `tree`: proposes, builds or reads the hierarchy of a column."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.apps.studio.job_handlers.advise import open_project
from tokumei.apps.studio.store.hierarchies import save_hierarchy
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.records import JobArguments, PlainData
from tokumei.core.errors import InputError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar

if TYPE_CHECKING:
    import polars as pl

    from tokumei.apps.studio.jobs.worker import ProgressWriter
    from tokumei.tables.hierarchies.column_values import ColumnValues
    from tokumei.tables.hierarchies.hierarchy import Hierarchy

MAX_VALUES = 5_000
MAX_CODE_LENGTH = 12


def propose_column_hierarchy(project: Project, args: JobArguments, teller: ProgressWriter) -> None:
    """Make the tree of a column; one that was asked for is kept at once."""
    from tokumei.tables.advice.table_source import TableSource
    from tokumei.tables.hierarchies.column_values import ColumnValues

    state, look, _, source = open_project(project)
    name = list(state.roles)[int(args["number"])]
    column = next(
        profiled_column for profiled_column in look["columns"] if profiled_column["name"] == name
    )
    if column["masked"]:
        raise InputError("this column identifies people: its values are not shown")
    with progress_bar(Message("proposing a hierarchy"), None):
        assert isinstance(source, TableSource), "only columns of tables have hierarchies"
        series = source.normalized_column(name)
        values = ColumnValues.of(series)
        if len(values) > MAX_VALUES:
            raise InputError(
                "more than {most:,} different values are too many to edit by hand; make bands, "
                "units or prefixes on the command line (tokumei hierarchy build)",
                most=MAX_VALUES,
            )
        hierarchy = _build_hierarchy(
            series, str(args.get("how") or "auto"), str(args.get("value") or "")
        )
        rows = [list(row) for row in hierarchy.frame().iter_rows()]
        tree_json = {
            "rows": rows,
            "counts": dict(zip(values.text.to_list(), values.counts.tolist(), strict=True)),
            "bins": column["bins"],
            "low": str(series.min()) if column["bins"] else "",
            "high": str(series.max()) if column["bins"] else "",
            **_describe_value_sort(values),
        }
        project.write_result(f"trees/{int(args['number']):02d}", tree_json)
        if args.get("how"):
            save_hierarchy(project, name, rows)
            project.change(trees={**state.trees, name: state.trees.get(name, 0) + 1})


def _describe_value_sort(values: ColumnValues) -> PlainData:
    """By what the values can be grouped: as numbers, as days, as codes by their first letters."""
    from tokumei.tables.hierarchies.dates import readable_as_dates
    from tokumei.tables.hierarchies.text_hierarchies import CODE_PATTERN

    texts, longest = values.text, int(values.text.str.len_chars().max() or 0)  # type: ignore[arg-type]
    sort_json: PlainData = {"sort": "text", "longest": longest, "example": str(texts[0])}
    if values.values.dtype.is_numeric():
        return {**sort_json, "sort": "number"}
    if readable_as_dates(values):
        return {**sort_json, "sort": "date"}
    is_code = 1 < longest <= MAX_CODE_LENGTH and bool(
        texts.str.replace_all(" ", "").str.contains(CODE_PATTERN).all()
    )
    return {**sort_json, "sort": "code"} if is_code else sort_json


def _build_hierarchy(series: pl.Series, how: str, value: str) -> Hierarchy:
    from tokumei.core.option_parsing import split_names
    from tokumei.tables.hierarchies.choose import propose_hierarchy
    from tokumei.tables.hierarchies.dates import date_hierarchy
    from tokumei.tables.hierarchies.intervals import interval_hierarchy
    from tokumei.tables.hierarchies.text_hierarchies import prefix_hierarchy

    if how == "file":
        return _read_arx_hierarchy(series, value)
    if how == "cuts":
        return interval_hierarchy(series, cuts=[split_names(level) for level in value.split(";")])
    if how == "width":
        return interval_hierarchy(series, widths=split_names(value))
    if how == "dates":
        return date_hierarchy(series, levels=split_names(value))
    if how == "prefix":
        return prefix_hierarchy(
            series, lengths=[_parse_whole_number(length_text) for length_text in split_names(value)]
        )
    return propose_hierarchy(series)


def _parse_whole_number(text: str) -> int:
    if not text.isdecimal():
        raise InputError("'{text}' is no whole number", text=text)
    return int(text)


def _read_arx_hierarchy(series: pl.Series, text: str) -> Hierarchy:
    """A tree in ARX's form, of which every value of the column must be a leaf."""
    from tokumei.tables.hierarchies.files import read_hierarchy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hierarchy.csv"
        path.write_text(text, encoding="utf-8")
        hierarchy = read_hierarchy(path, series.name, complete=True)
    hierarchy.leaf_codes(series.drop_nulls())
    return hierarchy
