"""Checks that pseudonyms and row order do not reveal the original's order (item 3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy.stats import binom, rankdata, spearmanr

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.conformity.linking_codes import NO_PSEUDONYMS
from tokumei.conformity.pseudonym_linkage import pseudonym_pairs
from tokumei.core.catalogs import SOURCE_LANGUAGE
from tokumei.core.conformity_case import ConformityCase, rows_as_text
from tokumei.core.messages import Message

MAX_P_VALUE = 1e-6
MIN_CORRELATION = 0.2
UNTRACED_ROWS = Message(
    "released rows cannot be traced to people here; give the row-aligned release or --truth"
)


def check_pseudonym_order(case: ConformityCase) -> Finding:
    """Neither ids, nor their first rows, nor how much people buy order the pseudonyms."""
    title = Message("Pseudonyms are in no order")
    pairs = pseudonym_pairs(case)
    if pairs is None:
        return _untraced_finding(case, "pseudonym-order", title)
    figures, evidence = {}, []
    for quantity, rho, p in _order_correlations(pairs):
        figures[quantity.show(SOURCE_LANGUAGE)] = round(rho, 4)
        if p < MAX_P_VALUE and abs(rho) > MIN_CORRELATION:
            message = Message(
                "ordered like {quantity}: rank correlation {rho:+.2f}", quantity=quantity, rho=rho
            )
            evidence.append(Evidence(message, case.roles.pseudonym, pairs.height))
    summary = Message("no rank correlation beyond chance")
    if evidence:
        summary = Message("the order shows who is who")
    verdict = Verdict.FAIL if evidence else Verdict.PASS
    return Finding("pseudonym-order", 3, verdict, title, summary, tuple(evidence), figures)


def check_copied_characters(case: ConformityCase) -> Finding:
    """No character of the id stands at a fixed place (from either end) of the pseudonym."""
    title = Message("Pseudonyms copy no part of ids")
    pairs = pseudonym_pairs(case)
    if pairs is None:
        return _untraced_finding(case, "copied-characters", title)
    copied_count = _count_copied_positions(pairs["id"], pairs["pseudonym"])
    summary = Message("no shared prefix, suffix or character")
    evidence: tuple[Evidence, ...] = ()
    if copied_count:
        summary = Message(
            "{count} character is copied from ids",
            plural="{count} characters are copied from ids",
            count=copied_count,
        )
        evidence = (Evidence(summary, case.roles.pseudonym, pairs.height),)
    verdict = Verdict.FAIL if copied_count else Verdict.PASS
    return Finding("copied-characters", 3, verdict, title, summary, evidence)


def check_row_order(case: ConformityCase) -> Finding:
    """The order of the public rows does not follow the original's."""
    title = Message("Row order is independent of the original")
    if case.public is not None and rows_as_text(case.public).is_sorted():
        summary = Message("public rows are sorted by their own text")
        return Finding("row-order", 3, Verdict.PASS, title, summary)
    if case.origin is None or case.release.height < 3:
        return Finding("row-order", 3, Verdict.HUMAN, title, UNTRACED_ROWS)
    rho, p = _rank_correlation(np.arange(len(case.origin)), case.origin)
    if p < MAX_P_VALUE and abs(rho) > MIN_CORRELATION:
        summary = Message("rows follow the original: rank correlation {rho:+.2f}", rho=rho)
        return Finding("row-order", 3, Verdict.FAIL, title, summary, (Evidence(summary),))
    summary = Message("rank correlation {rho:+.2f}", rho=rho)
    return Finding("row-order", 3, Verdict.PASS, title, summary)


def _untraced_finding(case: ConformityCase, id: str, title: Message) -> Finding:
    if case.roles.pseudonym is None:
        return Finding(id, 3, Verdict.NOTHING, title, NO_PSEUDONYMS)
    return Finding(id, 3, Verdict.HUMAN, title, UNTRACED_ROWS)


def _order_correlations(pairs: pl.DataFrame) -> Iterator[tuple[Message, float, float]]:
    """Of pseudonyms with what they must not follow, over all of them and inside each period."""
    ranked = pairs.with_columns(
        pseudonym=_rank_values(pairs["pseudonym"]), id=_rank_values(pairs["id"])
    )
    ranked_in_period = ranked.with_columns(
        pl.col("pseudonym", "id", "first", "rows").rank("average").over("period")
        / pl.len().over("period")
    )
    quantities = {
        "id": Message("ids"),
        "first": Message("first appearance"),
        "rows": Message("number of rows"),
    }
    for name, label in quantities.items():
        overall = _rank_correlation(ranked["pseudonym"].to_numpy(), ranked[name].to_numpy())
        per_period = _rank_correlation(
            ranked_in_period["pseudonym"].to_numpy(), ranked_in_period[name].to_numpy()
        )
        rho, p = max(overall, per_period, key=lambda correlation: abs(correlation[0]))
        yield label, rho, p


def _rank_values(names: pl.Series) -> np.ndarray:
    numbers = names.cast(pl.Int64, strict=False)
    return np.asarray((names if numbers.null_count() else numbers).rank("dense").to_numpy())


def _rank_correlation(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    if len(a) < 3 or np.ptp(rankdata(a)) == 0 or np.ptp(rankdata(b)) == 0:
        return 0.0, 1.0
    spearman = spearmanr(a, b)
    return float(spearman.statistic), float(spearman.pvalue)


def _count_copied_positions(ids: pl.Series, pseudonyms: pl.Series) -> int:
    """How many places of the pseudonym agree with a place of the id far beyond chance."""
    copied = 0
    for end in (False, True):
        left, right = _character_matrix(ids, end), _character_matrix(pseudonyms, end)
        for column in right.T:
            copied += any(_agree_beyond_chance(other, column) for other in left.T)
    return copied


def _character_matrix(names: pl.Series, end: bool) -> np.ndarray:
    texts = [name[::-1] if end else name for name in names.str.to_lowercase()]
    width = min(max(map(len, texts)), 12)
    return np.array([[*text[:width].ljust(width, "\0")] for text in texts])


def _agree_beyond_chance(a: np.ndarray, b: np.ndarray) -> bool:
    present = (a != "\0") & (b != "\0")
    a, b = a[present], b[present]
    if len(a) < 20:
        return False
    values = np.unique(a)
    chance = float(sum((a == value).mean() * (b == value).mean() for value in values))
    agreements = int((a == b).sum())
    # A constant place says nothing: chance is then 1 (or 0) already.
    return bool(
        chance < 0.9
        and agreements / len(a) > chance + 0.2
        and binom.sf(agreements - 1, len(a), chance) < MAX_P_VALUE
    )
