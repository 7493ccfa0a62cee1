"""`tokumei measure utility` of a table: what the data is still worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tokumei.core.ask import Answer, Listing, option
from tokumei.core.options import (
    cluster_option,
    encoding_option,
    engine_option,
    original_option,
    release_option,
    require_spark,
    sep_option,
    set_option,
)
from tokumei.core.text import Text
from tokumei.tables.ask.options import (
    Comparing,
    cross_option,
    kind_option,
    qi_option,
    sa_option,
    truth_option,
)

if TYPE_CHECKING:
    from tokumei.core.measure import Score
    from tokumei.tables.services.comparison_requests import MeasureTableRequest

Params = dict[str, dict[str, Any]]
BY_HIERARCHIES = ("ncp", "prec")


@dataclass(frozen=True, kw_only=True)
class MeasureTable(Comparing):
    """Measure a release."""

    about: ClassVar = Text(
        "Utility (0 means nothing is lost) and class sizes of a table. With --k, c_avg is relative "
        "to that k. More measures run when named (see `tokumei methods`); all means those that "
        "need no parameters, and those whose parameters are given.",
        "表の有用性 (0 は損失なし) とクラスサイズ。"
        "--k を与えると c_avg はその k に対する値です。ほかの指標は名前を指定すると測ります "
        "(`tokumei methods` を参照)。all はパラメータが不要か指定済みの指標すべてです。",
    )
    examples: ClassVar = (
        "tokumei measure utility --original x.csv --release y.csv --qi age,sex --sa income "
        "--truth link.csv",
        "tokumei measure utility --original x.csv --release y.csv --qi age,sex --sa income "
        "--method default,ncp,classification --set classification.target=region",
    )

    original: str = original_option()
    release: str = release_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    kind: dict[str, str] = kind_option()
    truth: str | None = truth_option()
    cross: tuple[str, ...] | None = cross_option()
    method: tuple[str, ...] = option(
        "default, all, or names: default,ncp,query_error",
        "default、all、または名前: default,ncp,query_error",
        default=("default",),
        aliases=("measures", "methods"),
    )
    set: dict[str, Any] = set_option()
    hierarchies: str | None = option(
        "also ncp and prec, by hierarchies: path with {column}, or auto",
        "ncp と prec も: 階層ファイルのパス ({column} を含む) か auto",
        default=None,
    )
    engine: Literal["local", "spark"] = engine_option()
    cluster: str | None = cluster_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen measures, whose fields are options."""
        from tokumei.tables.registry import measures
        from tokumei.tables.suite import chosen_measures

        names = measures.names()
        if "method" in given or "set" in given or "hierarchies" in given:
            wanted = [*given.get("method", ("default",))]
            wanted += BY_HIERARCHIES if "hierarchies" in given else ()
            names = chosen_measures(wanted, _dotted(given.get("set", {})))
        return {name: measures.get(name) for name in names}

    def answer(self) -> Answer:
        """Measure where the rows are."""
        from tokumei.tables.services.measure import measure_table

        if self.engine != "spark":
            require_spark(self.engine, cluster=self.cluster)
        measured = measure_table(self.request)
        scores = measured.scores
        data: dict[str, Any] = {name: score.value for name, score in scores.items()}
        gaps = {name: one.gaps._asdict() for name, one in scores.items() if one.gaps}
        shown: list[Listing | Text] = [_listing(scores), *_beside(scores)]
        return Answer(data | ({"gaps": gaps} if gaps else {}), shown, measured.notes)

    @property
    def request(self) -> MeasureTableRequest:
        """The request that these options make."""
        from tokumei.core.registry import params_of
        from tokumei.tables.registry import measures
        from tokumei.tables.services.comparison_requests import MeasureTableRequest
        from tokumei.tables.suite import chosen_measures

        wanted = (*self.method, *(BY_HIERARCHIES if self.hierarchies is not None else ()))
        return MeasureTableRequest(
            comparison=self.comparison,
            methods=wanted,
            params=params_of(measures, chosen_measures(wanted, _dotted(self.set)), self.set),
            engine=self.engine,
            cluster=self.cluster,
        )


def _dotted(given: Mapping[str, Any]) -> Params:
    """What `MEASURE.key=value` gives, by measure."""
    found: Params = {}
    for key, value in given.items():
        name, dot, parameter = key.partition(".")
        if dot:
            found.setdefault(name, {})[parameter] = value
    return found


def _listing(scores: Mapping[str, Score]) -> Listing:
    from tokumei.tables.registry import measures

    rows = [_line(name, measures.get(name), score) for name, score in scores.items()]
    return Listing(Text("Measures", "指標"), ["", Text("value", "値"), ""], rows)


def _beside(scores: Mapping[str, Score]) -> list[Text]:
    """What figures are for columns of text, and over how many cells they are."""
    from tokumei.tables.registry import measures

    said: dict[Text, list[str]] = {}
    for name, score in scores.items():
        of_texts = measures.get(name).of_texts
        if score.texts and of_texts:
            said.setdefault(of_texts, []).append(name)
        if score.gaps:
            said.setdefault(score.gaps.words, []).append(name)
    return [
        Text(f"{', '.join(names)}: {words.en}", f"{', '.join(names)}: {words.ja}")
        for words, names in said.items()
    ]


def _line(name: str, kind: Any, score: Score) -> list[str]:
    value = f"{score.value:,.6g}"
    if score.low is not None and score.high is not None:
        value += f" ({score.low:,.4g}–{score.high:,.4g})"
    unit = kind.unit.show()
    if score.baseline is not None:
        unit += Text(f"; baseline {score.baseline:,.4g}", f"、基準 {score.baseline:,.4g}").show()
    return [f"{name}  {kind.title.show()}", value, unit]
