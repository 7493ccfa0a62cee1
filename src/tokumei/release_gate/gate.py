"""The last step before anything gets its public name: reads it all, and has the last word.

    require_clean_files([PublicFile(staged, "y.csv", layout), …], release.terms)
    require_clean_frame(release.public.frame, release.terms)

Nothing is sampled: every row is read, and every distinct cell of a column that was not released by
name is looked at, with the names of columns and what stands beside the rows. The gate knows
nothing of how columns were profiled and why they were released.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from tokumei.core.messages import Message
from tokumei.core.release_terms import ReleaseTerms
from tokumei.release_gate.cell_shapes import PLAIN_NUMBER
from tokumei.release_gate.column_cells import ColumnBatch, ColumnCells
from tokumei.release_gate.column_scan import count_pieces, scan_column
from tokumei.release_gate.findings import Finding, require_nothing_found
from tokumei.release_gate.pieces import normalize_text, split_cell
from tokumei.release_gate.public_files import PublicFile
from tokumei.release_gate.recognizers import find_forms
from tokumei.release_gate.withheld_search import WithheldSearch

_LONG_NUMBER = re.compile(r"\d{9,}")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_WORD_IN_NAME = re.compile(r"[A-Z]?[a-z]{3,}")
_SPELLED_SHARE = 0.6
"""A name of which so much is words is no token, but words that are written together."""
_MANY_DIGITS, _TIME_SERIES = 6, 3
"""So many days among the names of columns are those of a time series."""
_NOT_BESIDE = frozenset(
    {"plate", "date", "token", "coordinates", "name", "device", "url", "username", "card"}
)
"""What the package itself may write in a manifest, or a label may look like."""


def require_clean_files(files: Sequence[PublicFile], terms: ReleaseTerms) -> None:
    """Fail, with counts, if finished files hold what nobody consented to."""
    withheld = WithheldSearch(terms)
    findings = [finding for file in files for finding in _scan_file(file, terms, withheld)]
    require_nothing_found([*findings, *withheld.findings()])


def require_clean_frame(frame: pl.DataFrame, terms: ReleaseTerms) -> None:
    """The same of rows in memory, which are handed out as they are."""
    withheld = WithheldSearch(terms)
    findings = list(_scan_batches([frame], terms, withheld))
    require_nothing_found([*findings, *withheld.findings()])


def require_clean_batches(batches: Iterable[ColumnBatch], terms: ReleaseTerms) -> None:
    """The same of rows elsewhere, of which the distinct cells come column by column."""
    withheld = WithheldSearch(terms)
    columns: dict[str, ColumnCells] = {}
    for batch in batches:
        columns.setdefault(batch.name, ColumnCells(batch.name, terms)).add_counts(batch.counts)
    findings = list(_scan_columns(columns, columns, terms, withheld))
    require_nothing_found([*findings, *withheld.findings()])


def _scan_file(
    file: PublicFile, terms: ReleaseTerms, withheld: WithheldSearch
) -> Iterator[Finding]:
    if file.layout is not None:
        batches = file.batches(terms.named)
        yield from _scan_batches(batches, terms, withheld, header=file.layout.header)
    yield from _scan_texts(file, terms, withheld)


def _scan_batches(
    batches: Iterable[pl.DataFrame],
    terms: ReleaseTerms,
    withheld: WithheldSearch,
    *,
    header: bool = True,
) -> Iterator[Finding]:
    columns: dict[str, ColumnCells] = {}
    names: dict[str, None] = {}
    for batch in batches:
        names |= dict.fromkeys(batch.columns)
        for series in batch.get_columns():
            if series.name not in terms.named:
                columns.setdefault(series.name, ColumnCells(series.name, terms)).add(series)
    yield from _scan_columns(names if header else (), columns, terms, withheld)


def _scan_columns(
    names: Iterable[str],
    columns: dict[str, ColumnCells],
    terms: ReleaseTerms,
    withheld: WithheldSearch,
) -> Iterator[Finding]:
    yield from _scan_names(names, columns, terms, withheld)
    for name, cells in columns.items():
        pieces = count_pieces(cells.candidates())
        withheld.add(pieces, name)
        yield from scan_column(name, pieces, terms)
        yield from cells.rare_texts()


def _scan_names(
    all_names: Iterable[str],
    columns: dict[str, ColumnCells],
    terms: ReleaseTerms,
    withheld: WithheldSearch,
) -> Iterator[Finding]:
    """Names of columns that are cells: of a person, or of the first row of a file without names."""
    place = Message("the names of columns")
    names = [normalize_text(name) for name in all_names if name not in terms.named]
    forms = Counter(form for name in names for form in _forms_of_name(name))
    for form in ("date", "unlike"):
        if forms[form] >= _TIME_SERIES:
            del forms[form]
    yield from (Finding(form, count, None, place) for form, count in forms.items())
    withheld.add(dict.fromkeys(names, 1), None, place)
    numbers = sum(_NUMBER.fullmatch(name) is not None for name in names)
    as_cells = sum(cells.has_its_name_as_cell() for cells in columns.values())
    if as_cells and as_cells + numbers >= max(2, len(names) / 2):
        yield Finding("first-row", as_cells + numbers, None, place)


def _forms_of_name(name: str) -> frozenset[str]:
    """The forms of a column's name; a long number names nothing else than somebody."""
    if _LONG_NUMBER.fullmatch(name):
        return frozenset({"identity-number"})
    forms: frozenset[str] = frozenset().union(*map(find_forms, split_cell(name)))
    forms -= {"token"} if _is_spelled(name) else set()
    has_digits = sum(char.isdigit() for char in name) >= _MANY_DIGITS
    return forms or frozenset({"unlike"} if has_digits and not PLAIN_NUMBER.fullmatch(name) else ())


def _is_spelled(name: str) -> bool:
    letters = sum(len(word) for word in _WORD_IN_NAME.findall(name))
    return re.fullmatch(r"\w+", name) is not None and letters >= _SPELLED_SHARE * len(name)


def _scan_texts(
    file: PublicFile, terms: ReleaseTerms, withheld: WithheldSearch
) -> Iterator[Finding]:
    """What stands beside the rows: names of sheets, metadata, the manifest."""
    place = Message("what {file} contains besides the rows", file=file.target)
    texts = {normalize_text(text) for text in file.texts(terms.named)}
    for text in texts:
        yield from (Finding(form, 1, None, place) for form in find_forms(text) - _NOT_BESIDE)
    withheld.add(dict.fromkeys(texts, 1), None, place)
