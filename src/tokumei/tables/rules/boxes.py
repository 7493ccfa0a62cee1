"""Rules as sets of leaves: what the kernels and measures work on.

    found = leaf_rules(rules, hierarchies, names)   # hierarchies in the order of the columns
    found[0].insides[0][2]                          # which leaves of the third column are wanted

A wanted name may be a leaf or any node above it. All faults are listed at once, with line, rule,
attribute and the nearest name.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.rules.attribute import Attribute
from tokumei.tables.rules.rules import Box, Rule
from tokumei.tables.rules.rules_file import rule_fault

LeafBox = tuple[np.ndarray, ...]
"""For every column, in order, whether each leaf is wanted."""


@dataclass(frozen=True, eq=False)
class LeafRule:
    """A rule whose boxes are sets of leaves."""

    name: str
    insides: Sequence[LeafBox]


def leaf_rules(
    rules: Sequence[Rule], hierarchies: Mapping[str, Hierarchy], *, where: str = ""
) -> list[LeafRule]:
    """The rules over the columns of `hierarchies`, in that order."""
    known = {name: Attribute(hierarchy) for name, hierarchy in hierarchies.items()}
    faults: list[Fault] = []
    found = [
        LeafRule(rule.name, [_leaf_box(rule.name, box, known, faults) for box in rule.boxes])
        for rule in rules
    ]
    if faults:
        place = f"{where}: " if where else ""
        faults.sort(key=lambda fault: fault.line or 0)
        raise InputError(
            f"{place}the rules do not fit the hierarchies",
            f"{place}推薦ルールが階層に合いません",
            faults=faults,
        )
    return found


def _leaf_box(rule: str, box: Box, known: Mapping[str, Attribute], faults: list[Fault]) -> LeafBox:
    inside = {name: attribute.anything for name, attribute in known.items()}
    for name, wanted in box.wanted.items():
        line = box.lines.get(name)
        if name not in known:
            faults.append(_fault(rule, name, line, _no_attribute(name, known)))
            continue
        try:
            inside[name] = known[name].leaves(wanted)
        except InputError as err:
            faults.append(_fault(rule, name, line, err.message))
    return tuple(inside.values())


def _no_attribute(name: str, known: Mapping[str, Attribute]) -> Text:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    listed = ", ".join(known)
    return Text(
        "there is no such attribute" + (f"; did you mean '{near[0]}'?" if near else f": {listed}"),
        "この属性はない" + (f"。'{near[0]}' のことか" if near else f"。使える属性: {listed}"),
    )


def _fault(rule: str, attribute: str, line: int | None, why: Text) -> Fault:
    message = Text(
        f"rule '{rule}', attribute '{attribute}': {why.en}",
        f"規則 '{rule}'、属性 '{attribute}': {why.ja}",
    )
    return rule_fault(line, message, attribute=attribute)
