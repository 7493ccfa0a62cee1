"""What a question about a column may depend on, and how a question is built."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.messages import Message
from tokumei.core.parsing.dates import DateStyle
from tokumei.tables.profiling.column_cells import ColumnCells
from tokumei.tables.profiling.detection.embedded_pii import EmbeddedPii
from tokumei.tables.profiling.detection.person_column import PersonColumn
from tokumei.tables.profiling.detection.type_inference import InferredType
from tokumei.tables.profiling.profile import OwnerQuestion
from tokumei.tables.profiling.reading.source import Source
from tokumei.tables.profiling.suggested_command import format_column_option


@dataclass(frozen=True)
class QuestionContext:
    """One column, with all that a question may depend on."""

    name: str
    meaning: InferredType
    role: str
    kind: str
    cells: ColumnCells
    inside: tuple[EmbeddedPii, ...]
    style: DateStyle
    people: bool | None
    person: PersonColumn | None
    source: Source
    telling: bool
    """Whether each value goes with one person, as far as other columns tell."""

    @property
    def first(self) -> bool:
        """Whether it is the column at which the whole file is asked about."""
        return self.name == self.source.frame.columns[0]

    @property
    def identifies(self) -> bool:
        """Whether the column tells by itself who somebody is."""
        return self.role in ("identifier", "person")


def build_question(
    id: str,
    context: QuestionContext,
    en: str,
    ja: str,
    *options: str,
    answers: tuple[str, ...] = (),
) -> OwnerQuestion:
    """Options of `tokumei anonymize table` that take the column's name, or else whole `answers`."""
    answer_options = answers or tuple(
        format_column_option(option, context.name) for option in options
    )
    # The first braces are the column's; others belong to names that the sentence holds.
    question_text = Message(en.replace("{}", context.name, 1), ja.replace("{}", context.name, 1))
    return OwnerQuestion(id, question_text, answer_options)
