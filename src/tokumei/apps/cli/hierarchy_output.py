"""Formats the output of the commands on hierarchies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.command import CommandResult
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, join_messages

if TYPE_CHECKING:
    import numpy as np

    from tokumei.tables.hierarchies.hierarchy import Hierarchy
    from tokumei.tables.hierarchies.outline import OutlineLine


NO_GAP = Message.verbatim("")


def hierarchy_result(hierarchy: Hierarchy, out: str, **extra: object) -> CommandResult:
    """The result of writing a hierarchy."""
    steps = " → ".join(f"{len(names):,}" for names in hierarchy.names)
    message = Message(
        "{out}: {column}, {count} step: {steps}",
        plural="{out}: {column}, {count} steps: {steps}",
        count=hierarchy.height,
        out=out,
        column=hierarchy.column,
        steps=steps,
    )
    return CommandResult({"out": out, **hierarchy_figures(hierarchy), **extra}, notes=[message])


def hierarchy_figures(hierarchy: Hierarchy) -> dict[str, object]:
    """Column, height and number of nodes on each level of a hierarchy."""
    sizes = [len(names) for names in hierarchy.names]
    return {"column": hierarchy.column, "height": hierarchy.height, "levels": sizes}


def draw_hierarchy(hierarchy: Hierarchy, counts: np.ndarray | None, out: str) -> None:
    """Its tree as a page or a picture, by the name of the file."""
    from tokumei.files.file_formats import file_suffix
    from tokumei.files.writing import write_text
    from tokumei.tables.report.hierarchy_tree import hierarchy_tree_page, hierarchy_tree_svg

    drawers = {".html": hierarchy_tree_page, ".svg": hierarchy_tree_svg}
    drawer = drawers.get(file_suffix(out))
    if drawer is None:
        raise UsageError("{out}: the name must end in .html or .svg", out=out)
    write_text(drawer(hierarchy, counts), out)


def describe_outline_line(line: OutlineLine) -> Message:
    """A line of the outline."""
    label = Message.verbatim(line.label) if line.label else Message("(empty)")
    if line.more:
        label = Message("… + {more:,} more", more=line.more)
    columns = [label]
    if line.rows is not None:
        columns.append(Message("{count} row", plural="{count:,} rows", count=line.rows))
    indent, gap = "  " * line.depth, "  "
    return join_messages([indent, join_messages(columns, Message.verbatim(gap))], NO_GAP)
