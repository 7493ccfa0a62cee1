"""`tokumei ledger attack`: coalitions with public files, or with knowledge of the method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import CommandResult, option
from tokumei.core.errors import UsageError
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.core.shared_options import encoding_option, sep_option
from tokumei.ledger.commands import LedgerCommand, coalition_option
from tokumei.tables.commands.options import label_hierarchies_option, qi_option, sa_option

if TYPE_CHECKING:
    from tokumei.tables.ledger.algorithm_attacks import AlgorithmAttackResult, MinimalityResult

NO_RECORD_RECOVERED = Message(
    "These attacks recovered no exact record here. That is a result of these attacks on these "
    "data, not a proof.",
    "これらの攻撃では正確なレコードは得られませんでした。このデータでのこれらの攻撃の結果であり、"
    "安全の証明ではありません。",
)
RECORDS_RECOVERED = Message(
    "Exact records are known to whoever knows the method: take a larger k (5 or more), or --slack.",
    "手法を知る人には正確なレコードが分かります。k を大きく (5 以上) するか、--slack を使って"
    "ください。",
)


@dataclass(frozen=True, kw_only=True)
class AttackTableLedger(LedgerCommand):
    """Attack what left, as recipients could who put their files together."""

    about: ClassVar = Message(
        "Attack the releases of a ledger as a coalition could: by all public files together; and, "
        "with --data and --secret of one release (--release NAME), as somebody who knows the "
        "algorithm: cheapest class, tight hull, minimal node, minimality. A null result proves "
        "nothing.",
        "台帳の匿名加工データを、受領者が持ち寄った場合の方法で攻撃します。一つ (--release 名前) に"
        "ついて --data と --secret を渡すと、手法を知る人の攻撃 (最安のクラス、端の値、最小の節、"
        "最小性) も試します。見つからないことは安全の証明ではありません。",
    )
    examples: ClassVar = (
        "tokumei ledger attack ledger --coalition A,B",
        "tokumei ledger attack ledger --release r1 --data x.csv --secret link.csv --qi age,sex "
        "--sa income",
    )

    coalition: tuple[str, ...] = coalition_option()
    release: str | None = option("a release by name", "匿名加工データの名前", default=None)
    data: str | None = option("its source", "その元データ", default=None)
    secret: str | None = option("its link", "その対応表", default=None)
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    hierarchies: str | None = label_hierarchies_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> CommandResult:
        """What the attacks find."""
        from tokumei.ledger.check_messages import describe_unlinked_risk
        from tokumei.ledger.services import CheckLedgerRequest, check_releases

        if self.release is not None:
            outcome = self._attack_release(self.release)
            return CommandResult(
                {"release": self.release, **outcome.as_json()}, _result_lines(outcome)
            )
        request = CheckLedgerRequest(ledger=self.location, coalition=self.coalition)
        joint = check_releases(request).check
        return CommandResult(joint.as_json(), [*describe_unlinked_risk(joint), *joint.notes])

    def _attack_release(self, release: str) -> AlgorithmAttackResult:
        from tokumei.tables.services.ledger import AttackRecordedTableRequest, attack_recorded_table

        if self.data is None or self.secret is None:
            raise UsageError(
                "--release needs --data and --secret, by which the attack is judged",
                "--release には、攻撃を採点するための --data と --secret が必要です",
            )
        request = AttackRecordedTableRequest(
            ledger=self.location,
            release=release,
            data=self.data,
            secret=self.secret,
            qi=self.qi,
            sa=self.sa,
            hierarchies=self.hierarchies,
            sep=self.sep,
            encoding=self.encoding,
        )
        return attack_recorded_table(request)


def _result_lines(outcome: AlgorithmAttackResult) -> list[Message]:
    lines = []
    if outcome.narrowing is not None:
        narrowing = outcome.narrowing
        lines.append(
            Message(
                f"Cheapest class: {narrowing.fitting:.1f} classes fit a person; the right one is "
                f"found "
                f"for {format_percent(narrowing.right)} (by chance "
                f"{format_percent(narrowing.by_chance)}); truths wrongly "
                f"excluded: {format_percent(narrowing.excluded)}. Never below k.",
                f"最安のクラス: 一人に合うクラスは平均 {narrowing.fitting:.1f} 個。正しいクラスが"
                f"分かる"
                f"人は {format_percent(narrowing.right)} (当て推量では "
                f"{format_percent(narrowing.by_chance)})、正解を"
                f"誤って外した割合は {format_percent(narrowing.excluded)}。k 人未満にはなりません"
                f"。",
            )
        )
    exact = outcome.exact
    lines.append(
        Message(
            f"Tight hull: values known in {format_percent(exact.columns_known)} of generalized "
            f"cells of "
            f"classes; {exact.claimed} records claimed, {exact.right} of them exact "
            f"({format_percent(exact.share)} of people).",
            f"端の値: 一般化したセルのうち値が分かるものは {format_percent(exact.columns_known)}。"
            f"レコード {exact.claimed} 件を復元し、正確なものは {exact.right} 件 (人の "
            f"{format_percent(exact.share)})。",
        )
    )
    if (flagged := outcome.flagged) is not None and flagged.top_flagged is not None:
        lines.append(_minimality_line(flagged, flagged.top_flagged))
    return [*lines, RECORDS_RECOVERED if exact.right else NO_RECORD_RECOVERED]


def _minimality_line(flagged: MinimalityResult, top: float) -> Message:
    control = "–" if flagged.top_control is None else format_percent(flagged.top_control)
    return Message(
        f"Minimality: {format_percent(flagged.people)} of people flagged; the top value of the "
        f"class is right "
        f"for {format_percent(top)} of them, {control} of others in the same classes (the "
        f"fair control), {format_percent(flagged.top_everyone)} of everyone.",
        f"最小性: 該当者 {format_percent(flagged.people)}。クラスの最頻値が正しい割合は、該当者で "
        f"{format_percent(top)}、同じクラスの他の人 (公平な対照) で {control}、全体で "
        f"{format_percent(flagged.top_everyone)}。",
    )
