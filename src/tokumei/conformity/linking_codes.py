"""Finds codes that link a release to the original: ids, derived pseudonyms, reuse (item 3).

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
from tokumei.conformity.pseudonym_linkage import month_spellings, pseudonym_pairs
from tokumei.core.conformity_case import ConformityCase
from tokumei.core.messages import Message, join_messages

HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b")
DIGEST_PREFIXES = (6, 8, 10, 12, 16, 20, 24, 32)
"""Digests are often cut to these lengths."""
MAX_IDS, MAX_IDS_BY_MONTH = 2_000, 100
MIN_ID_SHARE = 0.2
LONG_VALUE_LENGTH = 8
MIN_MATCHES = 3


def find_derivations(
    ids: pl.Series, pseudonyms: pl.Series, pairs: pl.DataFrame | None, months: Iterable[str] = ()
) -> tuple[dict[str, pl.Series], int]:
    """The pseudonyms that each fitting derivation explains, and how many derivations were tried.

    `pairs` holds the true (id, pseudonym) where rows can be traced.
    """
    lower = pl.DataFrame({"pseudonym": pseudonyms.unique()}).with_columns(
        value=pl.col("pseudonym").str.to_lowercase()
    )
    table, derivation_count, id_count = _derive_matching_values(
        ids, list(months), set(lower["value"].drop_nulls())
    )
    if pairs is None:
        hits = table.join(lower, on="value")
        is_fitting = pl.col("id").n_unique() >= max(MIN_MATCHES, MIN_ID_SHARE * id_count)
    else:
        own_pairs = pairs.select("id", value=pl.col("pseudonym").str.to_lowercase())
        hits = table.join(own_pairs, on=["id", "value"]).join(lower, on="value")
        is_fitting = (pl.col("id").n_unique() >= MIN_MATCHES) | (
            pl.col("value").str.len_chars().max() >= LONG_VALUE_LENGTH
        )
    fitting = hits.filter(is_fitting.over("way")).group_by("way").agg(pl.col("pseudonym").unique())
    explained = {
        derivation: pl.Series(names).sort() for derivation, names in fitting.sort("way").iter_rows()
    }
    offset_pseudonyms = _constant_offset_pseudonyms(pairs)
    if len(offset_pseudonyms):
        explained["id + a constant"] = offset_pseudonyms
    return explained, derivation_count + 1


def _derive_matching_values(
    ids: pl.Series, months: list[str], pseudonym_values: Set[str]
) -> tuple[pl.DataFrame, int, int]:
    """What ways make of ids, as far as it is wanted; how many ways, and ids, there were."""
    rows, derivations = set(), set()
    prefixes = {len(value) for value in pseudonym_values}.intersection(DIGEST_PREFIXES)
    plain_ids, dated_ids = (
        _sample_evenly(ids, MAX_IDS),
        _sample_evenly(ids, MAX_IDS_BY_MONTH) if months else [],
    )
    for name in plain_ids:
        spellings = [name, name + "\n", name.lower(), name.upper(), name.zfill(10)]
        for derivation, value in (
            *_plain_encodings(name),
            *_digest_spellings(HASHES, spellings, prefixes),
        ):
            derivations.add(derivation)
            if value in pseudonym_values:
                rows.add((derivation, name, value))
    for name in dated_ids:
        spellings = [f"{name}{sign}{month}" for sign in ("", "-", "_", ":") for month in months]
        for derivation, value in _digest_spellings(HASHES[:4], spellings, prefixes):
            derivations.add(f"{derivation} with the month")
            if value in pseudonym_values:
                rows.add((f"{derivation} with the month", name, value))
    schema = dict.fromkeys(("way", "id", "value"), pl.String)
    table = pl.DataFrame(sorted(rows), schema=schema, orient="row")
    return table, len(derivations), len({*plain_ids, *dated_ids})


def _sample_evenly(ids: pl.Series, most: int) -> list[str]:
    return ids.gather_every(max(1, -(-len(ids) // most))).to_list()


def _plain_encodings(name: str) -> Iterator[tuple[str, str]]:
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


def _digest_spellings(
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


def _constant_offset_pseudonyms(pairs: pl.DataFrame | None) -> pl.Series:
    """Pseudonyms that are their ids plus one and the same number."""
    no_pseudonyms = pl.Series("pseudonym", [], dtype=pl.String)
    if pairs is None:
        return no_pseudonyms
    numbers = pl.col("id", "pseudonym").cast(pl.Int64, strict=False).name.suffix("_number")
    shifts = (
        pairs.with_columns(numbers)
        .drop_nulls()
        .with_columns(shift=pl.col("pseudonym_number") - pl.col("id_number"))
    )
    frequent_shifts = shifts.filter(pl.len().over("shift") >= max(5, 0.02 * pairs.height))
    return frequent_shifts["pseudonym"].unique().sort() if frequent_shifts.height else no_pseudonyms


NO_PSEUDONYMS = Message("the release has no pseudonyms")
MIN_ID_LENGTH = 4
"""Ids shorter than this occur in other columns by chance."""


def check_original_ids(case: ConformityCase) -> Finding:
    """No id of the original anywhere: not as a pseudonym, not in another column.

    Numbers may coincide (an item 15098, a customer 15098), so in a column that the original has
    too, a cell counts only if it names the row's own person by what was no value of that column.
    """
    evidence = [
        Evidence.at(Message("ids of the original"), name, lines)
        for name in case.release.columns
        if (lines := case.file_lines_of(_contains_id(case, name).to_numpy()).tolist())
    ]
    columns = join_messages(observation.column or "" for observation in evidence)
    id_count = len(case.ids)
    summary = Message("none of {ids} ids found", ids=id_count)
    if not id_count:
        summary = Message("no column of ids was named")
    if evidence:
        summary = Message("ids are left in: {columns}", columns=columns)
    verdict = Verdict.FAIL if evidence else Verdict.PASS if id_count else Verdict.NOTHING
    title = Message("No original id in any cell")
    return Finding("original-ids", 3, verdict, title, summary, tuple(evidence))


def check_derived_pseudonyms(case: ConformityCase) -> Finding:
    """Pseudonyms are not a function of the id: a dictionary of common unsalted derivations."""
    title = Message("Pseudonyms are not computed from ids")
    name = case.roles.pseudonym
    if name is None:
        return Finding("derived-pseudonyms", 3, Verdict.NOTHING, title, NO_PSEUDONYMS)
    cells = case.release[name].cast(pl.String)
    explained, derivation_count = find_derivations(
        case.ids, cells, pseudonym_pairs(case), month_spellings(case)
    )
    evidence = tuple(
        Evidence.at(
            Message("pseudonyms are {derivation} of ids", derivation=derivation),
            name,
            case.file_lines_of(cells.is_in(values.implode()).to_numpy()).tolist(),
        )
        for derivation, values in explained.items()
    )
    summary = Message(
        "{count} derivation tried, none fits",
        plural="{count} derivations tried, none fits",
        count=derivation_count,
    )
    if explained:
        summary = Message("derived by {derivations}", derivations=join_messages(explained))
    verdict = Verdict.FAIL if explained else Verdict.PASS
    return Finding("derived-pseudonyms", 3, verdict, title, summary, evidence)


def check_reused_pseudonyms(case: ConformityCase) -> Finding:
    """No pseudonym of an earlier release returns."""
    title = Message("Pseudonyms are not reused across releases")
    name = case.roles.pseudonym
    if name is None:
        return Finding("reused-pseudonyms", 3, Verdict.NOTHING, title, NO_PSEUDONYMS)
    if not case.earlier:
        summary = Message("no other release was given to compare with (--earlier)")
        return Finding("reused-pseudonyms", 3, Verdict.HUMAN, title, summary)
    earlier_pseudonyms = pl.concat(
        [series.cast(pl.String).alias("p") for series in case.earlier]
    ).unique()
    is_reused = case.release[name].is_in(earlier_pseudonyms.implode()).to_numpy()
    if not is_reused.any():
        summary = Message("none occurs in the other releases")
        return Finding("reused-pseudonyms", 3, Verdict.PASS, title, summary)
    reused_count = case.release[name].filter(pl.Series(is_reused)).n_unique()
    summary = Message(
        "{count} pseudonym is used again",
        plural="{count} pseudonyms are used again",
        count=reused_count,
    )
    message = Message("pseudonyms of an earlier release")
    evidence = (Evidence.at(message, name, case.file_lines_of(is_reused).tolist()),)
    return Finding("reused-pseudonyms", 3, Verdict.FAIL, title, summary, evidence)


def check_invoice_numbers(case: ConformityCase) -> Finding:
    """Invoice numbers, which link a purchase with the original's books, are gone."""
    title = Message("Invoice numbers are gone")
    name = case.roles.invoice
    if name is None or case.original is None or name not in case.original.columns:
        missing_message = Message("there is no such column")
        return Finding("invoice-numbers", 3, Verdict.NOTHING, title, missing_message)
    original_numbers = case.original[name].cast(pl.String).unique()
    cells = case.release[name].cast(pl.String)
    is_left = (
        (cells.is_in(original_numbers.implode()) & (len(original_numbers) > 1))
        .fill_null(False)
        .to_numpy()
    )
    if not is_left.any():
        pass_message = Message("no original number is left")
        return Finding("invoice-numbers", 3, Verdict.PASS, title, pass_message)
    message = Message("original invoice numbers")
    evidence = (Evidence.at(message, name, case.file_lines_of(is_left).tolist()),)
    summary = Message("numbers of the original are left")
    return Finding("invoice-numbers", 3, Verdict.FAIL, title, summary, evidence)


