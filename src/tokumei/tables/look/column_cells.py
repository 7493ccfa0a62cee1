"""The cells of one column: distinct values with counts, and cheap facts about them.

Everything is computed on distinct values, so that a million rows cost little more than a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from tokumei.core.written.dates import SHORT_LIKE, UNSAID, Days, Style, find_style
from tokumei.core.written.numbers import Numbers, parse_numbers
from tokumei.tables.look.forms import FORMS, may_have
from tokumei.tables.look.missing import is_code, missing_marks

MOST_READ = 20_000
"""How many distinct values one by one are read as days or names; above, a random sample."""
_FORM_SAMPLE = 4_000
WHOLE_ENOUGH = 0.95
_CLOCK = r"[T ]+(?:午前|午後)?\d{1,2}(?::\d{2}|時).*$"


@dataclass(frozen=True, eq=False)
class ColumnCells:
    """Distinct cells as they came, how often each, and after NFKC; null cells are left out."""

    name: str
    rows: int
    raw: pl.Series
    counts: pl.Series
    off: Set[str] = frozenset()
    said: Days = UNSAID
    """What the owner says of days that no cell decides."""
    _days: dict[Style, pl.DataFrame] = field(default_factory=dict)
    _are_days: dict[tuple[Style, float], bool] = field(default_factory=dict)
    _styles: dict[tuple[bool, bool, bool], Style] = field(default_factory=dict)

    @classmethod
    def of(cls, series: pl.Series, off: Set[str] = frozenset(), said: Days = UNSAID) -> ColumnCells:
        """Count the cells of a text column; where hardly any repeats, each stands for itself."""
        filled = series.drop_nulls()
        if len(filled) > MOST_READ and filled.gather_every(len(filled) // 1000).n_unique() > 900:
            ones = pl.Series("len", [1], pl.Int64).new_from_index(0, len(filled))
            return cls(series.name, len(series), filled, ones, off, said)
        cells = filled.alias("cell").to_frame().lazy().group_by("cell").len().sort("cell").collect()
        counts = cells["len"].cast(pl.Int64)
        return cls(series.name, len(series), cells["cell"], counts, off, said)

    @cached_property
    def text(self) -> pl.Series:
        """The distinct cells as they are compared: NFKC, no outer blanks."""
        return normal_text(self.raw, self.off)

    @cached_property
    def missing(self) -> pl.Series:
        """Which distinct cells say that nothing is known; among numbers or days in words, too."""
        if "missing" in self.off:
            return self.text == ""
        marks, said = missing_marks(self.text)
        if not said.any() or self._says_values(~marks):
            return said
        return marks & ~is_code(self.text, self.counts, marks) if marks.any() else marks

    def _says_values(self, filled: pl.Series) -> bool:
        """Whether most cells are numbers, days or of a known form."""
        text, counts = _some(self.text.filter(filled), self.counts.filter(filled))
        forms = "|".join(FORMS[name] for name in ("email", "phone", "postal", "ip", "date_like"))
        values = parse_numbers(text, self.off).values.is_not_null() | text.str.contains(forms)
        return 2 * int(counts.filter(values).sum()) > int(counts.sum())

    @cached_property
    def filled(self) -> pl.Series:
        """Distinct cells that say something, after NFKC."""
        return self.text.filter(~self.missing)

    @cached_property
    def weights(self) -> pl.Series:
        """How often each of `filled`."""
        return self.counts.filter(~self.missing)

    @cached_property
    def total(self) -> int:
        """How many cells say something."""
        return int(self.weights.sum())

    @cached_property
    def distinct(self) -> int:
        """How many different values, after NFKC."""
        return int(self.filled.n_unique())

    @property
    def unique_share(self) -> float:
        """Different values per filled cell."""
        return self.distinct / max(self.total, 1)

    @cached_property
    def sample(self) -> tuple[pl.Series, pl.Series]:
        """Some of the filled values, at random but always the same, with their weights."""
        return _some(self.filled, self.weights)

    @cached_property
    def signs(self) -> frozenset[str]:
        """The characters of the sample, and what stands for kinds of them (see NEEDED)."""
        found = set("".join(self.sample[0]))
        kinds = {"A": str.isalpha, "9": str.isdecimal, "字": lambda sign: not sign.isascii()}
        return frozenset(found | {kind for kind, fits in kinds.items() if any(map(fits, found))})

    @cached_property
    def _shares(self) -> dict[str, float]:
        """Share of the filled cells of every form: asked together, they cost one query.

        Patterns cost more, even to compile, than a look at what no cell of theirs can do without.
        """
        text, weights = self.sample
        total = max(int(weights.sum()), 1)
        longest = int(text.str.len_chars().max() or 0)  # type: ignore[arg-type]
        asked = {n: form for n, form in FORMS.items() if may_have(n, self.signs, longest)}
        if not asked:
            return {}
        sums = (
            pl.col("weight").filter(pl.col("text").str.contains(form)).sum().alias(name)
            for name, form in asked.items()
        )
        found = pl.DataFrame({"text": text, "weight": weights}).select(sums)
        return {name: int(sum) / total for name, sum in found.row(0, named=True).items()}

    @cached_property
    def _words(self) -> dict[str, int]:
        """How often each word of the sample, in lower case."""
        text, weights = self.sample
        counts: dict[str, int] = {}
        for word, weight in _pairs(text.str.to_lowercase(), weights):
            counts[word] = counts.get(word, 0) + weight
        return counts

    def share(self, form: str) -> float:
        """Share of the filled cells that have a form."""
        return self._shares.get(form, 0.0)

    def share_of(self, pattern: str) -> float:
        """Share of some of the filled cells that match a pattern."""
        text, weights = self.sample
        return int(weights.filter(text.str.contains(pattern)).sum()) / max(int(weights.sum()), 1)

    def share_where(self, test: Callable[[str], bool]) -> float:
        """Share of some of the filled cells that pass a test, one by one."""
        text, weights = self.sample
        passing = sum(weight for cell, weight in _pairs(text, weights) if test(cell))
        return passing / max(int(weights.sum()), 1)

    def share_in(self, words: Set[str]) -> float:
        """Share of the filled cells that are one of the words, in lower case."""
        known = sum(self._words[word] for word in self._words.keys() & words)
        return known / int(self.sample[1].sum()) if known else 0.0

    @cached_property
    def numbers(self) -> Numbers:
        """The filled cells as numbers."""
        return parse_numbers(self.filled, self.off)

    @cached_property
    def number_share(self) -> float:
        """Share of the filled cells that are numbers."""
        good = self.numbers.values.is_not_null()
        return int(self.weights.filter(good).sum()) / self.total if self.total else 0.0

    @cached_property
    def is_number(self) -> bool:
        """Whether the column can count as numbers: 95 % of its cells are, and none is a code."""
        return self.number_share >= WHOLE_ENOUGH and self.share("leading_zero") < 0.02

    @cached_property
    def is_money(self) -> bool:
        """Whether most of the filled cells are numbers with a sign of money."""
        signed = self.numbers.touched.get("currency")
        return signed is not None and 2 * int(self.weights.filter(signed).sum()) > self.total

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

    def are_days(self, style: Style, least: float) -> bool:
        """Whether at least this share of the filled cells are days in this style."""
        if (style, least) not in self._are_days:
            self._are_days[style, least] = self._read_until_sure(style, least)
        return self._are_days[style, least]

    def _read_until_sure(self, style: Style, least: float) -> bool:
        """Cells that may be days are read one by one, until too many are none."""
        text, weights = self.sample
        alike = text.str.contains(style.day_like)
        text, total, weights = text.filter(alike), int(weights.sum()), weights.filter(alike)
        left = int(weights.sum())
        if not total or left / total < least:
            return False
        for cell, weight in _pairs(text, weights):
            if style.day(cell) is None:
                left -= weight
                if left / total < least:
                    return False
        return True

    def days(self, style: Style) -> pl.DataFrame:
        """The day of every filled distinct cell and the rule that read it, in their order."""
        if style not in self._days:
            self._days[style] = _read_days(self.filled.str.replace(_CLOCK, "").alias("text"), style)
        return self._days[style]

    def style(self, *, named: bool, epoch: bool = False, month: bool = False) -> Style:
        """How the column writes days, given what its name says."""
        asked = named, epoch, month
        if asked not in self._styles:
            text = self.sample[0]
            self._styles[asked] = find_style(
                text.filter(text.str.contains(SHORT_LIKE)),
                named=named,
                epoch=epoch,
                month_named=month,
                off=self.off,
                said=self.said,
            )
        return self._styles[asked]


def _pairs(text: pl.Series, weights: pl.Series) -> Iterable[tuple[str, int]]:
    """Cells with their weights, as lists: a series is slower to go through."""
    return zip(text.to_list(), weights.to_list(), strict=True)


def _some(text: pl.Series, weights: pl.Series) -> tuple[pl.Series, pl.Series]:
    if len(text) <= _FORM_SAMPLE:
        return text, weights
    rows = pl.int_range(len(text), eager=True).sample(_FORM_SAMPLE, seed=1)
    return text[rows], weights[rows]


def _read_days(texts: pl.Series, style: Style) -> pl.DataFrame:
    distinct = texts.unique()
    read = [style.read(text) for text in distinct]
    known = pl.DataFrame(
        {"text": distinct, "day": [d for d, _ in read], "rule": [r for _, r in read]},
        schema={"text": pl.String, "day": pl.Date, "rule": pl.String},
    )
    return texts.to_frame().join(known, on="text", how="left", maintain_order="left")


def normal_text(cells: pl.Series, off: Set[str] = frozenset()) -> pl.Series:
    """Cells after NFKC and without outer blanks; only outer blanks go where `nfkc` is off."""
    if "nfkc" in off:
        return cells
    if (cells.str.len_bytes() == cells.str.len_chars()).all():
        return cells.str.strip_chars()
    return cells.str.normalize("NFKC").str.strip_chars()
