"""Codes that link a release with the original: own ids, derived pseudonyms, reuse (item 3).

A true derivation explains (nearly) every pseudonym; a short one explains a few by chance. So a
way counts if it gives people's own pseudonyms where rows can be traced, or else those of at least
a fifth of the ids.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Set

import polars as pl

from tokumei.conformity.finding import Evidence, Finding, Verdict
from tokumei.conformity.lasting import month_spellings, pseudonym_pairs
from tokumei.core.conformity import ConformityCase
from tokumei.core.text import Text

HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b")
PREFIXES = (6, 8, 10, 12, 16, 20, 24, 32)
"""Digests are often cut to these lengths."""
MOST_IDS, MOST_IDS_BY_MONTH = 2_000, 100
SHARE_OF_IDS = 0.2
LONG = 8
FEW = 3


def explaining(
    ids: pl.Series, pseudonyms: pl.Series, pairs: pl.DataFrame | None, months: Iterable[str] = ()
) -> tuple[dict[str, pl.Series], int]:
    """The pseudonyms that each fitting derivation explains, and how many derivations were tried.

    `pairs` holds the true (id, pseudonym) where rows can be traced.
    """
    lower = pl.DataFrame({"pseudonym": pseudonyms.unique()}).with_columns(
        value=pl.col("pseudonym").str.to_lowercase()
    )
    table, ways, tried = _derived(ids, list(months), set(lower["value"].drop_nulls()))
    if pairs is None:
        hits = table.join(lower, on="value")
        share = pl.col("id").n_unique() >= max(FEW, SHARE_OF_IDS * tried)
    else:
        own = pairs.select("id", value=pl.col("pseudonym").str.to_lowercase())
        hits = table.join(own, on=["id", "value"]).join(lower, on="value")
        share = (pl.col("id").n_unique() >= FEW) | (pl.col("value").str.len_chars().max() >= LONG)
    fitting = hits.filter(share.over("way")).group_by("way").agg(pl.col("pseudonym").unique())
    found = {way: pl.Series(names).sort() for way, names in fitting.sort("way").iter_rows()}
    shifted = _shifted(pairs)
    if len(shifted):
        found["id + a constant"] = shifted
    return found, ways + 1


def _derived(ids: pl.Series, months: list[str], wanted: Set[str]) -> tuple[pl.DataFrame, int, int]:
    """What ways make of ids, as far as it is wanted; how many ways, and ids, there were."""
    rows, ways = set(), set()
    prefixes = {len(value) for value in wanted}.intersection(PREFIXES)
    plain, dated = _spread(ids, MOST_IDS), _spread(ids, MOST_IDS_BY_MONTH) if months else []
    for name in plain:
        spellings = [name, name + "\n", name.lower(), name.upper(), name.zfill(10)]
        for way, value in (*_plain(name), *_digests(HASHES, spellings, prefixes)):
            ways.add(way)
            if value in wanted:
                rows.add((way, name, value))
    for name in dated:
        spellings = [f"{name}{sign}{month}" for sign in ("", "-", "_", ":") for month in months]
        for way, value in _digests(HASHES[:4], spellings, prefixes):
            ways.add(f"{way} with the month")
            if value in wanted:
                rows.add((f"{way} with the month", name, value))
    schema = dict.fromkeys(("way", "id", "value"), pl.String)
    table = pl.DataFrame(sorted(rows), schema=schema, orient="row")
    return table, len(ways), len({*plain, *dated})


def _spread(ids: pl.Series, most: int) -> list[str]:
    return ids.gather_every(max(1, -(-len(ids) // most))).to_list()


def _plain(name: str) -> Iterator[tuple[str, str]]:
    if name != name[::-1]:
        yield "reversed text", name[::-1].lower()
    yield "base64", base64.b64encode(name.encode()).decode().lower()
    yield "base64", base64.b64encode(name.encode()).decode().rstrip("=").lower()
    yield "base32", base64.b32encode(name.encode()).decode().rstrip("=").lower()
    yield "hexadecimal", name.encode().hex()
    if name.isdecimal():
        yield "hexadecimal", f"{int(name):x}"
    yield "crc32", f"{zlib.crc32(name.encode()):08x}"
    yield "crc32", str(zlib.crc32(name.encode()))
    yield "adler32", f"{zlib.adler32(name.encode()):08x}"


def _digests(
    algorithms: Iterable[str], spellings: Iterable[str], prefixes: Set[int]
) -> Iterator[tuple[str, str]]:
    for algorithm in algorithms:
        for spelling in spellings:
            raw = hashlib.new(algorithm, spelling.encode(), usedforsecurity=False).digest()
            text = raw.hex()
            yield algorithm, text
            yield algorithm, base64.b64encode(raw).decode().lower()
            for length in prefixes:
                yield algorithm, text[:length]


def _shifted(pairs: pl.DataFrame | None) -> pl.Series:
    """Pseudonyms that are their ids plus one and the same number."""
    none = pl.Series("pseudonym", [], dtype=pl.String)
    if pairs is None:
        return none
    numbers = pl.col("id", "pseudonym").cast(pl.Int64, strict=False).name.suffix("_number")
    shifts = (
        pairs.with_columns(numbers)
        .drop_nulls()
        .with_columns(shift=pl.col("pseudonym_number") - pl.col("id_number"))
    )
    often = shifts.filter(pl.len().over("shift") >= max(5, 0.02 * pairs.height))
    return often["pseudonym"].unique().sort() if often.height else none


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
    verdict = Verdict.FAIL if evidence else Verdict.PASS if number else Verdict.NOTHING
    title = Text("No original id in any cell", "元の ID がどのセルにもない")
    return Finding("original-ids", 3, verdict, title, summary, tuple(evidence))


def derived_pseudonyms(case: ConformityCase) -> Finding:
    """Pseudonyms are not a function of the id: a dictionary of common unsalted derivations."""
    title = Text("Pseudonyms are not computed from ids", "仮名が ID から計算されていない")
    name = case.roles.pseudonym
    if name is None:
        return Finding("derived-pseudonyms", 3, Verdict.NOTHING, title, NO_PSEUDONYMS)
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
    if name is None:
        return Finding("reused-pseudonyms", 3, Verdict.NOTHING, title, NO_PSEUDONYMS)
    if not case.earlier:
        summary = Text(
            "no other release was given to compare with (--earlier)",
            "比べる過去の匿名加工データが指定されていません (--earlier)",
        )
        return Finding("reused-pseudonyms", 3, Verdict.HUMAN, title, summary)
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
        return Finding("invoice-numbers", 3, Verdict.NOTHING, title, none)
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
