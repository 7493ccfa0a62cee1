"""Formats the output of the commands on hierarchies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.command import CommandResult
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message

if TYPE_CHECKING:
    import numpy as np

    from tokumei.tables.hierarchies.hierarchy import Hierarchy
    from tokumei.tables.hierarchies.outline import OutlineLine


def hierarchy_result(hierarchy: Hierarchy, out: str, **extra: object) -> CommandResult:
    """The result of writing a hierarchy."""
    steps = " → ".join(f"{len(names):,}" for names in hierarchy.names)
    message = Message(
        f"{out}: {hierarchy.column}, {hierarchy.height} step(s): {steps}",
        f"{out}: {hierarchy.column}、{hierarchy.height} 段: {steps}",
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
        raise UsageError(
            f"{out}: the name must end in .html or .svg", f"{out}: .html か .svg にします"
        )
    write_text(drawer(hierarchy, counts), out)


def describe_outline_line(line: OutlineLine) -> Message:
    """A line of the outline."""
    label = Message(line.label, line.label) if line.label else Message("(empty)", "(空)")
    if line.more:
        label = Message(f"… + {line.more:,} more", f"… ほか {line.more:,} 個")
    rows = Message("", "")
    if line.rows is not None:
        rows = Message(f"  {line.rows:,} rows", f"  {line.rows:,} 行")
    return Message(
        *("  " * line.depth + name + figures for name, figures in zip(label, rows, strict=True))
    )
