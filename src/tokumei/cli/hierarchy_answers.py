"""What the commands on hierarchies say, list and draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.core.ask import Answer
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    import numpy as np

    from tokumei.tables.hierarchies.hierarchy import Hierarchy
    from tokumei.tables.hierarchies.outline import Line


def told(hierarchy: Hierarchy, out: str, **more: Any) -> Answer:
    """What was written."""
    figures = figures_of(hierarchy)
    steps = " → ".join(f"{size:,}" for size in figures["levels"])
    said = Text(
        f"{out}: {hierarchy.column}, {hierarchy.height} step(s): {steps}",
        f"{out}: {hierarchy.column}、{hierarchy.height} 段: {steps}",
    )
    return Answer({"out": out, **figures, **more}, notes=[said])


def figures_of(hierarchy: Hierarchy) -> dict[str, Any]:
    """A hierarchy in figures."""
    sizes = [len(names) for names in hierarchy.names]
    return {"column": hierarchy.column, "height": hierarchy.height, "levels": sizes}


def draw(hierarchy: Hierarchy, counts: np.ndarray | None, out: str) -> None:
    """Its tree as a page or a picture, by the name of the file."""
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


def line_text(line: Line) -> Text:
    """A line of the outline."""
    label = Text(line.label, line.label) if line.label else Text("(empty)", "(空)")
    if line.more:
        label = Text(f"… + {line.more:,} more", f"… ほか {line.more:,} 個")
    rows = Text("", "")
    if line.rows is not None:
        rows = Text(f"  {line.rows:,} rows", f"  {line.rows:,} 行")
    return Text(
        *("  " * line.depth + name + figures for name, figures in zip(label, rows, strict=True))
    )
