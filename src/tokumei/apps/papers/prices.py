"""Paper 002: k-anonymity by prices of search advertising; the people are a twin of the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property

import polars as pl

from tokumei.apps.papers.comparison import ComputedBlock, FormCheck, StatedValue
from tokumei.apps.papers.price_figures import PriceFigures
from tokumei.apps.papers.published_values import PaperCell
from tokumei.apps.papers.reproduction import PICTURE, printed_only
from tokumei.apps.price.datasets.column_patterns import age_patterns
from tokumei.apps.price.datasets.published_experiment import PaperTwin, build_paper_twin
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.sempb import describe_sempb
from tokumei.apps.price.session import PriceAnswer, PriceSession
from tokumei.apps.price.summary_tables import rank_attributes, word_table
from tokumei.core.messages import Message, join_sentences

DICTIONARY_PRICES = Message(
    "Prices and counts are those of 2012 and of the authors' users; only first lines are printed."
)


class PricesPaper(PriceFigures):
    """The blocks of the paper."""

    @cached_property
    def paper_twin(self) -> PaperTwin:
        """The people and prices that stand for the paper's."""
        return build_paper_twin(seed=self.recipe["seed"])

    @cached_property
    def twin_session(self) -> PriceSession:
        """The twin under its prices."""
        return PriceSession(self.paper_twin.people, build_price_list(self.paper_twin.prices))

    @cached_property
    def answer(self) -> PriceAnswer:
        """The most valuable recoding."""
        return self.twin_session.ask(Question(k=self.recipe["k"]))

    def table1(self) -> ComputedBlock:
        """Four ages against one decade."""
        printed = self.published_block("table1")
        before, (decade, _, price, _) = printed.rows[:4], printed.rows[5]
        lines = [("age", "original", word, word, cost) for word, _, cost, _ in before]
        lines += [("age", "decades", word, decade, price) for word, *_ in before]
        ages = {word: count for word, count, *_ in before}
        price_session = _single_column_session("age", ages, lines)
        problem = price_session.problem()
        words, (after,) = (
            word_table(problem, "age", pattern) for pattern in ("original", "decades")
        )
        rows_by_word = {line.word: [None, None, None, line.value] for line in words}
        total = sum(line.value for line in words)
        best = price_session.ask(Question(k=2)).best.as_json(problem, Question(k=2))
        rows: list[Sequence[object]] = [rows_by_word.get(word, [None] * 4) for word, *_ in before]
        # A word worth nothing is counted all the same.
        rows += [[None, problem.rows, None, total]]
        rows += [[None, after.people, None, after.value]]
        rows += [[None, problem.rows, None, best["value"]]]
        return ComputedBlock(rows)

    def table2(self) -> ComputedBlock:
        """The example, recoded by the dictionaries of Table 3 as its prices decide."""
        printed = self.published_block("table2")
        words: dict[str, dict[PaperCell, PaperCell]] = {}
        for column, attribute in (("age", "At1"), ("origin", "At2")):
            dictionary = self.published_block(f"table3_{column}")
            chosen = self._most_valuable_pattern(attribute)
            values = [_fold_value(value) for value in dictionary.column("original")]
            words[column] = dict(zip(values, dictionary.column(chosen), strict=True))
        rows = [
            [
                None,
                None,
                None,
                words["age"].get(f"{age}才"),
                words["origin"].get(_fold_value(place)),
            ]
            for _, age, place, *_ in printed.rows
        ]
        return ComputedBlock(rows)

    def _most_valuable_pattern(self, attribute: str) -> str:
        """The pattern of the highest price, as SEMPB chooses it first."""
        lines = [
            (value, pattern)
            for name, pattern, _, value in self.published_block("table3_priority").rows
            if name == attribute
        ]
        return str(max(lines)[1]).lower()

    def table3_age(self) -> ComputedBlock:
        """The words of both patterns, as the built-in ones of ages have them."""
        printed = self.published_block("table3_age")
        ages = [str(word).removesuffix("才") for word in printed.column("original")]
        patterns = age_patterns(ages)
        rows = [
            [None, None, patterns["school"][age], None, patterns["decades"][age], None, None]
            for age in ages
        ]
        return ComputedBlock(rows, why=DICTIONARY_PRICES)

    table3_origin = table3_priority = printed_only(DICTIONARY_PRICES)
    figure4 = figure6 = printed_only(PICTURE)

    def table4(self) -> ComputedBlock:
        """The order of search from the printed words, counts and values, and their sum."""
        printed = self.published_block("table4")
        figures = [(words, k, value) for _, words, k, value, _ in printed.rows]
        rows = [[None, None, None, None, place] for place in rank_attributes(figures)]
        total = sum(printed.column("value_yen"))
        stated = [StatedValue(TOTAL_LABEL, printed.entry["total_yen"], total)]
        return ComputedBlock(rows, beside=stated, why=PRIVATE_PEOPLE, note=self._describe_twin())

    def table5(self) -> ComputedBlock:
        """What was done and what share is left, from the printed values."""
        printed = self.published_block("table5")
        rows: list[list[PaperCell]] = []
        for _, before, _, _, after, _ in printed.rows:
            action = "keep" if after == before else "abstract" if after else "delete"
            share = 100 * after / before if before else 0.0
            rows.append([None, None, None, action if before else "delete", None, share])
        total = printed.entry["total"]
        before_sum, after_sum = sum(printed.column("before_yen")), sum(printed.column("after_yen"))
        stated = [
            StatedValue(TOTAL_LABEL, total["before_yen"], before_sum),
            StatedValue(Message("value after, yen"), total["after_yen"], after_sum),
            StatedValue(
                Message("share left, %"), total["share_percent"], 100 * after_sum / before_sum
            ),
        ]
        possible = FormCheck(
            Message("k of the release, no more than that of any attribute that is left"),
            True,
            [total["k"] <= min(row[2] for row in printed.rows if row[4])],
        )
        return ComputedBlock(
            rows,
            beside=stated,
            forms=[possible],
            why=PRIVATE_PEOPLE,
            note=self._describe_twin(),
        )

    def _describe_twin(self) -> Message:
        """What the search finds on one population that was made to fit the tables."""
        problem, question = self.twin_session.problem(), self.answer.question
        best = self.answer.best.as_json(problem, question)
        twin = Message(
            "On {people:,} people that were made to fit Tables 4 to 6 (`tokumei sample prices "
            "--paper`) `price optimize` at k = {k} leaves ¥{value:,.0f}. They are one of many such "
            "populations, so that this confirms the search and not the paper.",
            people=problem.rows,
            k=question.k,
            value=best["value"],
        )
        return join_sentences([twin, describe_sempb(problem)])

    def table6(self) -> ComputedBlock:
        """The words of five ways to group the printed ages; that all means are of one number."""
        printed = self.published_block("table6")
        ages = [str(age) for age in PRINTED_AGES]
        patterns = age_patterns(ages)
        names = {"decade": "decades", "five_years": "five-years", "stage": "school"}
        words = [
            len(set(patterns[names.get(name, name)].values())) if name != "age" else len(ages)
            for name in printed.columns[1:]
        ]
        sums = [
            (count * (mean - 0.5), count * (mean + 0.5))
            for count, mean in zip(printed.rows[0][1:], printed.rows[3][1:], strict=True)
        ]
        fits = max(low for low, _ in sums) <= min(high for _, high in sums)
        one_population = FormCheck(
            Message("words × mean: all five can be the same number of people"), True, [fits]
        )
        rows: list[Sequence[object] | None] = [[None, *words], None, None, None, None]
        return ComputedBlock(rows, forms=[one_population], why=PRIVATE_PEOPLE)


