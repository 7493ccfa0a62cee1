"""`tokumei price optimize|value`: finds the recoding of highest value, and values a release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.apps.cli.price.inputs import (
    PriceFilesCommand,
    announce_search_cost,
    answer_count_option,
    read_people,
    suppression_option,
    unpriced_notes,
)
from tokumei.core.command import CommandResult, TextTable, option
from tokumei.core.messages import Message
from tokumei.core.option_parsing import parse_share_pairs
from tokumei.core.shared_options import (
    cluster_option,
    key_option,
    refuse_overwriting_inputs,
    release_option,
    require_spark_engine,
    seed_option,
)

if TYPE_CHECKING:
    from tokumei.apps.price.problem import Question
    from tokumei.apps.price.session import PriceAnswer, PriceSession
    from tokumei.core.provenance import Claim


@dataclass(frozen=True, kw_only=True)
class OptimizeRecoding(PriceFilesCommand):
    """Find and, if asked, write the best recoding."""

    about: ClassVar = Message(
        "The k-anonymous recoding with the highest value, proven. With --out the recoded table is "
        "verified and written."
    )
    examples: ClassVar = (
        "tokumei price optimize --data people.csv --patterns prices.csv --k 5 --out y.csv",
    )

    k: int = option("people per group", default=2, least=1)
    suppression: float = suppression_option()
    least: dict[str, float] = option("value to keep: attribute=value", default={})
    most_lost: dict[str, str] = option(
        "share of its value that an attribute may lose: attribute=30%", default={}
    )
    stay: tuple[str, ...] = option("attributes to keep: a,b", default=())
    go: tuple[str, ...] = option("attributes to delete: a,b", default=())
    best: int = answer_count_option()
    seconds: float | None = option(
        "longest search, in seconds: then the best answer so far", default=None
    )
    cut_off: float = option("leave out patterns worth less", default=0.0)
    out: str | None = option("the release to write", default=None)
    secret: str | None = option("write the link here (mode 0600)", default=None)
    keep: tuple[str, ...] = option("columns to release unchanged: a,b", default=())
    keep_order: bool = option("do not shuffle the rows", default=False)
    engine: Literal["local", "spark"] = option(
        "local, or spark: rows stay on a cluster (see --cluster)", default="local"
    )
    cluster: str | None = cluster_option()
    seed: int | None = seed_option()
    key: str | None = key_option()

    def answer(self) -> CommandResult:
        """Search here or on a cluster; what was found, and what was written."""
        from tokumei.apps.cli.price.cost_messages import describe_cut_off, describe_interval
        from tokumei.apps.cli.price.text_tables import answer_notes, answer_tables
        from tokumei.apps.price.problem import Question
        from tokumei.apps.price.value_bounds import cut_off_cost, value_interval

        if self.out is not None:
            input_paths = (self.data, self.patterns, self.keywords, self.synonyms)
            refuse_overwriting_inputs(
                input_paths, [self.out, f"{self.out}.manifest.json", self.secret]
            )
        require_spark_engine(self.engine, cluster=self.cluster)
        question_fields = ("k", "suppression", "least", "stay", "go", "best", "seconds", "cut_off")
        question = Question(
            **{name: getattr(self, name) for name in question_fields},
            most_lost=parse_share_pairs(self.most_lost, "--most-lost"),
        )
        search = self._search_on_spark if self.engine == "spark" else self._search_in_memory
        price_answer, session, notes = search(question)
        unpriced = [{"attribute": name, "word": word} for name, word in session.prices.unpriced]
        details = {"rows": session.rows, "unpriced": unpriced, "out": self.out}
        shown: list[TextTable | Message] = [*answer_tables(price_answer)]
        if unpriced and len(unpriced) < sum(map(len, session.prices.prices.values())):
            interval = value_interval(session, price_answer)
            details["interval"] = interval.as_json()
            shown.append(describe_interval(interval, session.prices.currency))
        if self.cut_off:
            cost = cut_off_cost(session, price_answer)
            details["cut_off"] = cost.as_json()
            shown.append(describe_cut_off(cost, self.cut_off))
        return CommandResult(
            price_answer.as_json() | details,
            shown,
            [*notes, *answer_notes(price_answer), *unpriced_notes(session.prices)],
        )

    def _search_in_memory(
        self, question: Question
    ) -> tuple[PriceAnswer, PriceSession, list[Message]]:
        from tokumei.api.releases import save
        from tokumei.files.file_formats import sha256_of_file
        from tokumei.files.key_files import resolve_seed
        from tokumei.files.reading import detect_file_separator

        session = self.open_session()
        announce_search_cost(session, self.seconds)
        price_answer = session.ask(question)
        if self.out is None:
            return price_answer, session, []
        release = session.release(
            price_answer,
            keep=self.keep,
            keep_order=self.keep_order,
            seed=resolve_seed(self.seed, self.key),
            sha256=sha256_of_file(self.data),
        )
        sep = self.sep or detect_file_separator(self.data, encoding=self.encoding)
        save(release, self.out, secret=self.secret, sep=sep)
        return (
            price_answer,
            session,
            [_describe_written_release(self.out, release.public.rows, release.claims)],
        )

    def _search_on_spark(
        self, question: Question
    ) -> tuple[PriceAnswer, PriceSession, list[Message]]:
        from tokumei.apps.price.spark import SparkPriceSession
        from tokumei.files.file_formats import FileFormat, detect_format
        from tokumei.files.key_files import resolve_seed
        from tokumei.files.spark.session import spark_session
        from tokumei.files.spark.table_files import SPARK_SUFFIXES, read_spark_table
        from tokumei.tables.anonymization.spark import save_on_spark

        # The option is about the data, which must be UTF-8 there.
        prices = replace(self, encoding="auto").load_prices()
        with spark_session(self.cluster) as session:
            source = read_spark_table(session, self.data, sep=self.sep, encoding=self.encoding)
            people = SparkPriceSession(source, prices, columns=self.columns)
            announce_search_cost(people.session, self.seconds)
            price_answer = people.session.ask(question)
            if self.out is None:
                return price_answer, people.session, []
            release = people.release(
                price_answer,
                keep=self.keep,
                keep_order=self.keep_order,
                seed=resolve_seed(self.seed, self.key),
                as_text=detect_format(self.out, SPARK_SUFFIXES) is not FileFormat.PARQUET,
            )
            save_on_spark(release, self.out, secret=self.secret, sep=self.sep or source.sep)
            return (
                price_answer,
                people.session,
                [_describe_written_release(self.out, release.rows, release.claims)],
            )


@dataclass(frozen=True, kw_only=True)
class ValueRelease(PriceFilesCommand):
    """Value a release against its original."""

    about: ClassVar = Message(
        "What a release is worth, whoever made it: per attribute and in total."
    )
    examples: ClassVar = (
        "tokumei price value --data people.csv --release y.csv --patterns prices.csv",
    )

    release: str = release_option()

    def answer(self) -> CommandResult:
        """Value per attribute and in total."""
        from tokumei.apps.cli.price.text_tables import valuation_tables
        from tokumei.apps.price.release_valuation import value_release

        prices = self.load_prices()
        public = read_people(self.release, sep=self.sep, encoding=self.encoding)
        valuation = value_release(self.load_people(), public, prices, columns=self.columns)
        return CommandResult(
            {**valuation.as_json(), "prices": prices.record()}, valuation_tables(valuation)
        )


def _describe_written_release(out: str, rows: int, claims: tuple[Claim, ...]) -> Message:
    from tokumei.core.claims import MAX_LISTED_COLUMNS, describe_verified_claims
    from tokumei.tables.registry import claim_checks

    verified = describe_verified_claims(claim_checks, claims, most=MAX_LISTED_COLUMNS)
    return Message("{out}: {rows:,} rows; {claims}", out=out, rows=rows, claims=verified)
