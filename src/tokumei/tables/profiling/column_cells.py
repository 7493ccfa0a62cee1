"""The cells of one column: their forms, what they are as numbers and days, and predicates on them.

Everything is computed on distinct values, so that a million rows cost little more than a thousand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from tokumei.core.parsing.dates import SHORT_DATE_START, DateStyle, detect_date_style
from tokumei.core.parsing.numbers import ParsedNumbers, parse_numbers
from tokumei.tables.profiling.detection.cell_patterns import CELL_PATTERNS, may_match
from tokumei.tables.profiling.detection.header_tokens import parse_header
from tokumei.tables.profiling.detection.name_detection import is_name, is_single_name
from tokumei.tables.profiling.distinct_cells import DistinctCells

NEARLY_ALL_SHARE = 0.95
MAJORITY_SHARE = 0.6
"""A column has a type if this share of its filled cells has it."""
SURE, LIKELY, GUESS = 0.95, 0.85, 0.6
TypeMatch = tuple[str, float] | None
"""The type after all, with the confidence; None: the cells are something else."""
IDENTIFIER_NUMBER_TYPES = (
    "member_id", "record_id", "device_id", "insurance_no", "bank_account", "my_number", "passport",
    "ssn", "card",
)  # fmt: skip
"""Types of numbers that identify."""
_TIME_SUFFIX = r"[T ]+(?:午前|午後)?\d{1,2}(?::\d{2}|時).*$"


@dataclass(frozen=True, eq=False)
class ColumnCells(DistinctCells):
    """Distinct cells with their forms, and as numbers and days."""

    _days_by_style: dict[DateStyle, pl.DataFrame] = field(default_factory=dict)
    _day_checks: dict[tuple[DateStyle, float], bool] = field(default_factory=dict)
    _style_cache: dict[tuple[bool, bool, bool], DateStyle] = field(default_factory=dict)

    @cached_property
    def signs(self) -> frozenset[str]:
        """The characters of the sample, and what stands for kinds of them (see NEEDED)."""
        characters = set("".join(self.sample[0]))
        character_kinds = {
            "A": str.isalpha,
            "9": str.isdecimal,
            "字": lambda sign: not sign.isascii(),
        }
        return frozenset(
            characters
            | {
                kind
                for kind, predicate in character_kinds.items()
                if any(map(predicate, characters))
            }
        )

    @cached_property
    def _pattern_shares(self) -> dict[str, float]:
        """Share of the filled cells of every form: asked together, they cost one query.

        Patterns cost more, even to compile, than a look at what no cell of theirs can do without.
        """
        text, weights = self.sample
        total = max(int(weights.sum()), 1)
        longest = int(text.str.len_chars().max() or 0)  # type: ignore[arg-type]
        possible_patterns = {
            pattern_name: pattern
            for pattern_name, pattern in CELL_PATTERNS.items()
            if may_match(pattern_name, self.signs, longest)
        }
        if not possible_patterns:
            return {}
        sums = (
            pl.col("weight").filter(pl.col("text").str.contains(pattern)).sum().alias(name)
            for name, pattern in possible_patterns.items()
        )
        sums_row = pl.DataFrame({"text": text, "weight": weights}).select(sums)
        return {name: int(sum) / total for name, sum in sums_row.row(0, named=True).items()}

    @cached_property
    def _lowercase_cell_counts(self) -> dict[str, int]:
        """How often each word of the sample, in lower case."""
        text, weights = self.sample
        counts: dict[str, int] = {}
        for word, weight in zip(text.str.to_lowercase().to_list(), weights.to_list(), strict=True):
            counts[word] = counts.get(word, 0) + weight
        return counts

    def share(self, form: str) -> float:
        """Share of the filled cells that have a form."""
        return self._pattern_shares.get(form, 0.0)

    def share_matching(self, pattern: str) -> float:
        """Share of some of the filled cells that match a pattern."""
        text, weights = self.sample
        return int(weights.filter(text.str.contains(pattern)).sum()) / max(int(weights.sum()), 1)

    def share_passing(self, test: Callable[[str], bool]) -> float:
        """Share of some of the filled cells that pass a test, one by one."""
        text, weights = self.sample
        weighted = zip(text.to_list(), weights.to_list(), strict=True)
        passing: int = sum(weight for cell, weight in weighted if test(cell))
        return passing / max(int(weights.sum()), 1)

    def share_among_words(self, words: Set[str]) -> float:
        """Share of the filled cells that are one of the words, in lower case."""
        match_count = sum(
            self._lowercase_cell_counts[word] for word in self._lowercase_cell_counts.keys() & words
        )
        return match_count / int(self.sample[1].sum()) if match_count else 0.0

    @cached_property
    def numbers(self) -> ParsedNumbers:
        """The filled cells as numbers."""
        return parse_numbers(self.filled, self.off)

    @cached_property
    def number_share(self) -> float:
        """Share of the filled cells that are numbers."""
        is_numeric = self.numbers.values.is_not_null()
        return int(self.weights.filter(is_numeric).sum()) / self.total if self.total else 0.0

    @cached_property
    def is_number(self) -> bool:
        """Whether the column can count as numbers: 95 % of its cells are, and none is a code."""
        return self.number_share >= NEARLY_ALL_SHARE and self.share("leading_zero") < 0.02

    @cached_property
    def is_money(self) -> bool:
        """Whether most of the filled cells are numbers with a sign of money."""
        has_currency = self.numbers.touched.get("currency")
        return (
            has_currency is not None
            and 2 * int(self.weights.filter(has_currency).sum()) > self.total
        )

    @cached_property
    def is_whole(self) -> bool:
        """Whether all numbers are whole."""
        values = self.numbers.values.drop_nulls()
        return bool(((values % 1) == 0).all())

    @cached_property
    def length(self) -> float:
        """Mean number of characters."""
        text, weights = self.sample
        total = int(weights.sum())
        return float((text.str.len_chars() * weights).sum()) / total if total else 0.0

    @cached_property
    def has_texts(self) -> bool:
        """Whether any cell is long enough to hold personal data, however short the others are."""
        return bool((self.filled.str.len_chars() >= 4).any())

    @cached_property
    def fixed_length(self) -> bool:
        """Whether all values have the same number of characters."""
        return bool(self.filled.str.len_chars().n_unique() == 1)

    def are_days(self, style: DateStyle, least: float) -> bool:
        """Whether at least this share of the filled cells are days in this style.

        Cells that may be days are read one by one, until too many are none.
        """
        if (style, least) in self._day_checks:
            return self._day_checks[style, least]
        text, weights = self.sample
        total = int(weights.sum())
        is_day_like = text.str.contains(style.date_start_pattern)
        text, weights = text.filter(is_day_like), weights.filter(is_day_like)
        remaining = int(weights.sum())
        for cell, weight in zip(text.to_list(), weights.to_list(), strict=True):
            if not total or remaining / total < least:
                break
            if style.read(cell)[0] is None:
                remaining -= weight
        self._day_checks[style, least] = bool(total) and remaining / total >= least
        return self._day_checks[style, least]

    def days(self, style: DateStyle) -> pl.DataFrame:
        """The day of every filled distinct cell and the rule that read it, in their order."""
        if style not in self._days_by_style:
            self._days_by_style[style] = _parse_days(
                self.filled.str.replace(_TIME_SUFFIX, "").alias("text"), style
            )
        return self._days_by_style[style]

    def style(self, *, named: bool, epoch: bool = False, month: bool = False) -> DateStyle:
        """How the column writes days, given what its name says."""
        cache_key = named, epoch, month
        if cache_key not in self._style_cache:
            text = self.sample[0]
            self._style_cache[cache_key] = detect_date_style(
                text.filter(text.str.contains(SHORT_DATE_START)),
                named=named,
                epoch=epoch,
                month_named=month,
                off=self.off,
                said=self.said,
            )
        return self._style_cache[cache_key]


def _parse_days(texts: pl.Series, style: DateStyle) -> pl.DataFrame:
    distinct = texts.unique()
    parsed = [style.read(text) for text in distinct]
    parsed_days = pl.DataFrame(
        {"text": distinct, "day": [d for d, _ in parsed], "rule": [r for _, r in parsed]},
        schema={"text": pl.String, "day": pl.Date, "rule": pl.String},
    )
    return texts.to_frame().join(parsed_days, on="text", how="left", maintain_order="left")


TypeValidator = Callable[[ColumnCells], TypeMatch]
"""Confirms a type by the cells, or says what they are instead."""


def is_within(cells: ColumnCells, low: float, high: float) -> bool:
    """Whether nearly all numbers lie between two."""
    values = cells.numbers.values
    cells_within = cells.weights.filter((values >= low) & (values <= high)).sum()
    return (
        cells.number_share > MAJORITY_SHARE
        and int(cells_within) >= 0.97 * cells.total * cells.number_share
    )


def share_of_names(cells: ColumnCells) -> float:
    """Share of the cells that look like names of people, whole ones or parts."""
    return max(cells.share_passing(is_name), cells.share_passing(is_single_name))


def are_dates(cells: ColumnCells, *, named: bool) -> bool:
    """Whether most cells are days, written in any way that the column's name allows."""
    words = parse_header(cells.name).words + parse_header(cells.name).flat
    month = bool(re.search(r"月|month|ym", words))
    style = cells.style(named=named, epoch=named, month=month)
    return cells.are_days(style, MAJORITY_SHARE if named else 0.9)


def has_time(cells: ColumnCells) -> bool:
    """Whether cells tell the time of the day beside the day."""
    text, weights = cells.sample
    clock = r"\d{1,2}:\d{2}|\d時|^\d{10}(\d{3})?$|^\d{8}[T ]?\d{4,6}$"
    timed = int(weights.filter(text.str.contains(clock)).sum())
    midnight = int(weights.filter(text.str.contains(r"[T ]00:00(:00(\.0+)?)?$")).sum())
    return timed > 0.5 * int(weights.sum()) and midnight < 0.99 * timed


def is_textual(cells: ColumnCells) -> bool:
    """Whether cells are words rather than numbers or days."""
    return cells.number_share < 0.5 and not are_dates(cells, named=False)


def is_code_like(cells: ColumnCells) -> bool:
    """Whether cells are numbers of a list: whole, or codes of letters and digits."""
    if (
        cells.share("digits") > 0.9
        or cells.share("code") > MAJORITY_SHARE
        or cells.share("hash") > MAJORITY_SHARE
    ):
        return True
    return cells.is_number and cells.is_whole
