"""`tokumei price show|diff|curve|pareto` and `tokumei sample prices`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

from tokumei.cli.price.inputs import (
    PeopleFile,
    PriceFiles,
    best_option,
    read_prices,
    suppression_option,
    unpriced_notes,
)
from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import needed, out_folder_option, refuse_beside, seed_option
from tokumei.core.text import Text

FILES = "--data people.csv --patterns prices.csv"


@dataclass(frozen=True, kw_only=True)
class Show(PriceFiles):
    """Show what a price list makes of a table."""

    about: ClassVar = Text(
        "Words, k, value and counts of every attribute and pattern, how many combinations there "
        "are, and what a search is expected to cost.",
        "属性とパターンごとの語数・k 値・価値・出現数、組み合わせの数、"
        "探索にかかる見込みを示します。",
    )
    examples: ClassVar = (f"tokumei price show {FILES} --words 年齢=decades",)

    words: dict[str, str] = option(
        "the words of attribute=pattern", "属性=パターンの語", default={}
    )

    def answer(self) -> Answer:
        """Attributes, patterns and, if asked, words."""

        from tokumei.cli.price.tables import population_listings, word_listing
        from tokumei.cli.price.words import cost_words
        from tokumei.price.tables import expected_cost, summary, word_table

        session = self.session()
        problem, prices = session.problem(), session.prices
        cost = expected_cost(problem)
        tables = {name: word_table(problem, name, one) for name, one in self.words.items()}
        words = {name: [asdict(line) for line in lines] for name, lines in tables.items()}
        shown = [
            word_listing(problem, f"{name} / {self.words[name]}", lines)
            for name, lines in tables.items()
        ]
        return Answer(
            {**summary(problem), "cost": cost.as_json(), "words": words, "prices": prices.record()},
            [*population_listings(problem), cost_words(cost), *shown],
            unpriced_notes(prices),
        )


@dataclass(frozen=True, kw_only=True)
class Diff(PeopleFile):
    """Compare the optima of two price lists."""

    about: ClassVar = Text(
        "How the best recoding and its value change from one price list to another, or over a "
        "folder of dated lists day by day: when the choice changes, and what keeping "
        "yesterday's would cost.",
        "価格表が変わると最適な加工と価値がどう変わるかを示します。日付のある価格表のフォルダーなら、"
        "選択が変わる日と、前日の選択のままにした場合の損失を日ごとに示します。",
    )
    examples: ClassVar = (
        "tokumei price diff --data people.csv --before p1.csv --after p2.csv --k 5",
        "tokumei price diff --data people.csv --daily prices/ --k 5",
    )

    before: str | None = option("old price list", "前の価格表", default=None)
    after: str | None = option("new price list", "後の価格表", default=None)
    daily: str | None = option(
        "instead: a folder of dated price lists",
        "代わりに: 日付のある価格表のフォルダー",
        default=None,
    )
    k: int = option("people per group", "グループの最小人数", default=2, least=1)
    suppression: float = suppression_option()

    def answer(self) -> Answer:
        """Both choices side by side, or a line for every day."""
        from tokumei.cli.price.tables import difference_shown
        from tokumei.cli.price.words import days_listing
        from tokumei.price.curve import compare_prices
        from tokumei.price.daily import daily_optima, read_price_days
        from tokumei.price.problem import Question

        question = Question(k=self.k, suppression=self.suppression)
        if self.daily is not None:
            refuse_beside("--daily", before=self.before, after=self.after)
            lists = read_price_days(self.daily, encoding=self.encoding)
            days = daily_optima(self.under(lists[0]), lists, question)
            return Answer([day.as_json() for day in days], [days_listing(days)])
        new = read_prices(needed(self.after, "--after", "price diff"), encoding=self.encoding)
        old = read_prices(needed(self.before, "--before", "price diff"), encoding=self.encoding)
        found = compare_prices(self.under(old), new, question)
        return Answer(found.as_json(), difference_shown(found))


@dataclass(frozen=True, kw_only=True)
class ByIntent(PriceFiles):
    """Value and optimum for people who are something, and who want to become it."""

    about: ClassVar = Text(
        "The value for each intent that the price list tells (column intent: will, be) and for "
        "both, and whether the best recoding for one intent alone is another.",
        "価格表の intent 列 (will: なりたい、be: である) ごとと合計の価値、"
        "一方だけで最適な加工が異なるかを示します。",
    )
    examples: ClassVar = (f"tokumei price intents {FILES} --k 5",)

    k: int = option("people per group", "グループの最小人数", default=2, least=1)
    suppression: float = suppression_option()

    def answer(self) -> Answer:
        """A line for every intent."""
        from tokumei.cli.price.words import intents_listing
        from tokumei.price.daily import by_intent
        from tokumei.price.problem import Question

        session = self.session()
        found = by_intent(session, Question(k=self.k, suppression=self.suppression))
        return Answer(found.as_json(), [intents_listing(found)], unpriced_notes(session.prices))


@dataclass(frozen=True, kw_only=True)
class Curve(PriceFiles):
    """The highest value for every k."""

    about: ClassVar = Text(
        "The highest value for every k; with --out charts of it, and of value against words.",
        "k ごとの最高の価値。--out で図 (価値と k、価値と語数) も作ります。",
    )
    examples: ClassVar = (f"tokumei price curve {FILES} --k 2-50 --out curve",)

    k: tuple[int, ...] = option("2-20, 2,3,6", "2-20, 2,3,6", default=tuple(range(2, 21)))
    suppression: float = suppression_option()
    out: str | None = out_folder_option()

    def answer(self) -> Answer:
        """A line for every k; the report, if it is wanted."""
        from tokumei.cli.price.tables import curve_listing
        from tokumei.price.curve import value_curve
        from tokumei.price.problem import Question

        session = self.session()
        points = value_curve(session, self.k, question=Question(suppression=self.suppression))
        notes = []
        if self.out is not None:
            from tokumei.files.atomic import write_all
            from tokumei.files.releases import make_folder
            from tokumei.price.report.page import price_outputs

            write_all(price_outputs(session.problem(), points, make_folder(self.out)))
            report = f"{self.out}/report.html"
            notes = [Text(f"Report: {report}", f"レポート: {report}")]
        return Answer([point.as_json() for point in points], [curve_listing(points)], notes)


@dataclass(frozen=True, kw_only=True)
class Pareto(PriceFiles):
    """Value and safety of the best answers."""

    about: ClassVar = Text(
        "Value against k and against the success of attacks: which answers nothing beats.",
        "価値を k と攻撃の成功率に対して示し、他に劣らない答えを選びます。",
    )
    examples: ClassVar = (f"tokumei price pareto {FILES} --k 2-10",)

    k: tuple[int, ...] = option("2-20, 2,3,6", "2-20, 2,3,6", default=tuple(range(2, 11)))
    best: int = best_option()
    suppression: float = suppression_option()
    attacks: tuple[str, ...] = option("attacks: linkage,…", "攻撃: linkage,…", default=("linkage",))
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """A line for every answer."""
        from tokumei.cli.price.tables import frontier_listing
        from tokumei.price.curve import value_frontier
        from tokumei.price.problem import Question

        question = Question(suppression=self.suppression, best=self.best)
        points = value_frontier(
            self.session(), self.k, question=question, attacks=self.attacks, seed=self.seed
        )
        return Answer([point.as_json() for point in points], [frontier_listing(points)])


@dataclass(frozen=True, kw_only=True)
class SamplePrices(Ask):
    """Write a look-alike population and its price list."""

    about: ClassVar = Text(
        "People as an advertiser sees them, and a price list for their attributes.",
        "広告主から見た人々の表と、その属性の価格表。",
    )
    examples: ClassVar = (
        "tokumei sample prices --rows 11000 --seed 1 --out people.csv --prices prices.csv",
    )

    out: str = option("file to write", "出力ファイル")
    prices: str = option("file for the prices", "価格表の出力先")
    rows: int = option("how many rows", "行数", default=11_000)
    attributes: int = option("how many attributes: 2-12", "属性の数: 2〜12", default=7)
    patterns: int = option(
        "most patterns, delete included", "パターンの上限 (削除を含む)", default=6
    )
    correlated: bool = option(
        "decade, marriage, income follow age", "年代・婚姻・年収を年齢に従わせる", default=False
    )
    paper: bool = option(
        "a twin of the published experiment: 10,933 people and prices that give its tables",
        "論文の実験の再構成: 表の値と一致する 10,933 人と価格",
        default=False,
    )
    ages: str | None = option(
        "with --paper: file for five ways to group ages", "--paper: 年齢区分の出力先", default=None
    )
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Both files."""
        if self.paper:
            return self._twin()
        refuse_beside("a sample without --paper", ages=self.ages)
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import frame_output
        from tokumei.price.sample.people import sample_prices

        people, made = sample_prices(
            self.rows,
            seed=self.seed,
            columns=self.attributes,
            patterns=self.patterns,
            correlated=self.correlated,
        )
        write_all([frame_output(people, self.out), frame_output(made, self.prices)])
        names = ",".join(people.columns)
        told = Text(
            f"{self.out}: {self.rows:,} people ({names})", f"{self.out}: {self.rows:,} 人 ({names})"
        )
        data = {"out": self.out, "prices": self.prices, "rows": self.rows}
        return Answer({**data, "columns": people.columns}, notes=[told])

    def _twin(self) -> Answer:
        """The people and prices that give the published tables, and the ages' five patterns."""
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import frame_output
        from tokumei.price.sample.paper import paper_twin

        twin = paper_twin(seed=1 if self.seed is None else self.seed)
        made = {self.out: twin.people, self.prices: twin.prices}
        if self.ages is not None:
            made[self.ages] = twin.ages
        write_all([frame_output(frame, path) for path, frame in made.items()])
        rows = twin.people.height
        told = Text(
            f"{self.out}: {rows:,} people. One of many populations that fit the published tables; "
            "not the paper's data",
            f"{self.out}: {rows:,} 人。論文の表に合う集団の一つであり、論文のデータではありません",
        )
        data = {"out": self.out, "prices": self.prices, "ages": self.ages, "rows": rows}
        return Answer({**data, "columns": twin.people.columns}, notes=[told])
