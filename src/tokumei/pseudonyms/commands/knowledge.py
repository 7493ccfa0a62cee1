"""`tokumei knowledge` (draws an attacker's knowledge of a history) and `tokumei unicity` of T."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message, join_sentences
from tokumei.core.shared_options import (
    data_option,
    encoding_option,
    refuse_overwriting_inputs,
    seed_option,
)
from tokumei.pages.unicity_command import UnicityCommand

if TYPE_CHECKING:
    import polars as pl

    from tokumei.files.atomic_write import Output
    from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows


@dataclass(frozen=True, kw_only=True)
class DrawKnowledge(Command):
    """Draw what an attacker knows, of rows in any layout."""

    about: ClassVar = Message(
        "Draw what an attacker knows: a share of the rows (or some rows of each person), of some "
        "people and months, coarsened, with noise and mistakes."
    )

    data: str = data_option()
    out: str = option("file to write")
    alpha: float | None = option("share of the rows", default=None)
    points: int | None = option("rows of each person", default=None)
    people: float = option("share of the customers", default=1.0)
    first: str | None = option("first month known: 2011-01", default=None, name="from")
    last: str | None = option("last month known: 2011-06", default=None, name="to")
    prefix: dict[str, int] = option("characters left of a cell: item=2", default={})
    coarse: dict[str, str] = option(
        "coarser values: day=month (or week), time=hour, price=1, quantity=10", default={}
    )
    noise: dict[str, float] = option(
        "noise: price=0.1 (share), quantity=2, day=3 (days), time=30 (minutes)", default={}
    )
    wrong: float = option("share of wrong rows", default=0.0)
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    def true_rows(self) -> str | PeriodRows:
        """What is true, or the file of it."""
        raise NotImplementedError

    def known_rows_output(self, known: PeriodRows) -> Output:
        """What is known, as a file of the layout it came from."""
        raise NotImplementedError

    def answer(self) -> CommandResult:
        """Read, draw, write."""
        from tokumei.files.atomic_write import write_all
        from tokumei.pseudonyms.data.knowledge import PartialKnowledge
        from tokumei.pseudonyms.services.knowledge import draw_knowledge
        from tokumei.pseudonyms.services.requests import KnowledgeRequest

        refuse_overwriting_inputs((self.data,), (self.out,))
        knowledge_params = {
            field_info.name: getattr(self, field_info.name)
            for field_info in fields(PartialKnowledge)
        }
        knowledge_params["coarse"] = {
            name: _parse_step(value) for name, value in self.coarse.items()
        }
        request = KnowledgeRequest(
            rows=self.true_rows(),
            knowledge=PartialKnowledge(**knowledge_params),
            seed=self.seed,
            encoding=self.encoding,
        )
        known = draw_knowledge(request)
        write_all([self.known_rows_output(known)])
        kept, people = int(known.kept.sum()), len(known.people)
        note = Message(
            "{out}: {kept:,} of {rows:,} rows are known, of {people:,} people",
            out=self.out,
            kept=kept,
            rows=known.rows,
            people=people,
        )
        data = {"out": self.out, "rows": known.rows, "known": kept, "people": people}
        return CommandResult(data, notes=[note])


def _parse_step(text: str) -> str | float:
    """A word such as month, or a number."""
    try:
        return float(text)
    except ValueError:
        return text


@dataclass(frozen=True, kw_only=True)
class DrawPseudonymKnowledge(DrawKnowledge):
    """Of the contest's T; unknown rows are DEL."""

    about: ClassVar = join_sentences(
        [
            DrawKnowledge.about,
            Message("In format pws2017 unknown rows are DEL,,,,,,; in others they are left out."),
        ]
    )
    examples: ClassVar = (
        "tokumei knowledge --format pws2017 --data T.csv --alpha 0.25 --prefix item=2 --seed 1 "
        "--out T25.csv",
    )

    def true_rows(self) -> str:
        """The file of T."""
        return self.data

    def known_rows_output(self, known: PeriodRows) -> Output:
        """All rows, in the order of T."""
        from tokumei.pseudonyms.formats.pws2017 import rows_output

        return rows_output(known, self.out)


@dataclass(frozen=True, kw_only=True)
class MeasurePseudonymUnicity(UnicityCommand):
    """Measure the unicity of the original's rows."""

    about: ClassVar = Message("Pseudonyms over time: the same of the rows of T.")

    data: str = data_option()
    encoding: str = encoding_option()

    def purchases(self) -> tuple[pl.DataFrame, list[Message]]:
        """The rows of T; no customers are needed."""
        from tokumei.pseudonyms.flow import points
        from tokumei.pseudonyms.formats.pws2017 import read_rows

        self.spare(self.data)
        return points(read_rows(self.data, encoding=self.encoding)), []
