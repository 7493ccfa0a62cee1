"""`tokumei hierarchy check|show|export`, and what the whole group says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokumei.cli.hierarchy import Column, Complete, Data, File, First, Labels, Last, Name
from tokumei.cli.options import Encoding, Json, Seed, Sep
from tokumei.core.errors import FAULTS_SHOWN, Fault, UnknownNameError, UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    from tokumei.tables.hierarchies.hierarchy import Hierarchy
    from tokumei.tables.hierarchies.outline import Line

LISTED = 1000


def check(
    hierarchy: File = None,
    data: Data = None,
    column: Column = None,
    complete: Complete = False,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Check a hierarchy, and a column against it."""
    from tokumei.cli.console import note, print_json
    from tokumei.tables.hierarchies.checks import examine
    from tokumei.tables.hierarchies.files import read_rows

    if hierarchy is None:
        raise UsageError("--hierarchy is needed", "--hierarchy が必要です")
    series = _series(data, column, sep=sep, encoding=encoding)
    name = column or Path(hierarchy).name
    rows = read_rows(hierarchy, encoding=encoding)
    found = examine(rows, column=name, complete=complete)
    faults, total = found.faults, found.total
    if not faults and series is not None:
        faults, total = _missing(found.rows.frame["0"], series)
    if json:
        shown = [fault.as_json() for fault in faults[:LISTED]]
        notes = [{"message_en": text.en, "message_ja": text.ja} for text in found.notes]
        print_json({"ok": not total, "total": total, "faults": shown, "notes": notes})
    else:
        for text in found.notes:
            note(text)
        _print_faults(faults, total)
    raise typer.Exit(1 if total else 0)


