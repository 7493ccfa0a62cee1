"""Paper 002 on other people and prices: values, the most valuable k-anonymous recoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl
from scipy.stats import spearmanr

from tokumei.apps.papers.charts import COMPUTED_SIDE, values_panel
from tokumei.apps.papers.own.study import MadeTable, OwnStudy
from tokumei.apps.papers.reproduction import PICTURE
from tokumei.apps.papers.response_times import measure_response_times
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import PricedAttribute, PriceProblem, Question
from tokumei.apps.price.sempb import describe_sempb
from tokumei.apps.price.session import PriceAnswer, PriceSession
from tokumei.apps.price.summary_tables import (
    PatternLine,
    attribute_table,
    count_combinations,
    pattern_table,
    word_table,
)
from tokumei.apps.price.value_classes import class_patterns
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.pages.palette import bilingual_columns
from tokumei.tables.services.read_table import read_with_notices
from tokumei.tables.services.requests import TableRequest

FEW_ROWS, FEW_VALUES = 4, 8
SECONDS_ALLOWED = 2.0


@dataclass(frozen=True, eq=False)
class OwnPrices(OwnStudy):
    """The blocks of the paper."""

    number: ClassVar[str] = "002"
    defaults: ClassVar[Mapping[str, object]] = {
        "patterns": None,
        "k": 2,
        "column": None,
        "columns": None,
        "rows": 0,
        "seed": 1,
    }
    absent: ClassVar[Mapping[str, Message]] = {
        "figure3": Message("The rules of an auction; a price list has its prices already."),
        "figure4": PICTURE,
        "figure6": PICTURE,
    }

    @cached_property
    def session(self) -> PriceSession:
        """The people under the price list."""
        patterns = self.settings.text("patterns")
        if not patterns:
            raise UsageError("paper 002 needs a price list: --set patterns=prices.csv")
        request = TableRequest(data=str(self.path), qi=(), sa=(), id=())
        people = read_with_notices(request).frame
        wanted = self.settings.integer("rows")
        if 0 < wanted < people.height:
            people = people.sample(wanted, seed=self.settings.integer("seed"))
        columns = self.settings.names("columns")
        return PriceSession(people, PriceList.read(patterns), columns=columns)

    @cached_property
    def problem(self) -> PriceProblem:
        """Attributes, patterns and prices."""
        return self.session.problem()

    @cached_property
    def answer(self) -> PriceAnswer:
        """The most valuable recoding."""
        return self.session.ask(Question(k=self.settings.integer("k")))

    @cached_property
    def attribute(self) -> PricedAttribute:
        """The column that tables of one column show: the one with most patterns."""
        attributes = {entry.name: entry for entry in self.problem.attributes}
        name = self.settings.text("column")
        if not name:
            return max(self.problem.attributes, key=lambda entry: len(entry.patterns))
        if name not in attributes:
            raise UnknownNameError(Message("attribute"), name, list(attributes))
        return attributes[name]

    @cached_property
    def lines(self) -> list[PatternLine]:
        """Every pattern of every attribute."""
        return pattern_table(self.problem)

    @property
    def own_lines(self) -> list[PatternLine]:
        """Those of the column shown."""
        return [line for line in self.lines if line.attribute == self.attribute.name]

    def table1(self) -> MadeTable:
        """The first values under their own word, then the words of the most valuable pattern."""
        best = max(self.own_lines, key=lambda line: line.value).pattern
        rows: list[list[object]] = []
        for pattern in dict.fromkeys(("original", best)):
            words = word_table(self.problem, self.attribute.name, pattern)
            rows += [
                [f"{pattern}: {line.word}", line.people, line.price, line.value]
                for line in words[:FEW_VALUES]
            ]
            total = sum(line.value for line in words)
            rows.append([SUM, sum(line.people for line in words), None, total])
        title = Message("{column}: people, price, value of words", column=self.attribute.name)
        return MadeTable(rows, ("word", "people", PRICE, VALUE), title=title)

    def table2(self) -> MadeTable:
        """The first people before and after."""
        names = [entry.name for entry in self.problem.attributes]
        release = self.session.release(self.answer, keep_order=True)
        kept = [name for name in names if name in release.public.frame.columns]
        places = np.argsort(release.link, kind="stable")[:FEW_ROWS]
        after = release.public.frame[places].select(kept)
        before = self.session.frame[np.asarray(release.link)[places]].select(names)
        rows = [
            [*map(str, old), *new]
            for old, new in zip(before.iter_rows(), after.iter_rows(), strict=True)
        ]
        columns = [*map(Message.verbatim, names)]
        columns += [Message("{column}, after", column=name) for name in kept]
        return MadeTable(rows, columns)

    def _dictionary(self, place: int) -> MadeTable:
        """The first values of an attribute with their words and prices."""
        if place >= len(self.problem.attributes):
            return MadeTable(note=Message("There is no further attribute."))
        attribute = self.problem.attributes[place]
        rows = []
        for number, value in enumerate(attribute.values.to_list()[:FEW_VALUES]):
            row: list[object] = [str(value)]
            for pattern in attribute.patterns:
                word = int(pattern.up[number])
                row += [pattern.words[word], self.problem.money(int(pattern.prices[word]))]
            rows.append([*row, int(attribute.counts[number])])
        columns: list[str | Message] = [Message.verbatim(attribute.name)]
        for pattern in attribute.patterns:
            columns += [Message.verbatim(pattern.name), PRICE]
        title = Message("Price dictionary of {column} (first lines)", column=attribute.name)
        return MadeTable(rows, [*columns, "count"], title=title)

    def table3_age(self) -> MadeTable:
        """The first attribute."""
        return self._dictionary(0)

    def table3_origin(self) -> MadeTable:
        """The second attribute."""
        return self._dictionary(1)

    def table3_priority(self) -> MadeTable:
        """Every pattern by its value, and how the paper's own search goes through them."""
        ranked = sorted(self.lines, key=lambda line: -line.value)
        rows = [[line.attribute, line.pattern, line.words, line.value] for line in ranked]
        return MadeTable(
            rows, (ATTRIBUTE, PATTERN, WORDS, VALUE), note=describe_sempb(self.problem)
        )

    def table4(self) -> MadeTable:
        """Every attribute as it is, with its place in the order of search."""
        rows = [
            [line.attribute, line.words, line.k, line.value, line.priority]
            for line in attribute_table(self.problem)
        ]
        total = sum(line.value for line in attribute_table(self.problem))
        note = Message("In all: {value:,.0f}.", value=total)
        return MadeTable(rows, (ATTRIBUTE, WORDS, "smallest_k", VALUE, "priority"), note=note)

    def table5(self) -> MadeTable:
        """Value before and after the best recoding."""
        record = self.answer.best.as_json(self.problem, self.answer.question)
        choice = self.problem.pattern_names(self.answer.best.candidate)
        before = {line.attribute: line.value for line in self.lines if line.pattern == "original"}
        values = {(line.attribute, line.pattern): line.value for line in self.lines}
        rows = []
        for name, pattern in choice.items():
            after = values.get((name, pattern), 0)
            share = 100 * after / before[name] if before[name] else 0.0
            rows.append([name, before[name], pattern, after, share])
        note = Message(
            "k = {k}: {value:,.0f} of {before:,.0f} are left, {share:.2%}.",
            k=record["k"],
            value=record["value"],
            before=record["original_value"],
            share=record["ratio"],
        )
        return MadeTable(rows, (ATTRIBUTE, BEFORE, PATTERN, AFTER, "share_percent"), note=note)

    def table6(self) -> MadeTable:
        """The patterns of one column, and classes by calculation."""
        rows: list[list[object]] = [
            [line.pattern, line.words, line.k, line.largest, line.mean, line.sd, line.value]
            for line in self.own_lines
        ]
        values = map(str, self.attribute.values.to_list())
        people = dict(zip(values, map(int, self.attribute.counts), strict=True))
        for name, classes in class_patterns(people).items():
            counts = _count_classes(people, classes)
            figures = [len(counts), counts.min(), counts.max(), counts.mean(), counts.std()]
            rows.append([name, *map(float, figures), None])
        columns = (PATTERN, WORDS, "smallest_k", "largest", "mean", "sd", VALUE)
        title = Message("Ways to group {column}", column=self.attribute.name)
        return MadeTable(rows, columns, title=title)

    def figure1(self) -> MadeTable:
        """Seconds per row of two queries here, and how many rows two seconds allow."""
        names = [entry.name for entry in self.problem.attributes]
        slopes = measure_response_times(self.session.frame.select(names))
        rows = [[name, slope, SECONDS_ALLOWED / slope] for name, slope in slopes.items()]
        return MadeTable(rows, (QUERY, Message("seconds per row"), Message("rows in 2 s")))

    def figure2(self) -> MadeTable:
        """How many combinations 1, 2, … attributes have."""
        sizes = [len(entry.values) for entry in self.problem.attributes]
        rows = [[n, count] for n, count in enumerate(count_combinations(sizes), start=1)]
        return MadeTable(rows, (Message("attributes"), Message("combinations")))

    def figure5(self) -> MadeTable:
        """Value and reduction of the whole table."""
        record = self.answer.best.as_json(self.problem, self.answer.question)
        rows: list[list[object]] = [
            ["S(e)", record["original_value"]],
            ["S(k)", record["value"]],
            ["M(k)", record["ratio"]],
        ]
        return MadeTable(rows, ("name", "value"))

    def figure7(self) -> MadeTable:
        """The most expensive words of the price list."""
        prices = [
            (name, word, float(price))
            for name, words in self.session.prices.prices.items()
            for word, price in words.items()
            if price is not None
        ]
        ranked = sorted(prices, key=lambda line: -line[2])[:FEW_VALUES]
        rows = [list(line) for line in ranked]
        title = Message("The most expensive words")
        return MadeTable(rows, (ATTRIBUTE, "word", PRICE), title=title)

    def _values_block(self, name: str, by: Message, key: str) -> MadeTable:
        """The value of every pattern of a column against a figure of it, with a rank test."""
        lines = self.own_lines
        points = [
            {
                "x": getattr(line, key),
                "y": line.value,
                **bilingual_columns(Message.verbatim(line.pattern)),
                **bilingual_columns(COMPUTED_SIDE, "side_"),
            }
            for line in lines
        ]
        rows = [[line.pattern, getattr(line, key), line.value] for line in lines]
        panel = values_panel(name, self.book.blocks[name].title, by, points)
        note = _describe_rank_test([row[1] for row in rows], [row[2] for row in rows])
        return MadeTable(rows, (PATTERN, by, VALUE), note=note, panels=[panel])

    def figure8(self) -> MadeTable:
        """Value against the people of the rarest word."""
        return self._values_block("figure8", Message("people of the rarest word"), "k")

    def figure9(self) -> MadeTable:
        """Value against the number of words."""
        return self._values_block("figure9", Message("words"), "words")


def _describe_rank_test(x: Sequence[float], y: Sequence[float]) -> Message:
    """Whether value and figure are related, as far as so few points can tell."""
    if len(set(x)) < 2 or len(set(y)) < 2 or len(x) < 3:
        return Message("Too few patterns to tell whether the two are related.")
    test = spearmanr(x, y)
    return Message(
        "Spearman's rank correlation of {points} patterns: {rank:.2f}, p = {p:.2f}.",
        points=len(x),
        rank=float(test.statistic),
        p=float(test.pvalue),
    )


def _count_classes(people: Mapping[str, int], classes: Mapping[str, str]) -> np.ndarray:
    """The people of every class."""
    frame = pl.DataFrame({"word": [classes[value] for value in people], "n": list(people.values())})
    return frame.group_by("word").agg(pl.col("n").sum())["n"].to_numpy()


ATTRIBUTE, PATTERN, QUERY = Message("attribute"), Message("pattern"), Message("query")
WORDS, PRICE, VALUE = Message("words"), Message("price"), Message("value")
BEFORE, AFTER = Message("before"), Message("after")
SUM = Message("sum")
