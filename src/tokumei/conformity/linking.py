"""Codes that link a release with the original: own ids, derived pseudonyms, reuse (item 3)."""

from __future__ import annotations

import polars as pl

from tokumei.conformity.derived import explaining
from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.conformity.pairs import month_spellings, pseudonym_pairs
from tokumei.core.conformity import ConformityCase
from tokumei.core.text import Text

NO_PSEUDONYMS = Text("the release has no pseudonyms", "仮名の列はありません")
SHORTEST = 4
"""Ids shorter than this occur in other columns by chance."""


def original_ids(case: ConformityCase) -> Finding:
    """No id of the original anywhere: not as a pseudonym, not in another column.

    Numbers may coincide (an item 15098, a customer 15098), so in a column that the original has
    too, a cell counts only if it names the row's own person by what was no value of that column.
    """
    evidence = [
        Evidence.at(Text("ids of the original", "元データの ID"), name, lines)
        for name in case.release.columns
        if (lines := case.lines_of(_holds_id(case, name).to_numpy()).tolist())
    ]
    columns = ", ".join(found.column or "" for found in evidence)
    number = len(case.ids)
    summary = Text(f"none of {number} ids found", f"{number} 件の ID は見つかりません")
    if not number:
        summary = Text("no column of ids was named", "ID の列は指定されていません")
    if evidence:
        summary = Text(f"ids are left in: {columns}", f"ID が残っている列: {columns}")
    verdict = Verdict.FAIL if evidence else Verdict.PASS
    title = Text("No original id in any cell", "元の ID がどのセルにもない")
    return Finding("original-ids", 3, verdict, title, summary, tuple(evidence))


def derived_pseudonyms(case: ConformityCase) -> Finding:
    """Pseudonyms are not a function of the id: a dictionary of common unsalted derivations."""
    title = Text("Pseudonyms are not computed from ids", "仮名が ID から計算されていない")
    name = case.roles.pseudonym
    if name is None:
        return Finding("derived-pseudonyms", 3, Verdict.PASS, title, NO_PSEUDONYMS)
    cells = case.release[name].cast(pl.String)
    found, tried = explaining(case.ids, cells, pseudonym_pairs(case), month_spellings(case))
    evidence = tuple(
        Evidence.at(
            Text(f"pseudonyms are {way} of ids", f"仮名が ID の {way} です"),
            name,
            case.lines_of(cells.is_in(values.implode()).to_numpy()).tolist(),
        )
        for way, values in found.items()
    )
    summary = Text(f"{tried} derivations tried, none fits", f"{tried} 通りの計算は一致しません")
    if found:
        ways = ", ".join(found)
        summary = Text(f"derived by {ways}", f"ID から計算されています: {ways}")
    verdict = Verdict.FAIL if found else Verdict.PASS
    return Finding("derived-pseudonyms", 3, verdict, title, summary, evidence)


def reused_pseudonyms(case: ConformityCase) -> Finding:
    """No pseudonym of an earlier release returns."""
    title = Text(
        "Pseudonyms are not reused across releases", "ほかの匿名加工データと同じ仮名を使っていない"
    )
    name = case.roles.pseudonym
    if name is None or not case.earlier:
        summary = (
            NO_PSEUDONYMS
            if name is None
            else Text(
                "no other release was given to compare with (--earlier)",
                "比べる過去の匿名加工データが指定されていません (--earlier)",
            )
        )
        verdict = Verdict.PASS if name is None else Verdict.HUMAN
        return Finding("reused-pseudonyms", 3, verdict, title, summary)
    seen = pl.concat([series.cast(pl.String).alias("p") for series in case.earlier]).unique()
    again = case.release[name].is_in(seen.implode()).to_numpy()
    if not again.any():
        summary = Text("none occurs in the other releases", "過去の匿名加工データには現れません")
        return Finding("reused-pseudonyms", 3, Verdict.PASS, title, summary)
    number = case.release[name].filter(pl.Series(again)).n_unique()
    summary = Text(f"{number} pseudonyms return", f"{number} 個の仮名が再び使われています")
    what = Text("pseudonyms of an earlier release", "過去の匿名加工データの仮名")
    evidence = (Evidence.at(what, name, case.lines_of(again).tolist()),)
    return Finding("reused-pseudonyms", 3, Verdict.FAIL, title, summary, evidence)


def invoice_numbers(case: ConformityCase) -> Finding:
    """Invoice numbers, which link a purchase with the original's books, are gone."""
    title = Text("Invoice numbers are gone", "伝票番号が残っていない")
    name = case.roles.invoice
    if name is None or case.original is None or name not in case.original.columns:
        none = Text("there is no such column", "そのような列はありません")
        return Finding("invoice-numbers", 3, Verdict.PASS, title, none)
    before = case.original[name].cast(pl.String).unique()
    cells = case.release[name].cast(pl.String)
    left = (cells.is_in(before.implode()) & (len(before) > 1)).fill_null(False).to_numpy()
    if not left.any():
        gone = Text("no original number is left", "元の番号は残っていません")
        return Finding("invoice-numbers", 3, Verdict.PASS, title, gone)
    what = Text("original invoice numbers", "元の伝票番号")
    evidence = (Evidence.at(what, name, case.lines_of(left).tolist()),)
    summary = Text("numbers of the original are left", "元の番号が残っています")
    return Finding("invoice-numbers", 3, Verdict.FAIL, title, summary, evidence)


def _holds_id(case: ConformityCase, name: str) -> pl.Series:
    cells = case.release[name].cast(pl.String).fill_null("")
    if name == case.roles.pseudonym:
        return cells.is_in(case.ids.implode())
    known = case.original is not None and name in case.original.columns
    if not known:
        return _names_someone(cells, case.ids)
    if case.own_id is None or case.original is None:
        return pl.repeat(False, len(cells), dtype=pl.Boolean, eager=True)
    values = _unpadded(case.original[name].cast(pl.String).unique())
    own = _words(cells).alias("tokens").to_frame().with_columns(own=_unpadded(case.own_id))
    named = pl.col("tokens").list.contains(pl.col("own")) & ~pl.col("own").is_in(values.implode())
    return own.select(named).to_series()


def _names_someone(cells: pl.Series, ids: pl.Series) -> pl.Series:
    long = ids.filter(ids.str.len_chars() >= SHORTEST)
    single = cells.is_in(ids.implode()) & (cells.str.len_chars() >= SHORTEST)
    named = pl.element().is_in(_unpadded(long).implode())
    return single | _words(cells).list.eval(named).list.any().fill_null(False)


def _words(cells: pl.Series) -> pl.Series:
    """The words of every cell, also those between hyphens, as ids may be written there."""
    plain = cells.str.normalize("NFKC")
    joined, single = (plain.str.extract_all(f"[0-9A-Za-z{more}]+") for more in ("_-", ""))
    return joined.list.concat(single).list.eval(pl.element().str.replace(r"^0+(\d)", "$1"))


def _unpadded(ids: pl.Series) -> pl.Series:
    return ids.str.replace(r"^0+(\d)", "$1")