def show(
    hierarchy: File = None,
    builtin: Name = None,
    data: Data = None,
    column: Column = None,
    out: Annotated[
        str | None, typer.Option(help=Text("picture: .html, .svg", "図: .html, .svg").show())
    ] = None,
    labels: Labels = "ja",
    first: First = None,
    last: Last = None,
    complete: Complete = False,
    most: Annotated[
        int, typer.Option(min=1, help=Text("most values to show", "表示する値の上限").show())
    ] = 200,
    sep: Sep = None,
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Show a hierarchy as a tree."""
    from tokumei.tables.hierarchies.outline import outline, row_counts

    series = _series(data, column, sep=sep, encoding=encoding)
    ends = {"labels": labels, "first": first, "last": last}
    found = _read(hierarchy, builtin, column, complete=complete, encoding=encoding, **ends)
    counts = None if series is None else row_counts(found, series)
    if out is not None:
        _draw(found, counts, out)
    lines = outline(found, counts=counts, most=most)
    if json:
        tree = [
            {key: value for key, value in vars(line).items() if key != "span"} for line in lines
        ]
        tell(found, True, out=out, lines=tree)
        return
    for line in lines:
        print(_shown(line))


def export(
    out: Annotated[
        str | None, typer.Option(help=Text("file to write: .csv, .yaml", "出力先").show())
    ] = None,
    hierarchy: File = None,
    builtin: Name = None,
    column: Column = None,
    labels: Labels = "ja",
    first: First = None,
    last: Last = None,
    complete: Complete = False,
    sep: Annotated[str, typer.Option(help=Text("separator to write", "区切り文字").show())] = ";",
    encoding: Encoding = "auto",
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Write a hierarchy."""
    from tokumei.tables.hierarchies.files import write_hierarchy

    if hierarchy is None and builtin is None and out is None:
        _list_builtin(json)
        return
    if out is None:
        raise UsageError("--out is needed", "--out が必要です")
    ends = {"labels": labels, "first": first, "last": last}
    found = _read(hierarchy, builtin, column, complete=complete, encoding=encoding, **ends)
    write_hierarchy(found, out, sep=sep)
    tell(found, json, out=out)


def tell(hierarchy: Hierarchy, json: bool, *, out: str | None, **more: Any) -> None:
    """Say what a hierarchy is, for people or as JSON."""
    from tokumei.cli.console import note, print_json

    sizes = [len(names) for names in hierarchy.names]
    if json:
        about = {"column": hierarchy.column, "height": hierarchy.height, "levels": sizes}
        print_json({"out": out, **about, **more})
        return
    steps = " → ".join(f"{size:,}" for size in sizes)
    note(
        Text(
            f"{out}: {hierarchy.column}, {hierarchy.height} step(s): {steps}",
            f"{out}: {hierarchy.column}、{hierarchy.height} 段: {steps}",
        )
    )


def column_of(data: str, column: str, *, sep: str | None, encoding: str) -> pl.Series:
    """A column of a table in a file."""
    from tokumei.files.reading import read_frame

    frame = read_frame(data, sep=sep, encoding=encoding)
    if column not in frame.columns:
        raise UnknownNameError(Text("column", "列"), column, frame.columns, where=data)
    return frame[column]


def _series(
    data: str | None, column: str | None, *, sep: str | None, encoding: str
) -> pl.Series | None:
    if data is None:
        return None
    if column is None:
        raise UsageError("--data needs --column", "--data には --column が必要です")
    return column_of(data, column, sep=sep, encoding=encoding)


def _read(
    path: str | None,
    name: str | None,
    column: str | None,
    *,
    complete: bool,
    encoding: str,
    **ends: Any,
) -> Hierarchy:
    from tokumei.tables.hierarchies.builtin import builtin_hierarchy
    from tokumei.tables.hierarchies.files import read_hierarchy

    if name is not None and path is None:
        return builtin_hierarchy(name, column=column, **ends)
    if path is None or name is not None:
        raise UsageError(
            "give --hierarchy or --builtin", "--hierarchy か --builtin の一方を指定します"
        )
    stem = Path(path).name.partition(".")[0]
    return read_hierarchy(path, column or stem, encoding=encoding, complete=complete)


def _missing(leaves: pl.Series, series: pl.Series) -> tuple[list[Fault], int]:
    from tokumei.tables.hierarchies.leaves import missing_faults, places

    return missing_faults(series.name, series.filter(places(leaves, series).is_null()), leaves)


def _print_faults(faults: list[Fault], total: int) -> None:
    for fault in faults[:FAULTS_SHOWN]:
        print(fault.message.show())
    if total:
        print(Text(f"{total} fault(s)", f"誤り {total} 件").show())
    else:
        print(
            Text(
                "No faults: the hierarchy can be used.", "誤りはありません。この階層は使えます。"
            ).show()
        )


def _draw(hierarchy: Hierarchy, counts: np.ndarray | None, out: str) -> None:
    from tokumei.files.containers import suffix_of
    from tokumei.files.writing import write_text
    from tokumei.tables.report.hierarchy_tree import hierarchy_tree_page, hierarchy_tree_svg

    drawers = {".html": hierarchy_tree_page, ".svg": hierarchy_tree_svg}
    drawer = drawers.get(suffix_of(out))
    if drawer is None:
        raise UsageError(
            f"{out}: the name must end in .html or .svg", f"{out}: .html か .svg にします"
        )
    write_text(drawer(hierarchy, counts), out)


def _shown(line: Line) -> str:
    label = line.label or Text("(empty)", "(空)").show()
    if line.more:
        label = Text(f"… + {line.more:,} more", f"… ほか {line.more:,} 個").show()
    figures = (
        "" if line.rows is None else Text(f"  {line.rows:,} rows", f"  {line.rows:,} 行").show()
    )
    return f"{'  ' * line.depth}{label}{figures}"


def _list_builtin(json: bool) -> None:
    from tokumei.cli.console import print_json
    from tokumei.tables.hierarchies.builtin import BUILTIN

    if json:
        print_json({name: about.about._asdict() for name, about in BUILTIN.items()})
        return
    for name, about in BUILTIN.items():
        sys.stdout.write(f"{name}: {about.about.show()}\n")
