"""Rules as sets of leaves, for kernels and measures.

    boxes = leaf_rules(rules, hierarchies, names)  # hierarchies in the columns' order
    boxes[0].insides[0][2]                          # which leaves of the third column are wanted

A wanted name may be a leaf or any node above it. All faults are listed at once, with line, rule,
attribute and the nearest name.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import InputError, Violation
from tokumei.core.message_lines import locate_problem
from tokumei.core.messages import Message, join_messages
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.recommendation_rules.attribute_leaves import RuleAttribute
from tokumei.tables.recommendation_rules.rule_model import RecommendationRule, RuleBox
from tokumei.tables.recommendation_rules.rules_file import rule_violation

LeafBox = tuple[np.ndarray, ...]
"""For every column, in order, whether each leaf is wanted."""


@dataclass(frozen=True, eq=False)
class LeafRule:
    """A rule whose boxes are sets of leaves."""

    name: str
    insides: Sequence[LeafBox]


def leaf_rules(
    rules: Sequence[RecommendationRule], hierarchies: Mapping[str, Hierarchy], *, where: str = ""
) -> list[LeafRule]:
    """The rules over the columns of `hierarchies`, in that order."""
    attributes = {name: RuleAttribute(hierarchy) for name, hierarchy in hierarchies.items()}
    faults: list[Violation] = []
    rules_of_leaves = [
        LeafRule(rule.name, [_leaf_box(rule.name, box, attributes, faults) for box in rule.boxes])
        for rule in rules
    ]
    if faults:
        faults.sort(key=lambda fault: fault.line or 0)
        problem = Message("the rules do not fit the hierarchies")
        raise InputError(locate_problem(problem, where), faults=faults)
    return rules_of_leaves


def _leaf_box(
    rule: str, box: RuleBox, attributes: Mapping[str, RuleAttribute], faults: list[Violation]
) -> LeafBox:
    inside = {name: attribute.anything for name, attribute in attributes.items()}
    for name, wanted in box.wanted.items():
        line = box.lines.get(name)
        if name not in attributes:
            faults.append(
                _attribute_violation(rule, name, line, _unknown_attribute_message(name, attributes))
            )
            continue
        try:
            inside[name] = attributes[name].leaves(wanted)
        except InputError as err:
            faults.append(_attribute_violation(rule, name, line, err.message))
    return tuple(inside.values())


def _unknown_attribute_message(name: str, attributes: Mapping[str, RuleAttribute]) -> Message:
    close_names = difflib.get_close_matches(name, list(attributes), n=1, cutoff=0.5)
    if close_names:
        return Message(
            "there is no such attribute; did you mean '{nearest}'?", nearest=close_names[0]
        )
    return Message("there is no such attribute: {attributes}", attributes=join_messages(attributes))


def _attribute_violation(
    rule: str, attribute: str, line: int | None, problem: Message
) -> Violation:
    message = Message(
        "rule '{rule}', attribute '{attribute}': {problem}",
        rule=rule,
        attribute=attribute,
        problem=problem,
    )
    return rule_violation(line, message, attribute=attribute)
