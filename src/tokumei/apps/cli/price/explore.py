"""`tokumei price show|diff|curve|pareto` and `tokumei sample prices`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

from tokumei.apps.cli.price.inputs import (
    PeopleFileCommand,
    PriceFilesCommand,
    answer_count_option,
    read_price_list,
    suppression_option,
    unpriced_notes,
)
from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    out_folder_option,
    refuse_unused_options,
    require_option,
    seed_option,
)

FILES_EXAMPLE = "--data people.csv --patterns prices.csv"


@dataclass(frozen=True, kw_only=True)
class ShowPriceTables(PriceFilesCommand):
    """Show what a price list makes of a table."""

    about: ClassVar = Message(
        "Words, k, value and counts of every attribute and pattern, how many combinations there "
        "are, and what a search is expected to cost."
    )
    examples: ClassVar = (f"tokumei price show {FILES_EXAMPLE} --words 年齢=decades",)

    words: dict[str, str] = option("the words of attribute=pattern", default={})

    def answer(self) -> CommandResult:
        """Attributes, patterns and, if asked, words."""

        from tokumei.apps.cli.price.cost_messages import describe_search_cost
        from tokumei.apps.cli.price.text_tables import population_tables, word_price_table
        from tokumei.apps.price.summary_tables import expected_cost, summarize_problem, word_table

        session = self.open_session()
        problem, prices = session.problem(), session.prices
        cost = expected_cost(problem)
        tables = {name: word_table(problem, name, pattern) for name, pattern in self.words.items()}
        words = {name: [asdict(line) for line in lines] for name, lines in tables.items()}
        shown = [
            word_price_table(problem, f"{name} / {self.words[name]}", lines)
            for name, lines in tables.items()
        ]
        return CommandResult(
            {
                **summarize_problem(problem),
                "cost": cost.as_json(),
                "words": words,
                "prices": prices.record(),
            },
            [*population_tables(problem), describe_search_cost(cost), *shown],
            unpriced_notes(prices),
        )


@dataclass(frozen=True, kw_only=True)
class ComparePriceLists(PeopleFileCommand):
    """Compare the optima of two price lists."""

    about: ClassVar = Message(
        "How the best recoding and its value change from one price list to another, or over a "
        "folder of dated lists day by day: when the choice changes, and what keeping yesterday's "
        "would cost."
    )
    examples: ClassVar = (
        "tokumei price diff --data people.csv --before p1.csv --after p2.csv --k 5",
        "tokumei price diff --data people.csv --daily prices/ --k 5",
    )

    before: str | None = option("old price list", default=None)
    after: str | None = option("new price list", default=None)
    daily: str | None = option("instead: a folder of dated price lists", default=None)
    k: int = option("people per group", default=2, least=1)
    suppression: float = suppression_option()

    def answer(self) -> CommandResult:
        """Both choices side by side, or a line for every day."""
        from tokumei.apps.cli.price.cost_messages import days_table
        from tokumei.apps.cli.price.text_tables import difference_output
        from tokumei.apps.price.price_days import daily_optima, read_price_days
        from tokumei.apps.price.problem import Question
        from tokumei.apps.price.value_curves import compare_prices

        question = Question(k=self.k, suppression=self.suppression)
        if self.daily is not None:
            refuse_unused_options("--daily", before=self.before, after=self.after)
            lists = read_price_days(self.daily, encoding=self.encoding)
            days = daily_optima(self.under(lists[0]), lists, question)
            return CommandResult([day.as_json() for day in days], [days_table(days)])
        new_prices = read_price_list(
            require_option(self.after, "--after", "price diff"), encoding=self.encoding
        )
        old_prices = read_price_list(
            require_option(self.before, "--before", "price diff"), encoding=self.encoding
        )
        difference = compare_prices(self.under(old_prices), new_prices, question)
        return CommandResult(difference.as_json(), difference_output(difference))


@dataclass(frozen=True, kw_only=True)
class ValueByIntent(PriceFilesCommand):
    """Value and optimum for people who are something, and who want to become it."""

    about: ClassVar = Message(
        "The value for each intent that the price list names (column intent: will, be) and for "
        "both, and whether one intent alone has another best recoding."
    )
    examples: ClassVar = (f"tokumei price intents {FILES_EXAMPLE} --k 5",)

    k: int = option("people per group", default=2, least=1)
    suppression: float = suppression_option()

    def answer(self) -> CommandResult:
        """A line for every intent."""
        from tokumei.apps.cli.price.cost_messages import intents_table
        from tokumei.apps.price.price_days import by_intent
        from tokumei.apps.price.problem import Question

        session = self.open_session()
        intents = by_intent(session, Question(k=self.k, suppression=self.suppression))
        return CommandResult(
            intents.as_json(), [intents_table(intents)], unpriced_notes(session.prices)
        )


@dataclass(frozen=True, kw_only=True)
class ShowValueCurve(PriceFilesCommand):
    """The highest value for every k."""

    about: ClassVar = Message(
        "The highest value for every k; with --out charts of it, and of value against words."
    )
    examples: ClassVar = (f"tokumei price curve {FILES_EXAMPLE} --k 2-50 --out curve",)

    k: tuple[int, ...] = option("2-20, 2,3,6", default=tuple(range(2, 21)))
    suppression: float = suppression_option()
    out: str | None = out_folder_option()

    def answer(self) -> CommandResult:
        """A line for every k; the report, if it is wanted."""
        from tokumei.apps.cli.price.text_tables import curve_table
        from tokumei.apps.price.problem import Question
        from tokumei.apps.price.value_curves import value_curve

        session = self.open_session()
        points = value_curve(session, self.k, question=Question(suppression=self.suppression))
        notes = []
        if self.out is not None:
            from tokumei.apps.price.report.page import price_outputs
            from tokumei.files.atomic_write import write_all
            from tokumei.files.release_files import make_folder

            write_all(price_outputs(session.problem(), points, make_folder(self.out)))
            report = f"{self.out}/report.html"
            notes = [Message("Report: {report}", report=report)]
        return CommandResult([point.as_json() for point in points], [curve_table(points)], notes)


@dataclass(frozen=True, kw_only=True)
class ShowValueFrontier(PriceFilesCommand):
    """Value and safety of the best answers."""

    about: ClassVar = Message(
        "Value against k and against the success of attacks: the answers that no other answer "
        "beats."
    )
    examples: ClassVar = (f"tokumei price pareto {FILES_EXAMPLE} --k 2-10",)

    k: tuple[int, ...] = option("2-20, 2,3,6", default=tuple(range(2, 11)))
    best: int = answer_count_option()
    suppression: float = suppression_option()
    attacks: tuple[str, ...] = option("attacks: linkage,…", default=("linkage",))
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """A line for every answer."""
        from tokumei.apps.cli.price.text_tables import frontier_table
        from tokumei.apps.price.problem import Question
        from tokumei.apps.price.value_curves import value_frontier

        question = Question(suppression=self.suppression, best=self.best)
        points = value_frontier(
            self.open_session(), self.k, question=question, attacks=self.attacks, seed=self.seed
        )
        return CommandResult([point.as_json() for point in points], [frontier_table(points)])


@dataclass(frozen=True, kw_only=True)
class WriteSamplePrices(Command):
    """Write a look-alike population and its price list."""

    about: ClassVar = Message(
        "People as an advertiser sees them, and a price list for their attributes."
    )
    examples: ClassVar = (
        "tokumei sample prices --rows 11000 --seed 1 --out people.csv --prices prices.csv",
    )

    out: str = option("file to write")
    prices: str = option("file for the prices")
    rows: int = option("how many rows", default=11_000)
    attributes: int = option("how many attributes: 2-12", default=7)
    patterns: int = option("most patterns, delete included", default=6)
    correlated: bool = option("decade, marriage and income depend on age", default=False)
    paper: bool = option(
        "a twin of the published experiment: 10,933 people and prices that give its tables",
        default=False,
    )
    ages: str | None = option("with --paper: file for five ways to group ages", default=None)
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Both files."""
        if self.paper:
            return self._write_paper_twin()
        refuse_unused_options(Message("a sample without --paper"), ages=self.ages)
        from tokumei.apps.price.datasets.sample_people import sample_prices
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import frame_output

        people, price_frame = sample_prices(
            self.rows,
            seed=self.seed,
            columns=self.attributes,
            patterns=self.patterns,
            correlated=self.correlated,
        )
        write_all([frame_output(people, self.out), frame_output(price_frame, self.prices)])
        names = ",".join(people.columns)
        message = Message(
            "{out}: {rows:,} people ({names})", out=self.out, rows=self.rows, names=names
        )
        data = {"out": self.out, "prices": self.prices, "rows": self.rows}
        return CommandResult({**data, "columns": people.columns}, notes=[message])

    def _write_paper_twin(self) -> CommandResult:
        """The people and prices that give the published tables, and the ages' five patterns."""
        from tokumei.apps.price.datasets.published_experiment import build_paper_twin
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import frame_output

        twin = build_paper_twin(seed=1 if self.seed is None else self.seed)
        frames_by_path = {self.out: twin.people, self.prices: twin.prices}
        if self.ages is not None:
            frames_by_path[self.ages] = twin.ages
        write_all([frame_output(frame, path) for path, frame in frames_by_path.items()])
        rows = twin.people.height
        message = Message(
            "{out}: {rows:,} people. One of many populations that fit the published tables; not "
            "the paper's data",
            out=self.out,
            rows=rows,
        )
        data = {"out": self.out, "prices": self.prices, "ages": self.ages, "rows": rows}
        return CommandResult({**data, "columns": twin.people.columns}, notes=[message])
