"""Evidence for B, F, G: changes of the sensitive values, class by class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.tables.attackers.qi_candidates import match_consistent_qi
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import ABSTAIN
from tokumei.tables.data.numeric_columns import scale_for_squares
from tokumei.tables.diagnosis.column_and_link_evidence import MISSING_VALUE, sensitive_cells
from tokumei.tables.diagnosis.effect_symbols import Evidence

ALMOST_ALL = 0.99
HALF = 0.5
RELATIVE_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class RowGrouping:
    """A way to group the released rows, and all original rows of each group."""

    released: np.ndarray
    original: np.ndarray
    """The group of every original row; −1 where it has none."""


def sensitive_method_evidence(
    case: Comparison, link: np.ndarray, names: list[str]
) -> list[Evidence]:
    """Evidence for B, F and G, through the link that is believed; `names`: QI not unified."""
    before, after = sensitive_cells(case)
    changed = ~np.isclose(before[link], after, rtol=RELATIVE_TOLERANCE, atol=0.0)
    if not changed.any():
        return []
    groups = _group_rows(case, link, names)
    shown, linked = _missing_as_nan(after), _missing_as_nan(before[link])
    constant = [
        g
        for g in groups
        if _constant_share(g, shown) >= ALMOST_ALL and _originals_vary_in_groups(g, linked)
    ]
    x, y = case.sa_original[link], case.sa_released
    if constant:
        return _averaging_evidence(case, constant, link, y, shown)
    if case.number_sa and (mdav := _mdav_evidence(case, link, y, after)):
        return mdav
    kept_share = max(_kept_value_share(before, after, group) for group in groups)
    if kept_share >= ALMOST_ALL:
        swapped = Message(
            "{share:.0%} of the SA values are kept class by class, but not row by row",
            share=kept_share,
        )
        return [Evidence("G", swapped, kept_share)]
    share = float(changed.mean())
    if not case.number_sa:
        replaced = Message(
            "{share:.0%} of the SA texts differ from the original's, in no way that a method "
            "explains",
            share=share,
        )
        return [Evidence("B", replaced, share)]
    noisy = Message("{share:.0%} of the SA values differ from the original by noise", share=share)
    return [Evidence("B", noisy, share), *_evidence_under_noise(groups, x, y)]


def _missing_as_nan(cells: np.ndarray) -> np.ndarray:
    return np.where(cells == MISSING_VALUE, np.nan, cells)


def _group_rows(case: Comparison, link: np.ndarray, names: list[str]) -> list[RowGrouping]:
    """Classes by the original's QI and by the release's: a method used one of the two."""
    by_x = equivalence_class_codes(case.original.frame, case.qi)
    by_y = equivalence_class_codes(case.released.frame, case.qi)
    reached = np.full(case.original.rows, -1, dtype=np.int64)
    reached[link] = by_y
    if case.released.rows < case.original.rows:
        _match_deleted_rows_to_classes(case, names, by_y, reached)
    return [RowGrouping(by_x[link], by_x), RowGrouping(by_y, reached)]


def _match_deleted_rows_to_classes(
    case: Comparison, names: list[str], by_y: np.ndarray, reached: np.ndarray
) -> None:
    """Give deleted originals to the one released class they fit, if there is just one."""
    candidates = match_consistent_qi(
        case.released.frame, case.original.frame, names, case.hierarchies
    )
    valid = candidates.group != ABSTAIN
    class_of = np.full(len(candidates.start) - 1, -1, dtype=np.int64)
    class_of[candidates.group[valid]] = by_y[valid]
    owner = class_of[np.repeat(np.arange(len(class_of)), np.diff(candidates.start))]
    used = owner >= 0
    rows, owner = candidates.rows[used], owner[used]
    fits_one_class = np.bincount(rows, minlength=len(reached))[rows] == 1
    free = fits_one_class & (reached[rows] < 0)
    reached[rows[free]] = owner[free]


def _constant_share(group: RowGrouping, y: np.ndarray) -> float:
    """Share of the classes with several rows in which every SA is constant, gaps aside."""
    order, start = _sort_into_runs(group.released)
    low = np.fmin.reduceat(y[order], start)
    high = np.fmax.reduceat(y[order], start)
    several = np.diff(np.append(start, len(order))) > 1
    size = np.maximum(np.abs(low), np.abs(high))
    flat = ~np.any(high - low > RELATIVE_TOLERANCE * size, axis=1)
    return float(flat[several].mean()) if several.any() else 0.0


def _originals_vary_in_groups(group: RowGrouping, x: np.ndarray) -> bool:
    """Whether flatness is news: the originals differ inside the classes."""
    order, start = _sort_into_runs(group.released)
    spread = np.fmax.reduceat(x[order], start) - np.fmin.reduceat(x[order], start)
    return bool((spread > 0).any())


def _averaging_evidence(
    case: Comparison, groups: list[RowGrouping], link: np.ndarray, y: np.ndarray, shown: np.ndarray
) -> list[Evidence]:
    """F; and B too if the constants are not the means of the originals, in whatever classes."""
    # Means over all originals of a class, and over those that were released.
    means = [_group_means(case.sa_original, g.original, g.released) for g in groups]
    means += [_group_means(case.sa_original[link], g.released, g.released) for g in groups]
    equal_share = max(_share_equal_to_means(case, y, m) for m in means) if case.number_sa else 1.0
    flat = max(_constant_share(group, shown) for group in groups)
    constant = Message(
        "all SA are constant in {share:.0%} of the classes with several rows", share=flat
    )
    evidence = [Evidence("F", constant, flat)]
    if equal_share < ALMOST_ALL:
        text = Message(
            "only {share:.0%} of the class values equal the original mean",
            share=equal_share,
        )
        evidence.append(Evidence("B", text, 1 - equal_share))
    return evidence


def _mdav_evidence(
    case: Comparison, link: np.ndarray, y: np.ndarray, after: np.ndarray
) -> list[Evidence]:
    """F without regard to QI (MDAV): rows with the same SA show the mean of their originals."""
    _, groups, sizes = np.unique(after, axis=0, return_inverse=True, return_counts=True)
    shared = float((sizes[groups] > 1).mean())
    if shared < ALMOST_ALL:
        return []
    equal_share = _share_equal_to_means(
        case, y, _group_means(case.sa_original[link], groups, groups)
    )
    if equal_share < ALMOST_ALL:
        return []
    text = Message(
        "{share:.0%} of the rows share all SA with others, and show the mean of their originals",
        share=shared,
    )
    return [Evidence("F", text, shared)]


def _share_equal_to_means(case: Comparison, y: np.ndarray, means: np.ndarray) -> float:
    scale = np.nanstd(case.sa_original, axis=0) + 1e-300
    differences = np.abs(y - means)
    is_comparable = ~np.isnan(differences)
    return (
        float((differences <= 1e-6 * scale)[is_comparable].mean()) if is_comparable.any() else 0.0
    )


def _group_means(values: np.ndarray, groups: np.ndarray, wanted_groups: np.ndarray) -> np.ndarray:
    """The mean of each group without its gaps, for the groups asked for."""
    number = int(max(groups.max(initial=0), wanted_groups.max(initial=0))) + 1
    means = []
    for column in values.T:
        inside = (groups >= 0) & ~np.isnan(column)
        size = np.maximum(np.bincount(groups[inside], minlength=number), 1)
        sums = np.bincount(groups[inside], weights=column[inside], minlength=number)
        means.append((sums / size)[wanted_groups])
    return np.column_stack(means)


def _kept_value_share(before: np.ndarray, after: np.ndarray, group: RowGrouping) -> float:
    """Share of the released values found among their class's original values, each used once."""
    inside = group.original >= 0
    shares = []
    for j in range(after.shape[1]):
        original_pairs = _pair_with_group(group.original[inside], before[inside, j])
        shares.append(
            _multiset_overlap(original_pairs, _pair_with_group(group.released, after[:, j]))
            / len(after)
        )
    return float(np.mean(shares))


