"""`tokumei price show|diff|curve|pareto` and `tokumei sample prices`."""

from __future__ import annotations

from dataclasses import dataclass
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
from tokumei.core.options import out_folder_option, seed_option
from tokumei.core.text import Text

FILES = "--data people.csv --patterns prices.csv"


@dataclass(frozen=True, kw_only=True)
class Show(PriceFiles):
    """Show what a price list makes of a table."""

    about: ClassVar = Text(
        "Words, k, value and counts of every attribute and pattern, and how many combinations "
        "there are.",
        "属性とパターンごとの語数・k 値・価値・出現数と、組み合わせの数を示します。",
    )
    examples: ClassVar = (f"tokumei price show {FILES} --words 年齢=decades",)

    words: dict[str, str] = option(
        "the words of attribute=pattern", "属性=パターンの語", default={}
    )

    def answer(self) -> Answer:
        """Attributes, patterns and, if asked, words."""
        from dataclasses import asdict

        from tokumei.cli.price.tables import population_listings, word_listing
        from tokumei.price.tables import summary, word_table

        session = self.session()
        problem, prices = session.problem(), session.prices
        tables = {name: word_table(problem, name, one) for name, one in self.words.items()}
        words = {name: [asdict(line) for line in lines] for name, lines in tables.items()}
        shown = [
            word_listing(problem, f"{name} / {self.words[name]}", lines)
            for name, lines in tables.items()
        ]
        return Answer(
            {**summary(problem), "words": words, "prices": prices.record()},
            [*population_listings(problem), *shown],
            unpriced_notes(prices),
        )


@dataclass(frozen=True, kw_only=True)
class Diff(PeopleFile):
    """Compare the optima of two price lists."""

    about: ClassVar = Text(
        "How the best recoding and its value change from one price list to another.",
        "価格表が変わると最適な加工と価値がどう変わるかを示します。",
    )
    examples: ClassVar = (
        "tokumei price diff --data people.csv --before p1.csv --after p2.csv --k 5",
    )

    before: str = option("old price list", "前の価格表")
    after: str = option("new price list", "後の価格表")
    k: int = option("people per group", "グループの最小人数", default=2, least=1)
    suppression: float = suppression_option()

    def answer(self) -> Answer:
        """Both choices side by side."""
        from tokumei.cli.price.tables import difference_shown
        from tokumei.price.curve import compare_prices
        from tokumei.price.problem import Question

        new = read_prices(self.after, encoding=self.encoding)
        session = self.under(read_prices(self.before, encoding=self.encoding))
        question = Question(k=self.k, suppression=self.suppression)
        found = compare_prices(session, new, question)
        return Answer(found.as_json(), difference_shown(found))


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
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Both files."""
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
