"""`tokumei ledger attack`: coalitions with public files, or with knowledge of the method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import CommandResult, option
from tokumei.core.errors import UsageError
from tokumei.core.formatting import FormattedValue, format_percent
from tokumei.core.messages import Message
from tokumei.core.shared_options import encoding_option, sep_option
from tokumei.ledger.commands import LedgerCommand, coalition_option
from tokumei.tables.commands.options import label_hierarchies_option, qi_option, sa_option

if TYPE_CHECKING:
    from tokumei.tables.ledger.algorithm_attacks import AlgorithmAttackResult, MinimalityResult

NO_RECORD_RECOVERED = Message(
    "These attacks recovered no exact record here. That is a result of these attacks on these "
    "data, not a proof."
)
RECORDS_RECOVERED = Message(
    "Exact records are known to whoever knows the method: take a larger k (5 or more), or --slack."
)


@dataclass(frozen=True, kw_only=True)
class AttackTableLedger(LedgerCommand):
    """Attack what left, as recipients could who put their files together."""

    about: ClassVar = Message(
        "Attack the releases of a ledger as a coalition could: by all public files together; and, "
        "with --data and --secret of one release (--release NAME), as somebody who knows the "
        "algorithm: cheapest class, tight hull, minimal node, minimality. A null result proves "
        "nothing."
    )
    examples: ClassVar = (
        "tokumei ledger attack ledger --coalition A,B",
        "tokumei ledger attack ledger --release r1 --data x.csv --secret link.csv --qi age,sex "
        "--sa income",
    )

    coalition: tuple[str, ...] = coalition_option()
    release: str | None = option("a release by name", default=None)
    data: str | None = option("its source", default=None)
    secret: str | None = option("its link", default=None)
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
            raise UsageError("--release needs --data and --secret, by which the attack is judged")
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
                "Cheapest class: {fitting:.1f} classes fit a person; the right one is found for "
                "{right:percent} (by chance {by_chance:percent}); truths wrongly excluded: "
                "{excluded:percent}. Never below k.",
                fitting=narrowing.fitting,
                right=narrowing.right,
                by_chance=narrowing.by_chance,
                excluded=narrowing.excluded,
            )
        )
    exact = outcome.exact
    lines.append(
        Message(
            "Tight hull: values known in {columns_known:percent} of generalized cells of classes; "
            "{claimed} records claimed, {right} of them exact ({share:percent} of people).",
            columns_known=exact.columns_known,
            claimed=exact.claimed,
            right=exact.right,
            share=exact.share,
        )
    )
    if (flagged := outcome.flagged) is not None and flagged.top_flagged is not None:
        lines.append(_minimality_line(flagged, flagged.top_flagged))
    return [*lines, RECORDS_RECOVERED if exact.right else NO_RECORD_RECOVERED]


def _minimality_line(flagged: MinimalityResult, top: float) -> Message:
    control = flagged.top_control
    return Message(
        "Minimality: {flagged:percent} of people flagged; the top value of the class is right for "
        "{top:percent} of them, {control} of others in the same classes (the fair control), "
        "{everyone:percent} of everyone.",
        flagged=flagged.people,
        top=top,
        control="–" if control is None else FormattedValue(format_percent, control),
        everyone=flagged.top_everyone,
    )
