"""Text tables of an audit: warnings, answers, then figures."""

from __future__ import annotations

from tokumei.core.command import TextTable
from tokumei.core.formatting import format_percent
from tokumei.core.messages import Message
from tokumei.tables.audit.attack_statistics import MembershipFigures
from tokumei.tables.audit.attribute_inference import AttributeInference
from tokumei.tables.audit.audit import Audit
from tokumei.tables.audit.membership import MembershipResult
from tokumei.tables.audit.singling_out import SinglingOut
from tokumei.tables.report.audit_sentences import (
    ATTACKER_MODELS,
    audit_verdicts,
    format_signed_percent,
    format_signed_range,
    untried_attacks,
)

MEMBERS, CONTROL = Message("members", "メンバー"), Message("control", "対照")
MEMBERSHIP_TITLE = Message(
    "Who is in the data: members found at 0.1, 1 and 10 % false alarms",
    "誰が含まれるか: 誤報 0.1 %・1 %・10 % で見つかるメンバー",
)
SINGLING_OUT_TITLE = Message(
    "Singling out: descriptions of one released row that fit exactly one person",
    "絞り込み: 公開行の一つだけに当てはまる記述が、ただ一人に当てはまる割合",
)
TOO_FEW = Message("too few", "少数")


def format_audit_tables(result: Audit) -> list[TextTable | Message]:
    """All of it; warnings stand on the first lines."""
    parts: list[TextTable | Message] = [
        Message(f"! {outcome.en}", f"! {outcome.ja}") for outcome in result.warnings
    ]
    parts += [Message(f"{q.en} {a.en}", f"{q.ja}: {a.ja}") for q, a in audit_verdicts(result)]
    parts.append(ATTACKER_MODELS[result.model])
    if result.membership is not None:
        parts += _membership_tables(result.membership)
    parts += [_attribute_table(outcome) for outcome in result.attributes.values()]
    if result.singling_out:
        parts.append(_singling_out_table(result.singling_out))
    missing = untried_attacks(result)
    en, ja = (
        "; ".join(outcome.en for outcome in missing),
        "、".join(outcome.ja for outcome in missing),
    )
    return [*parts, Message(f"Not tried: {en}.", f"試していないこと: {ja}。")]


def _membership_tables(membership: MembershipResult) -> list[TextTable | Message]:
    rows = [_figures_row(name, attack.figures) for name, attack in membership.attacks.items()]
    if membership.stack is not None:
        rows.append(_figures_row("stack", membership.stack))
    rows.append(_figures_row("ceiling", membership.ceiling))
    header: list[Message | str] = [
        "",
        "AUC",
        "95 %",
        Message("at 0.1 %", "0.1 %"),
        Message("at 1 %", "1 %"),
        Message("at 10 %", "10 %"),
        Message("advantage", "優位"),
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
    strongest_text = (
        f"{membership.strongest} {corrected.value:.3f} ({corrected.low:.3f}–{corrected.high:.3f})"
    )
    return [
        TextTable(MEMBERSHIP_TITLE, header, rows),
        *_reweighted_control_line(membership),
        Message(
            f"Strongest, at the corrected level: {strongest_text}",
            f"最も強い攻撃 (補正した水準): {strongest_text}",
        ),
        TextTable(Message("Groups", "集団別"), ["", MEMBERS, CONTROL, "AUC", "95 %"], groups),
    ]


def _reweighted_control_line(membership: MembershipResult) -> list[Message]:
    """What is left of the strongest attack where the control is made like the members."""
    if (reweighted := membership.reweighted) is None:
        return []
    interval = f"({reweighted.low:.3f}–{reweighted.high:.3f})"
    strongest_text = f"{membership.strongest} {reweighted.value:.3f} {interval}"
    return [
        Message(
            f"Against controls weighted to be like the members (ten strata): {strongest_text}",
            f"メンバーに似るように重み付けした対照との比較 (10 層): {strongest_text}",
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
        format_signed_percent(figures.advantage),
    ]


def _attribute_table(attribute: AttributeInference) -> TextTable:
    rows = [
        [
            name,
            format_percent(attack.members),
            format_percent(attack.control),
            format_signed_percent(attack.risk.value),
            format_signed_range(attack.risk),
            f"{attack.certain:,}",
            "–" if attack.certain_right is None else format_percent(attack.certain_right),
        ]
        for name, attack in attribute.attacks.items()
    ]
    rows += [
        [name, format_percent(m), format_percent(c), "", "", "", ""]
        for name, (m, c) in attribute.baselines.items()
    ]
    risk, certain = Message("risk", "リスク"), Message("certain", "確実")
    header: list[Message | str] = [
        "",
        MEMBERS,
        CONTROL,
        risk,
        "95 %",
        certain,
        Message("right", "正解"),
    ]
    title = Message(f"Inference of {attribute.column}", f"{attribute.column} の推測")
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
            [format_signed_percent(outcome.risk.value), format_signed_range(outcome.risk)]
            if outcome.risk
            else ["–", "–"]
        )
        people = f"{outcome.members:,} / {outcome.control:,}"
        name = f"{outcome.columns} =" if outcome.equal else str(outcome.columns)
        rows.append([name, f"{outcome.predicates:,}", *rates, *risk, people])
    header: list[Message | str] = [
        Message("columns", "列数"),
        Message("number", "記述数"),
        MEMBERS,
        CONTROL,
        Message("risk", "リスク"),
        "95 %",
        Message("people", "人数"),
    ]
    return TextTable(SINGLING_OUT_TITLE, header, rows)
