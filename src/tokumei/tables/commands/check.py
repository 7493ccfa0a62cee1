"""`tokumei check` of a table: checks the claims of a file that any tool made."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import ClassVar, Literal

from tokumei.core.command import Command, CommandResult, option, violations_result
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    cluster_option,
    encoding_option,
    engine_option,
    release_option,
    sep_option,
)
from tokumei.tables.commands.options import l_option, model_option, person_option, t_option


@dataclass(frozen=True, kw_only=True)
class CheckTable(Command):
    """Recompute privacy models from a public file."""

    about: ClassVar = Message(
        "Recompute k-anonymity and other privacy models from a public file made by any tool. The "
        "exit code is 1 if a model does not hold. Of a folder that `tokumei run` wrote, also the k "
        "that is left to somebody who holds all its releases."
    )
    examples: ClassVar = ("tokumei check --format table --release y.csv --qi age,sex --k 5",)

    release: str = release_option()
    qi: tuple[str, ...] = option(
        "columns to count: a,b (default: the quasi-identifiers of its manifest or side file)",
        default=(),
    )
    k: int | None = option("k", default=None)
    l: int | None = l_option()  # noqa: E741  the literature's name
    t: float | None = t_option()
    model: list[str] = model_option()
    person: str | None = person_option()
    sa: tuple[str, ...] = option("columns the models protect", default=())
    hierarchies: str | None = option(
        "t-ordered, t-hierarchical: path of the hierarchies with {column} in it", default=None
    )
    engine: Literal["local", "stream", "spark"] = engine_option()
    cluster: str | None = cluster_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> CommandResult:
        """Check where the rows are; without --qi, what was said of the columns before."""
        from tokumei.tables.services.check import CheckTableRequest, check_table
        from tokumei.tables.services.method_steps import list_privacy_models

        checked = check_table(
            CheckTableRequest(
                release=self.release,
                qi=self.qi,
                sa=self.sa,
                k=self.k,
                models=tuple(list_privacy_models(self.model, l=self.l, t=self.t)),
                person=self.person,
                hierarchies=self.hierarchies,
                engine=self.engine,
                cluster=self.cluster,
                sep=self.sep,
                encoding=self.encoding,
            )
        )
        answer = violations_result(checked.faults, checked.total)
        if checked.joint is not None:
            answer = replace(answer, data={**answer.data, "joint": asdict(checked.joint)})
        return replace(answer, notes=[*checked.notes, *answer.notes])