def _pair_with_group(groups: np.ndarray, values: np.ndarray) -> np.ndarray:
    pairs = np.empty(len(groups), dtype=[("group", np.int64), ("value", np.float64)])
    pairs["group"], pairs["value"] = groups, values
    return pairs


def _multiset_overlap(left: np.ndarray, right: np.ndarray) -> int:
    """The size of the intersection of two multisets."""
    _, codes = np.unique(np.concatenate([left, right]), return_inverse=True)
    number = int(codes.max(initial=0)) + 1
    first = np.bincount(codes[: len(left)], minlength=number)
    second = np.bincount(codes[len(left) :], minlength=number)
    return int(np.minimum(first, second).sum())


def _evidence_under_noise(
    groups: list[RowGrouping], x: np.ndarray, y: np.ndarray
) -> list[Evidence]:
    """Under noise: do values inside a class still follow the originals (slope 1), or not (0)?

    If they do not, they were swapped (their spread inside classes is the originals' plus the
    noise's) or averaged (the noise's alone). The noise is read off the rows alone in their class.
    """
    x, y = np.split(scale_for_squares(np.concatenate([x, y])), 2)
    slopes = [(_within_class_slope(group.released, x, y), group) for group in groups]
    mixed = [(slope, group) for slope, group in slopes if slope < HALF]
    if not mixed:
        return []
    # What mixes the released classes mixes the finer original ones too, not the other way round.
    slope, coarsest = mixed[-1]
    excess = _excess_spread(coarsest.released, x, y)
    text = Message(
        "inside the classes values neither follow the originals (slope {slope:.2f}) nor spread "
        "like them ({spread:.2f})"
        if excess < HALF
        else "inside the classes values do not follow the originals (slope {slope:.2f}) but spread "
        "like them ({spread:.2f})",
        slope=slope,
        spread=excess,
    )
    return [Evidence("F" if excess < HALF else "G", text, 1 - max(slope, 0.0))]


