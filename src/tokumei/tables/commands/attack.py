"""`tokumei attack` on a table: the success rate of each attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import CommandResult, TextTable, option
from tokumei.core.messages import Message, join_messages
from tokumei.core.shared_options import (
    encoding_option,
    original_option,
    release_option,
    seed_option,
    sep_option,
    set_option,
)
from tokumei.tables.commands.options import (
    ComparisonCommand,
    label_hierarchies_option,
    qi_option,
    sa_option,
    truth_option,
)
from tokumei.tables.services.comparison_requests import EVERYTHING

if TYPE_CHECKING:
    from tokumei.core.attack_rates import AttackRate
    from tokumei.tables.data.comparison import Comparison
    from tokumei.tables.evaluation_suite import StrongestAttack
    from tokumei.tables.services.comparison_requests import AttackTableRequest


@dataclass(frozen=True, kw_only=True)
class AttackTable(ComparisonCommand):
    """Attack a release with everything there is."""

    about: ClassVar = Message(
        "Run every attack on a release and report how often each is right: rate, 95 % interval, "
        "and the rate of a blind guess. The released rows are shuffled first, so that no attack "
        "profits from their order (--as-is keeps it)."
    )
    examples: ClassVar = (
        "tokumei attack --original x.csv --release y.csv --qi age,sex --sa income --truth link.csv",
    )
    attacks: ClassVar = ("all",)

    original: str = original_option()
    release: str = release_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    person: str | None = option(
        "count people, told apart by this column of the original (default: as the release says; "
        "none: rows)",
        default=None,
    )
    truth: str | None = truth_option()
    hierarchies: str | None = label_hierarchies_option()
    method: tuple[str, ...] = option(
        "all, or names: E1,EUC2", default=attacks, aliases=("methods",)
    )
    known: tuple[str, ...] | None = option(
        "also an attacker who knows only these columns: a,b (everything public is known otherwise)",
        default=None,
    )
    set: dict[str, object] = set_option()
    sa_near: str | None = option("E2: its sensitive column", default=None, hidden=True)
    sa_only: str | None = option("E4: its sensitive column", default=None, hidden=True)
    as_is: bool = option("keep the file's order", default=False)
    expected: bool = option("exact expected rates instead of one draw", default=False)
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    out: str | None = option(
        "write the guess of one attack (--method) as contests of tables take it; no rates",
        default=None,
    )
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Compare, attack, and say which attack is the strongest."""
        if self.out is not None:
            return self._write_guess(self.out)
        from tokumei.tables.services.attack import attack_table

        run_suite = attack_table(self.request)
        rates, strongest_rate, case = run_suite.rates, run_suite.strongest, run_suite.case
        notes = [*run_suite.notes]
        notes += (
            _other_column_notes(case)
            if EVERYTHING in rates
            else _text_comparison_warning(case, [*rates])
        )
        notes += _contradictions(case)
        data: dict[str, object] = {name: rate.as_json() for name, rate in rates.items()}
        parts = _format_rates(rates, strongest_rate)
        if run_suite.known is not None:
            data["known"] = run_suite.known.as_json()
            parts.append(_known_words(self.known or (), run_suite.known))
        return CommandResult({**data, "strongest": dict(vars(strongest_rate))}, parts, notes)

    def _write_guess(self, path: str) -> CommandResult:
        """The guess of one attack, for which nobody needs the link."""
        from tokumei.files.atomic_write import write_all
        from tokumei.tables.services.guess_rows import guess_output, guess_rows

        answers = guess_rows(self.request)
        write_all([guess_output(answers, path)])
        answered = int((answers >= 0).sum())
        message = Message(
            "{path}: {answered:,} of {rows:,} released rows are answered",
            path=path,
            answered=answered,
            rows=len(answers),
        )
        return CommandResult({"out": path, "answered": answered, "rows": len(answers)}, [message])

    @property
    def request(self) -> AttackTableRequest:
        """The request that these options make."""
        from tokumei.core.registry import split_params_by_method
        from tokumei.tables.registry import attackers, resolve_attack_names
        from tokumei.tables.services.comparison_requests import AttackTableRequest

        names = resolve_attack_names(self.method)
        if self.known is not None and EVERYTHING not in names:
            names.append(EVERYTHING)
        return AttackTableRequest(
            comparison=self.comparison,
            methods=tuple(names),
            params=split_params_by_method(
                attackers, names, {**self._column_params(names), **self.set}
            ),
            known=self.known,
            as_is=self.as_is,
            expected=self.expected,
            seed=self.seed,
        )

    def _column_params(self, names: list[str]) -> dict[str, str]:
        """The older options for the columns of E2 and E4."""
        old_options = {"E2": self.sa_near, "E4": self.sa_only}
        return {
            f"{name}.column": column
            for name, column in old_options.items()
            if column and name in names
        }


