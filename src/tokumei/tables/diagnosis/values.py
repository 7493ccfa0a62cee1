"""B, F, G: what happened to the sensitive values, class by class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.cells import class_codes
from tokumei.core.text import Text
from tokumei.tables.attackers.candidates import consistent_vector
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import ABSTAIN
from tokumei.tables.data.numbers import squarable
from tokumei.tables.diagnosis.columns import GAP, sensitive_cells
from tokumei.tables.diagnosis.symbols import Evidence

ALMOST_ALL = 0.99
HALF = 0.5
CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Classes:
    """A way to group the released rows, and all original rows of each group."""

    released: np.ndarray
    original: np.ndarray
    """The group of every original row; −1 where it has none."""


def value_evidence(case: Comparison, link: np.ndarray, names: list[str]) -> list[Evidence]:
    """Evidence for B, F and G, through the link that is believed; `names`: QI not unified."""
    before, after = sensitive_cells(case)
    changed = ~np.isclose(before[link], after, rtol=CLOSE, atol=0.0)
    if not changed.any():
        return []
    groups = _groupings(case, link, names)
    shown, linked = _without_gaps(after), _without_gaps(before[link])
    flat = [g for g in groups if _flat_share(g, shown) >= ALMOST_ALL and _moved_inside(g, linked)]
    x, y = case.sa_original[link], case.sa_released
    if flat:
        return _averaged(case, flat, link, y, shown)
    if case.number_sa and (alike := _averaged_alike(case, link, y, after)):
        return alike
    kept = max(_kept_share(before, after, group) for group in groups)
    if kept >= ALMOST_ALL:
        swapped = Text(
            f"{kept:.0%} of the SA values are kept class by class, but not row by row",
            f"機密属性の値はクラス内に {kept:.0%} 残っていますが、行の対応が変わっています",
        )
        return [Evidence("G", swapped, kept)]
    share = float(changed.mean())
    if not case.number_sa:
        replaced = Text(
            f"{share:.0%} of the SA texts differ from the original's, in no way that a method "
            "explains",
            f"機密属性の文字列の {share:.0%} が元と異なりますが、どの手法でも説明できません",
        )
        return [Evidence("B", replaced, share)]
    noisy = Text(
        f"{share:.0%} of the SA values differ from the original by noise",
        f"機密属性の値の {share:.0%} が元の値からずれています",
    )
    return [Evidence("B", noisy, share), *_noisy_and(groups, x, y)]


def _without_gaps(cells: np.ndarray) -> np.ndarray:
    return np.where(cells == GAP, np.nan, cells)


def _groupings(case: Comparison, link: np.ndarray, names: list[str]) -> list[Classes]:
    """Classes by the original's QI and by the release's: a method used one of the two."""
    by_x = class_codes(case.original.frame, case.qi)
    by_y = class_codes(case.released.frame, case.qi)
    reached = np.full(case.original.rows, -1, dtype=np.int64)
    reached[link] = by_y
    if case.released.rows < case.original.rows:
        _place_deleted(case, names, by_y, reached)
    return [Classes(by_x[link], by_x), Classes(by_y, reached)]


def _place_deleted(
    case: Comparison, names: list[str], by_y: np.ndarray, reached: np.ndarray
) -> None:
    """Give deleted originals to the one released class they fit, if there is just one."""
    found = consistent_vector(case.released.frame, case.original.frame, names, case.hierarchies)
    valid = found.group != ABSTAIN
    class_of = np.full(len(found.start) - 1, -1, dtype=np.int64)
    class_of[found.group[valid]] = by_y[valid]
    owner = class_of[np.repeat(np.arange(len(class_of)), np.diff(found.start))]
    used = owner >= 0
    rows, owner = found.rows[used], owner[used]
    once = np.bincount(rows, minlength=len(reached))[rows] == 1
    free = once & (reached[rows] < 0)
    reached[rows[free]] = owner[free]


def _flat_share(group: Classes, y: np.ndarray) -> float:
    """Share of the classes with several rows in which every SA is constant, gaps aside."""
    order, start = _runs(group.released)
    low = np.fmin.reduceat(y[order], start)
    high = np.fmax.reduceat(y[order], start)
    several = np.diff(np.append(start, len(order))) > 1
    size = np.maximum(np.abs(low), np.abs(high))
    flat = ~np.any(high - low > CLOSE * size, axis=1)
    return float(flat[several].mean()) if several.any() else 0.0


def _moved_inside(group: Classes, x: np.ndarray) -> bool:
    """Whether flatness is news: the originals differ inside the classes."""
    order, start = _runs(group.released)
    spread = np.fmax.reduceat(x[order], start) - np.fmin.reduceat(x[order], start)
    return bool((spread > 0).any())


def _averaged(
    case: Comparison, groups: list[Classes], link: np.ndarray, y: np.ndarray, shown: np.ndarray
) -> list[Evidence]:
    """F; and B too if the constants are not the means of the originals, in whatever classes."""
    # Means over all originals of a class, and over those that were released.
    means = [_means(case.sa_original, g.original, g.released) for g in groups]
    means += [_means(case.sa_original[link], g.released, g.released) for g in groups]
    right = max(_equal_share(case, y, m) for m in means) if case.number_sa else 1.0
    flat = max(_flat_share(group, shown) for group in groups)
    constant = Text(
        f"all SA are constant in {flat:.0%} of the classes with several rows",
        f"複数行のクラスの {flat:.0%} で機密属性が一定です",
    )
    found = [Evidence("F", constant, flat)]
    if right < ALMOST_ALL:
        text = Text(
            f"only {right:.0%} of the class values equal the original mean",
            f"クラスの値が元の平均と一致するのは {right:.0%} だけです",
        )
        found.append(Evidence("B", text, 1 - right))
    return found


def _averaged_alike(
    case: Comparison, link: np.ndarray, y: np.ndarray, after: np.ndarray
) -> list[Evidence]:
    """F without regard to QI (MDAV): rows with the same SA show the mean of their originals."""
    _, groups, sizes = np.unique(after, axis=0, return_inverse=True, return_counts=True)
    shared = float((sizes[groups] > 1).mean())
    if shared < ALMOST_ALL:
        return []
    right = _equal_share(case, y, _means(case.sa_original[link], groups, groups))
    if right < ALMOST_ALL:
        return []
    text = Text(
        f"{shared:.0%} of the rows share all SA with others, and show the mean of their originals",
        f"{shared:.0%} の行は機密属性がすべて他の行と同じで、元の行の平均になっています",
    )
    return [Evidence("F", text, shared)]


def _equal_share(case: Comparison, y: np.ndarray, means: np.ndarray) -> float:
    scale = np.nanstd(case.sa_original, axis=0) + 1e-300
    apart = np.abs(y - means)
    both = ~np.isnan(apart)
    return float((apart <= 1e-6 * scale)[both].mean()) if both.any() else 0.0


def _means(values: np.ndarray, groups: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """The mean of each group without its gaps, for the groups asked for."""
    number = int(max(groups.max(initial=0), asked.max(initial=0))) + 1
    means = []
    for column in values.T:
        inside = (groups >= 0) & ~np.isnan(column)
        size = np.maximum(np.bincount(groups[inside], minlength=number), 1)
        sums = np.bincount(groups[inside], weights=column[inside], minlength=number)
        means.append((sums / size)[asked])
    return np.column_stack(means)


def _kept_share(before: np.ndarray, after: np.ndarray, group: Classes) -> float:
    """Share of the released values found among their class's original values, each used once."""
    inside = group.original >= 0
    shares = []
    for j in range(after.shape[1]):
        known = _tagged(group.original[inside], before[inside, j])
        shares.append(_overlap(known, _tagged(group.released, after[:, j])) / len(after))
    return float(np.mean(shares))


