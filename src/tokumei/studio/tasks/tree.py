"""The job `tree`: a hierarchy for a column, proposed or made as asked, or read from a file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import InputError
from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.studio.store.project import Project
from tokumei.studio.store.trees import save_tree
from tokumei.studio.tasks.advise import opened

if TYPE_CHECKING:
    import polars as pl

    from tokumei.studio.jobs.child import Teller
    from tokumei.tables.hierarchies.hierarchy import Hierarchy
    from tokumei.tables.hierarchies.values import Values

MOST_VALUES = 5_000
LONGEST_CODE = 12


def propose_tree(project: Project, args: Mapping[str, Any], teller: Teller) -> None:
    """Make the tree of a column; one that was asked for is kept at once."""
    from tokumei.tables.hierarchies.values import Values

    state, look, _, source = opened(project)
    name = list(state.roles)[int(args["number"])]
    column = next(one for one in look["columns"] if one["name"] == name)
    if column["masked"]:
        raise InputError(
            "this column identifies people: its values are not shown",
            "個人を特定する列のため、値は表示できません",
        )
    with meter(Text("proposing a hierarchy", "階層を提案しています"), None):
        series = source.frame[name]
        values = Values.of(series)
        if len(values) > MOST_VALUES:
            raise InputError(
                f"more than {MOST_VALUES:,} different values are too many to edit by hand; "
                "make bands, units or prefixes on the command line (tokumei hierarchy build)",
                f"値が {MOST_VALUES:,} 種類を超えるため、手作業では編集できません。"
                "tokumei hierarchy build で区間や先頭文字の階層を作ってください",
            )
        made = _made(series, str(args.get("how") or "auto"), str(args.get("value") or ""))
        told = {
            "rows": [list(row) for row in made.frame().iter_rows()],
            "counts": dict(zip(values.text.to_list(), values.counts.tolist(), strict=True)),
            "bins": column["bins"],
            "low": str(series.min()) if column["bins"] else "",
            "high": str(series.max()) if column["bins"] else "",
            **_sort(values),
        }
        project.write_result(f"trees/{int(args['number']):02d}", told)
        if args.get("how"):
            save_tree(project, name, told["rows"])
            project.change(trees={**state.trees, name: state.trees.get(name, 0) + 1})


def _sort(values: Values) -> dict[str, Any]:
    """By what the values can be grouped: as numbers, as days, as codes by their first letters."""
    from tokumei.tables.hierarchies.dates import readable_as_dates
    from tokumei.tables.hierarchies.merging import CODE

    texts, longest = values.text, int(values.text.str.len_chars().max() or 0)  # type: ignore[arg-type]
    told: dict[str, Any] = {"sort": "text", "longest": longest, "example": str(texts[0])}
    if values.values.dtype.is_numeric():
        return {**told, "sort": "number"}
    if readable_as_dates(values):
        return {**told, "sort": "date"}
    code = 1 < longest <= LONGEST_CODE and bool(
        texts.str.replace_all(" ", "").str.contains(CODE).all()
    )
    return {**told, "sort": "code"} if code else told


def _made(series: pl.Series, how: str, value: str) -> Hierarchy:
    from tokumei.core.option_values import split
    from tokumei.tables.hierarchies.choose import propose_hierarchy
    from tokumei.tables.hierarchies.dates import date_hierarchy
    from tokumei.tables.hierarchies.intervals import interval_hierarchy
    from tokumei.tables.hierarchies.merging import prefix_hierarchy

    if how == "file":
        return _read(series, value)
    if how == "cuts":
        return interval_hierarchy(series, cuts=[split(level) for level in value.split(";")])
    if how == "width":
        return interval_hierarchy(series, widths=split(value))
    if how == "dates":
        return date_hierarchy(series, levels=split(value))
    if how == "prefix":
        return prefix_hierarchy(series, lengths=[_whole(one) for one in split(value)])
    return propose_hierarchy(series)


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise InputError(f"'{text}' is no whole number", f"'{text}' は整数ではありません")
    return int(text)


def _read(series: pl.Series, text: str) -> Hierarchy:
    """A tree in ARX's form, of which every value of the column must be a leaf."""
    from tokumei.tables.hierarchies.files import read_hierarchy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hierarchy.csv"
        path.write_text(text, encoding="utf-8")
        made = read_hierarchy(path, series.name, complete=True)
    made.leaf_codes(series.drop_nulls())
    return made
