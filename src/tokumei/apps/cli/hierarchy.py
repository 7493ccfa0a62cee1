"""`tokumei hierarchy`: check, show and export hierarchies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.hierarchy_output import (
    describe_outline_line,
    draw_hierarchy,
    hierarchy_figures,
    hierarchy_result,
)
from tokumei.core.command import MAX_JSON_VIOLATIONS, Command, CommandResult, option
from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.shared_options import encoding_option, require_option, seed_option, sep_option

if TYPE_CHECKING:
    import polars as pl

    from tokumei.tables.hierarchies.hierarchy import Hierarchy

DATA_HELP = Message("table with the values")
COLUMN_HELP = Message("column of the table")


@dataclass(frozen=True, kw_only=True)
class _HierarchyFileCommand(Command):
    """What commands on a hierarchy in a file share."""

    hierarchy: str | None = option("hierarchy: .csv, .yaml", default=None)
    column: str | None = option(COLUMN_HELP, default=None)
    complete: bool = option("add missing levels and *", default=False)
    encoding: str = encoding_option()
    seed: int | None = seed_option()


@dataclass(frozen=True, kw_only=True)
class _HierarchyDataCommand(_HierarchyFileCommand):
    """And a column that may be held against it."""

    data: str | None = option(DATA_HELP, default=None)
    sep: str | None = sep_option()

    def read_data_column(self) -> pl.Series | None:
        """The column, if there is data."""
        if self.data is None:
            return None
        column = require_option(self.column, "--column", "--data")
        return read_column(self.data, column, sep=self.sep, encoding=self.encoding)


@dataclass(frozen=True, kw_only=True)
class _HierarchySourceCommand(_HierarchyFileCommand):
    """What commands on a file or a built-in hierarchy share."""

    builtin: str | None = option("built-in name", default=None)
    labels: str = option("names of built-in nodes: ja, en", default="ja")
    first: str | None = option("first value (age …)", default=None)
    last: str | None = option("last value", default=None)

    def read_named_hierarchy(self) -> Hierarchy:
        """The one that is named."""
        from tokumei.tables.hierarchies.builtin import builtin_hierarchy
        from tokumei.tables.hierarchies.files import read_hierarchy

        path = self.hierarchy
        if self.builtin is not None and path is None:
            return builtin_hierarchy(
                self.builtin,
                column=self.column,
                labels=self.labels,
                first=self.first,
                last=self.last,
            )
        if path is None or self.builtin is not None:
            raise UsageError("give --hierarchy or --builtin")
        name = self.column or Path(path).name.partition(".")[0]
        return read_hierarchy(path, name, encoding=self.encoding, complete=self.complete)


@dataclass(frozen=True, kw_only=True)
class CheckHierarchy(_HierarchyDataCommand):
    """Check a hierarchy, and a column against it."""

    about: ClassVar = Message(
        "List everything that is wrong with a hierarchy (ARX's CSV or nested YAML), and the values "
        "of the data it does not cover. Exit code 1 if there is anything."
    )
    examples: ClassVar = ("tokumei hierarchy check --hierarchy age.csv --data x.csv --column age",)

    def answer(self) -> CommandResult:
        """All faults of the hierarchy; if there are none, the values it does not cover."""
        from tokumei.tables.hierarchies.files import read_level_rows
        from tokumei.tables.hierarchies.leaf_lookup import find_leaf_places, missing_leaf_violations
        from tokumei.tables.hierarchies.level_checks import examine_levels

        if self.hierarchy is None:
            raise UsageError("--hierarchy is needed")
        series = self.read_data_column()
        rows = read_level_rows(self.hierarchy, encoding=self.encoding)
        name = self.column or Path(self.hierarchy).name
        examination = examine_levels(rows, column=name, complete=self.complete)
        faults, total = examination.faults, examination.total
        if not faults and series is not None:
            leaves = examination.rows.frame["0"]
            uncovered = series.filter(
                find_leaf_places(leaves, series).is_null() & series.is_not_null()
            )
            faults, total = missing_leaf_violations(series.name, uncovered, leaves)
        conclusion = Message("No faults: the hierarchy can be used.")
        if total:
            conclusion = Message(
                "{count} fault",
                plural="{count:,} faults",
                context="errors in a hierarchy",
                count=total,
            )
        data = {
            "ok": not total,
            "total": total,
            "faults": [fault.as_json() for fault in faults[:MAX_JSON_VIOLATIONS]],
            "notes": [note.as_json("message") for note in examination.notes],
        }
        shown = [*(fault.message for fault in faults[:MAX_SHOWN_VIOLATIONS]), conclusion]
        return CommandResult(data, shown, examination.notes, code=1 if total else 0)


@dataclass(frozen=True, kw_only=True)
class ShowHierarchy(_HierarchySourceCommand, _HierarchyDataCommand):
    """Show a hierarchy as a tree."""

    about: ClassVar = Message(
        "Show a hierarchy as a tree, with rows per node if there is data; --out draws it (.html, "
        ".svg)."
    )
    examples: ClassVar = (
        "tokumei hierarchy show --builtin prefecture --labels en --out tree.html",
    )

    out: str | None = option("picture: .html, .svg", default=None)
    most: int = option("most values to show", default=200, least=1)

    def answer(self) -> CommandResult:
        """The tree, and its picture if it is wanted."""
        from tokumei.tables.hierarchies.outline import count_leaf_rows, outline

        series = self.read_data_column()
        hierarchy = self.read_named_hierarchy()
        counts = None if series is None else count_leaf_rows(hierarchy, series)
        if self.out is not None:
            draw_hierarchy(hierarchy, counts, self.out)
        lines = outline(hierarchy, counts=counts, most=self.most)
        tree = [
            {key: value for key, value in vars(line).items() if key != "span"} for line in lines
        ]
        return CommandResult(
            {"out": self.out, **hierarchy_figures(hierarchy), "lines": tree},
            [describe_outline_line(line) for line in lines],
        )


@dataclass(frozen=True, kw_only=True)
class ExportHierarchy(_HierarchySourceCommand):
    """Write a hierarchy."""

    about: ClassVar = Message(
        "Write a built-in hierarchy, or one from a file, as ARX's CSV or as nested YAML. Without "
        "--builtin and --hierarchy: list the built-in ones."
    )
    examples: ClassVar = ("tokumei hierarchy export --builtin prefecture --out prefecture.csv",)

    out: str | None = option("file to write: .csv, .yaml", default=None)
    sep: str = option("separator to write", default=";")

    def answer(self) -> CommandResult:
        """The file, or what could be written."""
        from tokumei.tables.hierarchies.builtin import BUILTIN
        from tokumei.tables.hierarchies.files import write_hierarchy

        if self.hierarchy is None and self.builtin is None and self.out is None:
            descriptions = {name: builtin.about for name, builtin in BUILTIN.items()}
            shown = [
                Message("{name}: {about}", name=name, about=about)
                for name, about in descriptions.items()
            ]
            return CommandResult(
                {name: about.texts() for name, about in descriptions.items()}, shown
            )
        if self.out is None:
            raise UsageError("--out is needed")
        hierarchy = self.read_named_hierarchy()
        write_hierarchy(hierarchy, self.out, sep=self.sep)
        return hierarchy_result(hierarchy, self.out)


def read_column(data: str, column: str, *, sep: str | None, encoding: str) -> pl.Series:
    """A column of a table in a file."""
    from tokumei.files.reading import read_frame

    frame = read_frame(data, sep=sep, encoding=encoding)
    if column not in frame.columns:
        raise UnknownNameError(Message("column"), column, frame.columns, where=data)
    return frame[column]
