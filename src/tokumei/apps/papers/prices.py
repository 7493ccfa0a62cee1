"""Paper 002: k-anonymity by prices of search advertising; the people are a twin of the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, partialmethod

import polars as pl

from tokumei.apps.papers.comparison import ComputedBlock, StatedValue
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.reproduction import PaperReproduction
from tokumei.apps.price.datasets.published_experiment import PaperTwin, build_paper_twin
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.report.charts import pattern_panel
from tokumei.apps.price.session import PriceAnswer, PriceSession
from tokumei.apps.price.summary_tables import (
    attribute_table,
    count_combinations,
    pattern_table,
    word_table,
)
from tokumei.core.messages import Message, join_sentences

ACTION_NAMES = {"original": "keep", "delete": "delete"}
STATISTICS = ("words", "smallest_k", "largest", "mean", "sd")
COST_TOLERANCE = 1.0
"""How far a printed cost per click may lie from cost / clicks, whose parts are rounded."""
TWIN_NOTE = Message(
    "The paper's people are not public. These are one of many populations that fit its tables."
)
PROVEN_TWIN_NOTE = join_sentences(
    [TWIN_NOTE, Message("On them no other choice is worth more: the search proved it.")]
)


class PricesPaper(PaperReproduction):
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
    def age_session(self) -> PriceSession:
        """The twin's ages, grouped in five ways."""
        return PriceSession(self.paper_twin.people, build_price_list(self.paper_twin.ages))

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
        rows_by_word = {
            line.word: [line.word, line.people, line.price, line.value] for line in words
        }
        total = sum(line.value for line in words)
        best = price_session.ask(Question(k=2)).best.as_json(problem, Question(k=2))
        rows: list[Sequence[object]] = [rows_by_word.get(word, [None] * 4) for word, *_ in before]
        # A word worth nothing is counted all the same.
        rows += [[None, problem.rows, None, total]]
        rows += [[after.word, after.people, after.price, after.value]]
        rows += [[None, problem.rows, None, best["value"]]]
        return ComputedBlock(rows)

    def table2(self) -> ComputedBlock:
        """The example, recoded by the words that it names."""
        printed = self.published_block("table2")
        lines = [("age", "after", str(age), word, 1) for _, age, _, word, _ in printed.rows]
        lines += [("origin", "after", place, word, 1) for *_, place, _, word in printed.rows]
        lines += [("age", "original", str(age), str(age), 0) for _, age, *_ in printed.rows]
        lines += [("origin", "original", place, place, 0) for _, _, place, *_ in printed.rows]
        people = pl.DataFrame(
            {"age": list(map(str, printed.column("age"))), "origin": printed.column("origin")}
        )
        session = PriceSession(people, build_price_list(_to_price_frame(lines)))
        released = session.release(session.ask(Question(k=1)), keep_order=True).public.frame
        rows = zip(printed.rows, released["age"], released["origin"], strict=True)
        return ComputedBlock([[*row[:3], age, place] for row, age, place in rows])

    def _dictionary_block(self, name: str) -> ComputedBlock:
        """Every line as it is read; beside them what the printed lines add up to."""
        printed = self.published_block(name)
        pattern_columns = {"original": (0, 1), "pattern1": (2, 3), "pattern2": (4, 5)}
        lines = [
            ("a", pattern, row[0], row[word], row[price])
            for pattern, (word, price) in pattern_columns.items()
            for row in printed.rows
        ]
        session = _single_column_session("a", {row[0]: row[6] for row in printed.rows}, lines)
        problem = session.problem()
        (attribute,) = problem.attributes
        costs = {
            pattern: {line.word: line.price for line in word_table(problem, "a", pattern)}
            for pattern in pattern_columns
        }
        people = {line.word: line.people for line in word_table(problem, "a", "original")}
        rows = [
            [
                *(
                    cell
                    for pattern, (word_column, _) in pattern_columns.items()
                    for cell in (row[word_column], costs[pattern].get(row[word_column]))
                ),
                people.get(row[0]),
            ]
            for row in printed.rows
        ]
        worth = [
            problem.money(attribute.worth[attribute.place(pattern)]) for pattern in pattern_columns
        ]
        sums = [
            sum(row[price] * row[6] for row in printed.rows)
            for _, price in pattern_columns.values()
        ]
        stated = [
            StatedValue(Message("value of {pattern}", pattern=pattern), value, computed_value)
            for pattern, value, computed_value in zip(pattern_columns, sums, worth, strict=True)
        ]
        return ComputedBlock(rows, beside=stated)

    table3_age = partialmethod(_dictionary_block, "table3_age")
    table3_origin = partialmethod(_dictionary_block, "table3_origin")
    # Made from more lines than are printed; times of a database of 2012; an auction.
    table3_priority = figure1 = figure3 = PaperReproduction.nothing_computed

    def table4(self) -> ComputedBlock:
        """Words, rarest word, value and priority of every attribute."""
        lines = {line.attribute: line for line in attribute_table(self.twin_session.problem())}
        rows = [
            [name, line_of_name.words, line_of_name.k, line_of_name.value, line_of_name.priority]
            for name in self.published_block("table4").column("attribute")
            for line_of_name in [lines[name]]
        ]
        total = sum(line.value for line in lines.values())
        published_total = self.published_block("table4").entry["total_yen"]
        stated = [StatedValue(TOTAL_LABEL, published_total, total)]
        return ComputedBlock(rows, twin=True, beside=stated, note=TWIN_NOTE)

    def table5(self) -> ComputedBlock:
        """The most valuable recoding at k, proven optimal."""
        printed = self.published_block("table5")
        question = self.answer.question
        answer_json = self.answer.best.as_json(self.twin_session.problem(), question)
        lines = {line.attribute: line for line in attribute_table(self.twin_session.problem())}
        rows = []
        for printed_name in printed.column("attribute"):
            name = "年齢" if printed_name == "誕生日" else printed_name
            line, after = lines[name], answer_json["values"][name]
            share = round(100 * after / line.value, 2) if line.value else 0.0
            action = ACTION_NAMES.get(answer_json["choice"][name], answer_json["choice"][name])
            rows.append([printed_name, line.value, line.k, action, after, share])
        total = printed.entry["total"]
        stated = [
            StatedValue(TOTAL_LABEL, total["before_yen"], answer_json["original_value"]),
            StatedValue(Message("value after, yen"), total["after_yen"], answer_json["value"]),
            StatedValue(
                Message("share left, %"),
                total["share_percent"],
                round(100 * (answer_json["ratio"] or 0), 2),
            ),
            StatedValue(Message("k of the release"), total["k"], answer_json["k"]),
        ]
        note = PROVEN_TWIN_NOTE if answer_json["optimal"] else TWIN_NOTE
        return ComputedBlock(rows, twin=True, beside=stated, note=note)

    def table6(self) -> ComputedBlock:
        """Five ways to group ages: words and counts per word."""
        pattern_lines = pattern_table(self.age_session.problem())
        columns = [
            (
                pattern_line.words,
                pattern_line.k,
                pattern_line.largest,
                round(pattern_line.mean),
                round(pattern_line.sd),
            )
            for pattern_line in pattern_lines
        ]
        rows = [
            [name, *cells]
            for name, cells in zip(STATISTICS, zip(*columns, strict=True), strict=True)
        ]
        facts = self.published_block("table6").entry["facts"]
        worth = {pattern_line.pattern: pattern_line.value for pattern_line in pattern_lines}
        pattern_names = {"five_years": "five-years", "age": "original", "decade": "decades"}
        stated = [
            StatedValue(
                Message("value by {heading}, yen", heading=describe_heading(name)),
                facts[f"value_of_{name}_yen"],
                worth[pattern],
            )
            for name, pattern in pattern_names.items()
        ]
        return ComputedBlock(rows, twin=True, beside=stated, note=TWIN_NOTE)

    def figure2(self) -> ComputedBlock:
        """How many combinations 1 and all 7 attributes of Table 4 may form."""
        combination_counts = count_combinations(self.published_block("table4").column("words"))
        published = self.published_block("figure2").entry["twin_of_table4"]
        return ComputedBlock(
            beside=[
                StatedValue(Message("one attribute"), published["K1"], combination_counts[0]),
                StatedValue(Message("all seven together"), published["K7"], combination_counts[-1]),
            ]
        )

    def figure5(self) -> ComputedBlock:
        """The value of an attribute and its change, as Table 1 has them."""
        rows = self.published_block("table1").rows
        before, after = rows[4][3], rows[6][3]
        computed_values = [line[3] for line in self.table1().rows if line is not None]
        change = Message("M of Table 1")
        return ComputedBlock(
            beside=[StatedValue(change, after / before, computed_values[6] / computed_values[4])]
        )

    def figure7(self) -> ComputedBlock:
        """Cost per click from cost and clicks."""
        rows = []
        for row in self.published_block("figure7").rows:
            clicks, cost = row[1], row[4]
            rows.append([None] * 6 + [round(cost / clicks, 1) if clicks else 0])
        return ComputedBlock(rows, tolerance={"cpc_yen": COST_TOLERANCE})

    def _age_patterns_block(self, name: str, by: str) -> ComputedBlock:
        """The value of the twin's ages against the people of the rarest word, or words."""
        panel = replace(pattern_panel(self.age_session.problem(), by=by), name=name)
        pattern_count = len(pattern_table(self.age_session.problem()))
        stated = [StatedValue(Message("ways to group ages"), 5, pattern_count)]
        return ComputedBlock(twin=True, beside=stated, panels=[panel], note=TWIN_NOTE)

    figure8 = partialmethod(_age_patterns_block, "figure8", "k")
    figure9 = partialmethod(_age_patterns_block, "figure9", "words")


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


def _to_price_frame(lines: Sequence[tuple[str, str, str, str, float]]) -> pl.DataFrame:
    return pl.DataFrame(list(lines), schema=list(PRICE_LIST_COLUMNS), orient="row")


def _single_column_session(
    name: str, people: Mapping[str, int], lines: Sequence[tuple[str, str, str, str, float]]
) -> PriceSession:
    """One column, in which every value occurs as often as it says."""
    values = [value for value, count in people.items() for _ in range(count)]
    return PriceSession(pl.DataFrame({name: values}), build_price_list(_to_price_frame(lines)))
