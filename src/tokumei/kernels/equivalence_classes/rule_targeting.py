"""What a hierarchical Mondrian works on, and what the rules say of its groups: TF-IDF.

Rules stand for words, groups for documents. The counts over all groups of the table are kept as
groups are split, so that a candidate costs its children times the rules, however many groups.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole
from cython import uchar as byte
from cython.cimports.libc.math import log

from tokumei.kernels.equivalence_classes.conditions import Checks


@cython.dataclasses.dataclass(eq=False, repr=False)
@cython.cclass
class Splitting:
    """A tree as `tokumei.kernels.mondrian.hierarchical` describes it, rules, answers and room.

    `order` holds the groups one behind the other: a group is a stretch of it. Of all `groups` of
    the table, finished or waiting, `aimed[rule]` are targeted by a rule, and `parts[rule]` is the
    sum of its tf over them; `own[rule]` is whether it targets the group at hand, as `own_rules` do.
    """

    codes: cython.int[:, ::1]
    counts: whole[::1]
    up: whole[::1]
    starts: whole[:, ::1]
    heights: whole[::1]
    leaves: whole[::1]
    cost: real[::1]
    touch: byte[:, ::1]
    rule: whole[::1]
    checks: Checks
    classes: whole[::1]
    levels: whole[:, ::1]
    order: whole[::1]
    room: whole[::1]
    begins: whole[::1]
    ends: whole[::1]
    at: whole[::1]
    nodes: whole[::1]
    children: whole[::1]
    rows: whole[::1]
    stretch: whole[::1]
    place: whole[::1]
    sizes: whole[::1]
    targeted: byte[:, ::1]
    in_group: whole[::1]
    for_groups: whole[::1]
    own: byte[::1]
    aimed: whole[::1]
    parts: real[::1]
    k: whole
    how: whole
    ties: whole
    whole_table: cython.bint
    mean_of_split: cython.bint
    begin: whole = 0
    end: whole = 0
    distinct: whole = 0
    waiting: whole = 1
    number: whole = 0
    groups: whole = 0
    own_rules: whole = 0


@cython.cfunc
def tfidf(s: Splitting, j: whole) -> real:
    """Mean over groups of Σ tf·idf, if the group at hand is split into the children.

    Rules stand for words, groups for documents: all groups of the table as it would be after the
    split (the paper's TF-IDF), or only those that the split makes; with `mean_of_split` the idf is
    that of the whole table, and the mean is taken over the split's groups alone. A rule that
    targets few of the groups, in groups that few rules target, speaks for the split. With one
    rule the mean over all groups is
    −p·log p, p the share of groups that it targets.
    """
    _mark_targets(s, j)
    groups: whole = s.distinct
    if s.whole_table:
        groups += s.groups - 1
    score: real = 0.0
    for rule in range(s.for_groups.shape[0]):
        aimed = s.for_groups[rule]
        parts: real = 0.0
        if s.whole_table:
            aimed += s.aimed[rule] - s.own[rule]
            if not s.mean_of_split:
                parts = s.parts[rule] - _rule_tf_in_group(s, rule)
        for child in range(s.distinct):
            if s.targeted[rule, child]:
                parts += 1.0 / s.in_group[child]
        if aimed > 0:
            score += parts * log(float(groups) / aimed)
    return score / (s.distinct if s.mean_of_split else groups)


@cython.cfunc
def _rule_tf_in_group(s: Splitting, rule: whole) -> real:
    """The tf of a rule in the group at hand."""
    return 1.0 / s.own_rules if s.own[rule] else 0.0


@cython.cfunc
def mark_group_rules(s: Splitting) -> cython.void:
    """Which rules target the group at hand; the first group of all is counted here."""
    s.own_rules = 0
    for rule in range(s.own.shape[0]):
        s.own[rule] = False
    for box in range(s.rule.shape[0]):
        rule = s.rule[box]
        if not s.own[rule] and _box_touches_group(s, box, -1):
            s.own[rule] = True
            s.own_rules += 1
    if s.groups == 0:
        s.groups = 1
        for rule in range(s.own.shape[0]):
            s.aimed[rule] = s.own[rule]
            s.parts[rule] = _rule_tf_in_group(s, rule)


@cython.cfunc
def count_children(s: Splitting, column: whole) -> cython.void:
    """The children take the place of the group at hand among all groups."""
    _mark_targets(s, column)
    s.groups += s.distinct - 1
    for rule in range(s.own.shape[0]):
        s.aimed[rule] += s.for_groups[rule] - s.own[rule]
        s.parts[rule] -= _rule_tf_in_group(s, rule)
        for child in range(s.distinct):
            if s.targeted[rule, child]:
                s.parts[rule] += 1.0 / s.in_group[child]


@cython.cfunc
def _mark_targets(s: Splitting, j: whole) -> cython.void:
    """Whether each rule targets each child: one of its boxes overlaps it in every column."""
    for rule in range(s.for_groups.shape[0]):
        s.for_groups[rule] = 0
        for child in range(s.distinct):
            s.targeted[rule, child] = False
    for child in range(s.distinct):
        s.in_group[child] = 0
    for box in range(s.rule.shape[0]):
        if _box_touches_group(s, box, j):
            rule = s.rule[box]
            for child in range(s.distinct):
                if s.touch[box, s.children[child]] and not s.targeted[rule, child]:
                    s.targeted[rule, child] = True
                    s.in_group[child] += 1
                    s.for_groups[rule] += 1


@cython.cfunc
def _box_touches_group(s: Splitting, box: whole, column: whole) -> cython.bint:
    """Whether a box overlaps the group in every other column (of −1: in every column)."""
    for j in range(s.at.shape[0]):
        if j != column and not s.touch[box, s.at[j]]:
            return False
    return True