def _within_class_slope(groups: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    """Median over SA of the regression slope of y on x inside classes; 1 without such classes."""
    dx, dy = _class_deviations(groups, x, y)
    bottom = (dx * dx).sum(axis=0)
    usable = bottom > 0
    if not usable.any():
        return 1.0
    return float(np.median((dx * dy).sum(axis=0)[usable] / bottom[usable]))


def _class_deviations(
    groups: np.ndarray, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How far both are from the mean of their class; 0 where either is missing."""
    dx, dy = x - _group_means(x, groups, groups), y - _group_means(y, groups, groups)
    gaps = np.isnan(dx) | np.isnan(dy)
    return np.where(gaps, 0.0, dx), np.where(gaps, 0.0, dy)


def _excess_spread(groups: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    """Median over SA of (spread of y inside classes − noise) / spread of x inside classes."""
    size = np.bincount(groups)[groups]
    dx, dy = _class_deviations(groups, x, y)
    several, freedom = size > 1, (1 - 1 / size)[size > 1].sum()
    spread_x, spread_y = ((d[several] ** 2).sum(axis=0) / freedom for d in (dx, dy))
    is_single = size == 1
    squared_differences = np.nan_to_num((y - x)[is_single] ** 2)
    noise = squared_differences.mean(axis=0) if is_single.sum() >= 30 else np.zeros(x.shape[1])
    usable = spread_x > 0
    return float(np.median(((spread_y - noise) / np.where(usable, spread_x, 1.0))[usable]))


def _sort_into_runs(groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    return order, np.concatenate([[0], np.flatnonzero(np.diff(ordered)) + 1])
