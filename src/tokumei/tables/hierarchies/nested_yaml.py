"""Reads and writes hierarchies as nested YAML.

    Government: [Federal-gov, Local-gov]
    Other:
      - Private
      - Without-pay

The whole stands for `*`, which may be written as the one outermost name. Names are taken as they
are written (01 stays 01); a leaf "" or null stands for missing values. Leaves nearer to `*` than
others are faults, unless the hierarchy is completed. Anchors and aliases are not used here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import yaml

from tokumei.core.errors import InputError, Violation
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath, input_error
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.level_rows import MAX_LEVELS, LevelRows

_NULL_TAG = "tag:yaml.org,2002:null"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_LabelPath = tuple[str, ...]


def parse_nested(text: str, *, where: AnyPath) -> LevelRows:
    """The leaves of a tree with their lines, unchecked; an InputError says what is no tree."""
    root = _compose_yaml(text, where)
    leaf_entries = list(_iterate_leaves(root, where)) if root is not None else []
    if not leaf_entries:
        raise input_error(where, Message("there are no leaves"))
    rows = [[leaf, *reversed(path), SUPPRESSED_CELL] for path, leaf, _ in leaf_entries]
    return LevelRows.of(rows, lines=[line for *_, line in leaf_entries], where=str(where))


def to_nested_yaml(hierarchy: Hierarchy) -> str:
    """The hierarchy as YAML; leaves of one parent stand together, in the hierarchy's order."""
    tree: dict[str, Any] | list[str] = {}
    if hierarchy.height == 1:
        tree = hierarchy.leaves.to_list()
    else:
        assert isinstance(tree, dict)
        for leaf, parent, *above in hierarchy.frame().iter_rows():
            branch = tree
            for name in above[-2::-1]:
                branch = branch.setdefault(name, {})
            branch.setdefault(parent, []).append(leaf)
    return str(yaml.dump(tree, Dumper=_DUMPER, allow_unicode=True, sort_keys=False, width=100))


def _compose_yaml(text: str, where: AnyPath) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_LOADER)  # type: ignore[no-any-return]
    except (yaml.YAMLError, ValueError, RecursionError) as err:
        mark = getattr(err, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        reason = getattr(err, "problem", None)
        problem = Message.verbatim(str(reason)) if reason else Message("too deep")
        raise _not_a_tree_error(where, line, problem) from None


def _iterate_leaves(root: yaml.Node, where: AnyPath) -> Iterator[tuple[_LabelPath, str, int]]:
    """Every leaf with the path from the outermost name, and its line, in the order written."""
    visited: set[int] = set()
    pending: list[tuple[_LabelPath, str | None, yaml.Node]] = [((), None, _skip_star(root))]
    while pending:
        path, name, node = pending.pop()
        line = node.start_mark.line + 1
        if isinstance(node, yaml.ScalarNode):
            if node.tag == _NULL_TAG and name is not None:
                yield path, name, line
            else:
                yield (*path, *_name_path(name)), "" if node.tag == _NULL_TAG else node.value, line
            continue
        if len(path) > MAX_LEVELS:
            raise _not_a_tree_error(where, line, Message("too deep"))
        if id(node) in visited:
            raise _not_a_tree_error(where, line, Message("an alias (*) is not allowed"))
        visited.add(id(node))
        below = (*path, *_name_path(name))
        pending += reversed([(below, key, part) for key, part in _child_nodes(node, where)])


def _child_nodes(node: yaml.Node, where: AnyPath) -> Iterator[tuple[str | None, yaml.Node]]:
    """What lies directly below a node, with its name if it has one."""
    if isinstance(node, yaml.SequenceNode):
        yield from ((None, part) for part in node.value)
        return
    for key, part in node.value:
        if not isinstance(key, yaml.ScalarNode):
            problem = Message("a name must be plain text")
            raise _not_a_tree_error(where, key.start_mark.line + 1, problem)
        yield ("" if key.tag == _NULL_TAG else key.value), part


def _skip_star(root: yaml.Node) -> yaml.Node:
    """The tree below `*`, if that is written."""
    if isinstance(root, yaml.MappingNode) and len(root.value) == 1:
        key, below = root.value[0]
        if isinstance(key, yaml.ScalarNode) and key.value == SUPPRESSED_CELL:
            return cast(yaml.Node, below)
    return root


def _name_path(name: str | None) -> _LabelPath:
    return () if name is None else (name,)


def _not_a_tree_error(where: AnyPath, line: int, problem: Message) -> InputError:
    message = Message("line {line}: not a tree in YAML ({problem})", line=line, problem=problem)
    fault = Violation(rule="hierarchy-yaml", line=line, message=message)
    reason = Message("not a tree in YAML")
    return input_error(where, reason, faults=[fault])