def _tagged(groups: np.ndarray, values: np.ndarray) -> np.ndarray:
    pairs = np.empty(len(groups), dtype=[("group", np.int64), ("value", np.float64)])
    pairs["group"], pairs["value"] = groups, values
    return pairs


def _overlap(left: np.ndarray, right: np.ndarray) -> int:
    """The size of the intersection of two multisets."""
    _, codes = np.unique(np.concatenate([left, right]), return_inverse=True)
    number = int(codes.max(initial=0)) + 1
    first = np.bincount(codes[: len(left)], minlength=number)
    second = np.bincount(codes[len(left) :], minlength=number)
    return int(np.minimum(first, second).sum())


def _noisy_and(groups: list[Classes], x: np.ndarray, y: np.ndarray) -> list[Evidence]:
    """Under noise: do values inside a class still follow the originals (slope 1), or not (0)?

    If they do not, they were swapped (their spread inside classes is the originals' plus the
    noise's) or averaged (the noise's alone). The noise is read off the rows alone in their class.
    """
    x, y = np.split(squarable(np.concatenate([x, y])), 2)
    slopes = [(_within(group.released, x, y), group) for group in groups]
    mixed = [(slope, group) for slope, group in slopes if slope < HALF]
    if not mixed:
        return []
    # What mixes the released classes mixes the finer original ones too, not the other way round.
    slope, coarsest = mixed[-1]
    excess = _excess(coarsest.released, x, y)
    method, follow = "G", "do not follow"
    spread = Text("but spread like them", "ばらつきは元と同程度です")
    if excess < HALF:
        method, follow = "F", "neither follow"
        spread = Text("nor spread like them", "ばらつきも失われています")
    text = Text(
        f"inside the classes values {follow} the originals (slope {slope:.2f}) {spread.en} "
        f"({excess:.2f})",
        f"クラス内で値は元に追随せず (傾き {slope:.2f})、{spread.ja} ({excess:.2f})",
    )
    return [Evidence(method, text, 1 - max(slope, 0.0))]


def _within(groups: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    """Median over SA of the regression slope of y on x inside classes; 1 without such classes."""
    dx, dy = _inside(groups, x, y)
    bottom = (dx * dx).sum(axis=0)
    usable = bottom > 0
    if not usable.any():
        return 1.0
    return float(np.median((dx * dy).sum(axis=0)[usable] / bottom[usable]))


def _inside(groups: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far both are from the mean of their class; 0 where either is missing."""
    dx, dy = x - _means(x, groups, groups), y - _means(y, groups, groups)
    gaps = np.isnan(dx) | np.isnan(dy)
    return np.where(gaps, 0.0, dx), np.where(gaps, 0.0, dy)


def _excess(groups: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    """Median over SA of (spread of y inside classes − noise) / spread of x inside classes."""
    size = np.bincount(groups)[groups]
    dx, dy = _inside(groups, x, y)
    several, freedom = size > 1, (1 - 1 / size)[size > 1].sum()
    spread_x, spread_y = ((d[several] ** 2).sum(axis=0) / freedom for d in (dx, dy))
    alone = size == 1
    apart = np.nan_to_num((y - x)[alone] ** 2)
    noise = apart.mean(axis=0) if alone.sum() >= 30 else np.zeros(x.shape[1])
    usable = spread_x > 0
    return float(np.median(((spread_y - noise) / np.where(usable, spread_x, 1.0))[usable]))


def _runs(groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    return order, np.concatenate([[0], np.flatnonzero(np.diff(ordered)) + 1])