def _contradictions(case: Comparison) -> list[Message]:
    """Warnings where the rows contradict the link that was given."""
    from tokumei.tables.diagnosis.column_and_link_evidence import compare_qi_columns, link_evidence

    return [
        Message(
            "WARNING: {evidence}: a low rate proves nothing here (Yamaoka)", evidence=evidence.text
        )
        for evidence in link_evidence(case, compare_qi_columns(case))[0]
    ]


def _known_words(columns: Sequence[str], found: AttackRate) -> Message:
    """What somebody finds who knows some columns only."""
    return Message(
        "Knowing only {columns}: {rate:.4f} ({low:.4f}–{high:.4f})",
        columns=join_messages(columns),
        rate=found.rate,
        low=found.low,
        high=found.high,
    )


def _other_column_notes(case: Comparison) -> list[Message]:
    """What was used besides the columns that were named, and what could not be."""
    from tokumei.tables.data.cell_reader import ColumnReader

    names = [name for name in case.original.schema.names if name in case.released.schema.names]
    others = [name for name in names if name not in (*case.qi, *case.sa)]
    sides = {name: (case.original.frame[name], case.released.frame[name]) for name in others}
    unread = [
        n
        for n, sides_of in sides.items()
        if not ColumnReader.of(*sides_of).can_read_all(sides_of[1])
    ]
    used = [name for name in others if name not in unread]
    notes = [
        Message(
            "'{attack}' also uses what else is public: {columns}",
            attack=EVERYTHING,
            columns=join_messages(used),
        )
    ]
    unused = Message(
        "WARNING: cells of {columns} cannot be read, so no attack used them: a rate may be too low",
        columns=join_messages(unread),
    )
    return (notes if used else []) + ([unused] if unread else [])


def _text_comparison_warning(case: Comparison, names: list[str]) -> list[Message]:
    """That a generalized cell is nobody's value for attacks that do not read cells."""
    released = case.released.frame
    has_general_cells = any(reader.reads(released[name]) for name, reader in case.readers.items())
    if "linkage" in names or not has_general_cells:
        return []
    return [
        Message(
            "WARNING: these attacks compare quasi-identifiers as text, so that a cell that stands "
            "for several values fits nobody: 'linkage' and 'everything' read such cells"
        )
    ]


def _format_rates(rates: dict[str, AttackRate], best: StrongestAttack) -> list[TextTable | Message]:
    from tokumei.tables.registry import attackers

    has_deleted_rows = any(rate.released != rate.original for rate in rates.values())
    header: list[Message | str] = ["", Message("rate"), "95 %", Message("blind guess")]
    header += [Message("of the original")] if has_deleted_rows else []
    rows = []
    for name, rate in rates.items():
        mark = " ←" if name == best.attack else ""
        row = [f"{name}  {attackers.get(name).title.show()}{mark}", f"{rate.rate:.4f}"]
        row += [f"{rate.low:.4f}–{rate.high:.4f}", f"{rate.baseline:.5f}"]
        rows.append(row + ([f"{rate.rate_original:.4f}"] if has_deleted_rows else []))
    return [
        TextTable(Message("Re-identification"), header, rows),
        Message(
            "Most is found by {attack}: {rate:.4f} ({low:.4f}–{high:.4f}, over the whole suite). "
            "Every attack here knows the whole original; the verdict under your scenario: tokumei "
            "assess",
            attack=best.attack,
            rate=best.rate,
            low=best.low,
            high=best.high,
        ),
    ]
