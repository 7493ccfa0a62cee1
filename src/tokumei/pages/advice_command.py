"""Base class of `tokumei advise` for every kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tokumei.core.advice.purpose import NO_LEGAL_ADVICE, Purpose
from tokumei.core.command import Command, CommandResult, TextTable, option
from tokumei.core.errors import UsageError
from tokumei.core.formatting import format_number, format_percent
from tokumei.core.json_types import as_json_text
from tokumei.core.language import current_language
from tokumei.core.messages import Message, join_messages
from tokumei.core.option_parsing import split_names
from tokumei.core.progress import progress_bar
from tokumei.core.shared_options import refuse_overwriting_inputs, require_suffix

if TYPE_CHECKING:
    from tokumei.core.advice.advice import Advice
    from tokumei.core.advice.adviser import Adviser


@dataclass(frozen=True, kw_only=True)
class BaseAdviceCommand(Command):
    """A command that gives advice on a file."""

    file: str = option("the file", positional=True)
    recipient: Literal["public", "partner", "inside"] = option(
        "who gets it: anybody, a partner under contract, people inside", default="partner"
    )
    known: tuple[str, ...] | None = option(
        "columns that the recipient may know of a person: a,b (default: decided from the data)",
        default=None,
    )
    keep: tuple[str, ...] = option(
        "columns that must stay as exact as can be, the most important first: a,b", default=()
    )
    k: int | None = option("start with this k", default=None, least=2)
    seconds: float = option("stop after about this many seconds", default=60.0)
    steps: int | None = option(
        "stop after this many steps (the same number gives the same advice)", default=None, least=1
    )
    out: str | None = option("page or data to write: .html or .json", default=None)
    seed: int = option("seed of the draws", default=1, least=0)

    def purpose(self) -> Purpose:
        """The purpose of the release, from the options."""
        return Purpose(self.recipient, self.known, self.keep, k=self.k)

    def adviser(self) -> Adviser:
        """The adviser of the file."""
        raise NotImplementedError

    def answer(self) -> CommandResult:
        """Search within the budget, write what was asked for, and show the front."""
        refuse_overwriting_inputs((self.file,), (self.out,))
        require_suffix(self.out, ".html", ".json")
        if not self.seconds > 0:
            raise UsageError("--seconds must be above 0, not {seconds:g}", seconds=self.seconds)
        adviser = self.adviser()
        seconds = None if self.steps is not None else self.seconds
        with progress_bar(Message("candidates"), self.steps) as advance:
            for _ in adviser.steps(seconds=seconds, steps=self.steps):
                advance(1)
        advice = adviser.advice()
        notes = [*advice.notes, *self._write_output(advice)]
        return CommandResult(self.data_of(advice), advice_lines(advice), notes)

    def data_of(self, advice: Advice) -> Mapping[str, object]:
        """The JSON document."""
        return advice.as_json()

    def _write_output(self, advice: Advice) -> list[Message]:
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import text_output
        from tokumei.pages.advice_page import render_advice

        if self.out is None:
            return []
        if self.out.lower().endswith(".json"):
            text = as_json_text(self.data_of(advice))
        else:
            name = Path(self.file).name
            text = render_advice(advice, source=name, lang=current_language())
        write_all([text_output(text, self.out)])
        return [Message("Written: {out}", out=self.out)]


def advice_lines(advice: Advice) -> list[TextTable | Message]:
    """The front as a table with its reasons, and how it came about."""
    from tokumei.pages.advice_page import (
        attack_heading,
        candidate_letters,
        counts_people,
        describe_front,
        describe_search,
        explain_people_found,
    )

    letter_by_id = candidate_letters(advice)
    rows = [
        [
            letter_by_id[item.id],
            item.title.show(),
            f"{format_number(round(item.risk.people))} / {item.risk.of:,}",
            f"{format_number(round(item.risk.low))}–{format_number(round(item.risk.high))}",
            "–" if everything is None else format_number(round(everything.people)),
            format_percent(item.figures.loss),
            format_percent(item.figures.rows_kept),
        ]
        for item in advice.front
        for everything in [item.figures.everything]
        if item.risk is not None
    ]
    header: list[Message | str] = [
        "",
        Message("candidate"),
        attack_heading(counts_people(advice)),
        "95 %",
        Message("by all columns"),
        Message("loss"),
        Message("rows kept"),
    ]
    reasons = [
        Message("{letter}: {reason}", letter=letter_by_id[item.id], reason=item.reason)
        for item in advice.front
    ]
    blank = Message.verbatim(" ")
    setting_lines = [join_messages([blank, item], blank) for item in advice.settings.words()]
    return [
        TextTable(describe_front(advice), header, rows),
        *reasons,
        explain_people_found(counts_people(advice)),
        describe_search(advice),
        *setting_lines,
        advice.budget.words(),
        NO_LEGAL_ADVICE,
    ]


def parse_column_sets(column_lists: list[str]) -> tuple[tuple[str, ...], ...]:
    """`--count age,sex --count zip` as sets of columns."""
    return tuple(split_names(column_list) for column_list in column_lists)
