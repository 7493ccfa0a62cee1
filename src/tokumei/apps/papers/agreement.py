"""Whether a computed value is the printed one: exactly, or within the digits that are printed."""

from __future__ import annotations

from typing import TypeGuard

from tokumei.apps.papers.verdicts import BlockVerdict

EXACT = 0.0
ROUNDING_ERROR = 1e-9


def judge_cell(
    paper: object,
    computed: object,
    limit: float,
    *,
    corrected: object = None,
    explained: bool = False,
) -> tuple[BlockVerdict, float | str | None]:
    """The verdict on one cell, and by how much ours differs."""
    difference = cell_difference(paper, computed)
    if _agree_within(paper, computed, limit):
        return "rounding" if difference else "equal", difference
    if corrected is not None and _agree_within(corrected, computed, limit):
        return "slip", difference
    return "explained" if explained else "differs", difference


def half_last_digit(value: float, decimals: int | None = None) -> float:
    """Half of the last printed digit; without `decimals` they are those that the value needs."""
    if decimals is None:
        if isinstance(value, int):
            return EXACT
        _, _, places = repr(value).partition(".")
        decimals = len(places) if places.isdigit() else None
    return EXACT if decimals is None else 0.5 * 10.0**-decimals


def cell_difference(paper: object, computed: object) -> float | str | None:
    """By how much ours differs; a sign where that is no number."""
    if isinstance(paper, list) and isinstance(computed, list) and len(paper) == len(computed):
        widest: float | str | None = 0.0
        for published_cell, computed_cell in zip(paper, computed, strict=True):
            widest = larger_difference(widest, cell_difference(published_cell, computed_cell))
        return widest
    if is_number(paper) and is_number(computed):
        return float(computed - paper) if abs(computed - paper) > ROUNDING_ERROR else 0.0
    return 0.0 if _to_comparable(paper) == _to_comparable(computed) else "≠"


def larger_difference(old: float | str | None, new: float | str | None) -> float | str | None:
    """The one of two differences that counts."""
    if isinstance(old, str) or isinstance(new, str):
        return "≠"
    return max(
        (difference for difference in (old, new) if difference is not None), key=abs, default=None
    )


def is_number(value: object) -> TypeGuard[float]:
    """A number, which a truth value is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _agree_within(paper: object, computed: object, limit: float) -> bool:
    if is_number(paper) and is_number(computed):
        return bool(abs(computed - paper) <= limit + ROUNDING_ERROR)
    return bool(_to_comparable(paper) == _to_comparable(computed))


def _to_comparable(value: object) -> object:
    return list(map(_to_comparable, value)) if isinstance(value, list | tuple) else str(value)
