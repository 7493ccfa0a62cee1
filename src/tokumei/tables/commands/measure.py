"""`tokumei measure utility` of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.command import CommandResult, TextTable, chosen_methods, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    cluster_option,
    encoding_option,
    engine_option,
    original_option,
    release_option,
    require_spark_engine,
    sep_option,
    set_option,
)
from tokumei.tables.commands.options import (
    ComparisonCommand,
    cross_option,
    kind_option,
    qi_option,
    sa_option,
    truth_option,
)

if TYPE_CHECKING:
    from tokumei.core.measure import Score
    from tokumei.tables.measures.protocol import Measure
    from tokumei.tables.services.comparison_requests import MeasureTableRequest

MeasureParams = dict[str, dict[str, object]]
HIERARCHY_MEASURES = ("ncp", "prec")


@dataclass(frozen=True, kw_only=True)
class MeasureTable(ComparisonCommand):
    """Measure a release."""

    about: ClassVar = Message(
        "Utility (0 means nothing is lost) and class sizes of a table. With --k, c_avg is relative "
        "to that k. More measures run when named (see `tokumei methods`); all means those that "
        "need no parameters, and those whose parameters are given."
    )
    examples: ClassVar = (
        "tokumei measure utility --original x.csv --release y.csv --qi age,sex --sa income "
        "--truth link.csv",
        "tokumei measure utility --original x.csv --release y.csv --qi age,sex --sa income "
        "--truth link.csv --method default,ncp,classification --set classification.target=region",
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
        default=("default",),
        aliases=("measures", "methods"),
    )
    set: dict[str, object] = set_option()
    hierarchies: str | None = option(
        "also ncp and prec, by hierarchies: path with {column}, or auto", default=None
    )
    engine: Literal["local", "spark"] = engine_option()
    cluster: str | None = cluster_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen measures, whose fields are options."""
        from tokumei.tables.evaluation_suite import resolve_measure_names
        from tokumei.tables.registry import measures

        names = measures.names()
        if "method" in given or "set" in given or "hierarchies" in given:
            measure_names = chosen_methods(given, ["default"])
            measure_names += HIERARCHY_MEASURES if "hierarchies" in given else ()
            settings = given.get("set")
            params = _params_by_measure(settings) if isinstance(settings, Mapping) else {}
            names = resolve_measure_names(measure_names, params)
        return {name: measures.get(name) for name in names}

    def answer(self) -> CommandResult:
        """Measure where the rows are."""
        from tokumei.tables.services.measure import measure_table

        if self.engine != "spark":
            require_spark_engine(self.engine, cluster=self.cluster)
        measured = measure_table(self.request)
        scores = measured.scores
        data: dict[str, object] = {name: score.value for name, score in scores.items()}
        gaps = {
            name: score_with_gaps.gaps._asdict()
            for name, score_with_gaps in scores.items()
            if score_with_gaps.gaps
        }
        shown: list[TextTable | Message] = [_scores_table(scores), *_score_notes(scores)]
        return CommandResult(data | ({"gaps": gaps} if gaps else {}), shown, measured.notes)

    @property
    def request(self) -> MeasureTableRequest:
        """The request that these options make."""
        from tokumei.core.registry import split_params_by_method
        from tokumei.tables.evaluation_suite import resolve_measure_names
        from tokumei.tables.registry import measures
        from tokumei.tables.services.comparison_requests import MeasureTableRequest

        wanted = (*self.method, *(HIERARCHY_MEASURES if self.hierarchies is not None else ()))
        return MeasureTableRequest(
            comparison=self.comparison,
            methods=wanted,
            params=split_params_by_method(
                measures, resolve_measure_names(wanted, _params_by_measure(self.set)), self.set
            ),
            engine=self.engine,
            cluster=self.cluster,
        )


def _params_by_measure(options: Mapping[str, object]) -> MeasureParams:
    """Group settings written as `MEASURE.key=value` by measure."""
    by_measure: MeasureParams = {}
    for key, value in options.items():
        name, dot, parameter = key.partition(".")
        if dot:
            by_measure.setdefault(name, {})[parameter] = value
    return by_measure


def _scores_table(scores: Mapping[str, Score]) -> TextTable:
    from tokumei.tables.registry import measures

    rows = [_score_row(name, measures.get(name), score) for name, score in scores.items()]
    return TextTable(Message("Measures"), ["", Message("value"), ""], rows)


def _score_notes(scores: Mapping[str, Score]) -> list[Message]:
    """What figures are for columns of text, and over how many cells they are."""
    from tokumei.tables.registry import measures

    names_by_note: dict[Message, list[str]] = {}
    for name, score in scores.items():
        of_texts = measures.get(name).of_texts
        if score.texts and of_texts:
            names_by_note.setdefault(of_texts, []).append(name)
        if score.gaps:
            names_by_note.setdefault(score.gaps.words, []).append(name)
    return [
        Message("{names}: {note}", names=", ".join(names), note=note)
        for note, names in names_by_note.items()
    ]


def _score_row(name: str, measure: type[Measure], score: Score) -> list[str]:
    value = f"{score.value:,.6g}"
    if score.low is not None and score.high is not None:
        value += f" ({score.low:,.4g}–{score.high:,.4g})"
    unit = measure.unit
    if score.baseline is not None:
        unit = Message("{unit}; baseline {baseline:,.4g}", unit=unit, baseline=score.baseline)
    return [f"{name}  {measure.title.show()}", value, unit.show()]