PRINTED_AGES = (*range(12, 84), 88)
"""The ages that Table 6 begins and ends with, 73 in all."""
PRIVATE_PEOPLE = Message("The people behind this table are not public.")
TOTAL_LABEL = Message("value before, yen")
PRICE_LIST_COLUMNS = ("attribute", "pattern", "value", "word", "price")


def build_price_list(lines: pl.DataFrame) -> PriceList:
    """The price list in a frame `attribute,pattern,value,word,price`."""
    patterns: dict[str, dict[str, dict[str | None, str]]] = {}
    prices: dict[str, dict[str, Decimal | None]] = {}
    for attribute, pattern, value, word, price in lines.select(PRICE_LIST_COLUMNS).iter_rows():
        patterns.setdefault(attribute, {}).setdefault(pattern, {})[value] = word
        attribute_prices = prices.setdefault(attribute, {})
        attribute_prices[word] = (
            attribute_prices.get(word) if price is None else Decimal(str(price))
        )
    return PriceList(patterns, prices)


def _fold_value(value: PaperCell) -> str:
    """A value without blanks: the paper writes NewYork and New York."""
    return str(value).replace(" ", "")


def _to_price_frame(lines: Sequence[tuple[str, str, str, str, float]]) -> pl.DataFrame:
    return pl.DataFrame(list(lines), schema=list(PRICE_LIST_COLUMNS), orient="row")


def _single_column_session(
    name: str, people: Mapping[str, int], lines: Sequence[tuple[str, str, str, str, float]]
) -> PriceSession:
    """One column, in which every value occurs as often as it says."""
    values = [value for value, count in people.items() for _ in range(count)]
    return PriceSession(pl.DataFrame({name: values}), build_price_list(_to_price_frame(lines)))
