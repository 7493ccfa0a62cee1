"""At most five questions to the owner, each with the option that answers it and the safe default.

for question in build_questions(source, decisions, request): print(question.text, question.option)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tokumei.core.messages import Message
from tokumei.core.option_parsing import join_names
from tokumei.releases.column_decisions import ColumnDecisions
from tokumei.releases.request import ReleaseTable
from tokumei.tables.advice.choose_k import shorten_names
from tokumei.tables.advice.table_source import TableSource
from tokumei.tables.profiling.normalization_rules import is_date_ambiguous
from tokumei.tables.profiling.suggested_command import format_column_option

MAX_QUESTIONS = 5
SHOWN_NAMES = 8


@dataclass(frozen=True)
class ReleaseQuestion:
    """What only the owner knows: the options that answer it, and what is taken without an answer.

    `columns` are those it is about; `taken` is the option that stands for the safe default.
    """

    code: str
    columns: tuple[str, ...]
    text: Message
    options: tuple[str, ...]
    taken: str
    default: Message

    def with_recoded(self, request: ReleaseTable) -> ReleaseQuestion:
        """The same after columns in doubt were made coarser instead of dropped."""
        if self.code != "identifying" or not {*self.columns} & {*(request.knows or ())}:
            return self
        taken = format_column_option("--knows", *(request.knows or ()))
        default = Message("made coarser, as if they were known")
        return replace(self, taken=taken, default=default)

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "code": self.code,
            "column": join_names(self.columns),
            "columns": list(self.columns),
            "text": self.text.show("en"),
            "texts": self.text.texts(),
            "option": self.options[0],
            "options": list(self.options),
            "taken": self.taken,
        }


def build_questions(
    source: TableSource, decisions: ColumnDecisions, request: ReleaseTable
) -> list[ReleaseQuestion]:
    """The questions that are open, the most important first."""
    questions = [
        *_ask_about_dates(source, request),
        *_ask_about_person(source, decisions, request),
        *_ask_about_known(decisions, request),
        *_ask_about_doubts(source, decisions),
        *_ask_about_blocks(decisions, request),
    ]
    return questions[:MAX_QUESTIONS]


def _ask_about_dates(source: TableSource, request: ReleaseTable) -> Iterator[ReleaseQuestion]:
    columns = [c.name for c in source.look.columns if is_date_ambiguous(c)]
    if columns and request.table.date_order is None:
        yield ReleaseQuestion(
            "date-order",
            tuple(columns),
            Message(
                "Is 3/4 in {columns} 3 April or 4 March? No cell decides it.",
                columns=shorten_names(columns, SHOWN_NAMES),
            ),
            ("--date-order dmy", "--date-order mdy"),
            format_column_option("--id", *columns),
            Message("dropped"),
        )


def _ask_about_person(
    source: TableSource, decisions: ColumnDecisions, request: ReleaseTable
) -> Iterator[ReleaseQuestion]:
    if request.table.person is not None:
        return
    doubted = decisions.doubted_person
    person = source.look.person
    if doubted is not None and person is not None:
        yield ReleaseQuestion(
            "person",
            (doubted,),
            Message(
                "'{column}' has {people:,} values in {rows:,} rows. Are these the people, or is "
                "every row another person?",
                column=doubted,
                people=person.people,
                rows=person.rows,
            ),
            (format_column_option("--person", doubted), "--person none"),
            "--person none",
            Message("every row is another person"),
        )


def _ask_about_known(
    decisions: ColumnDecisions, request: ReleaseTable
) -> Iterator[ReleaseQuestion]:
    known = decisions.known
    if request.knows is not None or request.recipient == "public":
        return
    option = format_column_option("--knows", *known.columns) if known.columns else "--knows COLUMNS"
    if not known.columns:
        text = Message(
            "No column seems to hold what the recipient may know of a person. Is there one?"
        )
    elif known.further:
        text = Message(
            "May the recipient know {columns} of a person? Beyond these, {further} could be known, "
            "too.",
            columns=shorten_names(known.columns, SHOWN_NAMES),
            further=shorten_names(known.further, SHOWN_NAMES),
        )
    else:
        text = Message(
            "May the recipient know {columns} of a person, and nothing else?",
            columns=shorten_names(known.columns, SHOWN_NAMES),
        )
    taken = option if known.columns else "--knows none"
    default = Message("yes") if known.columns else Message("no")
    yield ReleaseQuestion("known", known.columns, text, (option,), taken, default)


def _ask_about_doubts(source: TableSource, decisions: ColumnDecisions) -> Iterator[ReleaseQuestion]:
    """One question for texts that may hold names, one for everything else in doubt."""
    doubtful = [item.column for item in decisions.dropped if item.in_doubt]
    doubtful = [name for name in doubtful if not is_date_ambiguous(source.look[name])]
    texts = [name for name in doubtful if _is_text(source, name)]
    others = [name for name in doubtful if name not in texts]
    if others:
        yield _doubt(
            "identifying",
            others,
            Message(
                "Do {columns} say or number who somebody is?",
                columns=shorten_names(others, SHOWN_NAMES),
            ),
            (),
        )
    if texts:
        yield _doubt(
            "free-text",
            texts,
            Message(
                "{columns}: text in which people may be named. Drop it?",
                columns=shorten_names(texts, SHOWN_NAMES),
            ),
            (format_column_option("--scrub", *texts),),
        )


def _doubt(
    code: str, names: Sequence[str], text: Message, more_options: tuple[str, ...]
) -> ReleaseQuestion:
    drop, keep = format_column_option("--id", *names), format_column_option("--pass", *names)
    return ReleaseQuestion(
        code, tuple(names), text, (drop, keep, *more_options), drop, Message("dropped")
    )


def _is_text(source: TableSource, name: str) -> bool:
    column = source.look[name]
    question = column.question
    return bool(column.pii) or (
        question is not None and question.id in ("free-text", "text-with-personal-data")
    )


def _ask_about_blocks(
    decisions: ColumnDecisions, request: ReleaseTable
) -> Iterator[ReleaseQuestion]:
    """Answers on one scale, asked about once."""
    names = [name for block in decisions.known.blocks for name in block]
    if not names or request.recipient == "public":
        return
    both = (*decisions.known.columns, *names)
    yield ReleaseQuestion(
        "answers",
        tuple(names),
        Message(
            "{count:,} columns hold answers on one scale ({columns}). Can the recipient know "
            "somebody's answers?",
            count=len(names),
            columns=shorten_names(names, 3),
        ),
        (format_column_option("--knows", *both),),
        format_column_option("--knows", *decisions.known.columns)
        if decisions.known.columns
        else "--knows none",
        Message("no"),
    )
