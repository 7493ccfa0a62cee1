"""Paper 002: k-anonymity by prices of search advertising; the people are a twin of the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, partialmethod
from typing import Any

import polars as pl

from tokumei.core.text import Text
from tokumei.papers.case import Case
from tokumei.papers.headings import heading
from tokumei.papers.verdict import Beside, Found
from tokumei.price.dictionary import PriceList
from tokumei.price.problem import Question
from tokumei.price.report.charts import pattern_panel
from tokumei.price.sample.paper import PaperTwin, paper_twin
from tokumei.price.session import PriceAnswer, PriceSession
from tokumei.price.tables import attribute_table, combinations, pattern_table, word_table

ACTIONS = {"original": "keep", "delete": "delete"}
STATISTICS = ("words", "smallest_k", "largest", "mean", "sd")
COST = 1.0
"""How far a printed cost per click may lie from cost / clicks, whose parts are rounded."""
NOT_THEIRS = Text(
    "The paper's people are not public. These are one of many populations that fit its tables.",
    "論文の会員データは公開されていません。表に合う集団の一つで計算しています。",
)
PROVEN = Text(
    f"{NOT_THEIRS.en} On them no other choice is worth more: the search proved it.",
    f"{NOT_THEIRS.ja}この集団では、これより価値の高い加工がないことを探索で証明済みです。",
)


class Prices(Case):
    """The blocks of the paper."""

    @cached_property
    def twin(self) -> PaperTwin:
        """The people and prices that stand for the paper's."""
        return paper_twin(seed=self.recipe["seed"])

    @cached_property
    def session(self) -> PriceSession:
        """The twin under its prices."""
        return PriceSession(self.twin.people, price_list(self.twin.prices))

    @cached_property
    def ages(self) -> PriceSession:
        """The twin's ages, grouped in five ways."""
        return PriceSession(self.twin.people, price_list(self.twin.ages))

    @cached_property
    def answer(self) -> PriceAnswer:
        """The most valuable recoding."""
        return self.session.ask(Question(k=self.recipe["k"]))

    def table1(self) -> Found:
        """Four ages against one decade."""
        printed = self.printed("table1")
        before, (decade, _, price, _) = printed.rows[:4], printed.rows[5]
        lines = [("age", "original", word, word, cost) for word, _, cost, _ in before]
        lines += [("age", "decades", word, decade, price) for word, *_ in before]
        asked = _session("age", {word: count for word, count, *_ in before}, lines)
        problem = asked.problem()
        words, (after,) = (word_table(problem, "age", one) for one in ("original", "decades"))
        ours = {line.word: [line.word, line.people, line.price, line.value] for line in words}
        total = sum(line.value for line in words)
        best = asked.ask(Question(k=2)).best.as_json(problem, Question(k=2))
        rows: list[Sequence[Any]] = [ours.get(word, [None] * 4) for word, *_ in before]
        # A word worth nothing is counted all the same.
        rows += [[None, problem.rows, None, total]]
        rows += [[after.word, after.people, after.price, after.value]]
        rows += [[None, problem.rows, None, best["value"]]]
        return Found(rows)

    def table2(self) -> Found:
        """The example, recoded by the words that it names."""
        printed = self.printed("table2")
        lines = [("age", "after", str(age), word, 1) for _, age, _, word, _ in printed.rows]
        lines += [("origin", "after", place, word, 1) for *_, place, _, word in printed.rows]
        lines += [("age", "original", str(age), str(age), 0) for _, age, *_ in printed.rows]
        lines += [("origin", "original", place, place, 0) for _, _, place, *_ in printed.rows]
        people = pl.DataFrame(
            {"age": list(map(str, printed.column("age"))), "origin": printed.column("origin")}
        )
        session = PriceSession(people, price_list(_frame(lines)))
        made = session.release(session.ask(Question(k=1)), keep_order=True).public.frame
        rows = zip(printed.rows, made["age"], made["origin"], strict=True)
        return Found([[*row[:3], age, place] for row, age, place in rows])

    def _dictionary(self, name: str) -> Found:
        """Every line as it is read; beside them what the printed lines add up to."""
        printed = self.printed(name)
        ways = {"original": (0, 1), "pattern1": (2, 3), "pattern2": (4, 5)}
        lines = [
            ("a", way, row[0], row[word], row[price])
            for way, (word, price) in ways.items()
            for row in printed.rows
        ]
        session = _session("a", {row[0]: row[6] for row in printed.rows}, lines)
        problem = session.problem()
        (attribute,) = problem.attributes
        costs = {
            way: {line.word: line.price for line in word_table(problem, "a", way)} for way in ways
        }
        people = {line.word: line.people for line in word_table(problem, "a", "original")}
        rows = [
            [
                *(x for way, (at, _) in ways.items() for x in (row[at], costs[way].get(row[at]))),
                people.get(row[0]),
            ]
            for row in printed.rows
        ]
        worth = [problem.money(attribute.worth[attribute.place(way)]) for way in ways]
        sums = [sum(row[price] * row[6] for row in printed.rows) for _, price in ways.values()]
        told = [
            Beside(Text(f"value of {way}", f"{way} の価値"), value, ours)
            for way, value, ours in zip(ways, sums, worth, strict=True)
        ]
        return Found(rows, beside=told)

    table3_age = partialmethod(_dictionary, "table3_age")
    table3_origin = partialmethod(_dictionary, "table3_origin")
    # Made from more lines than are printed; times of a database of 2012; an auction.
    table3_priority = figure1 = figure3 = Case.shown

    def table4(self) -> Found:
        """Words, rarest word, value and priority of every attribute."""
        lines = {line.attribute: line for line in attribute_table(self.session.problem())}
        rows = [
            [name, one.words, one.k, one.value, one.priority]
            for name in self.printed("table4").column("attribute")
            for one in [lines[name]]
        ]
        total = sum(line.value for line in lines.values())
        beside = [Beside(TOTAL, self.printed("table4").entry["total_yen"], total)]
        return Found(rows, twin=True, beside=beside, note=NOT_THEIRS)

    def table5(self) -> Found:
        """The most valuable recoding at k, proven optimal."""
        printed = self.printed("table5")
        question = self.answer.question
        found = self.answer.best.as_json(self.session.problem(), question)
        lines = {line.attribute: line for line in attribute_table(self.session.problem())}
        rows = []
        for shown in printed.column("attribute"):
            name = "年齢" if shown == "誕生日" else shown
            line, after = lines[name], found["values"][name]
            share = round(100 * after / line.value, 2) if line.value else 0.0
            action = ACTIONS.get(found["choice"][name], found["choice"][name])
            rows.append([shown, line.value, line.k, action, after, share])
        total = printed.entry["total"]
        beside = [
            Beside(TOTAL, total["before_yen"], found["original_value"]),
            Beside(
                Text("value after, yen", "加工後の価値 (円)"), total["after_yen"], found["value"]
            ),
            Beside(
                Text("share left, %", "残る割合 (%)"),
                total["share_percent"],
                round(100 * found["ratio"], 2),
            ),
            Beside(Text("k of the release", "加工後の k"), total["k"], found["k"]),
        ]
        note = PROVEN if found["optimal"] else NOT_THEIRS
        return Found(rows, twin=True, beside=beside, note=note)

    def table6(self) -> Found:
        """Five ways to group ages: words and counts per word."""
        ways = pattern_table(self.ages.problem())
        columns = [(one.words, one.k, one.largest, round(one.mean), round(one.sd)) for one in ways]
        rows = [
            [name, *cells]
            for name, cells in zip(STATISTICS, zip(*columns, strict=True), strict=True)
        ]
        facts = self.printed("table6").entry["facts"]
        worth = {one.pattern: one.value for one in ways}
        told = {"five_years": "five-years", "age": "original", "decade": "decades"}
        beside = [
            Beside(
                Text(f"value by {heading(name).en}, yen", f"{heading(name).ja}の価値 (円)"),
                facts[f"value_of_{name}_yen"],
                worth[way],
            )
            for name, way in told.items()
        ]
        return Found(rows, twin=True, beside=beside, note=NOT_THEIRS)

    def figure2(self) -> Found:
        """How many combinations 1 and all 7 attributes of Table 4 may form."""
        found = combinations(self.printed("table4").column("words"))
        told = self.printed("figure2").entry["twin_of_table4"]
        return Found(
            beside=[
                Beside(Text("one attribute", "1 属性"), told["K1"], found[0]),
                Beside(Text("all seven together", "7 属性すべて"), told["K7"], found[-1]),
            ]
        )

    def figure5(self) -> Found:
        """The value of an attribute and its change, as Table 1 has them."""
        rows = self.printed("table1").rows
        before, after = rows[4][3], rows[6][3]
        ours = [line[3] for line in self.table1().rows if line is not None]
        change = Text("M of Table 1", "表 1 の変化率 M")
        return Found(beside=[Beside(change, after / before, ours[6] / ours[4])])

    def figure7(self) -> Found:
        """Cost per click from cost and clicks."""
        rows = []
        for row in self.printed("figure7").rows:
            clicks, cost = row[1], row[4]
            rows.append([None] * 6 + [round(cost / clicks, 1) if clicks else 0])
        return Found(rows, tolerance={"cpc_yen": COST})

    def _ways(self, name: str, by: str) -> Found:
        """The value of the twin's ages against the people of the rarest word, or words."""
        panel = replace(pattern_panel(self.ages.problem(), by=by), name=name)
        ways = len(pattern_table(self.ages.problem()))
        beside = [Beside(Text("ways to group ages", "年齢の区分の数"), 5, ways)]
        return Found(twin=True, beside=beside, panels=[panel], note=NOT_THEIRS)

    figure8 = partialmethod(_ways, "figure8", "k")
    figure9 = partialmethod(_ways, "figure9", "words")


TOTAL = Text("value before, yen", "加工前の価値 (円)")
HEADER = ("attribute", "pattern", "value", "word", "price")


def price_list(lines: pl.DataFrame) -> PriceList:
    """The price list in a frame `attribute,pattern,value,word,price`."""
    patterns: dict[str, dict[str, dict[str | None, str]]] = {}
    prices: dict[str, dict[str, Decimal | None]] = {}
    for attribute, pattern, value, word, price in lines.select(HEADER).iter_rows():
        patterns.setdefault(attribute, {}).setdefault(pattern, {})[value] = word
        known = prices.setdefault(attribute, {})
        known[word] = known.get(word) if price is None else Decimal(str(price))
    return PriceList(patterns, prices)


def _frame(lines: Sequence[tuple[str, str, str, str, float]]) -> pl.DataFrame:
    return pl.DataFrame(list(lines), schema=list(HEADER), orient="row")


def _session(
    name: str, people: Mapping[str, int], lines: Sequence[tuple[str, str, str, str, float]]
) -> PriceSession:
    """One column, in which every value occurs as often as it says."""
    values = [value for value, count in people.items() for _ in range(count)]
    return PriceSession(pl.DataFrame({name: values}), price_list(_frame(lines)))
