"""The words for what can be wrong with a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

from tokumei.core.cells import STAR
from tokumei.core.errors import Fault
from tokumei.core.text import Text


def too_few(leaf: str, levels: int, wanted: int) -> Text:
    """A row that stops before the others."""
    return Text(
        f"'{leaf}' has {levels} level(s), other rows have {wanted}",
        f"'{leaf}' は {levels} 段しかありません (ほかの行は {wanted} 段)",
    )


def no_star(leaf: str, last: str) -> Text:
    """A row that does not end in `*`."""
    return Text(
        f"'{leaf}' ends in '{last}', not in '{STAR}': the last level must be '{STAR}' for all",
        f"'{leaf}' の最後は '{last}' です。最後の段はすべて '{STAR}' でなければなりません",
    )


def starred_leaf() -> Text:
    """A leaf named `*`."""
    return Text(
        f"a leaf cannot be named '{STAR}': that is what every leaf ends in",
        f"葉の名前に '{STAR}' は使えません。'{STAR}' はすべての葉の行き着く先です",
    )


def early_star(leaf: str, level: int) -> Text:
    """A `*` between the leaf and the last level."""
    return Text(
        f"'{leaf}' is already '{STAR}' on level {level}; only the last level may be '{STAR}'",
        f"'{leaf}' が第 {level} 段で既に '{STAR}' です。'{STAR}' は最後の段だけに置けます",
    )


def nameless(leaf: str, level: int) -> Text:
    """An empty label above a leaf that has a name."""
    return Text(
        f"'{leaf}' has an empty label on level {level}", f"'{leaf}' の第 {level} 段が空です"
    )


def two_paths(path: Sequence[str], other: Sequence[str], line: int) -> Text:
    """A leaf that stands twice, with other labels."""
    here, there = " → ".join(path), " → ".join(other)
    return Text(
        f"leaf '{path[0]}' is already on line {line}, with other labels: {there}, here {here}",
        f"葉 '{path[0]}' は {line} 行目に別の道筋で既にあります: {there} (ここでは {here})",
    )


def two_parents(label: str, level: int, parents: tuple[str, str], line: int) -> Text:
    """A label that lies in one node here and in another on an earlier line."""
    here, there = parents
    return Text(
        f"'{label}' (level {level}) lies in '{here}' here and in '{there}' on line {line}: "
        f"a node has one parent on level {level + 1}",
        f"'{label}' (第 {level} 段) はここでは '{here}'、{line} 行目では '{there}' に属します。"
        f"第 {level + 1} 段の親は一つだけです",
    )


def no_rows(column: str) -> Fault:
    """Nothing at all."""
    message = Text("there are no rows", "行がありません")
    return Fault(rule="hierarchy-empty", column=column, message=message)
