"""Text tables of an audit: warnings, answers, then figures."""

from __future__ import annotations

from tokumei.core.command import TextTable
from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.messages import SEMICOLON, Message, join_messages
from tokumei.tables.audit.attack_statistics import MembershipFigures
from tokumei.tables.audit.attribute_inference import AttributeInference
from tokumei.tables.audit.audit import Audit
from tokumei.tables.audit.membership import MembershipResult
from tokumei.tables.audit.singling_out import SinglingOut
from tokumei.tables.report.audit_sentences import (
    ATTACKER_MODELS,
    audit_verdicts,
    question_and_answer,
    untried_attacks,
)

MEMBERS, CONTROL = Message("members"), Message("control")
MEMBERSHIP_TITLE = Message("Who is in the data: members found at 0.1, 1 and 10 % false alarms")
SINGLING_OUT_TITLE = Message(
    "Singling out: descriptions of one released row that fit exactly one person"
)
TOO_FEW = Message("too few")


def format_audit_tables(result: Audit) -> list[TextTable | Message]:
    """All of it; warnings stand on the first lines."""
    parts: list[TextTable | Message] = [
        Message("! {warning}", warning=warning) for warning in result.warnings
    ]
    parts += [question_and_answer(*verdict) for verdict in audit_verdicts(result)]
    parts.append(ATTACKER_MODELS[result.model])
    if result.membership is not None:
        parts += _membership_tables(result.membership)
    parts += [_attribute_table(outcome) for outcome in result.attributes.values()]
    if result.singling_out:
        parts.append(_singling_out_table(result.singling_out))
    missing = join_messages(untried_attacks(result), SEMICOLON)
    return [*parts, Message("Not tried: {missing}.", missing=missing)]


def _membership_tables(membership: MembershipResult) -> list[TextTable | Message]:
    rows = [_figures_row(name, attack.figures) for name, attack in membership.attacks.items()]
    if membership.stack is not None:
        rows.append(_figures_row("stack", membership.stack))
    rows.append(_figures_row("ceiling", membership.ceiling))
    header: list[Message | str] = [
        "",
        "AUC",
        "95 %",
        Message("at 0.1 %"),
        Message("at 1 %"),
        Message("at 10 %"),
        Message("advantage"),
    ]
    groups = [
        [
            group.title.show(),
            f"{group.members:,}",
            f"{group.control:,}",
            TOO_FEW.show() if group.auc is None else f"{group.auc.value:.3f}",
            "–" if group.auc is None else f"{group.auc.low:.3f}–{group.auc.high:.3f}",
        ]
        for group in membership.groups
    ]
    corrected = membership.corrected
    return [
        TextTable(MEMBERSHIP_TITLE, header, rows),
        *_reweighted_control_line(membership),
        Message(
            "Strongest, at the corrected level: {attack} {auc:.3f} ({low:.3f}–{high:.3f})",
            attack=membership.strongest,
            auc=corrected.value,
            low=corrected.low,
            high=corrected.high,
        ),
        TextTable(Message("Groups"), ["", MEMBERS, CONTROL, "AUC", "95 %"], groups),
    ]


def _reweighted_control_line(membership: MembershipResult) -> list[Message]:
    """What is left of the strongest attack where the control is made like the members."""
    if (reweighted := membership.reweighted) is None:
        return []
    return [
        Message(
            "Against controls weighted to be like the members (ten strata): {attack} {auc:.3f} "
            "({low:.3f}–{high:.3f})",
            attack=membership.strongest,
            auc=reweighted.value,
            low=reweighted.low,
            high=reweighted.high,
        )
    ]


def _figures_row(name: str, figures: MembershipFigures) -> list[str]:
    rates = [
        format_percent(figures.tpr[f].value) if f in figures.tpr else "–"
        for f in (0.001, 0.01, 0.1)
    ]
    ends = f"{figures.auc.low:.3f}–{figures.auc.high:.3f}"
    return [
        name,
        f"{figures.auc.value:.3f}",
        ends,
        *rates,
        format_percent(figures.advantage),
    ]


def _attribute_table(attribute: AttributeInference) -> TextTable:
    rows = [
        [
            name,
            format_percent(attack.members),
            format_percent(attack.control),
            format_percent(attack.risk.value),
            format_percent_range(attack.risk.low, attack.risk.high),
            f"{attack.certain:,}",
            "–" if attack.certain_right is None else format_percent(attack.certain_right),
        ]
        for name, attack in attribute.attacks.items()
    ]
    rows += [
        [name, format_percent(m), format_percent(c), "", "", "", ""]
        for name, (m, c) in attribute.baselines.items()
    ]
    risk, certain = Message("risk"), Message("certain")
    header: list[Message | str] = ["", MEMBERS, CONTROL, risk, "95 %", certain, Message("right")]
    title = Message("Inference of {column}", column=attribute.column)
    return TextTable(title, header, rows)


def _singling_out_table(outcomes: list[SinglingOut]) -> TextTable:
    rows = []
    for outcome in outcomes:
        rates = (
            [format_percent(outcome.rate), format_percent(outcome.control_rate)]
            if outcome.risk
            else ["–", "–"]
        )
        risk = (
            [
                format_percent(outcome.risk.value),
                format_percent_range(outcome.risk.low, outcome.risk.high),
            ]
            if outcome.risk
            else ["–", "–"]
        )
        people = f"{outcome.members:,} / {outcome.control:,}"
        name = f"{outcome.columns} =" if outcome.equal else str(outcome.columns)
        rows.append([name, f"{outcome.predicates:,}", *rates, *risk, people])
    header: list[Message | str] = [
        Message("columns", context="a number"),
        Message("number", context="of descriptions"),
        MEMBERS,
        CONTROL,
        Message("risk"),
        "95 %",
        Message("people", context="a number"),
    ]
    return TextTable(SINGLING_OUT_TITLE, header, rows)
