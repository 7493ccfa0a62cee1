"""Pseudonyms and row order tell nothing of the original's order (item 3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy.stats import binom, rankdata, spearmanr

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.conformity.lasting import pseudonym_pairs
from tokumei.conformity.linking import NO_PSEUDONYMS
from tokumei.core.conformity import ConformityCase, row_texts
from tokumei.core.text import Text

SURPRISE = 1e-6
STRONG = 0.2
UNTRACED = Text(
    "released rows cannot be traced to people here; give the row-aligned release or --truth",
    "この入力では行と人を対応づけられません。行順どおりの匿名加工データか --truth が必要です",
)


def pseudonym_order(case: ConformityCase) -> Finding:
    """Neither ids, nor their first rows, nor how much people buy order the pseudonyms."""
    title = Text("Pseudonyms are in no order", "仮名の順序が情報を持たない")
    pairs = pseudonym_pairs(case)
    if pairs is None:
        return _untraced(case, "pseudonym-order", title)
    figures, evidence = {}, []
    for what, rho, p in _correlations(pairs):
        figures[what.en] = round(rho, 4)
        if p < SURPRISE and abs(rho) > STRONG:
            saying = Text(
                f"ordered like {what.en}: rank correlation {rho:+.2f}",
                f"{what.ja}の順に並んでいます: 順位相関 {rho:+.2f}",
            )
            evidence.append(Evidence(saying, case.roles.pseudonym, pairs.height))
    summary = Text("no rank correlation beyond chance", "偶然を超える順位相関はありません")
    if evidence:
        summary = Text("the order shows who is who", "順序から本人が推測できます")
    verdict = Verdict.FAIL if evidence else Verdict.PASS
    return Finding("pseudonym-order", 3, verdict, title, summary, tuple(evidence), figures)


def copied_characters(case: ConformityCase) -> Finding:
    """No character of the id stands at a fixed place (from either end) of the pseudonym."""
    title = Text("Pseudonyms copy no part of ids", "仮名が ID の一部を写していない")
    pairs = pseudonym_pairs(case)
    if pairs is None:
        return _untraced(case, "copied-characters", title)
    found = _copies(pairs["id"], pairs["pseudonym"])
    summary = Text("no shared prefix, suffix or character", "共通する先頭・末尾・文字はありません")
    evidence: tuple[Evidence, ...] = ()
    if found:
        summary = Text(f"{found} characters are copied from ids", f"{found} 文字が ID と共通です")
        evidence = (Evidence(summary, case.roles.pseudonym, pairs.height),)
    verdict = Verdict.FAIL if found else Verdict.PASS
    return Finding("copied-characters", 3, verdict, title, summary, evidence)


def row_order(case: ConformityCase) -> Finding:
    """The order of the public rows does not follow the original's."""
    title = Text("Row order is independent of the original", "行の順序が元データと無関係")
    if case.public is not None and row_texts(case.public).is_sorted():
        summary = Text("public rows are sorted by their own text", "公開行は文字列順です")
        return Finding("row-order", 3, Verdict.PASS, title, summary)
    if case.origin is None or case.release.height < 3:
        return Finding("row-order", 3, Verdict.HUMAN, title, UNTRACED)
    rho, p = _correlation(np.arange(len(case.origin)), case.origin)
    if p < SURPRISE and abs(rho) > STRONG:
        summary = Text(
            f"rows follow the original: rank correlation {rho:+.2f}",
            f"行が元データの順に並んでいます: 順位相関 {rho:+.2f}",
        )
        return Finding("row-order", 3, Verdict.FAIL, title, summary, (Evidence(summary),))
    summary = Text(f"rank correlation {rho:+.2f}", f"順位相関 {rho:+.2f}")
    return Finding("row-order", 3, Verdict.PASS, title, summary)


def _untraced(case: ConformityCase, id: str, title: Text) -> Finding:
    if case.roles.pseudonym is None:
        return Finding(id, 3, Verdict.NOTHING, title, NO_PSEUDONYMS)
    return Finding(id, 3, Verdict.HUMAN, title, UNTRACED)


def _correlations(pairs: pl.DataFrame) -> Iterator[tuple[Text, float, float]]:
    """Of pseudonyms with what they must not follow, over all of them and inside each period."""
    ranked = pairs.with_columns(pseudonym=_ranks(pairs["pseudonym"]), id=_ranks(pairs["id"]))
    inside = ranked.with_columns(
        pl.col("pseudonym", "id", "first", "rows").rank("average").over("period")
        / pl.len().over("period")
    )
    compared = {
        "id": Text("ids", "ID"),
        "first": Text("first appearance", "最初の出現"),
        "rows": Text("number of rows", "行数"),
    }
    for name, what in compared.items():
        every = _correlation(ranked["pseudonym"].to_numpy(), ranked[name].to_numpy())
        each = _correlation(inside["pseudonym"].to_numpy(), inside[name].to_numpy())
        rho, p = max(every, each, key=lambda found: abs(found[0]))
        yield what, rho, p


def _ranks(names: pl.Series) -> np.ndarray:
    numbers = names.cast(pl.Int64, strict=False)
    return np.asarray((names if numbers.null_count() else numbers).rank("dense").to_numpy())


def _correlation(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    if len(a) < 3 or np.ptp(rankdata(a)) == 0 or np.ptp(rankdata(b)) == 0:
        return 0.0, 1.0
    found = spearmanr(a, b)
    return float(found.statistic), float(found.pvalue)


def _copies(ids: pl.Series, pseudonyms: pl.Series) -> int:
    """How many places of the pseudonym agree with a place of the id far beyond chance."""
    copied = 0
    for end in (False, True):
        left, right = _characters(ids, end), _characters(pseudonyms, end)
        for column in right.T:
            copied += any(_agree(other, column) for other in left.T)
    return copied


def _characters(names: pl.Series, end: bool) -> np.ndarray:
    texts = [name[::-1] if end else name for name in names.str.to_lowercase()]
    width = min(max(map(len, texts)), 12)
    return np.array([[*text[:width].ljust(width, "\0")] for text in texts])


def _agree(a: np.ndarray, b: np.ndarray) -> bool:
    present = (a != "\0") & (b != "\0")
    a, b = a[present], b[present]
    if len(a) < 20:
        return False
    values = np.unique(a)
    chance = float(sum((a == value).mean() * (b == value).mean() for value in values))
    same = int((a == b).sum())
    # A constant place says nothing: chance is then 1 (or 0) already.
    return bool(
        chance < 0.9
        and same / len(a) > chance + 0.2
        and binom.sf(same - 1, len(a), chance) < SURPRISE
    )