def _contains_id(case: ConformityCase, name: str) -> pl.Series:
    cells = case.release[name].cast(pl.String).fill_null("")
    if name == case.roles.pseudonym:
        return cells.is_in(case.ids.implode())
    is_original_column = case.original is not None and name in case.original.columns
    if not is_original_column:
        return _contains_any_id(cells, case.ids)
    if case.true_person_ids is None or case.original is None:
        return pl.repeat(False, len(cells), dtype=pl.Boolean, eager=True)
    values = _strip_leading_zeros(case.original[name].cast(pl.String).unique())
    row_words = (
        _split_words(cells)
        .alias("tokens")
        .to_frame()
        .with_columns(own=_strip_leading_zeros(case.true_person_ids))
    )
    contains_own_id = pl.col("tokens").list.contains(pl.col("own")) & ~pl.col("own").is_in(
        values.implode()
    )
    return row_words.select(contains_own_id).to_series()


def _contains_any_id(cells: pl.Series, ids: pl.Series) -> pl.Series:
    long_ids = ids.filter(ids.str.len_chars() >= MIN_ID_LENGTH)
    is_whole_id = cells.is_in(ids.implode()) & (cells.str.len_chars() >= MIN_ID_LENGTH)
    is_id_word = pl.element().is_in(_strip_leading_zeros(long_ids).implode())
    return is_whole_id | _split_words(cells).list.eval(is_id_word).list.any().fill_null(False)


def _split_words(cells: pl.Series) -> pl.Series:
    """The words of every cell, also those between hyphens, as ids may be written there."""
    normalized = cells.str.normalize("NFKC")
    hyphenated_words, plain_words = (
        normalized.str.extract_all(f"[0-9A-Za-z{extra_characters}]+")
        for extra_characters in ("_-", "")
    )
    return hyphenated_words.list.concat(plain_words).list.eval(
        pl.element().str.replace(r"^0+(\d)", "$1")
    )


def _strip_leading_zeros(ids: pl.Series) -> pl.Series:
    return ids.str.replace(r"^0+(\d)", "$1")
