"""`tokumei choose`: recommends k and further steps for a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import CommandResult, TextTable, chosen_methods, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    attacks_option,
    out_folder_option,
    refuse_overwriting_inputs,
    seed_option,
    set_option,
)
from tokumei.tables.commands.options import hierarchy_paths_option
from tokumei.tables.commands.table_source import DEFAULT_METHOD, TableSourceCommand

if TYPE_CHECKING:
    from tokumei.core.advice.request import Request
    from tokumei.tables.advice.k_choice import Choice
    from tokumei.tables.advice.k_trials import KPoint
    from tokumei.tables.anonymization.column_plan import ColumnPlan
    from tokumei.tables.data.column_report import ColumnReport

RESULT_FILES = ("choose.csv", "choose.json", "choose.svg", "remedy.svg", "report.html")

TABLE_LEGEND = Message(
    "Least: the smallest class. Found: the strongest attack of someone who knows the "
    "quasi-identifiers of all people, and of someone who knows every public column. *: within the "
    "limit."
)


@dataclass(frozen=True, kw_only=True)
class ChooseTable(TableSourceCommand):
    """Choose k."""

    about: ClassVar = Message(
        "Which k? Anonymizes a table with several k and shows what each loses, the rows kept, and "
        "the strongest attack of someone who knows the quasi-identifiers and of someone who knows "
        "everything that is public; then one paragraph of advice with its reason. Nothing is "
        "released. With --out also CSV, JSON, chart and report."
    )
    examples: ClassVar = (
        "tokumei choose --data x.csv",
        "tokumei choose --data x.csv --qi age,sex --sa income --k 2,5,10 --max-rate 0.2 --out k",
    )

    k: tuple[int, ...] = option("2-20 or 2,3,6", default=(2, 3, 5, 10, 20, 50))
    max_rate: float = option(
        "the share of people that may be found at most (advice, not law)", default=0.09
    )
    attacks: tuple[str, ...] = attacks_option()
    hierarchies: str | None = hierarchy_paths_option()
    set: dict[str, object] = set_option()
    out: str | None = out_folder_option()
    seed: int | None = seed_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen method, whose fields are options."""
        from tokumei.tables.registry import anonymizers

        return {name: anonymizers.get(name) for name in chosen_methods(given, DEFAULT_METHOD)}

    def answer(self) -> CommandResult:
        """Try every k, write, and say which to take."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.tables.report.k_choice_page import choice_outputs
        from tokumei.tables.services.choose import ChooseTableRequest, choose_table

        if self.out is not None:
            refuse_overwriting_inputs(
                (self.data,), tuple(f"{self.out}/{name}" for name in RESULT_FILES)
            )
        chosen = choose_table(
            ChooseTableRequest(
                table=self.request,
                values=self.k,
                params=dict(self.set),
                max_rate=self.max_rate,
                attacks=self.attacks,
                seed=self.seed,
            )
        )
        choice = chosen.choice
        if self.out is not None:
            write_all(choice_outputs(choice, make_folder(self.out)))
        command = self._next_command(choice, chosen.planned)
        parts = format_choice(choice)
        if command is not None:
            parts.append(Message("Next:  {command}", command=command))
        return CommandResult(choice.as_json() | {"command": command}, parts, chosen.planned.notes)

    def _next_command(self, choice: Choice, plan: ColumnPlan) -> str | None:
        """The command that makes the advised release; None: none is within the limit.

        What a side file says of the reading, it says to that command, too.
        """
        from tokumei.tables.services.advise import describe_reading, format_anonymize_command

        remedied = None if choice.remedy is None else choice.good(choice.remedy.points)
        if len(self.method) > 1 or not (choice.good() or remedied):
            return None
        options: dict[str, object] = {"hierarchies": self.hierarchies, "roles": self.roles_file}
        options |= {"sets": [*self.sets], "scrub": [*self.scrub], "no_roles": self.no_roles}
        reading = describe_reading(self.request) | {
            name: value for name, value in options.items() if value
        }
        request = build_advised_request(choice, plan.account, dict(self.set), self.person or "")
        out = f"{Path(self.data).stem}-release.csv"
        return format_anonymize_command(replace(request, reading=reading), self.data, out)


def build_advised_request(
    choice: Choice, account: ColumnReport, params: Mapping[str, object], person: str
) -> Request:
    """What `anonymize` is to be asked for: the method at the advised k, and the step after it."""
    from tokumei.core.advice.request import DROP, GENERALIZE, KEEP_UNCHANGED, PROTECT, Request
    from tokumei.tables.data.column_report import ColumnTreatment

    fates = {
        ColumnTreatment.GENERALIZED: GENERALIZE,
        ColumnTreatment.PROTECTED: PROTECT,
        ColumnTreatment.DROPPED: DROP,
    }
    columns = {
        name: fates.get(entry.fate, KEEP_UNCHANGED) for name, entry in account.entries.items()
    }
    steps: list[dict[str, object]] = [{"method": choice.method, **params, "k": choice.advised.k}]
    remedy = choice.remedy if choice.good() is None else None
    unremedied: list[str] = []
    if remedy is not None:
        new_fate = {"generalize": GENERALIZE, "drop": DROP}.get(remedy.name, PROTECT)
        if new_fate == PROTECT:
            steps.append({"method": remedy.name})
            unremedied = [
                n for n, entry in columns.items() if entry == PROTECT and n not in remedy.columns
            ]
            columns |= dict.fromkeys(unremedied, KEEP_UNCHANGED)
        columns |= dict.fromkeys(remedy.columns, new_fate)
    consent = tuple(n for n, entry in account.entries.items() if entry.consent or n in unremedied)
    return Request("table", tuple(steps), columns, account.person or person, consent)


def format_choice(choice: Choice) -> list[TextTable | Message]:
    """The tables and the paragraph."""
    parts: list[TextTable | Message] = [_points_table(choice, choice.points, Message("Which k?"))]
    if choice.remedy is not None:
        parts.append(_points_table(choice, choice.remedy.points, choice.remedy.words))
    return [*parts, TABLE_LEGEND, choice.advice]


def _points_table(choice: Choice, points: Sequence[KPoint], title: Message) -> TextTable:
    from tokumei.core.formatting import format_percent, format_percent_range
    from tokumei.tables.advice.choice_summary import count_unit

    advised = choice.good(points)
    rows = [
        [
            f"{point.k}{'*' if point is advised else ''}",
            f"{point.smallest}",
            format_percent(point.loss),
            format_percent(point.rows_kept),
            *(
                f"{format_percent(x.rate)} [{format_percent_range(x.low, x.high)}]"
                for x in (point.by_qi, point.by_all)
            ),
        ]
        for point in points
    ]
    header: list[Message | str] = [
        "k",
        Message("least {rows_or_people}", rows_or_people=count_unit(choice)),
        Message("loss"),
        Message("kept"),
        Message("found by QI"),
        Message("found by all"),
    ]
    return TextTable(title, header, rows)
