"""`tokumei price optimize|value`: the recoding worth most, and what a release is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.cli.price.inputs import (
    PriceFiles,
    best_option,
    read_people,
    say_cost,
    suppression_option,
    unpriced_notes,
)
from tokumei.core.ask import Answer, Listing, option
from tokumei.core.option_values import share_pairs
from tokumei.core.options import (
    cluster_option,
    key_option,
    release_option,
    require_spark,
    seed_option,
    spare_sources,
)
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.release import Claim
    from tokumei.price.problem import Question
    from tokumei.price.session import PriceAnswer, PriceSession


@dataclass(frozen=True, kw_only=True)
class Optimize(PriceFiles):
    """Find and, if asked, write the best recoding."""

    about: ClassVar = Text(
        "The k-anonymous recoding with the highest value, proven. With --out the recoded table is "
        "verified and written.",
        "価値が最も高い k-匿名の加工を、証明つきで求めます。"
        "--out で加工した表を検証して書き出します。",
    )
    examples: ClassVar = (
        "tokumei price optimize --data people.csv --patterns prices.csv --k 5 --out y.csv",
    )

    k: int = option("people per group", "グループの最小人数", default=2, least=1)
    suppression: float = suppression_option()
    least: dict[str, float] = option(
        "value to keep: attribute=value", "残す価値: 属性=金額", default={}
    )
    most_lost: dict[str, str] = option(
        "share of its value that an attribute may lose: attribute=30%",
        "属性が失ってよい価値の割合: 属性=30%",
        default={},
    )
    stay: tuple[str, ...] = option("attributes to keep: a,b", "消さない属性: a,b", default=())
    go: tuple[str, ...] = option("attributes to delete: a,b", "消す属性: a,b", default=())
    best: int = best_option()
    seconds: float | None = option(
        "then give the best so far", "この秒数で打ち切り、それまでの最良の解を返す", default=None
    )
    cut_off: float = option(
        "leave out patterns worth less", "これ未満の価値のパターンを省く", default=0.0
    )
    out: str | None = option("the release to write", "出力ファイル", default=None)
    secret: str | None = option("write the link here (mode 0600)", "対応表の出力先", default=None)
    keep: tuple[str, ...] = option(
        "columns to release unchanged: a,b", "そのまま出力する列: a,b", default=()
    )
    keep_order: bool = option("do not shuffle the rows", "行を並べ替えない", default=False)
    engine: Literal["local", "spark"] = option(
        "local, or spark: rows stay on a cluster (see --cluster)",
        "local か spark (行はクラスターに置かれます。--cluster 参照)",
        default="local",
    )
    cluster: str | None = cluster_option()
    seed: int | None = seed_option()
    key: str | None = key_option()

    def answer(self) -> Answer:
        """Search here or on a cluster; what was found, and what was written."""
        from tokumei.cli.price.tables import answer_listings, answer_notes
        from tokumei.cli.price.words import cut_off_words, interval_words
        from tokumei.price.problem import Question
        from tokumei.price.unpriced import cut_off_cost, value_interval

        if self.out is not None:
            read = (self.data, self.patterns, self.keywords, self.synonyms)
            spare_sources(read, [self.out, f"{self.out}.manifest.json", self.secret])
        require_spark(self.engine, cluster=self.cluster)
        given = ("k", "suppression", "least", "stay", "go", "best", "seconds", "cut_off")
        question = Question(
            **{name: getattr(self, name) for name in given},
            most_lost=share_pairs(self.most_lost, "--most-lost"),
        )
        search = self._on_spark if self.engine == "spark" else self._here
        asked, session, notes = search(question)
        unpriced = [{"attribute": name, "word": word} for name, word in session.prices.unpriced]
        told = {"rows": session.rows, "unpriced": unpriced, "out": self.out}
        shown: list[Listing | Text] = [*answer_listings(asked)]
        if unpriced and len(unpriced) < sum(map(len, session.prices.prices.values())):
            interval = value_interval(session, asked)
            told["interval"] = interval.as_json()
            shown.append(interval_words(interval, session.prices.currency))
        if self.cut_off:
            cost = cut_off_cost(session, asked)
            told["cut_off"] = cost.as_json()
            shown.append(cut_off_words(cost, self.cut_off))
        return Answer(
            asked.as_json() | told,
            shown,
            [*notes, *answer_notes(asked), *unpriced_notes(session.prices)],
        )

    def _here(self, question: Question) -> tuple[PriceAnswer, PriceSession, list[Text]]:
        from tokumei.api.releases import save
        from tokumei.files.containers import sha256
        from tokumei.files.keys import chance
        from tokumei.files.reading import separator_of

        session = self.session()
        say_cost(session, self.seconds)
        asked = session.ask(question)
        if self.out is None:
            return asked, session, []
        release = session.release(
            asked,
            keep=self.keep,
            keep_order=self.keep_order,
            seed=chance(self.seed, self.key),
            sha256=sha256(self.data),
        )
        sep = self.sep or separator_of(self.data, encoding=self.encoding)
        save(release, self.out, secret=self.secret, sep=sep)
        return asked, session, [_written(self.out, release.public.rows, release.claims)]

    def _on_spark(self, question: Question) -> tuple[PriceAnswer, PriceSession, list[Text]]:
        from tokumei.files.containers import Format, format_of
        from tokumei.files.keys import chance
        from tokumei.files.spark.files import FORMS, read_spark
        from tokumei.files.spark.session import spark_session
        from tokumei.price.spark import PeopleOnSpark
        from tokumei.tables.releasing.spark import save_on_spark

        # The option is about the data, which must be UTF-8 there.
        prices = replace(self, encoding="auto").prices()
        with spark_session(self.cluster) as session:
            source = read_spark(session, self.data, sep=self.sep, encoding=self.encoding)
            people = PeopleOnSpark(source, prices, columns=self.columns)
            say_cost(people.session, self.seconds)
            asked = people.session.ask(question)
            if self.out is None:
                return asked, people.session, []
            release = people.release(
                asked,
                keep=self.keep,
                keep_order=self.keep_order,
                seed=chance(self.seed, self.key),
                as_text=format_of(self.out, FORMS) is not Format.PARQUET,
            )
            save_on_spark(release, self.out, secret=self.secret, sep=self.sep or source.sep)
            return asked, people.session, [_written(self.out, release.rows, release.claims)]


@dataclass(frozen=True, kw_only=True)
class Value(PriceFiles):
    """Value a release against its original."""

    about: ClassVar = Text(
        "What a release is worth, whoever made it: per attribute and in total.",
        "匿名加工データ (どの道具で作ったものでも) の価値を、属性ごとと合計で示します。",
    )
    examples: ClassVar = (
        "tokumei price value --data people.csv --release y.csv --patterns prices.csv",
    )

    release: str = release_option()

    def answer(self) -> Answer:
        """Value per attribute and in total."""
        from tokumei.cli.price.tables import valuation_listings
        from tokumei.price.valuation import value_release

        prices = self.prices()
        public = read_people(self.release, sep=self.sep, encoding=self.encoding)
        found = value_release(self.people(), public, prices, columns=self.columns)
        return Answer({**found.as_json(), "prices": prices.record()}, valuation_listings(found))


def _written(out: str, rows: int, claims: tuple[Claim, ...]) -> Text:
    from tokumei.core.claims import MOST_LISTED, verified_words
    from tokumei.tables.registry import rules

    words = verified_words(rules, claims, most=MOST_LISTED)
    return Text(f"{out}: {rows:,} rows; {words.en}", f"{out}: {rows:,} 行。{words.ja}")
