"""Hierarchical Mondrian and rules, slow and obvious: recursion on lists of rows."""

import math
from itertools import product


def node(hierarchy, level, leaf):
    """A node as the set of the leaves under it."""
    place = hierarchy.up[level][leaf]
    return frozenset(i for i, other in enumerate(hierarchy.up[level]) if other == place)


def targets(rule, region):
    """Whether a box of the rule overlaps the region in every attribute (sets of leaves)."""
    return any(all(part & wanted for part, wanted in zip(region, box, strict=True)) for box in rule)


def decided(rule, region):
    """True or False if all points of the region agree on it, else None."""
    answers = {
        any(all(x in wanted for x, wanted in zip(point, box, strict=True)) for box in rule)
        for point in product(*region)
    }
    return answers.pop() if len(answers) == 1 else None


def tfidf(rules, regions, averaged=None):
    """The mean over `averaged` (all by default) of the tf·idf, whose idf counts all regions."""
    averaged = regions if averaged is None else averaged
    total = 0.0
    for region in averaged:
        aimed = [rule for rule in rules if targets(rule, region)]
        for rule in aimed:
            groups = sum(targets(rule, other) for other in regions)
            total += 1 / len(aimed) * math.log(len(regions) / groups)
    return total / len(averaged)


def score(choice, hierarchies, rules, rows, levels, j, parts):
    hierarchy = hierarchies[j]
    leaves = len(hierarchy.leaves)
    if choice == "prec":
        return 1 / hierarchy.height
    if choice == "range":
        mine = [row[j] for row in rows]
        return (max(mine) - min(mine)) / max(leaves - 1, 1)
    if choice == "ncp":

        def ncp(row, level):
            return (len(node(hierarchy, level, row[j])) - 1) / max(leaves - 1, 1)

        gains = [ncp(row, levels[j]) - ncp(row, levels[j] - 1) for row in rows]
        return sum(gains) / len(gains)
    below = [level - (i == j) for i, level in enumerate(levels)]
    places = list(zip(hierarchies, below, strict=True))
    regions = [
        [node(h, level, part[0][i]) for i, (h, level) in enumerate(places)] for part in parts
    ]
    return tfidf(rules, regions)


def slow_tree(hierarchies, rules, rows, *, k, choice, ties, levels=None):
    """The classes as (level vector, sorted rows); rows are tuples of leaves."""
    levels = levels or [h.height for h in hierarchies]
    best = None
    for j, hierarchy in enumerate(hierarchies):
        if levels[j] == 0:
            continue
        parts = {}
        for row in rows:
            parts.setdefault(hierarchy.up[levels[j] - 1][row[j]], []).append(row)
        if min(map(len, parts.values())) < k:
            continue
        found = score(choice, hierarchies, rules, rows, levels, j, list(parts.values()))
        if best is not None and found <= best[0] + 1e-12:
            equal = found > best[0] - 1e-12
            lower = hierarchy.height < hierarchies[best[1]].height
            if not (ties == "prec" and equal and lower):
                continue
        best = found, j, list(parts.values())
    if best is None:
        return [(tuple(levels), tuple(sorted(rows)))]
    _, j, parts = best
    below = [level - (i == j) for i, level in enumerate(levels)]
    options = {"k": k, "choice": choice, "ties": ties, "levels": below}
    return [made for part in parts for made in slow_tree(hierarchies, rules, part, **options)]


def slow_table(hierarchies, rules, rows, *, k, ties, mean_of_split=False):
    """The classes by TF-IDF over all groups of the table: one list of groups, nothing kept."""
    waiting, done = [([h.height for h in hierarchies], rows)], []
    while waiting:
        levels, mine = waiting.pop(0)
        others = [region_of(hierarchies, *group) for group in [*waiting, *done]]
        best = None
        for j, hierarchy in enumerate(hierarchies):
            parts = {}
            for row in mine if levels[j] else []:
                parts.setdefault(hierarchy.up[levels[j] - 1][row[j]], []).append(row)
            if not parts or min(map(len, parts.values())) < k:
                continue
            below = [level - (i == j) for i, level in enumerate(levels)]
            made = [(below, parts[node]) for node in sorted(parts)]
            mine_after = [region_of(hierarchies, *group) for group in made]
            averaged = mine_after if mean_of_split else None
            found = tfidf(rules, others + mine_after, averaged)
            lower = best is not None and hierarchy.height < hierarchies[best[1]].height
            if (
                best is None
                or found > best[0] + 1e-12
                or (ties == "prec" and lower and found > best[0] - 1e-12)
            ):
                best = found, j, made
        if best is None:
            done.append((levels, mine))
        else:
            waiting = best[2] + waiting
    return [(tuple(levels), tuple(sorted(mine))) for levels, mine in done]


def region_of(hierarchies, levels, rows):
    """What a group's generalized values stand for: a set of leaves per attribute."""
    return [
        node(h, level, leaf) for h, level, leaf in zip(hierarchies, levels, rows[0], strict=True)
    ]
