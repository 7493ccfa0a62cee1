"""`tokumei hierarchy build`: makes a hierarchy from the values of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.apps.cli.hierarchy import COLUMN_HELP, DATA_HELP, read_column
from tokumei.apps.cli.hierarchy_output import hierarchy_result
from tokumei.core.command import Command, CommandResult, option
from tokumei.core.errors import UsageError
from tokumei.core.lazy_imports import load_object
from tokumei.core.messages import Message, join_messages
from tokumei.core.option_parsing import split_names
from tokumei.core.shared_options import encoding_option, seed_option, sep_option

if TYPE_CHECKING:
    from tokumei.tables.hierarchies.hierarchy import Hierarchy


BuilderName = Literal["auto", "intervals", "dates", "prefix", "merge"]
HIERARCHY_BUILDERS: dict[BuilderName, str] = {
    "auto": "choose:propose_hierarchy",
    "intervals": "intervals:interval_hierarchy",
    "dates": "dates:date_hierarchy",
    "prefix": "text_hierarchies:prefix_hierarchy",
    "merge": "text_hierarchies:merge_hierarchy",
}


@dataclass(frozen=True, kw_only=True)
class BuildHierarchy(Command):
    """Make a hierarchy from a column."""

    about: ClassVar = Message(
        "Make a hierarchy from the values of a column, to be edited and given to --hierarchies. "
        "--kind auto proposes one by itself."
    )
    examples: ClassVar = (
        "tokumei hierarchy build --data x.csv --column age --width 5,10,20 --out age.csv",
    )

    data: str = option(DATA_HELP)
    column: str = option(COLUMN_HELP)
    out: str = option("file to write: .csv, .yaml")
    kind: BuilderName | None = option(
        "how to build it (default: by the options below, else auto)", default=None
    )
    width: tuple[str, ...] = option("intervals: widths 5,10,20", default=())
    cuts: list[str] = option("intervals: bounds 0,18,65,120; again for coarser", default=[])
    quantiles: tuple[int, ...] = option("intervals: groups 8,4,2", default=())
    open_above: str | None = option("with --width: one band from this number on", default=None)
    open_below: str | None = option("with --width: one band below this number", default=None)
    every: bool = option("every whole number is a leaf", default=False)
    levels: tuple[str, ...] = option("dates: month,quarter,year,decade", default=())
    lengths: tuple[int, ...] = option("prefix: lengths 3,1", default=())
    fanout: int | None = option("merge: how many neighbours at a time", default=None)
    order: tuple[str, ...] = option("merge: order of values a,b,c", default=())
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """The hierarchy, written."""
        from tokumei.tables.hierarchies.files import write_hierarchy

        builder, options = self._choose_builder()
        series = read_column(self.data, self.column, sep=self.sep, encoding=self.encoding)
        hierarchy: Hierarchy = load_object(
            f"tokumei.tables.hierarchies.{HIERARCHY_BUILDERS[builder]}"
        )(series, **options)
        write_hierarchy(hierarchy, self.out)
        return hierarchy_result(hierarchy, self.out, kind=builder)

    def _choose_builder(self) -> tuple[BuilderName, dict[str, object]]:
        """The kind meant, and its options; options of other kinds are refused."""
        cuts = [split_names(level) for level in self.cuts]
        intervals = {"widths": self.width, "cuts": cuts, "quantiles": self.quantiles}
        open_ends = {"open_above": self.open_above, "open_below": self.open_below}
        options_by_builder: dict[BuilderName, dict[str, object]] = {
            "intervals": {**intervals, **open_ends, "every": self.every},
            "dates": {"levels": self.levels},
            "prefix": {"lengths": self.lengths},
            "merge": {"fanout": self.fanout, "order": self.order},
        }
        given_options = {
            builder: {name: value for name, value in options.items() if value}
            for builder, options in options_by_builder.items()
        }
        builders_given = [builder for builder, options in given_options.items() if options]
        chosen_builder: BuilderName = self.kind or (builders_given[0] if builders_given else "auto")
        foreign_options = [
            name
            for builder in builders_given
            if builder != chosen_builder
            for name in given_options[builder]
        ]
        if foreign_options:
            raise UsageError(
                "--kind {builder} does not use: {options}",
                builder=chosen_builder,
                options=join_messages(foreign_options),
            )
        if chosen_builder == "prefix":
            return chosen_builder, {"lengths": self.lengths}
        return chosen_builder, given_options.get(chosen_builder, {})
