"""`tokumei attack` on a table: the success rate of each attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import CommandResult, TextTable, option
from tokumei.core.messages import Message
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

PERMUTED_LINK = Message("(Yamaoka)", "(山岡匿名化)")
"""Why the rows may contradict a link that was given."""


@dataclass(frozen=True, kw_only=True)
class AttackTable(ComparisonCommand):
    """Attack a release with everything there is."""

    about: ClassVar = Message(
        "Run every attack on a release and report how often each is right: "
        "rate, 95 % interval, and the rate of a blind guess. The released rows are shuffled "
        "first, so that no attack profits from their order (--as-is keeps it).",
        "匿名加工データに対してすべての攻撃を行い、再識別率・95 % 区間・"
        "当てずっぽうの成功率を示します。"
        "行の順序が手がかりにならないよう、先に無作為に並べ替えます (--as-is で元の順)。",
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
        "元データのこの列で人数を数える (既定は匿名加工データの記述どおり。none: 行)",
        default=None,
    )
    truth: str | None = truth_option()
    hierarchies: str | None = label_hierarchies_option()
    method: tuple[str, ...] = option(
        "all, or names: E1,EUC2", "all または名前: E1,EUC2", default=attacks, aliases=("methods",)
    )
    known: tuple[str, ...] | None = option(
        "also an attacker who knows only these columns: a,b (everything public is known otherwise)",
        "知っている列をこれらに限った攻撃者も示す: a,b (ほかは公開列すべてを知るものとする)",
        default=None,
    )
    set: dict[str, object] = set_option()
    sa_near: str | None = option(
        "E2: its sensitive column", "E2 が用いる機密属性", default=None, hidden=True
    )
    sa_only: str | None = option(
        "E4: its sensitive column", "E4 が用いる機密属性", default=None, hidden=True
    )
    as_is: bool = option("keep the file's order", "ファイルの行順を保つ", default=False)
    expected: bool = option(
        "exact expected rates instead of one draw",
        "一回の抽選ではなく期待値を厳密に計算",
        default=False,
    )
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Compare, attack, and say which attack is the strongest."""
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
            f"WARNING: {evidence.text.en}: a low rate proves nothing here {PERMUTED_LINK.en}",
            f"警告: {evidence.text.ja}。低い率は安全の証拠になりません {PERMUTED_LINK.ja}",
        )
        for evidence in link_evidence(case, compare_qi_columns(case))[0]
    ]


def _known_words(columns: Sequence[str], found: AttackRate) -> Message:
    """What somebody finds who knows some columns only."""
    listed, rate = ", ".join(columns), f"{found.rate:.4f} ({found.low:.4f}–{found.high:.4f})"
    return Message(f"Knowing only {listed}: {rate}", f"{listed} だけを知る場合: {rate}")


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
    used = ", ".join(name for name in others if name not in unread)
    unread_list = ", ".join(unread)
    notes = [
        Message(
            f"'{EVERYTHING}' also uses what else is public: {used}",
            f"'{EVERYTHING}' はほかの公開列も使います: {used}",
        )
    ]
    unused = Message(
        f"WARNING: cells of {unread_list} cannot be read, so no attack used them: a rate may be "
        f"too low",
        f"警告: {unread_list} のセルは読み取れないため攻撃に使っていません。率は低すぎるかもしれ"
        f"ません",
    )
    return (notes if used else []) + ([unused] if unread_list else [])


def _text_comparison_warning(case: Comparison, names: list[str]) -> list[Message]:
    """That a generalized cell is nobody's value for attacks that do not read cells."""
    released = case.released.frame
    has_general_cells = any(reader.reads(released[name]) for name, reader in case.readers.items())
    if "linkage" in names or not has_general_cells:
        return []
    return [
        Message(
            "WARNING: these attacks compare quasi-identifiers as text, so that a cell that stands "
            "for several values fits nobody: 'linkage' and 'everything' read such cells",
            "警告: これらの攻撃は準識別子を文字列として比べるため、複数の値を表すセルは誰にも"
            "一致しません。'linkage' と 'everything' はそのようなセルを読み取ります",
        )
    ]


def _format_rates(rates: dict[str, AttackRate], best: StrongestAttack) -> list[TextTable | Message]:
    from tokumei.tables.registry import attackers

    has_deleted_rows = any(rate.released != rate.original for rate in rates.values())
    header: list[Message | str] = [
        "",
        Message("rate", "再識別率"),
        "95 %",
        Message("blind guess", "当てずっぽう"),
    ]
    header += [Message("of the original", "元データに対する割合")] if has_deleted_rows else []
    rows = []
    for name, rate in rates.items():
        mark = " ←" if name == best.attack else ""
        row = [f"{name}  {attackers.get(name).title.show()}{mark}", f"{rate.rate:.4f}"]
        row += [f"{rate.low:.4f}–{rate.high:.4f}", f"{rate.baseline:.5f}"]
        rows.append(row + ([f"{rate.rate_original:.4f}"] if has_deleted_rows else []))
    return [
        TextTable(Message("Re-identification", "再識別"), header, rows),
        Message(
            f"The strongest attack counts: {best.attack} {best.rate:.4f} "
            f"({best.low:.4f}–{best.high:.4f}, over the whole suite)",
            f"最も強い攻撃: {best.attack} {best.rate:.4f} "
            f"(信頼区間 {best.low:.4f}–{best.high:.4f}、試した攻撃の数で補正)",
        ),
    ]
